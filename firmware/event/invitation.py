"""An invitation: all that a station needs to join an event, as one line of text that fits a QR code.

It holds a secret. It is shown once, and travels by paper, screen or camera, never by topic, address or log.
"""

from __future__ import annotations

import base64
import json
import stat
import zlib
from dataclasses import dataclass
from pathlib import Path

from firmware.event.house import House, admit, write_secret
from firmware.event.topics import is_station

PREFIX = "MARCHWARDEN1:"
LONGEST = 8192
FILES = {  # what a station is given, by the setting that names it
    "ca_file": "ca.pem",
    "password_file": "password",
    "certificate_file": "station.pem",
    "key_file": "station-key.pem",
}


class BadInvitation(ValueError):
    """A text that is no invitation; says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """Where the hub is, what the station is called there, its password, and who signed the broker's certificate."""

    host: str
    port: int
    station: str
    password: str
    authority_pem: str
    certificate_pem: str = ""
    key_pem: str = ""

    def __str__(self) -> str:
        fields = [self.host, self.port, self.station, self.password, *map(_packed, self._pems())]
        return PREFIX + base64.b32encode(zlib.compress(json.dumps(fields).encode(), 9)).decode().rstrip("=")

    def __repr__(self) -> str:
        return f"Invitation({self.station} at {self.host}:{self.port})"  # never the secret

    def _pems(self) -> tuple[str, str, str]:
        return self.authority_pem, self.certificate_pem, self.key_pem


def invited(house: House, station: str, host: str | None = None, *, again: bool = False) -> Invitation:
    """Lets a station in; raises BadHouse. What the invitation holds is kept nowhere."""
    password, signed = admit(house, station, again=again)
    return Invitation(
        host or house.hosts[0],
        house.port,
        station,
        password,
        house.authority.read_text(encoding="utf-8"),
        signed.certificate_pem.decode() if signed else "",
        signed.key_pem.decode() if signed else "",
    )


def parse(text: str) -> Invitation:
    """The invitation of a text; raises BadInvitation."""
    text = "".join(text.split())
    if not text.startswith(PREFIX) or len(text) > LONGEST:
        raise BadInvitation(f"this is no invitation to an event: it begins with {PREFIX}")
    code = text.removeprefix(PREFIX)
    try:
        inflated = zlib.decompressobj().decompress(base64.b32decode(code + "=" * (-len(code) % 8)), 4 * LONGEST)
        host, port, station, password, *pems = json.loads(inflated)
        authority, certificate, key = map(_unpacked, pems, ("CERTIFICATE", "CERTIFICATE", "PRIVATE KEY"))
    except (ValueError, TypeError, zlib.error):
        raise BadInvitation("the invitation is not whole; scan it again") from None
    if not (isinstance(host, str) and isinstance(password, str) and isinstance(port, int) and is_station(str(station))):
        raise BadInvitation("the invitation is not whole; scan it again")
    return Invitation(host, port, str(station), password, authority, certificate, key)


def accept(invitation: Invitation, overrides: Path) -> list[str]:
    """Writes what the station needs beside its own settings, and names the broker in them; returns the files."""
    folder = overrides.parent / "event"
    folder.mkdir(parents=True, exist_ok=True, mode=0o750)
    contents = {
        "ca_file": invitation.authority_pem,
        "password_file": invitation.password,
        "certificate_file": invitation.certificate_pem,
        "key_file": invitation.key_pem,
    }
    written = {key: folder / FILES[key] for key, content in contents.items() if content}
    # An installed station's folder is its group's: whoever joins writes what the service has to read.
    mode = 0o640 if folder.stat().st_mode & stat.S_ISGID else 0o600
    for key, path in written.items():
        write_secret(path, contents[key].encode(), mode)
    settings = {"host": invitation.host, "port": invitation.port, "station": invitation.station}
    lines = [
        f"{key} = {json.dumps(value)}" for key, value in (settings | {k: str(p) for k, p in written.items()}).items()
    ]
    kept = _without_broker(overrides.read_text(encoding="utf-8")) if overrides.is_file() else ""
    text = f"{kept}\n[broker]\n" if kept else "[broker]\n"
    mode = overrides.stat().st_mode & 0o777 if overrides.is_file() else 0o664
    write_secret(overrides, (text + "".join(f"{line}\n" for line in lines)).encode())
    overrides.chmod(mode)
    return [str(overrides), *map(str, written.values())]


def leave(overrides: Path) -> bool:
    """Takes the broker out of the station's settings again, and what let it in; False when there was none."""
    text = overrides.read_text(encoding="utf-8") if overrides.is_file() else ""
    kept = _without_broker(text)
    if kept == text:
        return False
    overrides.write_text(kept, encoding="utf-8")
    for name in FILES.values():
        (overrides.parent / "event" / name).unlink(missing_ok=True)
    return True


def _without_broker(text: str) -> str:
    """The settings without the section of the broker, everything else to the letter."""
    kept, inside = [], False
    for line in text.splitlines(keepends=True):
        if line.lstrip().startswith("["):
            inside = line.strip() == "[broker]"
        if not inside:
            kept.append(line)
    return "".join(kept)


def _packed(pem: str) -> str:
    """Only what is between the lines that say BEGIN and END."""
    return "".join(line for line in pem.splitlines() if not line.startswith("---")) if pem else ""


def _unpacked(packed: object, kind: str) -> str:
    if not isinstance(packed, str):
        raise TypeError("expected text")
    if not packed:
        return ""
    lines = [packed[at : at + 64] for at in range(0, len(packed), 64)]
    return "\n".join((f"-----BEGIN {kind}-----", *lines, f"-----END {kind}-----", ""))
