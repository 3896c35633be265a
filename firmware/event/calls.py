"""A judge's call: open → taken → escalated → resolved, or withdrawn by the station that made it. Pure.

Once escalated it is the head judge's until it is closed. A station takes back only what nobody has taken: who is on the
way closes the call, and says how. While a call is open the clock of its table stands still; how long it did is what is
proposed as an extension. A table that withdraws its call and soon makes it again goes on with the same one: whoever
presses all day has one call of a kind, and judges one alarm.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from firmware.event.facts import CallEscalated, CallResolved, CallTaken, Outcome, Reason

WHOLE_S = 30  # extensions are proposed in steps of so many seconds
SOON = timedelta(minutes=2)  # a call that is made again after its withdrawal is the same one


class Stage(StrEnum):
    OPEN = "open"
    TAKEN = "taken"
    ESCALATED = "escalated"
    RESOLVED = "resolved"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Step:
    """One stage of a call: which, by whom, when, and what was said."""

    stage: Stage
    by: str
    at: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A call with everything that happened to it. `station` may be a table without one (`table 12`)."""

    id: str
    station: str
    reason: Reason
    steps: tuple[Step, ...]
    outcome: Outcome | None = None
    is_settled: bool = False  # its station says so; whoever took it closes it

    @property
    def stage(self) -> Stage:
        return self.steps[-1].stage

    @property
    def is_open(self) -> bool:
        """Whether somebody still has to see to it."""
        return self.stage not in (Stage.RESOLVED, Stage.WITHDRAWN)

    @property
    def is_escalated(self) -> bool:
        """Whether it was ever passed on: from then on it is the head judge's."""
        return any(step.stage is Stage.ESCALATED for step in self.steps)

    @property
    def may_withdraw(self) -> bool:
        """Whether its station can take it back: not what was raised at the hub, or what a judge has seen to."""
        return self.stage is Stage.OPEN and self.id.startswith(f"{self.station}.")

    @property
    def words(self) -> str:
        return self.steps[0].words

    @property
    def since(self) -> datetime:
        return datetime.fromisoformat(self.steps[0].at)

    @property
    def judge(self) -> str | None:
        """Who has taken it last."""
        return next((step.by for step in reversed(self.steps) if step.stage is Stage.TAKEN), None)

    def stood_still(self, now: datetime) -> timedelta:
        """How long the table's clock has stood still for it."""
        until = now if self.is_open else datetime.fromisoformat(self.steps[-1].at)
        return max(timedelta(), until - self.since)

    def proposed_s(self, now: datetime) -> int:
        """The extension to propose, in whole steps."""
        return -int(-self.stood_still(now).total_seconds() // WHOLE_S) * WHOLE_S

    def after(self, fact: CallTaken | CallEscalated | CallResolved, by: str, at: str) -> Call:
        """The call after one more fact about it. What came after its end is kept too, and changes nothing else."""
        match fact:
            case CallTaken():
                step = Step(Stage.TAKEN, by, at)
            case CallEscalated(_, words):
                step = Step(Stage.ESCALATED, by, at, words)
            case CallResolved(_, outcome, words):
                return replace(self, steps=(*self.steps, Step(Stage.RESOLVED, by, at, words)), outcome=outcome)
        return replace(self, steps=(*self.steps, step)) if self.is_open else self

    def withdrawn(self, by: str, at: str) -> Call:
        """The call once its station says that nobody is needed."""
        if self.may_withdraw:
            return replace(self, steps=(*self.steps, Step(Stage.WITHDRAWN, by, at)))
        return replace(self, is_settled=True) if self.is_open else self

    def goes_on(self, at: str) -> bool:
        """Whether a call for the same, made then, is this one."""
        last = self.steps[-1]
        if last.stage is not Stage.WITHDRAWN:
            return self.is_open
        return datetime.fromisoformat(at) - datetime.fromisoformat(last.at) < SOON

    def made_again(self) -> Call:
        """The call as it was before its station said that nobody was needed."""
        return replace(self, steps=self.steps if self.is_open else self.steps[:-1], is_settled=False)


def stood_still(calls: Iterable[Call], station: str, since: datetime, now: datetime) -> timedelta:
    """How long a table's clock has stood still since then, calls that overlap counted once."""
    spans = sorted(
        (max(call.since, since), call.since + call.stood_still(now)) for call in calls if call.station == station
    )
    still, end = timedelta(), since
    for start, until in spans:
        still += max(timedelta(), until - max(start, end))
        end = max(end, until)
    return still
