"""The papers that printers take, and the marks that every printed sheet carries: where to cut, and a ruler to check."""

from __future__ import annotations

from collections.abc import Iterable

from firmware.printing.shapes import Shape, Size, Text, line

PAPERS: dict[str, Size] = {
    "a4": (210.0, 297.0),
    "letter": (215.9, 279.4),
    "a3": (297.0, 420.0),
    "a2": (420.0, 594.0),
    "a1": (594.0, 841.0),
}
MARGIN_MM = 9.0  # what home printers leave white, and room for the marks
FOOT_MM = 4.8  # how far above the paper's lower edge the ruler stands: home printers reach there
MARK_MM = 5.0
BLACK = "#000000"
HAIRLINE = 0.15


def crop_marks(xs: Iterable[float], ys: Iterable[float]) -> list[Shape]:
    """Marks outside a block whose cuts run along all of `xs` and `ys`."""
    columns, rows = sorted(xs), sorted(ys)
    left, right, top, bottom = columns[0], columns[-1], rows[0], rows[-1]
    gap = 1.0
    marks: list[Shape] = []
    for x in columns:
        marks.append(line([(x, top - gap), (x, top - MARK_MM)], stroke=BLACK, pen=HAIRLINE))
        marks.append(line([(x, bottom + gap), (x, bottom + MARK_MM)], stroke=BLACK, pen=HAIRLINE))
    for y in rows:
        marks.append(line([(left - gap, y), (left - MARK_MM, y)], stroke=BLACK, pen=HAIRLINE))
        marks.append(line([(right + gap, y), (right + MARK_MM, y)], stroke=BLACK, pen=HAIRLINE))
    return marks


def ruler(x: float, y: float) -> list[Shape]:
    """A ruler of 100 mm that starts at `x` and stands on `y`: it tells a sheet that the printer has scaled."""
    shapes: list[Shape] = [line([(x, y), (x + 100, y)], stroke=BLACK, pen=0.2)]
    for n in range(11):
        height = 2.4 if n % 5 == 0 else 1.4
        shapes.append(line([(x + 10 * n, y), (x + 10 * n, y - height)], stroke=BLACK, pen=0.2))
    return [*shapes, Text((x + 102, y), "100 mm = 100 %", 2.2, BLACK)]


def footer(paper: Size, words: str) -> list[Shape]:
    """The ruler at the left of the bottom margin, and what this sheet is at the right."""
    width, height = paper
    indent = MARGIN_MM + MARK_MM
    name = Text((width - indent, height - FOOT_MM), words, 2.6, BLACK, "bold", "end")
    return [*ruler(indent, height - FOOT_MM), name]
