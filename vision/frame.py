"""Pictures as arrays: their types, their grey version, and sampling between pixels. Knows nothing of what they show."""

from __future__ import annotations

from typing import Any, TypeVar, cast

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]  # rows, columns and, in colour, blue, green, red
PixelMap = NDArray[np.float32]  # for each pixel of a patch its place (x, y) in the frame; a pixel's centre is whole
PackedMap = tuple[NDArray[np.int16], NDArray[np.uint16]]
Array = NDArray[np.float64]
Value = TypeVar("Value", np.uint8, np.float32)

# A map of two channels goes without a second map; an empty array in its stead makes OpenCV 5 read stray memory.
_NO_SECOND_MAP: Any = None


def as_grey(frame: Picture) -> Picture:
    """The frame without its colours."""
    return frame if frame.ndim == 2 else cast(Picture, cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY))


def sample(picture: NDArray[Value], points: PixelMap, beyond: int = cv2.BORDER_CONSTANT) -> NDArray[Value]:
    """The picture at points between its pixels; `beyond` says what lies outside of it (black)."""
    return cast("NDArray[Value]", cv2.remap(picture, points, _NO_SECOND_MAP, cv2.INTER_LINEAR, borderMode=beyond))


def packed(points: PixelMap) -> PackedMap:
    """A map as whole pixels and 32nds of them: the same picture in half the time, for maps that are used again."""
    whole, parts = cv2.convertMaps(points, _NO_SECOND_MAP, cv2.CV_16SC2)
    return cast(PackedMap, (whole, parts))


def sample_packed(picture: NDArray[Value], points: PackedMap) -> NDArray[Value]:
    """The picture at the points of a packed map; black outside of it."""
    return cast("NDArray[Value]", cv2.remap(picture, *points, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT))
