"""Draws the 98 cards and their back.

Strength stands top left and rank top right, for both ways up. In the middle hangs a targe, the round shield of the
clans, with the clan's badge on it and as many studs as the card is strong. Six and nine are drawn differently and stand
on a bar, ranks on a shield whose point is down.
"""

from __future__ import annotations

import math

from engine.lords_of_scotland.cards import Card
from firmware.printing.heraldry import DIGIT_PACE, INK, PAPER, Cloth, digits, tartan
from firmware.printing.lords_of_scotland.clans import CLANS, Clan, shield
from firmware.printing.shapes import Drawing, Shape, Text, circle, placed, rect, rounded, star

CARD_MM = (56.0, 80.0)
PANEL = (4.5, 17.0, 47.0, 46.0)
CENTRE = (28.0, 40.0)
HEATHER = Cloth("#5a3d73", "#241433", "#d8c7e8", ((0.0, 1.8, "dark"), (3.0, 3.5, "light"), (4.8, 5.8, "dark")))


def card(printed: Card) -> Drawing:
    """A card of the deck."""
    clan = CLANS[printed.clan.value]
    strip = _strip(clan, printed.strength, printed.rank)
    return Drawing(
        CARD_MM,
        (
            rect(0, 0, *CARD_MM, fill=PAPER),
            *strip,
            placed(strip, CARD_MM, turn=180),
            tartan(clan.cloth, *PANEL, clip=rounded(*PANEL, 2.2)),
            rounded(*PANEL, 2.2, stroke=clan.cloth.dark, pen=0.5),
            *_targe(clan, printed.strength, clan.cloth.light if printed.code == "bruce2" else PAPER),
        ),
    )


def _strip(clan: Clan, strength: int, rank: int) -> list[Shape]:
    """Strength and badge at the left, rank at the right, the clan's name between them."""
    wide = DIGIT_PACE if strength > 9 else 0.0
    return [
        placed(digits(strength, INK, pen=1.75), (4.0, 2.6), scale=1.05),
        placed(clan.badge(clan.cloth.colour), (17.0 + wide, 7.6), scale=4.0),
        placed([shield(clan.cloth.dark)], (45.4, 7.6), scale=6.1),
        _centred(rank, (45.4, 3.2), 0.62),
        Text((38.4, 15.2), clan.name, 3.1, clan.cloth.dark, "bold", "end"),
    ]


def _centred(number: int, top: tuple[float, float], scale: float) -> Shape:
    """A number whose middle is below `top`."""
    width = 6.0 + 6.6 * (len(str(number)) - 1)
    return placed(digits(number, INK, pen=1.35), (top[0] - scale * width / 2, top[1]), scale=scale)


def _targe(clan: Clan, strength: int, boss: str) -> list[Shape]:
    """The round shield: leather in the clan's colour, a stud for each point of strength, the badge on its boss. The
    boss of the second Bruce is gilt: the two are equally strong."""
    x, y = CENTRE
    studs: list[Shape] = []
    for n in range(strength):
        angle = 2 * math.pi * (n + (0.0 if strength % 2 else 0.5)) / strength  # even strengths have none at the top
        at = (x + 16.3 * math.sin(angle), y - 16.3 * math.cos(angle))
        studs.append(circle(*at, 2.6, fill=PAPER, stroke=INK, pen=0.6))
    return [
        circle(x, y, 20.6, fill=PAPER),
        circle(x, y, 20.0, fill=clan.cloth.dark),
        circle(x, y, 19.2, fill=clan.cloth.colour),
        *studs,
        circle(x, y, 13.0, fill=clan.cloth.dark),
        circle(x, y, 12.3, fill=boss),
        placed(clan.badge(clan.cloth.colour), CENTRE, scale=8.4),
    ]


def back() -> Drawing:
    """The back of every card: a star of claymores that looks the same either way up."""
    field = (5.0, 5.0, CARD_MM[0] - 10, CARD_MM[1] - 10)
    x, y = CENTRE
    return Drawing(
        CARD_MM,
        (
            rect(0, 0, *CARD_MM, fill=PAPER),
            tartan(HEATHER, *field, clip=rounded(*field, 2.2)),
            rounded(*field, 2.2, stroke=HEATHER.dark, pen=0.6),
            circle(x, y, 16.0, fill=HEATHER.dark),
            circle(x, y, 15.1, fill=PAPER),
            star(x, y, 14.0, 3.2, 8, fill=HEATHER.colour, stroke=INK, pen=0.5),
            placed([star(0, 0, 9.6, 3.6, 8, fill=PAPER, stroke=INK, pen=0.5)], CENTRE, turn=22.5),
            circle(x, y, 3.4, fill=HEATHER.dark),
            circle(x, y, 1.6, fill=PAPER),
        ),
    )
