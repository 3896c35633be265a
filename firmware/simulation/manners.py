"""The manners of computer players at a table with visitors, whatever the game: who sits where, how fast they play, how
they cheat, how long they wait for what. Knows no rule and no card.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from firmware.commands import Command
from firmware.present import BLIND
from firmware.simulation.open_table import OpenTable
from firmware.state import Saying, StationState

PACES_S = {"slow": 4.0, "steady": 1.8, "fast": 0.4}
FOUL_STANDS_S = 6.0  # how long a foul is left lying, so that everybody can see what the referee says
LOST_S = 15.0  # what was not seen for so long is shown again
AFTERWARDS_S = 9.0  # between the end of a game and the next
OFTEN = 0.2  # chance of cheating at a moment that offers it

Take = Callable[[Command], Saying | None]


@dataclass(frozen=True, slots=True)
class Manners:
    """Who sits where, how fast the computer plays, and how it cheats, if it does: now and then, whenever it can."""

    seats: tuple[tuple[str, bool], ...] = (("A", True), ("B", True))  # whether the computer plays there
    pace_s: float = PACES_S["steady"]  # between two moves
    cheats: str | None = None

    def plays(self, player: str) -> bool:
        return dict(self.seats)[player]

    @property
    def pace(self) -> str:
        """The pace by its name, or in seconds where it has none."""
        return next((name for name, one_s in PACES_S.items() if one_s == self.pace_s), f"{self.pace_s:g} s")

    @property
    def are_company(self) -> bool:
        """Whether the computer plays at all."""
        return any(computer for _, computer in self.seats)

    def seated(self, player: str, *, computer: bool) -> Manners:
        return replace(self, seats=tuple((name, computer if name == player else old) for name, old in self.seats))


def is_blind(state: StationState) -> bool:
    return any(trouble.name in BLIND for trouble in state.troubles)


def is_to_be_cleared(state: StationState) -> bool:
    """Whether a game was begun, by the hub of an event for instance, while cards of another one lay there."""
    return any(trouble.name == "clear-table" for trouble in state.troubles)


def is_at_rest(state: StationState, table: OpenTable) -> bool:
    """Whether the referee has nothing open, can see, and nobody reaches over the table."""
    nothing_open = not (state.pending or state.unread or state.comparing or state.referee.to_put_right)
    return nothing_open and not is_blind(state) and not table.hands and not state.referee.paused


def has_stood(state: StationState, since_s: float, now_s: float) -> bool:
    """Whether a foul may be put right: it lies there until it was named and looked at, or for twice as long when nobody
    names it."""
    named = any(not one.counts for one in state.referee.told[-2:])
    return now_s - since_s >= FOUL_STANDS_S * (1 if named else 2)
