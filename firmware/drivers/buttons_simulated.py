"""Buttons that a program presses: the page, the simulated players, the tests."""

from __future__ import annotations

import time
from collections import deque

from firmware.ports import Button, Edge
from hardware_config.settings import SimulatedButtons


class Driver:
    def __init__(self, settings: SimulatedButtons) -> None:
        self.settings = settings
        self._edges: deque[Edge] = deque()

    def open(self) -> None:
        return

    def edges(self) -> tuple[Edge, ...]:
        found = []
        while self._edges:
            found.append(self._edges.popleft())
        return tuple(found)

    def close(self) -> None:
        self._edges.clear()

    def press(self, button: Button, for_s: float = 0.1, at_s: float | None = None) -> None:
        """Down now (or at a given moment) and up again after `for_s`."""
        down_s = time.monotonic() if at_s is None else at_s
        self._edges.extend((Edge(button, True, down_s), Edge(button, False, down_s + for_s)))

    def hold_down(self, button: Button, at_s: float) -> None:
        """Down and never up again, like a button that is stuck."""
        self._edges.append(Edge(button, True, at_s))
