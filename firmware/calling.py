"""Calling a judge, from the table's side: what the station shows of a call, and when it calls by itself. Pure. Also
what the table was asked about the names of its players.

Something that cannot be read, or a table that is not as it should be, is a matter for the players first; after a while
it is one for a judge. What has gone away by itself needs none.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from firmware.commands import CallJudge
from firmware.event.facts import JudgeCalled, JudgeNotNeeded, NamesAsked, PlayersNamed, Reason, TableTold, decode
from firmware.journal import Entry, Kind
from firmware.state import Saying, StationState, saying

CALLS = frozenset({"judge-called", "judge-coming", "head-judge-called"})
NAMES = "check-names"
NOTED = CALLS | {NAMES}
AFTER_S = {Reason.UNREADABLE: 60.0, Reason.APART: 90.0}
GONE_S = 5.0


def called(calls: frozenset[Saying], line: str, who: str) -> frozenset[Saying]:
    """What the station says about its calls, and about its players' names, after this note of its journal."""
    names = frozenset(one for one in calls if one.name == NAMES)
    match decode(line):
        case JudgeCalled(reason):
            return calls if _about(calls, reason) else calls | {saying("judge-called", reason=reason)}
        case JudgeNotNeeded(reason):
            return calls - {saying("judge-called", reason=reason)}  # what judges know of, they close
        case TableTold(_, "open" | "taken" | "escalated" | "resolved" as stage, about):
            return calls - _about(calls, about) | told_of_call(stage, who.partition(" (order")[0], about)
        case NamesAsked(head):
            return calls - names | {names_asked(head)}
        case PlayersNamed():
            return calls - names
        case _:
            return calls


def told_of_call(stage: str, by: str, about: str = "") -> frozenset[Saying]:
    """What the station says of a call, made for this reason, that has come to this stage at the hub."""
    match stage:
        case "open":
            return frozenset({saying("judge-called", by=by, reason=about)})
        case "taken":
            return frozenset({saying("judge-coming", by=by, reason=about)})
        case "escalated":
            return frozenset({saying("head-judge-called", by=by, reason=about)})
        case _:
            return frozenset()


def _about(calls: frozenset[Saying], reason: str) -> frozenset[Saying]:
    """The calls for this reason; a hub that does not say which means all of them."""
    return frozenset(one for one in calls if one.name in CALLS and reason in ("", dict(one.about).get("reason")))


def names_asked(head: Mapping[str, str]) -> Saying:
    """The question whether these play here. The whole head goes with it, to be written down with the answer."""
    players = [name for key, name in sorted(head.items()) if key.startswith("player ")]
    return saying(NAMES, players=" - ".join(map(str, players)), head=json.dumps(dict(head), sort_keys=True))


def asked_head(troubles: Iterable[Saying]) -> dict[str, str] | None:
    """The head that the table was asked about and has not answered."""
    found = next((dict(one.about)["head"] for one in troubles if one.name == NAMES), None)
    return None if found is None else dict(json.loads(str(found)))


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
