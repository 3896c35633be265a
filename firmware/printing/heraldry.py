"""What tells the cards apart: each clan's colour, symbol and tartan, and the numerals of the strengths.

The six colours differ in lightness as well as in hue, and each has a symbol of its own outline, so that neither warm
light nor colour blindness makes two clans alike. Six and nine differ in design (a curled six, a straight-legged nine) and
are underlined.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from firmware.printing.shapes import (
    Group,
    Look,
    Path,
    Shape,
    circle,
    ellipse,
    path,
    placed,
    polygon,
    rect,
    star,
)

PAPER = "#fbf8f0"
INK = "#1d1a17"


@dataclass(frozen=True, slots=True)
class Clan:
    """A colour, a darker and a lighter companion, and the sett of its tartan: bands as (place, width, thread)."""

    letter: str
    colour: str
    dark: str
    light: str
    sett: tuple[tuple[float, float, str], ...]


CLANS: dict[str, Clan] = {
    "r": Clan("r", "#cf1f2e", "#6e0d18", "#ffd9c9", ((0.0, 5.0, "dark"), (6.2, 1.0, "dark"), (11.0, 0.8, "light"))),
    "y": Clan("y", "#f3c400", "#b07a00", "#fff6cf", ((1.0, 2.2, "dark"), (4.4, 2.2, "dark"), (10.6, 0.7, "light"))),
    "g": Clan("g", "#3aa655", "#14592a", "#dff3c8", ((0.0, 3.2, "dark"), (4.0, 0.7, "light"), (8.0, 3.2, "dark"))),
    "b": Clan("b", "#1f4f9f", "#0b2450", "#a9d3ff", ((0.0, 6.0, "dark"), (2.7, 0.7, "light"), (9.0, 1.2, "dark"))),
    "p": Clan("p", "#a758c6", "#572174", "#f0d8fb", ((0.0, 1.2, "dark"), (2.4, 3.6, "dark"), (9.0, 1.1, "light"))),
    "o": Clan("o", "#6f3f17", "#351a06", "#eccf9e", ((0.0, 4.4, "dark"), (7.0, 1.0, "light"), (9.4, 1.0, "light"))),
}

SETT_MM = 13.0  # after which a tartan repeats

NUMERALS: dict[int, tuple[str, ...]] = {
    1: ("M1.2 2.7 L3.3 0.9 L3.3 9.1", "M1.3 9.1 L5.3 9.1"),
    2: ("M0.9 3.1 C0.9 1.7 1.8 0.9 3 0.9 C4.3 0.9 5.1 1.7 5.1 2.9 C5.1 5 1.5 6.4 0.9 9.1 L5.2 9.1",),
    3: ("M0.9 0.9 L5 0.9 L2.7 4.2 C4.3 4.1 5.2 5.1 5.2 6.5 C5.2 8.1 4.2 9.1 2.8 9.1 C1.8 9.1 1.1 8.7 0.8 8",),
    4: ("M4.1 9.1 L4.1 0.9 L0.7 6.7 L5.4 6.7",),
    5: ("M4.9 0.9 L1.5 0.9 L1.2 4.6 C1.7 4.1 2.3 3.8 3 3.8 C4.3 3.8 5.2 4.9 5.2 6.4 "
        "C5.2 8 4.2 9.1 2.8 9.1 C1.9 9.1 1.2 8.7 0.8 8",),
    6: ("M4.7 0.9 C2.4 1.7 0.9 3.9 0.9 6.4 C0.9 8.1 1.8 9.1 3.05 9.1 C4.3 9.1 5.2 8.1 5.2 6.7 "
        "C5.2 5.3 4.3 4.4 3.1 4.4 C2 4.4 1.2 5.1 0.95 6.2",),
    7: ("M0.9 0.9 L5.2 0.9 L2.3 9.1",),
    8: ("M3 4.6 C1.9 4.6 1.2 3.8 1.2 2.8 C1.2 1.6 2 0.9 3 0.9 C4 0.9 4.8 1.6 4.8 2.8 C4.8 3.8 4.1 4.6 3 4.6 "
        "C1.7 4.6 0.8 5.5 0.8 6.8 C0.8 8.2 1.7 9.1 3 9.1 C4.3 9.1 5.2 8.2 5.2 6.8 C5.2 5.5 4.3 4.6 3 4.6",),
    9: ("M5.1 3.5 C5.1 4.8 4.2 5.8 3 5.8 C1.8 5.8 0.9 4.8 0.9 3.4 C0.9 1.9 1.8 0.9 3 0.9 "
        "C4.2 0.9 5.1 1.9 5.1 3.4 L5.1 9.1",),
}  # fmt: skip


def numeral(strength: int, colour: str, pen: float = 1.7) -> tuple[Shape, ...]:
    """The strength in a box 6 wide and 10 high; six and nine stand on a bar."""
    strokes = [path(steps, stroke=colour, pen=pen) for steps in NUMERALS[strength]]
    if strength in (6, 9):
        strokes.append(path("M0.8 11.6 L5.3 11.6", stroke=colour, pen=1.0))
    return tuple(strokes)


def symbol(letter: str, colour: str, edge: str) -> tuple[Shape, ...]:
    """A clan's symbol between -1 and 1: saltire, sun, trefoil, drop, lozenge or acorn."""
    pen: Look = {"stroke": edge, "pen": 0.13}
    match letter:
        case "r":
            arm = [(-1.0, -0.32), (1.0, -0.32), (1.0, 0.32), (-1.0, 0.32)]
            return (placed([_plus(arm, colour, edge)], turn=45.0, scale=1.12),)
        case "y":
            return (star(0, 0, 1.08, 0.6, 8, fill=colour, **pen), circle(0, 0, 0.22, fill=edge))
        case "g":
            leaves = [circle(0.52 * math.sin(a), -0.1 - 0.52 * math.cos(a), 0.46) for a in (0.0, 2.15, -2.15)]
            stem = path("M-0.12 0 L0.12 0 L0.34 1.05 L-0.34 1.05 Z", fill=colour, **pen)
            filled = [circle(*_centre(leaf), 0.46, fill=colour, **pen) for leaf in leaves]
            return (stem, *filled, circle(0, -0.08, 0.36, fill=colour))
        case "b":
            drop = "M0 -1.1 C0.35 -0.5 0.85 -0.05 0.85 0.4 C0.85 0.85 0.45 1.1 0 1.1 C-0.45 1.1 -0.85 0.85 -0.85 0.4 "
            gleam = path("M-0.45 0.4 C-0.42 0.62 -0.25 0.75 -0.05 0.78", stroke=PAPER, pen=0.16)
            return (path(drop + "C-0.85 -0.05 -0.35 -0.5 0 -1.1 Z", fill=colour, **pen), gleam)
        case "p":
            outer = polygon([(0, -1.15), (0.8, 0), (0, 1.15), (-0.8, 0)], fill=colour, **pen)
            return (outer, polygon([(0, -0.5), (0.35, 0), (0, 0.5), (-0.35, 0)], fill=PAPER))
        case _:
            nut = path("M-0.66 -0.2 C-0.66 0.6 -0.3 0.85 0 1.12 C0.3 0.85 0.66 0.6 0.66 -0.2 Z", fill=colour, **pen)
            cup = path("M-0.88 -0.12 C-0.88 -0.95 0.88 -0.95 0.88 -0.12 Z", fill=edge, **pen)
            return (nut, cup, path("M0 -0.7 L0.12 -1.05", stroke=edge, pen=0.26))


def _plus(arm: list[tuple[float, float]], colour: str, edge: str) -> Path:
    half, long = arm[1][1], arm[1][0]
    below = [(-half, long), (half, long), (half, half), (long, half), (long, -half), (half, -half)]
    return polygon([*below, *((-x, -y) for x, y in below)], fill=colour, stroke=edge, pen=0.12)


def _centre(leaf: Path) -> tuple[float, float]:
    x, y = leaf.steps[0][1]
    return x - 0.46, y


def tartan(clan: Clan, x: float, y: float, width: float, height: float, clip: Path) -> Group:
    """The clan's tartan over a rectangle, cut off at `clip`."""
    threads: list[Shape] = [rect(x, y, width, height, fill=clan.colour)]
    colours = {"dark": clan.dark, "light": clan.light}
    centre_x, centre_y = x + width / 2, y + height / 2
    for upright in (True, False):
        for repeat in range(-5, 6):
            for place, band, thread in clan.sett:
                at = repeat * SETT_MM + place - 2.5
                opacity = 0.55 if thread == "dark" else 0.75
                strip = (
                    rect(centre_x + at, y, band, height, fill=colours[thread], opacity=opacity)
                    if upright
                    else rect(x, centre_y + at, width, band, fill=colours[thread], opacity=opacity)
                )
                threads.append(strip)
    return placed(threads, clip=clip)


def pips(count: int, colour: str) -> tuple[Shape, ...]:
    """As many dots as the strength, in rows of three about the origin."""
    rows = [min(3, count - start) for start in range(0, count, 3)]
    dots = []
    for row, dots_in_row in enumerate(rows):
        y = (row - (len(rows) - 1) / 2) * 3.0
        dots += [ellipse((n - (dots_in_row - 1) / 2) * 3.0, y, 0.95, 0.95, fill=colour) for n in range(dots_in_row)]
    return tuple(dots)
