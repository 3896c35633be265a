"""Finding tokens: small pieces that lie anywhere, also on cards, known by the marker printed on each.

A marker that is found must be as large as its token's and look as printed, white edge included: the drawing of a card
may resemble one. Where a token may lie and none was found, a closer look is taken. Knows markers; knows no place.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from vision.frame import Array, Picture, as_grey
from vision.layout import Layout, Point, Token
from vision.markers import MODULES, find, pattern
from vision.rectify import Rectifier

_SIZE = 0.15  # how far a marker's side may be off
_LIKE = 0.72  # correlation of a marker with its print
_MODULE_PX = 6
_REACH_MM = 30.0
_CLOSER = 2.0  # how much larger a closer look shows the frame


def find_tokens(frame_bgr: Picture, rectifier: Rectifier, layout: Layout) -> dict[str, Array]:
    """The outlines of tokens in millimetres, by code: top left, top right, bottom right, bottom left. One quick look:
    most tokens lie nowhere, and where one may lie unseen there is time for a closer look."""
    return _told(as_grey(frame_bgr), np.zeros(2), 1.0, rectifier, layout, quick=True)


def closer_look(
    frame_bgr: Picture, rectifier: Rectifier, layout: Layout, around_mm: Iterable[Point]
) -> dict[str, Array]:
    """Tokens in the neighbourhood of some points of the table, looked at enlarged."""
    grey = as_grey(frame_bgr)
    found: dict[str, Array] = {}
    for at in around_mm:
        frame = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * _REACH_MM + np.array(at)
        corners = rectifier.to_px(frame)
        left, top = np.maximum(np.floor(corners.min(axis=0)), 0).astype(int)
        right, bottom = np.ceil(corners.max(axis=0)).astype(int)
        part = grey[top:bottom, left:right]
        if min(part.shape, default=0) > 20:
            large = np.asarray(cv2.resize(part, None, fx=_CLOSER, fy=_CLOSER, interpolation=cv2.INTER_CUBIC), np.uint8)
            found |= _told(large, np.array([left, top], np.float64), _CLOSER, rectifier, layout)
    return found


def _told(
    grey: Picture, corner_px: Array, scale: float, rectifier: Rectifier, layout: Layout, *, quick: bool = False
) -> dict[str, Array]:
    tokens = {token.marker: token for token in layout.tokens}
    outlines = {}
    for marker, corners in find(grey, frozenset(tokens), quick=quick).items():
        corners_mm = rectifier.to_mm((corners + 0.5) / scale - 0.5 + corner_px)
        if _is_square(corners_mm, tokens[marker].size_mm) and _likeness(grey, corners, marker) > _LIKE:
            outlines[tokens[marker].code] = _outline(corners_mm, tokens[marker], layout)
    return outlines


def _is_square(corners_mm: Array, size_mm: float) -> bool:
    sides = np.linalg.norm(corners_mm - np.roll(corners_mm, -1, axis=0), axis=1)
    return bool((np.abs(sides / size_mm - 1) < _SIZE).all())


def _likeness(grey: Picture, corners: Array, marker: int) -> float:
    """How much a marker looks as it was printed, its white edge included."""
    printed = pattern(marker, _MODULE_PX).astype(np.float32)
    low, high = _MODULE_PX - 0.5, _MODULE_PX * (MODULES + 1) - 0.5
    square = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    upright = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    size = (printed.shape[1], printed.shape[0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(grey, upright, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return float(np.corrcoef(seen.ravel().astype(np.float32), printed.ravel())[0, 1])


def _outline(corners_mm: Array, token: Token, layout: Layout) -> Array:
    """The whole token: its marker stands at the left, as far from the left edge as from the upper one."""
    width, height = layout.tile_mm
    along, down = (corners_mm[n] - corners_mm[0] for n in (1, 3))
    along, down = (way / max(float(np.linalg.norm(way)), 1e-6) for way in (along, down))
    middle = corners_mm.mean(axis=0) + along * (width - height) / 2
    frame = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([width, height]) / 2
    return np.asarray(middle + frame[:, :1] * along + frame[:, 1:] * down)
