"""Draws the cards: 54 of the clans, ten of tactics, and the two backs."""

from __future__ import annotations

import math

from firmware.printing.emblems import EMBLEMS
from firmware.printing.heraldry import CLANS, INK, PAPER, Cloth, numeral, pips, symbol, tartan
from firmware.printing.shapes import Drawing, Shape, circle, ellipse, placed, polygon, rect, rounded, star
from firmware.printing.tactics import ELITE, MODES, SIGNS

CARD_MM = (56.0, 80.0)
CORNER_MM = 3.0
PANEL = (5.0, 16.5, 46.0, 47.0)
CENTRE = (28.0, 40.0)

GREY = Cloth("#77736c", "#2a2724", "#e6e1d6", ((0.0, 2.3, "dark"), (3.4, 3.8, "light"), (5.2, 6.0, "dark")))
LOCH = Cloth("#2f6f73", "#0f3436", "#d5ecdf", ((0.0, 2.6, "dark"), (3.4, 3.9, "dark"), (6.1, 6.5, "light")))


def clan_card(letter: str, strength: int) -> Drawing:
    """A Clan card: its strength and symbol in every corner, dots between, the tartan and the picture in the middle."""
    clan = CLANS[letter]
    strip: list[Shape] = [placed(pips(strength, clan.colour), (28.0, 7.6))]
    for numeral_x, symbol_x in ((4.0, 14.7), (46.8, 41.3)):
        strip.append(placed(numeral(strength, INK), (numeral_x, 3.2), scale=0.86))
        strip.append(placed(symbol(letter, clan.colour, INK), (symbol_x, 7.5), scale=3.35))
    panel = rounded(*PANEL, 2.2)
    return Drawing(
        CARD_MM,
        (
            rect(0, 0, *CARD_MM, fill=PAPER),
            *strip,
            placed(strip, CARD_MM, turn=180),
            tartan(clan, *PANEL, clip=panel),
            rounded(*PANEL, 2.2, stroke=clan.dark, pen=0.5),
            circle(*CENTRE, 18.4, fill=clan.dark),
            circle(*CENTRE, 17.6, fill=PAPER),
            placed(EMBLEMS[strength](clan.colour), CENTRE, scale=1.38),
        ),
    )


def tactic_card(code: str) -> Drawing:
    """A Tactic card: its sign in every corner and large in the middle; the frame tells elite troop, mode and ruse."""
    sign = SIGNS[code]()
    corner: list[Shape] = [placed(sign, (9.4, 8.6), scale=0.56), placed(sign, (46.6, 8.6), scale=0.56)]
    return Drawing(
        CARD_MM,
        (
            rect(0, 0, *CARD_MM, fill=PAPER),
            *corner,
            placed(corner, CARD_MM, turn=180),
            tartan(GREY, *PANEL, clip=rounded(*PANEL, 2.2)),
            rounded(*PANEL, 2.2, stroke=INK, pen=0.5),
            *_frame(code),
            placed(sign, CENTRE, scale=1.3),
        ),
    )


def _frame(code: str) -> tuple[Shape, ...]:
    x, y = CENTRE
    if code in ELITE:
        return (circle(x, y, 18.4, fill=INK), circle(x, y, 17.6, fill=PAPER))
    if code in MODES:
        return (rounded(x - 18, y - 18, 36, 36, 3, fill=INK), rounded(x - 17.2, y - 17.2, 34.4, 34.4, 2.4, fill=PAPER))
    outer, inner = (
        [
            (x + r * math.sin(n * math.pi / 4 + math.pi / 8), y + r * math.cos(n * math.pi / 4 + math.pi / 8))
            for n in range(8)
        ]
        for r in (20.2, 19.2)
    )
    return (polygon(outer, fill=INK), polygon(inner, fill=PAPER))


def clan_back() -> Drawing:
    """The back of the Clan cards: a knot that looks the same either way up."""
    loops = [
        placed([ellipse(0, 0, 9.4, 4.0, stroke=tone, pen=pen)], turn=turn)
        for tone, pen in ((INK, 2.3), (LOCH.colour, 1.3))
        for turn in (45, -45)
    ]
    ring = [circle(0, 0, 5.6, stroke=tone, pen=pen) for tone, pen in ((INK, 2.1), (LOCH.light, 1.1))]
    return _back(LOCH, (*loops, *ring, circle(0, 0, 1.3, fill=INK)))


def tactic_back() -> Drawing:
    """The back of the Tactic cards: a compass rose."""
    rose = (
        star(0, 0, 9.6, 2.6, 4, fill=INK),
        placed([star(0, 0, 6.4, 2.4, 4, fill=GREY.colour, stroke=INK, pen=0.5)], turn=45),
    )
    return _back(GREY, (*rose, star(0, 0, 9.6, 2.6, 4, fill=INK), circle(0, 0, 1.5, fill=PAPER)))


def _back(cloth: Cloth, emblem: tuple[Shape, ...]) -> Drawing:
    field = (5.0, 5.0, CARD_MM[0] - 10, CARD_MM[1] - 10)
    return Drawing(
        CARD_MM,
        (
            rect(0, 0, *CARD_MM, fill=PAPER),
            tartan(cloth, *field, clip=rounded(*field, 2.2)),
            rounded(*field, 2.2, stroke=cloth.dark, pen=0.6),
            circle(*CENTRE, 15.4, fill=cloth.dark),
            circle(*CENTRE, 14.6, fill=PAPER),
            placed(emblem, CENTRE, scale=1.25),
        ),
    )
