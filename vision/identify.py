"""Which face is it: structure first, then colour, each with its margin over every rival.

A card that was found is looked at once more, closely. Patch and faces are evened: every point is taken relative to the
tone and contrast around it, as far as that can be seen, so that shade, gleams and haze count for nothing and a small
index for as much as a large picture. Then, for every rival, only what sets the two faces apart is asked: 1 means
exactly this face, 0 exactly the rival. Knows faces and pixels; knows no place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour import Manner, shades
from vision.deck import FACE_PX_PER_MM, Deck, resized
from vision.even import FAINT, Evened, around, face_evened, noise_in, patch_evened
from vision.frame import Picture
from vision.match import Floats, Poses, Templates, alike, ink_of
from vision.plan import FINE, FULL, Plan
from vision.shade import Shade
from vision.tint import Palette, Tint

SOFT_MM = (0.3, 0.45, 0.65, 0.95, 1.35)  # how soft a photograph may be
_RIVALS, _FEWEST, _OUT_OF_QUESTION = 12, 4, 0.4  # drawings that are looked at closely, and how far behind no more
_SAMPLES = 4  # cards that tell how soft a photograph is
_STRETCH_MM, _WIDE, _INKED = 8.0, 0.4, 0.25  # of a card that must agree by itself: how high, how wide, how inked
_PAPER, _CAST = 85, 3.0  # per cent of a card are darker than its paper; how uneven a lamp's colours are at most
_LOUD = 1.5  # contrast beside the enrolled one's of a card whose brightest tones are not its paper's
_DROWNING = 0.5  # of what a face does not explain: what sets it apart from a rival must be more to tell anything
_SURE = 0.8  # likeness and margin of a drawing beyond doubt
_OPEN = 0.97  # share of a card that shows when nothing lies on it


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """The drawing that a patch shows, by the number of its family. `likeness` is its correlation, `margin` how far it
    is from the nearest other drawing (1: exactly this, 0: half-way), `agreement` the correlation of the stretch that
    fits worst, `contrast` how strong its ink looks beside the enrolled one's; `shown` is the share of the card that can
    be seen. Its colours, a pixel a millimetre, and what of them
    is free tell the drawing's members apart."""

    family: int
    likeness: float
    margin: float
    agreement: float
    contrast: float
    shown: float
    colours_bgr: Picture
    free: Floats


@dataclass(frozen=True, slots=True)
class Verdict:
    """The best face for a patch, how alike it is, and by how much it beats its nearest rival, drawing or colour."""

    face: int
    likeness: float
    margin: float
    shade: Shade | None


@dataclass(frozen=True, slots=True, eq=False)
class _Patch:
    """What shows of a card at a pose. `free` and `small_bgr` are FINE, the others FULL; all but `free` end with the
    rows that show anything."""

    is_open: bool
    rows: slice
    free: Floats
    small_bgr: Floats
    ink: Floats
    mask: Floats
    around: Floats
    even: Evened

    @property
    def full_rows(self) -> slice:
        return slice(2 * self.rows.start, 2 * self.rows.stop)


class Identifier:
    """Looks closely at cards, with faces as soft as the photograph."""

    def __init__(self, deck: Deck, soft_mm: float) -> None:
        self._card_mm = deck.card_mm
        small = Templates.of(deck, FINE, soft_mm)
        self._members = small.members
        self._palette = Palette(deck, small, soft_mm)
        self._size = small.size
        self._inside = small.inside.reshape(self._size[::-1])
        self._rim = _doubled(self._inside)
        self._ink = _stacked((_ink(deck, members, soft_mm) for members in small.members), len(small.members))
        self._open = lru_cache(maxsize=4)(partial(_open_faces, self._ink, self._rim))

    def sight(self, plan: Plan, pose: NDArray[np.float64], likeness: Floats) -> Sight:
        """What lies at a pose, given how alike every drawing looked from afar."""
        patch = self._patch(plan, pose, int(likeness.argmax()))
        if patch.is_open:
            rivals, faces = np.arange(len(self._ink)), self._open(patch.even.noise)
        else:
            rivals = _rivals(likeness)
            faces = np.stack([self._face(int(rival), patch) for rival in rivals])
        alike_, shares = structure(patch.even.ink.ravel(), faces, patch.even.drowned)
        best = int(alike_.argmax())
        shares[best] = np.inf
        family = int(rivals[best])
        colours = np.zeros((*patch.free.shape, 3), np.uint8)
        colours[patch.rows] = patch.small_bgr
        return Sight(
            family,
            float(alike_[best]),
            float(2 * shares.min() - 1),
            _agreement(patch.even.ink, faces[best].reshape(patch.mask.shape), patch.mask),
            _contrast(patch.ink, self._ink[family, patch.full_rows], patch.mask),
            float(patch.free.mean()),
            colours.reshape(-1, 3),
            patch.free.reshape(-1),
        )

    def likeness(self, plan: Plan, pose: NDArray[np.float64], family: int) -> float:
        """How alike one drawing is to what lies at a pose: less than a whole look."""
        patch = self._patch(plan, pose, family)
        alike_, _ = structure(patch.even.ink.ravel(), self._face(family, patch)[None], patch.even.drowned)
        return float(alike_[0])

    def _patch(self, plan: Plan, pose: NDArray[np.float64], family: int) -> _Patch:
        """What lies at a pose, where from afar a drawing seems to lie."""
        free = plan.free_at(pose, self._card_mm) * self._inside
        is_open = bool(free.mean() > _OPEN * self._inside.mean())
        seen = np.arange(len(free)) if is_open else np.flatnonzero(free.any(axis=1))
        rows = slice(int(seen[0]), int(seen[-1]) + 1) if len(seen) else slice(0, 1)
        patch = plan.patch(pose, self._card_mm, rows)
        small = cv2.resize(patch, (self._size[0], patch.shape[0] // 2), interpolation=cv2.INTER_AREA).astype(np.float32)
        shown = small[free[rows] > 0]
        light, is_coloured = _light(shown)
        ink = ink_of(patch, light)
        mask = self._rim if is_open else _doubled(free[rows])
        face = self._ink[family, 2 * rows.start : 2 * rows.stop]
        louder = _contrast(ink, face, mask)
        louder = louder if louder > _LOUD else 1.0
        ink /= np.float32(louder)
        beside = around(mask)
        noise = plan.noise.at(float(shown.mean())) / louder if plan.noise.most > FAINT and len(shown) else 0.0
        noise = noise_in(ink, face, mask, noise, is_coloured=is_coloured)
        even = patch_evened(ink, mask, beside, noise)
        return _Patch(is_open, rows, free, small, ink, mask, beside, even)

    def _face(self, family: int, patch: _Patch) -> Floats:
        """A drawing evened over what a patch shows of it, flat."""
        if patch.is_open:
            return np.asarray(self._open(patch.even.noise)[family])
        return face_evened(self._ink[family, patch.full_rows], patch.mask, patch.around, patch.even.noise).ravel()

    def settled(
        self, sights: Sequence[Sight], known: Manner | None, elsewhere: Set[int] = frozenset()
    ) -> tuple[list[Verdict], Manner | None]:
        """Drawings and colours together; all cards of a photograph tell how it shows colours, and of each there is but
        one: `elsewhere` are faces that surely lie where this look does not reach."""
        told, manner = shades([self._tint(sight) for sight in sights], known, elsewhere)
        verdicts = []
        for sight, shade in zip(sights, told, strict=True):
            if shade is None:
                verdicts.append(Verdict(self._members[sight.family][0], sight.likeness, sight.margin, None))
            else:
                verdicts.append(Verdict(shade.member, sight.likeness, min(sight.margin, shade.margin), shade))
        return verdicts, manner

    def _tint(self, sight: Sight) -> Tint | None:
        is_sure = min(sight.likeness, sight.margin) > _SURE
        return self._palette.tint(sight.colours_bgr, sight.free, sight.family, sight.contrast, is_sure=is_sure)


def _stacked(pictures: Iterator[Floats], count: int) -> Floats:
    """So many pictures, each put in its place as it is made: all faces of a deck are megabytes, twice is too much."""
    first = next(pictures)
    stack = np.empty((count, *first.shape), np.float32)
    for place, picture in zip(stack, chain([first], pictures), strict=True):
        place[:] = picture
    return stack


def _open_faces(inks: Floats, rim: Floats, noise: float) -> Floats:
    """All drawings as they look when nothing lies on them, in such noise."""
    beside = around(rim)
    return _stacked((face_evened(ink, rim, beside, noise).ravel() for ink in inks), len(inks))


def _rivals(likeness: Floats) -> NDArray[np.intp]:
    """The drawings that are not out of the question, the likeliest first."""
    ranked = np.argsort(-likeness)[:_RIVALS]
    near = int((likeness[ranked] > likeness[ranked[0]] - _OUT_OF_QUESTION).sum())
    return np.asarray(ranked[: max(near, _FEWEST)])


def structure(patch: Floats, faces: Floats, drowned: float = 0.0) -> tuple[Floats, Floats]:
    """Likeness of an evened patch to each face, and for the likest face its share against each rival: over what sets
    the two apart, 1 is exactly that face and 0 exactly the rival. The share of the patch that is noise, like no face,
    is left out of what it should be like. What sets two faces apart tells the less the more it is outdone by what the
    likest one does not explain: below the strip of a plain card, where all look alike, by chance."""
    energy_p, energy_f = max(float(patch @ patch), 1e-9), np.maximum(np.einsum("fp,fp->f", faces, faces), 1e-9)
    shared = faces @ patch
    likeness = np.minimum(shared / np.sqrt((1 - drowned) * energy_p * energy_f), 1.0)
    best = int(likeness.argmax())
    mutual = faces @ faces[best]
    gain = max(float(shared[best] / energy_f[best]), 1e-3)
    # With d = best - rival: <patch / gain - rival, d> / <d, d>.
    apart = np.maximum(energy_f[best] - 2 * mutual + energy_f, 1e-9)
    along = (shared[best] - shared) / gain - (mutual - energy_f)
    unexplained = max((1 - drowned) * energy_p / gain**2 - energy_f[best], 1e-9)
    telling = np.minimum(1.0, apart / (_DROWNING * unexplained))
    return np.asarray(likeness, np.float32), np.asarray(0.5 + (along / apart - 0.5) * telling, np.float32)


def _contrast(patch: Floats, face: Floats, mask: Floats) -> float:
    """How strong the ink of a patch looks beside that of its face: a gleam makes it pale."""
    about = ((face - float(face.ravel() @ mask.ravel()) / max(float(mask.sum()), 1.0)) * mask).ravel()
    return float(about @ patch.ravel()) / max(float(about @ about), 1e-6)


def _agreement(patch: Floats, face: Floats, mask: Floats) -> float:
    """The correlation of the stretch of a card, from its top to its foot, that fits worst: print where there should be
    none counts as much as print that is missing."""
    shared, print_, wanted = (
        np.einsum("rc,rc->r", one, other) for one, other in ((patch, face), (patch, patch), (face, face))
    )
    points = mask.sum(axis=1)
    stretch = np.ones(round(_STRETCH_MM * FULL))
    sums = [np.convolve(each, stretch, "valid") for each in (shared, print_, wanted, points)]
    telling = (sums[3] > _WIDE * len(stretch) * mask.shape[1]) & (np.maximum(sums[1], sums[2]) > _INKED * sums[3])
    return float((sums[0] / np.maximum(np.maximum(sums[1], sums[2]), 1e-6))[telling].min(initial=1.0))


def _ink(deck: Deck, members: tuple[int, ...], soft_mm: float) -> Floats:
    """The mean ink of some faces, as soft as a photograph shows it."""
    width, height = (round(side * FULL) for side in deck.card_mm)
    total = np.zeros((height, width), np.float32)
    for member in members:
        blurred = np.asarray(cv2.GaussianBlur(deck.faces_bgr[member], (0, 0), soft_mm * FACE_PX_PER_MM), np.uint8)
        total += ink_of(resized(blurred, (width, height)).astype(np.float32))
    return total / np.float32(255 * len(members))


def _light(shown: Floats) -> tuple[Floats, bool]:
    """What brings the colours of a patch into plain light: its brightest tones are those of its paper. No lamp tints
    paper as much as ink does that covers a whole card: whether it is such a card."""
    few = shown[:: max(1, len(shown) // 512)]
    rank = len(few) * _PAPER // 100
    brightest = np.partition(few, rank, axis=0)[rank] if len(few) else np.full(3, 255.0)
    least = float(brightest.max()) / _CAST
    return np.asarray(1 / np.maximum(brightest, max(5.0, least)), np.float32), bool(brightest.min() < least)


def _doubled(mask: Floats) -> Floats:
    """A mask twice as fine."""
    return np.repeat(np.repeat(mask, 2, axis=0), 2, axis=1)


def softness(deck: Deck, plan: Plan, poses: Poses, faces: Sequence[int]) -> float:
    """How soft the photograph is, in millimetres, judged by a few cards that lie open: the step at which their faces
    look most like what is seen."""
    scores = np.zeros(len(SOFT_MM))
    for pose, face in zip(poses[:_SAMPLES], faces[:_SAMPLES], strict=True):
        ink = ink_of(plan.patch(pose, deck.card_mm).astype(np.float32)).reshape(1, -1)
        mask = _doubled(plan.free_at(pose, deck.card_mm)).reshape(1, -1)
        sharp = _ink(deck, (face,), SOFT_MM[0])
        for n, soft in enumerate(SOFT_MM):
            more = np.sqrt(max(soft**2 - SOFT_MM[0] ** 2, 1e-3)) * FULL
            face_ink = np.asarray(cv2.GaussianBlur(sharp, (0, 0), more), np.float32)
            scores[n] += float(alike(ink, mask, face_ink.reshape(1, -1))[0])
    return SOFT_MM[int(scores.argmax())]
