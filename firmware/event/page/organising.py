"""What moves an event on through its page: results and time, rounds, players, tables and badges."""

from __future__ import annotations

from typing import cast

from firmware.event.invitation import BadInvitation
from firmware.event.page.badges import LONGEST_DAY
from firmware.event.page.petition import Answer, Petition
from firmware.event.roles import Role
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
from firmware.event.rounds.scoring import LONGEST_MATCH, SCORINGS
from firmware.event.topics import is_station
from firmware.games import refereed
from firmware.web.acts import BadRequest, name, one_of, text

LONGEST_ROUND = 24 * 60
LONGEST_LIST = 200_000  # characters


def enter_result(at: Petition) -> Answer:
    winner = one_of(at.asked, "winner", ("A", "B", "draw"))
    how = How(one_of(at.asked, "how", tuple(how for how in How if how is not How.REOPENED)))
    most = at.office.tournament.match.scoring.most
    stones = (at.whole("stones_a", 0, most), at.whole("stones_b", 0, most))
    result = Result(None if winner == "draw" else cast(Seat, winner), (0, 0) if how is How.FORFEIT else stones, how)
    round_, table = at.whole("round", 1, 999), at.whole("table", 1, 99_999)
    leg = at.whole("leg", 1, LONGEST_MATCH) if "leg" in at.asked else 1
    at.office.tell([ResultEntered(round_, table, result, text(at.asked, "reason", ""), leg=leg)], at.who)
    return None


def add_time(at: Petition) -> Answer:
    current = at.office.tournament.round
    table = at.whole("table", 1, 99_999) if at.asked.get("table") is not None else None
    if table is None and not at.session.may("rounds"):
        raise Refused("not-yours")
    seconds = at.whole("seconds", -3600, 3600)
    at.office.tell([TimeAdded(0 if current is None else current.number, seconds, table, at.words())], at.who)
    return None


def pair(at: Petition) -> Answer:
    style = Style(one_of(at.asked, "style", tuple(Style))) if at.asked.get("style") else None
    top = at.whole("top", 2, 4096) if at.asked.get("top") is not None else None
    at.office.tell([next_round(at.office.tournament, style, top)], at.who)
    return None


def _number(at: Petition) -> int:
    current = at.office.tournament.round
    return 0 if current is None else current.number


def start(at: Petition) -> Answer:
    at.office.start(_number(at), at.whole("minutes", 1, LONGEST_ROUND), at.who)
    return None


def withdraw(at: Petition) -> Answer:
    at.office.tell([RoundWithdrawn(_number(at), text(at.asked, "reason"))], at.who)
    return None


def swap(at: Petition) -> Answer:
    one, other = at.whole("one", 1, 99_999), at.whole("other", 1, 99_999)
    at.office.tell([PlayersSwapped(_number(at), one, other, text(at.asked, "reason"))], at.who)
    return None


def stop_clock(at: Petition) -> Answer:
    at.office.tell([RoundPaused(_number(at))], at.who)
    return None


def run_clock(at: Petition) -> Answer:
    at.office.tell([RoundResumed(_number(at))], at.who)
    return None


def open_event(at: Petition) -> Answer:
    style = Style(one_of(at.asked, "style", tuple(Style)))
    game = one_of({"game": next(iter(SCORINGS)), **at.asked}, "game", tuple(SCORINGS))
    variant = one_of({"variant": "base", **at.asked}, "variant", variants_for_two(game))
    minutes, seed = at.whole("minutes", 1, LONGEST_ROUND), at.whole("seed", 0, 1 << 31)
    best_of = at.whole("best_of", 1, LONGEST_MATCH) if "best_of" in at.asked else 1
    at.office.tell([EventOpened(name(at.asked, "name"), style, seed, minutes, variant, game, best_of)], at.who)
    return None


def variants_for_two(game: str) -> tuple[str, ...]:
    """The variants of a game that two people can play: an event pairs two and two."""
    return tuple(name for name in refereed(game).variants if not name[0].isdigit())


def _listed(at: Petition) -> str:
    listed = at.asked.get("list")
    if not isinstance(listed, str) or len(listed) > LONGEST_LIST:
        raise BadRequest(f"list: expected at most {LONGEST_LIST} characters")
    return listed


def enter_players(at: Petition) -> Answer:
    """A list; every mistake in it is a BadList."""
    taken = {number: one.name for number, one in at.office.tournament.players.items()}
    at.office.tell(read_players(_listed(at), taken), at.who)
    return None


def enter_player(at: Petition) -> Answer:
    """One more, with the next free number unless one is said."""
    numbers = at.office.tournament.players
    chosen = at.whole("number", 1, 99_999) if at.asked.get("number") is not None else max(numbers, default=0) + 1
    at.office.tell([PlayerEntered(chosen, name(at.asked, "name"), text(at.asked, "club", ""))], at.who)
    return None


def leave(at: Petition) -> Answer:
    at.office.tell([PlayerLeft(at.whole("number", 1, 99_999), at.words())], at.who)
    return None


def come_back(at: Petition) -> Answer:
    at.office.tell([PlayerReturned(at.whole("number", 1, 99_999))], at.who)
    return None


def set_tables(at: Petition) -> Answer:
    at.office.tell(read_tables(_listed(at)), at.who)
    return None


def set_table(at: Petition) -> Answer:
    station = text(at.asked, "station", "")
    at.office.tell([TableSet(at.whole("table", 1, 99_999), station or None)], at.who)
    return None


def let_in(at: Petition) -> Answer:
    """The station whose display shows this code finds its invitation at the door."""
    code, station = text(at.asked, "code"), text(at.asked, "station")
    if at.house is None:
        raise Refused("no-door")
    if not is_station(station):
        raise Refused("bad-station")
    if station in at.house.stations():
        raise Refused("name-in-use", station=station)
    from firmware.event.door import let_in as left_at_door

    try:
        left_at_door(at.house, code, station)
    except BadInvitation:
        raise Refused("bad-code") from None
    at.office.note("station-let-in", at.who, station=station)
    return None


def give_badge(at: Petition) -> Answer:
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


def withdraw_badge(at: Petition) -> Answer:
    badge = at.badges.withdraw(text(at.asked, "badge"))
    if badge is None:
        raise Refused("no-badge")
    at.office.note("badge-withdrawn", at.who, role=badge.role.key, name=badge.name)
    return None
