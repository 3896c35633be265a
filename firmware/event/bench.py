"""The judges' bench: what people at the hub may do, as facts for its journal. Raises Refused, which says why not.

Calls go from open to resolved, and the table is told; rulings, corrections and results go to the station as orders with
a ground, words, and what counted before. The head judge may turn an order back. Nothing is ever taken out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.record import parse_entry
from engine.referee import Corrected, Decided, Paused, Reopened, Resumed, Ruled
from engine.rules import BadRecord
from firmware.commands import Announce, Command, Correct, Decide, Pause, Reopen, Rule, TakeOver, order_in
from firmware.event import orders
from firmware.event.archive import Archive
from firmware.event.boards import Board, board_of
from firmware.event.calls import Call, Stage
from firmware.event.facts import (
    CallEscalated,
    CallRaised,
    CallResolved,
    CallTaken,
    Fact,
    Ground,
    OrderGiven,
    Outcome,
    Reason,
)
from firmware.event.roles import Person, Role
from firmware.event.state import TAKES_OVER, EventState, GameState
from firmware.faults import JournalDamaged
from firmware.journal import Entry, Kind
from firmware.obey import Refused


def raise_call(state: EventState, person: Person, station: str, reason: Reason, words: str = "") -> tuple[Fact, ...]:
    """Calls a judge to a table from a page; one call a table and reason is enough."""
    _needs(person, Role.PLAYER)
    if any(call.station == station and call.reason is reason for call in state.open_calls()):
        raise Refused(f"a judge was called to {station} already")
    return (CallRaised(station, reason, words), *_told(state, station, reason, person, Stage.OPEN))


def take_call(state: EventState, person: Person, id_: str) -> tuple[Fact, ...]:
    call = _open_for(state, person, id_)
    return (CallTaken(id_), *_told(state, call.station, call.reason, person, Stage.TAKEN))


def escalate(state: EventState, person: Person, id_: str, words: str = "") -> tuple[Fact, ...]:
    """Asks the head judge to come."""
    call = _open_for(state, person, id_)
    return (CallEscalated(id_, words), *_told(state, call.station, call.reason, person, Stage.ESCALATED))


def resolve(state: EventState, person: Person, id_: str, outcome: Outcome, words: str = "") -> tuple[Fact, ...]:
    call = _open_for(state, person, id_)
    return (CallResolved(id_, outcome, words), *_told(state, call.station, call.reason, person, Stage.RESOLVED, words))


def order(
    state: EventState,
    archive: Archive,
    person: Person,
    station: str,
    command: Command,
    ground: Ground = Ground.OTHER,
    words: str = "",
) -> tuple[Fact, ...]:
    """Asks something of a station: a ruling, a correction, a result, a pause, a new game, words for the table."""
    _needs(person, Role.JUDGE)
    game = _game(state, station)
    asked = orders.document(command)
    is_of_game = asked["do"] not in ("new-game", "announce", "take-over")
    before = _board(archive, game).described(asked) if is_of_game else ""
    return (OrderGiven(station, game.book, game.number if is_of_game else 0, asked, ground, words, before),)


def reverse(state: EventState, archive: Archive, person: Person, number: str, words: str) -> tuple[Fact, ...]:
    """Turns back what an order came to: the opposite ruling, the first reading, the result withdrawn."""
    _needs(person, Role.HEAD_JUDGE)
    given = state.orders.get(number)
    if given is None or given.done is None:
        raise Refused("that order has not been carried out")
    if given.reversed_by:
        raise Refused("that order was turned back already")
    station, book, game = given.given.station, given.given.book, given.given.game
    entries = [stored.entry for stored in archive.entries(station, book, game)]
    board = _of(entries)
    facts: list[Fact] = []
    for entry in entries:
        if entry.kind is Kind.ACT and order_in(entry.who) == number:
            asked = orders.document(_opposite(entry, board, person, words))
            before = board.described(asked)
            facts.append(OrderGiven(station, book, game, asked, Ground.REVERSED, words, before, number))
    if not facts:
        raise Refused("what that order did cannot be turned back; correct the entries one by one")
    return tuple(facts)


def take_over(state: EventState, archive: Archive, person: Person, broken: str, spare: str) -> tuple[Fact, ...]:
    """A spare goes on with the game of a station that broke, from the hub's copy of its journal, and with its calls."""
    _needs(person, Role.JUDGE)
    game = _game(state, broken)
    there = state.stations.get(spare)
    if broken == spare or there is None:
        raise Refused(f"there is no other station {spare} that could go on with it")
    if game.is_over:
        raise Refused(f"the last game of {broken} is over; there is nothing to go on with")
    entries = [stored.entry for stored in archive.entries(broken, game.book, game.number)]
    board = _of(entries)
    head = dict(board.head) | {"game": board.refereed.game.name, TAKES_OVER: game.id}
    lines = tuple((e.kind.value, e.line, e.who) for e in entries if e.kind in (Kind.FACT, Kind.ACT))
    command = orders.document(TakeOver(tuple(sorted(head.items())), lines, person.name))
    farewell = orders.document(Announce(f"this table is refereed by {spare} now", person.name))
    words = f"{spare} goes on with the game of {broken}"
    called = (call for call in state.open_calls() if call.station == broken)
    return (
        OrderGiven(spare, there.book, 0, command, Ground.OTHER, words),
        *(fact for call in called for fact in _told(state, spare, call.reason, person, call.stage)),
        OrderGiven(broken, game.book, 0, farewell, Ground.OTHER, words),
    )


def _needs(person: Person, role: Role) -> None:
    if person.role < role:
        raise Refused(f"only a {role.word} may do this")


def _open_for(state: EventState, person: Person, id_: str) -> Call:
    """An open call that this person may see to: once it was escalated it is the head judge's."""
    _needs(person, Role.JUDGE)
    call = state.calls.get(id_)
    if call is None:
        raise Refused("there is no such call")
    if not call.is_open:
        raise Refused(f"the call is {call.stage.value} already")
    if call.is_escalated:
        _needs(person, Role.HEAD_JUDGE)
    return call


def _told(
    state: EventState, station: str, reason: Reason, person: Person, stage: Stage, words: str = ""
) -> tuple[Fact, ...]:
    """The table hears what became of a call, where a station is there to say it; what is said of it to other judges is
    not for the table."""
    record = state.stations.get(station)
    if record is None:
        return ()
    asked = orders.document(Announce(words, person.name, stage.value, reason.value))
    return (OrderGiven(station, record.book, 0, asked),)


def _game(state: EventState, station: str) -> GameState:
    game = state.game_of(station)
    if game is None:
        raise Refused(f"no game of {station} is known here")
    return game


def _board(archive: Archive, game: GameState) -> Board:
    return _of([stored.entry for stored in archive.entries(game.station, game.book, game.number)])


def _of(entries: Sequence[Entry]) -> Board:
    try:
        return board_of(entries)
    except JournalDamaged as error:
        raise Refused(str(error)) from error


def _opposite(entry: Entry, board: Board, person: Person, words: str) -> Command:
    """The command that turns an act back; raises Refused where there is none."""
    try:
        act: Any = parse_entry(entry.line, board.refereed.game.parse)
    except BadRecord as error:
        raise Refused(str(error)) from error
    match act:
        case Ruled(number, stands, _, _):
            return Rule(number, not stands, person.name, words)
        case Corrected(number, _, _):
            return Correct(number, board.line(number) or "", person.name)
        case Decided():
            return Reopen(person.name, words)
        case Reopened():
            decided = [one for one in board.referee.entries if isinstance(one, Decided)]
            return Decide(decided[-1].winner if decided else None, person.name, words)
        case Paused() | Resumed():
            return Pause(person.name)
        case _:
            raise Refused("what was taken back cannot be put forward again; tell it anew")
