"""Who may act: those who know the PIN that the station's own display shows. Looking is free.

A session is a signed cookie that names who logged in; a new PIN ends all of them. Wrong PINs cost time that grows:
three in a minute, five in ten minutes, ten in an hour, and never a ban for good. Knows no web framework.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import threading
from collections import defaultdict, deque
from dataclasses import dataclass
from pathlib import Path

from itsdangerous import BadSignature, URLSafeTimedSerializer

from firmware.ports import Clock

DIGITS = 6
SESSION_S = 12 * 3600
SHOWN_S = 60.0
RESTS_S = 60.0  # between two times that somebody has the PIN shown: the display is the players'
LIMITS = ((3, 60.0), (5, 600.0), (10, 3600.0))  # so many failures in so many seconds
TOGETHER = 10  # times as many for all visitors together, so that many addresses are no way round
REMEMBERED = 1000  # addresses


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who is logged in. The token has to come with every act, so that no other page can act for them."""

    who: str
    token: str


class Locked(Exception):
    """Too many wrong PINs; `wait_s` says how long no further one is looked at."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"too many wrong PINs: try again in {wait_s:.0f} seconds")
        self.wait_s = wait_s


class Failures:
    """When somebody was wrong."""

    def __init__(self, times: int = 1) -> None:
        self._limits = tuple((count * times, within_s) for count, within_s in LIMITS)
        self._at_s: deque[float] = deque(maxlen=self._limits[-1][0])

    def wait_s(self, now_s: float) -> float:
        """How long to wait until the next attempt, by whichever limit asks for the longest."""
        waits = [0.0]
        for count, within_s in self._limits:
            if len(self._at_s) >= count:
                waits.append(self._at_s[-count] + within_s - now_s)
        return max(waits)

    def add(self, now_s: float) -> None:
        self._at_s.append(now_s)


class PinFile:
    """The PIN in a file that only its owner can read: for a station with neither a display nor a terminal."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._kept = ""

    def keep(self, pin: str) -> None:
        """Writes it, when it is not what the file says already."""
        if pin == self._kept:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.unlink(missing_ok=True)  # the rights of an older file would stay
        with os.fdopen(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(f"{pin}\n")
        self._kept = pin

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)


class Login:
    """The PIN and the sessions of one station. May be called from any thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._key = secrets.token_bytes(32)
        self._everybody = Failures(TOGETHER)
        self._failures: defaultdict[str, Failures] = defaultdict(Failures)
        self._shown_until_s = float("-inf")
        self.change_pin()

    @property
    def pin(self) -> str:
        return self._pin

    def change_pin(self) -> None:
        """A new PIN; everybody has to log in again."""
        self._pin = "".join(secrets.choice("0123456789") for _ in range(DIGITS))
        self._serializer = URLSafeTimedSerializer(self._key + self._pin.encode(), salt="marchwarden session")

    def show_pin(self) -> None:
        """Has the display show the PIN for a minute, and then not again for another; `shown_pin` is what it shows."""
        now_s = self._clock.monotonic_s()
        if now_s >= self._shown_until_s + RESTS_S:
            self._shown_until_s = now_s + SHOWN_S

    @property
    def shown_pin(self) -> str | None:
        return self._pin if self._clock.monotonic_s() < self._shown_until_s else None

    def enter(self, pin: str, who: str, address: str) -> str | None:
        """The cookie for the right PIN, None for a wrong one; raises Locked when there were too many of those."""
        with self._lock:
            now_s = self._clock.monotonic_s()
            mine = self._failures[address]
            wait_s = max(mine.wait_s(now_s), self._everybody.wait_s(now_s))
            if wait_s > 0:
                raise Locked(wait_s)
            if not hmac.compare_digest(pin.encode(), self._pin.encode()):
                mine.add(now_s)
                self._everybody.add(now_s)
                while len(self._failures) > REMEMBERED:
                    self._failures.pop(next(iter(self._failures)))
                return None
            self._failures.pop(address, None)
            self._shown_until_s = float("-inf")
        return str(self._serializer.dumps([who, secrets.token_urlsafe(12)]))

    def session(self, cookie: str | None) -> Session | None:
        """The session behind a cookie; None if it was not signed here, or too long ago."""
        if not cookie:
            return None
        try:
            who, name = self._serializer.loads(cookie, max_age=SESSION_S)
        except (BadSignature, ValueError, TypeError):
            return None
        token = hmac.new(self._key, f"act {name}".encode(), hashlib.sha256).hexdigest()
        return Session(str(who), token)
