"""The tournament: players, tables, rounds, results and the round's clock, as a fold over the facts.

Frozen; `after` gives the next state or says why a fact does not fit (`Refused`). Knows what may happen when; who meets
whom is found by `next_round`, how everybody stands by `standings`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, assert_never

from firmware.event.rounds.facts import (
    EventOpened,
    Fact,
    How,
    Pairing,
    PlayerEntered,
    PlayerLeft,
    PlayerReturned,
    PlayersSwapped,
    Refused,
    Result,
    ResultEntered,
    RoundPaired,
    RoundPaused,
    RoundResumed,
    RoundStarted,
    RoundWithdrawn,
    Style,
    TableSet,
    TimeAdded,
)
from firmware.event.rounds.round import Entered, Round
from firmware.event.rounds.scoring import LONGEST_MATCH, ONE_GAME, SCORINGS, Match
from firmware.event.rounds.timer import Timer


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who plays in the event. `since` is the first round they can play in."""

    number: int
    name: str
    club: str = ""
    since: int = 1
    is_in: bool = True


@dataclass(frozen=True)
class Tournament:
    """All of it. Nothing is known before the event was opened."""

    opened: EventOpened | None = None
    players: Mapping[int, Entrant] = field(default_factory=dict)
    tables: Mapping[int, str | None] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()

    @property
    def round(self) -> Round | None:
        """The last round that was paired."""
        return self.rounds[-1] if self.rounds else None

    @property
    def match(self) -> Match:
        """What two players meet for."""
        opened = self.opened
        return ONE_GAME if opened is None else Match(opened.best_of, SCORINGS[opened.game])

    @property
    def style(self) -> Style:
        """How the next round is paired unless somebody says otherwise: as the last one was."""
        if self.rounds:
            return self.rounds[-1].style
        return Style.SWISS if self.opened is None else self.opened.style

    def playing(self) -> tuple[Entrant, ...]:
        """Who can be paired for the next round."""
        return tuple(one for _, one in sorted(self.players.items()) if one.is_in)

    def name_of(self, number: int) -> str:
        return self.players[number].name

    def after(self, fact: Fact, at: str, who: str) -> Tournament:
        """The tournament after this; raises Refused where it does not fit."""
        if self.opened is None and not isinstance(fact, EventOpened):
            raise Refused("not-opened")
        match fact:
            case EventOpened():
                return self._opened(fact)
            case PlayerEntered() | PlayerLeft() | PlayerReturned():
                return self._entrants(fact)
            case TableSet(table, station):
                return self._with_table(table, station)
            case RoundPaired():
                return self._paired(fact)
            case RoundWithdrawn(number, _):
                self._unstarted(number)
                return replace(self, rounds=self.rounds[:-1])
            case PlayersSwapped(number, one, other, _):
                return self._with_round(self._unstarted(number).swapped(one, other))
            case RoundStarted(number, minutes):
                timer = Timer(minutes * 60.0, datetime.fromisoformat(at))
                return self._with_round(replace(self._unstarted(number), timer=timer))
            case RoundPaused() | RoundResumed() | TimeAdded():
                return self._timed(fact, datetime.fromisoformat(at))
            case ResultEntered():
                return self._with_round(self._resulted(fact, at, who), fact.round)
            case _:
                assert_never(fact)

    def _opened(self, fact: EventOpened) -> Tournament:
        if self.opened is not None:
            raise Refused("opened-already", name=self.opened.name)
        if fact.game not in SCORINGS or fact.best_of % 2 == 0 or not 1 <= fact.best_of <= LONGEST_MATCH:
            raise Refused("bad-match", most=LONGEST_MATCH)
        return replace(self, opened=fact)

    def _entrants(self, fact: PlayerEntered | PlayerLeft | PlayerReturned) -> Tournament:
        if isinstance(fact, PlayerEntered):
            return self._entered(fact)
        found = self.players.get(fact.number)
        if found is None:
            raise Refused("no-player", number=fact.number)
        if found.is_in == isinstance(fact, PlayerReturned):
            raise Refused("is-in" if found.is_in else "is-out", name=found.name)
        changed = replace(found, is_in=isinstance(fact, PlayerReturned))
        return replace(self, players={**self.players, fact.number: changed})

    def _entered(self, fact: PlayerEntered) -> Tournament:
        if fact.number in self.players:
            raise Refused("number-taken", number=fact.number, name=self.players[fact.number].name)
        if any(one.name.casefold() == fact.name.casefold() for one in self.players.values()):
            raise Refused("name-taken", name=fact.name)
        if self.rounds and self.rounds[-1].style is not Style.SWISS:
            raise Refused("too-late", name=fact.name)
        entrant = Entrant(fact.number, fact.name, fact.club, since=len(self.rounds) + 1)
        return replace(self, players={**self.players, fact.number: entrant})

    def _with_table(self, table: int, station: str | None) -> Tournament:
        taken = next((t for t, name in self.tables.items() if name == station and t != table), None)
        if station is not None and taken is not None:
            raise Refused("station-taken", station=station, table=taken)
        return replace(self, tables={**self.tables, table: station})

    def _paired(self, fact: RoundPaired) -> Tournament:
        if self.rounds and not self.rounds[-1].is_over:
            raise Refused("round-open", round=self.rounds[-1].number, tables=len(self.rounds[-1].waiting))
        if fact.round != len(self.rounds) + 1:
            raise Refused("no-round", round=fact.round)
        seated = [player for one in fact.pairings for player in one.players]
        tables = [one.table for one in fact.pairings if one.b is not None]
        fits = len(seated) == len(set(seated)) and all(number in self.players for number in seated)
        if not seated or not fits or None in tables or len(set(tables)) != len(tables):
            raise Refused("bad-pairing", round=fact.round)
        paired = Round(fact.round, fact.style, fact.pairings, fact.order, match=self.match)
        return replace(self, rounds=(*self.rounds, paired))

    def _last(self, number: int) -> Round:
        if not self.rounds or self.rounds[-1].number != number:
            raise Refused("no-round", round=number)
        return self.rounds[-1]

    def _unstarted(self, number: int) -> Round:
        last = self._last(number)
        if last.is_started or last.entries:
            raise Refused("round-begun", round=number)
        return last

    def _timed(self, fact: RoundPaused | RoundResumed | TimeAdded, now: datetime) -> Tournament:
        last = self._last(fact.round)
        if last.timer is None:
            raise Refused("round-not-begun", round=fact.round)
        if isinstance(fact, TimeAdded) and fact.table is not None and last.at(fact.table) is None:
            raise Refused("no-table", table=fact.table, round=fact.round)
        return self._with_round(replace(last, timer=last.timer.after(fact, now)))

    def _with_round(self, changed: Round, number: int | None = None) -> Tournament:
        n = (number or changed.number) - 1
        return replace(self, rounds=(*self.rounds[:n], changed, *self.rounds[n + 1 :]))

    def _resulted(self, fact: ResultEntered, at: str, who: str) -> Round:
        """A result can be put right as long as nothing was built on it that would not stand: a knock-out's winners have
        met others since."""
        if not 1 <= fact.round <= len(self.rounds):
            raise Refused("no-round", round=fact.round)
        found = self.rounds[fact.round - 1]
        if not found.is_started:
            raise Refused("round-not-begun", round=fact.round)
        pairing = found.at(fact.table)
        if pairing is None:
            raise Refused("no-table", table=fact.table, round=fact.round)
        found.match.scoring.check(fact.result)
        before, legs = found.entries.get(fact.table, ()), found.legs(fact.table)
        is_new = all(one.leg != fact.leg for one in legs)
        is_open = fact.result.how is How.REOPENED  # only what was entered can be, and nothing that others followed
        if is_open and (is_new or fact.leg != len(legs)):
            raise Refused("no-leg", table=fact.table)
        if is_new and (fact.leg != len(legs) + 1 or found.result(fact.table) is not None):
            raise Refused("match-over" if found.result(fact.table) is not None else "no-leg", table=fact.table)
        if not is_new and not fact.reason and not fact.game:
            raise Refused("needs-reason", table=fact.table)
        entered = Entered(fact.result, who, at, fact.reason, fact.game, fact.leg)
        after = replace(found, entries={**found.entries, fact.table: (*before, entered)})
        was, is_now = found.result(fact.table), after.result(fact.table)
        if found.style is Style.KNOCK_OUT:
            if is_now is not None and is_now.winner is None:
                raise Refused("no-draw")
            later = len(self.rounds) > fact.round and self.rounds[fact.round].style is Style.KNOCK_OUT
            if later and was is not None and (is_now is None or was.winner != is_now.winner):
                raise Refused("bracket-went-on", round=fact.round)
        return after


def played(tournament: Tournament) -> Iterator[tuple[Round, Pairing, Result | None]]:
    """Every pairing of every round with its result, if there is one; a bye has none."""
    for one in tournament.rounds:
        for pairing in one.pairings:
            yield one, pairing, one.result(pairing.table)


def fold(facts: Iterator[tuple[Fact, str, str]] | Any) -> Tournament:
    """The tournament after all of these: fact, when, by whom."""
    tournament = Tournament()
    for fact, at, who in facts:
        tournament = tournament.after(fact, at, who)
    return tournament
