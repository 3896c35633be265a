"""What the page shows, as documents: the tables, the round, the standings, the calls and the people of a moment.

Made when somebody looks and once for all who look, not at every entry. Knows no request and no language: the words are
the browser's, but for what stations and people said themselves.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from firmware.event.calls import Call
from firmware.event.page.badges import Badge, Badges
from firmware.event.page.office import Moment
from firmware.event.page.rows import Row, rows, table_name
from firmware.event.roles import Role
from firmware.event.rounds.facts import Pairing
from firmware.event.rounds.scoring import Scoring
from firmware.event.rounds.standings import standings
from firmware.event.rounds.tournament import Entered, Round, Tournament
from firmware.event.state import EventState, OrderState
from firmware.web.answers import compact

CLOSED_CALLS = 30  # that a judge's page still shows


@dataclass(frozen=True, slots=True)
class Shown:
    """A row with the number of the showing in which it last changed."""

    row: Row
    since: int
    text: str


@dataclass
class Hall:
    """The rows of the newest moment, each with when it changed: who watches gets only what is new to them."""

    number: int = 0
    _moment: Moment | None = None
    _shown: dict[str, Shown] = field(default_factory=dict)
    _left: dict[str, int] = field(default_factory=dict)  # rows that are gone, and since when

    def show(self, moment: Moment) -> None:
        if moment is self._moment:
            return
        self.number += 1
        self._moment = moment
        before, self._shown = self._shown, {}
        for row in rows(moment.tournament, moment.update.state, moment.update.live):
            old = before.get(row.key)
            self._shown[row.key] = old if old is not None and old.row == row else _shown(row, self.number)
        self._left |= {key: self.number for key in before if key not in self._shown}
        self._left = {key: since for key, since in self._left.items() if key not in self._shown}

    def since(self, number: int) -> str | None:
        """What changed after this showing, as JSON; everything for 0, None for nothing."""
        fresh = [one.text for one in self._shown.values() if one.since > number]
        gone = [key for key, since in self._left.items() if since > number]
        if number and not fresh and not gone:
            return None
        order = json.dumps(list(self._shown)) if not number or gone or self._has_new(number) else "null"
        return f'{{"order":{order},"rows":[{",".join(fresh)}]}}'

    def row(self, key: str) -> Row | None:
        shown = self._shown.get(key)
        return None if shown is None else shown.row

    def _has_new(self, number: int) -> bool:
        return any(one.since > number for one in self._shown.values())


def _shown(row: Row, number: int) -> Shown:
    return Shown(row, number, compact(row.document()))


class Showing:
    """Documents of the newest moment, each made once. In the page's thread only."""

    def __init__(self, badges: Badges) -> None:
        self.hall = Hall()
        self._badges = badges
        self._moment: Moment | None = None
        self._made: dict[str, tuple[tuple[Any, ...], str]] = {}
        self._calls: dict[str, tuple[Call, int | None, str]] = {}

    @property
    def moment(self) -> Moment | None:
        return self._moment

    def take(self, moment: Moment) -> None:
        if moment is not self._moment:
            self._moment = moment
            self.hall.show(moment)

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
            case "calls":
                about, make = (tournament, state.calls), lambda: self._calls_text(moment)
            case "my-call":
                kind = f"{kind} {player}"
                about, make = (tournament, state.calls), lambda: compact(my_call(moment, player))
            case _:
                about, make = (moment,), lambda: compact(people_document(tournament, self._badges))
        made = self._made.get(kind)
        if made is None or any(one is not other for one, other in zip(made[0], about, strict=True)):
            made = self._made[kind] = about, make()
        return made[1]

    def _calls_text(self, moment: Moment) -> str:
        """The calls that judges see, each written once as long as it stays what it is."""
        tables = tables_by_name(moment.tournament)
        before, self._calls = self._calls, {}
        for call in calls_shown(moment.update.state):
            table, known = tables.get(call.station), before.get(call.id)
            if known is None or known[0] is not call or known[1] != table:
                known = call, table, compact(call_document(call, tables))
            self._calls[call.id] = known
        return f"[{','.join(text for _, _, text in self._calls.values())}]"


def kinds_for(role: Role) -> tuple[str, ...]:
    """What somebody of this role is shown, the urgent first."""
    match role:
        case Role.ORGANISER:
            return "calls", "event", "round", "standings", "people"
        case Role.JUDGE | Role.HEAD_JUDGE:
            return "calls", "event", "round", "standings"
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
        "wins": None if one.match.best_of == 1 else one.wins(pairing.table),
        "points": one.points(pairing.table),
        "winner": None if result is None else result.winner,
        "results": [_entered(entry, one.match.scoring) for entry in entries],
    }


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


def call_document(call: Call, tables: dict[str, int]) -> dict[str, Any]:
    return {
        "id": call.id,
        "station": call.station,
        "table": tables.get(call.station),
        "reason": call.reason,
        "words": call.words,
        "stage": call.stage,
        "open": call.is_open,
        "since": call.steps[0].at,
        "judge": call.judge,
        "outcome": call.outcome,
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
