"""Calling a judge, from the table's side: what the station shows of a call, and when it calls by itself. Pure.

Something that cannot be read, or a table that is not as it should be, is a matter for the players first; after a while
it is one for a judge. What has gone away by itself needs none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from firmware.commands import CallJudge
from firmware.event.facts import JudgeCalled, JudgeNotNeeded, Reason, TableTold, decode
from firmware.journal import Entry, Kind
from firmware.state import Saying, StationState, saying

CALLS = frozenset({"judge-called", "judge-coming"})
AFTER_S = {Reason.UNREADABLE: 60.0, Reason.APART: 90.0}
GONE_S = 5.0


def called(calls: frozenset[Saying], line: str, who: str) -> frozenset[Saying]:
    """What the station says about its call after this note of its journal."""
    match decode(line):
        case JudgeCalled():
            return frozenset({saying("judge-called")})
        case TableTold(_, "taken" | "escalated"):
            return frozenset({saying("judge-coming", by=who.partition(" (order")[0])})
        case TableTold(_, "resolved") | JudgeNotNeeded():
            return frozenset()
        case _:
            return calls


def calls_in(entries: Iterable[Entry]) -> frozenset[Saying]:
    """The same from all the entries of a game."""
    calls: frozenset[Saying] = frozenset()
    for entry in entries:
        if entry.kind is Kind.NOTE:
            calls = called(calls, entry.line, entry.who)
    return calls


@dataclass
class Vigil:
    """Watches a station's states and calls a judge for what has lasted too long."""

    _since_s: dict[Reason, float] = field(default_factory=dict)
    _gone_s: dict[Reason, float] = field(default_factory=dict)
    _called: set[Reason] = field(default_factory=set)

    def due(self, state: StationState, now_s: float) -> list[CallJudge]:
        """The calls to make now, and those to take back."""
        wrong = {Reason.UNREADABLE: bool(state.unread), Reason.APART: bool(state.referee.to_put_right)}
        is_playing = not (state.is_over or state.referee.paused or state.comparing)
        due = []
        for reason, is_wrong in wrong.items():
            if is_wrong and is_playing:
                self._gone_s.pop(reason, None)
                since_s = self._since_s.setdefault(reason, now_s)
                if reason not in self._called and now_s - since_s >= AFTER_S[reason]:
                    self._called.add(reason)
                    due.append(CallJudge(reason, who="station"))
            elif now_s - self._gone_s.setdefault(reason, now_s) >= GONE_S:
                self._since_s.pop(reason, None)
                if reason in self._called:
                    self._called.remove(reason)
                    due.append(CallJudge(reason, who="station", withdraw=True))
        return due
