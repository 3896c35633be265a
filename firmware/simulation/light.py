"""The light over the table: its colour, where it falls unevenly, shadows with edges, and glare.

Works in linear light on the plane of the mat. Knows no card and no camera.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import Point

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Edge:
    """A band of shadow with two parallel edges: an arm of a lamp, a window's frame, somebody leaning over."""

    through_mm: Point
    direction_deg: float
    width_mm: float
    penumbra_mm: float
    depth: float


@dataclass(frozen=True, slots=True)
class Glare:
    """The reflection of a lamp, added to whatever lies there."""

    centre_mm: Point
    radius_mm: float
    stretch: float
    direction_deg: float
    strength: float


@dataclass(frozen=True, slots=True)
class Light:
    """One light. `white_balance` is how much of its colour the camera takes out (1: all of it), `tint` an error of
    that towards green or magenta; `contact` the depth of the shadow at the edge of a card."""

    kelvin: float = 6500.0
    white_balance: float = 1.0
    tint: float = 0.0
    unevenness: float = 0.0
    towards_deg: float = 0.0
    contact: float = 0.0
    edges: tuple[Edge, ...] = ()
    glares: tuple[Glare, ...] = ()

    def gains_bgr(self) -> Floats:
        """The cast left after the camera's own white balance, green kept near 1."""
        cast = _planck_bgr(self.kelvin) / _planck_bgr(6500.0)
        cast = (cast / cast[1]) ** (1 - self.white_balance)
        cast = cast * np.array([1 - self.tint / 2, 1 + self.tint, 1 - self.tint / 2])
        return np.asarray(cast / cast.max(), np.float32)

    def amplification_bgr(self) -> Floats:
        """How much the camera had to amplify each channel: what it amplifies, it amplifies with the noise."""
        cast = _planck_bgr(self.kelvin) / _planck_bgr(6500.0)
        gains: Floats = np.clip((cast.max() / cast) ** self.white_balance, 1, 8).astype(np.float32)
        return gains

    def falls_on(self, x_mm: Floats, y_mm: Floats, size_mm: tuple[float, float]) -> Floats:
        """How much light reaches each point, 1 at the brightest."""
        angle = math.radians(self.towards_deg)
        half = math.hypot(*size_mm) / 2
        along = (x_mm - size_mm[0] / 2) * math.cos(angle) + (y_mm - size_mm[1] / 2) * math.sin(angle)
        # A lamp beside the table: the fall-off is steeper close to it than far away.
        lit = 1 - self.unevenness * (0.5 - np.clip(along / half, -1, 1) * 0.5) ** np.float32(0.8)
        for edge in self.edges:
            turn = math.radians(edge.direction_deg)
            across = (x_mm - edge.through_mm[0]) * math.cos(turn) + (y_mm - edge.through_mm[1]) * math.sin(turn)
            soft = max(edge.penumbra_mm, 0.3)
            inside = np.clip(across / soft + 0.5, 0, 1) * np.clip((edge.width_mm - across) / soft + 0.5, 0, 1)
            lit = lit * (1 - edge.depth * inside * inside * (3 - 2 * inside))
        return np.asarray(lit, np.float32)

    def glare_on(self, x_mm: Floats, y_mm: Floats) -> Floats | None:
        """The reflected light added at each point, or None where nothing reflects."""
        if not self.glares:
            return None
        total = np.zeros_like(x_mm)
        for glare in self.glares:
            turn = math.radians(glare.direction_deg)
            dx, dy = x_mm - glare.centre_mm[0], y_mm - glare.centre_mm[1]
            along = (dx * math.cos(turn) + dy * math.sin(turn)) / (glare.radius_mm * glare.stretch)
            across = (dy * math.cos(turn) - dx * math.sin(turn)) / glare.radius_mm
            total += glare.strength * cv2.exp(-(along * along + across * across))
        return total


def _planck_bgr(kelvin: float) -> np.ndarray:
    """A black body's light in linear sRGB primaries: Kim's fit of the Planckian locus."""
    t = 1e3 / kelvin
    if kelvin < 4000:
        x = -0.2661239 * t**3 - 0.2343589 * t**2 + 0.8776956 * t + 0.179910
    else:
        x = -3.0258469 * t**3 + 2.1070379 * t**2 + 0.2226347 * t + 0.240390
    if kelvin < 2222:
        y = -1.1063814 * x**3 - 1.34811020 * x**2 + 2.18555832 * x - 0.20219683
    elif kelvin < 4000:
        y = -0.9549476 * x**3 - 1.37418593 * x**2 + 2.09137015 * x - 0.16748867
    else:
        y = 3.0817580 * x**3 - 5.87338670 * x**2 + 3.75112997 * x - 0.37001483
    xyz = np.array([x / y, 1.0, (1 - x - y) / y])
    to_rgb = np.array([[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]])
    return np.asarray(np.clip(to_rgb @ xyz, 0.02, None)[::-1])
