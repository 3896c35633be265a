"""What tells the nine clans apart: a colour, a tartan and a badge each.

The colours are those that people of every kind of colour vision tell apart (Okabe and Ito's), with brown as the ninth;
the badges differ in outline, so that neither warm light nor a grey copy makes two clans alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from firmware.printing.heraldry import INK, PAPER, Cloth
from firmware.printing.shapes import Look, Path, Shape, circle, ellipse, mirrored, path, polygon, rect, star

Badge = tuple[Shape, ...]
PEN = 0.13


@dataclass(frozen=True, slots=True)
class Clan:
    """A clan as its cards show it. `badge` draws its sign between -1 and 1 in one colour with dark outlines."""

    name: str
    cloth: Cloth
    badge: Callable[[str], Badge]


def _look(colour: str) -> Look:
    return {"fill": colour, "stroke": INK, "pen": PEN}


def crescent(colour: str) -> Badge:
    """Scott: a crescent with a star in it."""
    moon = (
        "M0.62 -0.86 C-0.3 -1.3 -1.12 -0.62 -1.08 0.06 C-1.06 0.78 -0.3 1.32 0.62 0.94 C-0.06 0.8 -0.4 0.44 -0.4 0.04 "
    )
    return (
        path(moon + "C-0.4 -0.36 -0.06 -0.72 0.62 -0.86 Z", **_look(colour)),
        star(0.46, 0.04, 0.58, 0.25, 5, **_look(colour)),
    )


def flame(colour: str) -> Badge:
    """Makgill: the flame out of which a phoenix rises."""
    outer = (
        "M0 -1.18 C0.18 -0.7 0.9 -0.4 0.86 0.38 C0.84 0.86 0.46 1.14 0 1.14 C-0.46 1.14 -0.84 0.86 -0.86 0.38 "
        "C-0.88 -0.02 -0.62 -0.24 -0.52 -0.56 C-0.36 -0.36 -0.3 -0.2 -0.3 -0.06 C-0.1 -0.36 -0.06 -0.8 0 -1.18 Z"
    )
    inner = (
        "M0.06 -0.1 C0.2 0.16 0.44 0.28 0.42 0.62 C0.4 0.9 0.2 1.0 0 1.0 C-0.2 1.0 -0.42 0.88 -0.42 "
        "0.6 C-0.4 0.34 -0.06 0.2 0.06 -0.1 Z"
    )
    return (path(outer, **_look(colour)), path(inner, fill=PAPER))


def galley(colour: str) -> Badge:
    """MacDonnell: a galley under sail."""
    hull = path(
        "M-1.14 0.3 C-0.8 0.46 0.8 0.46 1.14 0.3 C1.04 0.84 0.66 1.02 0 1.02 C-0.66 1.02 -1.04 0.84 -1.14 0.3 Z",
        **_look(colour),
    )
    sail = path(
        "M-0.66 -0.86 C-0.3 -0.74 0.3 -0.74 0.66 -0.86 C0.86 -0.5 0.86 -0.16 0.66 0.16 C0.3 0.04 "
        "-0.3 0.04 -0.66 0.16 C-0.46 -0.16 -0.46 -0.5 -0.66 -0.86 Z",
        **_look(colour),
    )
    mast = path("M0 -1.16 L0 0.4", stroke=INK, pen=0.18)
    stripes = [
        path(f"M{x} -0.76 C{x + 0.1} -0.5 {x + 0.1} -0.2 {x} 0.06", stroke=PAPER, pen=0.13) for x in (-0.24, 0.3)
    ]
    return (mast, sail, *stripes, hull)


def tower(colour: str) -> Badge:
    """Forsyth: a tower with its battlements."""
    wall = (
        "M-0.92 1.08 L-0.78 -0.34 L-0.98 -0.34 L-0.98 -1.08 L-0.56 -1.08 L-0.56 -0.78 L-0.22 -0.78 L-0.22 -1.08 "
        "L0.22 -1.08 L0.22 -0.78 L0.56 -0.78 L0.56 -1.08 L0.98 -1.08 L0.98 -0.34 L0.78 -0.34 L0.92 1.08 Z"
    )
    door = path("M-0.3 1.08 L-0.3 0.5 C-0.3 0.1 0.3 0.1 0.3 0.5 L0.3 1.08 Z", fill=PAPER)
    return (path(wall, **_look(colour)), door, rect(-0.1, -0.36, 0.2, 0.34, fill=PAPER))


def swan(colour: str) -> Badge:
    """Wemyss: a swan on the water."""
    bird = (
        "M-0.86 -0.62 C-0.86 -1.2 -0.04 -1.26 -0.02 -0.6 C0 -0.3 -0.3 -0.1 -0.28 0.16 C0.1 -0.2 0.7 -0.3 1.16 -0.14 "
        "C1.06 0.1 0.98 0.2 0.96 0.34 C0.8 0.76 0.3 0.9 -0.16 0.86 C-0.7 0.8 -0.9 0.4 -0.76 0.02 "
        "C-0.66 -0.24 -0.36 -0.4 -0.38 -0.6 "
        "C-0.4 -0.76 -0.54 -0.74 -0.56 -0.58 Z"
    )
    wing = path(
        "M-0.1 0.34 C0.24 0.06 0.6 0.0 0.9 0.02 C0.74 0.36 0.3 0.56 -0.1 0.34 Z", fill=PAPER, stroke=INK, pen=0.08
    )
    beak = polygon([(-0.84, -0.66), (-1.14, -0.46), (-0.62, -0.5)], fill=INK)
    water = path(
        "M-1.1 1.06 C-0.8 0.92 -0.6 1.2 -0.3 1.06 C0 0.92 0.2 1.2 0.5 1.06 C0.7 0.96 0.9 1.1 1.1 1.06",
        stroke=INK,
        pen=0.14,
    )
    return (path(bird, **_look(colour)), beak, wing, water)


def thistle(colour: str) -> Badge:
    """Fergusson: a thistle."""
    crown = polygon(
        [
            (-0.74, -0.98),
            (-0.42, -0.62),
            (-0.3, -1.12),
            (0, -0.66),
            (0.3, -1.12),
            (0.42, -0.62),
            (0.74, -0.98),
            (0.44, -0.16),
            (-0.44, -0.16),
        ],
        **_look(colour),
    )
    bulb = circle(0, 0.12, 0.48, fill=PAPER, stroke=INK, pen=PEN)
    net = [
        path(steps, stroke=INK, pen=0.09)
        for steps in ("M-0.3 -0.2 L0.3 0.44", "M0.3 -0.2 L-0.3 0.44", "M-0.44 0.12 L0.44 0.12")
    ]
    stem = path("M0 0.58 L0 1.16", stroke=INK, pen=0.2)
    leaf = path(
        "M0 1.1 L0.28 0.62 L0.42 0.78 L0.72 0.34 L0.78 0.62 L1.14 0.36 C1.02 0.86 0.56 1.12 0 1.1 Z", **_look(colour)
    )
    return (stem, leaf, mirrored([leaf]), crown, bulb, *net)


def cock(colour: str) -> Badge:
    """Cockburn: a rooster."""
    body = (
        "M-0.46 -0.78 C-0.2 -0.9 0.02 -0.74 0.02 -0.5 C0.04 -0.16 0.34 -0.04 0.5 -0.34 C0.62 -0.7 "
        "0.9 -0.94 1.16 -0.74 C0.92 -0.66 1.2 -0.4 1.1 -0.12 "
        "C1.0 0.4 0.5 0.72 0.02 0.7 C-0.46 0.66 -0.7 0.3 -0.6 -0.14 C-0.56 -0.3 -0.62 -0.4 -0.66 -0.52 Z"
    )
    comb = path(
        "M-0.56 -0.74 C-0.7 -1.0 -0.5 -1.1 -0.4 -0.96 C-0.36 -1.2 -0.12 -1.18 -0.12 -0.98 C0.06 "
        "-1.1 0.16 -0.9 0 -0.72 Z",
        fill=INK,
    )
    beak = polygon([(-0.6, -0.66), (-1.0, -0.5), (-0.6, -0.42)], fill=INK)
    wattle = ellipse(-0.58, -0.26, 0.13, 0.2, fill=INK)
    legs = path(
        "M-0.12 0.66 L-0.16 1.08 L-0.44 1.1 M-0.16 1.08 L0.08 1.14 M0.26 0.66 L0.3 1.08 L0.02 1.12 "
        "M0.3 1.08 L0.54 1.14",
        stroke=INK,
        pen=0.13,
    )
    wing = path(
        "M-0.3 0.12 C0 -0.06 0.4 0.02 0.6 0.2 C0.3 0.46 -0.1 0.46 -0.3 0.12 Z", fill=PAPER, stroke=INK, pen=0.08
    )
    return (legs, path(body, **_look(colour)), comb, beak, wattle, wing, circle(-0.3, -0.58, 0.08, fill=INK))


def horseshoe(colour: str) -> Badge:
    """Cochrane: a horseshoe with its nails."""
    shoe = (
        "M-0.98 1.08 C-1.3 0.1 -1.2 -1.12 0 -1.12 C1.2 -1.12 1.3 0.1 0.98 1.08 L0.46 1.08 C0.74 0.2 "
        "0.74 -0.54 0 -0.54 "
        "C-0.74 -0.54 -0.74 0.2 -0.46 1.08 Z"
    )
    around = [math.radians(angle) for angle in (-128, -90, -52, -8, -172)]
    nails = [circle(0.86 * math.cos(a), 0.04 + 0.86 * math.sin(a), 0.11, fill=PAPER) for a in around]
    return (
        path(shoe, **_look(colour)),
        *nails,
        circle(-0.76, 0.66, 0.11, fill=PAPER),
        circle(0.76, 0.66, 0.11, fill=PAPER),
    )


def crown(colour: str) -> Badge:
    """Bruce: the crown."""
    peaks = "M-0.96 0.5 L-1.14 -0.62 L-0.52 -0.08 L0 -0.94 L0.52 -0.08 L1.14 -0.62 L0.96 0.5 Z"
    band = rect(-0.96, 0.56, 1.92, 0.46, **_look(colour))
    balls = [circle(x, y, 0.15, fill=PAPER, stroke=INK, pen=0.1) for x, y in ((-1.1, -0.68), (0, -0.98), (1.1, -0.68))]
    gems = [circle(x, 0.79, 0.13, fill=PAPER) for x in (-0.56, 0, 0.56)]
    return (path(peaks, **_look(colour)), band, *balls, *gems)


CLANS: dict[str, Clan] = {
    "scott": Clan("Scott", Cloth("#0f6cb0", "#06305a", "#cfe8ff", ((0.0, 2.6, "dark"), (4.6, 5.2, "light"))), crescent),
    "makgill": Clan(
        "Makgill", Cloth("#cf3f10", "#6d1703", "#ffdcc4", ((0.0, 1.0, "light"), (2.4, 4.6, "dark"))), flame
    ),
    "macdonnell": Clan(
        "MacDonnell",
        Cloth("#0c9a70", "#02472f", "#d3f5e2", ((0.0, 0.6, "light"), (1.4, 2.6, "dark"), (4.2, 5.4, "dark"))),
        galley,
    ),
    "wemyss": Clan(
        "Wemyss",
        Cloth("#f0dc2a", "#a98a00", "#fffde2", ((0.0, 1.8, "dark"), (3.4, 4.2, "dark"), (5.4, 5.9, "light"))),
        swan,
    ),
    "fergusson": Clan(
        "Fergusson", Cloth("#1fb2e8", "#0b5c86", "#eaf8ff", ((0.0, 0.5, "light"), (3.0, 5.2, "dark"))), thistle
    ),
    "forsyth": Clan(
        "Forsyth",
        Cloth("#6a3d14", "#311a04", "#f3d9ae", ((0.0, 2.0, "dark"), (3.6, 4.1, "light"), (5.2, 5.7, "light"))),
        tower,
    ),
    "cockburn": Clan(
        "Cockburn",
        Cloth("#f2990a", "#8d4a00", "#fff0d0", ((0.0, 1.4, "dark"), (2.2, 2.7, "light"), (4.4, 5.8, "dark"))),
        cock,
    ),
    "cochrane": Clan(
        "Cochrane",
        Cloth("#c45a98", "#641a48", "#fbe4f4", ((0.0, 2.2, "dark"), (3.0, 3.5, "dark"), (5.4, 6.0, "light"))),
        horseshoe,
    ),
    "bruce": Clan(
        "Bruce",
        Cloth("#3a3a40", "#0b0b0d", "#e8c860", ((0.0, 0.7, "light"), (2.0, 3.4, "dark"), (4.6, 5.1, "light"))),
        crown,
    ),
}


def shield(colour: str) -> Path:
    """A shield between -1 and 1, its point down: what stands on it has one way up only."""
    return path(
        "M-1 -1 L1 -1 L1 0.1 C1 0.7 0.5 1.1 0 1.3 C-0.5 1.1 -1 0.7 -1 0.1 Z", fill=PAPER, stroke=colour, pen=0.16
    )
