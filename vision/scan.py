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

from vision.deck import Deck
from vision.explain import Explainer, Explanation
from vision.frame import Picture
from vision.identify import balanced
from vision.layout import Point
from vision.match import Floats, Poses, Templates, correlate, ink_of, points_at, poses_of, stepped, taken, trust
from vision.outlines import Quad, outlines

COARSE, FINE = 0.5, 1.0  # pixels a millimetre of the faces compared
STEPS = 5  # in which a guess is put right
PERHAPS = 0.35  # correlation of an outline worth a closer look
EITHER_WAY = 0.12  # turns of one outline that are nearly as good: a heart upside down resembles a spade
ROUGHLY = 0.7  # correlation of a place worth an explanation
LIKENESS = 0.9  # share of a card that its face must explain
SURE = 0.985  # no other outline will explain more than this
MARGIN = 0.28  # least distance from the next face
AGREEMENT = 0.38  # least local correlation: a spot that differs more belongs to another card
TINT = 0.2  # greatest local difference of colour
PLAIN_TINT = 0.12  # what differs more than this must stand farther from the next face,
TINT_COST = 4.0  # by this much: a colour that is not in the deck is nearer to one that is than to another
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
    """A guess put right, and what explains it."""

    corners: Floats
    told: Explanation

    def holds(self, point_px: Floats) -> bool:
        return cv2.pointPolygonTest(self.corners, point_px.tolist(), False) > 0


class Scanner:
    """Finds the cards of one deck."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self._coarse, self._fine = (Templates.of(deck, scale) for scale in (COARSE, FINE))
        self._explainer = Explainer(self._fine)
        half = np.array(deck.card_mm) / 2
        self._corners_mm = (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half).astype(np.float32)

    def scan(self, picture_bgr: Picture) -> list[Scanned]:
        """Every card of the deck that is certain, from left to right."""
        pyramid = _pyramid(picture_bgr)
        looks: list[_Look] = []
        for guess in self._promising(pyramid, outlines(picture_bgr)):
            middle = _through(guess.plane, guess.pose[:, :2])[0]
            known = next((n for n, look in enumerate(looks) if look.holds(middle)), None)
            if known is not None and looks[known].told.likeness > SURE:
                continue
            look = self._look(pyramid, self._settled(pyramid, guess))
            if look is None:
                continue
            if known is None:
                looks.append(look)
            elif look.told.likeness > looks[known].told.likeness:
                looks[known] = look
        cards = (self._named(look) for look in looks)
        return sorted((card for card in cards if card is not None), key=lambda card: min(card.corners_px))

    def _promising(self, pyramid: list[Picture], quads: list[Quad]) -> list[_Guess]:
        """The outlines that resemble a face, each in the turns that do so best, the best first."""
        t = self._coarse
        planes = [self._plane(np.roll(quad, turn, axis=0)) for quad in quads for turn in range(4)]
        patches = np.stack([_seen(pyramid, _through(plane, t.grid_mm), COARSE, self.deck.card_mm) for plane in planes])
        scores = correlate(ink_of(patches), np.tile(t.inside, (len(patches), 1)), t.ink)
        faces, best = scores.argmax(axis=1), scores.max(axis=1)
        guesses = []
        for n in range(len(quads)):
            four = range(4 * n, 4 * n + 4)
            least = max(PERHAPS, max(best[four]) - EITHER_WAY)
            pose = poses_of(np.zeros((1, 2)), np.zeros(1))
            guesses += [_Guess(planes[k], pose, int(faces[k]), float(best[k])) for k in four if best[k] > least]
        return sorted(guesses, key=lambda guess: -guess.score)

    def _plane(self, quad: Quad) -> NDArray[np.float64]:
        """The way from a card's own millimetres into the picture, its top left at the first corner."""
        return np.asarray(cv2.getPerspectiveTransform(self._corners_mm, quad.astype(np.float32)), np.float64)

    def _settled(self, pyramid: list[Picture], guess: _Guess) -> _Guess:
        """The guess moved, turned and stretched until its face fits."""
        pose, face, t = guess.pose, guess.face, self._fine
        mask = t.inside[None]
        for _ in range(STEPS):
            patch = self._patch(pyramid, guess.plane, pose)[None]
            scores = correlate(ink_of(patch), mask, t.ink)[0]
            face = int(scores.argmax())
            ink = ink_of(balanced(patch, mask, t.colours[[face]]))
            weights = mask * trust(ink, t.ink[[face]], mask)
            pose = stepped(pose, ink, weights, t.ink[[face]], t.slopes[[face]], t.grid_mm, stretch=True)
        return _Guess(guess.plane, pose, face, float(scores[face]))

    def _patch(self, pyramid: list[Picture], plane: NDArray[np.float64], pose: Poses) -> Floats:
        points = _through(plane, points_at(pose, self._fine.grid_mm)[0])
        return _seen(pyramid, points, FINE, self.deck.card_mm)

    def _look(self, pyramid: list[Picture], guess: _Guess) -> _Look | None:
        """What explains a place, if it resembles any face there and lies in the picture."""
        corners = _through(guess.plane, points_at(guess.pose, self._corners_mm)[0])
        height, width = pyramid[0].shape[:2]
        if guess.score < ROUGHLY or not _inside(corners, width, height):
            return None
        return _Look(corners, self._explainer.explain(self._patch(pyramid, guess.plane, guess.pose)))

    def _named(self, look: _Look) -> Scanned | None:
        """The card by its code, if it is certain."""
        told = look.told
        code = self.deck.codes[told.face]
        asked = MARGIN + TINT_COST * max(told.tint - PLAIN_TINT, 0.0)
        fits = told.likeness >= LIKENESS and told.agreement >= AGREEMENT and told.tint <= TINT
        if code in self.deck.backs or not fits or told.margin < asked:
            return None
        points = tuple((float(x), float(y)) for x, y in look.corners)
        return Scanned(code, told.likeness, told.margin, points)


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
