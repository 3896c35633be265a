"""What to do about a table as it is seen: which facts to tell now, and what to wait for. Pure.

A legal explanation is told at once; a foul only when the table has lain so for a while, since people are still
handling cards, and when no place has been hidden all that time, since what is there may explain it. What leaves no
trace, a pass, is told only when nothing that was done instead can be hidden; nor is a deed told while what may have
been taken before it is. That does not wait for ever: what then turns up as too late may have come in time, and is asked
about. Knows the engine's referee; knows no device and no file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from engine.referee import Told, tell
from engine.rules import Game, Summary
from engine.table import Table, changes
from firmware.interpret import Seen
from firmware.state import Judged, Orders, Pending, Referee, Saying, StationState, saying

COVERED_S = 10.0  # what is legal waits at most so long for a place that stays covered, or seems to move all the time
HIDDEN_S = 30.0  # and a foul so long
RECORDED_S = 2.0  # a foul in a recording; there the next deed may be a picture away, and what is legal never waits
CLEARED = 5  # more cards than this gone at once are no foul: somebody clears the table

Precedes = Callable[[Any, Summary, frozenset[str], Any], frozenset[str]]


@dataclass(frozen=True)
class Decision:
    """Facts to tell, in order; what is waited for; what is wrong meanwhile; whether a new game begins.

    `orders` are the two ways in which the same could have happened, when only the players know which; `overtaken` the
    hidden places where something may have been done before these facts.
    """

    facts: tuple[Any, ...] = ()
    pending: Pending | None = None
    troubles: tuple[Saying, ...] = ()
    new_game: bool = False
    agreed: bool = False
    orders: Orders = ()
    overtaken: frozenset[str] = frozenset()


def decide(
    state: StationState,
    seen: Seen,
    now_s: float,
    patience_s: float,
    *,
    asks: bool = False,
    may_precede: Precedes = lambda position, summary, hidden, fact: frozenset(),
    unclear: Callable[[tuple[Any, ...]], Saying | None] = lambda facts: None,
) -> Decision:
    """What a settled frame means for the game. `asks` when there is somebody at the table who can say who played first,
    and take a hand away; `may_precede` where something hidden may have come before a fact; `unclear` says why facts
    may have happened otherwise: then they are not told."""
    referee = state.referee
    if state.is_over:
        return Decision(new_game=seen.is_whole and seen.table == state.start.table)
    if seen.table == referee.table:
        return Decision(agreed=seen.is_whole)
    if referee.paused:
        return Decision()
    if seen.left:
        return Decision(pending=state.pending)  # half a deed: the rest of it is still hidden
    facts = referee.explain(seen.table)
    if (why := unclear(facts)) is not None:
        return Decision(troubles=(why,))
    pending = _pending(state.pending, seen, now_s)
    hidden = pending.hidden | seen.lost
    overtaken = _overtaken(state, facts, hidden, may_precede) if asks and hidden else frozenset()
    if asks and _waits(state, facts, pending, now_s, overtaken):
        return Decision(pending=pending)
    legal = legal_prefix(state, facts)
    if legal == len(facts):
        other = _other_order(state, facts) if asks else None
        if other is None:
            return Decision(facts, agreed=seen.is_whole, overtaken=overtaken)
        first, second = (state.name_of(str(order[0].player)) for order in (facts, other))
        return Decision(troubles=(saying("order-unclear", first=first, second=second),), orders=(facts, other))
    if is_cleared(referee.table, seen.table):
        return Decision(troubles=(saying("board-cleared"),))
    if state.comparing:
        count = len(changes(referee.table, seen.table))
        return Decision(troubles=(saying("check-board", count=count),))
    if unseen := sorted(state.overtaken & _touched(facts[legal])):
        asked = saying("came-unseen", place=unseen[0], where=unseen[0])
        return Decision(facts[:legal], pending, (asked,), overtaken=overtaken)
    longest_s = HIDDEN_S if asks else RECORDED_S
    if now_s - pending.since_s >= (max(patience_s, longest_s) if pending.hidden else patience_s):
        return Decision(facts)
    return Decision(facts[:legal], pending, overtaken=overtaken)


def _pending(before: Pending | None, seen: Seen, now_s: float) -> Pending:
    if before is None or before.table != seen.table:
        return Pending(seen.table, now_s, seen.held)
    return replace(before, hidden=before.hidden & seen.held)


def _waits(
    state: StationState, facts: tuple[Any, ...], pending: Pending, now_s: float, overtaken: frozenset[str]
) -> bool:
    """Whether something that is hidden may have happened first, or instead: who begins, and who did what the place does
    not tell, is known by the turn alone. A pass is certain only if nothing is hidden at all."""
    if pending.hidden and is_inferred(facts):
        return True
    if now_s - pending.since_s >= COVERED_S:
        return False
    is_anybodys = not state.referee.told or not all(_tells_who(state.referee.game, fact) for fact in facts)
    if pending.hidden and is_anybodys:
        return True
    return bool(overtaken)


def _overtaken(
    state: StationState, facts: tuple[Any, ...], hidden: frozenset[str], may_precede: Precedes
) -> frozenset[str]:
    """Where something hidden may have been done before one of these facts."""
    befores = [told(state, facts[:count])[0] for count in range(len(facts))]
    return frozenset().union(
        *(
            may_precede(before.referee.position, before.summary, hidden, fact)
            for before, fact in zip(befores, facts, strict=True)
        )
    )


def _touched(fact: Any) -> set[str]:
    """The places and pieces that a fact is about."""
    return {
        str(name) for change in fact.changes() for name in (change.piece.code, change.origin, change.target) if name
    }


def _tells_who(game: Game[Any, Any], fact: Any) -> bool:
    """Whether it was done at a place of one player's: those end with the player's letter."""
    ends = tuple(str(place) for change in fact.changes() for place in (change.origin, change.target) if place)
    return any(place.endswith(game.players) for place in ends)


def is_inferred(facts: tuple[Any, ...]) -> bool:
    """Whether one of them leaves no trace: it must have happened only if nothing else can have."""
    return any(not fact.changes() for fact in facts)


def _other_order(state: StationState, facts: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The same with its first two acts the other way round, if two players did them, that is just as legal, and it
    matters: then the picture does not tell who was first. In the middle of a game the turn does."""
    if len(facts) < 2 or facts[0].player is None or facts[1].player in (None, facts[0].player):
        return None
    other = (facts[1], facts[0], *facts[2:])
    if legal_prefix(state, other) < len(other):
        return None
    ends = [told(state, order)[0].referee.position for order in (facts, other)]
    return None if ends[0] == ends[1] else other


def is_cleared(told: Table, seen: Table) -> bool:
    """Whether many cards are gone at once."""
    there = {piece.code for _, piece in seen}
    return sum(piece.code not in there for _, piece in told) > CLEARED


def is_left_over(state: StationState, seen: Table) -> bool:
    """Whether something of the game before still lies where it lay: that is no fact of the new one."""
    left, start = state.leftover, state.start.table
    return left is not None and any(piece in left.at(place) and piece not in start.at(place) for place, piece in seen)


def legal_prefix(state: StationState, facts: tuple[Any, ...]) -> int:
    """How many of the facts, told in order, are legal before the first that is not."""
    referee = state.referee
    for count, fact in enumerate(facts):
        referee = tell(referee, fact, state.start)
        if not referee.told[-1].verdict.legal:
            return count
    return len(facts)


def told(state: StationState, facts: tuple[Any, ...]) -> tuple[StationState, tuple[Judged, ...]]:
    """The state after these facts, and each as it was judged."""
    referee = state.referee
    judged = []
    for fact in facts:
        before = referee.position
        referee = tell(referee, fact, state.start)
        judged.append(Judged(referee.told[-1], before))
    return replace(state, referee=referee), tuple(judged)


def last_judged(start: Referee, referee: Referee) -> Judged | None:
    """The last fact with the position that it was judged in, found again from the start."""
    if not referee.told:
        return None
    position = start.position
    for one in referee.told[:-1]:
        position = _after(start.game, position, one)
    return Judged(referee.told[-1], position)


def _after(game: Game[Any, Any], position: Any, one: Told[Any]) -> Any:
    if one.ruling is None:
        return game.after(position, one.fact)
    return game.enforce(position, one.fact) if one.ruling.stands else position
