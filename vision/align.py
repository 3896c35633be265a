"""Bringing faces to lie exactly over what the plan shows: many at once, by Gauss-Newton steps over telling points.

The points of a face that fix its pose are those where its ink changes most; a few hundred of them, spread over the
face so that even a narrow strip has its share, do what all would. Knows poses, faces and the plan; names nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.match import (
    Climb,
    Floats,
    Poses,
    Templates,
    alike,
    correlate,
    levelled,
    slopes_of,
    stepped,
    taken,
    trust,
)
from vision.plan import FINE, SEEN, Plan

_CELL = np.ones((9, 9), np.uint8)  # around a point of which something shows
_STILL = 0.04  # millimetres and degrees: steps shorter than this lead nowhere
_BATCH = 32  # poses compared together: few enough to stay in a small cache
_MANY = 128  # of those compared over telling points only

Faces = NDArray[np.intp]
Look = Callable[[Poses, Floats], tuple[Floats, Floats]]  # poses and the points of their faces to ink and what is free


@dataclass(frozen=True, slots=True, eq=False)
class Landmarks:
    """The telling points of every drawing: where (drawings × points × 2, mm), their ink, and how it changes there."""

    at_mm: Floats
    ink: Floats
    slopes: Floats

    @classmethod
    def of(cls, templates: Templates, cell_px: int, each: int) -> Landmarks:
        """The `each` most telling points of every cell of so many pixels."""
        width, height = templates.size
        columns, rows = width // cell_px, height // cell_px
        ink = templates.families
        slopes = slopes_of(ink.reshape(-1, height, width), templates.px_per_mm).reshape(*ink.shape, 2)
        steep = np.square(slopes).sum(axis=2) * templates.inside
        # Numbers of points, cell by cell; what does not fill a cell at the far rims is left out.
        numbers = np.arange(height * width).reshape(height, width)[: rows * cell_px, : columns * cell_px]
        cells = numbers.reshape(rows, cell_px, columns, cell_px).transpose(0, 2, 1, 3).reshape(rows * columns, -1)
        within = np.argpartition(-steep[:, cells], each - 1, axis=2)[:, :, :each]
        chosen = np.take_along_axis(np.broadcast_to(cells, (len(steep), *cells.shape)), within, axis=2)
        chosen = chosen.reshape(len(steep), -1)
        face = np.arange(len(steep))[:, None]
        return cls(templates.grid_mm[chosen], ink[face, chosen], slopes[face, chosen])

    def shown(self, free: Floats, most: int) -> Landmarks:
        """Only the points of cells at which something of a face (FINE, rows × columns) shows, or about so many."""
        rows, columns = free.shape
        middle = self.at_mm.mean(axis=0) * FINE + (columns / 2, rows / 2)
        column, row = np.clip(middle.astype(np.intp), 0, (columns - 1, rows - 1)).T
        chosen = np.flatnonzero(cv2.dilate(free, _CELL)[row, column] > 0)
        chosen = chosen[:: max(1, len(chosen) // most)]
        return Landmarks(self.at_mm[:, chosen], self.ink[:, chosen], self.slopes[:, chosen])

    def alike(self, look: Look, poses: Poses, faces: Faces) -> Floats:
        """How well each face fits at its pose."""
        scores = np.empty(len(poses), np.float32)
        for n in range(0, len(poses), _MANY):
            some = slice(n, n + _MANY)
            scores[some] = alike(*look(poses[some], self.at_mm[faces[some]]), self.ink[faces[some]])
        return scores

    def fitted(self, look: Look, poses: Poses, faces: Faces, steps: int, *, stretch: bool) -> Poses:
        """Poses moved to where their faces fit best."""
        at, ink, slopes = self.at_mm[faces], self.ink[faces], self.slopes[faces]
        climb = Climb.start(poses)
        for step in range(steps + 1):
            patches, masks = look(poses, at)
            climb.visit(poses, alike(patches, masks, ink))
            if step < steps:
                weights = masks * trust(levelled(patches, ink, masks), ink, masks)
                before, poses = poses, stepped(poses, patches, weights, ink, slopes, at, stretch=stretch)
                if np.abs(poses - before)[:, :3].max(initial=0.0) < _STILL:
                    break
        return climb.poses


def sharp(plan: Plan) -> Look:
    """Looking at the plan as it is."""
    return lambda poses, at_mm: _looked(plan, plan.ink, poses, at_mm)


def smooth(plan: Plan) -> Look:
    """Looking at it through frosted glass: farther off, the way is still seen."""
    return lambda poses, at_mm: _looked(plan, plan.smooth, poses, at_mm)


def _looked(plan: Plan, picture: Floats, poses: Poses, at_mm: Floats) -> tuple[Floats, Floats]:
    points = plan.points(poses, at_mm)
    return taken(picture, points), np.asarray(taken(plan.free, points) > SEEN, np.float32)


def compared(
    plan: Plan, fine: Templates, inks: Floats, poses: Poses, *, either_way: bool = True
) -> tuple[Poses, Floats, Floats]:
    """How alike every ink is to what lies at each pose, and how much of that can be seen; then, `either_way`, the same
    with every pose the other way up, which many drawings hardly tell from afar."""
    upright, turned, shown = [], [], []
    for n in range(0, len(poses), _BATCH):
        points = plan.points(poses[n : n + _BATCH], fine.grid_mm)
        masks = np.asarray((taken(plan.free, points) > SEEN) * fine.inside, np.float32)
        patches = taken(plan.ink, points)
        upright.append(correlate(patches, masks, inks))
        if either_way:
            turned.append(correlate(patches[:, ::-1], masks[:, ::-1], inks))
        shown.append(masks.sum(axis=1) / np.float32(FINE**2))
    if not either_way:
        return poses, np.concatenate(upright), np.concatenate(shown)
    half_turn = np.array([0, 0, 180.0, 0, 0])
    return np.concatenate([poses, poses + half_turn]), np.concatenate(upright + turned), np.concatenate(shown * 2)
