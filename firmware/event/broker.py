"""The broker beside the hub: mosquitto with the event's configuration, started, restarted and told to read again.

Only for a hub that has the broker on its own computer. mosquitto says whom it denies to write only when it says
everything: its log is read here in whole blocks, and what a judge of the network wants to know is picked out. Whoever
is denied is named by the password or certificate that let him in; connections may call themselves anything. Knows no
message.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import threading
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from firmware.event.house import House
from firmware.faults import PartFault
from firmware.ports import Clock

PAUSE_S = 2.0
BLOCK = 1 << 16  # bytes of its log
MOST_USERS = 10_000  # connections whose names are kept: far more than an event has
_CAME = re.compile(rb"New client connected from \S+ as (.+) \(p\d, c\d, k\d+, u'([^']*)'\)")
_DENIED = re.compile(rb"Denied (\w+) from (.+?) \(d\d, .*?'([^']*)'")
_OF_CLIENTS = (b"lient ", b"OpenSSL", b"Bad socket", b"Socket error", b"epoll")
_LOUD = (b"rror", b"arning", b"not authorised", b"Bad socket")


class Mosquitto:
    """Keeps one mosquitto going while `tend` is called. `denied` hears whom it denied what and how often, or under no
    name what came of those it does not know; `log` the rest."""

    def __init__(
        self,
        house: House,
        clock: Clock,
        denied: Callable[[str, str, int], None] = lambda who, why, times: None,
        log: Callable[[str], None] = lambda line: None,
    ) -> None:
        self._house = house
        self._clock = clock
        self._denied = denied
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self._users: dict[bytes, str] = {}  # who came in, by what their connections call themselves
        self._stamp, self._passwords = (0, 0), frozenset[str]()  # as the broker read them last
        self._next_s = clock.monotonic_s()

    def tend(self) -> None:
        """Starts it when it is not there; has it read again who may come in when that changed. When a name was given
        away again it is started anew: whoever came in under it before would stay."""
        now_s = self._clock.monotonic_s()
        if now_s < self._next_s:
            return
        self._next_s = now_s + PAUSE_S
        if self._process is None or self._process.poll() is not None:
            _check_reach(self._house.configuration)
            self._stamp, self._passwords = _stamp(self._house.passwords), _lines(self._house.passwords)
            command = [program(), "-v", "-c", str(self._house.configuration)]
            self._process = subprocess.Popen(
                command,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                process_group=0,  # Ctrl-C is for the hub, which says goodbye to it
            )
            threading.Thread(target=self._read, args=(self._process,), daemon=True).start()
        elif (stamp := _stamp(self._house.passwords)) != self._stamp:
            before, self._stamp, self._passwords = self._passwords, stamp, _lines(self._house.passwords)
            self._process.send_signal(signal.SIGHUP if before <= self._passwords else signal.SIGTERM)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=10)

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        if process.stderr is None:
            return
        rest = b""
        with process.stderr as pipe:
            while block := os.read(pipe.fileno(), BLOCK):
                said, _, rest = (rest + block).rpartition(b"\n")
                self._hear(said)

    def _hear(self, said: bytes) -> None:
        """Some lines of the log. Most blocks have none that matters, and a flood of denials is told as one."""
        for client, user in _CAME.findall(said) if b"New client" in said else ():
            self._users[client] = user.decode("utf-8", "replace")
            if len(self._users) > MOST_USERS:
                del self._users[next(iter(self._users))]
        denials: defaultdict[str, list[str]] = defaultdict(list)
        found = _DENIED.findall(said) if b"Denied" in said else []
        users = {client: self._user(client) for client in {client for _, client, _ in found}}
        for what, client, where in found:
            denials[users[client]].append(f"the broker denied {what.decode()} {where.decode('utf-8', 'replace')}")
        if any(word in said for word in _LOUD):
            for line in said.split(b"\n"):
                if any(word in line for word in _LOUD) and b"Denied" not in line:
                    words = line.partition(b": ")[2].decode("utf-8", "replace").strip()
                    if any(word in line for word in _OF_CLIENTS):
                        denials[""].append(words)
                    else:
                        self._log(f"mosquitto: {words}")
        for who, whys in denials.items():
            self._denied(who, whys[0], len(whys))

    def _user(self, client: bytes) -> str:
        """Who came in on a connection; one called like what mosquitto writes after names is known by its beginning."""
        if client in self._users:
            return self._users[client]
        return next((user for name, user in self._users.items() if name.startswith(client + b" (")), "")


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


def _check_reach(configuration: Path) -> None:
    """Started by root, mosquitto becomes a user of its own, unless its configuration names one: raises PartFault where
    that one does not get as far as its files."""
    if os.getuid() != 0 or any(line.startswith("user ") for line in _lines(configuration)):
        return
    for folder in configuration.resolve().parents:
        if not folder.stat().st_mode & stat.S_IXOTH:
            words = f"{folder} is closed to mosquitto, which gives up the rights of root"
            raise PartFault("broker", f"{words}: keep the event in another folder (--folder), or run it as yourself")


def _stamp(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_ino


def _lines(path: Path) -> frozenset[str]:
    return frozenset(path.read_text(encoding="utf-8").splitlines())
