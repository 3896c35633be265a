"""Cards anywhere in a picture, without a mat: one or several, any way round, on any ground.

Every outline that could be a card, or a frame drawn on one, is looked at upright in its own plane and compared with
every face of the deck, coarsely and all at once; what resembles a face is put right to a fraction of a millimetre and
then asked spot by spot whether it is that card. A card that fits no face everywhere, or two about equally, is left out.
Knows pictures and decks; knows no game.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.angles import beside, edges_of, sided
from vision.deck import Deck
from vision.explain import DETAIL_PX_PER_MM, Explainer, Explanation
from vision.frame import Picture
from vision.layout import Point
from vision.match import Floats, Templates, correlate, grid_mm, ink_of, slopes_of, trust
from vision.outlines import LEAST_PX, WORK_PX, Quad, frames_of, outlines
from vision.scene import Plane, Scene, through

COARSE, FINE = 0.5, 1.0  # pixels a millimetre of the faces compared
FEW = 2  # every so manyth of the coarse points tells whether an outline resembles a face at all
PERHAPS, LIKELY = 0.35, 0.5  # correlation of an outline worth a closer look, and of one told by right angles alone
HARDLY = 0.5  # correlation, once put right, of what is not worth a still closer one
EITHER_WAY = 0.12  # turns of one outline that are nearly as good: a heart upside down resembles a spade
ROUGHLY = 0.65  # correlation of a place worth an explanation
MARGIN = 0.2  # least distance from the next face,
SPOT = 0.15  # and that of the spot which is nearest to another face
CLEAR = 0.2  # a place where every spot is this clear needs no other look
SHOWN = 0.33  # share of a card that must show
TRIES, MOST_TRIES = 4, 60  # looks at one place, and at all places
FRAMES = 2  # drawn on cards, tried besides the cut


@dataclass(frozen=True, slots=True)
class Scanned:
    """A card that was found: its corners from the top left of its own face, clockwise."""

    code: str
    confidence: float
    margin: float
    corners_px: tuple[Point, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Guess:
    """A place where a card may lie, and the face that it resembles."""

    plane: Plane
    face: int
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A guess put right, and what explains it."""

    corners: Floats
    told: Explanation
    is_open: bool

    def holds(self, point_px: Floats) -> bool:
        return cv2.pointPolygonTest(self.corners, point_px.tolist(), False) > 0


class Scanner:
    """Finds the cards of one deck."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self._coarse, self._fine = (Templates.of(deck, scale) for scale in (COARSE, FINE))
        self._bare = {t.px_per_mm: _bare(t) for t in (self._coarse, self._fine)}
        self._explainer = Explainer(deck)
        half = np.array(deck.card_mm) / 2
        self._corners_mm = (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half).astype(np.float32)
        self._detail_size = round(deck.card_mm[0] * DETAIL_PX_PER_MM), round(deck.card_mm[1] * DETAIL_PX_PER_MM)
        self._detail_mm = grid_mm(self._detail_size, DETAIL_PX_PER_MM, deck.card_mm)
        self._frames = [self._corners_mm, *frames_of(deck.faces_bgr, deck.card_mm, FRAMES)]

    def scan(self, picture_bgr: Picture) -> list[Scanned]:
        """Every card of the deck that is certain, from left to right."""
        named = [card for look in self.looks(picture_bgr) if (card := self._named(look)) is not None]
        return sorted(named, key=lambda card: min(card.corners_px))

    def looks(self, picture_bgr: Picture) -> list[Look]:
        """The best look at every place where something resembles a card, certain or not: first what lies open, then,
        as long as that finds any, what lies beside and below it."""
        if min(picture_bgr.shape[:2]) < LEAST_PX * max(1.0, max(picture_bgr.shape[:2]) / WORK_PX):
            return []  # no card shows in so narrow a strip
        scene = Scene.of(picture_bgr)
        aspect = self.deck.card_mm[0] / self.deck.card_mm[1]
        edges = edges_of(picture_bgr)
        guesses = self._promising(scene, outlines(picture_bgr), self._frames, PERHAPS)
        guesses += self._promising(scene, sided(edges, aspect), self._frames[:1], LIKELY)
        looks = self._looked(scene, sorted(guesses, key=lambda guess: -guess.score), [])
        fresh = [look for look in looks if self._is_certain(look)]
        certain = list(fresh)
        while fresh:
            below = scene.below([look.corners for look in certain])
            quads = beside(edges, [self._plane(look) for look in fresh], self.deck.card_mm)
            doubtful = [look.corners.astype(np.float64) for look in looks if not self._is_certain(look)]
            guesses = self._promising(below, quads + doubtful, self._frames[:1], LIKELY)
            more = self._looked(below, guesses, [look.corners for look in certain])
            fresh = [look for look in more if self._is_certain(look)]
            certain += fresh
            looks += fresh
        return looks

    def _looked(self, scene: Scene, guesses: list[_Guess], there: list[Floats]) -> list[Look]:
        """The best look at every place that is guessed, but for cards that are known to be there."""
        looks: list[Look] = []
        seen = list(there)
        tries: list[Floats] = []
        for guess in guesses:
            middle = through(guess.plane, np.zeros((1, 2)))[0]
            known = _holding(looks, middle)
            if known is not None and looks[known].told.spot > CLEAR:
                continue
            if self._is_known(guess, seen, 0.04) or len(tries) >= MOST_TRIES:
                continue
            size = float(np.sqrt(cv2.contourArea(through(guess.plane, self._corners_mm))))
            if sum(float(np.abs(middle - other).max()) < 0.2 * size for other in tries) >= TRIES:
                continue
            tries.append(middle)
            settled = self._settled(scene, guess)
            if settled.score < ROUGHLY or self._is_known(settled, seen, 0.01):
                continue
            look = self._look(scene, settled)
            if look is None:
                continue
            seen.append(look.corners)
            known = _holding(looks, look.corners.mean(axis=0))
            if known is None:
                looks.append(look)
            elif look.told.spot > looks[known].told.spot:
                looks[known] = look
        return looks

    def _plane(self, look: Look) -> Plane:
        return np.asarray(cv2.getPerspectiveTransform(self._corners_mm, look.corners), np.float64)

    def _is_known(self, guess: _Guess, seen: list[Floats], near: float) -> bool:
        """Whether this place was looked at already, the same way round."""
        corners = through(guess.plane, self._corners_mm)
        size = float(np.sqrt(cv2.contourArea(corners)))
        return any(float(np.abs(corners - other).max()) < near * size for other in seen)

    def _promising(self, scene: Scene, quads: list[Quad], frames: list[Floats], least: float) -> list[_Guess]:
        """The outlines that resemble a face at least so much, each in the turns that do so best, the best first."""
        t = self._coarse
        planes, group = self._planes(quads, frames, scene.size_px)
        if len(planes) == 0:
            return []
        some = np.flatnonzero(t.inside)[::FEW]
        points = through(planes, t.grid_mm[some])
        free = scene.free_at(points)
        shown = free.mean(axis=1) > SHOWN
        planes, group, points, free = planes[shown], group[shown], points[shown], free[shown]
        if len(planes) == 0:
            return []
        inks = ink_of(scene.at(points, COARSE, self.deck.card_mm))
        scores = correlate(inks, None, t.ink[:, some])
        hidden = free.mean(axis=1) < 1
        if hidden.any():
            scores[hidden] = correlate(inks[hidden], free[hidden], t.ink[:, some])
        faces, best = scores.argmax(axis=1), scores.max(axis=1)
        guesses = []
        for n in np.unique(group):
            mine = np.flatnonzero(group == n)
            nearly = max(least, float(best[mine].max()) - EITHER_WAY)
            guesses += [_Guess(planes[k], int(faces[k]), float(best[k])) for k in mine if best[k] > nearly]
        return sorted(guesses, key=lambda guess: -guess.score)

    def _alike(self, inks: Floats, t: Templates) -> Floats:
        """Correlation of patches, given where they are inside the cut, with every face."""
        about = inks - inks.mean(axis=1, keepdims=True)
        about /= np.maximum(np.linalg.norm(about, axis=1, keepdims=True), 1e-6)
        return np.asarray(about @ self._bare[t.px_per_mm].T, np.float32)

    def _planes(
        self, quads: list[Quad], drawn: list[Floats], size_px: tuple[int, int]
    ) -> tuple[Plane, NDArray[np.intp]]:
        """Every way in which an outline could be a card's cut or a frame drawn on it, and the number of its outline."""
        if not quads:
            return np.empty((0, 3, 3)), np.empty(0, np.intp)
        unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
        squares = np.stack([cv2.getPerspectiveTransform(unit, quad.astype(np.float32)) for quad in quads])
        turns = [cv2.getPerspectiveTransform(np.roll(unit, turn, axis=0), unit) for turn in range(4)]
        frames = [cv2.getPerspectiveTransform(frame, unit) for frame in drawn]
        within = np.stack([turn @ frame for turn in turns for frame in frames])
        planes: Plane = (squares[:, None] @ within[None]).reshape(-1, 3, 3).astype(np.float64)
        group = np.repeat(np.arange(len(quads)), len(within))
        corners = through(planes, self._corners_mm)
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2)
        stretched = (
            (sides[:, 0] + sides[:, 2]) / (sides[:, 1] + sides[:, 3]) * self.deck.card_mm[1] / self.deck.card_mm[0]
        )
        frame = np.array(size_px)
        # Inside, or nearly: how much of a card shows is measured later.
        near = ((corners > -0.25 * frame) & (corners < 1.25 * frame)).all(axis=(1, 2))
        likely = (stretched > 0.7) & (stretched < 1.43) & near
        return planes[likely], group[likely]

    def _settled(self, scene: Scene, guess: _Guess) -> _Guess:
        """The guess moved, turned and bent until its face fits."""
        plane, face, score = guess.plane, guess.face, guess.score
        for t, steps in ((self._coarse, 3), (self._fine, 4)):
            for step in range(steps):
                points = through(plane, t.grid_mm)[None]
                mask = t.inside * scene.free_at(points)[0]
                if mask.sum() < SHOWN * t.inside.sum():
                    return _Guess(plane, face, 0.0)
                ink = ink_of(scene.at(points, t.px_per_mm, self.deck.card_mm))[0]
                if step in (0, steps - 1):
                    whole = mask.sum() == t.inside.sum()
                    alike = (
                        self._alike(ink[None, t.inside > 0], t) if whole else correlate(ink[None], mask[None], t.ink)
                    )
                    face = int(alike[0].argmax())
                    score = float(alike[0, face])
                    if step and score < HARDLY:
                        return _Guess(plane, face, score)
                plane = _stepped(plane, ink, t, face, mask)
        return _Guess(plane, face, score)

    def _look(self, scene: Scene, guess: _Guess) -> Look | None:
        """What explains a place, if it resembles any face there and enough of it shows."""
        corners = through(guess.plane, self._corners_mm)
        points = through(guess.plane, self._detail_mm)[None]
        free = scene.free_at(points)[0]
        if float(free.mean()) < SHOWN:
            return None
        detail = scene.at(points, DETAIL_PX_PER_MM, self.deck.card_mm)[0]
        # Averaged from what is finer: a picture halved again and again is softer than its pixels.
        patch, some = (self._shrunk(values) for values in (detail, free))
        is_open = bool(some.min() > 0.999)
        told = self._explainer.explain(patch, None if is_open else np.floor(some + 1e-3))
        if told.spot < SPOT or told.margin < MARGIN:
            return Look(corners, told, is_open)
        strange, tint = self._explainer.detail(detail, told.face, None if is_open else free)
        return Look(corners, replace(told, strange=strange, tint=tint), is_open)

    def _shrunk(self, values: Floats) -> Floats:
        """A patch in detail as coarse as the explainer takes it."""
        picture = values.reshape(*self._detail_size[::-1], *values.shape[1:])
        small = cv2.resize(picture, self._explainer.size, interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.float32).reshape(-1, *values.shape[1:])

    def _is_certain(self, look: Look) -> bool:
        told = look.told
        fits = told.spot >= SPOT and told.strange <= 1 and told.tint <= 1
        return fits and told.margin >= MARGIN and (look.is_open or told.told >= 1)

    def _named(self, look: Look) -> Scanned | None:
        """The card by its code, if it is certain."""
        code = self.deck.codes[look.told.face]
        if code in self.deck.backs or not self._is_certain(look):
            return None
        points = tuple((float(x), float(y)) for x, y in look.corners)
        return Scanned(code, look.told.likeness, look.told.margin, points)


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


def _stepped(plane: Plane, ink: Floats, t: Templates, face: int, mask: Floats) -> Plane:
    """One Gauss-Newton step: the plane moved, turned, stretched and tipped to where the face fits better."""
    own, (width, height) = t.ink[face], t.size
    along, down = slopes_of(own.reshape(1, height, width), t.px_per_mm).reshape(-1, 2).T
    reach = float(np.abs(t.grid_mm).max())
    x, y = (t.grid_mm / reach).T
    tip = x * along + y * down
    basis = np.stack(
        [own, np.ones_like(own), along, down, x * along, y * along, x * down, y * down, -x * tip, -y * tip]
    )
    level = (ink * mask).sum() / max(float((own * mask).sum()), 1e-6)
    weights = mask * trust((ink / level)[None], own[None], mask[None])[0]
    weighted = basis * weights
    stiff = np.array([0, 0, 0.02, 0.02, 0.5, 0.5, 0.5, 0.5, 2.0, 2.0]) * 0.1 + 1e-4
    solved = np.linalg.solve((weighted @ basis.T).astype(np.float64) + np.diag(stiff), weighted @ ink)
    gain = max(float(solved[0]), 0.15)
    tx, ty, a, b, c, d, e, f = np.clip(-solved[2:] / gain, -2.5, 2.5)
    a, b, c, d = np.clip([a, b, c, d], -2.0, 2.0) / reach
    e, f = np.clip([e, f], -1.5, 1.5) / reach**2
    move = np.array([[1 + a, b, tx], [c, 1 + d, ty], [e, f, 1]])
    return np.asarray(plane @ move)


def _holding(looks: list[Look], point_px: Floats) -> int | None:
    """The number of the look that holds a point."""
    return next((n for n, look in enumerate(looks) if look.holds(point_px)), None)


def _bare(t: Templates) -> Floats:
    """The ink of faces inside the cut, about its mean and of length one."""
    ink = t.ink[:, t.inside > 0]
    ink = ink - ink.mean(axis=1, keepdims=True)
    return np.asarray(ink / np.maximum(np.linalg.norm(ink, axis=1, keepdims=True), 1e-6), np.float32)
