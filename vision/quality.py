"""How good a frame is, and what covers the table: dark, glaring, blurred, flickering, frozen, moving; hands, objects.

Each fault has a name and a measured value; the words for people are elsewhere. Whole frames are judged on a small
copy. Covering things are found as what neither the mat nor a card that was read explains: colour alone would miss
sleeves and gloves. Knows no card and no rule.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture, as_grey
from vision.observation import Note
from vision.rectify import Rectifier

Floats = NDArray[np.float32]

_STEP_PX = 8  # every so many pixels of a frame are enough to judge its light
_DARK = 40.0  # of 255: nine tenths of the frame are darker
_SATURATED, _TOO_BRIGHT = 252, 0.10
_CHANGED, _MOVING = 14.0, 0.02  # a pixel's change, and the share of them that is motion
_BLUR_PX, _BLUR_TIMES = 2.0, 1.8  # of an edge: always too much; too much against the baseline
_PIXEL_SIGMA = 0.95
_BANDS, _PULSE = 0.012, 0.05  # brightness that changes in rows between two frames; of the whole frame


class Fault(StrEnum):
    """What may be wrong with a frame or over a place."""

    TOO_DARK = "too-dark"
    TOO_BRIGHT = "too-bright"
    BLURRED = "blurred"
    FLICKER = "flicker"
    FROZEN = "camera-stuck"
    MOVING = "moving"
    HAND = "hand"
    OBJECT = "object"


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """A frame reduced to what its light and motion need."""

    small: Picture
    digest: int

    @classmethod
    def at(cls, frame_bgr: Picture) -> Glance:
        """Every eighth pixel. Any two real frames differ in noise there: equal digests mean the same frame."""
        small = np.ascontiguousarray(frame_bgr[_STEP_PX // 2 :: _STEP_PX, _STEP_PX // 2 :: _STEP_PX])
        return cls(small, zlib.crc32(small.tobytes()))


def light_notes(glance: Glance) -> tuple[Note, ...]:
    """Too dark, or too much of it over-exposed."""
    notes = []
    blue, green, red = cv2.split(glance.small)
    tones = np.bincount(green.ravel(), minlength=256).cumsum()
    bright = int(np.searchsorted(tones, 0.9 * tones[-1]))
    if bright < _DARK:
        notes.append(Note(Fault.TOO_DARK, float(bright)))
    saturated = float((cv2.min(cv2.min(blue, green), red) >= _SATURATED).mean())
    if saturated > _TOO_BRIGHT:
        notes.append(Note(Fault.TOO_BRIGHT, round(saturated, 3)))
    return tuple(notes)


def motion_notes(glance: Glance, before: Glance) -> tuple[Note, ...]:
    """Frozen, flickering or moving, compared with the frame before."""
    if glance.digest == before.digest:
        return (Note(Fault.FROZEN, 0.0),)
    now, then = (as_grey(one.small).astype(np.float32) + 4.0 for one in (glance, before))
    if now.shape != then.shape:
        return ()
    notes = []
    # Rows that grew brighter while others grew darker are a rolling shutter under a pulsing lamp; the median over
    # each row forgets what moved.
    ratio = np.log(now / then)
    rows = np.median(ratio[:, ::2], axis=1)
    bands = _unevenness(rows)
    pulse = abs(float(np.median(rows)))
    if bands > _BANDS and bands > 3 * _unevenness(np.median(ratio[::2], axis=0)):
        notes.append(Note(Fault.FLICKER, round(bands, 4)))
    elif pulse > _PULSE:
        notes.append(Note(Fault.FLICKER, round(pulse, 4)))
    moving = moved_share(now, then * np.exp(rows)[:, None])
    if moving > _MOVING:
        notes.append(Note(Fault.MOVING, round(moving, 3)))
    return tuple(notes)


def _unevenness(medians: Floats) -> float:
    return float(cv2.blur(medians.reshape(-1, 1), (1, 5)).std())


def moved_share(now: Floats, then: Floats) -> float:
    """The share of pixels that changed by more than noise does; single ones do not count."""
    changed = (np.abs(now - then) > _CHANGED).astype(np.uint8)
    return float(cv2.erode(changed, np.ones((2, 2), np.uint8)).mean())


def blur_px(frame: Picture, rectifier: Rectifier, most: int = 4) -> float:
    """How wide edges are, as the sigma of a blur in pixels, measured on a few markers in view."""
    widths = []
    for corners in list(rectifier.markers_mm.values())[:: max(1, len(rectifier.markers_mm) // most)]:
        quad = rectifier.to_px(corners)
        left, top = np.floor(quad.min(axis=0)).astype(int)
        right, bottom = np.ceil(quad.max(axis=0)).astype(int) + 1
        if left < 2 or top < 2 or right > frame.shape[1] - 2 or bottom > frame.shape[0] - 2:
            continue
        grey = as_grey(np.ascontiguousarray(frame[top:bottom, left:right]))
        dark, light = np.percentile(grey, (5, 95))
        slope = max(
            float(np.percentile(np.abs(cv2.Sobel(grey, cv2.CV_32F, dx, 1 - dx, ksize=3)) / 8, 98)) for dx in (0, 1)
        )
        if light - dark > 20:
            widths.append(float(light - dark) / max(slope, 1e-3) / np.sqrt(2 * np.pi))
    # The pixels and the filter itself widen even a perfect edge.
    return float(np.sqrt(max(0.0, np.median(widths) ** 2 - _PIXEL_SIGMA**2))) if widths else 0.0


def blur_notes(width_px: float, baseline_px: float | None = None) -> tuple[Note, ...]:
    """Blurred against what this camera showed when it was set up, or beyond what can be read at all."""
    bound = _BLUR_PX if baseline_px is None else min(2 * _BLUR_PX, max(_BLUR_PX, _BLUR_TIMES * baseline_px))
    return (Note(Fault.BLURRED, round(width_px, 2)),) if width_px > bound else ()
