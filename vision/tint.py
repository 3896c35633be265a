"""What a patch shows of the colours of its family, beside every member's.

Where all members agree, paper first of all, a card shows the light that falls on it; where they differ, which member it
is. Pictures are softened first, so that neither a blurred lens nor a camera that stores colour coarsely turns a pale
ink into another one. Knows faces and pixels only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck
from vision.frame import Picture
from vision.match import Floats, Templates, colours_of
from vision.shade import Array

_SOFT_MM = 1.0
_COMMON = 0.05  # members that differ by less than this, of 1, agree at a point
_DIFFERENT = 0.10
_INKED = 0.2  # how far from its paper's colour a point is inked
_MOST_COMMON, _MOST_DIFFERENT = 160, 320  # so many points tell the light, and the colour, as well as all
_LIT, _BLACK = 30, 0.35  # points that a family has in common, at least, tell the light; paper darker than this does not
_AROUND_MM, _FAITH = 13.0, 0.1  # whose light a point stands in; how much the whole card counts for
_PAPER = 90  # percentile of what a family has in common that is its paper
CLIPPED, _WASHED = 0.985, 0.2  # as bright as a picture can be; the share of a card that is


@dataclass(frozen=True, slots=True, eq=False)
class Tint:
    """The colours of one card as seen and as enrolled (points × 3): where all members of its family agree, and where
    they differ (members × points × 3). `at` are the places of the points on the card, -1 to 1; `contrast` is how strong
    its ink looks beside the enrolled one's, and `paper` the colour of what is not inked; `washed` are the channels in
    which a good part of it is as bright as a picture can be. Too few common points to tell its light are none: a strip
    may show nothing but its colour."""

    members: tuple[int, ...]
    common: Array
    common_face: Array
    common_at: Array
    patch: Array
    faces: Array
    at: Array
    contrast: float
    paper: Array
    washed: NDArray[np.bool_]
    is_sure: bool  # of its drawing

    @property
    def is_lit(self) -> bool:
        """Whether it tells by itself which light falls on it."""
        return len(self.common) > 0

    @property
    def is_black(self) -> bool:
        """Whether it tells that by little, for even the brightest of what its family has in common is dark."""
        return float(self.paper.max()) < _BLACK


class Palette:
    """The colours of every family at a pixel a millimetre."""

    def __init__(self, deck: Deck, templates: Templates, soft_mm: float) -> None:
        self._faces: NDArray[np.float16] = np.stack(
            [
                softened(face, templates.inside, templates.size[0], templates.px_per_mm).astype(np.float16)
                for face in colours_of(deck, templates.px_per_mm, soft_mm)
            ]
        )
        self._members = templates.members
        self._at = (templates.grid_mm / np.abs(templates.grid_mm).max()).astype(np.float64)
        self._width, self._px_per_mm = templates.size[0], templates.px_per_mm
        self._spread = [self._differences(members) for members in templates.members]
        self._mean = [self._mean_of(members) for members in templates.members]

    def _mean_of(self, members: tuple[int, ...]) -> NDArray[np.floating]:
        """The colours of a family; those of a card that is alone are kept already."""
        if len(members) == 1:
            return cast("NDArray[np.floating]", self._faces[members[0]])
        return np.asarray(self._faces[list(members)].mean(axis=0, dtype=np.float32))

    def _differences(self, members: tuple[int, ...]) -> Floats:
        """How much the members of a family differ at each point. A card that is alone differs from its own paper: it
        has no rival of the same drawing, but its colours must be right."""
        faces = self._faces[list(members)].astype(np.float32)
        if len(members) > 1:
            return np.asarray(np.ptp(faces, axis=0).max(axis=-1), np.float32)
        away = np.abs(faces[0] - np.median(faces[0], axis=0)).max(axis=-1)
        return np.asarray(np.where(away > _INKED, away, 0.0), np.float32)

    def tint(
        self, patch_bgr: Picture, mask: Floats, family: int, contrast: float = 1.0, *, is_sure: bool = False
    ) -> Tint | None:
        """What a patch (points × 3) shows of its family's colours; None when it shows too little of them."""
        members = self._members[family]
        width = self._width
        rows = np.flatnonzero(mask.reshape(-1, width).any(axis=1))
        if not len(rows):
            return None
        part = slice(int(rows[0]) * width, (int(rows[-1]) + 1) * width)  # what a strip hides needs no look
        patch, mask, at = patch_bgr[part] * np.float32(1 / 255), mask[part], self._at[part]
        seen = mask > 0
        spread = self._spread[family][part]
        agreed = seen if len(members) == 1 else seen & (spread < _COMMON)
        common, differ = np.flatnonzero(agreed), np.flatnonzero(seen & (spread > _DIFFERENT))
        if len(differ) < 6:
            return None
        is_lit = len(common) >= _LIT
        common = common[:: -(-len(common) // _MOST_COMMON)] if is_lit else common[:0]
        differ = differ[:: -(-len(differ) // _MOST_DIFFERENT)]
        whole = np.asarray(self._mean[family], np.float32)
        mean = whole[part]
        soft, points = softened(patch, mask, width, self._px_per_mm), np.concatenate([common, differ])
        flat = self._flat(soft, mean, agreed.astype(np.float32), points) if is_lit else soft[points]
        even = np.asarray(flat, np.float64)
        return Tint(
            members,
            even[: len(common)],
            mean[common].astype(np.float64),
            at[common],
            even[len(common) :],
            self._faces[np.array(members)[:, None], part.start + differ].astype(np.float64),
            at[differ],
            contrast,
            np.percentile(mean[common] if is_lit else whole, _PAPER, axis=0).astype(np.float64),
            np.asarray((patch[common if is_lit else differ] > CLIPPED).mean(axis=0) > _WASHED),
            is_sure,
        )

    def _flat(self, patch: Floats, face: Floats, agreed: Floats, points: NDArray[np.intp]) -> Floats:
        """Points of a patch without shadow edges and gleams: lit everywhere as the common points around there say."""
        width = self._width
        size = (round(_AROUND_MM * self._px_per_mm) | 1,) * 2
        wanted = face * agreed[:, None]
        seen, known = patch * wanted, face * wanted
        one = np.ones(len(patch), np.float32)
        overall = one @ seen / np.maximum(one @ known, 1e-6)
        around_seen, around_known = (
            cv2.blur(each.reshape(-1, width, 3), size).reshape(-1, 3) for each in (seen, known)
        )
        light = (around_seen[points] + _FAITH * overall) / (around_known[points] + _FAITH)
        return np.asarray(patch[points] * (overall / np.maximum(light, 1e-3)), np.float32)


def softened(colours: Floats, mask: Floats, width: int, px_per_mm: float) -> Floats:
    """Colours blurred within the mask only."""
    sigma = _SOFT_MM * px_per_mm
    picture = np.concatenate([colours * mask[:, None], mask[:, None]], axis=1).reshape(-1, width, 4)
    blurred = cv2.GaussianBlur(picture, (0, 0), sigma).reshape(-1, 4)
    return np.asarray(blurred[:, :3] / np.maximum(blurred[:, 3:], 1e-3), np.float32)
