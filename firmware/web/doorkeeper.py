"""What every page of ours does at its door: it lets nobody guess, and knows again whom it let in.

Wrong words cost time that grows: three in a minute, five in ten minutes, ten in an hour, and never a ban for good. A
session is a signed cookie; its token has to come with every act, so that no other page can act for anybody. Knows no
web framework, and not what the right words are.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import defaultdict, deque
from collections.abc import Callable
from typing import TypeVar

from itsdangerous import BadSignature, URLSafeTimedSerializer

from firmware.ports import Clock

LIMITS = ((3, 60.0), (5, 600.0), (10, 3600.0))  # so many failures in so many seconds
TOGETHER = 10  # times as many for all visitors together, so that many addresses are no way round
REMEMBERED = 1000  # addresses

T = TypeVar("T")


class Locked(Exception):
    """Too many wrong words; `wait_s` says how long no further ones are looked at."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"too many wrong attempts: try again in {wait_s:.0f} seconds")
        self.wait_s = wait_s


class _Failures:
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


class Doorkeeper:
    """Counts who was wrong, by address and together. In one thread at a time."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._everybody = _Failures(TOGETHER)
        self._failures: defaultdict[str, _Failures] = defaultdict(_Failures)

    def ask(self, address: str, find: Callable[[], T | None]) -> T | None:
        """What `find` finds for the words that somebody said, None if they were wrong; raises Locked unasked."""
        now_s = self._clock.monotonic_s()
        mine = self._failures[address]
        wait_s = max(mine.wait_s(now_s), self._everybody.wait_s(now_s))
        if wait_s > 0:
            raise Locked(wait_s)
        found = find()
        if found is not None:
            self._failures.pop(address, None)
            return found
        mine.add(now_s)
        self._everybody.add(now_s)
        while len(self._failures) > REMEMBERED:
            self._failures.pop(next(iter(self._failures)))
        return None


class Cookies:
    """Signed cookies, each about somebody; whoever has another key, or the same and another `word`, reads none."""

    def __init__(self, key: bytes, salt: str, lasts_s: int, word: str = "") -> None:
        self._key = key
        self._lasts_s = lasts_s
        self._serializer = URLSafeTimedSerializer(key + word.encode(), salt=salt)

    def make(self, about: str) -> str:
        return str(self._serializer.dumps([about, secrets.token_urlsafe(12)]))

    def read(self, cookie: str | None) -> tuple[str, str] | None:
        """Whom a cookie is about, and the token of its session; None if it was not signed here, or too long ago."""
        if not cookie:
            return None
        try:
            about, name = self._serializer.loads(cookie, max_age=self._lasts_s)
        except (BadSignature, ValueError, TypeError):
            return None
        return str(about), hmac.new(self._key, f"act {name}".encode(), hashlib.sha256).hexdigest()
