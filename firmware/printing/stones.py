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
    rounded,
    spiral,
)

TILE_MM = (64.0, 36.5)
MEADOW, DEEP, BLADE = "#8fae5d", "#6f9147", "#4f7030"
ROCK, SHADE, CARVED = "#b9b6ad", "#918d84", "#4a4640"
HEATHER = "#9a5a94"
PEN = 0.75


def _rings() -> list[Shape]:
    return [circle(0, 0, 0.8, fill=CARVED), *(circle(0, 0, r, stroke=CARVED, pen=PEN) for r in (2.2, 4.4, 6.6))]


def _double_spiral() -> list[Shape]:
    return [
        spiral(-4.8, 0, 4.8, 2.5, 0, stroke=CARVED, pen=PEN),
        spiral(4.8, 0, 4.8, 2.5, 180, stroke=CARVED, pen=PEN),
    ]


def _triskele() -> list[Shape]:
    centres = [
        (4.0 * math.cos(a), 4.0 * math.sin(a), math.degrees(a)) for a in (-math.pi / 2, math.pi / 6, 5 * math.pi / 6)
    ]
    return [spiral(x, y, 4.0, 1.9, degrees + 180, stroke=CARVED, pen=PEN) for x, y, degrees in centres]


def _cross() -> list[Shape]:
    half = [(-1.1, -7.2), (1.1, -7.2), (0.8, -0.8), (7.2, -1.1), (7.2, 1.1), (0.8, 0.8)]
    arms = [*half, *((-x, -y) for x, y in half)]
    return [
        circle(0, 0, 4.6, stroke=CARVED, pen=1.0),
        polygon(arms, fill=ROCK, stroke=CARVED, pen=PEN),
        circle(0, 0, 1.0, fill=CARVED),
    ]


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
    squares = [placed([rounded(-5, -5, 10, 10, 1.4, stroke=CARVED, pen=0.9)], turn=turn) for turn in (0.0, 45.0)]
    return [*squares, circle(0, 0, 2.4, stroke=CARVED, pen=0.9)]


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
            polygon(outline, fill=ROCK),
            _flecks(chance, outline),
            polygon(outline, stroke=CARVED, pen=0.6),
            placed(CARVINGS[number](), (width / 2, height / 2), scale=1.35),
            *_ogham(number),
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
    for _ in range(12):
        x, y = chance.uniform(1, width - 1), chance.choice((chance.uniform(1, 3.4), chance.uniform(33, 35.6)))
        tufts += [circle(x + dx, y + dy, 0.34, fill=HEATHER) for dx, dy in ((0, 0), (0.6, 0.3), (0.2, 0.7))]
    return tufts


def _flecks(chance: random.Random, outline: list[Point]) -> Shape:
    """Lichen and a lit upper edge."""
    width, height = TILE_MM
    lit = line(outline, closed=True, stroke="#dad7cd", pen=1.6)
    spots = [
        ellipse(
            width / 2 + chance.uniform(-18, 18),
            height / 2 + chance.uniform(-12, 12),
            chance.uniform(0.4, 2.2),
            chance.uniform(0.3, 1.0),
            fill=SHADE,
            opacity=0.35,
        )
        for _ in range(30)
    ]
    return placed([*spots, placed([lit], (0.9, 1.0))], clip=polygon(outline))


def _ogham(number: int) -> list[Shape]:
    """The number as the Ogham carvers cut it: up to five strokes on a stem at the left, the rest at the right."""
    width, height = TILE_MM
    strokes: list[Shape] = []
    for x, count in ((16.2, min(5, number)), (width - 16.2, number - 5)):
        if count > 0:
            strokes.append(line([(x, height / 2 - 7), (x, height / 2 + 7)], stroke=CARVED, pen=0.5))
        for n in range(count):
            y = height / 2 + (n - (count - 1) / 2) * 2.5
            strokes.append(line([(x - 1.7, y), (x + 1.7, y)], stroke=CARVED, pen=0.85))
    return strokes
