"""Draws the mat of a table's geometry: markers, and quiet outlines where things belong.

Quiet, so that nothing on it can be taken for a card: one pale ground, darker than any card's paper, and outlines a
shade darker than the ground. Knows places (`vision.layout`); knows no rule.
"""

from __future__ import annotations

import math
from itertools import groupby, pairwise

from firmware.printing import raster
from firmware.printing.shapes import (
    Drawing,
    Point,
    Shape,
    Size,
    Text,
    circle,
    line,
    path,
    placed,
    rect,
    rounded,
)
from vision.layout import Fan, Layout, Marker
from vision.markers import MODULES, pattern

GROUND = "#bdc7ba"
PLACE = "#b3beb0"
LINE = "#96a493"
LABEL = "#7f8e7d"
PEN = 0.45
CARD_CORNER_MM = 3.0
BORDER = "border"


def mat(layout: Layout) -> Drawing:
    """The whole mat."""
    return Drawing(
        layout.size_mm,
        (
            rect(0, 0, *layout.size_mm, fill=GROUND),
            *_border_line(layout),
            *_regions(layout),
            *_tile_places(layout),
            *_card_places(layout),
            *_labels(layout),
            *(marker_shape(marker) for marker in layout.markers),
        ),
    )


def draw(layout: Layout, px_per_mm: float) -> raster.Pixels:
    """The mat as BGR pixels."""
    return raster.to_pixels(mat(layout), px_per_mm)


def _border_line(layout: Layout) -> list[Shape]:
    """The march that the Stones stand on: a low ridge from edge to edge."""
    middles = [at for tile in layout.tiles for name, at in tile.spots if name == BORDER]
    if not middles:
        return []
    (left, y), (right, _) = middles[0], middles[-1]
    reach = layout.tile_mm[0] / 2
    return [rounded(left - reach, y - 3, right - left + 2 * reach, 6, 3, fill=PLACE)]


def _tile_places(layout: Layout) -> list[Shape]:
    shapes: list[Shape] = []
    for tile in layout.tiles:
        for place, centre in tile.spots:
            shapes.append(_outline(centre, layout.tile_mm, 2.5, filled=place == BORDER))
            if place == BORDER:
                shapes.append(_word(tile.code.removeprefix("stone"), centre, 5.0))
            elif layout.regions:
                shapes.append(placed([_word(place, (0, 0), 7.0)], centre, turn=_facing(layout, place)))
            else:
                shapes.append(placed([_menhir()], centre, turn=0.0 if place == "A" else 180.0))
    return shapes


def _facing(layout: Layout, player: str) -> float:
    """How far what this player reads is turned."""
    return next(region.rotation for region in layout.regions if region.place.endswith(player))


def _regions(layout: Layout) -> list[Shape]:
    """Where cards lie anywhere: a frame each, a player's letter at the edge where that player sits; and heaps."""
    shapes: list[Shape] = []
    for region in layout.regions:
        shapes.append(_outline(region.middle_mm, region.size_mm, 5.0, filled=True))
        player = region.place[-1]
        if player.isupper():
            away = (region.size_mm[0] if region.rotation % 180 else region.size_mm[1]) / 2 - 9
            shapes.append(placed([_word(player, (0, away), 11.0)], region.middle_mm, turn=region.rotation))
        else:
            shapes.append(placed([_coronet()], region.middle_mm, scale=2.4))
    for heap in layout.heaps:
        shapes += [
            _outline((heap.centre_mm[0] + off, heap.centre_mm[1] + off), layout.card_mm, CARD_CORNER_MM)
            for off in (-2.0, 0.0, 2.0)
        ]
        if heap.place == "discard":
            shapes.append(_word("×", heap.centre_mm, 14.0))
    return shapes


def _coronet() -> Shape:
    """A coronet: here lie those who choose a king."""
    return path("M-8 5 L-9.4 -4.6 L-4.2 -0.4 L0 -7 L4.2 -0.4 L9.4 -4.6 L8 5 Z", stroke=LINE, pen=PEN)


def _card_places(layout: Layout) -> list[Shape]:
    shapes: list[Shape] = []
    for fan in layout.fans:
        shapes += _fan(fan, layout.card_mm)
    sideways = [spot for spot in layout.spots if spot.rotation % 180]
    for x, column in groupby(sideways, key=lambda spot: spot.centre_mm[0]):
        shapes += _sideways(x, [spot.centre_mm[1] for spot in column], layout)
    upright = [spot for spot in layout.spots if spot.rotation % 180 == 0]
    shapes += [_outline(spot.centre_mm, layout.card_mm, CARD_CORNER_MM) for spot in upright]
    if layout.regions:  # numbered, where the number is not the Stone's
        shapes += [_word(spot.place[-1], spot.centre_mm, 9.0) for spot in upright]
    return shapes


def _sideways(x: float, rows: list[float], layout: Layout) -> list[Shape]:
    """One frame for overlapping cards that lie sideways, with ticks at their edges; as wide as the Stone above it."""
    across = layout.card_mm[0]
    half = layout.tile_mm[0] / 2
    top, bottom = min(rows) - across / 2, max(rows) + across / 2
    edges = [edge for y in rows for edge in (y - across / 2, y + across / 2) if top < edge < bottom]
    ticks = [
        line([(x + side * half, edge), (x + side * (half - 9), edge)], stroke=LINE, pen=PEN)
        for edge in edges
        for side in (-1, 1)
    ]
    return [_outline((x, (top + bottom) / 2), (2 * half, bottom - top), CARD_CORNER_MM), *ticks]


def _fan(fan: Fan, card_mm: Size) -> list[Shape]:
    """The first card's outline, and a pair of ticks at the outer edge of each that may follow."""
    width, height = card_mm
    x, y = fan.first_mm
    towards = math.copysign(1.0, fan.step_mm[1])
    shapes: list[Shape] = [_outline(fan.first_mm, card_mm, CARD_CORNER_MM, filled=True)]
    for n in range(1, fan.capacity):
        edge = y + n * fan.step_mm[1] + towards * height / 2
        for side in (-1, 1):
            corner = x + side * width / 2
            inner, outer = (corner - side * 9, edge), (corner, edge - towards * 9)
            shapes.append(line([inner, (corner, edge), outer], stroke=LINE, pen=PEN))
    return shapes


def _labels(layout: Layout) -> list[Shape]:
    """The players' letters at their own edges, and whose mat this is, in the margins between markers."""
    left = min(marker.centre_mm[0] for marker in layout.markers)
    rows = sorted({marker.centre_mm[1] for marker in layout.markers})
    gaps = [(above + below) / 2 for above, below in pairwise(rows)]
    name = Text((0, 0), "Marchwarden", 6.5, LABEL, "italic", "middle")
    if layout.regions:  # the letters are in the players' own regions
        return [placed([name], (left + 2, gaps[1]), turn=-90)]
    letters = [placed([_disc(player)], (left, y), turn=turn) for player, y, turn in
               (("A", gaps[-1], 0.0), ("B", gaps[0], 180.0))]  # fmt: skip
    return [placed([name], (left + 2, gaps[1]), turn=-90), *letters]


def _disc(player: str) -> Shape:
    letter = Text((0, 3.9), player, 11, GROUND, "bold", "middle")
    return placed([circle(0, 0, 9, fill=LABEL), letter])


def _menhir() -> Shape:
    """A small standing stone: here lies what was claimed."""
    return path("M-5 7 L-3.6 -5 C-3 -8.4 2.4 -8.8 3.4 -5.4 L5.2 7 Z", stroke=LINE, pen=PEN)


def _outline(centre: Point, size: Size, corner: float, *, filled: bool = False) -> Shape:
    (x, y), (width, height) = centre, size
    fill = PLACE if filled else None
    return rounded(x - width / 2, y - height / 2, width, height, corner, fill=fill, stroke=LINE, pen=PEN)


def _word(words: str, centre: Point, size: float) -> Shape:
    return Text((centre[0], centre[1] + 0.36 * size), words, size, LABEL, "plain", "middle")


def marker_shape(marker: Marker) -> Shape:
    """A marker with the white zone around it that its readers need."""
    reach = marker.size_mm * (0.5 + 1 / MODULES)
    white = rect(-reach, -reach, 2 * reach, 2 * reach, fill="#ffffff")
    return placed([white, *marker_cells(marker.id, marker.size_mm)], marker.centre_mm)


def marker_cells(marker: int, size_mm: float) -> list[Shape]:
    """A marker about the origin, without its white zone."""
    module = size_mm / MODULES
    half = size_mm / 2
    cells = pattern(marker, 1)
    shapes: list[Shape] = [rect(-half, -half, 2 * half, 2 * half, fill="#000000")]
    for row in range(2, MODULES):
        for column in range(2, MODULES):
            if cells[row, column] > 0:
                x, y = (column - 1) * module - half, (row - 1) * module - half
                shapes.append(rect(x, y, module, module, fill="#ffffff"))
    return shapes
