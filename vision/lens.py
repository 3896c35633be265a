"""A plane seen through a lens, in normal units: the frame's centre is 0, half its diagonal is 1.

Knows how points are projected and bent; does not know where they come from.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.frame import Array

FrameSize = tuple[int, int]  # width, height


@dataclass(frozen=True, slots=True)
class Lens:
    """Radial distortion about the frame's centre, after Brown; negative `k1` is a barrel."""

    k1: float = 0.0
    k2: float = 0.0

    def bend(self, points: Array) -> Array:
        """From where a perfect lens would show points to where this one does."""
        return points * self._stretch(points)

    def straighten(self, points: Array) -> Array:
        """The inverse of `bend`."""
        straight = points
        for _ in range(12):
            straight = points / self._stretch(straight)
        return straight

    def _stretch(self, points: Array) -> Array:
        # Far outside the frame the polynomial would fold back; it is held at its value there.
        square = np.minimum((points**2).sum(axis=1, keepdims=True), 2.5)
        stretch: Array = 1 + self.k1 * square + self.k2 * square**2
        return stretch


def project(plane: Array, points: Array) -> Array:
    """Points (n, 2) through a homography."""
    flat = points @ plane[:, :2].T + plane[:, 2]
    return flat[:, :2] / flat[:, 2:]


def half_diagonal(frame_size: FrameSize) -> float:
    """The unit, in pixels."""
    return float(np.hypot(*frame_size)) / 2


def to_normal(points_px: Array, frame_size: FrameSize) -> Array:
    """Pixels to normal units."""
    return (points_px - (np.array(frame_size) - 1) / 2) / half_diagonal(frame_size)


def to_pixels(points: Array, frame_size: FrameSize) -> Array:
    """Normal units to pixels."""
    return points * half_diagonal(frame_size) + (np.array(frame_size) - 1) / 2
