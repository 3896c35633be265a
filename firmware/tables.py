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
from vision.lords_of_scotland import as_document as lords_geometry
from vision.lords_of_scotland import lords_of_scotland
from vision.lords_of_scotland import reading as lords_reading
from vision.observation import Observation
from vision.observation import as_document as stones_reading
from vision.rectify import Rectifier

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


TABLES: dict[str, GameTable] = {
    "schotten-totten": GameTable(schotten_totten, as_document, _reader, stones_reading, truth_of),
    "lords-of-scotland": GameTable(lords_of_scotland, lords_geometry, _area_reader, lords_reading, spread_of),
}
