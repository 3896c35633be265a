"""From markers to the table: where a millimetre of the mat lies in the frame, and back.

Knows a plane seen through a lens: a homography, then radial distortion about the frame's centre. The camera may hang
any way up, look from any side or be mirrored: all of it is in the homography. Knows no card and no rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import cast

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.fit import jacobian
from vision.frame import Array, PackedMap, Picture, PixelMap, as_grey, packed, sample, sample_packed
from vision.layout import Layout, Point, Size
from vision.lens import FrameSize, Lens, project, to_normal, to_pixels
from vision.markers import corners_mm, find, refined, searched
from vision.plane import Corners, NoPlane, plane_through

_STRAY_PX = 6.0  # a marker this far off its fit is not where it belongs
_MAP_STEP = 16
_BAND = 128  # rows of a large map made at a time


Window = tuple[int, int, int, int]  # a part of the table in whole millimetres: left, top, right, bottom


class NoTable(Exception):
    """No mat in view: too few markers."""


class Contradiction(NoTable):
    """Markers enough, but they do not lie as on the mat."""


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
        return _kept_fineness(self, at_mm)

    @property
    def is_mirrored(self) -> bool:
        """The frame shows the table as in a mirror."""
        return bool(np.linalg.det(self.slope(self._middle)) < 0)

    @property
    def turned_deg(self) -> int:
        """How the mat lies in the frame, to the nearest quarter turn clockwise (180: the camera hangs upside down)."""
        x, y = self.slope(self._middle)[:, 0 if not self.is_mirrored else 1]
        angle = np.degrees(np.arctan2(y, x)) - (90 if self.is_mirrored else 0)
        return round(float(angle) / 90.0) % 4 * 90

    @property
    def _middle(self) -> Point:
        return self.size_mm[0] / 2, self.size_mm[1] / 2

    def slope(self, at_mm: Point) -> Array:
        """How many pixels a millimetre goes, along x and along y."""
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
        finer = self._finer(centre_mm, px_per_mm)
        patch = sample(frame_bgr, self.pixel_map(centre_mm, size_mm, rotation_deg, px_per_mm * finer))
        return patch if finer == 1 else _smaller(patch, size_mm, px_per_mm)

    def table(self, frame_bgr: Picture, px_per_mm: float, window: Window | None = None) -> Picture:
        """The whole table from straight above, or a window of it."""
        left, top, right, bottom = window or (0, 0, round(self.size_mm[0]), round(self.size_mm[1]))
        finer = self._finer(self._middle, px_per_mm)
        scale = px_per_mm * finer
        rows, columns = (slice(round(low * scale), round(high * scale)) for low, high in ((top, bottom), (left, right)))
        whole, parts = _kept_map(self, scale)
        patch = sample_packed(frame_bgr, (whole[rows, columns], parts[rows, columns]))
        return patch if finer == 1 else _smaller(patch, (right - left, bottom - top), px_per_mm)

    def _finer(self, centre_mm: Point, px_per_mm: float) -> int:
        """How many pixels of a frame go into one of a patch, each way."""
        return max(1, int(np.ceil(self.px_per_mm(centre_mm) / px_per_mm - 0.3)))


def _smaller(patch: Picture, size_mm: Size, px_per_mm: float) -> Picture:
    width, height = (max(1, round(side * px_per_mm)) for side in size_mm)
    return cast(Picture, cv2.resize(patch, (width, height), interpolation=cv2.INTER_AREA))


@lru_cache(maxsize=16)
def _kept_fineness(rectifier: Rectifier, at_mm: Point) -> float:
    """Every frame asks this for the middle of its table."""
    return float(np.sqrt(abs(np.linalg.det(rectifier.slope(at_mm)))))


@lru_cache(maxsize=1)
def _kept_map(rectifier: Rectifier, px_per_mm: float) -> PackedMap:
    """The map of the whole table, which a reader asks for in every frame. Made band by band: unpacked, all of it would
    be the largest thing in memory."""
    width, height = rectifier.size_mm
    rows = round(height * px_per_mm)
    bands = []
    for first in range(0, rows, _BAND):
        count = min(_BAND, rows - first)
        middle = (width / 2, (first + count / 2) / px_per_mm)
        bands.append(packed(rectifier.pixel_map(middle, (width, count / px_per_mm), 0.0, px_per_mm)))
    return np.concatenate([whole for whole, _ in bands]), np.concatenate([parts for _, parts in bands])


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
    if not missing or rectifier.is_mirrored:
        return rectifier
    more = {
        marker: corners
        for marker in missing
        if (corners := searched(grey, marker, rectifier.to_px(known[marker]))) is not None
    }
    for _ in range(2):
        if more:
            rectifier = fitted(found | more, known, frame_size, layout.size_mm, lens)
            # Found from afar, their edges are placed better from where the others now say they are.
            more = {marker: refined(grey, rectifier.to_px(known[marker])) for marker in more}
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
    kept, stray = sorted(found), []
    bound = _STRAY_PX * frame_size[0] / 2304
    while True:
        try:
            plane = plane_through(
                Corners.of([(known[marker], found[marker]) for marker in kept]), frame_size, size_mm, lens
            )
        except NoPlane as fault:
            raise Contradiction(str(fault)) from None
        off = np.median(plane.errors_px.reshape(-1, 4), axis=1)
        worst = int(off.argmax())
        if off[worst] < bound or len(kept) <= 2:
            break
        stray.append(kept.pop(worst))
    if off[worst] >= bound:
        raise Contradiction("the markers in view contradict one another: is more than one mat in the picture?")
    hidden = tuple(sorted(known.keys() - set(kept)))
    fit = Fit(*plane.rms(), plane.worst_mm, tuple(kept), hidden, tuple(sorted(stray)))
    return Rectifier(plane.matrix, plane.lens, frame_size, size_mm, dict(known), fit)
