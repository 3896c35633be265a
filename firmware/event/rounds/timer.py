"""The clock of a round: it runs, stands still, and has more left for single tables. Pure: it is told how late it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from firmware.event.rounds.facts import Refused, RoundPaused, RoundResumed, TimeAdded


@dataclass(frozen=True, slots=True)
class Timer:
    """The clock of a round: what was left when it last began to run; it stands while `since` is None."""

    left_s: float
    since: datetime | None = None
    added_s: tuple[tuple[int, int], ...] = ()  # seconds more for single tables

    def left_at(self, now: datetime, table: int | None = None) -> float:
        """The seconds left; below nothing when time is up."""
        gone = 0.0 if self.since is None else (now - self.since).total_seconds()
        return self.left_s - gone + dict(self.added_s).get(table or 0, 0)

    def ends_at(self, table: int | None = None) -> datetime | None:
        """When time is up, while the clock runs."""
        more = dict(self.added_s).get(table or 0, 0)
        return None if self.since is None else self.since + timedelta(seconds=self.left_s + more)

    def after(self, fact: RoundPaused | RoundResumed | TimeAdded, now: datetime) -> Timer:
        """The clock after this; raises Refused where it does not fit."""
        match fact:
            case RoundPaused(number):
                if self.since is None:
                    raise Refused("clock-stands", round=number)
                return replace(self, left_s=self.left_at(now), since=None)
            case RoundResumed(number):
                if self.since is not None:
                    raise Refused("clock-runs", round=number)
                return replace(self, since=now)
            case TimeAdded(_, seconds, None, _):
                return replace(self, left_s=self.left_s + seconds)
            case TimeAdded(_, seconds, table, _):
                added = dict(self.added_s)
                added[table or 0] = added.get(table or 0, 0) + seconds
                return replace(self, added_s=tuple(sorted(added.items())))
