"""What lies in a place and was not named: print that no found card explains.

The mat is quiet: pale, with outlines a shade darker than its ground. A card, of whatever game and either side up, is
printed. So what is left over counts as a card when it is full of contrast over a strip as wide as a card. Shadow edges
and the mat's own lines are thin and do not fill such a strip. Knows no card.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cover import CELL_MM, Cover
from vision.layout import Size
from vision.match import Floats, taken
from vision.observation import is_fan
from vision.plan import MARGIN, Plan
from vision.zones import Zone

_CONTRAST = 0.09  # beside the neighbourhood's own tone
_AROUND_MM = 13
_STRIP_MM = 12
_FULL = 0.17  # of a strip that is contrast: print
_THIN_MM = 9.0  # from the middle of a shadow's edge to where its contrast ends, at most; of a card's print far more
_TINTED = 0.08  # share of a piece that has another tint than the mat: 0.04 on the edges of shadows, 0.4 of cards
_VIVID = 0.01  # share of a table that has: less is a picture without colours, or without a card


def prints(plan: Plan, explained_mm: Iterable[tuple[NDArray[np.floating], float]]) -> Floats:
    """1 where the table shows print, lighter or darker than its surroundings, outside of all outlines given, each
    with the width of its rim."""
    open_ = np.ones(plan.ink.shape, np.uint8)
    if explained := [*explained_mm]:
        outlines, rims = zip(*explained, strict=True)
        plan.draw(open_, np.array(outlines), rims)
    # The tone around a point, leaving out what is explained: a card's own contrast is no riddle of the mat beside it.
    # In place where it can be: each of these is as large as the plan.
    size = (_AROUND_MM, _AROUND_MM)
    tone = np.asarray(cv2.blur(plan.ink * open_, size), np.float32)
    share = np.asarray(cv2.boxFilter(open_, cv2.CV_32F, size), np.float32)
    tone /= np.maximum(share, np.float32(0.05), out=share)
    del share
    off = np.asarray(cv2.absdiff(plan.ink, tone), np.float32)
    np.maximum(tone, np.float32(0.1), out=tone)
    tone *= np.float32(_CONTRAST)
    printed = ((off > tone) & (open_ > 0)).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(printed, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.float32)


def is_shade(piece: NDArray[np.bool_], cover: Cover) -> bool:
    """Whether a piece of print is but the edge of a shadow or a gleam: a line, and all of it has the mat's tint."""
    rows, columns = np.nonzero(piece)
    down, across = (
        np.clip(((at - MARGIN) / CELL_MM).astype(np.intp), 0, size - 1)
        for at, size in zip((rows, columns), cover.tinted.shape, strict=True)
    )
    if cover.tinted.mean() < _VIVID or cover.tinted[down, across].mean() > _TINTED:
        return False
    around = slice(rows.min() - 1, rows.max() + 2), slice(columns.min() - 1, columns.max() + 2)
    return float(cv2.distanceTransform(piece[around].astype(np.uint8), cv2.DIST_L2, 3).max()) < _THIN_MM


@dataclass(frozen=True, slots=True)
class Stretch:
    """A printed stretch along a zone that no found card explains, in the zone's own frame."""

    low: float
    high: float

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2


def leftovers(plan: Plan, printed: Floats, zone: Zone, card_mm: Size) -> list[Stretch]:
    """Where along a zone unexplained cards lie."""
    v, points = _looked_at(zone, card_mm)
    seen = taken(printed, plan.px(points))
    rows = cv2.blur(seen.mean(axis=1).reshape(-1, 1), (1, _STRIP_MM)).ravel()
    full = np.flatnonzero(rows > _FULL)
    stretches: list[NDArray[np.intp]] = np.split(full, np.flatnonzero(np.diff(full) > 3) + 1) if len(full) else []
    return [Stretch(float(v[stretch[0]]), float(v[stretch[-1]])) for stretch in stretches]


@lru_cache(maxsize=128)
def _looked_at(zone: Zone, card_mm: Size) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Where along a zone its print is asked for, and the points of the table there, row by row."""
    width, height = card_mm
    # A spot's neighbours may reach over its rim; the ends of a fan are its own.
    inset = 6 if is_fan(zone.name) else height / 4
    v = np.arange(zone.low[1] - height / 2 + inset, zone.high[1] + height / 2 - inset)
    u = np.arange((zone.low[0] + zone.high[0]) / 2 - width / 2, (zone.low[0] + zone.high[0]) / 2 + width / 2)
    across, along = np.meshgrid(u, v)
    points = zone.table_mm(np.stack([across, along], axis=-1).reshape(-1, 2)).reshape(len(v), len(u), 2)
    return v, points.astype(np.float32)
