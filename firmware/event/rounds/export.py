"""The tournament to take away: standings and results as CSV, all of it as one JSON document.

The same tournament always gives the same bytes: nothing of the day or hour of the export is in them.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

from firmware.event.rounds.facts import EventOpened, Pairing
from firmware.event.rounds.round import Round
from firmware.event.rounds.standings import Standing, standings
from firmware.event.rounds.tournament import Tournament, played


def standings_csv(tournament: Tournament) -> str:
    heads = (
        "place",
        "number",
        "name",
        "club",
        "points",
        "games",
        "wins",
        "byes",
        "opponents",
        "direct",
        "stones",
        "in",
    )
    return _csv(heads, ([*_line(one).values()] for one in standings(tournament)))


def results_csv(tournament: Tournament) -> str:
    """Every pairing of every round; a bye has neither table nor opponent."""
    heads = ("round", "table", "a", "name a", "b", "name b", "winner", "games a", "games b", "stones a", "stones b")
    return _csv((*heads, "points a", "points b", "how", "entered by", "at", "reason"), _results(tournament))


def players_csv(tournament: Tournament) -> str:
    """The list as it can be read in again."""
    rows = ((one.number, one.name, one.club) for _, one in sorted(tournament.players.items()))
    return _csv(("number", "name", "club"), rows)


def to_json(tournament: Tournament) -> str:
    return json.dumps(document(tournament), ensure_ascii=False, indent=1) + "\n"


def document(tournament: Tournament) -> dict[str, Any]:
    """All that is known of the tournament, corrections and who made them included."""
    opened = tournament.opened
    return {
        "event": None if opened is None else _event(opened),
        "players": [
            {"number": one.number, "name": one.name, "club": one.club, "since": one.since, "in": one.is_in}
            for _, one in sorted(tournament.players.items())
        ],
        "tables": [{"table": table, "station": station} for table, station in sorted(tournament.tables.items())],
        "rounds": [_round(one) for one in tournament.rounds],
        "standings": [_line(one) for one in standings(tournament)],
    }


def _event(opened: EventOpened) -> dict[str, Any]:
    rules = {"game": opened.game, "variant": opened.variant, "best of": opened.best_of}
    return {"name": opened.name, "style": opened.style, "seed": opened.seed, **rules}


def _line(line: Standing) -> dict[str, Any]:
    return {
        "place": line.place,
        "number": line.player.number,
        "name": line.player.name,
        "club": line.player.club,
        "points": line.points,
        "games": line.games,
        "wins": line.wins,
        "byes": line.byes,
        "opponents": f"{float(line.opponents):.3f}",
        "direct": line.direct,
        "stones": line.stones,
        "in": line.player.is_in,
    }


def _round(one: Round) -> dict[str, Any]:
    return {
        "round": one.number,
        "style": one.style,
        "pairings": [_pairing(one, pairing) for pairing in one.pairings],
    }


def _pairing(one: Round, pairing: Pairing) -> dict[str, Any]:
    entered = () if pairing.table is None else one.entries.get(pairing.table, ())
    return {
        "table": pairing.table,
        "a": pairing.a,
        "b": pairing.b,
        "results": [
            {
                "leg": entry.leg,
                "winner": entry.result.winner,
                "stones": list(entry.result.stones),
                "how": entry.result.how,
                "by": entry.who,
                "at": entry.at,
                "reason": entry.reason,
                "game": entry.game,
            }
            for entry in entered
        ],
    }


def _results(tournament: Tournament) -> Iterable[Sequence[Any]]:
    name = tournament.name_of
    for one, pairing, result in played(tournament):
        if pairing.b is None:
            points = "" if one.bye_points is None else one.bye_points
            yield [one.number, "", pairing.a, name(pairing.a), *[""] * 7, points, "", "bye", "", "", ""]
            continue
        who = [one.number, pairing.table, pairing.a, name(pairing.a), pairing.b, name(pairing.b)]
        scored = one.points(pairing.table)
        if result is None or scored is None or pairing.table is None:
            yield [*who, *[""] * 11]
            continue
        entry = one.entries[pairing.table][-1]
        ended = [result.winner or "draw", *one.wins(pairing.table), *result.stones, *scored]
        yield [*who, *ended, result.how, entry.who, entry.at, entry.reason]


def _csv(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([_shown(cell) for cell in row] for row in rows)
    return file.getvalue()


def _shown(cell: Any) -> Any:
    """A cell that a spreadsheet shows and does not compute: reasons are free words."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in tuple("=+-@\t\r") and cell else cell
