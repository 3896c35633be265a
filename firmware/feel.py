"""Feels the buttons: opens them, tells what was pressed, and when they fail opens them again after growing pauses.

In the loop's own thread: a driver keeps what happened until it is asked. Knows no device.
"""

from __future__ import annotations

from firmware.faults import PartFault
from firmware.gestures import Fingers, Press
from firmware.keep import PAUSES_S
from firmware.ports import Button, Buttons, Clock


class Feeler:
    """A set of buttons in use."""

    def __init__(self, buttons: Buttons, clock: Clock) -> None:
        self._buttons = buttons
        self._clock = clock
        self._fingers = Fingers()
        self._is_open = False
        self._failures = 0
        self._again_s = 0.0
        self._fault: str | None = None

    def presses(self) -> tuple[Press, ...]:
        """What was pressed since it was last asked."""
        if self._fault is not None and self._clock.monotonic_s() < self._again_s:
            return ()
        try:
            if not self._is_open:
                self._buttons.open()
                self._is_open, self._fault = True, None
            edges = self._buttons.edges()
        except PartFault as fault:
            self._again_s = self._clock.monotonic_s() + PAUSES_S[min(self._failures, len(PAUSES_S) - 1)]
            self._failures += 1
            self.close()
            self._fault = str(fault)
            return ()
        self._failures = 0
        self._fingers, presses = self._fingers.after(edges)
        return presses

    def fault(self) -> str | None:
        """What is wrong with the buttons just now."""
        return self._fault

    def stuck(self) -> tuple[Button, ...]:
        """Buttons that have been down for too long to mean anything."""
        return self._fingers.stuck(self._clock.monotonic_s())

    def close(self) -> None:
        """Lets go of the pins or the terminal, so that somebody else can have them."""
        is_open, self._is_open, self._fingers = self._is_open, False, Fingers()
        if is_open:
            try:
                self._buttons.close()
            except PartFault as fault:
                self._fault = str(fault)
