"""What a game must be able to do so that it can be refereed. No base class: a game is whatever fits this Protocol."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, TypeVar

from engine.table import Change, Player, Table
from engine.verdicts import Verdict, Words


class Fact(Protocol):
    """Something that happened on the table, allowed or not. `str(fact)` is its line in a record."""

    @property
    def player(self) -> str | None: ...

    def changes(self) -> tuple[Change, ...]: ...


class Sign(Enum):
    """What a lamp has to say."""

    DARK = "dark"
    OFFERED = "offered"  # it is this player's to take
    HELD = "held"  # it is this player's
    TIE = "tie"
    PUT_RIGHT = "put right"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Mark:
    """One lamp's worth of the game: what it stands for, what it says, and whose that is. One that stands for a player
    needs nobody besides."""

    name: str
    sign: Sign
    player: Player | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """What every screen needs, whatever the game."""

    turn: Player | None
    marks: tuple[Mark, ...]
    score: tuple[tuple[Player, int], ...]
    winner: Player | None = None
    won_by: str | None = None


class BadRecord(ValueError):
    """A line of a record or a rule setting that cannot be understood: says what was found, where, what was expected."""


P = TypeVar("P")
F = TypeVar("F", bound=Fact)


class Game(Protocol[P, F]):
    """A game as the referee sees it. `P` is its position, `F` its facts; both are frozen values."""

    @property
    def name(self) -> str: ...

    @property
    def players(self) -> tuple[Player, ...]: ...

    def opening(self, rules: Mapping[str, str]) -> P:
        """The position before the first fact, under these rule options (as they stand in a record's head)."""
        ...

    def judge(self, position: P, fact: F) -> Verdict:
        """Every rule this fact breaks. Never raises on a well-formed fact."""
        ...

    def after(self, position: P, fact: F) -> P:
        """What counts after the fact. A foul changes nothing."""
        ...

    def enforce(self, position: P, fact: F) -> P:
        """What counts when a judge lets the fact stand, foul or not."""
        ...

    def table(self, position: P) -> Table:
        """The table as it ought to lie."""
        ...

    def explain(self, position: P, told: Table, seen: Table) -> tuple[F, ...]:
        """The facts that lead from the table already told of to the one now seen. Once they are told, nothing is
        left unexplained: `told` after their changes equals `seen`."""
        ...

    def parse(self, line: str) -> F:
        """The fact behind a record's line; raises BadRecord."""
        ...

    def summary(self, position: P) -> Summary: ...

    def words(self, position: P, fact: F, verdict: Verdict, language: str) -> Words: ...

    def event(self, fact: F, verdict: Verdict) -> dict[str, object]:
        """What happened, in plain names and codes for other programs: `event`, `player`, `card` …"""
        ...

    def remedy(self, change: Change, language: str) -> Words:
        """What has to be done with one piece so that it lies right."""
        ...
