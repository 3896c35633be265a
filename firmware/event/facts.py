"""What happens to calls and tables, as facts in the past tense, each as one line of JSON, both ways.

A station writes `JudgeCalled`, `JudgeNotNeeded`, `TableTold`, `NamesAsked` and `PlayersNamed` as notes of its own
journal; the hub writes the others.
The rounds of an event have facts of their own (`firmware.event.rounds`), in the same form and the same journal. Who did
it and when stands beside each line. Knows no journal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from firmware.event.lines import BadLine, Lines


class Reason(StrEnum):
    """Why a judge was called."""

    PLAYERS = "players"  # somebody pressed the button or asked on a page
    DISPUTE = "dispute"
    UNREADABLE = "unreadable"  # something has lain there for long that cannot be read
    APART = "apart"  # table and position have differed for long
    STATION = "station"  # the station is gone, or its journal is not to be trusted


class Outcome(StrEnum):
    """How a call was resolved."""

    EXPLAINED = "explained"
    PUT_RIGHT = "put-right"
    RULED = "ruled"
    RESULT = "result-entered"
    REPAIRED = "repaired"
    NO_CAUSE = "no-cause"
    OTHER = "other"


class Ground(StrEnum):
    """Why a verdict was overruled or a result entered."""

    MISREAD = "misread"
    MISSED = "missed"
    WRONG_PLAYER = "wrong-player"
    RULE = "rule"
    AGREED = "agreed"
    CONCEDED = "conceded"
    TIME = "time"
    CONDUCT = "conduct"
    REVERSED = "reversed"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class JudgeCalled:
    """By a station, in its journal."""

    reason: Reason
    words: str = ""


@dataclass(frozen=True, slots=True)
class JudgeNotNeeded:
    """The station takes back its calls of this reason: what they were about is gone."""

    reason: Reason


@dataclass(frozen=True, slots=True)
class TableTold:
    """What somebody at the hub had a station say to its table; `call` is the stage that a call of the table has come to
    by it, `about` the reason of that call."""

    words: str
    call: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class NamesAsked:
    """The table was asked whether its game is the one of this head: players and round as they were paired."""

    head: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PlayersNamed:
    """It is: the players said so, or a judge, whose reason `words` are. What the head leaves out stays as it was."""

    head: Mapping[str, Any]
    words: str = ""


@dataclass(frozen=True, slots=True)
class CallRaised:
    """From a page, for a station or for a table that has none (`table 12`)."""

    station: str
    reason: Reason
    words: str = ""


@dataclass(frozen=True, slots=True)
class CallTaken:
    call: str


@dataclass(frozen=True, slots=True)
class CallEscalated:
    """The head judge is asked to come."""

    call: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class CallResolved:
    call: str
    outcome: Outcome
    words: str = ""


@dataclass(frozen=True, slots=True)
class OrderGiven:
    """Something is asked of a station: a ruling, a correction, a result, a new game …, as `orders` writes it.

    `before` is what counted until then, in words; `reverses` is the number of the order that it takes back.
    """

    station: str
    book: str
    game: int
    command: Mapping[str, Any] = field(default_factory=dict)
    ground: Ground = Ground.OTHER
    words: str = ""
    before: str = ""
    reverses: str = ""


Fact = (
    JudgeCalled
    | JudgeNotNeeded
    | TableTold
    | NamesAsked
    | PlayersNamed
    | CallRaised
    | CallTaken
    | CallEscalated
    | CallResolved
    | OrderGiven
)
KINDS: dict[str, type[Any]] = {
    "judge-called": JudgeCalled,
    "judge-not-needed": JudgeNotNeeded,
    "table-told": TableTold,
    "names-asked": NamesAsked,
    "players-named": PlayersNamed,
    "call-raised": CallRaised,
    "call-taken": CallTaken,
    "call-escalated": CallEscalated,
    "call-resolved": CallResolved,
    "order-given": OrderGiven,
}
_PLAIN: dict[str, type[Any]] = {"game": int, "command": dict, "head": dict}
_ENUMS: dict[str, type[StrEnum]] = {"reason": Reason, "outcome": Outcome, "ground": Ground}


def _value(key: str, value: Any) -> Any:
    """The value of a field; a line may come from a station that is none of ours."""
    if key in _ENUMS:
        return _ENUMS[key](value)
    kind = _PLAIN.get(key, str)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(key)
    return value


_LINES: Lines[Fact] = Lines(KINDS, _value)
encode = _LINES.encode


def decode(line: str) -> Fact | None:
    """The fact of a line; None when it is something else, for instance words or a fact of the rounds."""
    try:
        return _LINES.decode(line)
    except BadLine:
        return None
