"""Where the mat's own lines show, nothing lies over it, however bright or dark it is there.

Sun between two shadows and a soft gleam look like pale cloth: they differ from the mat around them in tone alone. The
frames that are printed on the mat tell: cloth hides them, light does not. So does a gleam that fades all around. Knows
the mat; knows no card.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cover import CELL_MM, Cover, Mask
from vision.frame import Array, Picture, as_grey, sample
from vision.gleam import fades
from vision.layout import Layout
from vision.plan import FULL

_PIECE_MM, _CORNER_MM = 16.0, 6.0  # of a line that is looked at, beyond the frame's round corner
_ALONG_MM = np.arange(-_PIECE_MM / 2, _PIECE_MM / 2, 0.5)
_ACROSS_MM = np.arange(-4.0, 4.1, 0.5)
_ON_MM, _BESIDE_MM = 1.0, 2.0  # from where a line is expected
_DARKER, _CLEARLY = 0.02, 2.5  # than the mat beside it, in logarithms of tone, and in what noise does to it
_LEAST, _SHARE = 2, 0.85  # pieces of line within something that must show: how many, and of all that are there
_TINTED = 0.08  # share of something with another tint than the mat's that is surely more than light
_TINTED_GLEAM = 0.8  # a lamp has a tint of its own: 0.6 of a gleam, all of a hand


class MatLines:
    """The frames of one layout."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def without_light(self, cover: Cover, table_bgr: Picture) -> Cover:
        """A cover without the pieces that are but light on the bare mat, or beside what was read on it."""
        pieces = [(mask, piece) for mask in (cover.hands, cover.objects) for piece in _pieces(mask)]
        light = [(mask, piece) for mask, piece in pieces if cover.tinted[piece].mean() < _TINTED_GLEAM]
        if not light:
            return cover
        shows = self._shows(table_bgr)
        hands, objects = cover.hands.copy(), cover.objects.copy()
        for mask, piece in light:
            within = piece[self._cells[:, 1], self._cells[:, 0]]
            is_plain = cover.tinted[piece].mean() < _TINTED and within.sum() >= _LEAST
            if (is_plain and shows[within].mean() >= _SHARE) or fades(piece, table_bgr, cover.known):
                (hands if mask is cover.hands else objects)[piece] = 0
        return replace(cover, hands=hands, objects=objects)

    def _shows(self, table_bgr: Picture) -> NDArray[np.bool_]:
        """Of each piece of line whether it can be seen: darker than the mat on both sides of it."""
        middles, along = self._lines
        across = along[:, ::-1] * np.array([-1.0, 1.0])
        points = (
            middles[:, None, None]
            + _ALONG_MM[:, None, None] * along[:, None, None]
            + _ACROSS_MM[:, None] * across[:, None, None]
        )
        at = (points * FULL - 0.5).astype(np.float32)
        tones = np.log(as_grey(table_bgr).astype(np.float32) + 8)
        tone = sample(tones, at.reshape(len(at), -1, 2), cv2.BORDER_REPLICATE).reshape(at.shape[:3])
        profile = np.median(tone, axis=1)
        noise = (tone - profile[:, None]).std(axis=(1, 2)) / np.sqrt(len(_ALONG_MM) / 2)
        beside = (
            profile[:, _ACROSS_MM <= -_BESIDE_MM].mean(axis=1) + profile[:, _ACROSS_MM >= _BESIDE_MM].mean(axis=1)
        ) / 2
        darker = beside - profile[:, np.abs(_ACROSS_MM) <= _ON_MM].min(axis=1)
        return np.asarray((darker > _DARKER) & (darker > _CLEARLY * noise))

    @cached_property
    def _lines(self) -> tuple[Array, Array]:
        """The middles of all pieces of line, and which way each runs."""
        middles, ways = [], []
        for region in self._layout.regions:
            for axis, side in ((0, -1), (0, 1), (1, -1), (1, 1)):
                way = np.eye(2)[axis]
                reach = region.size_mm[axis] / 2 - _CORNER_MM - _PIECE_MM / 2
                edge = np.array(region.middle_mm) + side * (1 - way) * np.array(region.size_mm) / 2
                steps = np.arange(-reach, reach + 0.1, _PIECE_MM)
                middles += [edge + step * way for step in steps]
                ways += [way] * len(steps)
        return np.array(middles), np.array(ways)

    @cached_property
    def _cells(self) -> NDArray[np.intp]:
        """The cell of a cover that each piece of line lies in."""
        most = np.round(np.array(self._layout.size_mm) / CELL_MM) - 1
        return np.clip(self._lines[0] // CELL_MM, 0, most).astype(np.intp)


def _pieces(mask: Mask) -> list[NDArray[np.bool_]]:
    count, labels = cv2.connectedComponents(mask, connectivity=8)
    return [labels == piece for piece in range(1, count)]
