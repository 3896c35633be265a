"""Games played: a list of them, each move by move, and as files to take away.

Reads the journal with a reader of its own, also while the station writes. Verdicts are judged again, since they are
derived and not written down.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.record import Record, parse_entry, write_record
from engine.schotten_totten.score import WINNER_POINTS
from firmware.games import Refereed, refereed
from firmware.journal import Entry, Kind, Reader
from firmware.retell import game_of, replayed
from firmware.state import Referee
from firmware.web.course import Course
from firmware.web.document import Describer
from firmware.web.look import drawn

MATCHED = "schotten-totten"  # whose rules know points over several rounds


@dataclass(frozen=True)
class Played:
    """One game of the journal, folded again."""

    number: int
    refereed: Refereed
    start: Referee
    referee: Referee
    head: tuple[tuple[str, str], ...]
    entries: tuple[Entry, ...]

    @property
    def record(self) -> str:
        """The game as a plain-text record."""
        date = {"date": self.entries[0].at[:10]} if "date" not in dict(self.head) else {}
        head = {"game": self.start.game.name, **date, **dict(self.head)}
        return write_record(Record(head, self.referee.entries))


def games(path: Path) -> list[dict[str, Any]]:
    """All games, the newest first. Nothing is judged for this: heads and ends are written down."""
    found: dict[int, dict[str, Any]] = {}
    counts: defaultdict[int, int] = defaultdict(int)
    for entry in _entries(path, None):
        if entry.kind is Kind.BEGIN:
            head = json.loads(entry.line)
            found[entry.game] = {"game": entry.game, "at": entry.at, "head": head, "winner": None, "by": None}
        elif entry.kind is Kind.END and entry.game in found:
            found[entry.game] |= json.loads(entry.line)
        elif entry.kind is Kind.FACT:
            counts[entry.game] += 1
    return [game | {"facts": counts[number]} for number, game in sorted(found.items(), reverse=True)]


def score(listed: Iterable[dict[str, Any]]) -> dict[str, int]:
    """Games won over all rounds, by player's letter."""
    won: defaultdict[str, int] = defaultdict(int)
    for game in listed:
        if game["winner"] is not None:
            won[game["winner"]] += 1
    return dict(won)


def matches(listed: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Finished rounds of Schotten Totten between the same two players as matches, the newest first, with points as rule
    ST-405 gives them. A round that was played before begins a new match."""
    found: list[dict[str, Any]] = []
    for game in sorted(listed, key=lambda one: int(one["game"])):
        name = game["head"].get("round")
        if not name or game["by"] is None or game["head"].get("game", MATCHED) != MATCHED:
            continue
        players = [game["head"].get(f"player {player}", player) for player in ("A", "B")]
        last = found[-1] if found else None
        if last is None or last["players"] != players or any(one["round"] == name for one in last["rounds"]):
            last = {"players": players, "rounds": []}
            found.append(last)
        last["rounds"].append({"game": game["game"], "round": name, "points": _points(game)})
    for match in found:
        match["total"] = [sum(one["points"][side] for one in match["rounds"]) for side in (0, 1)]
    return found[::-1]


def _points(game: dict[str, Any]) -> list[int]:
    held = game.get("score", {})
    return [WINNER_POINTS if player == game["winner"] else int(held.get(player, 0)) for player in ("A", "B")]


def played(path: Path, number: int) -> Played | None:
    """The game of this number; None if there is none."""
    entries = tuple(_entries(path, number))
    if not entries or entries[0].kind is not Kind.BEGIN:
        return None
    game = refereed(game_of(entries))
    start, referee, head = replayed(game, entries)
    return Played(number, game, start, referee, head, entries)


def steps(game: Played, language: str) -> list[dict[str, Any]]:
    """The board before the first move and after each one, with what was said of it."""
    describer = Describer(game.refereed)
    judged = Course().of(game.start, game.referee)
    positions = [*(one.before for one in judged[1:]), game.referee.position] if judged else []
    table = game.start.table
    found: list[dict[str, Any]] = [{"verdict": None, "pieces": _pieces(game.refereed, game.start)}]
    for one, position in zip(judged, positions, strict=True):
        table = table.after(one.told.fact.changes())
        pieces = [piece.document() for piece in drawn(game.refereed, table, position)]
        found.append({"verdict": describer.verdict(one, language), "pieces": pieces})
    return found


def acts(game: Played) -> list[dict[str, Any]]:
    """What people did besides playing: took back, ruled, corrected, paused, ended; who, when, and as it was written."""
    found: list[dict[str, Any]] = []
    for entry in game.entries:
        if entry.kind is Kind.ACT:
            what = type(parse_entry(entry.line, game.refereed.game.parse)).__name__.lower()
        elif entry.kind is Kind.FACT and entry.who != "camera":
            what = "told"
        else:
            continue
        found.append({"at": entry.at, "who": entry.who, "what": what, "line": entry.line})
    return found


def _pieces(refereed: Refereed, referee: Referee) -> list[dict[str, Any]]:
    return [piece.document() for piece in drawn(refereed, referee.table, referee.position)]


def _entries(path: Path, number: int | None) -> tuple[Entry, ...]:
    reader = Reader(path)
    try:
        return tuple(reader.entries(number))
    finally:
        reader.close()
