"""From what is seen back to what was done: the facts that lead from the table told of to the one in view.

One fact at a time, until nothing is left to explain. How the acts of the game look from above is in `looks`; what no
act explains was moved by hand, and what agrees with the position again was put right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.lords_of_scotland.course import enforce
from engine.lords_of_scotland.facts import Fact, PutRight, Shifted
from engine.lords_of_scotland.legality import judge
from engine.lords_of_scotland.looks import LOOKS
from engine.lords_of_scotland.position import Position
from engine.lords_of_scotland.scene import Scene
from engine.table import UNKNOWN, Change, Table, changes, gone


def explain(position: Position, told: Table, seen: Table) -> tuple[Fact, ...]:
    """The facts that lead from the table told of to the one seen; told after their changes equals seen."""
    facts: list[Fact] = []
    for change in _put_right(position, told, seen):
        facts.append(PutRight(change))
        told = told.after([change])
    visited = {told}
    while told != seen:
        scene = Scene(position, told, seen)
        fact = next((fact for look in LOOKS for fact in look(scene) if _leads_on(told, fact, visited, facts)), None)
        if fact is None:
            break
        facts.append(fact)
        told = told.after(fact.changes())
        visited.add(told)
        position = enforce(position, fact) if judge(position, fact).legal else position
    return (*facts, *(Shifted(change) for change in _rest(told, seen)))


def _leads_on(told: Table, fact: Fact, visited: set[Table], facts: list[Fact]) -> bool:
    """The fact leads to a table not been at before. One that changes nothing tells what the next one rests on, once."""
    return told.after(fact.changes()) not in visited if fact.changes() else fact not in facts


def _put_right(position: Position, told: Table, seen: Table) -> Iterator[Change]:
    """The changes that bring a piece to where it ought to lie, each as often as it is wanted."""
    for differences in (changes, _face_down):
        wanted = Counter(differences(told, position.table()))
        right = Counter(differences(told, seen)) & wanted
        yield from right.elements()
        told = told.after(right.elements())


def _face_down(before: Table, after: Table) -> tuple[Change, ...]:
    """Cards face down that left and that came: nobody knows of one that lies elsewhere now whether it is the same."""
    left = (Change(piece, place, None) for place, piece in gone(before, after) if piece.code == UNKNOWN)
    came = (Change(piece, None, place) for place, piece in gone(after, before) if piece.code == UNKNOWN)
    return (*left, *came)


def _rest(told: Table, seen: Table) -> Iterator[Change]:
    """What no act explains, piece by piece. All of one code in one place are taken up and laid again where it would
    not be clear which of them moved."""
    for change in changes(told, seen):
        after = told.after([change])
        yield change
        told = after
    codes = {(place, piece.code) for place, piece in gone(told, seen) + gone(seen, told)}
    for place, code in sorted(codes):
        yield from (Change(piece, place, None) for piece in told.at(place) if piece.code == code)
        yield from (Change(piece, None, place) for piece in seen.at(place) if piece.code == code)
