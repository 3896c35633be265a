"""The broker beside the hub: mosquitto with the event's configuration, started, restarted and told to read again.

Only for a hub that has the broker on its own computer. Knows the program and its files; knows no message.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path

from firmware.event.house import House
from firmware.faults import PartFault
from firmware.ports import Clock

PAUSE_S = 2.0


class Mosquitto:
    """Keeps one mosquitto going while `tend` is called."""

    def __init__(self, house: House, clock: Clock) -> None:
        self._house = house
        self._clock = clock
        self._process: subprocess.Popen[bytes] | None = None
        self._passwords = _stamp(house.passwords)
        self._next_s = clock.monotonic_s()

    def tend(self) -> None:
        """Starts it when it is not there; has it read the passwords again when they changed."""
        now_s = self._clock.monotonic_s()
        if now_s < self._next_s:
            return
        self._next_s = now_s + PAUSE_S
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen([program(), "-c", str(self._house.configuration)])
        elif (stamp := _stamp(self._house.passwords)) != self._passwords:
            self._passwords = stamp
            self._process.send_signal(signal.SIGHUP)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=10)


def program() -> str:
    found = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        raise PartFault("broker", "mosquitto is not installed: sudo apt-get install mosquitto")
    return found


def is_taken(port: int) -> bool:
    """Whether something listens there already, a broker of the system for instance."""
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _stamp(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_ino
