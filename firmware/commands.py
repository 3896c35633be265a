"""What people ask of a station, by button, page or keyboard: frozen values that come in through one queue."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.table import Player
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
    """Begin a game with this record head; what it leaves out stays as it was."""

    head: tuple[tuple[str, str], ...] = field(default=())
    who: str = PLAYERS


Command = Pressed | Tell | Undo | Pause | Rule | Correct | Decide | Accept | NewGame
