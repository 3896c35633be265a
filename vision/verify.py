"""Is the table still where it was? A glance at the markers' own places, cheap enough for every frame.

Knows one rectifier and where its markers should be; does not solve anything: after a bump, `rectify.solve` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import cast

import cv2
import numpy as np

from vision.frame import Array, PackedMap, Picture, as_grey, packed, sample_packed
from vision.markers import MODULES, pattern
from vision.rectify import Rectifier

_MODULE_PX = 3
_MARGIN = 2 / 3  # modules of paper around a marker that belong to its picture
_REACH_PX = 6  # of shift that is still measured, in a patch of _MODULE_PX a module
_SEEN = 0.55  # correlation with the marker's picture
_SHIFT_MM, _SHIFT_PX = 0.6, 1.2  # smaller shifts are noise


class Pose(Enum):
    """What the markers say about the camera."""

    STILL = "still"
    MOVED = "moved"  # most markers in view shifted: camera or mat was bumped, solve again
    LOST = "lost"  # fewer than two markers where they were: far bump, no mat, or all covered


@dataclass(frozen=True, slots=True)
class Sight:
    """The markers at a glance. `strayed` ones moved alone; `hidden` ones are covered or gone."""

    pose: Pose
    shift_mm: float
    hidden: tuple[int, ...]
    strayed: tuple[int, ...] = ()


def verify(frame: Picture, rectifier: Rectifier) -> Sight:
    """Look for each marker around its place."""
    windows = _windows(rectifier)
    strip = as_grey(sample_packed(frame, windows))
    side = strip.shape[1]
    shifts: dict[int, float] = {}
    for index, (marker, corners) in enumerate(rectifier.markers_mm.items()):
        patch = strip[index * side : (index + 1) * side]
        shift = _shift(patch, marker)
        if shift is not None:
            shifts[marker] = shift * float(np.linalg.norm(corners[1] - corners[0])) / (MODULES * _MODULE_PX)
    hidden = tuple(marker for marker in rectifier.markers_mm if marker not in shifts)
    if len(shifts) < 2:
        return Sight(Pose.LOST, 0.0, hidden)
    bound = max(_SHIFT_MM, _SHIFT_PX / rectifier.px_per_mm((rectifier.size_mm[0] / 2, rectifier.size_mm[1] / 2)))
    off = tuple(marker for marker, shift in shifts.items() if shift > bound)
    median = float(np.median(list(shifts.values())))
    if 2 * len(off) > len(shifts):
        return Sight(Pose.MOVED, median, hidden)
    return Sight(Pose.STILL, median, hidden, off)


@lru_cache(maxsize=4)
def _windows(rectifier: Rectifier) -> PackedMap:
    """One map for a strip of windows, one below another, a marker each."""
    half = MODULES * _MODULE_PX / 2
    reach = half + _MARGIN * _MODULE_PX + _REACH_PX
    steps = (np.arange(round(2 * reach)) + 0.5 - reach) / (2 * half)
    across, down = np.meshgrid(steps, steps)

    def window(corners: Array) -> Array:
        right, below = corners[1] - corners[0], corners[3] - corners[0]
        return cast(Array, corners.mean(axis=0) + across[..., None] * right + down[..., None] * below)

    points = np.concatenate([window(corners) for corners in rectifier.markers_mm.values()])
    return packed(rectifier.to_px(points).astype(np.float32))


def _shift(patch: Picture, marker: int) -> float | None:
    """How far the marker lies from the middle of its window, in the window's pixels."""
    scores = cast(Array, cv2.matchTemplate(patch, pattern(marker, _MODULE_PX, _MARGIN), cv2.TM_CCOEFF_NORMED))
    _, score, _, (x, y) = cv2.minMaxLoc(scores)
    if score < _SEEN:
        return None
    dx = x - _REACH_PX + _between(scores[y, max(0, x - 1) : x + 2])
    dy = y - _REACH_PX + _between(scores[max(0, y - 1) : y + 2, x])
    return float(np.hypot(dx, dy))


def _between(around: Array) -> float:
    """The peak of a parabola through three scores, relative to the middle one."""
    if len(around) < 3:
        return 0.0
    before, peak, after = map(float, around)
    bend = before - 2 * peak + after
    return 0.0 if bend >= 0 else 0.5 * (before - after) / bend
