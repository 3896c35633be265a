"""One table's game as the station's own page would show it, from the hub's copy of its entries.

Made when somebody looks, and once for all who look. Knows entries and games; knows no browser.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from engine.record import Record, write_record
from firmware.event.boards import board_of
from firmware.faults import JournalDamaged
from firmware.journal import Entry
from firmware.ledger import Snapshot
from firmware.present import present
from firmware.state import StationState
from firmware.web.document import Describer

KEPT = 64  # boards that were made last


class Boards:
    """Boards by game and how far it had come. May be asked from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: OrderedDict[tuple[str, int, str], dict[str, Any] | None] = OrderedDict()

    def board(self, game: str, entries: Sequence[Entry], language: str) -> dict[str, Any] | None:
        """The document of a game in a language; None when its entries cannot be understood."""
        key = (game, entries[-1].seq if entries else 0, language)
        with self._lock:
            if key not in self._made:
                self._made[key] = _described(entries, language)
                while len(self._made) > KEPT:
                    self._made.popitem(last=False)
            self._made.move_to_end(key)
            return self._made[key]


def _described(entries: Sequence[Entry], language: str) -> dict[str, Any] | None:
    try:
        board = board_of(entries)
    except JournalDamaged:
        return None
    state = StationState(entries[0].game, board.head, board.start, board.referee, is_over=board.ending is not None)
    snapshot = Snapshot(entries[-1].seq, state, present(state, board.refereed, language), ())
    document = Describer(board.refereed).describe(snapshot, language)
    del document["display"]  # a station's display shows more than its journal says
    return document


def record_of(entries: Sequence[Entry]) -> str | None:
    """The game as a plain-text record; None when there is none."""
    try:
        board = board_of(entries)
    except JournalDamaged:
        return None
    if not entries:
        return None
    head = {"game": board.refereed.game.name, "date": entries[0].at[:10], **dict(board.head)}
    return write_record(Record(head, board.referee.entries))
