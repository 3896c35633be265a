"""Which face is it: structure first, then colour, each with its margin over every rival.

A card that was found is looked at once more, closely. Patch and faces are evened: every point is taken relative to the
tone and contrast around it, as far as that can be seen, so that shade, gleams and haze count for nothing and a small
index for as much as a large picture. Then, for every rival, only what sets the two faces apart is asked: 1 means
exactly this face, 0 exactly the rival. Knows faces and pixels; knows no place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour import Manner, Palette, Shade, shades
from vision.deck import FACE_PX_PER_MM, Deck, resized
from vision.frame import Picture
from vision.match import Floats, Halves, Poses, Templates, alike, ink_of
from vision.plan import FINE, FULL, Plan

SOFT_MM = (0.3, 0.45, 0.65, 0.95, 1.35)  # how soft a photograph may be
_RIVALS = 10  # drawings that are looked at closely
_SAMPLES = 5  # cards that tell how soft a photograph is
_AROUND_MM = 7.0  # whose tone and contrast a point is compared with
_FAINT = 0.03  # contrast below this is noise
_STRETCH_MM, _WIDE, _INKED = (
    8.0,
    0.4,
    0.25,
)  # of a card that must agree by itself: how high, how wide, how full of print
_OPEN = 0.97  # share of a card that shows when nothing lies on it


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """The drawing that a patch shows. `likeness` is the correlation of the likest face, `margin` how far it is from
    the nearest face of another drawing (1: exactly this, 0: half-way), `agreement` the correlation of the stretch that
    fits worst; `shown` is the share of the card that can be seen. Its colours, a pixel a millimetre, and what of them
    is free tell the drawing's members apart."""

    face: int
    family: int
    likeness: float
    margin: float
    rival: int
    agreement: float
    shown: float
    colours: Floats
    free: Floats


@dataclass(frozen=True, slots=True)
class Verdict:
    """The best face for a patch, how alike it is, and by how much it beats its nearest rival, drawing or colour."""

    face: int
    likeness: float
    margin: float
    rival: int
    shade: Shade | None


class Identifier:
    """Looks closely at cards, with faces as soft as the photograph."""

    def __init__(self, deck: Deck, soft_mm: float) -> None:
        self._card_mm = deck.card_mm
        small = Templates.of(deck, FINE, soft_mm)
        self._colours, self._inside = small.colours, small.inside
        self._palette = Palette(small)
        self._ink = inks(deck, FULL, soft_mm)
        self._even = np.stack([evened(ink) for ink in self._ink])
        self._rim = np.repeat(np.repeat(self._inside.reshape(small.size[::-1]), 2, axis=0), 2, axis=1)
        self._family = np.empty(len(self._ink), np.intp)
        for family, members in enumerate(small.members):
            self._family[list(members)] = family

    def sight(self, plan: Plan, pose: NDArray[np.float64], likeness: Floats) -> Sight:
        """What lies at a pose, given how alike every face looked from afar."""
        colours, free = plan.patch(pose, self._card_mm)
        rivals = self._rivals(likeness)
        small = cv2.resize(colours, free.shape[::-1], interpolation=cv2.INTER_AREA).reshape(-1, 3)
        small = small.astype(np.float32) * np.float32(1 / 255)
        shown = free.reshape(-1) * self._inside
        ink = ink_of(colours.astype(np.float32) * _light(small, shown, self._colours[rivals[0]]))
        mask = np.repeat(np.repeat(free, 2, axis=0), 2, axis=1) * self._rim
        patch, faces = self._evened(ink, mask, rivals)
        alike_, shares = structure(patch, faces)
        best = int(alike_.argmax())
        shares[best] = np.inf
        rival = int(shares.argmin())
        family = int(self._family[rivals[best]])
        margin = float(2 * shares[rival] - 1)
        return Sight(
            int(rivals[best]),
            family,
            float(alike_[best]),
            margin,
            int(rivals[rival]),
            _agreement(patch, faces[best], mask),
            float(shown.mean()),
            small,
            free.reshape(-1),
        )

    def settled(self, sights: Sequence[Sight], known: Manner | None) -> tuple[list[Verdict], Manner | None]:
        """Drawings and colours together; all cards of a photograph tell how it shows colours."""
        told, manner = shades([self._palette.tint(sight.colours, sight.free, sight.family) for sight in sights], known)
        verdicts = []
        for sight, shade in zip(sights, told, strict=True):
            if shade is None:
                verdicts.append(Verdict(sight.face, sight.likeness, sight.margin, sight.rival, None))
            else:
                margin, rival = min((sight.margin, sight.rival), (shade.margin, shade.rival))
                verdicts.append(Verdict(shade.member, sight.likeness, margin, rival, shade))
        return verdicts, manner

    def _evened(self, ink: Floats, mask: Floats, rivals: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """The points of a patch and of some faces that can be seen, evened over just these."""
        if float(mask.mean()) > _OPEN * float(self._rim.mean()):
            seen = np.flatnonzero(mask)
            return evened(ink, mask).reshape(-1)[seen], self._even[rivals].reshape(len(rivals), -1)[:, seen]
        rows = np.flatnonzero(mask.any(axis=1))
        part = slice(int(rows[0]), int(rows[-1]) + 1) if len(rows) else slice(0, 1)
        stack = np.concatenate([ink[None, part], self._ink[rivals, part]]).transpose(1, 2, 0)
        even = evened(np.ascontiguousarray(stack), mask[part]).reshape(-1, len(rivals) + 1)
        even = np.ascontiguousarray(even[mask[part].reshape(-1) > 0].T)
        return even[0], even[1:]

    def _rivals(self, likeness: Floats) -> NDArray[np.intp]:
        """The likest face of each of the likest drawings."""
        order = np.argsort(-likeness)
        _, first = np.unique(self._family[order], return_index=True)
        return np.asarray(order[np.sort(first)][:_RIVALS])


def evened(ink: Floats, mask: Floats | None = None) -> Floats:
    """Ink (rows × columns, or many such side by side) relative to the tone and contrast around each point, over what a
    mask shows."""
    size = (round(_AROUND_MM * FULL) | 1,) * 2
    if mask is None:
        above = ink - cv2.blur(ink, size)
        return np.asarray(above / np.sqrt(cv2.blur(above * above, size) + _FAINT**2), np.float32)
    share = np.maximum(cv2.blur(mask, size), 1e-3)
    shown = mask
    if ink.ndim == 3:
        share, shown = share[..., None], mask[..., None]
    above = (ink - cv2.blur(ink * shown, size) / share) * shown
    return np.asarray(above / np.sqrt(cv2.blur(above * above, size) / share + _FAINT**2), np.float32)


def structure(patch: Floats, faces: Floats) -> tuple[Floats, Floats]:
    """Likeness of an evened patch to each face, and for the likest face its share against each rival: over what sets
    the two apart, 1 is exactly that face and 0 exactly the rival."""
    energy_p, energy_f = max(float(patch @ patch), 1e-9), np.maximum(np.einsum("fp,fp->f", faces, faces), 1e-9)
    shared = faces @ patch
    likeness = shared / np.sqrt(energy_p * energy_f)
    best = int(likeness.argmax())
    mutual = faces @ faces[best]
    gain = max(float(shared[best] / energy_f[best]), 1e-3)
    # With d = best - rival: <patch / gain - rival, d> / <d, d>.
    apart = np.maximum(energy_f[best] - 2 * mutual + energy_f, 1e-9)
    along = (shared[best] - shared) / gain - (mutual - energy_f)
    return np.asarray(likeness, np.float32), np.asarray(along / apart, np.float32)


def _agreement(patch: Floats, face: Floats, mask: Floats) -> float:
    """The correlation of the stretch of a card, from its top to its foot, that fits worst: print where there should be
    none counts as much as print that is missing."""
    row = np.flatnonzero(mask) // mask.shape[1]
    height = mask.shape[0]
    shared, print_, wanted = (
        np.bincount(row, weights, height) for weights in (patch * face, patch * patch, face * face)
    )
    points = np.bincount(row, minlength=height).astype(np.float64)
    stretch = np.ones(round(_STRETCH_MM * FULL))
    sums = [np.convolve(each, stretch, "valid") for each in (shared, print_, wanted, points)]
    telling = (sums[3] > _WIDE * len(stretch) * mask.shape[1]) & (np.maximum(sums[1], sums[2]) > _INKED * sums[3])
    return float((sums[0] / np.maximum(np.maximum(sums[1], sums[2]), 1e-6))[telling].min(initial=1.0))


def inks(deck: Deck, px_per_mm: float, soft_mm: float) -> Floats:
    """The ink of every face (faces × rows × columns) as soft as a photograph shows it."""
    width, height = (round(side * px_per_mm) for side in deck.card_mm)
    return np.stack([_softened(face, soft_mm, (width, height)) for face in deck.faces_bgr]) / np.float32(255)


def _softened(face_bgr: Picture, soft_mm: float, size: tuple[int, int]) -> Floats:
    blurred = np.asarray(cv2.GaussianBlur(face_bgr, (0, 0), soft_mm * FACE_PX_PER_MM), np.uint8)
    return ink_of(resized(blurred, size).astype(np.float32))


def softness(deck: Deck, plan: Plan, poses: Poses, faces: NDArray[np.intp]) -> float:
    """How soft the photograph is, in millimetres, judged by a few cards that lie open: the step at which their faces
    look most like what is seen."""
    width, height = (round(side * FULL) for side in deck.card_mm)
    scores = np.zeros(len(SOFT_MM))
    for pose, face in zip(poses[:_SAMPLES], faces[:_SAMPLES], strict=True):
        colours, free = plan.patch(pose, deck.card_mm)
        ink = ink_of(colours.astype(np.float32)).reshape(1, -1)
        mask = np.repeat(np.repeat(free, 2, axis=0), 2, axis=1).reshape(1, -1)
        looks = [_softened(deck.faces_bgr[face], soft, (width, height)) for soft in SOFT_MM]
        scores += [float(alike(ink, mask, look.reshape(1, -1))[0]) for look in looks]
    return SOFT_MM[int(scores.argmax())]


def _light(patch: Floats, mask: Floats, face: Floats | Halves) -> Floats:
    """What brings the colours of a patch into the light of its face, channel by channel."""
    inks_ = face.astype(np.float32) * mask[:, None]
    gain = np.einsum("pc,pc->c", patch, inks_) / np.maximum(np.einsum("pc,pc->c", inks_, inks_), 1e-6)
    return np.asarray(1 / np.maximum(gain, 0.02) / 255, np.float32)


def balanced(patches: Floats, masks: Floats, colours: Floats | Halves) -> Floats:
    """Patches in the light of the faces: each channel scaled as the whole card asks."""
    few = slice(None, None, 4)  # a quarter of the points tells the light as well as all
    inks = colours[:, few].astype(np.float32)
    shown = inks * masks[:, few, None]
    gain = np.einsum("hpc,hpc->hc", patches[:, few], shown) / np.maximum(np.einsum("hpc,hpc->hc", inks, shown), 1e-6)
    return np.asarray(patches * (1 / np.maximum(gain, 0.02)).astype(np.float32)[:, None, :], np.float32)
