"""What may be asked of the event through its page, by whom, and what it comes to: facts in the hub's journal.

Called in the hub's thread. Whatever is wrong with a request is a BadRequest; what does not fit is Refused. Knows
requests and facts; knows neither cookies nor the web framework.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from engine.table import Player
from firmware.commands import Accept, Command, Correct, Decide, Pause, Rule
from firmware.event import bench
from firmware.event.calls import Call, Stage
from firmware.event.facts import Fact, Ground, Outcome, Reason
from firmware.event.page.badges import LONGEST_DAY, Badges, Session
from firmware.event.page.office import Office
from firmware.event.page.rows import table_name
from firmware.event.roles import Person, Role
from firmware.event.rounds.facts import (
    EventOpened,
    How,
    PlayerEntered,
    PlayerLeft,
    PlayerReturned,
    PlayersSwapped,
    Refused,
    Result,
    ResultEntered,
    RoundPaused,
    RoundResumed,
    RoundWithdrawn,
    Seat,
    Style,
    TableSet,
    TimeAdded,
)
from firmware.event.rounds.lists import read_players, read_tables
from firmware.event.rounds.next_round import next_round
from firmware.event.state import EventState
from firmware.games import VARIANTS
from firmware.web.acts import Asked, BadRequest, name, number, one_of, text

LONGEST_ROUND = 24 * 60
LONGEST_LIST = 200_000  # characters


@dataclass(frozen=True)
class Asking:
    """One request: what is asked, by whom, and where it is done."""

    asked: Asked
    session: Session
    office: Office
    badges: Badges

    @property
    def who(self) -> str:
        return self.session.who

    @property
    def person(self) -> Person:
        return self.session.person

    @property
    def state(self) -> EventState:
        return self.office.hub.state

    def write(self, facts: tuple[Fact, ...]) -> None:
        self.office.hub.write(facts, self.who)

    def words(self, key: str = "words") -> str:
        return text(self.asked, key, "")

    def whole(self, key: str, low: int, high: int) -> int:
        return int(number(self.asked, key, low, high))


Answer = dict[str, Any] | None


# Calls


def _place(at: Asking) -> str:
    """The table that is asked about, as calls name it: a player's own, a table's number, or a station without one."""
    tournament = at.office.tournament
    if at.session.role is Role.PLAYER:
        current = tournament.round
        pairing = None if current is None or at.session.player is None else current.of(at.session.player)
        if pairing is None or pairing.table is None:
            raise Refused("no-table-of-yours")
        return table_name(pairing.table, tournament.tables.get(pairing.table))
    key = text(at.asked, "key")
    if key.isdigit():
        return table_name(int(key), tournament.tables.get(int(key)))
    if key not in at.office.hub.state.stations and key not in at.office.hub.live:
        raise Refused("no-station", station=key)
    return key


def _call(at: Asking) -> Answer:
    place = _place(at)
    if any(call.station == place for call in at.state.open_calls()):
        raise Refused("called-already")
    reason = Reason(one_of({"reason": Reason.PLAYERS, **at.asked}, "reason", (Reason.PLAYERS, Reason.DISPUTE)))
    at.write(bench.raise_call(at.state, at.person, place, reason, at.words()))
    return None


def _open_call(at: Asking) -> Call:
    call = at.state.calls.get(text(at.asked, "call"))
    if call is None or not call.is_open:
        raise Refused("call-closed")
    return call


def _take(at: Asking) -> Answer:
    call = _open_call(at)
    if call.stage is Stage.TAKEN and call.judge == at.who:
        raise Refused("taken-already")
    if call.stage is Stage.ESCALATED and at.person.role < Role.HEAD_JUDGE:
        raise Refused("head-judge-only")
    at.write(bench.take_call(at.state, at.person, call.id))
    return None


def _escalate(at: Asking) -> Answer:
    at.write(bench.escalate(at.state, at.person, _open_call(at).id, at.words()))
    return None


def _resolve(at: Asking) -> Answer:
    """Closes a call; the extension that goes with it is written beside it."""
    call = _open_call(at)
    outcome = Outcome(one_of(at.asked, "outcome", tuple(Outcome)))
    at.write(bench.resolve(at.state, at.person, call.id, outcome, at.words()))
    seconds = at.whole("extension_s", 0, 3600) if "extension_s" in at.asked else 0
    current = at.office.tournament.round
    table = next((t for t, s in _tables(at.office) if table_name(t, s) == call.station), None)
    if seconds and current is not None and current.is_started and table is not None and current.at(table) is not None:
        at.office.tell([TimeAdded(current.number, seconds, table, str(call.reason))], at.who)
    return None


def _tables(office: Office) -> list[tuple[int, str | None]]:
    tournament = office.tournament
    current = tournament.round
    unlisted = [(one.table, None) for one in current.games if one.table is not None] if current is not None else []
    return [*tournament.tables.items(), *unlisted]


# What a station is asked to do


def _order(at: Asking, command: Command) -> Answer:
    """An order with a ground of the list and the judge's own words; the bench adds what counted before."""
    station = _place(at)
    if at.state.game_of(station) is None:
        raise Refused("no-station", station=station)
    ground = Ground(one_of({"ground": Ground.OTHER, **at.asked}, "ground", tuple(Ground)))
    at.write(bench.order(at.state, at.office.hub.archive, at.person, station, command, ground, at.words()))
    return None


def _reason(at: Asking) -> str:
    """A ground of the list with the judge's own words, as the station's journal keeps them."""
    ground, words = one_of(at.asked, "ground", tuple(Ground)), at.words()
    return f"{ground}: {words}" if words else ground


def _rule(at: Asking) -> Answer:
    stands = one_of(at.asked, "stands", ("yes", "no")) == "yes"
    return _order(at, Rule(at.whole("number", 1, 999_999), stands, at.person.name, _reason(at)))


def _correct(at: Asking) -> Answer:
    return _order(at, Correct(at.whole("number", 1, 999_999), text(at.asked, "line"), at.person.name))


def _decide(at: Asking) -> Answer:
    winner = one_of(at.asked, "winner", ("A", "B", "draw"))
    return _order(at, Decide(None if winner == "draw" else Player(winner), at.person.name, _reason(at)))


def _pause(at: Asking) -> Answer:
    return _order(at, Pause(at.person.name))


def _accept(at: Asking) -> Answer:
    return _order(at, Accept(at.person.name, _reason(at)))


def _reverse(at: Asking) -> Answer:
    """The head judge takes an order back."""
    at.write(
        bench.reverse(at.state, at.office.hub.archive, at.person, text(at.asked, "order"), text(at.asked, "words"))
    )
    return None


def _take_over(at: Asking) -> Answer:
    """A spare goes on with the game of a table whose station broke, and has its place from now on."""
    broken, spare = _place(at), text(at.asked, "spare")
    at.write(bench.take_over(at.state, at.office.hub.archive, at.person, broken, spare))
    table = next((number for number, station in at.office.tournament.tables.items() if station == broken), None)
    if table is not None:
        at.office.tell([TableSet(table), TableSet(table, spare)], at.who)
    return None


# Results, clock, rounds


def _result(at: Asking) -> Answer:
    winner = one_of(at.asked, "winner", ("A", "B", "draw"))
    how = How(one_of(at.asked, "how", tuple(How)))
    stones = (at.whole("stones_a", 0, 9), at.whole("stones_b", 0, 9))
    result = Result(None if winner == "draw" else cast(Seat, winner), (0, 0) if how is How.FORFEIT else stones, how)
    round_, table = at.whole("round", 1, 999), at.whole("table", 1, 99_999)
    at.office.tell([ResultEntered(round_, table, result, text(at.asked, "reason", ""))], at.who)
    return None


def _time(at: Asking) -> Answer:
    current = at.office.tournament.round
    table = at.whole("table", 1, 99_999) if at.asked.get("table") is not None else None
    if table is None and not at.session.may("rounds"):
        raise Refused("not-yours")
    seconds = at.whole("seconds", -3600, 3600)
    at.office.tell([TimeAdded(0 if current is None else current.number, seconds, table, at.words())], at.who)
    return None


def _pair(at: Asking) -> Answer:
    style = Style(one_of(at.asked, "style", tuple(Style))) if at.asked.get("style") else None
    top = at.whole("top", 2, 4096) if at.asked.get("top") is not None else None
    at.office.tell([next_round(at.office.tournament, style, top)], at.who)
    return None


def _number(at: Asking) -> int:
    current = at.office.tournament.round
    return 0 if current is None else current.number


def _start(at: Asking) -> Answer:
    at.office.start(_number(at), at.whole("minutes", 1, LONGEST_ROUND), at.who)
    return None


def _withdraw(at: Asking) -> Answer:
    at.office.tell([RoundWithdrawn(_number(at), text(at.asked, "reason"))], at.who)
    return None


def _swap(at: Asking) -> Answer:
    one, other = at.whole("one", 1, 99_999), at.whole("other", 1, 99_999)
    at.office.tell([PlayersSwapped(_number(at), one, other, text(at.asked, "reason"))], at.who)
    return None


def _stop_clock(at: Asking) -> Answer:
    at.office.tell([RoundPaused(_number(at))], at.who)
    return None


def _run_clock(at: Asking) -> Answer:
    at.office.tell([RoundResumed(_number(at))], at.who)
    return None


# Players, tables, badges


def _open(at: Asking) -> Answer:
    style = Style(one_of(at.asked, "style", tuple(Style)))
    variant = one_of({"variant": "base", **at.asked}, "variant", tuple(VARIANTS))
    minutes, seed = at.whole("minutes", 1, LONGEST_ROUND), at.whole("seed", 0, 1 << 31)
    at.office.tell([EventOpened(name(at.asked, "name"), style, seed, minutes, variant)], at.who)
    return None


def _listed(at: Asking) -> str:
    listed = at.asked.get("list")
    if not isinstance(listed, str) or len(listed) > LONGEST_LIST:
        raise BadRequest(f"list: expected at most {LONGEST_LIST} characters")
    return listed


def _players(at: Asking) -> Answer:
    """A list; every mistake in it is a BadList."""
    taken = {number: one.name for number, one in at.office.tournament.players.items()}
    at.office.tell(read_players(_listed(at), taken), at.who)
    return None


def _player(at: Asking) -> Answer:
    """One more, with the next free number unless one is said."""
    numbers = at.office.tournament.players
    chosen = at.whole("number", 1, 99_999) if at.asked.get("number") is not None else max(numbers, default=0) + 1
    at.office.tell([PlayerEntered(chosen, name(at.asked, "name"), text(at.asked, "club", ""))], at.who)
    return None


def _leave(at: Asking) -> Answer:
    at.office.tell([PlayerLeft(at.whole("number", 1, 99_999), at.words())], at.who)
    return None


def _return(at: Asking) -> Answer:
    at.office.tell([PlayerReturned(at.whole("number", 1, 99_999))], at.who)
    return None


def _table_list(at: Asking) -> Answer:
    at.office.tell(read_tables(_listed(at)), at.who)
    return None


def _table(at: Asking) -> Answer:
    station = text(at.asked, "station", "")
    at.office.tell([TableSet(at.whole("table", 1, 99_999), station or None)], at.who)
    return None


def _give_badge(at: Asking) -> Answer:
    """A code for somebody; it is shown once, here, and kept nowhere."""
    role = Role.of(one_of(at.asked, "role", tuple(role.key for role in Role if role is not Role.SPECTATOR)))
    player = at.whole("player", 1, 99_999) if role is Role.PLAYER else None
    if player is not None and player not in at.office.tournament.players:
        raise Refused("no-player", number=player)
    if len(at.badges.all()) >= LONGEST_DAY:
        raise Refused("too-many-badges", most=LONGEST_DAY)
    called = at.office.tournament.name_of(player) if player is not None else name(at.asked, "name")
    if any(badge.name == called and badge.role is not role for badge in at.badges.all()):
        raise Refused("badge-name", name=called)
    code = at.badges.give(role, called, player)
    at.office.note("badge-given", at.who, role=role.key, name=called)
    return {"code": code, "name": called}


def _withdraw_badge(at: Asking) -> Answer:
    badge = at.badges.withdraw(text(at.asked, "badge"))
    if badge is None:
        raise Refused("no-badge")
    at.office.note("badge-withdrawn", at.who, role=badge.role.key, name=badge.name)
    return None


# Each act: which power it needs, and what does it.
ACTS: dict[str, tuple[str, Callable[[Asking], Answer]]] = {
    "call": ("call", _call),
    "take": ("take", _take),
    "escalate": ("escalate", _escalate),
    "resolve": ("resolve", _resolve),
    "rule": ("rule", _rule),
    "correct": ("correct", _correct),
    "decide": ("decide", _decide),
    "pause-game": ("pause", _pause),
    "accept": ("rule", _accept),
    "reverse": ("reverse", _reverse),
    "take-over": ("take", _take_over),
    "result": ("result", _result),
    "time": ("time", _time),
    "open": ("rounds", _open),
    "pair": ("rounds", _pair),
    "start": ("rounds", _start),
    "withdraw": ("rounds", _withdraw),
    "swap": ("rounds", _swap),
    "stop-clock": ("rounds", _stop_clock),
    "run-clock": ("rounds", _run_clock),
    "players": ("players", _players),
    "player": ("players", _player),
    "leave": ("players", _leave),
    "return": ("players", _return),
    "tables": ("tables", _table_list),
    "table": ("tables", _table),
    "give-badge": ("badges", _give_badge),
    "withdraw-badge": ("badges", _withdraw_badge),
}


def do(at: Asking) -> Answer:
    """Does what is asked; raises BadRequest, BadList or Refused."""
    power, act = ACTS[one_of(at.asked, "act", tuple(ACTS))]
    if not at.session.may(power):
        raise Refused("not-yours")
    return act(at)
