"""The house of an event: one folder with the broker's configuration, who may come in, and the archive.

`init` makes it. The generated mosquitto configuration asks everybody for a password or a certificate, lets a station
write only under its own name, and queues enough. Passwords are kept as hashes: each is shown once, in an invitation.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.event.broker_files import acl, configuration, hashed
from firmware.event.topics import DOOR, HOME_ASSISTANT, HUB, door, is_station
from firmware.ports import Clock
from hardware_config.settings import MqttBroker

if TYPE_CHECKING:
    from firmware.event.certificates import Signed

DOOR_OPEN_S = 600.0
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|[0-9a-fA-F:]{2,39}")


class BadHouse(ValueError):
    """A folder that cannot be used as asked; says what and what to do."""


@dataclass(frozen=True, slots=True)
class House:
    """The folder of an event, by its files."""

    folder: Path

    @property
    def archive(self) -> Path:
        return self.folder / "event.db"

    @property
    def configuration(self) -> Path:
        return self.folder / "mosquitto.conf"

    @property
    def passwords(self) -> Path:
        return self.folder / "passwords"

    @property
    def authority(self) -> Path:
        return self.folder / "ca.pem"

    @property
    def given(self) -> Path:
        """Which certificates were given to whom, by their numbers; the last one of each counts."""
        return self.folder / "certificates"

    @property
    def revoked(self) -> Path:
        """The broker's list of those that count no more."""
        return self.folder / "revoked.pem"

    @property
    def with_certificates(self) -> bool:
        return "require_certificate true" in self.configuration.read_text(encoding="utf-8")

    @property
    def port(self) -> int:
        lines = self.configuration.read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("listener "))

    @property
    def hosts(self) -> tuple[str, ...]:
        return tuple((self.folder / "hosts").read_text(encoding="utf-8").split())

    def hub_settings(self) -> MqttBroker:
        """How the hub itself reaches the broker: over this computer, with TLS all the same."""
        certificate = self.folder / "hub.pem"
        return MqttBroker(
            host="127.0.0.1",
            port=self.port,
            station="not-used",
            ca_file=str(self.authority),
            password_file="" if self.with_certificates else str(self.folder / "hub-password"),
            certificate_file=str(certificate) if self.with_certificates else "",
            key_file=str(self.folder / "hub-key.pem") if self.with_certificates else "",
        )

    def stations(self) -> tuple[str, ...]:
        """Who was invited."""
        names = [line.partition(":")[0] for line in self.passwords.read_text(encoding="utf-8").splitlines()]
        return tuple(sorted(name for name in names if is_station(name)))


def opened(folder: Path) -> House:
    """The house in this folder; raises BadHouse."""
    house = House(folder)
    if not house.configuration.is_file() or not house.passwords.is_file():
        raise BadHouse(f"there is no event in {folder}; `marchwarden event init` makes one, --folder names another")
    return house


def init(folder: Path, hosts: tuple[str, ...], port: int = 8883, *, certificates: bool = False) -> House:
    """Makes the folder of a new event; raises BadHouse when there is one already, or a host cannot be called so."""
    from firmware.event.certificates import new_authority, revoking, signed_by

    for host in hosts:
        if _HOST.fullmatch(host) is None:
            raise BadHouse(f"{host!r} is neither the name nor the address of a computer; like hub.local or 192.168.1.5")
    house = House(folder)
    if house.configuration.exists():
        raise BadHouse(f"there is an event in {folder} already; --folder names another place")
    folder.mkdir(parents=True, exist_ok=True, mode=0o750)
    (folder / "broker").mkdir(exist_ok=True, mode=0o700)
    (folder / "door").mkdir(exist_ok=True, mode=0o700)
    authority = new_authority(f"marchwarden event {secrets.token_hex(4)}")
    broker = signed_by(authority, "broker", tuple(dict.fromkeys((*hosts, "localhost", "127.0.0.1"))))
    hub = signed_by(authority, HUB)
    password = secrets.token_urlsafe(16)
    files = {
        "ca.pem": authority.certificate_pem,
        "ca-key.pem": authority.key_pem,
        "broker.pem": broker.certificate_pem,
        "broker-key.pem": broker.key_pem,
        "hub.pem": hub.certificate_pem,
        "hub-key.pem": hub.key_pem,
        "hub-password": password.encode(),
        "hosts": " ".join(hosts).encode(),
        "passwords": f"{HUB}:{hashed(password)}\n{DOOR}:{hashed(DOOR)}\n".encode(),
        "acl": acl(()).encode(),
    }
    if certificates:
        files |= {"door-passwords": f"{DOOR}:{hashed(DOOR)}\n".encode(), "revoked.pem": revoking(authority, ())}
    for name, content in files.items():
        write_secret(folder / name, content)
    told = configuration(folder, port, certificates=certificates)
    write_secret(house.configuration, told.encode())  # last: now it is an event
    _lend_to_broker(folder)
    return house


def admit(house: House, station: str, *, again: bool = True) -> tuple[str, Signed | None]:
    """Lets a station in, with a new password and, where the event asks for them, a certificate. Shown once. Whoever
    came in under this name before is out, unless that is refused."""
    if not is_station(station):
        raise BadHouse(f"{station!r} is no name for a station: small letters, digits and hyphens, and not {HUB!r}")
    if not again and station in house.stations():
        raise BadHouse(f"{station!r} is in use; choose another name, or --again to shut out whoever has it")
    return _with_password(house, station)


def let_listen(house: House) -> tuple[str, Signed | None]:
    """Lets Home Assistant hear what stations announce, with a new password or certificate; shown once."""
    return _with_password(house, HOME_ASSISTANT)


def _with_password(house: House, name: str) -> tuple[str, Signed | None]:
    password = secrets.token_urlsafe(16)
    others = [
        line
        for line in house.passwords.read_text(encoding="utf-8").splitlines()
        if line.partition(":")[0] not in ("", name)
    ]
    lines = (*others, f"{name}:{hashed(password)}")
    write_secret(house.passwords, "".join(f"{line}\n" for line in lines).encode())
    write_secret(house.folder / "acl", acl(house.stations()).encode())
    signed = _certified(house, name) if house.with_certificates else None
    _lend_to_broker(house.folder)
    return password, signed


def _certified(house: House, station: str) -> Signed:
    """A new certificate; those that the station had before are good for nothing any more."""
    from firmware.event.certificates import Signed, revoking, serial_of, signed_by

    authority = Signed(house.authority.read_bytes(), (house.folder / "ca-key.pem").read_bytes())
    signed = signed_by(authority, station)
    given = house.given.read_text(encoding="utf-8").splitlines() if house.given.is_file() else []
    given.append(f"{station} {serial_of(signed)}")
    write_secret(house.given, "".join(f"{line}\n" for line in given).encode())
    last = dict(line.split() for line in given)
    void = [serial for name, serial in map(str.split, given) if last[name] != serial]
    if void:
        write_secret(house.revoked, revoking(authority, map(int, void)))
    return signed


def leave_at_door(house: House, mark: str, parcel: str) -> None:
    """A sealed invitation for the station that showed the code of this mark; the running hub lays it out."""
    write_secret(house.folder / "door" / mark, parcel.encode())


class Porter:
    """Lays out what lies at the door, and takes it away after a while."""

    def __init__(self, house: House, tell: Callable[[str, Mapping[str, str]], None], clock: Clock) -> None:
        self._folder = house.folder / "door"
        self._tell = tell
        self._clock = clock
        self._shown: set[str] = set()
        self._next_s = clock.monotonic_s()

    def tend(self) -> None:
        if self._clock.monotonic_s() < self._next_s:
            return
        self._next_s = self._clock.monotonic_s() + 1.0
        for path in self._folder.iterdir() if self._folder.is_dir() else ():
            if path.suffix:
                continue  # not whole yet
            if self._clock.now().timestamp() - path.stat().st_mtime > DOOR_OPEN_S:
                self._tell(door(path.name), {})
                path.unlink()
            elif path.name not in self._shown:
                self._tell(door(path.name), {"parcel": path.read_text(encoding="utf-8")})
                self._shown.add(path.name)


def write_secret(path: Path, content: bytes, mode: int = 0o600) -> None:
    """A file for its owner alone, unless said otherwise, replaced as a whole."""
    draft = path.with_name(path.name + ".new")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        os.fchmod(file.fileno(), mode)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _lend_to_broker(folder: Path) -> None:
    """Started by root, mosquitto becomes a user of its own, who has to own the files that it reads."""
    if os.getuid() != 0:
        return
    certificates = ("broker.pem", "broker-key.pem", "ca.pem", "revoked.pem")
    for name in ("mosquitto.conf", "passwords", "door-passwords", "acl", "broker", *certificates):
        try:
            if (folder / name).exists():
                shutil.chown(folder / name, "mosquitto", "mosquitto")
        except (LookupError, OSError):
            return  # no such user here: it will be started otherwise
    folder.chmod(0o751)
