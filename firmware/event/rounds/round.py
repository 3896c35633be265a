"""One round of a tournament: who was paired with whom, its clock, and every result that was ever entered. Frozen.

Knows what counts of what was entered; what may be entered when, `Tournament` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from firmware.event.rounds.facts import WIN, How, Pairing, Refused, Result, Style
from firmware.event.rounds.scoring import ONE_GAME, Match
from firmware.event.rounds.timer import Timer


@dataclass(frozen=True, slots=True)
class Entered:
    """A result as it was entered: by whom and when, why if it replaced another, from which station's game, and which
    game of the match it was."""

    result: Result
    who: str
    at: str
    reason: str = ""
    game: str = ""
    leg: int = 1


@dataclass(frozen=True, slots=True)
class Round:
    """One round. `entries` holds all results ever entered for a table, the last one of each leg counts."""

    number: int
    style: Style
    pairings: tuple[Pairing, ...]
    order: tuple[int | None, ...] = ()
    timer: Timer | None = None
    entries: Mapping[int, tuple[Entered, ...]] = field(default_factory=dict)
    match: Match = ONE_GAME

    @property
    def is_started(self) -> bool:
        return self.timer is not None

    @property
    def games(self) -> tuple[Pairing, ...]:
        """The pairings that are played, by table."""
        return tuple(one for one in self.pairings if one.b is not None)

    @property
    def byes(self) -> tuple[int, ...]:
        return tuple(one.a for one in self.pairings if one.b is None)

    @property
    def bye_points(self) -> int | None:
        """What having no opponent is worth: a win, whatever is played, once the round has begun."""
        return WIN if self.is_started else None

    @property
    def waiting(self) -> tuple[int, ...]:
        """Tables whose match goes on."""
        return tuple(one.table for one in self.games if one.table is not None and self.result(one.table) is None)

    @property
    def is_over(self) -> bool:
        return self.is_started and not self.waiting

    def at(self, table: int) -> Pairing | None:
        return next((one for one in self.games if one.table == table), None)

    def of(self, player: int) -> Pairing | None:
        return next((one for one in self.pairings if player in one.players), None)

    def legs(self, table: int | None) -> tuple[Entered, ...]:
        """What counts of each game of a table's match so far, in their order."""
        last = {entered.leg: entered for entered in self.entries.get(table or 0, ())}
        return tuple(entered for _, entered in sorted(last.items()) if entered.result.how is not How.REOPENED)

    def result(self, table: int | None) -> Result | None:
        """What a table's match ended with; None while it goes on."""
        return self.match.result([entered.result for entered in self.legs(table)])

    def points(self, table: int | None) -> tuple[int, int] | None:
        """What it is worth to A and B."""
        return self.match.points([entered.result for entered in self.legs(table)])

    def wins(self, table: int | None) -> tuple[int, int]:
        """The games of the match that A and B have won so far."""
        return self.match.wins(self.match.counted([entered.result for entered in self.legs(table)]))

    def swapped(self, one: int, other: int) -> Round:
        """The round with two players in each other's place; raises Refused where they have none, or it is a circle."""
        for number in (one, other):
            if self.of(number) is None:
                raise Refused("not-paired", number=number, round=self.number)
        if self.style is Style.ROUND_ROBIN:
            raise Refused("circle-stands")
        other_of = {one: other, other: one}

        def changed(pairing: Pairing) -> Pairing:
            b = None if pairing.b is None else other_of.get(pairing.b, pairing.b)
            return replace(pairing, a=other_of.get(pairing.a, pairing.a), b=b)

        order = tuple(slot if slot is None else other_of.get(slot, slot) for slot in self.order)
        return replace(self, pairings=tuple(map(changed, self.pairings)), order=order)
