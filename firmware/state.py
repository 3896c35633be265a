"""The state of a station: the referee's fold, what is wrong just now, and what was said last. Frozen, and all there is.

Everything that is shown is a function of it. Knows no device, file or clock.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine.referee import RefereeState, Told
from engine.rules import Summary
from engine.table import Place, Table
from engine.verdicts import Words
from firmware.called import called
from firmware.event.facts import Ground
from firmware.event.roles import name_in
from firmware.event.words import say
from firmware.interpret import Unread
from firmware.messages import words

Referee = RefereeState[Any, Any]


CARDS = frozenset({"card", "twin"})  # what sayings call a card that they are about


@dataclass(frozen=True, slots=True)
class Saying:
    """Something of the catalogue with what it is about: a trouble while it lasts, or an act that was done."""

    name: str
    about: tuple[tuple[str, str | int], ...] = ()

    def words(self, language: str) -> Words:
        """In a language: a card is called by its name there, people by theirs or by what they are, a judge's reason
        as the list has it."""
        about = {name: _in_words(name, one, language) for name, one in self.about}
        return words(self.name, language, **about)


def _in_words(name: str, one: str | int, language: str) -> str | int:
    if name in CARDS:
        return called(str(one), language)
    if name == "by":
        return name_in(str(one)) or say(f"role_{str(one).replace(' ', '-')}", language).capitalize()
    ground, comma, own = str(one).partition(", ")
    return say(f"ground_{ground}", language) + comma + own if name == "reason" and ground in tuple(Ground) else one


def saying(name: str, **about: str | int) -> Saying:
    return Saying(name, tuple(sorted(about.items())))


@dataclass(frozen=True)
class Judged:
    """A fact that was told, and the position in which it was judged."""

    told: Told[Any]
    before: Any


@dataclass(frozen=True, slots=True)
class Pending:
    """A table that only a foul, or what nobody can see, would explain; since when it has lain so; and which places
    have been hidden in every look at it."""

    table: Table
    since_s: float
    hidden: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Waiting:
    """A table in which something lay that could not be named yet: what it means is found out once it can be."""

    frame: int
    since_s: float
    table: Table
    fresh: frozenset[Place]


Orders = tuple[tuple[Any, ...], ...]  # ways in which the same acts may have followed each other


@lru_cache(maxsize=16)
def summary_of(game: Any, position: Any) -> Summary:
    """What screens need of a position; asked for at every frame, found out once."""
    summary: Summary = game.summary(position)
    return summary


@dataclass(frozen=True)
class StationState:
    """`start` is the opening of the game, `referee` what became of it.

    `troubles` are what is wrong just now; `comparing` is set until the table in view was found equal to the game, after
    a restart or a bump; `leftover` is the table of the game before, while some of it still lies there; `orders` are
    what the players are asked to choose from; `overtaken` the places that have been hidden since before the last fact,
    where something may have been done before it; `frame` is the number of the last frame that was looked at; `clock`
    what is left of an event's round.
    """

    number: int
    head: tuple[tuple[str, str], ...]
    start: Referee
    referee: Referee
    troubles: frozenset[Saying] = frozenset()
    unread: tuple[Unread, ...] = ()
    pending: Pending | None = None
    waiting: tuple[Waiting, ...] = ()
    orders: Orders = ()
    overtaken: frozenset[str] = frozenset()
    notice: Judged | Saying | None = None
    notice_until_s: float = 0.0
    comparing: bool = False
    leftover: Table | None = None
    is_over: bool = False
    frame: int = 0
    clock: str = ""

    @property
    def summary(self) -> Summary:
        game: Any = self.referee.game
        return summary_of(game, self.referee.position)

    def named(self, names: Collection[str]) -> frozenset[Saying]:
        """The troubles that have one of these names."""
        return frozenset(trouble for trouble in self.troubles if trouble.name in names)

    def name_of(self, player: str | None) -> str:
        """What a player is called: the name in the record's head, else the letter."""
        return dict(self.head).get(f"player {player}", str(player)) if player is not None else ""
