"""Making a deck from pictures of its cards, one by one: cut out, brought to one scale, compared with one another.

A picture may be a scan that ends where the card ends, or a photograph in which the card lies on some table.

Everything about a deck is learnt from its pictures; nothing here knows a game or a code's meaning, save that a `stone`
with a number is a tile and a `back` is what lies face down.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bed import are_printed, bedded, is_crooked, is_straight
from vision.deck import FACE_PX_PER_MM, Deck, resized
from vision.families import registered
from vision.frame import Picture
from vision.layout import Size
from vision.match import Floats
from vision.outlines import Quad, outlines

CARD_MM: Size = (56.0, 80.0)
TILE_MM: Size = (64.0, 36.5)
_TILE = re.compile(r"stone\d+")
_LEAST_PX = 90  # a narrower picture shows no index
_NARROWEST = 0.25  # short to long side of a picture in which somebody meant to show a card
_LEAST_SHARE = 0.06  # of a photograph that its card fills at least
_FRAMED = 0.55  # a straight frame that fills more of a picture than this is drawn on the card
_MOST = 0.6  # of all pictures are photographs, or all are scans
_SQUARE = 0.94  # a picture with sides this alike has no long one
_SAME_SHAPE = 0.05  # cards whose shape differs by less from ours have our size
_SPOT_MM = 4  # of a card, compared as one: a scan that lies a little off changes no spot much, another index does
_TWINS = 18.0  # difference of colour, of 255, below which two pictures show the same card


@dataclass(frozen=True, slots=True)
class Pair:
    """Two cards that may be taken for each other; `distance` is how much they differ where they differ most."""

    one: str
    other: str
    distance: float


@dataclass(frozen=True, slots=True, eq=False)
class CutOut:
    """A card taken out of its picture, its short to its long side, where it lay there in shares of the picture's sides,
    and whether crookedly."""

    face_bgr: Picture
    shape: float
    place: Quad
    is_crooked: bool


@dataclass(slots=True)
class Enrolment:
    """Takes the pictures of a deck one by one, in any order; a code shown again replaces the picture before."""

    name: str
    card_mm: Size = CARD_MM
    tile_mm: Size = TILE_MM
    any_size: bool = False  # the cards' shape is learnt from their pictures
    are_whole: bool = False  # every picture is known to end where its card ends, as a drawing does
    faces: dict[str, Picture] = field(default_factory=dict)
    tiles: dict[str, Picture] = field(default_factory=dict)
    shapes: dict[str, float] = field(default_factory=dict)  # short to long side, by code
    bedded: dict[str, CutOut] = field(default_factory=dict)  # should they be scans of cards on a bed
    cut_outs: dict[str, CutOut] = field(default_factory=dict)  # should they be photographs

    def take(self, code: str, picture_bgr: Picture) -> str | None:
        """Add one card's picture; returns why it cannot be used, if so."""
        if min(picture_bgr.shape[:2]) < _LEAST_PX:
            return f"only {picture_bgr.shape[1]}×{picture_bgr.shape[0]} pixels: scan it larger"
        if _shape(picture_bgr) < _NARROWEST:
            return f"{picture_bgr.shape[1]}×{picture_bgr.shape[0]} pixels are no card's shape: scan all of it"
        if float(picture_bgr.std()) < 4.0:
            return "shows one plain colour: scan it again"
        is_tile = _TILE.fullmatch(code) is not None
        size_mm = self.tile_mm if is_tile else self.card_mm
        width, height = (round(side * FACE_PX_PER_MM) for side in size_mm)
        face = upright(picture_bgr, size_mm)
        (self.tiles if is_tile else self.faces)[code] = resized(face, (width, height))
        self.shapes[code] = _shape(face)
        if self.are_whole:
            return None
        for found, quad in ((self.bedded, bedded(picture_bgr)), (self.cut_outs, _card_in(picture_bgr))):
            found.pop(code, None)
            if quad is None:
                continue
            card = upright(_flat(picture_bgr, quad), size_mm)
            if not self._is_part(_shape(picture_bgr), _shape(card), size_mm):
                place = quad / picture_bgr.shape[1::-1]
                crooked = is_crooked(quad, picture_bgr)
                found[code] = CutOut(resized(card, (width, height)), _shape(card), place, crooked)
        return None

    def _is_part(self, picture: float, outlined: float, size_mm: Size) -> bool:
        """Whether what is outlined is but a part of the card, which the picture has the very shape of."""
        wanted = min(size_mm) / max(size_mm)
        return not self.any_size and abs(picture / wanted - 1) < _SAME_SHAPE < abs(outlined / wanted - 1)

    def deck(self) -> Deck:
        """The deck of all pictures taken so far."""
        self._settle_on_cut_outs()
        codes = tuple(sorted(self.faces))
        card_mm = self._learnt_mm() if self.any_size else self.card_mm
        size = round(card_mm[0] * FACE_PX_PER_MM), round(card_mm[1] * FACE_PX_PER_MM)
        faces, alike = registered(np.stack([resized(self.faces[code], size) for code in codes]), card_mm)
        tiles = MappingProxyType(dict(self.tiles))
        return Deck(self.name, card_mm, codes, faces, alike, tiles, self.tile_mm)

    def _settle_on_cut_outs(self) -> None:
        """Take the cards out of their photographs, if most of the pictures are such: one scan in which a frame looks
        like a card on a table is still a scan. Or take them off their scanner's bed: a rim that most cards have is
        printed on them, unless it is uneven on most."""
        for outlined in (self.bedded, self.cut_outs):
            if are_printed([card.place for card in outlined.values()]):
                outlined.clear()
        many = _MOST * len(self.shapes)
        crooked = {code: card for code, card in self.bedded.items() if card.is_crooked}
        if len(self.cut_outs) >= many:
            taken_out = self.cut_outs
        elif len(self.bedded) < many or len(crooked) > len(self.bedded) / 2:
            taken_out = crooked if len(self.bedded) < many else self.bedded
        else:
            return
        for code, card in taken_out.items():
            (self.faces if code in self.faces else self.tiles)[code] = card.face_bgr
            self.shapes[code] = card.shape
        self.bedded, self.cut_outs = {}, {}

    def _learnt_mm(self) -> Size:
        """The size of cards of the shape that most pictures show, as large as ours; in whole steps of every scale."""
        shape = float(np.median([self.shapes[code] for code in self.faces]))
        if abs(shape / (self.card_mm[0] / self.card_mm[1]) - 1) < _SAME_SHAPE:
            return self.card_mm
        area = self.card_mm[0] * self.card_mm[1]
        return 2.0 * round(np.sqrt(area * shape) / 2), 2.0 * round(np.sqrt(area / shape) / 2)


def _shape(picture: Picture) -> float:
    height, width = picture.shape[:2]
    return float(min(width, height) / max(width, height))


def _flat(picture: Picture, quad: Quad) -> Picture:
    """What an outline holds, seen from straight above."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    width, height = round((sides[0] + sides[2]) / 2), round((sides[1] + sides[3]) / 2)
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
    way = cv2.getPerspectiveTransform(quad.astype(np.float32), flat)
    return np.asarray(cv2.warpPerspective(picture, way, (width, height), flags=cv2.INTER_LINEAR), np.uint8)


def _card_in(picture: Picture) -> Quad | None:
    """The outline of the one card in a photograph; None if the picture seems to end where the card does."""
    height, width = picture.shape[:2]
    size = np.array([width, height])
    for quad in outlines(picture)[1:]:
        corners = quad.astype(np.float32)
        share = cv2.contourArea(corners) / (width * height)
        if share < _LEAST_SHARE or np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).min() < _LEAST_PX:
            continue
        holds = cv2.pointPolygonTest(corners, (width / 2, height / 2), False) > 0
        if holds and (quad > -2).all() and (quad < size + 1).all():
            return None if _is_frame(quad, share, size) else quad
    return None


def _is_frame(quad: Quad, share: float, size: NDArray[Any]) -> bool:
    """Whether an outline is rather drawn on the card that fills the picture: as straight as the picture, and either
    large or right in the middle."""
    low, *_, high = np.sort(quad, axis=0)
    centred = bool((np.abs(low + high - size) < 0.03 * size).all())
    return is_straight(quad, size) and (share > _FRAMED or (centred and share > _FRAMED / 2))


def upright(picture: Picture, size_mm: Size) -> Picture:
    """The picture with its long side as the card has it."""
    if min(picture.shape[:2]) > _SQUARE * max(picture.shape[:2]):
        return picture
    if (picture.shape[0] > picture.shape[1]) != (size_mm[1] > size_mm[0]):
        return np.ascontiguousarray(np.rot90(picture))
    return picture


def confusions(deck: Deck, most: int = 20, progress: Callable[[int, int], None] | None = None) -> tuple[Pair, ...]:
    """The pairs of cards that are hardest to tell apart, the hardest first: so many, and all twins."""
    flat = np.stack([_spots(face, deck.card_mm).ravel() for face in deck.faces_bgr])
    pairs = []
    for i in range(len(flat)):
        if progress is not None:
            progress(i + 1, len(flat))
        apart = np.abs(flat[:i] - flat[i]).max(axis=1)
        pairs += [Pair(deck.codes[j], deck.codes[i], float(apart[j])) for j in range(i)]
    pairs.sort(key=lambda pair: pair.distance)
    return tuple(pairs[: max(most, len(twins(pairs)))])


def _spots(face: Picture, card_mm: Size) -> Floats:
    """The mean colour of every spot of a face but its rim, a pixel a millimetre."""
    small = resized(face, (round(card_mm[0]), round(card_mm[1])))
    soft = cv2.blur(small.astype(np.float32), (_SPOT_MM, _SPOT_MM))
    return np.asarray(soft[_SPOT_MM:-_SPOT_MM, _SPOT_MM:-_SPOT_MM], np.float32)


def twins(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """Pairs that cannot be told apart at all: the same card scanned under two names."""
    return tuple(pair for pair in pairs if pair.distance < _TWINS)
