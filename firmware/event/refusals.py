"""What the hub did not take: counted by station, logged without letting anybody fill the log. Also who sends too much.

A flood costs its sender alone: beyond the budget its messages are dropped unread. What was dropped of an honest station
is sent again, because it was not acknowledged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from firmware.ports import Clock

LOG_EVERY_S = 10.0
STRANGER = "stranger"  # who writes under a name that no station can have


class Refusals:
    """One log line a station and a while, with how many more there were."""

    def __init__(self, clock: Clock, log: Callable[[str], None]) -> None:
        self._clock = clock
        self._log = log
        self._logged_s: dict[str, float] = {}
        self._unlogged: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()

    def note(self, station: str, why: str, times: int = 1) -> None:
        self.counts[station] += times
        now_s = self._clock.monotonic_s()
        if now_s - self._logged_s.get(station, -LOG_EVERY_S) < LOG_EVERY_S:
            self._unlogged[station] += times
            return
        more = self._unlogged.pop(station, 0) + times - 1
        self._logged_s[station] = now_s
        self._log(f"refused from {station}: {why}" + (f" (and {more} more since)" if more else ""))


class Budget:
    """So much a second from each station, and `at_once` of it in hand for one that was away."""

    def __init__(self, clock: Clock, a_second: float, at_once: float) -> None:
        self._clock = clock
        self._a_second = a_second
        self._at_once = at_once
        self._left: dict[str, tuple[float, float]] = {}

    def allows(self, station: str, cost: float = 1.0) -> bool:
        """Whether the station has so much left; if so, it is spent."""
        now_s = self._clock.monotonic_s()
        left, at_s = self._left.get(station, (self._at_once, now_s))
        left = min(self._at_once, left + (now_s - at_s) * self._a_second)
        self._left[station] = (left - cost if left >= cost else left, now_s)
        return left >= cost
