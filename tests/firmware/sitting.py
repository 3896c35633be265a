"""A station at a virtual table whose frames were read without a fault: for tests of what the station makes of them.

The way through photographs and vision is tested elsewhere; here every reading is exactly what lies there, so that a
test is about the station alone.
"""

from __future__ import annotations

from pathlib import Path

from firmware.clocks import SimulatedClock
from firmware.commands import Command
from firmware.games import refereed
from firmware.journal import Journal
from firmware.ledger import Snapshot
from firmware.simulation.board import Board, is_nameless
from firmware.simulation.station_table import StationTable
from firmware.state import Judged, Saying
from firmware.station import Manner, Sighting, Station
from vision.layout import Layout
from vision.observation import Observation, Reading, TileReading, Why

FRAME_S = 0.5


def observation(board: Board, layout: Layout, held: frozenset[str] = frozenset()) -> Observation:
    """What a faultless reader says of a board: everything with its name, backs and strangers as unreadable."""

    def reading(name: str) -> Reading:
        if is_nameless(name):
            return Reading(None, Why.FACE_DOWN if "back" in name else Why.FOREIGN)
        return Reading(name, None, 1.0, 1.0)

    cards = {fan.place: tuple(reading(name) for name in board.fans.get(fan.place, ())) for fan in layout.fans}
    cards |= {
        spot.place: (reading(board.spots[spot.place]),) if spot.place in board.spots else () for spot in layout.spots
    }
    tiles = {tile.code: TileReading(board.tiles.get(tile.code, "border"), None, 1.0, 1.0) for tile in layout.tiles}
    return Observation(cards, tiles, held)


class Sitting:
    """One table, its station, and what the station said."""

    def __init__(
        self, folder: Path, rules: str = "base", language: str = "en", patience_s: float = 0.0, *, asks: bool = True
    ) -> None:
        self.path = folder / "journal.db"
        self.manner = Manner(language, patience_s, asks=asks)
        self.rules = rules
        self.clock = SimulatedClock()
        self.frame = 0
        self.snapshots: list[Snapshot] = []
        self.table = StationTable(refereed("schotten-totten").layout)
        self.held: frozenset[str] = frozenset()
        self.view: tuple[Saying, ...] = ()
        self.sit_down()

    def sit_down(self) -> None:
        """Starts the station, as at first or after a restart."""
        self.journal = Journal(self.path, self.clock)
        self.station = Station(refereed("schotten-totten"), self.journal, self.clock, self.manner)
        self.station.subscribe(self.snapshots.append)
        if not self.station.resume():
            self.station.begin({"rules": self.rules})

    def get_up(self) -> None:
        self.journal.close()

    def play(self, *lines: str) -> list[Judged]:
        """Does to the table what each line of a record says, and looks; returns what was judged."""
        before = len(self.events)
        for line in lines:
            fact = self.station.refereed.game.parse(line)
            self.table.apply(fact.changes())
            if not fact.changes():
                self.ask_line(line)
            self.look()
        return self.events[before:]

    def ask_line(self, line: str) -> None:
        from firmware.commands import Tell

        assert self.ask(Tell(line)) is None

    def ask(self, command: Command) -> Saying | None:
        return self.station.take(command)

    def look(self, seconds: float = FRAME_S, *, moved: bool = False) -> None:
        """Lets time pass and shows the station the table as it lies then."""
        self.clock.sleep(seconds)
        self.frame += 1
        seen = observation(self.table.board, self.table.layout, self.held)
        self.station.see(Sighting(self.frame, self.clock.monotonic_s(), seen, self.view, moved))

    def look_away(self, *view: Saying) -> None:
        """A frame in which nothing can be read."""
        self.clock.sleep(FRAME_S)
        self.frame += 1
        self.station.see(Sighting(self.frame, self.clock.monotonic_s(), None, view))

    @property
    def events(self) -> list[Judged]:
        return [event for snapshot in self.snapshots for event in snapshot.events]

    @property
    def said(self) -> tuple[str, str]:
        """The two lines on the display."""
        screen = self.snapshots[-1].signals.screen
        return screen.headline, screen.detail

    @property
    def record(self) -> list[str]:
        return [entry.line for entry in self.journal.entries() if entry.kind in ("fact", "act")]
