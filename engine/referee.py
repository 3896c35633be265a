"""The fold: what has been told, in order, becomes what counts.

The state is nothing but a function of its entries. An entry is a fact of the game or an act about the game (undo, a
judge's ruling, a correction, a pause); acts are additions too, nothing is ever taken out. After an act that reaches
back, everything is folded again, so that later facts are judged in the light of it.

Knows no game, no clock and no file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic

from engine.rules import F, Game, P
from engine.table import Change, Player, Table, changes
from engine.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Undone:
    """Back to before the last fact that changed what counts. What lies on the table lies there still."""


@dataclass(frozen=True, slots=True)
class Paused:
    """Nothing is judged until the game is resumed."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The game goes on."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """A judge lets the fact with this number stand, or voids it, whatever the verdict was."""

    number: int
    stands: bool
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Corrected(Generic[F]):
    """The fact with this number was misread: this is what happened."""

    number: int
    fact: F
    by: str


@dataclass(frozen=True, slots=True)
class Decided:
    """The result was entered by hand; None is a draw or a game given up."""

    winner: Player | None
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Reopened:
    """The result that was entered by hand no longer counts; the game is what it was without it."""

    by: str
    reason: str


Act = Undone | Paused | Resumed | Ruled | Decided | Reopened


@dataclass(frozen=True, slots=True)
class Told(Generic[F]):
    """A fact with the number of its entry, the verdict on it, and the ruling that settled it otherwise.

    `moved` says whether it changed what counts: a foul does not, nor does putting something right.
    """

    number: int
    fact: F
    verdict: Verdict
    ruling: Ruled | None = None
    moved: bool = True

    @property
    def counts(self) -> bool:
        return self.verdict.legal if self.ruling is None else self.ruling.stands


@dataclass(frozen=True)
class RefereeState(Generic[P, F]):
    """Two truths: `table` is what lies there, `position` is what counts. Their difference must be put right."""

    game: Game[P, F]
    position: P
    table: Table
    entries: tuple[F | Act | Corrected[F], ...] = ()
    told: tuple[Told[F], ...] = ()
    paused: bool = False
    decision: Decided | None = None

    @cached_property
    def to_put_right(self) -> tuple[Change, ...]:
        return changes(self.table, self.game.table(self.position))

    @cached_property
    def taken_back(self) -> tuple[Change, ...]:
        """What must be put right because people took it back, by an undo or a ruling."""
        unruled = {one.number for one in self.told if one.ruling is None}
        facts, _ = _effective(self.entries)
        latest = {change.piece.code: number for number, fact in facts.items() for change in fact.changes()}
        return tuple(change for change in self.to_put_right if latest.get(change.piece.code, 0) not in {0, *unruled})

    def explain(self, seen: Table) -> tuple[F, ...]:
        """The facts that lead to this table. What was taken back and lies there still is none of them, whatever else
        is put right."""
        left = [one for one in self.taken_back if one.origin is not None and one.piece in seen.at(one.origin)]
        return self.game.explain(self.position, self.table.after(left), seen.after(left))


def opening(game: Game[P, F], rules: Mapping[str, str]) -> RefereeState[P, F]:
    """The state before anything was told."""
    position = game.opening(rules)
    return RefereeState(game, position, game.table(position))


def tell(state: RefereeState[P, F], entry: F | Act | Corrected[F], start: RefereeState[P, F]) -> RefereeState[P, F]:
    """The state after one more entry; `start` is the opening it all began with."""
    entries = (*state.entries, entry)
    match entry:
        case Paused() | Resumed():
            return replace(state, entries=entries, paused=isinstance(entry, Paused))
        case Decided() | Reopened():
            return replace(state, entries=entries, decision=entry if isinstance(entry, Decided) else None)
        case Undone() | Ruled() | Corrected():
            return fold(start, entries)
        case fact:
            return replace(_judged(state, len(entries), fact, None), entries=entries)


def fold(start: RefereeState[P, F], entries: Iterable[F | Act | Corrected[F]]) -> RefereeState[P, F]:
    """The state after all of these entries, each in the light of those that reach back to it."""
    told = tuple(entries)
    state = _folded(start, told, _undone(start, told))
    pauses = [entry for entry in told if isinstance(entry, Paused | Resumed)]
    decisions = [
        entry if isinstance(entry, Decided) else None for entry in told if isinstance(entry, Decided | Reopened)
    ]
    return replace(
        state,
        entries=told,
        paused=bool(pauses) and isinstance(pauses[-1], Paused),
        decision=decisions[-1] if decisions else None,
    )


def _undone(start: RefereeState[P, F], entries: tuple[F | Act | Corrected[F], ...]) -> frozenset[int]:
    """The numbers of the facts that were taken back, by what was known when they were."""
    undone: frozenset[int] = frozenset()
    for number, entry in enumerate(entries):
        if isinstance(entry, Undone):
            so_far = _folded(start, entries[:number], undone).told
            last = max((told.number for told in so_far if told.moved), default=len(entries))
            # What was told after it did not count either, and must not come to count because of the undo.
            undone |= {told.number for told in so_far if told.number >= last}
    return undone


def _folded(
    start: RefereeState[P, F], entries: tuple[F | Act | Corrected[F], ...], undone: frozenset[int]
) -> RefereeState[P, F]:
    facts, rulings = _effective(entries)
    state = start
    for number, fact in facts.items():
        if number in undone:
            state = replace(state, table=state.table.after(fact.changes()))
        else:
            state = _judged(state, number, fact, rulings.get(number))
    return state


def _effective(entries: tuple[F | Act | Corrected[F], ...]) -> tuple[dict[int, F], dict[int, Ruled]]:
    """The facts as corrected, and the rulings on them, by the number of their entry."""
    facts: dict[int, F] = {}
    rulings: dict[int, Ruled] = {}
    for number, entry in enumerate(entries, start=1):
        match entry:
            case Ruled():
                if entry.number in facts:
                    rulings[entry.number] = entry
            case Corrected():
                if entry.number in facts:
                    facts[entry.number] = entry.fact
            case Undone() | Paused() | Resumed() | Decided() | Reopened():
                pass
            case fact:
                facts[number] = fact
    return facts, rulings


def _judged(state: RefereeState[P, F], number: int, fact: F, ruling: Ruled | None) -> RefereeState[P, F]:
    game = state.game
    verdict = game.judge(state.position, fact)
    if ruling is None:
        position = game.after(state.position, fact)
    else:
        position = game.enforce(state.position, fact) if ruling.stands else state.position
    told = Told(number, fact, verdict, ruling, moved=position != state.position)
    return replace(state, position=position, table=state.table.after(fact.changes()), told=(*state.told, told))
