"""How much of what a photograph shows is the sensor's noise, told from the picture alone.

In small windows all over a picture, tone by tone, the quietest are bare paper, cloth or plain ink: what still varies
there is noise. A dark photograph has more of it beside its tone than a bright one, and a shadow more than the light
around it. Knows pixels; knows no card.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from vision.frame import Picture
from vision.match import Floats, ink_of

_WINDOW, _STRIDE = 9, 28  # pixels
_CLIPPED = 250  # of 255: brighter than this nothing varies
_TONES, _FEW = 8, 40  # groups of windows by how bright they are, and how many windows make one
_QUIET = 25  # per cent of the windows of a tone are bare
_MOST = 75  # per cent of a card in one colour have nothing on them
_LEAST_TONE = 8.0  # of 255
_STEEP = 3  # the power of its darkness by which noise may grow beside a tone: more is print


@dataclass(frozen=True, slots=True, eq=False)
class Noise:
    """How strong noise is beside the tone it lies on, for some tones (0 to 255, growing)."""

    tones: Floats
    levels: Floats

    @property
    def most(self) -> float:
        """Beside any tone."""
        return float(self.levels.max())

    @classmethod
    def of(cls, picture_bgr: Picture) -> Noise:
        """Of a picture a few pixels a millimetre fine."""
        size = (_WINDOW, _WINDOW)
        if min(picture_bgr.shape[:2]) < _WINDOW:
            return QUIET
        every = sliding_window_view(picture_bgr, size, axis=(0, 1))[::_STRIDE, ::_STRIDE]
        windows = np.asarray(every.reshape(-1, 3, _WINDOW**2).transpose(0, 2, 1), np.float32)
        windows = windows[windows.max(axis=(1, 2)) < _CLIPPED]
        if len(windows) < _FEW:
            return QUIET
        means = windows.mean(axis=1, keepdims=True)
        windows /= np.maximum(means, _LEAST_TONE)
        ink = ink_of(windows)
        spread, tone = ink.std(axis=1), means.mean(axis=(1, 2))
        groups = int(np.clip(len(tone) // _FEW, 1, _TONES))
        each = len(tone) // groups
        by_tone = np.argsort(tone)[-groups * each :].reshape(groups, each)
        tones = np.maximum(tone[by_tone[:, each // 2]], _LEAST_TONE)
        levels = np.partition(spread[by_tone], each * _QUIET // 100, axis=1)[:, each * _QUIET // 100]
        # Print is dark: a dark tone may have no bare windows.
        light = levels * tones**_STEEP
        levels = np.minimum.accumulate(light[::-1])[::-1] / tones**_STEEP
        return cls(np.asarray(tones, np.float32), np.asarray(levels, np.float32))

    def at(self, tone: float) -> float:
        """Beside a tone."""
        return float(np.interp(tone, self.tones, self.levels))


def grain(ink: Floats, face: Floats, mask: Floats, *, is_bare: bool = False) -> float:
    """How much more the quietest parts of what a mask shows vary in a patch than in the face that it may be; or most
    parts, if none are quiet but by chance."""
    share = _MOST if is_bare else _QUIET
    seen, drawn = (_variance(each, mask, share) for each in (ink, face))
    return float(np.sqrt(max(seen - drawn, 0.0)))


def _variance(ink: Floats, mask: Floats, share: int) -> float:
    """The variance of so many per cent of small parts, the quietest, at most."""
    size = (_WINDOW, _WINDOW)
    variance = cv2.blur(ink * ink, size) - np.square(cv2.blur(ink, size))
    shown = variance[mask > 0]
    return float(np.percentile(shown, share)) if len(shown) else 0.0


QUIET = Noise(np.zeros(1, np.float32), np.zeros(1, np.float32))
