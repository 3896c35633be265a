"""The plane and the lens through corners of markers: the arithmetic behind `rectify`.

Knows points in millimetres and in pixels, four for each marker; does not know how they were found.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np

from vision.fit import Solution, jacobian, least_squares
from vision.frame import Array
from vision.layout import Size
from vision.lens import FrameSize, Lens, project, to_normal, to_pixels

_NOISE_PX = 0.25  # of a marker's corner
_LEAST_NOISE_PX = 0.05  # however well it fits: paper is not flatter
_LENS_SPREAD = (0.25, 0.12)  # how strong the distortion of any module may be, at the frame's corner
_LENS_SPREAD_FEW = (0.03, 0.01)  # fewer than four markers cannot tell it from perspective
_LENS_SPREAD_KNOWN = (0.01, 0.005)
_SWELL_SPREAD_PX = 0.7
_OUTLIER_PX, _OUTLIER_TIMES = 0.5, 4.0  # a corner this far off, of the usual error, lies under something


class NoPlane(Exception):
    """No plane passes through the points."""


@dataclass(frozen=True, slots=True, eq=False)
class Corners:
    """Corners of markers, four by four: where they are on the table and in the frame."""

    table_mm: Array
    seen_px: Array
    outward: Array  # how each corner moves in the frame when every edge of its marker moves outwards by a pixel

    @classmethod
    def of(cls, pairs: list[tuple[Array, Array]]) -> Corners:
        """From each marker's corners on the table and in the frame."""
        table, seen = (np.concatenate(side) for side in zip(*pairs, strict=True))
        return cls(table, seen, np.concatenate([_outward(corners) for _, corners in pairs]))


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """The homography from millimetres to normal units, the lens, and each corner's error in pixels and millimetres."""

    matrix: Array
    lens: Lens
    errors_px: Array
    errors_mm: Array
    used: int
    worst_mm: float  # the error to expect at the worst place of the table (one sigma)

    def rms(self) -> tuple[float, float]:
        """Of the corners that count, in pixels and in millimetres."""
        best = np.argsort(self.errors_px)[: self.used]
        px, mm = (float(np.sqrt((errors[best] ** 2).mean())) for errors in (self.errors_px, self.errors_mm))
        return px, mm


def plane_through(corners: Corners, frame_size: FrameSize, size_mm: Size, lens: Lens | None = None) -> Plane:
    """The best plane and lens; single corners far off all others (under a card's rim, in glare) do not count."""
    middle = np.array(size_mm) / 2
    to_unit = _scaling(middle, float(np.linalg.norm(middle)))
    plane = _plane(corners, corners, to_unit, frame_size, size_mm, lens)
    bound = max(_OUTLIER_PX, _OUTLIER_TIMES * float(np.median(plane.errors_px)))
    good = plane.errors_px < bound
    if 8 <= good.sum() < len(good):
        parts = Corners(corners.table_mm[good], corners.seen_px[good], corners.outward[good])
        return _plane(parts, corners, to_unit, frame_size, size_mm, lens)
    return plane


def _plane(
    used: Corners, every: Corners, to_unit: Array, frame_size: FrameSize, size_mm: Size, lens: Lens | None
) -> Plane:
    solution = _solved(project(to_unit, used.table_mm), used, frame_size, lens)
    matrix, bent = _unpacked(solution.values)
    matrix = matrix @ to_unit
    seen = every.seen_px + solution.values[10] * every.outward
    errors = np.linalg.norm(to_pixels(bent.bend(project(matrix, every.table_mm)), frame_size) - seen, axis=1)
    back = project(cast(Array, np.linalg.inv(matrix)), bent.straighten(to_normal(seen, frame_size)))
    plane = Plane(matrix, bent, errors, np.linalg.norm(back - every.table_mm, axis=1), len(used.seen_px), 0.0)
    # Each corner has two coordinates.
    noise = max(plane.rms()[0] / np.sqrt(2), _LEAST_NOISE_PX) / _NOISE_PX
    return replace(plane, worst_mm=float(noise * _worst_mm(solution, to_unit, frame_size, size_mm)))


def _outward(corners: Array) -> Array:
    before, after = corners - np.roll(corners, 1, axis=0), corners - np.roll(corners, -1, axis=0)
    return cast(
        Array,
        before / np.linalg.norm(before, axis=1, keepdims=True) + after / np.linalg.norm(after, axis=1, keepdims=True),
    )


def _solved(unit_table: Array, corners: Corners, frame_size: FrameSize, lens: Lens | None) -> Solution:
    """Homography, lens and swelling of the markers; residuals in units of the corners' noise.

    Blur lets white paper glow over black ink and the sensor's tone curve widens it: every marker looks smaller by
    the same part of a pixel, which would else pass for a lens.
    """
    start, _ = cv2.findHomography(unit_table, to_normal(corners.seen_px, frame_size), cv2.RANSAC, 0.02)
    if start is None:
        raise NoPlane("the markers in view do not lie as on the mat")

    def residuals(values: Array) -> Array:
        matrix, bent = _unpacked(values)
        points = to_pixels(bent.bend(project(matrix, unit_table)), frame_size)
        return cast(Array, (points - corners.seen_px - values[10] * corners.outward).ravel() / _NOISE_PX)

    begin = lens or Lens()
    spread = _LENS_SPREAD_KNOWN if lens else _LENS_SPREAD if len(unit_table) >= 16 else _LENS_SPREAD_FEW
    priors = np.array([0.0] * 8 + [1 / width for width in (*spread, _SWELL_SPREAD_PX)])
    values = np.array([*(start / start[2, 2]).ravel()[:8], begin.k1, begin.k2, 0.0])
    return least_squares(residuals, values, priors, robust=4.0)


def _worst_mm(solution: Solution, to_unit: Array, frame_size: FrameSize, size_mm: Size) -> float:
    """The largest error over the table that the solution's own uncertainty allows."""
    width, height = size_mm
    grid = np.array([(x, y) for x in np.linspace(0, width, 5) for y in np.linspace(0, height, 4)])

    def places(values: Array, points: Array = grid) -> Array:
        matrix, lens = _unpacked(values)
        return to_pixels(lens.bend(project(matrix @ to_unit, points)), frame_size)

    slope = jacobian(lambda values: places(values).ravel(), solution.values)
    variance = np.einsum("ij,jk,ik->i", slope, solution.covariance, slope).reshape(-1, 2).sum(axis=1)
    here, right, below = (places(solution.values, grid + step) for step in ((0, 0), (1, 0), (0, 1)))
    across, down = right - here, below - here
    px_per_mm = np.sqrt(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]))
    return float((np.sqrt(np.maximum(variance, 0.0)) / px_per_mm).max())


def _unpacked(values: Array) -> tuple[Array, Lens]:
    return np.append(values[:8], 1.0).reshape(3, 3), Lens(float(values[8]), float(values[9]))


def _scaling(middle: Array, size: float) -> Array:
    return np.array([[1 / size, 0, -middle[0] / size], [0, 1 / size, -middle[1] / size], [0, 0, 1]])
