"""Which places changed since they were last read, so that only those are read again.

The whole table is kept as a thumbnail of coarse cells in logarithmic light: a lamp that dims or a cloud that passes
adds the same to every cell of a place and is taken off again. Knows places; does not know what lies there. A doubtful
change counts as one: it costs a reading, not an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Array, PackedMap, Picture, packed, sample_packed
from vision.layout import Layout
from vision.places import Area, areas
from vision.rectify import Rectifier

Floats = NDArray[np.float32]
Box = tuple[slice, slice]

CELL_MM = 4.0
_TAPS = 2  # samples across a cell
_MARGIN_MM = 9.0  # things lie this far off their places
_LEAST_CHANGE = 0.06  # of a cell and its neighbours, in natural logarithms of the pixels' values
_LEAST_STEP = 8.0  # of 255: in the darkest tones, as blue on a yellow card in warm light, a smaller one is noise
_NOISES = 5.0  # times the mean noise
_LEAST_CELLS, _LEAST_SHARE = 4, 0.015
_MOST_CELLS = 20  # however large a place is, what is laid there is not: a token covers some forty
_AROUND = (19, 19)  # cells over which light is the same
_CLIP = 0.06  # no single cell tells more than this about the light or the noise around it
_LIGHT = np.log(np.arange(256) + 30.0).astype(np.float32)  # the darkest tones are mostly noise


@dataclass(frozen=True, slots=True, eq=False)
class Thumbnail:
    """The table at a glance: rows and columns of cells, three colours."""

    cells: Floats

    def patched(self, newer: Thumbnail, boxes: list[Box]) -> Thumbnail:
        """This thumbnail with some places as a newer one shows them."""
        cells = self.cells.copy()
        for box in boxes:
            cells[box] = newer.cells[box]
        return Thumbnail(cells)


class Changes:
    """Compares frames of one layout place by place. Tiles' places are named by the tile's code."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        taken = areas(layout)
        self.boxes = {place: [_box(layout, area, _MARGIN_MM) for area in parts] for place, parts in taken.items()}
        # Of a card in a fan or on a spot enough lies within; what moves at its rim is a tile's affair.
        strict = {fan.place for fan in layout.fans} | {spot.place for spot in layout.spots}
        within = [
            _box(layout, area, 0.0 if place in strict else _MARGIN_MM)
            for place, parts in taken.items()
            for area in parts
        ]
        self._names = [place for place, boxes in self.boxes.items() for _ in boxes]
        self._edges = _edges(within)
        top, bottom, left, right = _edges([box for boxes in self.boxes.values() for box in boxes])
        self._enough = np.clip(_LEAST_SHARE * (bottom - top) * (right - left), _LEAST_CELLS, _MOST_CELLS)
        self._maps = lru_cache(maxsize=2)(self._map)

    def thumbnail(self, frame_bgr: Picture, rectifier: Rectifier) -> Thumbnail:
        """The frame's table, each cell the mean of a few samples."""
        taps = sample_packed(frame_bgr, self._maps(rectifier))
        rows, columns = taps.shape[0] // _TAPS, taps.shape[1] // _TAPS
        small = cv2.resize(taps, (columns, rows), interpolation=cv2.INTER_AREA)
        return Thumbnail(_LIGHT[small])

    def between(self, now: Thumbnail, then: Thumbnail) -> frozenset[str]:
        """The places that differ by more than light and noise."""
        counts = cv2.integral(_changed_cells(now.cells, then.cells))
        top, bottom, left, right = self._edges
        inside = counts[bottom, right] - counts[top, right] - counts[bottom, left] + counts[top, left]
        return frozenset(place for place, many in zip(self._names, inside >= self._enough, strict=True) if many)

    def updated(self, reference: Thumbnail, now: Thumbnail, places: frozenset[str]) -> Thumbnail:
        """The reference with these places as they are now."""
        return reference.patched(now, [box for place in places for box in self.boxes[place]])

    def _map(self, rectifier: Rectifier) -> PackedMap:
        columns, rows = _grid(self._layout)
        x = (np.arange(_TAPS * columns) + 0.5) * CELL_MM / _TAPS
        y = (np.arange(_TAPS * rows) + 0.5) * CELL_MM / _TAPS
        points: Array = np.stack(np.meshgrid(x, y), axis=-1)
        return packed(rectifier.to_px(points).astype(np.float32))


def _changed_cells(now: Floats, then: Floats) -> NDArray[np.uint8]:
    """Cells that changed against what the light did around them, by more than the noise there."""
    difference = now - then
    least = np.maximum(_LEAST_CHANGE, _LEAST_STEP * np.exp(-np.maximum(now, then)))
    light = np.median(difference[::5, ::5], axis=(0, 1)).astype(np.float32)
    off = cast(Floats, cv2.blur(difference - light, (3, 3)))
    off -= cv2.blur(np.clip(off, -_CLIP, _CLIP), _AROUND)
    size = np.abs(off)
    noise = cv2.blur(np.minimum(size, _CLIP), _AROUND)
    blue, green, red = cv2.split(size - np.maximum(least, _NOISES * noise))
    return (cv2.max(cv2.max(blue, green), red) > 0).view(np.uint8)


def _grid(layout: Layout) -> tuple[int, int]:
    return round(layout.size_mm[0] / CELL_MM), round(layout.size_mm[1] / CELL_MM)


def _edges(boxes: list[Box]) -> NDArray[np.intp]:
    """The first rows of boxes, those after their last, and the same for columns."""
    return np.array([(rows.start, rows.stop, columns.start, columns.stop) for rows, columns in boxes], np.intp).T


def _box(layout: Layout, area: Area, margin_mm: float) -> Box:
    columns, rows = _grid(layout)
    (x, y), (width, height) = area.middle_mm, area.size_mm
    left, right = (x + sign * (width + margin_mm) / 2 for sign in (-1, 1))
    top, bottom = (y + sign * (height + margin_mm) / 2 for sign in (-1, 1))
    return (
        slice(max(0, round(top / CELL_MM)), min(rows, round(bottom / CELL_MM))),
        slice(max(0, round(left / CELL_MM)), min(columns, round(right / CELL_MM))),
    )
