"""A live view in the terminal: the board as the referee believes it, the display, the lamps, the last verdicts.

Draws what snapshots say; knows no device. Colours are used where the terminal has them and never alone: every card
bears its code.
"""

from __future__ import annotations

import shutil
from collections import deque
from collections.abc import Callable
from typing import TextIO

from engine.rules import Sign
from engine.table import Place, Table
from firmware.drivers.display_terminal import as_blocks
from firmware.ledger import Snapshot
from firmware.messages import line
from firmware.ports import Canvas
from firmware.screen import draw
from firmware.signals import Lamp, Screen

INKS = {"r": 31, "g": 32, "y": 33, "b": 34, "p": 35, "o": 36}
SIGNS = {
    Sign.DARK: "·",
    Sign.OFFERED: "claim?",
    Sign.HELD: "claimed",
    Sign.TIE: "tie",
    Sign.PUT_RIGHT: "! right",
    Sign.UNREADABLE: "unread",
}
WIDTH = 9
LAST = 6
SMALL = Canvas(128, 64)
BESIDES = 26  # lines of the board and the verdicts
HOME, CLEAR_BELOW, CLEAR = "\x1b[H", "\x1b[J", "\x1b[2J"


class LiveView:
    """Redraws itself in place; into a pipe it writes one line a verdict."""

    def __init__(
        self,
        stream: TextIO,
        canvas: Canvas = SMALL,
        note: Callable[[], str] = str,
        language: str = "en",
        board: Callable[[Table, tuple[Lamp, ...], str], list[str]] | None = None,
    ) -> None:
        """`note` is a line for the top, asked for anew each time; `board` draws the table in characters."""
        self._stream = stream
        self._note = note
        self._language = language
        self._board = board or board_lines
        self._canvas = canvas
        self._verdicts: deque[str] = deque(maxlen=LAST)
        self._is_terminal = stream.isatty()
        if self._is_terminal:
            stream.write(CLEAR)

    def __call__(self, snapshot: Snapshot) -> None:
        lines = [_verdict(snapshot, n, self._language) for n in range(len(snapshot.events))]
        self._verdicts.extend(lines)
        if self._is_terminal:
            self._stream.write(HOME + "\x1b[K\n".join(self._page(snapshot)) + "\x1b[K\n" + CLEAR_BELOW)
        else:
            self._stream.writelines(f"{verdict}\n" for verdict in lines)
        self._stream.flush()

    def _page(self, snapshot: Snapshot) -> list[str]:
        state = snapshot.state
        picture = self._picture(snapshot.signals.screen)
        title = line("live-title", self._language, number=state.number, frame=state.frame)
        board = self._board(state.referee.table, snapshot.signals.lamps, self._language)
        return [title, self._note(), *board, "", *picture, snapshot.signals.notice, "", *self._verdicts]

    def _picture(self, screen: Screen) -> list[str]:
        """The display pixel by pixel where the terminal has room for it, else its two lines in a frame."""
        columns, rows = shutil.get_terminal_size()
        if columns > self._canvas.width + 2 and rows > self._canvas.height // 2 + BESIDES:
            return as_blocks(draw(screen, self._canvas))
        width = max(len(screen.headline), len(screen.detail))
        words = [f"│ {text:^{width}} │" for text in (screen.headline, screen.detail)]
        return ["┌" + "─" * (width + 2) + "┐", *words, "└" + "─" * (width + 2) + "┘"]


def _verdict(snapshot: Snapshot, number: int, language: str) -> str:
    told = snapshot.events[number].told
    fouls = ", ".join(f"{foul.kind} ({foul.rule})" for foul in told.verdict.fouls)
    words = line("live-legal", language) if told.verdict.legal else fouls
    return f"{snapshot.state.number:>3}.{told.number:<4} {told.fact!s:<28} {words}"


def board_lines(table: Table, lamps: tuple[Lamp, ...], language: str = "en") -> list[str]:
    """Nine columns, B above and A below, each fan growing away from its Stone."""
    stones = range(1, 10)

    def column(place: str) -> list[str]:
        return [str(piece.code) for piece in table.at(Place(place))]

    def row(codes: list[str]) -> str:
        return "".join(_coloured(code) for code in codes)

    depth = max(3, *(len(column(f"{n}{side}")) for n in stones for side in "AB"))
    above = [[column(f"{n}B")[k] if k < len(column(f"{n}B")) else "" for n in stones] for k in reversed(range(depth))]
    below = [[column(f"{n}A")[k] if k < len(column(f"{n}A")) else "" for n in stones] for k in range(depth)]
    tiles = {
        n: next((at for at in ("claimedB", "border", "claimedA") if table.at(Place(f"{n}{at}"))), "") for n in stones
    }

    def tile_row(at: str) -> str:
        return row([f"[{n}]" if tiles[n] == at else "" for n in stones])

    modes = row(["+".join(column(f"{n}M")) for n in stones])
    shining = row([SIGNS[lamp.sign] + ("" if lamp.side is None else f" {'AB'[lamp.side % 2]}") for lamp in lamps])
    discard = f"{line('live-discard', language)}: " + " ".join(column("discard"))
    return [
        "B " + tile_row("claimedB"),
        *("  " + row(codes) for codes in above),
        "- " + tile_row("border"),
        "  " + modes,
        *("  " + row(codes) for codes in below),
        "A " + tile_row("claimedA"),
        "o " + shining,
        discard,
    ]


def _coloured(code: str) -> str:
    padded = f"{code:<{WIDTH}}"
    ink = INKS.get(code[:1]) if len(code) == 2 and code[1:].isdigit() else None
    return padded if ink is None else f"\x1b[{ink};1m{padded}\x1b[0m"
