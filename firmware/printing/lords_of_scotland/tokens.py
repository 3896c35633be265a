"""Draws the ten tokens: nine of powers, three of each clan whose power works at the end of a skirmish, and the
initiative. Each carries a marker, so that it is known wherever it lies and however it is turned."""

from __future__ import annotations

from collections.abc import Sequence

from firmware.printing.heraldry import PAPER
from firmware.printing.lords_of_scotland.clans import CLANS
from firmware.printing.mat import marker_cells
from firmware.printing.shapes import Drawing, Shape, circle, path, placed, rect, rounded, star
from vision.lords_of_scotland import TOKEN_MARKER_MM

TOKEN_MM = (32.0, 22.0)
_MARKER = (10.6, 11.0)
_SIGN = (25.8, 11.0)
GOLD, DEEP = "#e8b923", "#7a5a00"


def token(code: str, marker: int) -> Drawing:
    """The token of this code (`initiative`, `power-bruce1` …)."""
    if code == "initiative":
        return initiative(marker)
    return power(code.removeprefix("power-").rstrip("0123456789"), marker)


def power(clan: str, marker: int) -> Drawing:
    """A clan's power: its badge on its colour."""
    shown = CLANS[clan]
    sign: list[Shape] = [circle(*_SIGN, 4.9, fill=PAPER), placed(shown.badge(shown.cloth.colour), _SIGN, scale=3.6)]
    return _token(marker, shown.cloth.colour, shown.cloth.dark, sign)


def initiative(marker: int) -> Drawing:
    """The initiative: a horn's star on gold."""
    burst = [circle(*_SIGN, 4.9, fill=PAPER), star(*_SIGN, 4.6, 1.9, 8, fill=DEEP), circle(*_SIGN, 1.1, fill=GOLD)]
    return _token(marker, GOLD, DEEP, burst)


def _token(marker: int, colour: str, dark: str, sign: Sequence[Shape]) -> Drawing:
    width, height = TOKEN_MM
    return Drawing(
        TOKEN_MM,
        (
            rect(0, 0, width, height, fill=PAPER),
            path(f"M20.6 0 L{width} 0 L{width} {height} L20.6 {height} Z", fill=colour),
            *sign,
            rounded(0.3, 0.3, width - 0.6, height - 0.6, 2.4, stroke=dark, pen=0.6),
            placed(marker_cells(marker, TOKEN_MARKER_MM), _MARKER),
        ),
    )
