"""Which parts of a table are looked at when only some of its places are: windows that hold places near to one another.

What lies far apart is looked at apart: one window around both would be most of the table. Knows millimetres only.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from vision.frame import Array
from vision.layout import Size
from vision.rectify import Window


def windows(outlines_mm: Mapping[str, Array], around_mm: float, size_mm: Size) -> dict[Window, frozenset[str]]:
    """Windows with so much around each outline, none overlapping another, and the outlines (by name) in each."""
    found: dict[Window, frozenset[str]] = {}
    for name, outline in outlines_mm.items():
        window, names = _around(outline, around_mm, size_mm), frozenset({name})
        while touched := next((other for other in found if _overlap(window, other)), None):
            names |= found.pop(touched)
            window = _joined(window, touched)
        found[window] = names
    return found


def _around(outline_mm: Array, around_mm: float, size_mm: Size) -> Window:
    left, top = np.floor(outline_mm.min(axis=0) - around_mm).astype(int)
    right, bottom = np.ceil(outline_mm.max(axis=0) + around_mm).astype(int)
    width, height = (round(side) for side in size_mm)
    return max(0, int(left)), max(0, int(top)), min(width, int(right)), min(height, int(bottom))


def _overlap(one: Window, other: Window) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _joined(one: Window, other: Window) -> Window:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
