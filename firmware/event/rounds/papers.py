"""Everything that can be taken away from an event, by the name under which it is offered. Pure.

The same tournament always gives the same bytes, so that a file can be compared with what the journals give. Lists are
for judges and organisers, but for the standings; what hangs on a wall is for everybody.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from firmware.event.rounds import export, sheets
from firmware.event.rounds.tournament import Tournament

LISTS: dict[str, Callable[[Tournament], str]] = {
    "standings.csv": export.standings_csv,
    "results.csv": export.results_csv,
    "players.csv": export.players_csv,
    "event.json": export.to_json,
}
MEDIA_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json", "pdf": "application/pdf"}
_OF_ROUND = re.compile(r"round-([1-9]\d{0,5})-(pairings|slips)\.pdf")


def of_round(number: int, kind: str) -> str:
    """The name of a round's paper."""
    return f"round-{number}-{kind}.pdf"


def is_open(name: str) -> bool:
    """Whether everybody may have it."""
    return name == "standings.csv" or name not in LISTS


def media_type(name: str) -> str:
    return MEDIA_TYPES[name.rpartition(".")[2]]


def made(tournament: Tournament, name: str, language: str) -> bytes | None:
    """What this paper says in a language, of which lists have none; None where there is no such paper."""
    if name in LISTS:
        return LISTS[name](tournament).encode()
    if name == "standings.pdf":
        return sheets.standings_sheet(tournament, language)
    found = _OF_ROUND.fullmatch(name)
    if found is None or int(found[1]) > len(tournament.rounds):
        return None
    make = sheets.pairings_sheet if found[2] == "pairings" else sheets.slips
    return make(tournament, tournament.rounds[int(found[1]) - 1], language)


class Papers:
    """Papers of the newest tournament, each made once for all who want it. May be asked from any thread."""

    def __init__(self) -> None:
        self._of: tuple[Tournament, dict[tuple[str, str], bytes | None]] = Tournament(), {}

    def made(self, tournament: Tournament, name: str, language: str) -> bytes | None:
        of, known = self._of
        if of is not tournament:
            self._of = _, known = tournament, {}
        if (name, language) not in known:
            known[name, language] = made(tournament, name, language)
        return known[name, language]
