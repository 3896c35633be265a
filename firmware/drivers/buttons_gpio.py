"""Buttons from a pin of the header to ground through gpiozero."""

from __future__ import annotations

import time
import warnings
from collections import deque
from collections.abc import Callable
from typing import Any

import gpiozero

from firmware.drivers import pin_faults
from firmware.faults import PartFault
from firmware.ports import Button, Edge
from hardware_config.settings import GpioButtons

warnings.simplefilter("ignore", gpiozero.PinFactoryFallback)  # that no way to the pins is left is said by a PartFault


class Driver:
    """gpiozero calls back from a thread of its own; what it says is kept until it is asked for."""

    def __init__(self, settings: GpioButtons) -> None:
        self.settings = settings
        self._buttons: list[Any] = []
        self._edges: deque[Edge] = deque(maxlen=256)

    def open(self) -> None:
        settings = self.settings
        wired = {
            Button.TURN: settings.turn,
            Button.CLAIM: settings.claim,
            Button.UNDO: settings.undo,
            Button.PAUSE: settings.pause,
        }
        bounce_s = settings.bounce_ms / 1000 or None
        try:
            for button, pin in wired.items():
                if pin is None:
                    continue
                made = gpiozero.Button(pin, pull_up=True, bounce_time=bounce_s)
                made.when_pressed = self._note(button, True)
                made.when_released = self._note(button, False)
                self._buttons.append(made)
        except pin_faults() as error:
            self.close()
            raise PartFault(
                "buttons", f"the buttons' pins cannot be used ({error}); see `marchwarden doctor`"
            ) from error

    def edges(self) -> tuple[Edge, ...]:
        found = []
        while self._edges:
            found.append(self._edges.popleft())
        return tuple(found)

    def close(self) -> None:
        buttons, self._buttons = self._buttons, []
        try:
            for button in buttons:
                button.close()
        except pin_faults() as error:
            raise PartFault("buttons", f"the buttons' pins were gone before they were let go ({error})") from error

    def _note(self, button: Button, down: bool) -> Callable[[], None]:
        def note() -> None:
            self._edges.append(Edge(button, down, time.monotonic()))

        return note
