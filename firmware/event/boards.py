"""Games as the engine sees them, from the hub's copy of a journal: board, verdicts, what a ruling changed.

Derived when somebody looks, and by the audit; the read model holds none of it. Knows no broker.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.record import entry_line
from engine.referee import Told
from firmware.faults import JournalDamaged
from firmware.games import GAMES, Refereed, refereed
from firmware.journal import Entry, Kind
from firmware.retell import ACTS, ending, replayed
from firmware.state import Referee


@dataclass(frozen=True)
class Board:
    """A game as its entries tell it."""

    refereed: Refereed
    head: tuple[tuple[str, str], ...]
    start: Referee
    referee: Referee

    @property
    def ending(self) -> dict[str, Any] | None:
        return ending(self.referee)

    def told(self, number: int) -> Told[Any] | None:
        """The fact of this number, as it was judged."""
        return next((one for one in self.referee.told if one.number == number), None)

    def line(self, number: int) -> str | None:
        """The fact of this number as it was told first, before any correction."""
        entries = self.referee.entries
        entry = entries[number - 1] if 0 < number <= len(entries) else None
        return None if entry is None or isinstance(entry, ACTS) else entry_line(entry)

    def described(self, asked: dict[str, Any]) -> str:
        """What counts of the thing that an order is about."""
        told = self.told(number) if isinstance(number := asked.get("number"), int) else None
        if told is not None:
            return f"{told.fact}: {'counts' if told.counts else 'does not count'}"
        end = self.ending
        if end is None:
            return "the game is open"
        return f"{end['winner']} won by {end['by']}" if end["winner"] else "a draw"


def board_of(entries: Iterable[Entry]) -> Board:
    """The board of one game; raises JournalDamaged when its entries are no game of ours."""
    known = list(entries)
    name = next((_game_name(entry.line) for entry in known if entry.kind is Kind.BEGIN), "schotten-totten")
    if name not in GAMES:
        raise JournalDamaged(f"the game {name!r} is unknown here")
    game = refereed(name)
    start, referee, head = replayed(game, known)
    return Board(game, head, start, referee)


def changed_by(entries: Sequence[Entry], seq: int, asked: dict[str, Any]) -> tuple[str, str]:
    """What counted before and after the entry of this number."""
    before = [entry for entry in entries if entry.seq < seq]
    after = [entry for entry in entries if entry.seq <= seq]
    return board_of(before).described(asked), board_of(after).described(asked)


def _game_name(line: str) -> str:
    try:
        document = json.loads(line)
    except ValueError:
        return ""
    return str(document.get("game", "schotten-totten")) if isinstance(document, dict) else ""
