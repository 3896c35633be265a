"""The read model of an event: a pure fold over the stored entries, in the order in which they came.

`folded(EventState(), archive.entries()) == ` the state that the hub reached live, at every moment. What is not in a
journal (who is there, what a table looks like just now) is not in it: see `live`. Knows no broker, file or clock.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

from firmware.commands import order_in
from firmware.event.archive import Stored
from firmware.event.calls import Call, Stage, Step
from firmware.event.facts import (
    CallEscalated,
    CallRaised,
    CallResolved,
    CallTaken,
    JudgeCalled,
    JudgeNotNeeded,
    OrderGiven,
    PlayersNamed,
    Reason,
    decode,
)
from firmware.event.topics import HUB
from firmware.journal import Kind

TAKES_OVER = "takes over"  # in a game's head: the id of the game that it goes on with
REFUSED = "refused: "


@dataclass(frozen=True, slots=True)
class GameState:
    """A game as its entries tell it. Verdicts and board are derived from them when somebody looks (`boards`)."""

    id: str
    station: str
    book: str
    number: int
    head: tuple[tuple[str, str], ...] = ()
    began: str = ""
    is_under_way: bool = False  # something has happened in it
    is_over: bool = False
    winner: str | None = None
    won_by: str | None = None
    score: tuple[tuple[str, int], ...] = ()
    taken_over_by: str = ""

    @property
    def takes_over(self) -> str:
        return dict(self.head).get(TAKES_OVER, "")


@dataclass(frozen=True, slots=True)
class StationRecord:
    """How far a station's journal has come, how many facts it has told, and which game is on its table."""

    name: str
    book: str
    seq: int
    hash: str
    changed: str
    game: str = ""
    facts: int = 0


@dataclass(frozen=True, slots=True)
class OrderState:
    """An order and what became of it: `done` is the entry that carried it out, `refused` why it could not be."""

    number: str
    given: OrderGiven
    by: str
    at: str
    done: int | None = None
    done_at: str = ""
    refused: str = ""
    reversed_by: str = ""

    @property
    def is_pending(self) -> bool:
        return self.done is None and not self.refused


def _none() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class EventState:
    """Everything that the entries say, by name. `arrival` is the last entry folded in."""

    arrival: int = 0
    stations: Mapping[str, StationRecord] = field(default_factory=_none)
    games: Mapping[str, GameState] = field(default_factory=_none)
    calls: Mapping[str, Call] = field(default_factory=_none)
    orders: Mapping[str, OrderState] = field(default_factory=_none)

    def game_of(self, station: str) -> GameState | None:
        """The game on a station's table, or the last one there."""
        record = self.stations.get(station)
        return self.games.get(record.game) if record is not None else None

    def open_calls(self) -> tuple[Call, ...]:
        """Those that somebody has to see to, the longest waiting first."""
        return tuple(sorted((call for call in self.calls.values() if call.is_open), key=lambda call: call.since))

    def waiting(self) -> tuple[OrderState, ...]:
        """The orders that their station has not answered yet, the oldest first."""
        return tuple(one for one in self.orders.values() if one.is_pending)

    def results(self) -> tuple[GameState, ...]:
        """Games that are over and count: one that a spare went on with counts there."""
        return tuple(game for game in self.games.values() if game.is_over and not game.taken_over_by)


def game_id(station: str, book: str, number: int) -> str:
    return f"{station}/{book}/{number}"


def folded(state: EventState, entries: Iterable[Stored]) -> EventState:
    """The state after these entries."""
    folding = _Folding(state)
    for stored in entries:
        folding.take(stored)
    return folding.state()


class _Folding:
    """Dictionaries while a batch is folded in, so that a thousand entries copy them once. Calls and orders stay the
    very same mappings where no entry of the batch was about them."""

    def __init__(self, state: EventState) -> None:
        self._before = state
        self._arrival = state.arrival
        self._stations = dict(state.stations)
        self._games = dict(state.games)
        self._calls = dict(state.calls)
        self._orders = dict(state.orders)

    def state(self) -> EventState:
        before = self._before
        return EventState(
            self._arrival,
            MappingProxyType(self._stations),
            MappingProxyType(self._games),
            before.calls if self._calls == before.calls else MappingProxyType(self._calls),
            before.orders if self._orders == before.orders else MappingProxyType(self._orders),
        )

    def take(self, stored: Stored) -> None:
        self._arrival = stored.arrival
        if stored.station == HUB:
            self._take_hubs(stored)
        else:
            self._take_stations(stored)

    def _take_stations(self, stored: Stored) -> None:
        station, entry = stored.station, stored.entry
        id_ = game_id(station, stored.book, entry.game) if entry.game else ""
        self._take_order(stored)
        match entry.kind:
            case Kind.BEGIN:
                self._begin(stored, id_)
            case Kind.FACT | Kind.ACT | Kind.END:
                self._go_on(stored, id_)
            case Kind.NOTE:
                self._note(stored, id_)
        before = self._stations.get(station)
        game, facts = (before.game, before.facts) if before is not None and before.book == stored.book else ("", 0)
        facts += entry.kind is Kind.FACT
        self._stations[station] = StationRecord(
            station, stored.book, entry.seq, entry.hash, entry.at, id_ or game, facts
        )

    def _begin(self, stored: Stored, id_: str) -> None:
        entry = stored.entry
        head = tuple(sorted((str(key), str(value)) for key, value in _object(entry.line).items()))
        game = GameState(id_, stored.station, stored.book, entry.game, head, entry.at)
        self._games[id_] = game
        taken = self._games.get(game.takes_over)
        if taken is not None and self._is_asked_to_take(stored, taken.id):
            self._games[taken.id] = replace(taken, taken_over_by=id_)
            for call in [one for one in self._calls.values() if one.is_open and one.station == taken.station]:
                self._add_call(replace(call, station=stored.station))  # the judge is wanted at the table

    def _is_asked_to_take(self, stored: Stored, game: str) -> bool:
        """Whether a judge had this station go on with that game: none takes another's result away by itself."""
        order = self._orders.get(order_in(stored.entry.who) or "")
        if order is None or order.given.station != stored.station or order.done != stored.entry.seq:
            return False
        head = order.given.command.get("head")
        return isinstance(head, dict) and head.get(TAKES_OVER) == game

    def _go_on(self, stored: Stored, id_: str) -> None:
        entry = stored.entry
        game = self._games.get(id_) or GameState(id_, stored.station, stored.book, entry.game, began=entry.at)
        if entry.kind is Kind.END:
            end = _object(entry.line)
            winner, won_by = (None if end.get(key) is None else str(end[key]) for key in ("winner", "by"))
            score = _score(end.get("score"))
            game = replace(game, is_over=True, winner=winner, won_by=won_by, score=score)
        elif game.is_over or not game.is_under_way:
            # Whatever comes after an end opens the game again; if it is still over, another end follows.
            game = replace(game, is_under_way=game.is_under_way or entry.kind is Kind.FACT, is_over=False)
        self._games[id_] = game

    def _note(self, stored: Stored, id_: str) -> None:
        entry = stored.entry
        match decode(entry.line):
            case JudgeCalled(reason, words):
                self._call(stored, reason, words)
            case JudgeNotNeeded(reason):
                call = self._last_call(stored.station, reason)
                if call is not None:
                    self._calls[call.id] = call.withdrawn(entry.who, stored.received)
            case PlayersNamed(head) if (game := self._games.get(id_)) is not None:
                named = dict(game.head) | {str(key): str(value) for key, value in head.items()}
                self._games[id_] = replace(game, head=tuple(sorted(named.items())))
            case _:
                pass

    def _call(self, stored: Stored, reason: Reason, words: str) -> None:
        """A station calls; whoever presses twice calls once."""
        entry, before = stored.entry, self._last_call(stored.station, reason)
        if before is not None and before.goes_on(stored.received):
            self._calls[before.id] = before.made_again()
            return
        id_ = f"{stored.station}.{stored.book}.{entry.seq}"
        self._add_call(Call(id_, stored.station, reason, (Step(Stage.OPEN, entry.who, stored.received, words),)))

    def _add_call(self, call: Call) -> None:
        self._newest[call.station, call.reason] = call.id
        self._calls[call.id] = call

    def _last_call(self, station: str, reason: Reason) -> Call | None:
        return self._calls.get(self._newest.get((station, reason), ""))

    @cached_property
    def _newest(self) -> dict[tuple[str, Reason], str]:
        """The newest call of every table and reason; looked for once in a batch that has calls."""
        return {(one.station, one.reason): one.id for one in self._calls.values()}

    def _take_order(self, stored: Stored) -> None:
        entry = stored.entry
        number = order_in(entry.who)
        order = self._orders.get(number) if number is not None else None
        if order is None or not order.is_pending or order.given.station != stored.station:
            return
        if entry.kind is Kind.NOTE and entry.line.startswith(REFUSED):
            self._orders[order.number] = replace(order, refused=entry.line.removeprefix(REFUSED), done_at=entry.at)
            return
        self._orders[order.number] = replace(order, done=entry.seq, done_at=entry.at)
        undone = self._orders.get(order.given.reverses)
        if undone is not None:
            self._orders[undone.number] = replace(undone, reversed_by=order.number)

    def _take_hubs(self, stored: Stored) -> None:
        entry = stored.entry
        match decode(entry.line):
            case CallRaised(station, reason, words):
                step = Step(Stage.OPEN, entry.who, entry.at, words)
                self._add_call(Call(f"{HUB}.{entry.seq}", station, reason, (step,)))
            case CallTaken(id_) | CallEscalated(id_) | CallResolved(id_) as fact:
                if id_ in self._calls:
                    self._calls[id_] = self._calls[id_].after(fact, entry.who, entry.at)
            case OrderGiven() as given:
                number = f"{stored.book}.{entry.seq}"
                self._orders[number] = OrderState(number, given, entry.who, entry.at)
            case _:
                pass


def _score(score: Any) -> tuple[tuple[str, int], ...]:
    if not isinstance(score, dict):
        return ()
    return tuple((str(player), held) for player, held in score.items() if isinstance(held, int))


def _object(line: str) -> dict[str, Any]:
    """The JSON object of a line; nothing when it is none, which the audit names."""
    try:
        document = json.loads(line)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}
