"""The organiser's office: the tournament beside the hub's read model, kept in the hub's own thread.

Every change is checked against the tournament, then written to the hub's journal, then folded in: the office has no
state of its own. It takes results from the stations' games, has the stations told who plays at their tables, and says
how late it is on every display. Knows the hub; knows no browser.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from firmware.commands import NewGame
from firmware.event import orders, topics
from firmware.event.archive import Stored
from firmware.event.facts import OrderGiven
from firmware.event.hub import Hub, Update
from firmware.event.lines import BadLine
from firmware.event.results import results
from firmware.event.rounds import facts as rounds
from firmware.event.rounds.facts import EventOpened, Pairing, Refused, RoundStarted
from firmware.event.rounds.round import Round
from firmware.event.rounds.timer import Timer
from firmware.event.rounds.tournament import Tournament
from firmware.event.wire import RoundClock
from firmware.event.words import say
from firmware.games import refereed
from firmware.journal import Kind
from firmware.ports import Clock

STATION = "station"  # who entered a result that a station's game had
AGAIN_S = 20.0  # the clock is said again after so long, for stations whose broker was away


@dataclass(frozen=True)
class Moment:
    """What the page shows: the read model and the tournament as they belong together."""

    update: Update
    tournament: Tournament
    connected: bool


class Office:
    """In the hub's thread only. `show` gets every new moment."""

    def __init__(self, hub: Hub, clock: Clock, show: Callable[[Moment], None], log: Callable[[str], None]) -> None:
        self.hub = hub
        self.tournament = Tournament()
        self._clock = clock
        self._show = show
        self._log = log
        self._said: tuple[Timer | None, float] | None = None
        self._refused: set[rounds.ResultEntered] = set()
        self._is_due = True
        self._fold(hub.archive.entries(station=topics.HUB))
        hub.subscribe(self._on_update)

    def tell(self, facts: Iterable[rounds.Fact], who: str) -> None:
        """Writes facts of the rounds, all or none; raises Refused for the first that does not fit."""
        told = tuple(facts)
        after, at = self.tournament, self._now()
        for fact in told:
            after = after.after(fact, at, who)
        self.hub.write_lines((rounds.encode(fact) for fact in told), who)

    def start(self, number: int, minutes: int, who: str) -> None:
        """Starts the clock of a round, and has every station begin the game of its table."""
        self.tell([RoundStarted(number, minutes)], who)
        opened, started = self.tournament.opened, self.tournament.rounds[number - 1]
        if opened is None:
            return
        games = [
            self._new_game(station, pairing, started, opened)
            for pairing in started.games
            if pairing.table is not None and (station := self.tournament.tables.get(pairing.table)) is not None
        ]
        self.hub.write(games, who)

    def note(self, what: str, who: str, **about: str) -> None:
        """Something worth keeping that is no fact of calls or rounds."""
        self.hub.write_lines([json.dumps({"what": what, **about}, ensure_ascii=False)], who)

    def show_again(self) -> None:
        """The newest moment, also when nothing of it changed."""
        self._show(Moment(Update(0, self.hub.state, dict(self.hub.live)), self.tournament, self.hub.fault is None))

    def tick(self) -> None:
        """Once a round of the hub's loop: results that have come, and the clock on every display, said when it changes
        and now and then."""
        if self._is_due:
            self._collect()
        current, now_s = self.tournament.round, self._clock.monotonic_s()
        timer = None if current is None or current.is_over else current.timer
        if self._said is None or self._said[0] != timer or now_s - self._said[1] > AGAIN_S:
            self.hub.tell_all(topics.ROUND, round_clock(self.tournament, self._clock.now()).document())
            self._said = timer, now_s

    def _on_update(self, update: Update) -> None:
        self._fold(update.stored)
        # Not only an end may say something new of a result: a game is opened again, named, or its table is.
        self._is_due |= any(one.station == topics.HUB or one.entry.kind is not Kind.FACT for one in update.stored)
        self._show(Moment(update, self.tournament, self.hub.fault is None))

    def _fold(self, stored: Iterable[Stored]) -> None:
        for one in stored:
            if one.station != topics.HUB or one.entry.kind is not Kind.FACT:
                continue
            try:
                fact = rounds.decode(one.entry.line)
            except BadLine:
                continue  # a fact of something else: a call, an order
            self.tournament = self.tournament.after(fact, one.entry.at, one.entry.who)

    def _collect(self) -> None:
        """Enters what the stations' games ended with and what nobody entered by hand."""
        self._is_due = False
        for fact in list(results(self.tournament, self.hub.state)):
            try:
                self.tell([fact], STATION)
            except Refused as refused:  # a result that cannot be: a judge has to look at it
                if fact not in self._refused:
                    self._refused.add(fact)
                    self._log(f"table {fact.table}: {say(f'refused_{refused.why}', 'en', **refused.about)}")

    def _new_game(self, station: str, pairing: Pairing, started: Round, opened: EventOpened) -> OrderGiven:
        """The station's next game, under the names of those who play it."""
        a, b = (self.tournament.name_of(number) for number in pairing.players)
        rules = {"game": opened.game, **refereed(opened.game).rules(opened.variant)}
        head = {**rules, "player A": a, "player B": b, "round": str(started.number)}
        record, last = self.hub.state.stations.get(station), self.hub.state.game_of(station)
        command = orders.document(NewGame(tuple(sorted(head.items())), after=0 if last is None else last.number))
        return OrderGiven(station, "" if record is None else record.book, 0, command)

    def _now(self) -> str:
        return self._clock.now().isoformat(timespec="milliseconds")


def round_clock(tournament: Tournament, now: datetime) -> RoundClock:
    """What is left of the round now, as stations read it."""
    current = tournament.round
    timer = None if current is None else current.timer
    if current is None or timer is None or current.is_over:
        return RoundClock(0 if current is None else current.number)
    tables = {tournament.tables.get(table): seconds for table, seconds in timer.added_s}
    added = tuple(sorted((station, seconds) for station, seconds in tables.items() if station is not None))
    return RoundClock(current.number, round(timer.left_at(now), 1), timer.since is not None, added)
