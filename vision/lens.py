"""A plane seen through a lens, in normal units: the frame's centre is 0, half its diagonal is 1.

Knows how points are projected and bent; does not know where they come from.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.frame import Array

FrameSize = tuple[int, int]  # width, height

_FAR = 2.5  # a radius squared that no frame reaches


@dataclass(frozen=True, slots=True)
class Lens:
    """Radial distortion about the frame's centre, after Brown; negative `k1` is a barrel."""

    k1: float = 0.0
    k2: float = 0.0

    def bend(self, points: Array) -> Array:
        """From where a perfect lens would show points to where this one does."""
        return points * self._stretch((points**2).sum(axis=1, keepdims=True))

    def straighten(self, points: Array) -> Array:
        """The inverse of `bend`, by Newton's way along each radius."""
        bent = np.sqrt((points**2).sum(axis=1, keepdims=True))
        radius = bent.copy()
        for _ in range(10):
            square = np.minimum(radius**2, _FAR)
            slope = np.maximum(1 + 3 * self.k1 * square + 5 * self.k2 * square**2, 0.1)
            radius = np.maximum(radius - (radius * self._stretch(square) - bent) / slope, 0.0)
        return points * np.where(bent > 1e-12, radius / np.maximum(bent, 1e-12), 1.0)

    def _stretch(self, square: Array) -> Array:
        # Far outside the frame the polynomial would fold back; it is held at its value there.
        within = np.minimum(square, _FAR)
        stretch: Array = 1 + self.k1 * within + self.k2 * within**2
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
