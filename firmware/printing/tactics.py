"""The ten signs of the Tactic cards, each about the origin and within 10 units of it, in ink on paper.

The same sign stands small in the corners and large in the middle.
"""

from __future__ import annotations

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
)

Sign = tuple[Shape, ...]
PEN = 0.8


def fools_cap() -> Sign:
    """The first Joker: a fool's cap with three bells."""
    cap = (
        "M-6.4 5 C-6 1 -7.4 -1.4 -9 -1.6 C-7 -5.4 -3.4 -4.6 -2.4 -2 C-2.4 -5 -1.4 -7.4 0 -9 "
        "C1.4 -7.4 2.4 -5 2.4 -2 C3.4 -4.6 7 -5.4 9 -1.6 C7.4 -1.4 6 1 6.4 5 Z"
    )
    bells = [circle(x, y, 1.4, fill=PAPER, stroke=INK, pen=0.9) for x, y in ((-8.6, -0.6), (0, -8.6), (8.6, -0.6))]
    return (
        path(cap, fill=INK),
        path("M-2.4 -2 C-2.2 0.6 -2.2 2.8 -2.2 5 L2.2 5 C2.2 2.8 2.2 0.6 2.4 -2 C2.4 -5 1.4 -7.4 0 -9 "
             "C-1.4 -7.4 -2.4 -5 -2.4 -2 Z", fill=PAPER, stroke=INK, pen=PEN),
        *bells,
        rounded(-7.2, 4.6, 14.4, 3.6, 1.2, fill=PAPER, stroke=INK, pen=1.0),
        *(polygon([(x, 5.2), (x + 1.2, 6.4), (x, 7.6), (x - 1.2, 6.4)], fill=INK) for x in (-4.2, 0, 4.2)),
    )  # fmt: skip


def fool() -> Sign:
    """The second Joker: the laughing fool himself, in a cap with two horns."""
    horn = "M0 -6.6 C2.6 -9.8 9 -8.4 9 -1 C7.4 -3.4 6.4 -3.6 5.6 -2.6 L5 -0.6 C3.4 -3 1.6 -3.4 0 -3.4 Z"
    right = path(horn, fill=INK, stroke=INK, pen=0.5)
    left = mirrored([path(horn, fill=PAPER, stroke=INK, pen=PEN)])
    bells = [circle(x, 0.6, 1.4, fill=PAPER, stroke=INK, pen=0.9) for x in (-8.6, 8.6)]
    grin = "M-3.4 3.6 C-2 4.6 2 4.6 3.4 3.6 C3 7.6 -3 7.6 -3.4 3.6 Z"
    return (
        path("M-5.2 -2 C-6 4 -3.6 9.4 0 9.4 C3.6 9.4 6 4 5.2 -2 Z", fill=PAPER, stroke=INK, pen=1.0),
        left,
        right,
        *bells,
        circle(-2.2, 0.9, 0.9, fill=INK),
        circle(2.2, 0.9, 0.9, fill=INK),
        path(grin, fill=INK),
    )


def eye() -> Sign:
    """The Spy: an open eye."""
    lashes = [
        line([(x, y), (1.32 * x, 1.4 * y - 0.4)], stroke=INK, pen=1.2)
        for x, y in ((-6.4, -3.4), (-3.4, -5.0), (0, -5.6), (3.4, -5.0), (6.4, -3.4))
    ]
    return (
        *lashes,
        path("M-9.6 0.6 C-6 -6.4 6 -6.4 9.6 0.6 C6 7.4 -6 7.4 -9.6 0.6 Z", fill=PAPER, stroke=INK, pen=1.3),
        circle(0, 0.5, 4.1, fill=INK),
        circle(1.4, -0.9, 1.2, fill=PAPER),
    )


def heater() -> Sign:
    """The Shield-Bearer: a shield with a saltire."""
    outline = "M-8 -8.6 L8 -8.6 C8.4 0.6 5.6 6.4 0 9.6 C-5.6 6.4 -8.4 0.6 -8 -8.6 Z"
    cross = path("M-8 -8.6 L4.6 6.2 M8 -8.6 L-4.6 6.2", stroke=PAPER, pen=2.6)
    inside = path(outline)
    return (
        path(outline, fill=INK),
        placed([cross], clip=inside),
        path(outline, stroke=INK, pen=1.4),
    )


def blindfold() -> Sign:
    """Blind-Man's Bluff: a face with covered eyes."""
    return (
        circle(0, 0.6, 8.2, fill=PAPER, stroke=INK, pen=1.2),
        path("M7 -2 L10 -5.6 L10 -1.4 Z", fill=INK),
        path("M7 -0.6 L10 0.4 L8.6 4 Z", fill=INK),
        path("M-8.2 -3.4 C-3 -5 3 -5 8.2 -3.4 L8.2 1 C3 -0.4 -3 -0.4 -8.2 1 Z", fill=INK),
        path("M-3.4 4.6 C-1.6 6.4 1.6 6.4 3.4 4.6", stroke=INK, pen=1.2),
        path("M0 1.4 L-0.9 3.2 L0.6 3.2", stroke=INK, pen=0.8),
    )


def splash() -> Sign:
    """Mud Fight: a splash of mud."""
    puddle = (
        "M-9.4 6.4 C-9.8 4.6 -7 3.6 -5.4 3.6 C-6.2 1.4 -8 -0.6 -7 -1.6 C-5.6 -2.4 -4.4 0 -3.2 1.6 "
        "C-3 -1 -3.4 -4.4 -1.6 -4.6 C0.4 -4.6 -0.2 -0.6 0.6 1.6 C2 -0.4 3.2 -3.4 5 -2.6 "
        "C6.4 -1.8 4 1 3.8 3.4 C5.6 2.6 9.8 3.8 9.6 6 C9.4 9.4 -9 9.8 -9.4 6.4 Z"
    )
    drop = "M0 -2 C0.6 -0.9 1.4 -0.2 1.4 0.6 C1.4 1.5 0.8 2 0 2 C-0.8 2 -1.4 1.5 -1.4 0.6 C-1.4 -0.2 -0.6 -0.9 0 -2 Z"
    return (
        path(puddle, fill=INK),
        placed([path(drop, fill=INK)], (-6.4, -5.8), turn=-30),
        placed([path(drop, fill=INK)], (1, -8)),
        placed([path(drop, fill=INK)], (7.4, -6), turn=30),
        path("M-5.6 6.6 C-3 7.6 1 7.7 4 7.2", stroke=PAPER, pen=0.8),
    )


def horn() -> Sign:
    """The Recruiter: a horn that calls."""
    body = "M-9 -7 C-1 -8.6 6.6 -5.6 8.4 3 L2 5.4 C1 -0.4 -3.6 -3.8 -8.8 -4.4 Z"
    cord = path("M-5.2 -3.6 C-6 2.6 -3 6 1 5", stroke=INK, pen=1.0)
    calls = [line([start, end], stroke=INK, pen=1.3) for start, end in
             (((3, 7.4), (2, 9.6)), ((6, 7.2), (6.6, 9.6)), ((8.6, 5.6), (10, 7.4)))]  # fmt: skip
    mouth = placed([ellipse(0, 0, 3.5, 1.6, fill=PAPER, stroke=INK, pen=1.1)], (5.2, 4.2), turn=-21)
    bands = [line(ends, stroke=PAPER, pen=1.0) for ends in ([(-4, -7.6), (-4.8, -3.4)], [(2.8, -5.9), (-0.2, -1.8)])]
    whole: Sign = (cord, path(body, fill=INK, stroke=INK, pen=0.6), mouth, *bands, *calls)
    return (placed(whole, (-0.4, -0.7), scale=0.94),)


def knight() -> Sign:
    """The Strategist: the knight of a chess set."""
    body = (
        "M-5.8 6 C-5.4 1.6 -0.8 0.4 -0.6 -2.4 C-2.6 -1.6 -3.8 -0.2 -5.4 0.8 C-7.2 1.2 -8 -0.8 -7 -2 "
        "C-5 -4 -4.6 -6.6 -2.2 -7.6 L-2 -9.8 L0.2 -8 C5.4 -7.4 7.6 -2.2 6.4 6 Z"
    )
    return (
        path(body, fill=INK),
        circle(-2.3, -5, 0.75, fill=PAPER),
        path("M2.4 -5.6 C4.6 -3 4.8 1 4.2 4.4", stroke=PAPER, pen=0.8),
        rounded(-7.4, 6.4, 14.8, 3.2, 1.0, fill=INK),
        line([(-5.6, 8), (5.6, 8)], stroke=PAPER, pen=0.7),
    )


def banshee() -> Sign:
    """The Banshee: a wailing spirit."""
    veil = (
        "M0 -9.6 C5 -9.6 6.6 -5.6 6.6 -1.6 L8 8.8 L4.8 6.8 L2.6 9.4 L0 6.9 L-2.6 9.4 L-4.8 6.8 L-8 8.8 L-6.6 -1.6 "
        "C-6.6 -5.6 -5 -9.6 0 -9.6 Z"
    )
    face = "M0 -7 C3 -7 4 -4.6 3.9 -2 C3.8 1.4 2 4 0 4 C-2 4 -3.8 1.4 -3.9 -2 C-4 -4.6 -3 -7 0 -7 Z"
    socket = ellipse(1.6, -3, 0.85, 1.2, fill=INK)
    return (
        path(veil, fill=INK),
        path(face, fill=PAPER),
        socket,
        mirrored([socket]),
        ellipse(0, 1.1, 1.1, 1.9, fill=INK),
    )


def dagger() -> Sign:
    """The Traitor: a dagger, point down, that drips."""
    return (
        polygon([(-2.4, -2.4), (2.4, -2.4), (1.9, 4), (0, 9.8), (-1.9, 4)], fill=PAPER, stroke=INK, pen=1.0),
        polygon([(0, -2.4), (2.4, -2.4), (1.9, 4), (0, 9.8)], fill=INK),
        path("M-6.8 -4.6 C-4 -3.2 4 -3.2 6.8 -4.6 L6.8 -2.4 C4 -1 -4 -1 -6.8 -2.4 Z", fill=INK, stroke=INK, pen=0.6),
        rect(-1.5, -7.6, 3, 4.2, fill=INK),
        circle(0, -8.2, 1.9, fill=INK),
        line([(-1.5, -4.7), (1.5, -5.5)], stroke=PAPER, pen=0.5),
        line([(-1.5, -6.2), (1.5, -7.0)], stroke=PAPER, pen=0.5),
        path(
            "M5 4 C5.8 5.4 6.4 6.2 6.4 7.2 C6.4 8.2 5.8 8.8 5 8.8 C4.2 8.8 3.6 8.2 3.6 7.2 C3.6 6.2 4.2 5.4 5 4 Z",
            fill=INK,
        ),
    )


SIGNS: dict[str, Callable[[], Sign]] = {
    "joker1": fools_cap,
    "joker2": fool,
    "spy": eye,
    "shield": heater,
    "bluff": blindfold,
    "mud": splash,
    "recruiter": horn,
    "strategist": knight,
    "banshee": banshee,
    "traitor": dagger,
}
ELITE = ("joker1", "joker2", "spy", "shield")
MODES = ("bluff", "mud")
RUSES = ("recruiter", "strategist", "banshee", "traitor")
