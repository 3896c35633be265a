"""The table from straight above, and what of it is still to be explained.

Two scales of one picture: fine enough to tell cards apart, and a pixel a millimetre to find them. Everything that was
found hides what lies below it. Knows millimetres and pixels; knows neither places nor cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.layout import Point, Size
from vision.match import Floats, Poses, ink_of, points_at
from vision.noise import Noise

FINE, FULL = 1.0, 2.0  # pixels a millimetre: to find cards, and to tell them apart
MARGIN = 64  # pixels around the table, so that no pose reaches over its rim
_SMOOTH_MM = 5  # over which the plan is averaged for a first search
_AROUND_MM = 13
_CONTRAST = 0.08  # beside the neighbourhood's own tone
_PRINTED = 0.06  # share of points that stand out where a card lies, at least
_SCRAPS_MM2 = 60  # less print than this is no card's
SEEN = 0.95  # of a point that nothing hides


@dataclass(slots=True, eq=False)
class Plan:
    """`free` is 1 where nothing that was found lies, 0 elsewhere; `contrast` is where something stands out."""

    table_bgr: Picture  # FULL fine, without margin
    ink: Floats  # FINE, with margin, as all pictures that follow
    free: Floats
    smooth: Floats  # the ink averaged over what is free around a point
    contrast: NDArray[np.bool_]
    is_busy: NDArray[np.bool_]  # where a good share stands out within a card's width
    noise: Noise
    corner_mm: Point = (0.0, 0.0)  # where on the table it begins

    @classmethod
    def of(cls, table_bgr: Picture, corner_mm: Point = (0.0, 0.0)) -> Plan:
        """From the rectified table, or a window of it that begins at a corner, FULL fine."""
        size = (round(table_bgr.shape[1] * FINE / FULL), round(table_bgr.shape[0] * FINE / FULL))
        small = ink_of(cv2.resize(table_bgr, size, interpolation=cv2.INTER_AREA), (1 / 255,) * 3)
        wide = cv2.copyMakeBorder(small, MARGIN, MARGIN, MARGIN, MARGIN, cv2.BORDER_REPLICATE)
        ink = np.asarray(wide, np.float32)
        tone = np.asarray(cv2.blur(ink, (_AROUND_MM, _AROUND_MM)), np.float32)
        off = np.asarray(cv2.absdiff(ink, tone), np.float32)
        tone *= _CONTRAST
        contrast = off > tone
        del off, tone
        smooth = np.asarray(cv2.blur(ink, (_SMOOTH_MM, _SMOOTH_MM)), np.float32)
        is_busy = cv2.blur(contrast.astype(np.float32), (41, 41)) > _PRINTED
        return cls(table_bgr, ink, np.ones_like(ink), smooth, contrast, is_busy, Noise.of(table_bgr), corner_mm)

    @property
    def _shift(self) -> Point:
        """From a point of the table, in millimetres, to its pixel."""
        return MARGIN - 0.5 - self.corner_mm[0], MARGIN - 0.5 - self.corner_mm[1]

    def px(self, points_mm: NDArray[np.floating]) -> Floats:
        """Points of the table in pixels of this plan."""
        return np.asarray(points_mm + np.array(self._shift, np.float32), np.float32)

    def points(self, poses: Poses, grid_mm: Floats) -> Floats:
        """Where the points of faces at some poses lie, in pixels of this plan: the poses are moved, which are few."""
        return points_at(poses + np.array([*self._shift, 0.0, 0.0, 0.0]), grid_mm)

    def busy(self, poses: Poses) -> NDArray[np.bool_]:
        """Poses with print around their middle: the bare mat has none."""
        columns, rows = np.round(self.px(poses[:, :2])).astype(np.intp).T
        return np.asarray(self.is_busy[rows, columns])

    def box(self, corners_mm: NDArray[np.floating]) -> tuple[slice, slice]:
        """Rows and columns of the upright rectangle around some points."""
        x, y = zip(*corners_mm.tolist(), strict=True)
        (left, right), (top, bottom) = (
            (round(low + MARGIN - 0.5 - start), round(high + MARGIN - 0.5 - start))
            for low, high, start in zip((min(x), min(y)), (max(x), max(y)), self.corner_mm, strict=True)
        )
        return slice(max(0, top), max(0, bottom)), slice(max(0, left), max(0, right))

    def has_print(self, corners_mm: NDArray[np.floating]) -> bool:
        """Whether anything stands out in what is still free of a rectangle: a quick look, before a search."""
        return self.printed_mm2(corners_mm, 5) > _SCRAPS_MM2

    def printed_mm2(self, corners_mm: NDArray[np.floating], rim: int) -> float:
        """How much stands out in what is still free of a rectangle, leaving a rim (twice, and one pixel) around what
        is hidden."""
        box = self.box(corners_mm)
        free = cv2.erode(self.free[box], np.ones((rim, rim), np.uint8))
        return float((self.contrast[box] * free).sum() / FINE**2)

    def is_hidden(self, corners_mm: NDArray[np.floating]) -> bool:
        """Whether a good part of a rectangle is hidden."""
        return float(self.free[self.box(corners_mm)].mean()) < 0.97

    def hide(self, corners_mm: NDArray[np.floating], rim_mm: float = 1.4) -> None:
        """Something lies here: nothing below it can be seen, nor in the shadow of its rim."""
        self.draw(self.free, corners_mm[None], rim_mm)

    def leave_out(self, cells: NDArray[np.uint8], cell_mm: float) -> None:
        """Something covers these cells of the table: what it shows is no card."""
        if not cells.any():
            return
        size = (round(cells.shape[1] * cell_mm), round(cells.shape[0] * cell_mm))
        left, top = (round(side) for side in self.corner_mm)
        wide = cv2.resize(cv2.dilate(cells, np.ones((3, 3), np.uint8)), size, interpolation=cv2.INTER_NEAREST)
        wide = wide[top:, left:]
        height, width = (min(a, b - 2 * MARGIN) for a, b in zip(wide.shape, self.free.shape, strict=True))
        inner = self.free[MARGIN : MARGIN + height, MARGIN : MARGIN + width]
        inner[wide[:height, :width] > 0] = 0.0

    def settle(self, boxes: Iterable[tuple[slice, slice]]) -> None:
        """Average anew in some parts, leaving out what is hidden."""
        size = (_SMOOTH_MM, _SMOOTH_MM)
        for box in boxes:
            free = self.free[box]
            share = np.maximum(cv2.blur(free, size), 0.02)
            self.smooth[box] = cv2.blur(self.ink[box] * free, size) / share

    def draw(
        self, picture: Floats | NDArray[np.uint8], outlines_mm: NDArray[np.floating], rim_mm: float | Sequence[float]
    ) -> None:
        """Set a picture of this plan to 0 within some outlines (each a row of corners) and their rims."""
        middle = outlines_mm.mean(axis=1, keepdims=True)
        away = outlines_mm - middle
        rim = np.reshape(rim_mm, (-1, 1, 1))
        wider = away * (1 + rim * np.sqrt(2) / np.maximum(np.linalg.norm(away, axis=2, keepdims=True), 1.0))
        drawn = np.round(self.px(middle + wider) * 16).astype(np.int32)
        bound = np.array(picture.shape[::-1]) * 16
        inside = (drawn.max(axis=1) >= 0).all(axis=1) & (drawn.min(axis=1) <= bound).all(axis=1)
        for outline in drawn[inside]:
            cv2.fillConvexPoly(picture, outline, 0.0, lineType=cv2.LINE_8, shift=4)

    def patch(self, pose: NDArray[np.float64], size_mm: Size, rows: slice | None = None) -> Picture:
        """What lies at a pose, FULL fine: all of it, or the part that some rows of `free_at` cover."""
        width, height = (round(side * FINE) for side in size_mm)
        part = rows or slice(0, height)
        place = self._placed(pose, size_mm, FULL, -0.5)
        place[:, 2] += place[:, 1] * part.start * 2
        size = (width * 2, (part.stop - part.start) * 2)
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return cast(Picture, cv2.warpAffine(self.table_bgr, place, size, flags=how, borderMode=cv2.BORDER_REPLICATE))

    def free_at(self, pose: NDArray[np.float64], size_mm: Size) -> Floats:
        """1 where nothing hides what lies at a pose, FINE."""
        place = self._placed(pose, size_mm, FINE, MARGIN - 0.5)
        size = (round(size_mm[0] * FINE), round(size_mm[1] * FINE))
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        free = cv2.warpAffine(self.free, place, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(free > SEEN, np.float32)

    def _placed(self, pose: NDArray[np.float64], size_mm: Size, px_per_mm: float, shift: float) -> NDArray[np.float64]:
        """From the pixels of a patch to those of a picture of the same scale."""
        turn = np.radians(pose[2])
        steer = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * pose[3:5]
        first = 0.5 / px_per_mm - np.round(np.array(size_mm) * FINE) / (2 * FINE)
        start = (pose[:2] - np.array(self.corner_mm) + steer @ first) * px_per_mm + shift
        return np.column_stack([steer, start])
