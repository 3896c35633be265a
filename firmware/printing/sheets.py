"""Lays things out on paper: the mat in tiles, cards and Stones to cut, loose markers.

Every function gives the pages of one PDF, each as large as its paper, at true scale.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from firmware.printing.cards import CORNER_MM
from firmware.printing.deck import DrawnDeck
from firmware.printing.mat import marker_shape, mat
from firmware.printing.papers import BLACK, FOOT_MM, HAIRLINE, MARGIN_MM, crop_marks, footer, ruler
from firmware.printing.shapes import Drawing, Point, Shape, Size, Text, placed, polygon, rect, rounded
from vision.layout import Layout, Marker

OVERLAP_MM = 8.0
MODULES_ACROSS = 8 / 6  # a marker with its white zone, in marker sizes

ASSEMBLY = (
    "Print at 100 %, without “fit to page”; the ruler must measure 100 mm.",
    "Cut each sheet along the marks at its left and upper edge.",
    "Glue it over its neighbour, up to the small triangles.",
    "",
    "Imprimer à 100 %, sans « ajuster à la page » ; la règle doit mesurer 100 mm.",
    "Couper chaque feuille le long des repères, à gauche et en haut.",
    "La coller sur sa voisine, jusqu’aux petits triangles.",
    "",
    "Imprimir al 100 %, sin «ajustar a la página»; la regla debe medir 100 mm.",
    "Cortar cada hoja por las marcas de la izquierda y de arriba.",
    "Pegarla sobre su vecina, hasta los triángulos pequeños.",
)


@dataclass(frozen=True, slots=True)
class Tiling:
    """How a large drawing is cut into sheets: the paper as it is turned, and the tiles' number, size and pace."""

    paper: Size
    columns: int
    rows: int
    tile: Size

    @property
    def pace(self) -> Size:
        return self.tile[0] - OVERLAP_MM, self.tile[1] - OVERLAP_MM


def tiling(size: Size, paper: Size) -> Tiling:
    """The fewest sheets, the paper upright or turned."""
    return min((_tiling_on(size, turned) for turned in (paper, (paper[1], paper[0]))), key=lambda t: t.columns * t.rows)


def _tiling_on(size: Size, paper: Size) -> Tiling:
    counts, tiles = [], []
    for length, sheet in zip(size, paper, strict=True):
        room = sheet - 2 * MARGIN_MM
        count = 1 if length <= room else math.ceil((length - OVERLAP_MM) / (room - OVERLAP_MM))
        counts.append(count)
        tiles.append((length + (count - 1) * OVERLAP_MM) / count)
    return Tiling(paper, counts[0], counts[1], (tiles[0], tiles[1]))


def mat_sheets(layout: Layout, paper: Size) -> list[Drawing]:
    """The mat on as many sheets as it needs; if on several, one that shows how they go together comes first."""
    whole = mat(layout)
    plan = tiling(layout.size_mm, paper)
    tiles = [_tile(whole, plan, column, row) for row in range(plan.rows) for column in range(plan.columns)]
    return tiles if len(tiles) == 1 else [_assembly_sheet(plan), *tiles]


def _tile(whole: Drawing, plan: Tiling, column: int, row: int) -> Drawing:
    (width, height), (pace_x, pace_y) = plan.tile, plan.pace
    left, top = (plan.paper[0] - width) / 2, (plan.paper[1] - height) / 2
    from_x, from_y = column * pace_x, row * pace_y
    part = placed(whole.items, (left - from_x, top - from_y), clip=rect(from_x, from_y, width, height))
    marks = crop_marks((left, left + width), (top, top + height))
    if column + 1 < plan.columns:
        marks += [_triangle((left + pace_x, top - 1), 180), _triangle((left + pace_x, top + height + 1), 0)]
    if row + 1 < plan.rows:
        marks += [_triangle((left - 1, top + pace_y), 90), _triangle((left + width + 1, top + pace_y), -90)]
    name = "" if plan.columns * plan.rows == 1 else f"  {tile_name(column, row)}"
    return Drawing(plan.paper, (part, *marks, *footer(plan.paper, f"Marchwarden{name}")))


def tile_name(column: int, row: int) -> str:
    """A tile's row as a letter and its column as a number, from the top left: `A1`."""
    return f"{chr(ord('A') + row)}{column + 1}"


def _triangle(tip: Point, turn: float) -> Shape:
    """A small triangle that points up at its tip: the neighbour's cut edge comes to here."""
    return placed([polygon([(0, 0), (1.2, 2.4), (-1.2, 2.4)], fill=BLACK)], tip, turn=turn)


def _assembly_sheet(plan: Tiling) -> Drawing:
    width, height = plan.paper
    room = width - 2 * MARGIN_MM
    whole = (plan.columns * plan.pace[0] + OVERLAP_MM, plan.rows * plan.pace[1] + OVERLAP_MM)
    scale = min(room / whole[0], (height - 104) / whole[1])
    cells: list[Shape] = []
    for row in range(plan.rows):
        for column in range(plan.columns):
            x, y = column * plan.pace[0], row * plan.pace[1]
            cells.append(rect(x, y, *plan.tile, stroke=BLACK, pen=0.3 / scale))
            middle = (x + plan.tile[0] / 2, y + plan.tile[1] / 2 + 8)
            cells.append(Text(middle, tile_name(column, row), 6 / scale, BLACK, "bold", "middle"))
    title = Text((MARGIN_MM, 18), f"Marchwarden: {plan.columns} × {plan.rows}", 6, BLACK, "bold")
    hints = [Text((MARGIN_MM, 27 + 4.8 * n), words, 3.2, BLACK) for n, words in enumerate(ASSEMBLY) if words]
    shown = placed(cells, (MARGIN_MM, 32 + 4.8 * len(ASSEMBLY)), scale=scale)
    return Drawing(plan.paper, (title, *hints, shown, *ruler(MARGIN_MM, height - FOOT_MM)))


def card_sheets(deck: DrawnDeck, codes: Sequence[str], paper: Size, *, backs: bool = False) -> list[Drawing]:
    """Cards (or tiles: all of one size) edge to edge; with `backs`, every sheet is followed by its reverse.

    The reverse is mirrored left to right, as a printer turns an upright sheet over its long edge.
    """
    size = deck.drawing(codes[0]).size_mm
    columns, rows = (int((sheet - 2 * MARGIN_MM) // side) for sheet, side in zip(paper, size, strict=True))
    pages: list[Drawing] = []
    starts = range(0, len(codes), columns * rows)
    for number, start in enumerate(starts, 1):
        chosen = codes[start : start + columns * rows]
        words = f"Marchwarden  {number}/{len(starts)}"
        pages.append(_card_sheet(deck, chosen, paper, size, columns, rows, words))
        if backs:
            pages.append(_card_sheet(deck, _reverse(deck, chosen, columns), paper, size, columns, rows, words))
    return pages


def _reverse(deck: DrawnDeck, codes: Sequence[str], columns: int) -> list[str | None]:
    """The back of each card, every row from right to left; None where the front has no card."""
    reverse: list[str | None] = []
    for start in range(0, len(codes), columns):
        row = codes[start : start + columns]
        reverse += [None] * (columns - len(row))
        reverse += [deck.back_of(code) for code in reversed(row)]
    return reverse


def _card_sheet(
    deck: DrawnDeck, codes: Sequence[str | None], paper: Size, size: Size, columns: int, rows: int, words: str
) -> Drawing:
    (width, height) = size
    left, top = (paper[0] - columns * width) / 2, (paper[1] - rows * height) / 2
    items: list[Shape] = []
    for n, code in enumerate(codes):
        if code is not None:
            at = (left + n % columns * width, top + n // columns * height)
            items.append(placed(deck.drawing(code).items, at, clip=rect(0, 0, width, height)))
            items.append(placed([_corners(size)], at))
    xs = [left + n * width for n in range(columns + 1)]
    ys = [top + n * height for n in range(math.ceil(len(codes) / columns) + 1)]
    return Drawing(paper, (*items, *crop_marks(xs, ys), *footer(paper, words)))


def _corners(size: Size) -> Shape:
    """A faint line where the corners may be rounded."""
    return rounded(0, 0, *size, CORNER_MM, stroke="#d9d2c2", pen=HAIRLINE)


def marker_sheets(layout: Layout, paper: Size, size_mm: float | None = None) -> list[Drawing]:
    """The mat's markers to cut out and lay on one's own cloth, each with its number and size beside it."""
    markers = [Marker(marker.id, (0.0, 0.0), size_mm or marker.size_mm) for marker in layout.markers]
    side = max(marker.size_mm for marker in markers) * MODULES_ACROSS
    cell = (side + 4, side + 10)
    columns, rows = (int((sheet - 2 * MARGIN_MM) // length) for sheet, length in zip(paper, cell, strict=True))
    pages = []
    for start in range(0, len(markers), columns * rows):
        items: list[Shape] = []
        for n, marker in enumerate(markers[start : start + columns * rows]):
            at = (MARGIN_MM + (n % columns + 0.5) * cell[0], MARGIN_MM + n // columns * cell[1] + side / 2 + 2)
            items.append(placed(_loose(marker, side), at))
        pages.append(Drawing(paper, (*items, *footer(paper, "Marchwarden"))))
    return pages


def _loose(marker: Marker, side: float) -> list[Shape]:
    half = side / 2
    words = f"id {marker.id}  ·  {marker.size_mm:g} mm"
    return [
        marker_shape(marker),
        rect(-half, -half, side, side, stroke="#999999", pen=HAIRLINE),
        Text((0, half + 4), words, 3, BLACK, "plain", "middle"),
    ]
