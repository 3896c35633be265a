"""What each place of a table was last seen to hold, and so where tokens lie that are found beside or on it.

A look may ask for some places only; what lies in the others is where it lay. Knows places and outlines; finds nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.cover import Mask, drawn
from vision.layout import Layout, Point
from vision.observation import Reading
from vision.pile import corners
from vision.places import Place
from vision.seek import NEAR_MM

MISSING = "missing"
_ON_MM, _SURELY_ON_MM = 26.0, 14.0  # a token lies on the card whose middle is this near, also beside unread ones

Tokens = dict[str, NDArray[np.float64]]  # outlines on the table by code


@dataclass(frozen=True, slots=True, eq=False)
class Lain:
    """A card that was found, named or not, its outline on the table and the place it lies in."""

    reading: Reading
    outline_mm: NDArray[np.floating]
    place: str


@dataclass(slots=True)
class Remembered:
    """The last look at every place of a layout."""

    layout: Layout
    places: Mapping[str, Place]
    cards: list[Lain] = field(default_factory=list)
    unread: frozenset[str] = frozenset()  # places in which something was left unread
    tokens: Tokens = field(default_factory=dict)

    def seen(self, asked: Collection[str], cards: Iterable[Lain], unread: Iterable[str], tokens: Tokens) -> None:
        """What a look at some places found, and all tokens."""
        self.cards = [*(card for card in self.cards if card.place not in asked), *cards]
        self.unread = frozenset((*(self.unread - frozenset(asked)), *unread))
        unasked = {code: at for code, at in self.tokens.items() if self.at(at.mean(axis=0)).name not in asked}
        self.tokens = unasked | tokens

    def at(self, point: NDArray[np.floating]) -> Place:
        """The place that holds a point of the table, or the nearest."""
        return min(self.places.values(), key=lambda place: place.away_mm(point))

    def spot(self, middle: NDArray[np.float64], spots: Sequence[tuple[str, Point]]) -> str | None:
        """The spot that a token lies at: the nearest, or the one of the region that it lies in."""
        for name, place in self.places.items():
            if place.away_mm(middle) == 0 and name[-1] in dict(spots):
                return name[-1]
        name, at = min(spots, key=lambda spot: float(np.hypot(*(middle - spot[1]))))
        return name if np.hypot(*(middle - at)) < 2 * NEAR_MM else None

    def below(self, middle: NDArray[np.float64]) -> str | None:
        """What a token lies on: the card below it with its place, or the place alone; None when it cannot be said, as
        where that place holds something unread."""
        near = [(float(np.hypot(*(card.outline_mm.mean(axis=0) - middle))), card.reading) for card in self.cards]
        away, reading = min(near, key=lambda pair: pair[0], default=(np.inf, None))
        place = self.at(middle)
        if reading is not None and away < (_SURELY_ON_MM if place.name in self.unread else _ON_MM):
            return None if reading.code is None else f"{place.name}/{reading.code}"
        if place.away_mm(middle) >= NEAR_MM:
            return MISSING
        return None if place.name in self.unread else place.name

    def hides_tokens(self, mask: Mask) -> bool:
        """Whether something covers any part of a place, or of where a token belongs: at the rim it hides none."""
        spots = [at for tile in self.layout.tiles for _, at in tile.spots]
        outlines = [np.asarray(np.array(at) + corners(self.layout.tile_mm), np.float64) for at in spots]
        outlines += [place.area.outline_mm() for place in self.places.values()]
        return bool((drawn(mask.shape, outlines) & mask).any())
