"""Gleams: a lamp mirrored by the table. One that fades hides nothing, one that blinds the camera hides what it will.

Whatever lies in a gleam, a card or a token, has edges, and they show as long as the camera is not blinded. Knows tones;
knows no card and no place.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cover import CELL_MM, Mask, drawn
from vision.frame import Array, Picture, as_grey
from vision.plan import FULL

_SOFT_MM, _STEEP = 1.0, 0.045  # tone a millimetre, in logarithms: 0.035 at most in gleams, 0.09 at least at edges
_FADE_MM = 8.0  # over which it fades at least; the edge of pale cloth in a soft picture takes 5
_DARK, _BRIGHT, _BLIND = 40, 250, 0.02  # beyond these tones a camera tells nothing; share of pixels that may be so
_WHITE, _WHITE_MM = 245, 4.0  # of all colours; and of a spot that is nothing else: on mats there are none


def fades(piece: NDArray[np.bool_], table_bgr: Picture, explained: Mask) -> bool:
    """Whether a piece of a cover has no edge, neither within nor around it, and an edge there would have shown. Edges
    of what was read are no matter: `explained` are the cells that it takes up."""
    wide = cv2.dilate(piece.astype(np.uint8), np.ones((3, 3), np.uint8))
    rim, scale = 8, round(CELL_MM * FULL)  # cells around it: beyond five of them it has faded
    x, y, width, height = cv2.boundingRect(wide)
    top, left = max(0, y - rim), max(0, x - rim)
    part = table_bgr[top * scale : (y + height + rim) * scale, left * scale : (x + width + rim) * scale]
    near = wide + cv2.dilate(wide, np.ones((11, 11), np.uint8))
    cells = cv2.resize(near[top:, left:], None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST)
    known = cv2.resize(explained[top:, left:], None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST)
    inside, around = (cells[: part.shape[0], : part.shape[1]] == number for number in (2, 0))
    bare = inside & (known[: part.shape[0], : part.shape[1]] == 0)
    tones = part.max(axis=2)[bare]
    if not around.any() or ((tones > _BRIGHT) | (tones < _DARK)).mean() > _BLIND:
        return False
    tone = np.log(cv2.GaussianBlur(as_grey(part).astype(np.float32), (0, 0), _SOFT_MM * FULL) + 8)
    down, across = (cv2.Sobel(tone, cv2.CV_32F, *way, ksize=3) / 8 * FULL for way in ((0, 1), (1, 0)))
    rise = abs(float(np.median(tone[inside]) - np.median(tone[around])))
    return float(np.hypot(down, across)[bare].max()) < min(_STEEP, rise / _FADE_MM)


def blinding(table_bgr: Picture, shape: tuple[int, ...], explained_mm: Iterable[Array]) -> Mask:
    """The cells of a cover in which the camera was blinded, outside of what was read: whatever lies there, a token as
    well, is as white as the gleam."""
    white = cv2.inRange(table_bgr, (_WHITE + 1,) * 3, (255,) * 3)
    side = round(_WHITE_MM * FULL)
    spots = cv2.erode(white, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))
    if not spots.any():
        return np.zeros(shape, np.uint8)
    whole = cv2.dilate(spots, np.ones((side, side), np.uint8)).astype(np.float32)
    cells = cv2.resize(whole, (shape[1], shape[0]), interpolation=cv2.INTER_AREA) > 0
    return np.asarray(cells & (drawn(shape, explained_mm, 2.0) == 0), np.uint8)
