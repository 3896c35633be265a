"""Draws the nine Stones of the border: a standing stone in the grass, each of its own shape and carving."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from firmware.printing.heraldry import INK, numeral
from firmware.printing.shapes import (
    Drawing,
    Point,
    Shape,
    circle,
    ellipse,
    line,
    path,
    placed,
    polygon,
    rect,
    spiral,
)

TILE_MM = (64.0, 36.5)
MEADOW, DEEP, BLADE = "#8fae5d", "#6f9147", "#4f7030"
ROCK, SHADE, CARVED = "#b9b6ad", "#918d84", "#4a4640"
PEN = 0.75


def _rings() -> list[Shape]:
    return [circle(0, 0, radius, stroke=CARVED, pen=PEN) for radius in (2.0, 4.2, 6.4)] + [
        circle(0, 0, 0.8, fill=CARVED)
    ]


def _double_spiral() -> list[Shape]:
    return [
        spiral(-4.2, 0, 4.0, 2.2, 0, stroke=CARVED, pen=PEN),
        spiral(4.2, 0, 4.0, 2.2, 180, stroke=CARVED, pen=PEN),
    ]


def _triskele() -> list[Shape]:
    centres = [(4.2 * math.cos(a), 4.2 * math.sin(a), math.degrees(a)) for a in (-math.pi / 2, 0.52, 2.62)]
    return [spiral(x, y, 3.7, 1.7, deg + 180, stroke=CARVED, pen=PEN) for x, y, deg in centres]


def _cross() -> list[Shape]:
    arms = [line([(0, -7), (0, 7)], stroke=CARVED, pen=2.0), line([(-7, 0), (7, 0)], stroke=CARVED, pen=2.0)]
    return [*arms, circle(0, 0, 4.4, stroke=CARVED, pen=1.2)]


def _zigzag() -> list[Shape]:
    return [
        line([(-8 + 2.0 * n, y + (1.6 if n % 2 else -1.6)) for n in range(9)], stroke=CARVED, pen=PEN)
        for y in (-4.4, -1.4, 1.6, 4.6)
    ]


def _sun() -> list[Shape]:
    rays = [
        line([(3.6 * math.cos(a), 3.6 * math.sin(a)), (7 * math.cos(a), 7 * math.sin(a))], stroke=CARVED, pen=0.9)
        for a in (n * math.pi / 6 for n in range(12))
    ]
    return [circle(0, 0, 2.4, fill=CARVED), *rays]


def _knot() -> list[Shape]:
    return [placed([ellipse(0, 0, 7.4, 2.9, stroke=CARVED, pen=0.9)], turn=60.0 * n) for n in range(3)]


def _lozenges() -> list[Shape]:
    return [
        polygon([(x, -r), (x + 0.72 * r, 0), (x, r), (x - 0.72 * r, 0)], stroke=CARVED, pen=PEN)
        for x in (-4.6, 4.6)
        for r in (6.4, 4.0, 1.7)
    ]


def _waves() -> list[Shape]:
    wave = "M-8 0 C-6.6 -2.6 -5.4 -2.6 -4 0 C-2.6 2.6 -1.4 2.6 0 0 C1.4 -2.6 2.6 -2.6 4 0 C5.4 2.6 6.6 2.6 8 0"
    return [placed([path(wave, stroke=CARVED, pen=0.9)], (0, y)) for y in (-5, -1.7, 1.7, 5)]


CARVINGS: dict[int, Callable[[], list[Shape]]] = {
    1: _rings, 2: _double_spiral, 3: _triskele, 4: _cross, 5: _zigzag, 6: _sun, 7: _knot, 8: _lozenges, 9: _waves,
}  # fmt: skip


def stone_tile(number: int) -> Drawing:
    """A Stone by its number, 1 to 9 from A's left."""
    chance = random.Random(f"stone {number}")
    width, height = TILE_MM
    outline = _boulder(chance)
    shadow = [(x + 1.0, y + 1.3) for x, y in outline]
    number_shapes = placed(numeral(number, INK, pen=1.5), scale=0.62)
    return Drawing(
        TILE_MM,
        (
            rect(0, 0, width, height, fill=MEADOW),
            *_grass(chance),
            polygon(shadow, fill=BLADE),
            polygon(outline, fill=ROCK, stroke=CARVED, pen=0.6),
            *_flecks(chance, outline),
            placed(CARVINGS[number](), (width / 2, height / 2 - 0.4), scale=1.35),
            *_ogham(number, outline),
            placed([number_shapes], (3.0, 3.0)),
            placed([number_shapes], (width - 3.0, height - 3.0), turn=180),
        ),
    )


def _boulder(chance: random.Random) -> list[Point]:
    width, height = TILE_MM
    points = []
    for n in range(14):
        angle = 2 * math.pi * n / 14
        reach = chance.uniform(0.9, 1.04)
        flat = (abs(math.cos(angle)) ** 5 + abs(math.sin(angle)) ** 5) ** -0.2
        points.append(
            (width / 2 + 21.0 * flat * reach * math.cos(angle), height / 2 + 14.0 * flat * reach * math.sin(angle))
        )
    return points


def _grass(chance: random.Random) -> list[Shape]:
    width, height = TILE_MM
    tufts: list[Shape] = []
    for _ in range(26):
        x, y = chance.uniform(0, width), chance.uniform(0, height)
        tufts.append(ellipse(x, y, chance.uniform(2, 5), chance.uniform(1, 2.2), fill=DEEP, opacity=0.5))
    for _ in range(110):
        x, y = chance.uniform(0, width), chance.uniform(1.5, height)
        lean = chance.uniform(-0.6, 0.6)
        tufts.append(line([(x, y), (x + lean, y - chance.uniform(1.0, 2.0))], stroke=BLADE, pen=0.28))
    return tufts


def _flecks(chance: random.Random, outline: list[Point]) -> list[Shape]:
    width, height = TILE_MM
    spots = [
        ellipse(
            width / 2 + chance.uniform(-17, 17),
            height / 2 + chance.uniform(-11, 11),
            chance.uniform(0.4, 2.2),
            chance.uniform(0.3, 1.0),
            fill=SHADE,
            opacity=0.35,
        )
        for _ in range(30)
    ]
    return [placed(spots, clip=polygon(outline))]


def _ogham(number: int, outline: list[Point]) -> list[Shape]:
    """The number as strokes across the stone's upper and lower edge: five above, the rest below."""
    del outline
    width, height = TILE_MM
    strokes: list[Shape] = []
    for row, count in ((0, min(5, number)), (1, max(0, number - 5))):
        y = 5.6 if row == 0 else height - 6.2
        for n in range(count):
            x = width / 2 + (n - (count - 1) / 2) * 2.6
            strokes.append(line([(x, y - 1.4), (x, y + 1.4)], stroke=CARVED, pen=0.9))
    return strokes
