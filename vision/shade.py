"""Which member of a family a card is, by its colours: each as it would have to look, with more or less of a veil.

A gleam lies over ink and paper alike and makes ink look like so much paper: a red below a veil is near to a brown
without one. So each member is compared below the veil that suits it best. Knows colours only.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

DOUBTFUL = 0.5  # margin of a colour
_LUMA = 0.25  # lightness counts for less than hue: it suffers most from a pose that is a little off
_HAZE = 5.0  # points' worth of faith that a card's lightness is right as a whole
_THROUGH = np.array([1.0, 0.85, 0.7, 0.58, 0.48, 0.4, 0.33, 0.27])  # how much of the ink a veil lets through
_PALER, _CLEARER = 0.15, 0.45  # how far that may be from how strong the drawing's ink looks
_ELSEWHERE = 3.0  # times what it is counts the margin over a member that lies elsewhere
_PALE = 0.6  # what a veil may let through of a card that looks pale
# From blue, green, red to lightness and two axes of colour.
OPPONENT = np.array([[1, 1, 1], [1, -0.5, -0.5], [0, 1, -1]]) * np.sqrt([[_LUMA / 3], [2 / 3], [1 / 2]])

_TO_BGR = np.linalg.inv(OPPONENT)


@dataclass(frozen=True, slots=True)
class Shade:
    """The member of a family whose colours fit best. `margin` is 1 when it is exactly that one and 0 half-way to
    `rival`; `noise` is what a margin may be by chance, judged by what remains unexplained, and `off` how far colours
    are from what they should be, of 1."""

    member: int
    rival: int
    margin: float
    noise: float
    off: float
    is_grey: bool = False  # the photograph shows no colours to judge by


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A card's patch and every member of its family in plain light, in lightness and two axes of colour."""

    members: tuple[int, ...]
    patch: Array
    shown: Array
    paper: Array
    inked: Array  # members × points × 3: what ink changes of the paper
    through: Array  # how much of it veils may let through, the thinnest first
    believed: tuple[float, ...]  # by channel, how much brighter than it tells itself its paper was taken to be

    @classmethod
    def of(
        cls,
        members: tuple[int, ...],
        patch: Array,
        faces: Array,
        paper: Array,
        contrast: float,
        believed: tuple[float, ...],
    ) -> View:
        """A patch and its members' faces (members × points × 3) in plain light, as the photograph renders colours."""
        shown, white = patch @ OPPONENT.T, paper @ OPPONENT.T
        beside = _THROUGH - np.clip(contrast, _THROUGH[-1], _THROUGH[0])
        through = _THROUGH[(beside >= -_PALER) & (beside <= _CLEARER)]
        return cls(members, shown.reshape(-1), shown, white, faces @ OPPONENT.T - white, through, believed)

    def relit(self, gains_bgr: Array) -> View:
        """The same card in other light."""
        shown = (self.shown @ _TO_BGR.T * gains_bgr) @ OPPONENT.T
        return replace(self, patch=shown.reshape(-1), shown=shown)

    def below(self, through: Array) -> tuple[Array, Array]:
        """The patch less each member's lightness, and its colour, below some veils (veils × members × values)."""
        split = self.paper + through[:, None, None, None] * self.inked
        lightness = split * np.array([1.0, 0.0, 0.0])
        rest = np.asarray(self.shown - lightness)
        # Lightness may be off as a whole: blur and haze make thin ink paler.
        points = rest.shape[2]
        rest[..., 0] -= rest[..., 0].mean(axis=2, keepdims=True) * points / (points + _HAZE)
        flat = (len(through), len(self.members), -1)
        return rest.reshape(flat), (split - lightness).reshape(flat)

    def errors(self, strength: Array) -> tuple[Array, float]:
        """How badly each member fits at each strength of colour (strengths × members) below the thinnest veil, and how
        strongly coloured the members are."""
        (rest,), (colour,) = self.below(self.through[:1])
        plain = np.square(rest).sum(axis=1)
        mixed = (rest * colour).sum(axis=1)
        pure = np.square(colour).sum(axis=1)
        errors = plain - 2 * strength[:, None] * mixed + np.square(strength)[:, None] * pure
        return np.asarray(errors), float(pure.mean())

    def shade(self, usual: float, spread: float, elsewhere: Set[int] = frozenset()) -> Shade:
        """The best member when colours are about as strong as usual; where that is in doubt or the card looks pale,
        each below the veil that suits it best. Of members that lie elsewhere on the table there is no second copy to
        be taken for: it is enough to fit a little better than they do."""
        plain = self._shade(self.through[:1], usual, spread, elsewhere)
        is_clear = self.through[0] == _THROUGH[0] and self.through[-1] > _PALE
        return plain if is_clear and plain.margin > DOUBTFUL else self._shade(self.through, usual, spread, elsewhere)

    def _shade(self, through: Array, usual: float, spread: float, elsewhere: Set[int]) -> Shade:
        rest, colour = self.below(through)
        pure = np.square(colour).sum(axis=2)
        stiff = float(pure[0].mean()) * (0.05 / spread) ** 2
        mixed = (rest * colour).sum(axis=2)
        strength = np.clip((mixed + stiff * usual) / (pure + stiff), usual - 2 * spread, usual + 2 * spread)
        wanted = strength[..., None] * colour
        all_errors = np.square(rest - wanted).sum(axis=2) + stiff * np.square(strength - usual)
        chosen = all_errors.argmin(axis=0), np.arange(len(self.members))
        errors = all_errors[chosen]
        best = int(errors.argmin())
        # Each member as it would have to look here, and how far the patch goes from the one to the other.
        expected = self.patch - rest[chosen] + wanted[chosen]
        apart = expected[best] - expected
        energy = np.maximum(np.square(apart).sum(axis=1), 1e-9)
        margins = 2 * ((self.patch - expected) * apart).sum(axis=1) / energy - 1
        margins[[n for n, member in enumerate(self.members) if member in elsewhere]] *= _ELSEWHERE
        margins[best] = np.inf
        rival = int(margins.argmin())
        off = float(np.sqrt(errors[best] / (self.patch.size / 3)))
        if len(self.members) == 1:
            return Shade(self.members[0], self.members[0], 1.0, 0.0, off)
        return Shade(
            self.members[best],
            self.members[rival],
            float(margins[rival]),
            float(np.sqrt(errors[best] / energy[rival] / (self.patch.size / 3))),
            off,
        )
