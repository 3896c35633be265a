"""Clocks: the computer's own, and one that a simulation moves by hand."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta


class SystemClock:
    """The time of the computer."""

    def monotonic_s(self) -> float:
        return time.monotonic()

    def now(self) -> datetime:
        return datetime.now(UTC)

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class SimulatedClock:
    """Time that passes only when it is told to, so that eight hours take as long as the work in them."""

    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self._start = start
        self._passed_s = 0.0

    def monotonic_s(self) -> float:
        return self._passed_s

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._passed_s)

    def sleep(self, seconds: float) -> None:
        self._passed_s += seconds
