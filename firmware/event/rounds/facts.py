"""What happens to an event, as facts in the past tense, and each as a line of the hub's journal, both ways.

Nothing is ever taken out: a correction is a later result, a withdrawn round stays written. Knows no rule of pairing and
no journal; `Tournament` says whether a fact fits.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from firmware.event.lines import Lines

Seat = Literal["A", "B"]
WIN = 5  # points for winning; what a loser scores depends on the game


class Style(StrEnum):
    """How rounds are paired."""

    SWISS = "swiss"
    ROUND_ROBIN = "round-robin"
    KNOCK_OUT = "knock-out"


class How(StrEnum):
    """How a game came to its result."""

    PLAYED = "played"
    TIME = "time"
    FORFEIT = "forfeit"
    DECIDED = "decided"
    REOPENED = "reopened"  # it has none any more: a judge had the game go on


@dataclass(frozen=True, slots=True)
class Result:
    """What a game ended with: who won, None for a draw, and the Stones or the game's own points that A and B hold."""

    winner: Seat | None
    stones: tuple[int, int]
    how: How = How.PLAYED


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players at a table, `a` in the seat near the camera; without `b` it is a bye, and has no table."""

    table: int | None
    a: int
    b: int | None

    @property
    def players(self) -> tuple[int, ...]:
        return (self.a,) if self.b is None else (self.a, self.b)


@dataclass(frozen=True, slots=True)
class EventOpened:
    """The event as it was announced. `seed` draws every lot, so that all of it can be drawn again; two players meet for
    a match of `best_of` games at the most."""

    name: str
    style: Style
    seed: int
    minutes: int = 40
    variant: str = "base"
    game: str = "schotten-totten"
    best_of: int = 1


@dataclass(frozen=True, slots=True)
class PlayerEntered:
    number: int
    name: str
    club: str = ""


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """Plays no further round; results stay."""

    number: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PlayerReturned:
    number: int


@dataclass(frozen=True, slots=True)
class TableSet:
    """A table, and the station that referees there, if one does."""

    table: int
    station: str | None = None


@dataclass(frozen=True, slots=True)
class RoundPaired:
    """A round as it was paired. `order` is what round-robin and knock-out follow from: the circle, or the bracket's
    slots from top to bottom, None where nobody is."""

    round: int
    style: Style
    pairings: tuple[Pairing, ...]
    order: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundWithdrawn:
    """The last round, not begun yet, does not take place as it was paired."""

    round: int
    reason: str


@dataclass(frozen=True, slots=True)
class PlayersSwapped:
    """Two players change places in a round that has not begun."""

    round: int
    one: int
    other: int
    reason: str


@dataclass(frozen=True, slots=True)
class RoundStarted:
    round: int
    minutes: int


@dataclass(frozen=True, slots=True)
class RoundPaused:
    """The clock of all tables stands still."""

    round: int


@dataclass(frozen=True, slots=True)
class RoundResumed:
    round: int


@dataclass(frozen=True, slots=True)
class TimeAdded:
    """More time for one table, or for all of them."""

    round: int
    seconds: int
    table: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """What a table's game ended with; a later one for the same table and leg replaces it. `leg` is which game of the
    match it was. `game` names the station's game that it was taken from, and is empty when a person entered it."""

    round: int
    table: int
    result: Result
    reason: str = ""
    game: str = ""
    leg: int = 1


Fact = (
    EventOpened
    | PlayerEntered
    | PlayerLeft
    | PlayerReturned
    | TableSet
    | RoundPaired
    | RoundWithdrawn
    | PlayersSwapped
    | RoundStarted
    | RoundPaused
    | RoundResumed
    | TimeAdded
    | ResultEntered
)
KINDS: dict[str, type[Any]] = {
    "event-opened": EventOpened,
    "player-entered": PlayerEntered,
    "player-left": PlayerLeft,
    "player-returned": PlayerReturned,
    "table-set": TableSet,
    "round-paired": RoundPaired,
    "round-withdrawn": RoundWithdrawn,
    "players-swapped": PlayersSwapped,
    "round-started": RoundStarted,
    "round-paused": RoundPaused,
    "round-resumed": RoundResumed,
    "time-added": TimeAdded,
    "result-entered": ResultEntered,
}


class Refused(Exception):
    """A fact that does not fit: `why` is the name of its words, `about` what they are about."""

    def __init__(self, why: str, /, **about: str | int) -> None:
        super().__init__(why, about)
        self.why = why
        self.about = about


def _value(key: str, value: Any) -> Any:
    match key:
        case "style":
            return Style(value)
        case "pairings":
            return tuple(Pairing(**pairing) for pairing in value)
        case "order":
            return tuple(value)
        case "result":
            return Result(value["winner"], tuple(value["stones"]), How(value["how"]))
        case _:
            return value


_LINES: Lines[Fact] = Lines(KINDS, _value)
encode, decode = _LINES.encode, _LINES.decode
