"""What tells the cards apart: each clan's colour, symbol and tartan, and the numerals of the strengths.

The six colours differ in lightness as well as in hue, and each has a symbol of its own outline, so that neither warm
light nor colour blindness makes two clans alike. Six and nine differ in design (a curled six, a straight-legged nine)
and are underlined.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from firmware.printing.shapes import (
    Group,
    Look,
    Path,
    Shape,
    circle,
    path,
    placed,
    polygon,
    rect,
    star,
)

PAPER = "#fbf8f0"
INK = "#1d1a17"


Thread = Literal["dark", "light"]


@dataclass(frozen=True, slots=True)
class Cloth:
    """A tartan: its ground, a darker and a lighter thread, and half its sett as bands (from, to, thread)."""

    colour: str
    dark: str
    light: str
    sett: tuple[tuple[float, float, Thread], ...]


CLANS: dict[str, Cloth] = {
    "r": Cloth("#dd2630", "#7a0f1a", "#ffe3d6", ((0.0, 2.4, "dark"), (3.2, 3.9, "dark"), (6.1, 6.5, "light"))),
    "y": Cloth("#f3c400", "#c88a00", "#fffbe6", ((0.0, 1.6, "dark"), (2.6, 3.4, "dark"), (6.1, 6.5, "light"))),
    "g": Cloth("#3fae5a", "#14592a", "#e6f6d2", ((0.0, 0.4, "light"), (1.2, 3.6, "dark"), (5.6, 6.5, "dark"))),
    "b": Cloth("#1f4f9f", "#0b2450", "#b5daff", ((0.0, 2.8, "dark"), (0.0, 0.35, "light"), (4.8, 5.5, "dark"))),
    "p": Cloth("#b66fd6", "#5f2a7c", "#f5e2fd", ((0.0, 0.6, "dark"), (1.4, 3.4, "dark"), (6.0, 6.5, "light"))),
    "o": Cloth("#633711", "#2e1703", "#f0d6a8", ((0.0, 2.4, "dark"), (4.2, 4.8, "light"), (5.6, 6.0, "light"))),
}

DIGIT_PACE = 6.6  # from one digit of a number to the next
HALF_SETT = 6.5  # where a sett turns back
THREAD_MM = 1.3

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
ZERO = ("M3 0.9 C1.5 0.9 0.8 2.6 0.8 5 C0.8 7.4 1.5 9.1 3 9.1 C4.5 9.1 5.2 7.4 5.2 5 C5.2 2.6 4.5 0.9 3 0.9 Z",)


def numeral(strength: int, colour: str, pen: float = 1.7) -> tuple[Shape, ...]:
    """The strength in a box 6 wide and 10 high; six and nine stand on a bar."""
    strokes = [path(steps, stroke=colour, pen=pen) for steps in NUMERALS[strength]]
    if strength in (6, 9):
        strokes.append(path("M0.8 11.6 L5.3 11.6", stroke=colour, pen=1.0))
    return tuple(strokes)


def digits(number: int, colour: str, pen: float) -> tuple[Shape, ...]:
    """A number of several digits, each in a box 6 wide and 10 high; one that could be read upside down stands on a
    bar."""
    text = str(number)
    shapes: list[Shape] = []
    for n, digit in enumerate(text):
        strokes = [path(steps, stroke=colour, pen=pen) for steps in NUMERALS.get(int(digit), ZERO)]
        shapes.append(placed(strokes, (DIGIT_PACE * n, 0.0)))
    if set(text) <= set("01689") and set(text) & set("69"):
        end = 5.3 + DIGIT_PACE * (len(text) - 1)
        shapes.append(path(f"M0.8 11.6 L{end:g} 11.6", stroke=colour, pen=1.0))
    return tuple(shapes)


def symbol(letter: str, colour: str, edge: str) -> tuple[Shape, ...]:
    """A clan's symbol between -1 and 1: saltire, sun, trefoil, drop, lozenge or acorn."""
    look: Look = {"fill": colour, "stroke": edge, "pen": 0.13}
    match letter:
        case "r":
            arms = "M-1 -0.34 L-0.34 -0.34 L-0.34 -1 L0.34 -1 L0.34 -0.34 L1 -0.34 L1 0.34 L0.34 0.34 L0.34 1 L-0.34 1 "
            return (placed([path(arms + "L-0.34 0.34 L-1 0.34 Z", **look)], turn=45.0, scale=1.1),)
        case "y":
            return (star(0, 0, 1.08, 0.6, 8, **look), circle(0, 0, 0.22, fill=edge))
        case "g":
            leaves = [(0.52 * math.sin(angle), -0.1 - 0.52 * math.cos(angle)) for angle in (0.0, 2.15, -2.15)]
            stem = path("M-0.12 0 L0.12 0 L0.34 1.05 L-0.34 1.05 Z", **look)
            return (stem, *(circle(x, y, 0.46, **look) for x, y in leaves), circle(0, -0.08, 0.36, fill=colour))
        case "b":
            drop = "M0 -1.1 C0.35 -0.5 0.85 -0.05 0.85 0.4 C0.85 0.85 0.45 1.1 0 1.1 C-0.45 1.1 -0.85 0.85 -0.85 0.4 "
            gleam = path("M-0.45 0.4 C-0.42 0.62 -0.25 0.75 -0.05 0.78", stroke=PAPER, pen=0.16)
            return (path(drop + "C-0.85 -0.05 -0.35 -0.5 0 -1.1 Z", **look), gleam)
        case "p":
            inner = polygon([(0, -0.45), (0.32, 0), (0, 0.45), (-0.32, 0)], fill=PAPER)
            return (polygon([(0, -1.15), (0.85, 0), (0, 1.15), (-0.85, 0)], **look), inner)
        case "o":
            nut = path("M-0.76 -0.3 C-0.8 0.6 -0.34 0.85 0 1.14 C0.34 0.85 0.8 0.6 0.76 -0.3 Z", **look)
            cup = path("M-0.92 -0.3 C-0.92 -0.98 0.92 -0.98 0.92 -0.3 Z", fill=edge, stroke=edge, pen=0.13)
            return (nut, cup, path("M0 -0.7 L0.12 -1.05", stroke=edge, pen=0.26))
    raise KeyError(letter)


def tartan(cloth: Cloth, x: float, y: float, width: float, height: float, clip: Path) -> Group:
    """The cloth over a rectangle, mirrored about its middle as woven tartan is, and cut off at `clip`."""
    bands: list[tuple[float, float, Thread]] = []
    for repeat in range(-3, 4):
        for start, end, thread in cloth.sett:
            pivot = 2 * HALF_SETT * repeat
            if start == 0:
                bands.append((pivot - end, pivot + end, thread))
            else:
                bands += [(pivot + start, pivot + end, thread), (pivot - end, pivot - start, thread)]
    threads: list[Shape] = [rect(x, y, width, height, fill=cloth.colour)]
    for wanted, colour, opacity in (("dark", cloth.dark, 0.55), ("light", cloth.light, 0.75)):
        chosen = [(start * THREAD_MM, end * THREAD_MM) for start, end, thread in bands if thread == wanted]
        look: Look = {"fill": colour, "opacity": opacity}
        threads += [rect(x + width / 2 + start, y, end - start, height, **look) for start, end in chosen]
        threads += [rect(x, y + height / 2 + start, width, end - start, **look) for start, end in chosen]
    return placed(threads, clip=clip)


def pips(count: int, colour: str) -> tuple[Shape, ...]:
    """As many dots as the strength, in rows of three about the origin."""
    rows = [min(3, count - start) for start in range(0, count, 3)]
    dots = []
    for row, dots_in_row in enumerate(rows):
        y = (row - (len(rows) - 1) / 2) * 3.2
        dots += [circle((n - (dots_in_row - 1) / 2) * 3.2, y, 1.15, fill=colour) for n in range(dots_in_row)]
    return tuple(dots)
