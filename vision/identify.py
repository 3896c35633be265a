"""Which face is it: structure first, then colour, each with its margin over every rival.

A card found by `peel` is looked at once more in the full frame. Its colours are balanced on the card itself; then, for
every rival, only what sets the two faces apart is asked: 1 means exactly this face, 0 exactly the rival. Knows faces
and pixels; knows no place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.colour import Palette, Shade, Tint, shades
from vision.frame import Picture
from vision.match import Climb, Floats, Halves, Poses, Templates, alike, ink_of, points_at, stepped, taken, trust
from vision.peel import Plan
from vision.rectify import Rectifier

_BATCH = 12  # cards looked at together: few enough to stay in a small cache
_WORTH_A_LOOK = 0.7


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """The drawing that a patch shows. `likeness` is the correlation of the likest face, `margin` how far it is from
    the nearest face of another drawing (1: exactly this, 0: half-way); `tint` is for choosing among its members."""

    face: int
    family: int
    likeness: float
    margin: float
    rival: int
    tint: Tint | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The best face for a patch, how alike it is, and by how much it beats its nearest rival, drawing or colour."""

    face: int
    likeness: float
    margin: float
    rival: int
    shade: Shade | None


def settled(sights: Sequence[Sight]) -> list[Verdict]:
    """Drawings and colours together; all cards of a photograph tell how strong its colours look."""
    verdicts = []
    for sight, shade in zip(sights, shades([sight.tint for sight in sights]), strict=True):
        if shade is None:
            verdicts.append(Verdict(sight.face, sight.likeness, sight.margin, sight.rival, None))
        else:
            margin, rival = min((sight.margin, sight.rival), (shade.margin, shade.rival))
            verdicts.append(Verdict(shade.member, sight.likeness, margin, rival, shade))
    return verdicts


class Identifier:
    """Looks at cards in the full frame."""

    def __init__(self, templates: Templates, palette: Palette) -> None:
        self.templates = templates
        grid = templates.grid_mm
        reach = np.abs(grid).max(axis=0)
        # Nine points of a card fix a biquadratic map into the frame: perspective and lens are no rounder than that.
        node = np.array([-1.0, 0.0, 1.0])
        self._nodes = np.stack(np.meshgrid(node * reach[0], node * reach[1]), axis=-1).reshape(-1, 2)
        x, y = grid[:, 0] / reach[0], grid[:, 1] / reach[1]
        along = np.stack([x * (x - 1) / 2, 1 - x**2, x * (x + 1) / 2])
        down = np.stack([y * (y - 1) / 2, 1 - y**2, y * (y + 1) / 2])
        self._weights = (down[:, None, :] * along[None, :, :]).reshape(9, -1).astype(np.float32)
        self._palette = palette
        self._squares = np.square(templates.ink)
        self._family = np.empty(len(templates.ink), np.intp)
        for family, members in enumerate(templates.members):
            self._family[list(members)] = family

    def look(self, frame_bgr: Picture, rectifier: Rectifier, plan: Plan, poses: Poses) -> tuple[Floats, Floats]:
        """Colour patches (poses × points × 3, 0 to 1) and what is free of them."""
        nodes = rectifier.to_px(points_at(poses, self._nodes.astype(np.float32)).astype(np.float64))
        across = nodes[..., 0].astype(np.float32) @ self._weights
        down = nodes[..., 1].astype(np.float32) @ self._weights
        patches = taken(frame_bgr, np.stack([across, down], axis=-1)) / np.float32(255.0)
        return patches, self._free(plan, poses) * self.templates.inside

    def _free(self, plan: Plan, poses: Poses) -> Floats:
        """1 where nothing hides a card: looked up at every other point."""
        width, height = self.templates.size
        every = self.templates.grid_mm.reshape(height // 2, 2, width // 2, 2, 2).mean(axis=(1, 3)).reshape(-1, 2)
        free = (taken(plan.free, plan.px(points_at(poses, every))) > 0.98).astype(np.float32)
        wide = free.reshape(-1, height // 2, 1, width // 2, 1)
        return np.broadcast_to(wide, (len(poses), height // 2, 2, width // 2, 2)).reshape(len(poses), -1)

    def sights(
        self,
        frame_bgr: Picture,
        rectifier: Rectifier,
        plan: Plan,
        poses: Poses,
        faces: NDArray[np.intp],
        steps: int = 2,
    ) -> tuple[Poses, list[Sight], Floats]:
        """Poses refined in the full frame, what they show, and the share of each card that shows."""
        done = [
            self._sights(frame_bgr, rectifier, plan, poses[n : n + _BATCH], faces[n : n + _BATCH], steps)
            for n in range(0, len(poses), _BATCH)
        ]
        return (
            np.concatenate([part[0] for part in done]),
            [sight for part in done for sight in part[1]],
            np.concatenate([part[2] for part in done]),
        )

    def _sights(
        self,
        frame_bgr: Picture,
        rectifier: Rectifier,
        plan: Plan,
        poses: Poses,
        faces: NDArray[np.intp],
        steps: int,
    ) -> tuple[Poses, list[Sight], Floats]:
        t = self.templates
        climb = Climb.start(poses)
        for step in range(steps + 1):
            patches, masks = self.look(frame_bgr, rectifier, plan, poses)
            ink = ink_of(balanced(patches, masks, t.colours[faces]))
            climb.visit(poses, alike(ink, masks, t.ink[faces]))
            if step < steps:
                weights = masks * trust(ink, t.ink[faces], masks)
                poses = stepped(poses, ink, weights, t.ink[faces], t.slopes[faces], t.grid_mm, stretch=True)
        if (climb.poses != poses).any():
            poses = climb.poses
            patches, masks = self.look(frame_bgr, rectifier, plan, poses)
        return poses, self.judge(patches, masks, faces), masks.mean(axis=1)

    def judge(self, patches: Floats, masks: Floats, faces: NDArray[np.intp]) -> list[Sight]:
        """What each patch shows, starting from a guess at it."""
        t = self.templates
        ink = ink_of(balanced(patches, masks, t.colours[faces]))
        likeness, shares = structure(ink, masks, t.ink, self._squares)
        sights = []
        for n, face in enumerate(likeness.argmax(axis=1)):
            family = int(self._family[face])
            others = np.where(self._family == family, np.inf, shares[n])
            rival = int(others.argmin())
            tint = None
            if likeness[n, face] > _WORTH_A_LOOK:
                shown = _halved(masks[n, :, None], t.size)[:, 0]
                tint = self._palette.tint(_halved(patches[n], t.size), shown, family)
            sights.append(Sight(int(face), family, float(likeness[n, face]), float(2 * others[rival] - 1), rival, tint))
        return sights


def structure(ink: Floats, masks: Floats, faces: Floats, squares: Floats) -> tuple[Floats, Floats]:
    """Likeness of each patch to each face, and for the likest face its share against each rival: over what sets the
    two apart, 1 is exactly that face and 0 exactly the rival."""
    count = np.maximum(masks.sum(axis=1, keepdims=True), 1.0)
    seen = ink * masks
    mean_p = seen.sum(axis=1, keepdims=True) / count
    mean_f, mean_ff, mean_pf = masks @ faces.T / count, masks @ squares.T / count, seen @ faces.T / count
    var_p = np.maximum((seen * ink).sum(axis=1, keepdims=True) / count - mean_p**2, 1e-9)
    var_f = np.maximum(mean_ff - mean_f**2, 1e-9)
    shared = mean_pf - mean_p * mean_f
    likeness = shared / np.sqrt(var_p * var_f)
    best = likeness.argmax(axis=1)
    rows = np.arange(len(best))
    chosen = faces[best]
    mutual = (chosen * masks) @ faces.T / count - mean_f[rows, best][:, None] * mean_f
    gain = np.maximum(shared[rows, best] / var_f[rows, best], 1e-3)[:, None]
    # With d = best - rival: <patch / gain - rival, d> / <d, d>, all about their means.
    apart = np.maximum(var_f[rows, best][:, None] - 2 * mutual + var_f, 1e-9)
    along = (shared[rows, best][:, None] - shared) / gain - (mutual - var_f)
    return np.asarray(likeness, np.float32), np.asarray(along / apart, np.float32)


def _halved(points: Floats, size: tuple[int, int]) -> Floats:
    """Points at half the scale."""
    width, height = size
    four = points.reshape(height // 2, 2, width // 2, 2, -1)
    mean = four[:, 0, :, 0] + four[:, 0, :, 1] + four[:, 1, :, 0] + four[:, 1, :, 1]
    return np.asarray(mean.reshape(-1, points.shape[-1]) * np.float32(0.25), np.float32)


def balanced(patches: Floats, masks: Floats, colours: Floats | Halves) -> Floats:
    """Patches in the light of the faces: each channel scaled as the whole card asks."""
    few = slice(None, None, 4)  # a quarter of the points tells the light as well as all
    inks = colours[:, few].astype(np.float32)
    shown = inks * masks[:, few, None]
    gain = np.einsum("hpc,hpc->hc", patches[:, few], shown) / np.maximum(np.einsum("hpc,hpc->hc", inks, shown), 1e-6)
    return np.asarray(patches * (1 / np.maximum(gain, 0.02)).astype(np.float32)[:, None, :], np.float32)
