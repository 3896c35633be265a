"""A simulated station for tests: players, table, loop and station as in `marchwarden run`, the camera left out.

The eye sees what lies on the table without a fault, so that whole games take a moment.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from firmware.clocks import SimulatedClock
from firmware.games import refereed
from firmware.journal import Journal
from firmware.loop import Loop
from firmware.ports import Frame
from firmware.simulation.demo import Demo
from firmware.simulation.station_table import StationTable
from firmware.station import Manner, Sighting, Station
from firmware.watch import HANGS_S
from tests.firmware.sitting import observation


class TableEye:
    """Sees the table itself."""

    def __init__(self, table: StationTable) -> None:
        self.table = table

    def look(self, frame: Frame) -> Sighting:
        return Sighting(frame.number, frame.taken_s, observation(self.table.board, self.table.layout))


class Shutter:
    """A camera that gives empty frames in time."""

    def __init__(self, clock: SimulatedClock) -> None:
        self.is_over = self.is_stuck = False
        self.due_s = HANGS_S
        self.lost: str | None = None
        self.hangs = False
        self._clock = clock
        self._number = 0

    def next(self, timeout_s: float) -> Frame | None:
        if self.hangs:
            return None
        self.due_s = self._clock.monotonic_s() + HANGS_S
        if self.lost is not None:
            return None
        self._number += 1
        return Frame(self._number, np.zeros((1, 1, 3), np.uint8), self._clock.monotonic_s())

    def fault(self) -> str | None:
        return self.lost


def simulated(folder: Path, patience_s: float = 0.0) -> tuple[Demo, Loop, StationTable]:
    """A demo ready to play, its loop and its table."""
    clock = SimulatedClock()
    game = refereed("schotten-totten")
    station = Station(game, Journal(folder / "journal.db", clock), clock, Manner("en", patience_s))
    station.begin({"rules": "base"})
    table = StationTable(game.layout)
    loop = Loop(station, TableEye(table), Shutter(clock), (), clock)
    return Demo(loop, table, clock), loop, table
