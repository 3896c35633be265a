"""Cards anywhere in a picture, without a mat: one or several, any way round, on any ground.

Every outline that could be a card is looked at upright in its own plane and compared with every face of the deck; what
fits is put right to a fraction of a millimetre and judged once more. A card that fits no face well, or two faces
about equally, is left out. Knows pictures and decks; knows no game.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour import Palette
from vision.deck import Deck
from vision.frame import Picture
from vision.identify import Identifier, Sight, Verdict, balanced, settled, trust
from vision.layout import Point
from vision.match import Floats, Poses, Templates, correlate, ink_of, points_at, poses_of, stepped, taken
from vision.outlines import Quad, outlines

COARSE, FINE, CLOSE = 0.5, 1.0, 2.0  # pixels a millimetre of the faces compared, step by step
PERHAPS = 0.35  # correlation of an outline worth a closer look
LIKENESS = 0.72  # least correlation of a card that is named
MARGIN = 0.25  # least distance from the second-best face
STRANGE = 0.20  # a spot of the card that differs more than this from its face belongs to another card
SPOT_MM = 3.0
SHOWN = 0.85  # share of a card that must lie inside the picture


@dataclass(frozen=True, slots=True)
class Scanned:
    """A card that was found: its corners from the top left of its own face, clockwise."""

    code: str
    confidence: float
    margin: float
    corners_px: tuple[Point, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Guess:
    """An outline that may hold a card: the way from its plane into the picture, a pose in that plane, a face."""

    plane: NDArray[np.float64]
    pose: Poses
    face: int
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """A guess put right, and what is seen there."""

    corners: Floats
    patch: Floats
    sight: Sight


class Scanner:
    """Finds the cards of one deck."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self._coarse, self._fine, self._close = (Templates.of(deck, scale) for scale in (COARSE, FINE, CLOSE))
        self._identifier = Identifier(self._close, Palette(self._fine))
        half = np.array(deck.card_mm) / 2
        self._corners_mm = (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half).astype(np.float32)

    def scan(self, picture_bgr: Picture) -> list[Scanned]:
        """Every card of the deck that is certain, from left to right."""
        pyramid = _pyramid(picture_bgr)
        looks: list[_Look] = []
        for guess in self._promising(pyramid, outlines(picture_bgr)):
            middle = _through(guess.plane, guess.pose[:, :2])[0]
            if any(cv2.pointPolygonTest(known.corners, middle.tolist(), False) > 0 for known in looks):
                continue
            look = self._look(pyramid, self._settled(pyramid, guess))
            if look is not None:
                looks.append(look)
        verdicts = settled([look.sight for look in looks])
        cards = [self._named(look, verdict) for look, verdict in zip(looks, verdicts, strict=True)]
        return sorted((card for card in cards if card is not None), key=lambda card: min(card.corners_px))

    def _promising(self, pyramid: list[Picture], quads: list[Quad]) -> list[_Guess]:
        """The outlines that resemble a face, each at its best of four turns, the best first."""
        t = self._coarse
        planes = [self._plane(np.roll(quad, turn, axis=0)) for quad in quads for turn in range(4)]
        patches = np.stack([_seen(pyramid, _through(plane, t.grid_mm), COARSE, self.deck.card_mm) for plane in planes])
        scores = correlate(ink_of(patches), np.tile(t.inside, (len(patches), 1)), t.ink)
        guesses = []
        for n in range(len(quads)):
            four = scores[4 * n : 4 * n + 4]
            turn, face = (int(index) for index in np.unravel_index(int(four.argmax()), four.shape))
            if four[turn, face] > PERHAPS:
                pose = poses_of(np.zeros((1, 2)), np.zeros(1))
                guesses.append(_Guess(planes[4 * n + turn], pose, face, float(four[turn, face])))
        return sorted(guesses, key=lambda guess: -guess.score)

    def _plane(self, quad: Quad) -> NDArray[np.float64]:
        """The way from a card's own millimetres into the picture, its top left at the first corner."""
        return np.asarray(cv2.getPerspectiveTransform(self._corners_mm, quad.astype(np.float32)), np.float64)

    def _settled(self, pyramid: list[Picture], guess: _Guess) -> _Guess:
        """The guess moved, turned and stretched until its face fits."""
        pose, face = guess.pose, guess.face
        for t in (self._fine, self._fine, self._fine, self._close, self._close):
            patch, mask = self._patch(pyramid, guess.plane, pose, t)[None], t.inside[None]
            if t is self._fine:
                face = int(correlate(ink_of(patch), mask, t.ink)[0].argmax())
            ink = ink_of(balanced(patch, mask, t.colours[[face]]))
            weights = mask * trust(ink, t.ink[[face]], mask)
            pose = stepped(pose, ink, weights, t.ink[[face]], t.slopes[[face]], t.grid_mm, stretch=True)
        return _Guess(guess.plane, pose, face, guess.score)

    def _patch(self, pyramid: list[Picture], plane: NDArray[np.float64], pose: Poses, t: Templates) -> Floats:
        points = _through(plane, points_at(pose, t.grid_mm)[0])
        return _seen(pyramid, points, t.px_per_mm, self.deck.card_mm)

    def _look(self, pyramid: list[Picture], guess: _Guess) -> _Look | None:
        """What is seen in a place, if it resembles any face there and lies in the picture."""
        corners = _through(guess.plane, points_at(guess.pose, self._corners_mm)[0])
        height, width = pyramid[0].shape[:2]
        if not _inside(corners, width, height):
            return None
        patch = self._patch(pyramid, guess.plane, guess.pose, self._close)
        sight = self._identifier.judge(patch[None], self._close.inside[None], np.array([guess.face]))[0]
        return _Look(corners, patch, sight) if sight.likeness >= LIKENESS else None

    def _named(self, look: _Look, verdict: Verdict) -> Scanned | None:
        """The card by its code, if it is certain."""
        code = self.deck.codes[verdict.face]
        if code in self.deck.backs or verdict.margin < MARGIN or self._strangest(look.patch, verdict.face) > STRANGE:
            return None
        points = tuple((float(x), float(y)) for x, y in look.corners)
        return Scanned(code, verdict.likeness, verdict.margin, points)

    def _strangest(self, patch: Floats, face: int) -> float:
        """How far the spot that fits worst is from the face: another card's index on an otherwise like picture."""
        t = self._close
        even = balanced(patch[None], t.inside[None], t.colours[[face]])[0]
        width, height = t.size
        apart = ((even - t.colours[face]) * t.inside[:, None]).reshape(height, width, 3)
        spots = cv2.GaussianBlur(apart, (0, 0), SPOT_MM * t.px_per_mm / 2)
        return float(np.abs(spots).max())


def as_document(cards: list[Scanned], image: str, elapsed_ms: float) -> dict[str, Any]:
    """The cards as other programs read them (`marchwarden scan --json`)."""
    return {
        "image": image,
        "cards": [
            {
                "code": card.code,
                "confidence": round(card.confidence, 3),
                "margin": round(card.margin, 3),
                "corners_px": [[round(x, 1), round(y, 1)] for x, y in card.corners_px],
            }
            for card in cards
        ],
        "elapsed_ms": round(elapsed_ms, 2),
    }


def timed(scanner: Scanner, picture_bgr: Picture) -> tuple[list[Scanned], float]:
    """The cards and how many milliseconds finding them took."""
    start = time.perf_counter()
    cards = scanner.scan(picture_bgr)
    return cards, (time.perf_counter() - start) * 1000


def _pyramid(picture: Picture) -> list[Picture]:
    """The picture at halved sizes, so that small faces are compared with averages and not with stray pixels."""
    levels = [picture]
    while min(levels[-1].shape[:2]) > 64:
        levels.append(np.asarray(cv2.pyrDown(levels[-1]), np.uint8))
    return levels


def _seen(pyramid: list[Picture], points_px: Floats, px_per_mm: float, card_mm: tuple[float, float]) -> Floats:
    """The picture at these points of one card, from the level about as fine as the points lie."""
    spread = float(np.sqrt(np.prod(np.ptp(points_px, axis=0)))) / float(np.sqrt(card_mm[0] * card_mm[1]))
    level = int(np.clip(round(np.log2(max(spread / px_per_mm, 1.0)) - 0.2), 0, len(pyramid) - 1))
    scaled = (points_px + 0.5) / 2**level - 0.5
    return np.asarray(taken(pyramid[level], scaled[None].astype(np.float32))[0] / np.float32(255))


def _through(plane: NDArray[np.float64], points_mm: NDArray[Any]) -> Floats:
    lifted = points_mm @ plane[:, :2].T + plane[:, 2]
    return np.asarray(lifted[:, :2] / lifted[:, 2:], np.float32)


def _inside(corners: NDArray[Any], width: int, height: int) -> bool:
    """Whether nearly all of a card lies in the picture."""
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    shared = cv2.intersectConvexConvex(corners.astype(np.float32), frame)[0]
    return bool(shared >= SHOWN * cv2.contourArea(corners.astype(np.float32)) > 0)
