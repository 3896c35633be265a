"""What one frame showed: every place with what was read there, or why it could not be read.

Knows places and labels; knows no pixel operation, no rule and no time. Readers make observations, `settle` compares
them, and `as_document` writes them as `marchwarden read --json` does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from vision.layout import Point


class Why(StrEnum):
    """Reasons for not naming what lies in a place."""

    HAND = "covered by a hand"
    OBJECT = "covered by an object that is no card"
    COVERED = "covered by something else"
    FACE_DOWN = "lies face down"
    FOREIGN = "no enrolled card fits"
    ALIKE = "two cards fit about equally well"
    OUTSIDE = "lies half outside its place"
    GLARE = "glare"
    DARK = "too dark"
    BRIGHT = "over-exposed"
    COLOURLESS = "the picture shows no colours"
    BLURRED = "blurred"
    MOVING = "moving"
    TWICE = "the same card was read in two places"
    CROWDED = "more cards than the place holds"
    OUT_OF_VIEW = "out of the camera's view"
    UNCERTAIN = "not certain enough"


@dataclass(frozen=True, slots=True)
class Reading:
    """A card that was seen: its code, or the reason why it has none (then `code` is None)."""

    code: str | None
    why: Why | None = None
    confidence: float = 0.0
    margin: float = 0.0
    corners_px: tuple[Point, ...] = ()
    upside_down: bool = False
    sideways: bool = False


@dataclass(frozen=True, slots=True)
class TileReading:
    """Where a tile lies: the name of one of its spots, `missing`, or None with the reason."""

    at: str | None
    why: Why | None = None
    confidence: float = 0.0
    margin: float = 0.0
    corners_px: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """Something about the frame or a place that a person may want to mend; `what` is a name of `quality.Fault`."""

    what: str
    value: float
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Observation:
    """One frame as read.

    `cards` holds every place of the layout: a fan `1A` has its cards in the order in which they were laid, a spot
    `1M1` or `D1` at most one. `tiles` holds every tile by its code. `held` are the places (and tile codes) that a
    hand or object covers: what is said of them is not to be trusted, and the last settled reading stays.
    """

    cards: Mapping[str, tuple[Reading, ...]]
    tiles: Mapping[str, TileReading] = field(default_factory=dict)
    held: frozenset[str] = frozenset()
    notes: tuple[Note, ...] = ()
    elapsed_ms: float = 0.0

    def only(self, places: Collection[str]) -> Observation:
        """What was seen at some places."""
        cards = {place: cards for place, cards in self.cards.items() if place in places}
        return replace(self, cards=cards, tiles={code: tile for code, tile in self.tiles.items() if code in places})


def is_fan(place: str) -> bool:
    """`3A` and `3B` are fans; `3M1` and `D2` hold one card."""
    return place[-1] in "AB"


def where(place: str, index: int) -> str:
    """The name of one card's place: the second card of fan `3B` lies at `3B2`."""
    return f"{place}{index + 1}" if is_fan(place) else place


def as_document(observation: Observation, image: str) -> dict[str, Any]:
    """The observation as other programs read it. Unread cards are listed apart and never among a Stone's cards."""
    cards, unreadable = [], []
    for place, readings in observation.cards.items():
        for index, reading in enumerate(readings):
            at = where(place, index)
            if reading.code is None:
                unreadable.append({"where": at, "why": str(reading.why or Why.UNCERTAIN)})
            else:
                cards.append(
                    {
                        "code": reading.code,
                        "where": at,
                        "confidence": round(reading.confidence, 3),
                        "margin": round(reading.margin, 3),
                        "corners_px": [[round(x, 1), round(y, 1)] for x, y in reading.corners_px],
                    }
                )
    unreadable += [
        {"where": code, "why": str(tile.why or Why.UNCERTAIN)}
        for code, tile in observation.tiles.items()
        if tile.at is None
    ]

    def codes(place: str) -> list[str]:
        return [reading.code for reading in observation.cards.get(place, ()) if reading.code is not None]

    stones = [
        {
            "stone": stone,
            "A": codes(f"{stone}A"),
            "B": codes(f"{stone}B"),
            "modes": codes(f"{stone}M1") + codes(f"{stone}M2"),
            "tile": tile.at,
        }
        for stone, tile in enumerate(observation.tiles.values(), 1)
    ]
    return {
        "image": image,
        "stones": stones,
        "discard": [code for place in observation.cards if place.startswith("D") for code in codes(place)],
        "cards": cards,
        "unreadable": unreadable,
        "elapsed_ms": round(observation.elapsed_ms, 2),
    }
