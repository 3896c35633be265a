"""From markers to the table: where a millimetre of the mat lies in the frame, and back.

Knows a plane seen through a lens: a homography, then radial distortion about the frame's centre. The camera may hang
any way up, look from any side or be mirrored: all of it is in the homography. Knows no card and no rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.fit import Solution, jacobian, least_squares
from vision.frame import Array, Picture, PixelMap, as_grey, sample
from vision.layout import Layout, Point, Size
from vision.lens import FrameSize, Lens, project, to_normal, to_pixels
from vision.markers import corners_mm, find, searched

_NOISE_PX = 0.25  # of a marker's corner
_LENS_SPREAD = (0.25, 0.12)  # how strong the distortion of any module may be, at the frame's corner
_LENS_SPREAD_FEW = (0.03, 0.01)  # fewer than four markers cannot tell it from perspective
_SWELL_SPREAD_PX = 0.7
_STRAY_PX = 6.0  # a marker this far off its fit is not where it belongs
_MAP_STEP = 16


class NoTable(Exception):
    """No mat in view: too few markers, or they contradict one another."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How good it is: at the markers, and what that promises at the worst place of the mat (one sigma)."""

    rms_px: float
    rms_mm: float
    worst_mm: float
    seen: tuple[int, ...]
    hidden: tuple[int, ...]
    stray: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Rectifier:
    """The table in one camera's frame. `plane` maps millimetres to the frame without its lens, in normal units."""

    plane: Array
    lens: Lens
    frame_size: FrameSize
    size_mm: Size
    markers_mm: Mapping[int, Array]
    fit: Fit = field(default=Fit(0.0, 0.0, 0.0, (), ()))

    @classmethod
    def from_corners(
        cls, points_px: ArrayLike, layout: Layout, frame_size: FrameSize, lens: Lens | None = None
    ) -> Rectifier:
        """The mat's four corners shown by hand, from B's left round clockwise: top left, top right, and so on."""
        lens = lens or Lens()
        width, height = layout.size_mm
        table = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
        seen = lens.straighten(to_normal(np.asarray(points_px, dtype=np.float64), frame_size))
        if seen.shape != (4, 2) or not cv2.isContourConvex(seen.astype(np.float32).reshape(-1, 1, 2)):
            raise NoTable("four corners that follow the mat's edge are needed, from the top left round clockwise")
        plane = cv2.getPerspectiveTransform(table, seen.astype(np.float32)).astype(np.float64)
        return cls(plane, lens, frame_size, layout.size_mm, placed(layout))

    def to_px(self, points_mm: ArrayLike) -> Array:
        """Points (…, 2) in millimetres to pixels; a pixel's centre has whole numbers."""
        points = np.asarray(points_mm, dtype=np.float64)
        flat = self.lens.bend(project(self.plane, points.reshape(-1, 2)))
        return to_pixels(flat, self.frame_size).reshape(points.shape)

    def to_mm(self, points_px: ArrayLike) -> Array:
        """Points (…, 2) in pixels to millimetres."""
        points = np.asarray(points_px, dtype=np.float64)
        flat = self.lens.straighten(to_normal(points.reshape(-1, 2), self.frame_size))
        return project(cast(Array, np.linalg.inv(self.plane)), flat).reshape(points.shape)

    def px_per_mm(self, at_mm: Point) -> float:
        """How finely the frame shows this point of the table."""
        return float(np.sqrt(abs(np.linalg.det(self._slope(at_mm)))))

    @property
    def is_mirrored(self) -> bool:
        """The frame shows the table as in a mirror."""
        return bool(np.linalg.det(self._slope(self._middle)) < 0)

    @property
    def turned_deg(self) -> int:
        """How the mat lies in the frame, to the nearest quarter turn clockwise (180: the camera hangs upside down)."""
        x, y = self._slope(self._middle)[:, 0 if not self.is_mirrored else 1]
        angle = np.degrees(np.arctan2(y, x)) - (90 if self.is_mirrored else 0)
        return round(float(angle) / 90.0) % 4 * 90

    @property
    def _middle(self) -> Point:
        return self.size_mm[0] / 2, self.size_mm[1] / 2

    def _slope(self, at_mm: Point) -> Array:
        return jacobian(lambda point: self.to_px(point), np.asarray(at_mm, dtype=np.float64), scale=1e-4)

    def covers(self, at_mm: Point, margin_px: float = 0.0) -> bool:
        """This point of the table lies within the frame."""
        x, y = self.to_px(at_mm)
        width, height = self.frame_size
        return bool(margin_px <= x < width - margin_px and margin_px <= y < height - margin_px)

    def pixel_map(self, centre_mm: Point, size_mm: Size, rotation_deg: float, px_per_mm: float) -> PixelMap:
        """For each pixel of a patch its place in the frame, as `cv2.remap` takes it."""
        width, height = (max(1, round(side * px_per_mm)) for side in size_mm)
        # Distortion and perspective are nearly straight over a few pixels: exact at nodes, bilinear between.
        columns, rows = (-(-side // _MAP_STEP) + 2 for side in (width, height))
        x = ((np.arange(columns) - 0.5) * _MAP_STEP - width / 2) / px_per_mm
        y = ((np.arange(rows) - 0.5) * _MAP_STEP - height / 2) / px_per_mm
        across, down = np.meshgrid(x, y)
        turn = np.radians(rotation_deg)
        table = np.stack(
            [
                centre_mm[0] + np.cos(turn) * across - np.sin(turn) * down,
                centre_mm[1] + np.sin(turn) * across + np.cos(turn) * down,
            ],
            axis=-1,
        )
        nodes = self.to_px(table).astype(np.float32)
        dense = cv2.resize(nodes, (columns * _MAP_STEP, rows * _MAP_STEP), interpolation=cv2.INTER_LINEAR)
        return cast(
            PixelMap,
            np.ascontiguousarray(dense[_MAP_STEP : _MAP_STEP + height, _MAP_STEP : _MAP_STEP + width]),
        )

    def warp(
        self,
        frame_bgr: Picture,
        centre_mm: Point,
        size_mm: Size,
        rotation_deg: float = 0.0,
        px_per_mm: float = 4.0,
    ) -> Picture:
        """A patch of the table, sampled straight from the frame.

        A thing that lies turned clockwise by `rotation_deg` stands upright in the patch. Beyond the frame is black.
        """
        finer = max(1, int(np.ceil(self.px_per_mm(centre_mm) / px_per_mm - 0.3)))
        points = self.pixel_map(centre_mm, size_mm, rotation_deg, px_per_mm * finer)
        patch = sample(frame_bgr, points)
        if finer > 1:
            size = tuple(max(1, round(side * px_per_mm)) for side in size_mm)
            patch = cast(Picture, cv2.resize(patch, size, interpolation=cv2.INTER_AREA))
        return patch


def placed(layout: Layout) -> dict[int, Array]:
    """The corners of every marker on the printed mat."""
    return {marker.id: corners_mm(marker.centre_mm, marker.size_mm) for marker in layout.markers}


def solve(
    frame_bgr: Picture, layout: Layout, lens: Lens | None = None, markers_mm: Mapping[int, Array] | None = None
) -> Rectifier:
    """Find the mat in a frame. A `lens` that is known already steadies a view with few markers.

    `markers_mm` are the corners of markers that lie elsewhere than on the printed mat.
    """
    known = dict(markers_mm) if markers_mm is not None else placed(layout)
    grey = as_grey(frame_bgr)
    frame_size = (grey.shape[1], grey.shape[0])
    found = find_either_way(grey, frozenset(known))
    if len(found) < 2:
        raise NoTable(
            f"no mat in view: {len(found)} of {len(known)} markers found; show the whole mat, lit and in focus"
        )
    rectifier = fitted(found, known, frame_size, layout.size_mm, lens)
    missing = known.keys() - found.keys()
    if missing and not rectifier.is_mirrored:
        more = {
            marker: corners
            for marker in missing
            if (corners := searched(grey, marker, rectifier.to_px(known[marker]))) is not None
        }
        if more:
            rectifier = fitted(found | more, known, frame_size, layout.size_mm, lens)
    return rectifier


def find_either_way(grey: Picture, wanted: frozenset[int]) -> dict[int, Array]:
    """Markers in a frame that may be mirrored: their pictures are then found in the mirror only."""
    found = find(grey, wanted)
    if len(found) >= 2:
        return found
    mirrored = find(cast(Picture, cv2.flip(grey, 1)), wanted)
    if len(mirrored) <= len(found):
        return found
    last = grey.shape[1] - 1
    return {marker: corners * (-1.0, 1.0) + (last, 0.0) for marker, corners in mirrored.items()}


def fitted(
    found: Mapping[int, Array],
    known: Mapping[int, Array],
    frame_size: FrameSize,
    size_mm: Size,
    lens: Lens | None = None,
) -> Rectifier:
    """Plane and lens through the corners found, without markers that contradict the others."""
    kept = sorted(found)
    stray: list[int] = []
    while True:
        table = np.concatenate([known[marker] for marker in kept])
        seen = np.concatenate([found[marker] for marker in kept])
        middle = np.array(size_mm) / 2
        to_unit = _scaling(middle, float(np.linalg.norm(middle)))
        outward = np.concatenate([_outward(found[marker]) for marker in kept])
        solution = _solved(project(to_unit, table), seen, outward, frame_size, lens)
        plane, bent = _unpacked(solution.values)
        seen = seen + solution.values[10] * outward
        rectifier = Rectifier(plane @ to_unit, bent, frame_size, size_mm, dict(known))
        errors = np.linalg.norm(rectifier.to_px(table) - seen, axis=1)
        off = errors.reshape(-1, 4).mean(axis=1)
        worst = int(off.argmax())
        if off[worst] < _STRAY_PX * frame_size[0] / 2304 or len(kept) <= 2:
            break
        stray.append(kept.pop(worst))
    if off[worst] >= _STRAY_PX:
        raise NoTable("the markers in view contradict one another: is more than one mat in the picture?")
    errors_mm = np.linalg.norm(rectifier.to_mm(seen) - table, axis=1)
    rms_px, rms_mm = (float(np.sqrt((values**2).mean())) for values in (errors, errors_mm))
    hidden = tuple(sorted(known.keys() - set(kept)))
    # Each corner has two coordinates; a lucky fit promises no more than a printed marker can hold.
    promised = _worst_mm(rectifier, to_unit, solution) * max(rms_px / np.sqrt(2), 0.05) / _NOISE_PX
    fit = Fit(rms_px, rms_mm, float(promised), tuple(kept), hidden, tuple(sorted(stray)))
    return Rectifier(rectifier.plane, bent, frame_size, size_mm, dict(known), fit)


def _outward(corners: Array) -> Array:
    """How each corner moves when every edge of a marker moves outwards by one pixel."""
    before, after = corners - np.roll(corners, 1, axis=0), corners - np.roll(corners, -1, axis=0)
    return cast(
        Array,
        before / np.linalg.norm(before, axis=1, keepdims=True) + after / np.linalg.norm(after, axis=1, keepdims=True),
    )


def _solved(table: Array, seen: Array, outward: Array, frame_size: FrameSize, lens: Lens | None) -> Solution:
    """Homography, lens and swelling of the markers; residuals in units of the corners' noise.

    Blur lets white paper glow over black ink and the sensor's tone curve widens it: every marker looks smaller by
    the same part of a pixel, which would else pass for a lens.
    """
    start, _ = cv2.findHomography(table, to_normal(seen, frame_size), cv2.RANSAC, 0.02)
    if start is None:
        raise NoTable("the markers in view do not lie as on the mat")

    def residuals(values: Array) -> Array:
        plane, bent = _unpacked(values)
        points = to_pixels(bent.bend(project(plane, table)), frame_size)
        return cast(Array, (points - seen - values[10] * outward).ravel() / _NOISE_PX)

    begin = lens or Lens()
    spread = (0.01, 0.005) if lens else _LENS_SPREAD if len(seen) >= 16 else _LENS_SPREAD_FEW
    priors = np.array([0.0] * 8 + [1 / width for width in (*spread, _SWELL_SPREAD_PX)])
    values = np.array([*(start / start[2, 2]).ravel()[:8], begin.k1, begin.k2, 0.0])
    return least_squares(residuals, values, priors, robust=4.0)


def _worst_mm(rectifier: Rectifier, to_unit: Array, solution: Solution) -> float:
    width, height = rectifier.size_mm
    grid = np.array([(x, y) for x in np.linspace(0, width, 5) for y in np.linspace(0, height, 4)])
    unit = project(to_unit, grid)

    def places(values: Array) -> Array:
        plane, lens = _unpacked(values)
        return to_pixels(lens.bend(project(plane, unit)), rectifier.frame_size).ravel()

    slope = jacobian(places, solution.values)
    variance = np.einsum("ij,jk,ik->i", slope, solution.covariance, slope).reshape(-1, 2).sum(axis=1)
    scale = [rectifier.px_per_mm((float(x), float(y))) for x, y in grid]
    return float((np.sqrt(np.maximum(variance, 0.0)) / scale).max())


def _unpacked(values: Array) -> tuple[Array, Lens]:
    return np.append(values[:8], 1.0).reshape(3, 3), Lens(float(values[8]), float(values[9]))


def _scaling(middle: Array, size: float) -> Array:
    return np.array([[1 / size, 0, -middle[0] / size], [0, 1 / size, -middle[1] / size], [0, 0, 1]])
