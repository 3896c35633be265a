"""Ink relative to the tone and contrast around it, so that shade, gleams, haze and noise count for little.

Where something is printed its contrast counts, however pale; where nothing is, neither the paper nor the sensor's noise
does. Knows ink and what of it shows; knows no card.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.match import Floats
from vision.noise import grain
from vision.plan import FULL

_AROUND = (round(7.0 * FULL) | 1,) * 2  # pixels whose tone and contrast a point is compared with
FAINT = 0.03  # contrast below this is noise in any photograph
_STEP = 0.02  # to which a noisier photograph's is told
_DROWNED = 1.5  # times the noise: fainter contrast counts for little
_LOUDEST = 0.12  # noise of a card in one colour: more is print
_BELIEVED = 0.3  # share of what a patch shows that may be noise


@dataclass(frozen=True, slots=True, eq=False)
class Evened:
    """Evened ink; the noise that was in it, and the share of what it shows that is noise still."""

    ink: Floats
    noise: float
    drowned: float


def around(mask: Floats) -> Floats:
    """How much of a mask each point has around it."""
    return np.maximum(cv2.blur(mask, _AROUND), np.float32(1e-3))


def noise_in(ink: Floats, face: Floats, mask: Floats, noise: float, *, is_coloured: bool = False) -> float:
    """The noise in a patch that may be a face, given that of the photograph, in steps so that faces are evened for a
    few only. It is no more than the patch varies beside the face: a photograph of a coarse cloth seems full of it. A
    card in one colour has noise of its own in the channel that hardly shows it."""
    if is_coloured:
        noise = min(_LOUDEST, grain(ink, face, mask, is_bare=True))
    elif noise > FAINT:
        noise = min(noise, grain(ink, face, mask))
    return round(noise / _STEP) * _STEP if noise > FAINT else 0.0


def patch_evened(ink: Floats, mask: Floats, beside: Floats, noise: float) -> Evened:
    """A patch of a photograph (rows × columns) over what a mask shows, 0 elsewhere; `beside` is what `around` tells."""
    even, contrast = _evened(ink, mask, beside, (_DROWNED * noise) ** 2)
    if not noise:
        return Evened(even, noise, 0.0)
    share = np.float32(noise) * mask / contrast
    drowned = float(share.ravel() @ share.ravel()) / max(float(even.ravel() @ even.ravel()), 1e-9)
    return Evened(even, noise, min(drowned, _BELIEVED))


def face_evened(ink: Floats, mask: Floats, beside: Floats, noise: float = 0.0) -> Floats:
    """A face evened as a patch of it would be that has such noise in its contrast."""
    return _evened(ink, mask, beside, (1 + _DROWNED**2) * noise**2)[0]


def _evened(ink: Floats, mask: Floats, beside: Floats, more: float) -> tuple[Floats, Floats]:
    """Evened ink, and the contrast beside which it is told: so much (squared) more than what it has by itself."""
    # In place where it can be: a photograph is evened a thousand times.
    tone = np.asarray(cv2.blur(ink * mask, _AROUND), np.float32)
    tone /= beside
    above = ink - tone
    above *= mask
    contrast = np.asarray(cv2.blur(above * above, _AROUND), np.float32)
    contrast /= beside
    contrast += np.float32(FAINT**2 + more)
    above /= np.sqrt(contrast, out=contrast)
    return above, contrast
