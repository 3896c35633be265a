"""All tables at a glance: one row a table, from the rounds, the entries and who is there. Pure.

Knows what the hub knows; knows no browser, no clock and no language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from firmware.calling import NAMES
from firmware.event.calls import Call
from firmware.event.live import Presence
from firmware.event.results import Seating, seating
from firmware.event.rounds.facts import Pairing
from firmware.event.rounds.round import Round
from firmware.event.rounds.tournament import Tournament
from firmware.event.state import EventState


class Condition(StrEnum):
    """How a table is, the most urgent first: what it is told by has a shape, a word and a colour."""

    CALL = "call"
    GONE = "gone"
    WRONG = "wrong"
    UNREAD = "unread"
    PAUSED = "paused"
    PLAYING = "playing"
    OVER = "over"
    WAITING = "waiting"
    BY_HAND = "by-hand"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class Row:
    """One table. `key` is its number, or the name of a station that has no table yet."""

    key: str
    table: int | None
    station: str | None
    condition: Condition
    a: str = ""
    b: str = ""
    turn: str | None = None
    score: tuple[int, int] | None = None
    winner: str | None = None
    points: tuple[int, int] | None = None
    wins: tuple[int, int] | None = None  # games of the match so far
    says: str = ""
    call: str = ""
    since: str = ""  # of the call, or since when the station is gone
    added_s: int = 0
    online: bool = False

    def document(self) -> dict[str, Any]:
        return {key: value for key, value in asdict(self).items() if value not in (None, "", 0)}


def table_name(table: int, station: str | None) -> str:
    """What calls and entries name a table by: its station, or the table itself where it has none."""
    return station or f"table {table}"


def rows(tournament: Tournament, state: EventState, live: Mapping[str, Presence]) -> Iterator[Row]:
    """Every table of the list and of the round, then the stations that stand nowhere."""
    calls = {call.station: call for call in reversed(state.open_calls())}  # the longest waiting of each
    current = tournament.round
    paired = {one.table: one for one in current.games} if current is not None else {}
    tables = sorted({*tournament.tables, *(table for table in paired if table is not None)})
    for table in tables:
        station = tournament.tables.get(table)
        call = calls.get(table_name(table, station))
        presence = live.get(station) if station is not None else None
        seats = _seats(tournament, state, current, station, paired.get(table))
        yield _row(tournament, current, table, station, paired.get(table), call, presence, seats)
    placed = set(tournament.tables.values())
    for station in sorted({*state.stations, *live} - placed):
        yield _row(tournament, current, None, station, None, calls.get(station), live.get(station))


def _row(
    tournament: Tournament,
    current: Round | None,
    table: int | None,
    station: str | None,
    pairing: Pairing | None,
    call: Call | None,
    presence: Presence | None,
    seats: Seating = Seating.AS_PAIRED,
) -> Row:
    result = current.result(table) if current is not None and table is not None else None
    timer = None if current is None else current.timer
    glimpse = None if presence is None else presence.glimpse
    online = presence is not None and presence.online
    condition = _condition(current, station, pairing, call, presence, seats)
    score = None if glimpse is None else dict(glimpse.score)
    a, b = seats.seats
    turn = None if glimpse is None or glimpse.turn is None else {a: "A", b: "B"}.get(glimpse.turn)
    held = result.stones if result is not None else (score[a], score[b]) if score and {"A", "B"} <= set(score) else None
    return Row(
        key=str(table) if table is not None else str(station),
        table=table,
        station=station,
        condition=condition,
        a=tournament.name_of(pairing.a) if pairing is not None else "",
        b=tournament.name_of(pairing.b) if pairing is not None and pairing.b is not None else "",
        turn=turn if condition is not Condition.OVER else None,
        score=held,
        winner=(result.winner or "draw") if result is not None else None,
        points=None if current is None or table is None else current.points(table),
        wins=None if current is None or table is None or current.match.best_of == 1 else current.wins(table),
        says=glimpse.headline if glimpse is not None and online else "",
        call="" if call is None else call.stage,
        since=call.steps[0].at if call is not None else presence.since if presence is not None and not online else "",
        added_s=0 if timer is None or table is None else dict(timer.added_s).get(table, 0),
        online=online,
    )


def _seats(
    tournament: Tournament, state: EventState, current: Round | None, station: str | None, pairing: Pairing | None
) -> Seating:
    """Whether those play at a station who were paired there; one that has not begun yet has nobody else."""
    game = None if station is None else state.game_of(station)
    if game is None or game.is_over or not game.is_under_way:
        return Seating.AS_PAIRED
    if current is None or pairing is None or not current.is_started:
        return Seating.AS_PAIRED
    return seating(game, [tournament.name_of(number) for number in pairing.players], current.number)


def _condition(
    current: Round | None,
    station: str | None,
    pairing: Pairing | None,
    call: Call | None,
    presence: Presence | None,
    seats: Seating,
) -> Condition:
    if call is not None:
        return Condition.CALL
    if pairing is not None and current is not None and current.result(pairing.table) is not None:
        return Condition.OVER
    if station is None:
        started = current is not None and current.is_started
        return Condition.FREE if pairing is None else Condition.BY_HAND if started else Condition.WAITING
    if presence is None or not presence.online:
        return Condition.GONE
    glimpse = presence.glimpse
    if glimpse is None:
        return Condition.WAITING
    if glimpse.put_right or seats is Seating.OTHERS:
        return Condition.WRONG
    if glimpse.unread or set(glimpse.troubles) - {NAMES}:
        return Condition.UNREAD
    if glimpse.paused:
        return Condition.PAUSED
    if pairing is None and current is not None:
        return Condition.FREE
    if current is not None and not current.is_started:
        return Condition.WAITING
    return Condition.OVER if glimpse.over else Condition.PLAYING
