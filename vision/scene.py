"""A picture at several sizes, and what of it no card hides that was found already.

Knows pixels, planes and outlines; knows no deck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture, sample
from vision.layout import Size
from vision.match import Floats, taken

Plane = NDArray[np.float64]  # from a card's own millimetres, its centre at the origin, into the picture

SHADE = 0.04  # of a card's width, round it: its shadow, and what blurs into it


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """The picture at halved sizes, so that small faces are compared with averages and not with stray pixels; `free` is
    1 where nothing known hides what lies there, `free_level` halvings small."""

    pyramid: tuple[Picture, ...]
    free: Picture
    free_level: int

    @classmethod
    def of(cls, picture: Picture) -> Scene:
        levels = [picture]
        while min(levels[-1].shape[:2]) > 64:
            levels.append(np.asarray(cv2.pyrDown(levels[-1]), np.uint8))
        level = int(np.clip(np.ceil(np.log2(max(picture.shape[:2]) / 1600)), 0, len(levels) - 1))
        return cls(tuple(levels), np.ones(levels[level].shape[:2], np.uint8), level)

    @property
    def size_px(self) -> tuple[int, int]:
        height, width = self.pyramid[0].shape[:2]
        return width, height

    def below(self, cards: Sequence[Floats]) -> Scene:
        """What these cards, by their corners, leave of the scene."""
        free = self.free.copy()
        for corners in cards:
            middle = corners.mean(axis=0)
            side = float(np.linalg.norm(corners[1] - corners[0]))
            grown = middle + (corners - middle) * (1 + 2 * SHADE * side / np.linalg.norm(corners[0] - middle))
            small = _halved(grown.astype(np.float32), self.free_level)
            cv2.fillConvexPoly(free, np.round(small).astype(np.int32), 0)
        return Scene(self.pyramid, free, self.free_level)

    def free_at(self, points_px: Floats) -> Floats:
        """1 for points (cards × points × 2) that lie in the picture and below no known card, else 0."""
        return sample(self.free, _halved(points_px, self.free_level)).astype(np.float32)

    def at(self, points_px: Floats, px_per_mm: float, card_mm: Size) -> Floats:
        """The picture at the points of many cards (cards × points × 2), each from the level about as fine as they
        lie."""
        ends = points_px[:, :: max(points_px.shape[1] // 60, 1)]
        spread = np.sqrt(np.prod(np.ptp(ends, axis=1), axis=1) / (card_mm[0] * card_mm[1]))
        finest = np.round(np.log2(np.maximum(spread / px_per_mm, 1.0)) - 0.2)
        levels = np.clip(finest, 0, len(self.pyramid) - 1).astype(int)
        seen = np.empty((*points_px.shape[:2], 3), np.float32)
        for level in np.unique(levels):
            mine = levels == level
            seen[mine] = taken(self.pyramid[level], _halved(points_px[mine], int(level))) / np.float32(255)
        return seen


def through(plane: Plane, points_mm: NDArray[Any]) -> Floats:
    """Points of a card in the picture; for one plane or for many."""
    x, y, depth = (
        plane[..., row, :1] * points_mm[:, 0] + plane[..., row, 1:2] * points_mm[:, 1] + plane[..., row, 2:]
        for row in range(3)
    )
    return np.stack([x / depth, y / depth], axis=-1).astype(np.float32)


def _halved(points_px: Floats, times: int) -> Floats:
    return np.asarray((points_px + np.float32(0.5)) / np.float32(2**times) - np.float32(0.5), np.float32)
