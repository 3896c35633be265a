"""What the simulated station needs of a game: a table to lay it on, and the deeds of a whole game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from engine.table import Change
from firmware.games import Refereed
from firmware.simulation.company import Company
from firmware.simulation.deed import Deed
from firmware.simulation.deeds import CHEAT_NAMES, deeds
from firmware.simulation.lords_cheats import CHEATS
from firmware.simulation.lords_company import LordsCompany
from firmware.simulation.lords_players import lords_deeds
from firmware.simulation.lords_room import LordsRoom
from firmware.simulation.manners import Manners, Take
from firmware.simulation.open_table import OpenTable
from firmware.simulation.playroom import Playroom
from firmware.simulation.room import Rig, Room
from firmware.simulation.scene import Habits, Scene
from firmware.simulation.station_table import StationTable
from firmware.state import StationState
from vision.layout import Layout


class PlayedTable(Protocol):
    """A virtual table on which deeds are done."""

    layout: Layout

    def clear(self) -> None: ...

    def apply(self, changes: tuple[Change, ...]) -> None: ...

    def straighten(self, place: str) -> None: ...

    def scene(self) -> Scene: ...


class TableCompany(Protocol):
    """Computer players at a table with visitors."""

    manners: Manners

    @property
    def room(self) -> Room: ...

    def tick(self, state: StationState, now_s: float) -> None: ...

    def cheat_now(self, state: StationState, name: str, now_s: float) -> bool: ...


@dataclass(frozen=True, slots=True)
class Simulated:
    """One game as computer players play it. `deeds` takes the rules, a seed and the name of a cheat."""

    deeds: Callable[[str, int, str | None], Iterator[Deed]]
    cheats: tuple[str, ...]
    table: Callable[[Refereed, Habits, int], PlayedTable]
    room: Callable[[OpenTable, Rig, str, int], Room]
    company: Callable[[Any, Take, Manners], TableCompany]


SIMULATED: dict[str, Simulated] = {
    "schotten-totten": Simulated(
        deeds, CHEAT_NAMES, lambda game, habits, seed: StationTable(game.layout, habits, seed), Playroom, Company
    ),
    "lords-of-scotland": Simulated(
        lords_deeds,
        tuple(CHEATS),
        lambda game, habits, seed: OpenTable(game.layout, game.places, habits, seed),
        LordsRoom,
        LordsCompany,
    ),
}
