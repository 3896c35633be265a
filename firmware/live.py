"""A live view in the terminal: the board as the referee believes it, the display, the lamps, the last verdicts.

Draws what snapshots say; knows no device. Colours are used where the terminal has them and never alone: every card
bears its code.
"""

from __future__ import annotations

import shutil
from collections import deque
from collections.abc import Callable
from typing import TextIO

from engine.table import Table
from firmware.drivers.display_terminal import as_blocks
from firmware.ledger import Snapshot
from firmware.messages import line
from firmware.ports import Canvas
from firmware.screen import draw
from firmware.signals import Lamp, Screen

LAST = 6
SMALL = Canvas(128, 64)
BESIDES = 26  # lines of the board and the verdicts
HOME, CLEAR_BELOW, CLEAR = "\x1b[H", "\x1b[J", "\x1b[2J"


class LiveView:
    """Redraws itself in place; into a pipe it writes one line a verdict."""

    def __init__(
        self,
        stream: TextIO,
        board: Callable[[Table, tuple[Lamp, ...], str], list[str]],
        canvas: Canvas = SMALL,
        note: Callable[[], str] = str,
        language: str = "en",
    ) -> None:
        """`board` draws the table in characters; `note` is a line for the top, asked for anew each time."""
        self._stream = stream
        self._note = note
        self._language = language
        self._board = board
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
        page = [title, self._note(), *board, *picture, snapshot.signals.notice]
        room = max(1, shutil.get_terminal_size().lines - len(page) - 1)  # below it the cursor has a line
        return [line.rstrip() for line in (*page, *list(self._verdicts)[-room:])]

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
