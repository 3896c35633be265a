"""Which colour of a drawing: cards that share their drawing are told apart by the points where they differ.

What all members of a family have in common, paper first of all, shows the light that falls on this very card; seen in
that light, the points that differ say which member it is. Pictures are softened first, so that neither a blurred lens
nor a camera that stores colour coarsely turns a pale ink into another one. Knows faces and pixels only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.match import Floats, Templates

_SOFT_MM = 1.0
_COMMON = 0.05  # members that differ by less than this, of 1, agree at a point
_DIFFERENT = 0.10


_LUMA = 0.35  # lightness counts for less than hue: it suffers most from a pose that is a little off
_HAZE = 5.0  # points' worth of faith that a card's lightness is right as a whole
_USUAL, _SPREAD = 0.85, 0.2  # how strong colours look in photographs beside their scans
_SAME = 0.08  # how much that differs from card to card in one photograph
# From blue, green, red to lightness and two axes of colour.
_OPPONENT = np.array([[1, 1, 1], [1, -0.5, -0.5], [0, 1, -1]]) * np.sqrt([[_LUMA / 3], [2 / 3], [1 / 2]])


@dataclass(frozen=True, slots=True)
class Shade:
    """The member of a family whose colours fit best. `margin` is 1 when it is exactly that one and 0 half-way to
    `rival`; `misfit` is what remains unexplained, in units of the distance to the rival."""

    member: int
    rival: int
    margin: float
    misfit: float
    evidence: float


@dataclass(frozen=True, slots=True, eq=False)
class Tint:
    """What one card shows at the points where its family differs: its patch, and every member as it would look in
    the light of this card, split into lightness and colour. All flat: points × (lightness, two axes)."""

    members: tuple[int, ...]
    patch: NDArray[np.float64]
    light: NDArray[np.float64]
    colour: NDArray[np.float64]

    def errors(self, strength: NDArray[np.float64]) -> NDArray[np.float64]:
        """How badly each member fits at each strength of colour (strengths × members)."""
        rest = self._rest()
        plain = np.square(rest).sum(axis=1)
        mixed = (rest * self.colour).sum(axis=1)
        pure = np.square(self.colour).sum(axis=1)
        return np.asarray(plain - 2 * strength[:, None] * mixed + np.square(strength)[:, None] * pure)

    def _rest(self) -> NDArray[np.float64]:
        """The patch less each member's lightness, which may be off as a whole: blur and haze make thin ink paler."""
        rest = self.patch - self.light
        count = rest.shape[1] // 3
        off = rest[:, ::3].mean(axis=1, keepdims=True) * count / (count + _HAZE)
        rest[:, ::3] -= off
        return np.asarray(rest)

    def scale(self) -> float:
        """How strongly coloured the members are."""
        return float(np.square(self.colour).sum(axis=1).mean())

    def shade(self, usual: float, spread: float) -> Shade:
        """The best member when colours are about as strong as usual."""
        rest = self._rest()
        stiff = self.scale() * (0.05 / spread) ** 2
        mixed = (rest * self.colour).sum(axis=1)
        pure = np.square(self.colour).sum(axis=1)
        strength = np.clip((mixed + stiff * usual) / (pure + stiff), usual - 2 * spread, usual + 2 * spread)
        wanted = strength[:, None] * self.colour
        errors = np.square(rest - wanted).sum(axis=1) + stiff * np.square(strength - usual)
        best = int(errors.argmin())
        # The rival as it would have to look beside the best one, and how far the patch goes from one to the other.
        expected = self.patch - rest + wanted
        apart = expected[best] - expected
        energy = np.maximum(np.square(apart).sum(axis=1), 1e-9)
        shares = ((self.patch - expected) * apart).sum(axis=1) / energy
        shares[best] = np.inf
        rival = int(shares.argmin())
        return Shade(
            self.members[best],
            self.members[rival],
            float(2 * shares[rival] - 1),
            float(errors[best] / energy[rival]),
            float(energy[rival]),
        )


def strength_of(tints: Sequence[Tint]) -> tuple[float, float]:
    """How strong colours look in this photograph, judged by all its cards, and how far one card may differ."""
    tried = np.arange(0.3, 1.41, 0.05)
    doubt = np.square((tried - _USUAL) / _SPREAD) / 2
    for tint in tints:
        errors = tint.errors(tried).min(axis=1) / max(tint.scale(), 1e-6)
        doubt += np.minimum((errors - errors.min()) / 0.01, 4.0)
    return float(tried[doubt.argmin()]), _SAME if len(tints) > 4 else _SPREAD / 2


class Palette:
    """The colours of every family at a pixel a millimetre."""

    def __init__(self, templates: Templates) -> None:
        self._faces = np.stack([softened(face, templates.inside, templates) for face in templates.colours])
        self._members = templates.members
        self._grid = templates.grid_mm / np.abs(templates.grid_mm).max()
        self._templates = templates
        self._spread = [np.ptp(self._faces[list(members)], axis=0).max(axis=-1) for members in templates.members]

    def tint(self, patch: Floats, mask: Floats, family: int) -> Tint | None:
        """What a patch (points × 3) shows of its family's colours; None when it shows too little of them."""
        members = self._members[family]
        seen = mask > 0
        spread = self._spread[family]
        common, differ = seen & (spread < _COMMON), seen & (spread > _DIFFERENT)
        if int(differ.sum()) < 6 or int(common.sum()) < 30:
            return None
        even = softened(patch, mask, self._templates)
        faces = self._faces[list(members)]
        light = self._light(even[common], faces[:, common].mean(axis=0), self._grid[common])
        grid = self._grid[differ]
        gain = light[:, 0] + grid[:, :1] * light[:, 1] + grid[:, 1:] * light[:, 2]
        shown = (even[differ] - light[:, 3]) / np.maximum(gain, 0.02)
        split = np.matmul(faces[:, differ], _OPPONENT.T)
        lightness = split * np.array([1.0, 0.0, 0.0])
        return Tint(
            members,
            (shown @ _OPPONENT.T).reshape(-1),
            lightness.reshape(len(members), -1),
            (split - lightness).reshape(len(members), -1),
        )

    def _light(self, patch: Floats, face: Floats, grid: Floats) -> NDArray[np.float64]:
        """Gain, its growth along x and y, and veil, for each channel: what turns the face into the patch."""
        light = np.empty((3, 4))
        count = len(face)
        weights = np.ones(count)
        for _ in range(2):
            misfit = np.zeros(count)
            for channel in range(3):
                ink = face[:, channel].astype(np.float64)
                basis = np.column_stack([ink, ink * grid[:, 0], ink * grid[:, 1], np.ones(count)])
                weighted = basis * weights[:, None]
                # Without much ink in view a veil cannot be told from the gain: then there is none.
                normal = weighted.T @ basis + np.diag([0.0, 0.02 * count, 0.02 * count, 0.05 * count])
                light[channel] = np.linalg.solve(normal, weighted.T @ patch[:, channel])
                misfit += np.square(patch[:, channel] - basis @ light[channel])
            weights = 1.0 / (1.0 + misfit / (4 * np.median(misfit) + 1e-6))
        return light


def softened(colours: Floats, mask: Floats, templates: Templates) -> Floats:
    """Colours blurred within the mask only."""
    width, height = templates.size
    sigma = _SOFT_MM * templates.px_per_mm
    picture = np.concatenate([colours * mask[:, None], mask[:, None]], axis=1).reshape(height, width, 4)
    blurred = cv2.GaussianBlur(picture, (0, 0), sigma).reshape(-1, 4)
    return np.asarray(blurred[:, :3] / np.maximum(blurred[:, 3:], 1e-3), np.float32)
