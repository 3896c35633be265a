"""What judges ask through the hub's page: calls, and what a station is to do. `bench` says what it comes to."""

from __future__ import annotations

from engine.table import Player
from firmware.commands import Accept, Command, Correct, Decide, NamePlayers, Pause, Rule
from firmware.event import bench
from firmware.event.calls import Call, Stage
from firmware.event.facts import Ground, Outcome, Reason
from firmware.event.page.office import Office
from firmware.event.page.petition import Answer, Petition
from firmware.event.page.rows import table_name
from firmware.event.roles import Role
from firmware.event.rounds.facts import Refused, TableSet, TimeAdded
from firmware.obey import Refused as NotNow
from firmware.web.acts import one_of, text


def _place(at: Petition) -> str:
    """The table that is asked about, as calls name it: a player's own, a table's number, or a station without one."""
    tournament = at.office.tournament
    if at.session.role is Role.PLAYER:
        current = tournament.round
        pairing = None if current is None or at.session.player is None else current.of(at.session.player)
        if pairing is None or pairing.table is None:
            raise Refused("no-table-of-yours")
        return table_name(pairing.table, tournament.tables.get(pairing.table))
    key = text(at.asked, "key")
    if key.isdecimal():
        return table_name(int(key), tournament.tables.get(int(key)))
    if key not in at.office.hub.state.stations and key not in at.office.hub.live:
        raise Refused("no-station", station=key)
    return key


def call(at: Petition) -> Answer:
    place = _place(at)
    if any(call.station == place for call in at.state.open_calls()):
        raise Refused("called-already")
    reason = Reason(one_of({"reason": Reason.PLAYERS, **at.asked}, "reason", (Reason.PLAYERS, Reason.DISPUTE)))
    at.write(bench.raise_call(at.state, at.person, place, reason, at.words()))
    return None


def _open_call(at: Petition) -> Call:
    call = at.state.calls.get(text(at.asked, "call"))
    if call is None or not call.is_open:
        raise Refused("call-closed")
    if call.is_escalated and at.person.role < Role.HEAD_JUDGE:
        raise Refused("head-judge-only")
    return call


def take(at: Petition) -> Answer:
    call = _open_call(at)
    if call.stage is Stage.TAKEN and call.judge == at.who:
        raise Refused("taken-already")
    at.write(bench.take_call(at.state, at.person, call.id))
    return None


def escalate(at: Petition) -> Answer:
    at.write(bench.escalate(at.state, at.person, _open_call(at).id, at.words()))
    return None


def resolve(at: Petition) -> Answer:
    """Closes a call; the extension that goes with it is written beside it."""
    call = _open_call(at)
    outcome = Outcome(one_of(at.asked, "outcome", tuple(Outcome)))
    seconds = at.whole("extension_s", 0, 3600) if "extension_s" in at.asked else 0
    at.write(bench.resolve(at.state, at.person, call.id, outcome, at.words()))
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


def _order(at: Petition, command: Command) -> Answer:
    """An order with a ground of the list and the judge's own words; the bench adds what counted before."""
    station = _place(at)
    if at.state.game_of(station) is None:
        raise Refused("no-station", station=station)
    ground = Ground(one_of({"ground": Ground.OTHER, **at.asked}, "ground", tuple(Ground)))
    at.write(bench.order(at.state, at.office.hub.archive, at.person, station, command, ground, at.words()))
    return None


def _reason(at: Petition) -> str:
    """A ground of the list with the judge's own words, as the station's journal keeps them."""
    ground, words = one_of(at.asked, "ground", tuple(Ground)), at.words()
    return f"{ground}, {words}" if words else ground  # a colon ends the name of who ruled


def rule(at: Petition) -> Answer:
    stands = one_of(at.asked, "stands", ("yes", "no")) == "yes"
    return _order(at, Rule(at.whole("number", 1, 999_999), stands, at.person.name, _reason(at)))


def correct(at: Petition) -> Answer:
    return _order(at, Correct(at.whole("number", 1, 999_999), text(at.asked, "line"), at.person.name))


def decide(at: Petition) -> Answer:
    winner = one_of(at.asked, "winner", ("A", "B", "draw"))
    return _order(at, Decide(None if winner == "draw" else Player(winner), at.person.name, _reason(at)))


def pause(at: Petition) -> Answer:
    return _order(at, Pause(at.person.name))


def accept(at: Petition) -> Answer:
    return _order(at, Accept(at.person.name, _reason(at)))


def name_players(at: Petition) -> Answer:
    """The game on the table is the pairing's, whatever names it was begun under; `seats` says who sits where."""
    office, place = at.office, _place(at)
    current, tables = office.tournament.round, dict(office.tournament.tables)
    table = next((table for table, station in tables.items() if station == place), None)
    pairing = None if current is None or table is None else current.at(table)
    if current is None or pairing is None:
        raise Refused("no-game-here")
    names = [office.tournament.name_of(number) for number in pairing.players]
    if one_of({"seats": "as-paired", **at.asked}, "seats", ("as-paired", "swapped")) == "swapped":
        names.reverse()
    head = {"player A": names[0], "player B": names[1], "round": str(current.number)}
    return _order(at, NamePlayers(tuple(sorted(head.items())), at.person.name, _reason(at)))


def reverse(at: Petition) -> Answer:
    """The head judge takes an order back."""
    order, words = text(at.asked, "order"), text(at.asked, "words")
    try:
        at.write(bench.reverse(at.state, at.office.hub.archive, at.person, order, words))
    except NotNow:
        raise Refused("cannot-reverse") from None
    return None


def take_over(at: Petition) -> Answer:
    """A spare goes on with the game of a table whose station broke, and has its place from now on."""
    broken, spare = _place(at), text(at.asked, "spare")
    try:
        orders = bench.take_over(at.state, at.office.hub.archive, at.person, broken, spare)
    except NotNow:
        raise Refused("no-take-over", station=spare) from None
    places = {station: table for table, station in at.office.tournament.tables.items() if station is not None}
    if broken in places:
        left = [TableSet(places[station]) for station in (broken, spare) if station in places]
        at.office.tell([*left, TableSet(places[broken], spare)], at.who)
    at.write(orders)
    return None
