#!/usr/bin/env python3
"""Installs the station on Raspberry Pi OS 12 or 13, mends an installation, or takes it away again.

`sudo make install` and `sudo make uninstall` call it. It runs before there is any environment, so it needs the standard
library alone. What is to be done is a list of steps, made from what the machine is like; `--dry-run` prints the list,
`--root DIR` lays the files out under a folder and leaves the machine alone. Doing it again mends what is broken.
"""

from __future__ import annotations

import argparse
import csv
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]
HOME, VENV = "/opt/marchwarden", "/opt/marchwarden/venv"
UNIT, WRAPPER = "/etc/systemd/system/marchwarden.service", "/usr/local/bin/marchwarden"
HUB = "/etc/systemd/system/marchwarden-hub.service"
SETTINGS, GAMES = "/etc/marchwarden/hardware.toml", "/var/lib/marchwarden"
PROFILES, DEFAULT = SOURCE / "hardware_config" / "profiles", "pi-oled"
USER = "marchwarden"
GROUPS = ("video", "render", "i2c", "gpio", "spi")
PACKAGES = ("python3-venv", "i2c-tools")
PI_PACKAGES = ("python3-picamera2", "python3-lgpio")
SPI_PACKAGES = ("python3-spidev", "python3-rpi-lgpio")  # luma asks for them; pip would have to build them
CONFIGS = ("/boot/firmware/config.txt", "/boot/config.txt")
BUSES = {"i2c": "dtparam=i2c_arm=on", "spi": "dtparam=spi=on"}
CAMERA = "camera_auto_detect=1"
# systemd starts nothing that has failed too often, however well it has been mended meanwhile.
START = "systemctl reset-failed marchwarden.service 2>/dev/null; systemctl restart marchwarden.service"
NOT_COPIED = ("*.egg-info", "__pycache__", "build", "dist", "tests", "benchmarks", ".*")

WRAPPER_TEXT = f"""#!/bin/sh
# The service's own folders, so that a deck enrolled here is the deck that the station reads with.
export MARCHWARDEN_DATA="${{MARCHWARDEN_DATA:-{GAMES}}}"
export MARCHWARDEN_HARDWARE="${{MARCHWARDEN_HARDWARE:-{SETTINGS}}}"
export MARCHWARDEN_FRAMES="${{MARCHWARDEN_FRAMES:-/run/marchwarden/frames}}"
export LG_WD="${{LG_WD:-${{XDG_RUNTIME_DIR:-/tmp}}}}"
umask 007
exec {VENV}/bin/marchwarden "$@"
"""


@dataclass(frozen=True)
class Machine:
    """What an installation depends on. `config` is the boot configuration, None where there is none; `profile` is the
    one that the owner's settings name already. An environment `is_damaged` when files of it are gone."""

    is_pi: bool
    debian: int
    config: str | None
    config_text: str
    has_raspi_config: bool
    has_user: bool
    invoker: str | None
    profile: str | None
    is_damaged: bool = False


@dataclass(frozen=True)
class Step:
    """One thing to be done and why: a command, or a file to be written or removed. `optional` may fail."""

    why: str
    command: tuple[str, ...] = ()
    write: str = ""
    content: str = ""
    mode: int = 0o644
    copy_to: str = ""
    remove: str = ""
    append: bool = False
    optional: bool = False

    def __str__(self) -> str:
        if self.command:
            return f"{self.why}: {' '.join(self.command)}"
        verb = "append to" if self.append else "write" if self.write else "copy to" if self.copy_to else "remove"
        return f"{self.why}: {verb} {self.write or self.copy_to or self.remove}"


def installing(machine: Machine, profile: str, consents: Callable[[str], bool]) -> Iterator[Step]:
    """Everything that makes this machine a station, in order. `consents` is asked before the boot set-up changes."""
    buses = buses_of(machine.profile or profile)
    pi_packages = (*PI_PACKAGES, *(SPI_PACKAGES if "spi" in buses else ())) if machine.is_pi else ()
    packages = (*PACKAGES, *pi_packages)
    yield Step("look for packages", ("apt-get", "update", "--quiet"), optional=True)
    yield Step("system packages", ("apt-get", "install", "--yes", "--quiet", "--no-install-recommends", *packages))
    yield from _devices(machine, buses, consents)
    yield from _people(machine)
    yield Step("the program's source", copy_to=f"{HOME}/source")
    # pip goes by what it has noted, and would leave the gaps as they are.
    anew = ("--clear",) if machine.is_damaged else ()
    yield Step("environment", ("python3", "-m", "venv", *anew, "--system-site-packages", VENV))
    # Debian 12's picamera2 is built against numpy 1; a numpy 2 in the environment would break it.
    numpy = ("numpy>=1.26,<2",) if machine.debian == 12 and machine.is_pi else ()
    pip = (f"{VENV}/bin/pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade")
    yield Step("the program", (*pip, f"{HOME}/source[strip,lcd,event]", *numpy))
    yield Step("the command", write=WRAPPER, content=WRAPPER_TEXT, mode=0o755)
    if machine.profile is None:
        yield Step("your settings", write=SETTINGS, content=f'profile = "{profile}"\n')
    folder = str(Path(SETTINGS).parent)
    yield Step("settings for the group", ("install", "-d", "-o", "root", "-g", USER, "-m", "2775", folder))
    yield Step("games", ("install", "-d", "-o", USER, "-g", USER, "-m", "2770", GAMES))
    yield Step("the service", write=UNIT, content=(SOURCE / "systemd" / "marchwarden.service").read_text())
    hub = (SOURCE / "systemd" / "marchwarden-hub.service").read_text()
    yield Step("the hub of an event, off until you want it", write=HUB, content=hub)
    yield Step("tell systemd", ("systemctl", "daemon-reload"), optional=True)  # none runs while an image is made
    yield Step("start at boot", ("systemctl", "enable", "marchwarden.service"))
    yield Step("start now", ("sh", "-c", START), optional=True)
    yield Step("a look at everything", (WRAPPER, "doctor"), optional=True)


def uninstalling(machine: Machine) -> Iterator[Step]:
    """The program goes; games, decks and settings stay."""
    units = ("marchwarden.service", "marchwarden-hub.service")
    yield Step("stop", ("systemctl", "stop", *units), optional=True)
    yield Step("no more at boot", ("systemctl", "disable", *units), optional=True)
    yield Step("the service", remove=UNIT)
    yield Step("the hub of an event", remove=HUB)
    yield Step("tell systemd", ("systemctl", "daemon-reload"), optional=True)
    yield Step("the command", remove=WRAPPER)
    yield Step("the program", remove=HOME)


def buses_of(profile: str) -> tuple[str, ...]:
    """The buses that a shipped profile uses; all of them for a profile of one's own. A bus that nobody uses stays
    off: SPI would take the pins on which pi-oled has lamps."""
    path = PROFILES / f"{profile}.toml"
    if not path.is_file():
        return tuple(BUSES)
    document = tomllib.loads(path.read_text())
    interfaces = {one.get("options", {}).get("interface", "i2c") for one in document.get("display", ())}
    lamps = document.get("lamps", {}).get("driver")
    used = interfaces | ({"spi"} if lamps == "apa102" else {"i2c"} if lamps == "mcp23017" else set())
    return tuple(bus for bus in BUSES if bus in used and document.get("board") == "pi")


def _devices(machine: Machine, buses: tuple[str, ...], consents: Callable[[str], bool]) -> Iterator[Step]:
    """I2C, SPI and the camera, each only where it is needed and off, and with consent."""
    if machine.config is None:
        return
    lines = {line.strip() for line in machine.config_text.splitlines()}
    for bus, line in BUSES.items():
        if (
            bus not in buses
            or line in lines
            or not consents(f"Switch on {bus.upper()} (needed by displays and lamp strips)?")
        ):
            continue
        if machine.has_raspi_config:
            yield Step(f"switch on {bus.upper()}", ("raspi-config", "nonint", f"do_{bus}", "0"))
        else:
            yield Step(f"switch on {bus.upper()}", write=machine.config, content=line + "\n", append=True)
    if CAMERA not in lines and consents("Let the Pi find its camera module by itself at boot?"):
        yield Step("switch on the camera", write=machine.config, content=CAMERA + "\n", append=True)


def _chosen(settings: str) -> str | None:
    """The profile that somebody's settings begin from; None when there are none yet."""
    if not settings:
        return None
    try:
        return str(tomllib.loads(settings).get("profile", "simulated"))
    except tomllib.TOMLDecodeError:
        return "simulated"  # the doctor will name the mistake; nothing of the owner's is overwritten


def _people(machine: Machine) -> Iterator[Step]:
    for group in GROUPS:
        yield Step(f"group {group}", ("groupadd", "--system", "--force", group))
    if not machine.has_user:
        account = ("--system", "--user-group", "--home-dir", GAMES, "--no-create-home", "--shell", "/usr/sbin/nologin")
        yield Step("the service's own account", ("useradd", *account, USER))
    yield Step("its devices", ("usermod", "--append", "--groups", ",".join(GROUPS), USER))
    if machine.invoker is not None:
        groups = ",".join((USER, *GROUPS))
        yield Step("your account", ("usermod", "--append", "--groups", groups, machine.invoker))


def look_at(root: Path) -> Machine:
    """What this machine (or the one laid out under a folder) is like."""

    def text(path: str) -> str:
        try:
            return (root / path.lstrip("/")).read_text(errors="replace")
        except OSError:
            return ""

    config = next((path for path in CONFIGS if (root / path.lstrip("/")).is_file()), None)
    release = dict(line.split("=", 1) for line in text("/etc/os-release").splitlines() if "=" in line)
    number = release.get("VERSION_ID", "").strip('"').split(".")[0]
    invoker = os.environ.get("SUDO_USER")
    return Machine(
        is_pi="Raspberry Pi" in text("/proc/device-tree/model"),
        debian=int(number) if number.isdigit() and release.get("ID", "").strip('"') in ("debian", "raspbian") else 0,
        config=config,
        config_text=text(config) if config else "",
        has_raspi_config=(root / "usr/bin/raspi-config").exists(),
        has_user=any(line.startswith(f"{USER}:") for line in text("/etc/passwd").splitlines()),
        invoker=invoker if invoker and invoker != "root" else None,
        profile=_chosen(text(SETTINGS)),
        is_damaged=_is_damaged(root / VENV.lstrip("/")),
    )


def _is_damaged(venv: Path) -> bool:
    """Whether something that pip has put there is gone or shorter than it was, as a power cut or a full card leaves
    it."""
    for package in venv.glob("lib/python3*/site-packages/*.dist-info"):
        try:
            with (package / "RECORD").open(newline="", encoding="utf-8") as record:
                for name, _, size in csv.reader(record):
                    if size and (package.parent / name).stat().st_size != int(size):
                        return True
        except (OSError, ValueError):
            return True
    return False


def perform(steps: Sequence[Step], root: Path, run: Callable[[tuple[str, ...]], int] | None) -> list[str]:
    """Does the steps one by one; returns what failed. Commands are left out where there is nobody to `run` them."""
    failed = []
    for step in steps:
        print(f"  {step}", flush=True)
        if step.command:
            if run is not None and run(step.command) != 0:
                failed.append(str(step))
                if not step.optional:
                    break
            continue
        target = root / (step.write or step.copy_to or step.remove).lstrip("/")
        if step.remove:
            shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if step.copy_to:
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(SOURCE, target, ignore=shutil.ignore_patterns(*NOT_COPIED))
            continue
        with target.open("a" if step.append else "w", encoding="utf-8") as file:
            file.write(step.content)
        if not step.append:
            target.chmod(step.mode)
    return failed


def _refusal(profile: str | None, machine: Machine) -> str | None:
    """Why this profile cannot be begun with, if it was asked for and cannot."""
    shipped = sorted(path.stem for path in PROFILES.glob("*.toml"))
    if profile is not None and profile not in shipped:
        return f"there is no profile {profile!r}; there are {', '.join(shipped)}. Settings of your own go to {SETTINGS}"
    if profile is not None and machine.profile not in (None, profile):
        return f"{SETTINGS} begins from {machine.profile!r} and is never changed; name {profile!r} there, then install"
    return None


def _consents(answer_yes: bool, ask: bool) -> Callable[[str], bool]:
    def consents(question: str) -> bool:
        if answer_yes:
            return True
        if not ask:
            print(f"  left as it is (say --yes or YES=1 to agree): {question}")
            return False
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes", "o", "oui", "s", "si", "sí")

    return consents


def _run(command: tuple[str, ...]) -> int:
    try:
        return subprocess.run(command, check=False).returncode
    except FileNotFoundError:
        print(f"    there is no {command[0]} here", file=sys.stderr)
        return 127


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Installs Marchwarden as a service; doing it again mends it.")
    parser.add_argument("what", choices=("install", "uninstall"))
    parser.add_argument("--root", default="/", help="lay files out under this folder and leave the machine alone")
    parser.add_argument("--dry-run", action="store_true", help="print every step and do none")
    parser.add_argument("--yes", action="store_true", help="agree to switch on I2C, SPI and the camera")
    parser.add_argument("--profile", help=f"the hardware profile to begin with [default: {DEFAULT}]")
    options = parser.parse_args(arguments)
    root = Path(options.root)
    is_here = root.resolve() == Path("/")
    if is_here and not options.dry_run and os.geteuid() != 0:
        print("install: this changes the system; say `sudo make install`", file=sys.stderr)
        return 2
    machine = look_at(root)
    refused = _refusal(options.profile, machine)
    if options.what == "install" and refused:
        print(f"install: {refused}", file=sys.stderr)
        return 2
    if options.what == "install" and is_here and machine.debian not in (12, 13):
        print("install: this is not Raspberry Pi OS or Debian 12 or 13; going on, but nobody has tried it", flush=True)
    consents = _consents(options.yes, sys.stdin.isatty() and is_here and not options.dry_run)
    removing = options.what == "uninstall"
    steps = list(uninstalling(machine) if removing else installing(machine, options.profile or DEFAULT, consents))
    if options.dry_run:
        print("\n".join(f"  {step}" for step in steps))
        return 0
    failed = perform(steps, root, _run if is_here else None)
    needed = [str(step) for step in steps if str(step) in failed and not step.optional]
    for step in failed:
        what = "this did not work" if step in needed else "this is not all in order, see above"
        print(f"install: {what}: {step}", file=sys.stderr)
    if not needed:
        print(_farewell(removing))
    return 1 if needed else 0


def _farewell(removing: bool) -> str:
    if removing:
        return f"Marchwarden is gone. Games and decks are kept in {GAMES}, your settings in {Path(SETTINGS).parent}."
    return (
        f"Marchwarden is installed. Your settings: {SETTINGS}. `marchwarden doctor` looks at everything; log in anew "
        "for your groups to count, and restart the Pi if a bus was switched on."
    )


if __name__ == "__main__":
    sys.exit(main())
