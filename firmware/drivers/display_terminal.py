"""A display in the terminal: two pixels a character, in half blocks; without room for these eight, as Braille dots."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from PIL import Image

from firmware.faults import PartFault
from firmware.ports import Canvas
from hardware_config.settings import TerminalDisplay

BLOCKS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # of a Braille letter, by row and column
HOME, CLEAR_REST, CLEAR_BELOW = "\x1b[H", "\x1b[K", "\x1b[J"


def as_blocks(picture: Image.Image) -> list[str]:
    """The picture as lines of half blocks, framed; anything brighter than black is on."""
    bits = picture.convert("1")
    width, height = bits.size
    on = [[bool(bits.getpixel((x, y))) for x in range(width)] for y in range(height)]
    dark = [False] * width
    rows = (
        "".join(BLOCKS[pair] for pair in zip(on[y], on[y + 1] if y + 1 < height else dark, strict=True))
        for y in range(0, height, 2)
    )
    return _framed(list(rows))


def as_dots(picture: Image.Image) -> list[str]:
    """The picture as lines of Braille, framed: half as wide and half as high."""
    bits = picture.convert("1")
    width, height = bits.size

    def letter(left: int, top: int) -> str:
        within = [(x, y) for y in range(4) for x in range(2) if left + x < width and top + y < height]
        return chr(0x2800 + sum(DOTS[y][x] for x, y in within if bits.getpixel((left + x, top + y))))

    return _framed(["".join(letter(x, y) for x in range(0, width, 2)) for y in range(0, height, 4)])


def _framed(rows: list[str]) -> list[str]:
    edge = "─" * len(rows[0])
    return [f"┌{edge}┐", *(f"│{row}│" for row in rows), f"└{edge}┘"]


class Driver:
    """Redraws in place on a terminal, as large as it finds room, and writes one picture after the other into a pipe."""

    def __init__(self, settings: TerminalDisplay, stream: TextIO | None = None) -> None:
        self.canvas = Canvas(*settings.size)
        self._stream = stream or sys.stdout
        self._written: list[str] = []

    def open(self) -> Canvas:
        return self.canvas

    def show(self, picture: Image.Image) -> None:
        try:
            if self._stream.isatty():
                rows = as_blocks(picture) if self._has_room() else as_dots(picture)
                self._stream.write(HOME + "".join(f"{row}{CLEAR_REST}\n" for row in rows) + CLEAR_BELOW)
            elif (rows := as_blocks(picture)) != self._written:
                self._stream.write("\n".join(rows) + "\n")
                self._written = rows
            self._stream.flush()
        except OSError as error:
            raise PartFault("display", f"the terminal is gone ({error})") from error

    def _has_room(self) -> bool:
        """For the frame around half blocks, and a line below it that says more. A terminal of no size has any."""
        columns, rows = os.get_terminal_size(self._stream.fileno())
        return columns == 0 or (columns > self.canvas.width + 1 and rows > self.canvas.height // 2 + 3)

    def close(self) -> None:
        return
