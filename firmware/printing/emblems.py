"""The nine pictures of the Clan cards, each about the origin and within 10 units of it.

Drawn in three tones: ink for outlines, the clan's own tint and the paper.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from firmware.printing.heraldry import INK, PAPER
from firmware.printing.shapes import (
    Shape,
    circle,
    ellipse,
    line,
    mirrored,
    path,
    placed,
    polygon,
    rect,
    rounded,
    spiral,
    star,
)

Emblem = tuple[Shape, ...]
PEN = 0.55


def thistle(tint: str) -> Emblem:
    """One: the lone thistle."""
    spike = polygon([(-1.0, 0), (0, -8.4), (1.0, 0)], fill=tint, stroke=INK, pen=0.4)
    tufts = [placed([spike], (0.3 * n, -1.0), turn=11.0 * n) for n in (-4, 4, -3, 3, -2, 2, -1, 1, 0)]
    leaf = path(
        "M0 8.6 C2 7.6 2.6 6.2 3.2 5.6 L3.6 4 L4.6 4.9 L6 3 L6.2 4.6 L8.6 3.4 C8.2 6.6 4.6 8.8 0 9.4 Z",
        fill=tint,
        stroke=INK,
        pen=PEN,
    )
    bulb = path(
        "M-3.4 -1.6 C-4.6 1.2 -3.2 4 0 4.2 C3.2 4 4.6 1.2 3.4 -1.6 C1.6 -0.4 -1.6 -0.4 -3.4 -1.6 Z",
        fill=PAPER,
        stroke=INK,
        pen=PEN,
    )
    scales = [
        path(f"M{x - 0.9} {y} C{x - 0.7} {y + 1.1} {x + 0.7} {y + 1.1} {x + 0.9} {y}", stroke=INK, pen=0.35)
        for x, y in ((-2.1, 0.6), (0, 0.9), (2.1, 0.6), (-1.05, 2), (1.05, 2))
    ]
    stem = path("M0 4.2 L0 9.4", stroke=INK, pen=1.0)
    return (stem, leaf, mirrored([leaf]), *tufts, bulb, *scales)


def claymores(tint: str) -> Emblem:
    """Two: a pair of crossed claymores."""
    sword: Emblem = (
        polygon([(-0.75, 3.6), (-0.75, -8.2), (0, -10), (0.75, -8.2), (0.75, 3.6)], fill=PAPER, stroke=INK, pen=0.5),
        line([(0, -8), (0, 3)], stroke=INK, pen=0.3),
        path("M0 3.2 L3.6 2.2 M0 3.2 L-3.6 2.2", stroke=INK, pen=1.3),
        circle(3.8, 2.1, 0.85, fill=tint, stroke=INK, pen=0.4),
        circle(-3.8, 2.1, 0.85, fill=tint, stroke=INK, pen=0.4),
        rect(-0.7, 3.6, 1.4, 4.6, fill=tint, stroke=INK, pen=0.45),
        line([(-0.7, 5), (0.7, 5.8)], stroke=INK, pen=0.35),
        line([(-0.7, 6.4), (0.7, 7.2)], stroke=INK, pen=0.35),
        circle(0, 9, 1.2, fill=tint, stroke=INK, pen=0.5),
    )
    return (placed(sword, turn=36), placed(sword, turn=-36))


def triskele(tint: str) -> Emblem:
    """Three: the threefold spiral."""
    arms: list[Shape] = []
    for pen, colour in ((2.5, INK), (1.5, tint)):
        for n in range(3):
            angle = math.radians(120 * n - 90)
            x, y = 5.0 * math.cos(angle), 5.0 * math.sin(angle)
            arms.append(spiral(x, y, 4.6, 1.75, 120 * n + 90, stroke=colour, pen=pen))
    return (*arms, circle(0, 0, 1.1, fill=PAPER, stroke=INK, pen=0.5))


def targe(tint: str) -> Emblem:
    """Four: a round shield with four bosses."""
    quarters = [placed([path("M0 0 L7.6 0 C7.6 4.2 4.2 7.6 0 7.6 Z", fill=tint)], turn=180.0 * n) for n in range(2)]
    studs = [
        circle(8.6 * math.cos(n * math.pi / 10), 8.6 * math.sin(n * math.pi / 10), 0.42, fill=INK) for n in range(20)
    ]
    bosses: list[Shape] = []
    for n in range(4):
        angle = math.radians(45 + 90 * n)
        x, y = 4.7 * math.cos(angle), 4.7 * math.sin(angle)
        bosses += [circle(x, y, 1.5, fill=PAPER, stroke=INK, pen=PEN), circle(x, y, 0.45, fill=INK)]
    return (
        circle(0, 0, 9.6, fill=PAPER, stroke=INK, pen=0.7),
        *studs,
        circle(0, 0, 7.6, fill=PAPER, stroke=INK, pen=PEN),
        *quarters,
        line([(-7.6, 0), (7.6, 0)], stroke=INK, pen=0.4),
        line([(0, -7.6), (0, 7.6)], stroke=INK, pen=0.4),
        *bosses,
        star(0, 0, 2.6, 1.3, 8, fill=PAPER, stroke=INK, pen=0.5),
        circle(0, 0, 0.8, fill=INK),
    )


def drum(tint: str) -> Emblem:
    """Five: a war drum with its sticks."""
    ropes = [
        line([(-7 + 2.8 * n, -2.2 + _sag(-7 + 2.8 * n)), (-5.6 + 2.8 * n, 7 + _sag(-5.6 + 2.8 * n)),
              (-4.2 + 2.8 * n, -2.2 + _sag(-4.2 + 2.8 * n))], stroke=INK, pen=0.4)
        for n in range(5)
    ]  # fmt: skip
    stick: Emblem = (
        line([(0, 0), (0, -9.5)], stroke=INK, pen=1.1),
        ellipse(0, -10, 0.95, 1.3, fill=PAPER, stroke=INK, pen=0.5),
    )
    body = "M-7 -2.6 L-7 6.4 C-7 9.2 7 9.2 7 6.4 L7 -2.6 Z"
    return (
        placed(stick, (1.5, -1), turn=42, scale=0.9),
        placed(stick, (-1.5, -1), turn=-42, scale=0.9),
        path(body, fill=tint, stroke=INK, pen=PEN),
        *ropes,
        path("M-7 5.6 C-7 8.2 7 8.2 7 5.6 L7 7 C7 9.6 -7 9.6 -7 7 Z", fill=PAPER, stroke=INK, pen=0.5),
        path("M-7 -2.6 C-7 0 7 0 7 -2.6 L7 -1.2 C7 1.4 -7 1.4 -7 -1.2 Z", fill=PAPER, stroke=INK, pen=0.5),
        ellipse(0, -2.6, 7, 2.0, fill=PAPER, stroke=INK, pen=PEN),
    )


def _sag(x: float) -> float:
    return 1.8 * math.sqrt(max(0.0, 1 - (x / 7) ** 2))


def bagpipe(tint: str) -> Emblem:
    """Six: the pipes."""
    drone: Emblem = (
        line([(0, 0), (0, -10)], stroke=INK, pen=1.3),
        line([(0, -3), (0, -3.6)], stroke=INK, pen=2.1),
        line([(0, -6.4), (0, -7)], stroke=INK, pen=2.1),
        polygon([(-0.7, -9.2), (0.7, -9.2), (1.4, -11.4), (-1.4, -11.4)], fill=PAPER, stroke=INK, pen=0.5),
    )
    stripes = ("M-8 2 C-3 3.9 2 3.5 6 2.2", "M-9 -0.6 C-3 1.4 2 1 9 -1.2")
    bag = "M-7.4 0.6 C-8.6 -2.6 -4 -4.4 0.6 -3 C4 -2 6.6 -1.6 7.4 0.2 C7.8 1.8 6.4 2.8 4.6 2.4 C3.6 6 -6 6.2 -7.4 0.6 Z"
    return (
        placed(drone, (-4.4, -1.6), turn=-24, scale=0.78),
        placed(drone, (-1.4, -2), turn=-4, scale=0.78),
        placed(drone, (1.6, -1.6), turn=16, scale=0.72),
        line([(6.6, 0.6), (9.4, -4.4)], stroke=INK, pen=1.2),
        path(bag, fill=tint),
        placed([path(stripe, stroke=PAPER, pen=0.7) for stripe in stripes], clip=path(bag)),
        path(bag, stroke=INK, pen=PEN),
        line([(-2.6, 5), (0.6, 9.4)], stroke=INK, pen=1.5),
        polygon([(-0.4, 9.2), (1.4, 8), (2.8, 9.8), (0.6, 10.4)], fill=PAPER, stroke=INK, pen=0.5),
        *(circle(-2.0 + 0.75 * n, 5.9 + n, 0.28, fill=PAPER) for n in range(4)),
    )


def stag(tint: str) -> Emblem:
    """Seven: a stag's head."""
    antler = path(
        "M1.2 -2.6 C2.2 -4.6 5.6 -4.2 6.6 -9.6 M3.4 -4.5 C2.8 -6 2.9 -7.4 3.4 -8.8 M5.2 -5.7 C6.8 -5.8 8 -6.4 9 -7.6 "
        "M2 -3.7 C3.6 -2.9 5 -3 6.4 -3.6",
        stroke=INK,
        pen=1.0,
    )
    ear = path("M2.4 -1.4 C4 -2.2 6 -1.8 7 -0.8 C5.6 0.6 3.8 0.8 2.6 0.2 Z", fill=tint, stroke=INK, pen=PEN)
    head = (
        "M0 -3 C1.6 -3 2.8 -2 2.8 -0.4 C2.8 1.8 1.9 3 1.8 5.4 C2.2 7 1.6 9.2 0 9.2 "
        "C-1.6 9.2 -2.2 7 -1.8 5.4 C-1.9 3 -2.8 1.8 -2.8 -0.4 C-2.8 -2 -1.6 -3 0 -3 Z"
    )
    eye = ellipse(1.7, 0.7, 0.5, 0.7, fill=INK)
    return (
        antler,
        mirrored([antler]),
        ear,
        mirrored([ear]),
        path(head, fill=tint, stroke=INK, pen=PEN),
        path("M-1 4.4 L-0.8 -0.6 L0 -2.2 L0.8 -0.6 L1 4.4 C0.6 5.4 -0.6 5.4 -1 4.4 Z", fill=PAPER),
        eye,
        mirrored([eye]),
        path("M-1.3 7 C-1.3 6.2 1.3 6.2 1.3 7 C1.2 8 0.4 8.2 0 8.2 C-0.4 8.2 -1.2 8 -1.3 7 Z", fill=INK),
    )


def tower(tint: str) -> Emblem:
    """Eight: the keep."""
    teeth = [rect(-6.2 + 2.9 * n, -8.4, 1.9, 2.4, fill=PAPER, stroke=INK, pen=0.5) for n in range(4)]
    wings = [rect(x, -1, 3.6, 9.2, fill=tint, stroke=INK, pen=PEN) for x in (-9.4, 5.8)]
    wing_teeth = [
        rect(x + 1.4 * n, -2.6, 0.9, 1.6, fill=tint, stroke=INK, pen=0.45) for x in (-9.4, 5.8) for n in (0, 1, 1.93)
    ]
    courses = ((-4.3, -2.2), (2, -3.2), (-3.2, 0.4), (2.4, 0.9), (-4.4, 4.6), (2.8, 4.2), (-4.2, 6.8), (2.6, 6.9))
    bricks = [line([(x, y), (x + 1.7, y)], stroke=INK, pen=0.35) for x, y in courses]
    return (
        *wings,
        *wing_teeth,
        rect(-5.2, -4, 10.4, 12.2, fill=PAPER, stroke=INK, pen=PEN),
        *teeth,
        path("M-6.2 -6 L6.2 -6 L5.2 -3.6 L-5.2 -3.6 Z", fill=tint, stroke=INK, pen=PEN),
        *bricks,
        path("M-1.9 8.2 L-1.9 5.4 C-1.9 2.9 1.9 2.9 1.9 5.4 L1.9 8.2 Z", fill=INK),
        path("M-0.7 0.6 L-0.7 -1.2 C-0.7 -2.2 0.7 -2.2 0.7 -1.2 L0.7 0.6 Z", fill=INK),
        line([(-9.8, 8.4), (9.8, 8.4)], stroke=INK, pen=0.8),
    )


def crown(tint: str) -> Emblem:
    """Nine: the crown."""
    rim = "M-8 4.6 C-4 6.6 4 6.6 8 4.6 L7.4 8 C4 9.8 -4 9.8 -7.4 8 Z"
    body = "M-8 4.6 L-9.4 -4.4 L-5 0.4 L-3.6 -6 L0 -0.6 L3.6 -6 L5 0.4 L9.4 -4.4 L8 4.6 C4 6.6 -4 6.6 -8 4.6 Z"
    balls = [
        circle(x, y, 1.05, fill=PAPER, stroke=INK, pen=0.5)
        for x, y in ((-9.2, -5), (-3.6, -6.8), (3.6, -6.8), (9.2, -5))
    ]
    jewels = [ellipse(x, y, 0.7, 0.8, fill=INK) for x, y in ((-5, 6.9), (0, 7.7), (5, 6.9))]
    return (
        path(body, fill=tint, stroke=INK, pen=PEN),
        rounded(-1, -9.6, 2, 2, 0.2, fill=PAPER, stroke=INK, pen=0.45),
        line([(0, -7.6), (0, -0.6)], stroke=INK, pen=0.9),
        path(rim, fill=PAPER, stroke=INK, pen=PEN),
        *balls,
        *jewels,
        polygon([(0, 1), (1.3, 2.8), (0, 4.6), (-1.3, 2.8)], fill=PAPER, stroke=INK, pen=0.4),
    )


EMBLEMS: dict[int, Callable[[str], Emblem]] = {
    1: thistle, 2: claymores, 3: triskele, 4: targe, 5: drum, 6: bagpipe, 7: stag, 8: tower, 9: crown,
}  # fmt: skip
