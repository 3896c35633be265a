"""Keeps outputs going: each in a thread of its own, so that one that is gone or hangs never stops the others.

A part is opened, used, and when it fails closed and tried again after growing pauses, for as long as the station runs.
It always gets the newest signals whole, so that one that was unplugged is right again at once. Knows no device.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol, TypeVar

from firmware.faults import PartFault
from firmware.ports import Clock, Display, Lamps
from firmware.screen import draw
from firmware.signals import Signals, lights, pattern

PAUSES_S = (1.0, 2.0, 5.0)  # the last one again and again
SLOW_S = 5.0  # a call that takes longer than this hangs
AGAIN_S = 5.0  # a display that nobody has written to for so long is shown the same again: a loose wire tells of itself
T = TypeVar("T")


class Output(Protocol):
    """An output as its keeper sees it. `show` returns after how many seconds it wants to be called again, if at all."""

    def open(self) -> None: ...

    def show(self, signals: Signals) -> float | None: ...

    def close(self) -> None: ...


class ScreenOutput:
    """A display that shows the screen, laid out for the size it has."""

    def __init__(self, display: Display) -> None:
        self._display = display

    def open(self) -> None:
        self._canvas = self._display.open()

    def show(self, signals: Signals) -> float | None:
        self._display.show(draw(signals.screen, self._canvas))
        return AGAIN_S

    def close(self) -> None:
        self._display.close()


class LampOutput:
    """Lamps that beat as their patterns say."""

    def __init__(self, lamps: Lamps, clock: Clock) -> None:
        self._lamps = lamps
        self._clock = clock

    def open(self) -> None:
        self._count = self._lamps.open()

    def show(self, signals: Signals) -> float | None:
        now_s = self._clock.monotonic_s()
        self._lamps.show(lights(signals.lamps, self._count, now_s))
        beats = [pattern(lamp).next_change_s(now_s) for lamp in signals.lamps[: self._count]]
        return max(0.01, min(beats)) if beats else None

    def close(self) -> None:
        self._lamps.close()


class Keeper:
    """Keeps one output going in its own thread."""

    def __init__(self, name: str, output: Output, clock: Clock, pauses_s: tuple[float, ...] = PAUSES_S) -> None:
        self.name = name
        self._output = output
        self._clock = clock
        self._pauses_s = pauses_s
        self._changed = threading.Condition()
        self._signals: Signals | None = None
        self._is_fresh = False
        self._stopping = False
        self._fault: str | None = None
        self._failures = 0
        self._busy_since_s: float | None = None
        self._has_begun = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._has_begun = True
        self._thread.start()

    def send(self, signals: Signals) -> None:
        """Shows these from now on; what was not shown yet is forgotten."""
        with self._changed:
            self._signals, self._is_fresh = signals, True
            self._changed.notify()

    def fault(self) -> str | None:
        """What is wrong with the part just now: it failed, or a call to it does not come back."""
        since_s = self._busy_since_s
        if since_s is not None and self._clock.monotonic_s() - since_s > SLOW_S:
            return f"no answer for {SLOW_S:.0f} seconds"
        if self._has_begun and not self._thread.is_alive():
            return "its driver has crashed; the log says where, and a restart of the station begins it anew"
        return self._fault

    def stop(self) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify()
        self._thread.join(timeout=SLOW_S)

    def _run(self) -> None:
        while not self._stopping:
            try:
                self._timed(self._output.open)
                self._fault, self._is_fresh = None, True
                self._show_until_stopped()
            except PartFault as fault:
                self._fault = str(fault)
                self._close()
                self._pause(self._pauses_s[min(self._failures, len(self._pauses_s) - 1)])
                self._failures += 1
            else:
                self._close()

    def _show_until_stopped(self) -> None:
        again_s: float | None = None
        while (signals := self._next(again_s)) is not None:
            again_s = self._timed(self._output.show, signals)
            self._failures = 0

    def _next(self, again_s: float | None) -> Signals | None:
        """The signals to show: as soon as there are new ones, or the same again after a while; None to stop."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopping or self._is_fresh, timeout=again_s)
            self._changed.wait_for(lambda: self._stopping or self._signals is not None)
            self._is_fresh = False
            return None if self._stopping else self._signals

    def _timed(self, call: Callable[..., T], *arguments: Signals) -> T:
        self._busy_since_s = self._clock.monotonic_s()
        try:
            return call(*arguments)
        finally:
            self._busy_since_s = None

    def _close(self) -> None:
        try:
            self._timed(self._output.close)
        except PartFault as fault:
            self._fault = str(fault)

    def _pause(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._stopping, timeout=seconds)
