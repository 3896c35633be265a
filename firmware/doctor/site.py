"""Where the doctor looks: a tree of files, the folders of the station, and the few things that are no files.

Tests build a small tree of their own; everything that is asked of the machine goes through here.
"""

from __future__ import annotations

import errno
import fcntl
import importlib.util
import os
import socket
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from firmware.faults import PartFault
from hardware_config.profile import Profile
from hardware_config.settings import MqttBroker

I2C_SLAVE = 0x0703  # the ioctl that chooses whom to talk to
ADDRESSES = range(0x08, 0x78)
COMMAND_S = 8.0
ANSWER_S = 3.0


class Probe(Protocol):
    """What cannot be read from a file."""

    def answering(self, device: Path) -> tuple[int, ...]:
        """The addresses that answer on an I2C bus; raises OSError when the bus cannot be used."""
        ...

    def output(self, command: Sequence[str]) -> str | None:
        """What a program prints; None when there is no such program."""
        ...

    def has_module(self, name: str) -> bool:
        """Whether Python finds a module, without importing it."""
        ...

    def is_free(self, host: str, port: int) -> bool:
        """Whether a page could be served there."""
        ...

    def answers(self, host: str, port: int) -> bool:
        """Whether somebody listens there."""
        ...

    def lets_in(self, broker: MqttBroker) -> bool:
        """Whether the event knows this station by what it shows."""
        ...


class Machine:
    """The computer that the program runs on."""

    def answering(self, device: Path) -> tuple[int, ...]:
        bus = os.open(device, os.O_RDWR | os.O_CLOEXEC)
        try:
            return tuple(address for address in ADDRESSES if _answers(bus, address))
        finally:
            os.close(bus)

    def output(self, command: Sequence[str]) -> str | None:
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_S, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout + done.stderr

    def has_module(self, name: str) -> bool:
        return importlib.util.find_spec(name) is not None

    def is_free(self, host: str, port: int) -> bool:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind((host, port))
            except OSError as error:
                return error.errno != errno.EADDRINUSE
        return True

    def answers(self, host: str, port: int) -> bool:
        try:
            socket.create_connection((host, port), ANSWER_S).close()
        except OSError:
            return False
        return True

    def lets_in(self, broker: MqttBroker) -> bool:
        from firmware.drivers import make_broker
        from firmware.event.topics import ack

        trial = make_broker(broker, broker.station, (ack(broker.station),))
        try:
            trial.open()
        except PartFault:
            return False
        finally:
            trial.close()
        return True


def _answers(bus: int, address: int) -> bool:
    """A byte is asked for, which no display and no expander minds; a chip that the kernel holds is there as well."""
    try:
        fcntl.ioctl(bus, I2C_SLAVE, address)
        os.read(bus, 1)
    except OSError as error:
        return error.errno == errno.EBUSY
    return True


@dataclass(frozen=True)
class Site:
    """One station to be looked at. `profile` is None when its files have `mistakes`."""

    profile: Profile | None
    data: Path
    decks: Path
    journal: Path
    calibration: Path
    mistakes: tuple[str, ...] = ()
    root: Path = Path("/")
    probe: Probe = field(default_factory=Machine)
    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    def at(self, path: str) -> Path:
        """A path of the machine, in the tree that is looked at."""
        return self.root / path.lstrip("/")

    def text(self, path: str) -> str:
        """What a file says; empty when there is none."""
        try:
            return self.at(path).read_text(errors="replace").rstrip("\0\n")
        except OSError:
            return ""
