"""A display in the terminal: two pixels a character, in half blocks."""

from __future__ import annotations

import sys
from typing import TextIO

from PIL import Image

from firmware.faults import PartFault
from firmware.ports import Canvas
from hardware_config.settings import TerminalDisplay

BLOCKS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
HOME, CLEAR_BELOW = "\x1b[H", "\x1b[J"


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
    return ["┌" + "─" * width + "┐", *(f"│{row}│" for row in rows), "└" + "─" * width + "┘"]


class Driver:
    """Redraws in place on a terminal, and writes one picture after the other into a pipe."""

    def __init__(self, settings: TerminalDisplay, stream: TextIO | None = None) -> None:
        self.canvas = Canvas(*settings.size)
        self._stream = stream or sys.stdout

    def open(self) -> Canvas:
        return self.canvas

    def show(self, picture: Image.Image) -> None:
        start, end = (HOME, CLEAR_BELOW) if self._stream.isatty() else ("", "")
        try:
            self._stream.write(start + "\n".join(as_blocks(picture)) + "\n" + end)
            self._stream.flush()
        except OSError as error:
            raise PartFault("display", f"the terminal is gone ({error})") from error

    def close(self) -> None:
        return
