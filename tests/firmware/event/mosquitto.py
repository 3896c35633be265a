"""A real broker for tests: Debian's mosquitto on a free port of this machine, started, killed and started again."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

import pytest

PROGRAM = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
DEFAULTS = "allow_anonymous true\nmax_inflight_messages 0\nmax_queued_messages 0\npersistence false\n"


def needed() -> str:
    """The program; without it the test is skipped, or fails where everything is required."""
    if PROGRAM is not None:
        return PROGRAM
    words = "mosquitto not found: apt-get install mosquitto"
    if os.environ.get("MARCHWARDEN_REQUIRE_ALL") == "1":
        pytest.fail(words)
    pytest.skip(words)


WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
PORTS = cycle(
    range(21000 + 400 * WORKER, 21400 + 400 * WORKER)
)  # below those that the system gives to anybody who asks


def free_port() -> int:
    """A port that no other worker and no outgoing connection takes before the broker does."""
    return next(port for port in PORTS if not _is_taken(port))


def _is_taken(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Mosquitto:
    """One broker. `configuration` is all but the listener; or a whole file that has one already."""

    def __init__(self, folder: Path, configuration: str = DEFAULTS, *, port: int | None = None) -> None:
        self._program = needed()
        self.port = port or free_port()
        self.log = folder / "mosquitto.log"
        self._file = folder / "test-mosquitto.conf"
        listener = "" if port else f"listener {self.port} 127.0.0.1\n"
        user = f"user {getpass.getuser()}\n"
        tells_when_it_runs = "\nlog_type information\n" if port else ""
        self._file.write_text(user + listener + configuration + tells_when_it_runs)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen([self._program, "-c", str(self._file)], stdout=log, stderr=log)
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self._process.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError(f"mosquitto did not start: {self.log.read_text()}")

    def kill(self) -> None:
        """As when the power is cut."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """As when the cable is out: it takes what it is sent, and says nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        yield
        self._process.send_signal(signal.SIGCONT)
