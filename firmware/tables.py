"""The tables of the games: where things lie on each, how it is read, and how a reading is told and compared.

Like `firmware.games` a place where games are told apart; what it needs of each is small enough to be a value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from vision.deck import Deck
from vision.evaluate import Truth, spread_of, truth_of
from vision.frame import Picture
from vision.layout import Layout, as_document, schotten_totten
from vision.lens import Lens
from vision.loose import are_loose, find_table, is_printed
from vision.lords_of_scotland import as_document as lords_geometry
from vision.lords_of_scotland import lords_of_scotland
from vision.lords_of_scotland import reading as lords_reading
from vision.observation import Observation
from vision.observation import as_document as stones_reading
from vision.rectify import NoTable, Rectifier

Document = dict[str, Any]


class TableReader(Protocol):
    """Reads photographs of one table, the whole of it or some places."""

    deck: Deck
    layout: Layout

    def read(self, frame_bgr: Picture, rectifier: Rectifier, places: Collection[str] | None = None) -> Observation: ...


@dataclass(frozen=True, slots=True)
class GameTable:
    """One game's table."""

    layout: Callable[[], Layout]
    geometry: Callable[[Layout], Document]  # as `marchwarden table --json` tells it
    reader: Callable[[Deck, Layout], TableReader]
    reading: Callable[[Observation, str], Document]  # as `marchwarden read --json` tells it
    told: Callable[[Mapping[str, Any]], Truth]  # what such a document tells of the table


def _reader(deck: Deck, layout: Layout) -> TableReader:
    from vision.read import Reader

    return Reader(deck, layout)


def _area_reader(deck: Deck, layout: Layout) -> TableReader:
    from vision.areas import AreaReader

    return AreaReader(deck, layout)


class OtherMat(NoTable):
    """The printed mat of another game is in view."""

    def __init__(self, game: str) -> None:
        super().__init__(f"the mat in view is that of {game}")
        self.game = game


def table_in(frame: Picture, layout: Layout, lens: Lens | None = None) -> Rectifier:
    """The table of a frame, its markers printed on the mat or loose. Those of all mats have the same numbers and lie
    alike, so that those of one may pass for loose markers of another: then it raises OtherMat."""
    found = find_table(frame, layout, lens)
    if are_loose(found, layout):
        others = (table.layout() for game, table in TABLES.items() if game != layout.game)
        other = next((one for one in others if is_printed(frame, one)), None)
        if other is not None:
            raise OtherMat(other.game)
    return found


TABLES: dict[str, GameTable] = {
    "schotten-totten": GameTable(schotten_totten, as_document, _reader, stones_reading, truth_of),
    "lords-of-scotland": GameTable(lords_of_scotland, lords_geometry, _area_reader, lords_reading, spread_of),
}
