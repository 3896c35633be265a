"""Whether something small lies on a card that was named: a token whose marker nobody could read.

A card is named although a coin's worth of it is hidden. Where a window of it, as wide as half a token, does not show
the print that belongs there, something lies on it. Knows faces and pixels; knows no token and no place.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from vision.deck import Deck, resized
from vision.identify import Sight
from vision.match import Floats, ink_of
from vision.plan import FINE

_WINDOW = (15, 15)  # millimetres
_SEEN = 0.9  # share of a window that must show
_INKED = 0.002  # windows without print tell nothing
_FITS = 0.3  # correlation of a window: 0.0 at most under a token
_WASHED = 0.01  # of the contrast that a window ought to have, squared: less is a gleam that blinds, and hides a token
_LEAST_MM2 = 80  # of windows in one piece that do not fit: 155 at least under a token, rarely a few on open cards


class Overlaid:
    """Tells of the cards of one deck."""

    def __init__(self, deck: Deck) -> None:
        self._faces = deck.faces_bgr
        self._size = (round(deck.card_mm[0] * FINE), round(deck.card_mm[1] * FINE))
        self._face = lru_cache(maxsize=len(deck.codes))(self._inked)

    def is_on(self, sight: Sight, face: int) -> bool:
        """Whether something lies on a card with this face, somewhere off its rim."""
        width, height = self._size
        free = np.ascontiguousarray(sight.free.reshape(height, width), np.float32)
        seen = _about(ink_of(sight.colours_bgr.reshape(height, width, 3), (1 / 255,) * 3), free)
        printed = _about(self._face(face), free)
        shared, mine, wanted = (cv2.blur(each, _WINDOW) for each in (seen * printed, seen * seen, printed * printed))
        telling = (cv2.blur(free, _WINDOW) > _SEEN) & (np.maximum(mine, wanted) > _INKED)
        telling[: height // 5], telling[-height // 5 :] = False, False
        telling[:, : width // 5], telling[:, -width // 5 :] = False, False
        unlike = ((shared < _FITS * np.sqrt(np.maximum(mine * wanted, 0))) | (mine < _WASHED * wanted)) & telling
        pieces = cv2.connectedComponentsWithStats(unlike.astype(np.uint8))[2]
        return bool((pieces[1:, cv2.CC_STAT_AREA] > _LEAST_MM2 * FINE**2).any())

    def _inked(self, face: int) -> Floats:
        return ink_of(resized(self._faces[face], self._size).astype(np.float32) / np.float32(255))


def _about(ink: Floats, free: Floats) -> Floats:
    """Ink above the tone around it, as far as that shows."""
    share = np.maximum(cv2.blur(free, _WINDOW), 1e-3)
    return np.asarray((ink - cv2.blur(ink * free, _WINDOW) / share) * free, np.float32)
