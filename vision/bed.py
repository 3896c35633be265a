"""Where on a scanner's bed a card lies: a plain ground all around it, of whatever tone, and four straight edges.

One scan alone does not tell a bed from a border that is printed on the card; all scans of a deck do, since cards are
laid on the bed by hand and borders are printed evenly, or at least all alike. Knows pictures; knows no deck.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.outlines import Quad

_RING = 0.004  # of a picture's longer side: what surely shows the bed, if there is one
_PLAIN = 12.0  # spread of its tones
_APART = 28  # tones from the bed's that are the card's
_SHARE = 0.4  # of the picture that the card fills at least
_FULL = 0.93  # of a rectangle that a card with round corners fills
_ALONG, _WITHIN, _SIDES = 0.6, 0.012, 3  # of a side that must stand out from the bed, just within it; of four sides
_UNEVEN = 0.008  # of a picture's longer side: margins that differ by more were not printed
_STRAIGHT, _SAME_PLACE, _FEW = 0.012, 0.015, 3  # of a picture: what is printed straight, and alike on several cards
_WORK_PX = 700


def bedded(picture: Picture) -> Quad | None:
    """The outline of what lies on the plain ground of a picture, if it is one rectangle that stands out all around."""
    scale = min(1.0, _WORK_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    soft = np.asarray(cv2.medianBlur(np.asarray(small, np.uint8), 3))
    height, width = soft.shape[:2]
    ring = max(2, round(_RING * max(height, width)))
    strips = (soft[:ring], soft[-ring:], soft[:, :ring], soft[:, -ring:])
    around = np.concatenate([strip.reshape(-1, 3) for strip in strips])
    tone = np.median(around, axis=0)
    if float(np.abs(around - tone).mean(axis=0).max()) > _PLAIN:
        return None
    away = cv2.absdiff(soft, np.array([*tone, 0.0])).max(axis=2)
    mask = np.asarray((away > _APART).astype(np.uint8))
    if not mask.any():
        return None
    hull = cv2.convexHull(cv2.findNonZero(mask))
    box = cv2.minAreaRect(hull)
    area = box[1][0] * box[1][1]
    if area < _SHARE * width * height or cv2.contourArea(hull) < _FULL * area:
        return None
    corners = cv2.boxPoints(box).astype(np.float64)
    corners = np.roll(corners, -int(corners.sum(axis=1).argmin()), axis=0)
    if not _stands_out(mask, corners):
        return None
    return np.asarray((corners + 0.5) / scale - 0.5)


def is_crooked(quad: Quad, picture: Picture) -> bool:
    """Whether an outline lies unevenly in its picture: off its middle, or turned."""
    size = np.array(picture.shape[1::-1])
    low, low2, high2, high = np.sort(quad, axis=0)
    off = np.abs(low + high - (size - 1))
    turned = np.maximum(low2 - low, high - high2)
    return bool(max(float(off.max()), float(turned.max())) > _UNEVEN * float(size.max()))


def is_straight(quad: Quad, size: NDArray[np.floating] | NDArray[np.integer]) -> bool:
    """Whether an outline has the directions of its picture's sides."""
    low, low2, high, high2 = np.sort(quad, axis=0)
    return bool((np.maximum(low2 - low, high2 - high) < _STRAIGHT * size.max()).all())


def are_printed(quads: Sequence[Quad]) -> bool:
    """Whether outlines, in shares of their pictures' sides, are frames drawn on the cards: nobody lays one card after
    another in the same place, and straight."""
    if len(quads) < _FEW:
        return False
    usual = np.median(np.stack(quads), axis=0)
    same = [np.abs(quad - usual).max() < _SAME_PLACE for quad in quads]
    return sum(same) > len(quads) / 2 and is_straight(usual, np.ones(2))


def _stands_out(mask: NDArray[np.uint8], corners: Quad) -> bool:
    """Whether a rectangle differs from the bed along its sides, but for one that may be soiled: the indices in the
    corners of a white card on white make a rectangle as well."""
    middle = corners.mean(axis=0)
    inner = middle + (corners - middle) * (1 - 2 * _WITHIN)
    ways = np.linspace(0.1, 0.9, 200)[:, None]
    plain = 0
    for start, end in zip(inner, np.roll(inner, -1, axis=0), strict=True):
        x, y = np.round(start + ways * (end - start)).astype(np.intp).T
        inside = mask[np.clip(y, 0, mask.shape[0] - 1), np.clip(x, 0, mask.shape[1] - 1)]
        plain += float(inside.mean()) > _ALONG
    return plain >= _SIDES
