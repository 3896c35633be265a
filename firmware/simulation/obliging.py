"""Whoever sits at the virtual table while a deck is enrolled: lays each card that is asked for, alone, and takes it
away again.

What lay there before lies there again afterwards. Knows the table and what the station asks; knows no camera.
"""

from __future__ import annotations

from firmware.simulation.open_table import Lying, OpenTable
from firmware.state import Saying
from vision.layout import Point

IN_FRONT = (0.5, 0.785)  # of the mat: where a card lies alone, on the side of whoever enrols
LEANS_DEG = 3.0


class Obliging:
    """Does what is asked, one thing a round."""

    def __init__(self, table: OpenTable) -> None:
        self._table = table
        self._before: tuple[Lying, ...] | None = None
        self._asked: Saying | None = None

    def oblige(self, asked: Saying | None) -> bool:
        """Whether somebody asks for something, which has been done; None asks for nothing any more."""
        if asked is None:
            if self._before is not None:
                self._table.restore(self._before)
                self._before = None
            self._asked = None
            return False
        if self._before is None:
            self._before = self._table.lying
            self._table.restore(())
        if asked != self._asked:
            self._asked = asked
            self._do(asked)
        return True

    def _do(self, asked: Saying) -> None:
        self._table.restore(())
        card = dict(asked.about).get("card")
        if card is not None and asked.name != "next-card":
            self._table.put(str(card), self._in_front(), LEANS_DEG)

    def _in_front(self) -> Point:
        width, height = self._table.layout.size_mm
        return IN_FRONT[0] * width, IN_FRONT[1] * height
