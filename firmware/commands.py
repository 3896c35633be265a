"""What people ask of a station, by button, page or keyboard: frozen values that come in through one queue."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine.table import Player
from firmware.event.facts import Reason
from firmware.gestures import Press

PLAYERS = "players"  # who did it, when it was a button and nobody in particular


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button of the station."""

    press: Press


@dataclass(frozen=True, slots=True)
class Tell:
    """A fact that the camera cannot see, as a line of a record: a pass, the end of a turn, a spoken claim."""

    line: str
    who: str = PLAYERS


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last fact that counts."""

    who: str = PLAYERS


@dataclass(frozen=True, slots=True)
class Pause:
    """Pause the game, or go on with it."""

    who: str = PLAYERS


@dataclass(frozen=True, slots=True)
class Rule:
    """A judge lets the fact of this number stand, or voids it."""

    number: int
    stands: bool
    who: str
    reason: str


@dataclass(frozen=True, slots=True)
class Correct:
    """The fact of this number was misread: this line is what happened."""

    number: int
    line: str
    who: str


@dataclass(frozen=True, slots=True)
class Decide:
    """Enter the result; None is a draw or a game given up."""

    winner: Player | None
    who: str
    reason: str


@dataclass(frozen=True, slots=True)
class Accept:
    """Take the table as it lies: everything that differs stands."""

    who: str
    reason: str = "agreed"


@dataclass(frozen=True, slots=True)
class NewGame:
    """Begin a game with this record head; what it leaves out stays as it was. A game later than `after` that is being
    played is not ended by it: its players are asked whether it is the one that was meant."""

    head: tuple[tuple[str, str], ...] = field(default=())
    who: str = PLAYERS
    after: int | None = None


@dataclass(frozen=True, slots=True)
class Reopen:
    """The result that was entered no longer counts."""

    who: str
    reason: str


@dataclass(frozen=True, slots=True)
class CallJudge:
    """A judge is wanted at the table; `withdraw` is for when none is any more."""

    reason: Reason = Reason.PLAYERS
    words: str = ""
    who: str = PLAYERS
    withdraw: bool = False


@dataclass(frozen=True, slots=True)
class Announce:
    """Words of a judge for the table; `call` says what became of the call of a judge (open, taken, escalated, resolved)
    that was made for the reason `about`."""

    words: str
    who: str
    call: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Go on with a game of another station: its head, and its facts and acts as kind, line and who."""

    head: tuple[tuple[str, str], ...]
    lines: tuple[tuple[str, str, str], ...]
    who: str


@dataclass(frozen=True, slots=True)
class Ordered:
    """What the hub of an event asks, under a number that is carried out once; `game` is the one it is meant for, 0 for
    any. An `unknown` order cannot be carried out, and says why."""

    number: str
    game: int
    command: Command | None
    who: str
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class RoundTime:
    """What is left of an event's round, as the display shows it; empty when no clock runs. In no journal."""

    words: str


@dataclass(frozen=True, slots=True)
class EventTrouble:
    """Something of this name is wrong between the station and its event, with what it is about; None when it is so no
    longer. In no journal."""

    name: str
    about: tuple[tuple[str, str | int], ...] | None = None


@dataclass(frozen=True, slots=True)
class NamePlayers:
    """The game on the table is the one of this head, players and round: said by themselves, or by a judge."""

    head: tuple[tuple[str, str], ...]
    who: str = PLAYERS
    reason: str = ""


Command = (
    Pressed
    | Tell
    | Undo
    | Pause
    | Rule
    | Correct
    | Decide
    | Reopen
    | Accept
    | NewGame
    | CallJudge
    | Announce
    | TakeOver
    | Ordered
    | RoundTime
    | EventTrouble
    | NamePlayers
)

_ORDERED = re.compile(r".*\(order ([\w.-]+)\)")


def ordered_by(who: str, number: str) -> str:
    """Who did it, in a journal, when an order of the hub asked for it."""
    return f"{who} (order {number})"


def order_in(who: str) -> str | None:
    """The number of the order that an entry carries out."""
    found = _ORDERED.fullmatch(who) if who.endswith(")") else None  # nearly all entries carry out none
    return None if found is None else found.group(1)
