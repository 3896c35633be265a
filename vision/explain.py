"""Which face explains a whole card that lies open: every face in the light that suits it best, and what is left over.

A face seen in some light is its colours times a gain that may grow across the card, plus a veil, for each channel. The
face that leaves the least unexplained is the card's; its nearest rival says how certain that is, and the spot that
fits worst says whether the card belongs to the deck at all. Knows faces and pixels; needs no family of drawings, so
that decks in which nothing but a colour or a digit differs are told apart like any other.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.match import Floats, Templates, ink_of

SOFT_MM = 0.7  # neither lens nor camera shows colours finer than this
RIM_MM = 2.0  # within the cut: what was softened with the ground beside the card tells nothing
SPOT_MM = 5.0  # about the size of an index
FAINT = 0.08  # a spot with less contrast than this is blank
STRIKING = 0.18  # contrast of something that lies where the face is blank; a shadow's edge has less
STIFF = 0.03  # how little the light changes across a card
VEIL = 0.10  # how little of it is reflected by a shining surface


@dataclass(frozen=True, slots=True)
class Explanation:
    """The face that explains a card best. `likeness` is the share of the card explained, `margin` 1 when it is
    exactly this face and 0 half-way to `rival`; `agreement` is the local correlation where the card fits worst, `tint`
    the greatest difference in colour there."""

    face: int
    rival: int
    likeness: float
    margin: float
    agreement: float
    tint: float
    distance: float


class Explainer:
    """Explains cards with the faces of one deck."""

    def __init__(self, templates: Templates) -> None:
        self._t = templates
        width, height = templates.size
        rim = 2 * round(RIM_MM * templates.px_per_mm) + 1
        inside = templates.inside.reshape(height, width)
        self._mask = np.asarray(cv2.erode(inside, np.ones((rim, rim), np.uint8)), np.float32).reshape(-1)
        soft = np.stack([self._softened(face) for face in templates.colours])
        x, y = (templates.grid_mm / np.abs(templates.grid_mm).max(axis=0)).T.astype(np.float32)
        colours = soft.transpose(0, 2, 1)  # faces × channels × points
        basis = np.stack([colours, colours * x, colours * y, np.ones_like(colours)], axis=-1)
        weighted = basis * self._mask[:, None]
        count = float(self._mask.sum())
        normal = weighted.transpose(0, 1, 3, 2) @ basis
        normal = normal + count * np.diag([1e-4, STIFF, STIFF, VEIL])
        self._basis = basis
        self._solve = np.linalg.solve(normal.astype(np.float64), weighted.transpose(0, 1, 3, 2)).astype(np.float32)

    def explain(self, patch: Floats) -> Explanation:
        """The face of a patch (points × 3, 0 to 1) at the templates' scale."""
        seen = self._softened(patch)
        light = self._solve @ seen.T[None, :, :, None]
        lit = (self._basis @ light)[..., 0].transpose(0, 2, 1)  # faces × points × channels
        white = np.maximum(np.percentile(seen[self._mask > 0], 98, axis=0), 0.05)
        # A dim channel counts like a bright one.
        scale = (self._mask[:, None] / white).astype(np.float32)
        seen, lit = seen * scale, lit * scale
        left = seen[None] - lit
        errors = np.square(left).sum(axis=(1, 2))
        best = int(errors.argmin())
        apart = lit[best][None] - lit
        energy = np.maximum(np.square(apart).sum(axis=(1, 2)), 1e-6)
        shares = (left * apart).sum(axis=(1, 2)) / energy
        shares[best] = np.inf
        rival = int(shares.argmin())
        about = seen - seen.sum(axis=0) / self._mask.sum()
        explained = 1 - errors[best] / max(float(np.square(about * self._mask[:, None]).sum()), 1e-6)
        return Explanation(
            face=best,
            rival=rival,
            likeness=float(np.sqrt(max(explained, 0.0))),
            margin=float(2 * shares[rival] - 1) if len(errors) > 1 else 1.0,
            agreement=self._agreement(seen, lit[best]),
            tint=self._tint(seen, lit[best]),
            distance=float(np.sqrt(energy[rival])) if len(errors) > 1 else np.inf,
        )

    def _softened(self, colours: Floats) -> Floats:
        width, height = self._t.size
        picture = np.ascontiguousarray(colours, np.float32).reshape(height, width, 3)
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), SOFT_MM * self._t.px_per_mm), np.float32).reshape(-1, 3)

    def _local(self, values: Floats, sigma_mm: float) -> Floats:
        """The mean of values round each point, of what lies inside the card."""
        width, height = self._t.size
        mask = self._mask.reshape(height, width)
        shape = (height, width) if values.ndim == 1 else (height, width, values.shape[1])
        sigma = sigma_mm * self._t.px_per_mm
        weights = np.maximum(cv2.GaussianBlur(mask, (0, 0), sigma), 0.05)
        inside = values * (self._mask if values.ndim == 1 else self._mask[:, None])
        mean = np.asarray(cv2.GaussianBlur(inside.reshape(shape), (0, 0), sigma), np.float32)
        flat = weights.reshape(-1)
        return np.asarray(mean.reshape(values.shape) / (flat if values.ndim == 1 else flat[:, None]), np.float32)

    def _agreement(self, seen: Floats, lit: Floats) -> float:
        """Correlation where the card fits worst: another card's index on an otherwise like picture."""
        patch, face = ink_of(seen), ink_of(lit)
        mean_p, mean_f = self._local(patch, SPOT_MM / 2), self._local(face, SPOT_MM / 2)
        shared = self._local(patch * face, SPOT_MM / 2) - mean_p * mean_f
        spread_p = np.sqrt(np.maximum(self._local(patch * patch, SPOT_MM / 2) - mean_p**2, 0))
        spread_f = np.sqrt(np.maximum(self._local(face * face, SPOT_MM / 2) - mean_f**2, 0))
        telling = ((spread_f > FAINT) | (spread_p > STRIKING)) & (self._mask > 0)
        agreement = shared / np.maximum(spread_p * spread_f, FAINT**2)
        return float(agreement[telling].min()) if telling.any() else 1.0

    def _tint(self, seen: Floats, lit: Floats) -> float:
        """The greatest difference of colour, apart from lightness, once all colours are as strong as the face's."""
        patch, face = (self._local(_hue(colours), 1.0) * self._mask[:, None] for colours in (seen, lit))
        strength = float((patch * face).sum() / max(float(np.square(face).sum()), 1e-6))
        left = patch / np.clip(strength, 0.5, 1.6) - face
        return float(np.sqrt(np.square(left).sum(axis=1).max()))


def _hue(colours: Floats) -> Floats:
    return np.asarray(colours - colours.mean(axis=1, keepdims=True), np.float32)
