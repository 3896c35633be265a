"""Keys of the terminal as buttons: t, c, u and p; a capital is a button held."""

from __future__ import annotations

import os
import select
import sys
import termios
import time
import tty
from typing import Any

from firmware.faults import PartFault
from firmware.ports import Button, Edge
from hardware_config.settings import KeyboardButtons

KEYS = {"t": Button.TURN, "c": Button.CLAIM, "u": Button.UNDO, "p": Button.PAUSE}
PRESS_S, HOLD_S = 0.1, 2.5


class Driver:
    def __init__(self, settings: KeyboardButtons, file: int | None = None) -> None:
        self.settings = settings
        self._given = file
        self._file = -1
        self._before: list[Any] | None = None

    def open(self) -> None:
        try:
            self._file = sys.stdin.fileno() if self._given is None else self._given
            self._before = termios.tcgetattr(self._file)
            tty.setcbreak(self._file)
        except (termios.error, OSError) as error:
            raise PartFault("buttons", "there is no terminal to take keys from; choose other buttons") from error

    def edges(self) -> tuple[Edge, ...]:
        found: list[Edge] = []
        try:
            while select.select([self._file], [], [], 0)[0]:
                typed = os.read(self._file, 64).decode(errors="replace")
                if not typed:
                    break
                for key in typed:
                    found.extend(_edges(key))
        except OSError as error:
            raise PartFault("buttons", f"the terminal is gone ({error})") from error
        return tuple(found)

    def close(self) -> None:
        before, self._before = self._before, None
        if before is not None:
            try:
                termios.tcsetattr(self._file, termios.TCSADRAIN, before)
            except termios.error as error:
                raise PartFault("buttons", f"the terminal is gone ({error})") from error


def _edges(key: str) -> tuple[Edge, ...]:
    button = KEYS.get(key.lower())
    if button is None:
        return ()
    now_s = time.monotonic()
    return Edge(button, True, now_s), Edge(button, False, now_s + (HOLD_S if key.isupper() else PRESS_S))
