"""What the page shows, as documents: the tables, the round, the standings, the calls and the people of a moment.

Made when somebody looks and once for all who look, not at every entry. Knows no request and no language: the words are
the browser's, but for what stations and people said themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from firmware.event.calls import Call
from firmware.event.page.badges import Badge, Badges
from firmware.event.page.listing import Listing
from firmware.event.page.office import Moment
from firmware.event.page.rows import Row, rows, table_name
from firmware.event.roles import Role
from firmware.event.rounds.facts import Pairing
from firmware.event.rounds.round import Entered, Round
from firmware.event.rounds.scoring import Scoring
from firmware.event.rounds.standings import standings
from firmware.event.rounds.tournament import Tournament
from firmware.event.state import EventState, OrderState
from firmware.web.answers import compact

CLOSED_CALLS = 30  # that a judge's page still shows


class Showing:
    """Documents of the newest moment, each made once. In the page's thread only."""

    def __init__(self, badges: Badges) -> None:
        self.hall = Listing[Row]()
        self.calls = Listing[tuple[Call, int | None]]()
        self._badges = badges
        self._moment: Moment | None = None
        self._made: dict[str, tuple[tuple[Any, ...], str]] = {}

    @property
    def moment(self) -> Moment | None:
        return self._moment

    def take(self, moment: Moment) -> None:
        before, self._moment = self._moment, moment
        if moment is before:
            return
        found = rows(moment.tournament, moment.update.state, moment.update.live)
        self.hall.show(((row.key, row) for row in found), Row.document)
        state, tournament = moment.update.state, moment.tournament
        if before is None or before.update.state.calls is not state.calls or before.tournament is not tournament:
            tables = tables_by_name(tournament)
            shown = ((call.id, (call, tables.get(call.station))) for call in calls_shown(state))
            self.calls.show(shown, lambda one: call_document(*one))

    def document(self, kind: str, player: int | None = None) -> str:
        """One kind of document as JSON; `player` is whose calls are shown. Made anew when what it is about changed."""
        moment = self._moment
        if moment is None:
            return "null"
        tournament, state = moment.tournament, moment.update.state
        about: tuple[Any, ...]
        make: Callable[[], str]
        match kind:
            case "event":
                about = tournament, moment.connected, moment.update.behind
                make = lambda: compact(event_document(moment))  # noqa: E731
            case "round":
                about, make = (tournament,), lambda: compact(round_document(tournament, tournament.round))
            case "standings":
                about, make = (tournament,), lambda: compact(standings_document(tournament))
            case "my-call":
                kind = f"{kind} {player}"
                about, make = (tournament, state.calls), lambda: compact(my_call(moment, player))
            case _:
                about, make = (moment,), lambda: compact(people_document(tournament, self._badges))
        made = self._made.get(kind)
        if made is None or any(one is not other for one, other in zip(made[0], about, strict=True)):
            made = self._made[kind] = about, make()
        return made[1]


def kinds_for(role: Role) -> tuple[str, ...]:
    """What somebody of this role is shown, the urgent first."""
    match role:
        case Role.ORGANISER:
            return "event", "round", "standings", "people"
        case Role.JUDGE | Role.HEAD_JUDGE:
            return "event", "round", "standings"
        case Role.PLAYER:
            return "my-call", "event", "round", "standings"
        case Role.SPECTATOR:
            return "event", "round", "standings"


def event_document(moment: Moment) -> dict[str, Any]:
    opened = moment.tournament.opened
    return {
        "name": "" if opened is None else opened.name,
        "opened": opened is not None,
        "style": moment.tournament.style,
        "minutes": 40 if opened is None else opened.minutes,
        "game": "schotten-totten" if opened is None else opened.game,
        "best_of": moment.tournament.match.best_of,
        "most": moment.tournament.match.scoring.most,
        "connected": moment.connected,
        "behind": moment.update.behind,
        "players": len(moment.tournament.playing()),
        "rounds": len(moment.tournament.rounds),
    }


def round_document(tournament: Tournament, one: Round | None) -> dict[str, Any] | None:
    """A round with its clock and every table's result."""
    if one is None:
        return None
    timer = one.timer
    ends = None if timer is None else timer.ends_at()
    return {
        "round": one.number,
        "style": one.style,
        "started": one.is_started,
        "over": one.is_over,
        "waiting": list(one.waiting),
        "ends": None if ends is None else ends.isoformat(timespec="milliseconds"),
        "left_s": None if timer is None or timer.since is not None else timer.left_s,
        "pairings": [_pairing(tournament, one, pairing) for pairing in one.pairings],
    }


def _pairing(tournament: Tournament, one: Round, pairing: Pairing) -> dict[str, Any]:
    entries = () if pairing.table is None else one.entries.get(pairing.table, ())
    result = one.result(pairing.table)
    return {
        "table": pairing.table,
        "station": None if pairing.table is None else tournament.tables.get(pairing.table),
        "a": {"number": pairing.a, "name": tournament.name_of(pairing.a)},
        "b": None if pairing.b is None else {"number": pairing.b, "name": tournament.name_of(pairing.b)},
        "wins": None if pairing.b is None or one.match.best_of == 1 else one.wins(pairing.table),
        "points": _points(one, pairing),
        "winner": None if result is None else result.winner,
        "results": [_entered(entry, one.match.scoring) for entry in entries],
    }


def _points(one: Round, pairing: Pairing) -> tuple[int, ...] | None:
    """What a pairing is worth to everybody in it, as soon as that is known."""
    if pairing.b is not None:
        return one.points(pairing.table)
    return None if one.bye_points is None else (one.bye_points,)


def _entered(entry: Entered, scoring: Scoring) -> dict[str, Any]:
    result = entry.result
    return {
        "leg": entry.leg,
        "winner": result.winner,
        "stones": list(result.stones),
        "points": [scoring.points(result, "A"), scoring.points(result, "B")],
        "how": result.how,
        "by": entry.who,
        "at": entry.at,
        "reason": entry.reason,
    }


def standings_document(tournament: Tournament) -> list[dict[str, Any]]:
    return [
        {
            "place": line.place,
            "number": line.player.number,
            "name": line.player.name,
            "club": line.player.club,
            "in": line.player.is_in,
            "points": line.points,
            "games": line.games,
            "wins": line.wins,
            "byes": line.byes,
            "opponents": round(float(line.opponents), 2),
            "direct": line.direct,
            "stones": line.stones,
        }
        for line in standings(tournament)
    ]


def calls_shown(state: EventState) -> tuple[Call, ...]:
    """Open calls, the longest waiting first, then the last closed ones."""
    closed = sorted((call for call in state.calls.values() if not call.is_open), key=lambda call: call.steps[-1].at)
    return *state.open_calls(), *reversed(closed[-CLOSED_CALLS:])


def my_call(moment: Moment, player: int | None) -> dict[str, Any]:
    """A player's own table and the call that is open there, without its words."""
    current = moment.tournament.round
    pairing = None if current is None or player is None else current.of(player)
    if pairing is None or pairing.table is None:
        return {"table": None, "stage": None}
    name = table_name(pairing.table, moment.tournament.tables.get(pairing.table))
    call = next((one for one in moment.update.state.open_calls() if one.station == name), None)
    return {"table": pairing.table, "stage": None if call is None else call.stage}


def tables_by_name(tournament: Tournament) -> dict[str, int]:
    """The numbers of the tables by what calls and entries name them."""
    named = {table_name(table, station): table for table, station in tournament.tables.items()}
    current = tournament.round
    free = [one.table for one in current.games if one.table not in tournament.tables] if current is not None else []
    return named | {table_name(table, None): table for table in free if table is not None}


def call_document(call: Call, table: int | None) -> dict[str, Any]:
    return {
        "id": call.id,
        "station": call.station,
        "table": table,
        "reason": call.reason,
        "words": call.words,
        "stage": call.stage,
        "open": call.is_open,
        "since": call.steps[0].at,
        "judge": call.judge,
        "outcome": call.outcome,
        "settled": call.is_settled,
        "steps": [{"stage": one.stage, "by": one.by, "at": one.at, "words": one.words} for one in call.steps],
    }


def order_document(order: OrderState) -> dict[str, Any]:
    """What a judge had a table do: before and after, and whether it was taken back."""
    given = order.given
    return {
        "number": order.number,
        "by": order.by,
        "at": order.at,
        "command": dict(given.command),
        "ground": given.ground,
        "words": given.words,
        "before": given.before,
        "reverses": given.reverses,
        "reversed": bool(order.reversed_by),
        "done": order.done is not None,
        "refused": order.refused,
    }


def people_document(tournament: Tournament, badges: Badges) -> dict[str, Any]:
    return {
        "players": [
            {"number": one.number, "name": one.name, "club": one.club, "in": one.is_in, "since": one.since}
            for _, one in sorted(tournament.players.items())
        ],
        "tables": [{"table": table, "station": station} for table, station in sorted(tournament.tables.items())],
        "badges": [_badge(one) for one in badges.all()],
    }


def _badge(badge: Badge) -> dict[str, Any]:
    return {"id": badge.id, "role": badge.role.key, "name": badge.name, "used": not badge.code, "player": badge.player}


def orders_of(orders: Iterable[OrderState], station: str) -> list[dict[str, Any]]:
    """The orders of one table, the newest first."""
    found = [order for order in orders if order.given.station == station]
    return [order_document(one) for one in reversed(found)]
