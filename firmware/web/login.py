"""Who may act: those who know the PIN that the station's own display shows. Looking is free.

A session is a signed cookie that names who logged in; a new PIN ends all of them, and wrong ones cost time: see
`doorkeeper`. Knows no web framework.
"""

from __future__ import annotations

import hmac
import os
import secrets
import threading
from dataclasses import dataclass
from pathlib import Path

from firmware.ports import Clock
from firmware.web.doorkeeper import Cookies, Doorkeeper

DIGITS = 6
SESSION_S = 12 * 3600
SHOWN_S = 60.0
RESTS_S = 60.0  # between two times that somebody has the PIN shown: the display is the players'


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who is logged in. The token has to come with every act, so that no other page can act for them."""

    who: str
    token: str


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
        self._keeper = Doorkeeper(clock)
        self._shown_until_s = float("-inf")
        self.change_pin()

    @property
    def pin(self) -> str:
        return self._pin

    def change_pin(self) -> None:
        """A new PIN; everybody has to log in again."""
        self._pin = "".join(secrets.choice("0123456789") for _ in range(DIGITS))
        self._cookies = Cookies(self._key, "marchwarden session", SESSION_S, self._pin)

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
            if self._keeper.ask(address, lambda: hmac.compare_digest(pin.encode(), self._pin.encode()) or None) is None:
                return None
            self._shown_until_s = float("-inf")
        return self._cookies.make(who)

    def session(self, cookie: str | None) -> Session | None:
        """The session behind a cookie; None if it was not signed here, or too long ago."""
        found = self._cookies.read(cookie)
        return None if found is None else Session(*found)
