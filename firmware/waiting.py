"""What waits because something on the table cannot be named: tables in the order in which they were seen.

Knows tables and places; tells nothing and judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from firmware.interpret import Seen
from firmware.state import Saying, StationState, Waiting, saying

LONGEST_QUEUE = 64


def queued(state: StationState, seen: Seen, now_s: float) -> StationState:
    """The state with one more table that waits. One that looks as before takes back what was done in between."""
    known = (state.referee.table, *(one.table for one in state.waiting))
    if seen.table in known:
        return replace(state, waiting=state.waiting[: known.index(seen.table)])
    waiting = Waiting(state.frame, now_s, seen.table, seen.fresh)
    return replace(state, waiting=(*state.waiting, waiting)[-LONGEST_QUEUE:])


def doubt(
    facts: tuple[Any, ...], seen: Seen, lamp: Callable[[str], int | None], *, lasts: bool = False
) -> Saying | None:
    """Whether a foul hangs on a card that cannot be read: then no verdict is better than one. A claim there does at
    once; any other foul may be none, since that card may have been the move before it: said once it `lasts`."""
    moved = {lamp(change.target) for fact in facts[:1] for change in fact.changes() if change.origin and change.target}
    doubted = next((one for one in seen.unread if (facts and lasts) or lamp(one.place) in moved - {None}), None)
    return None if doubted is None else saying("judges-call", place=doubted.place, where=doubted.place)
