"""Why the light, and not the card, is to blame when a card could not be read.

A reader says that nothing enrolled fits, or that two cards fit alike; over a washed-out, dark or blurred part of the
frame that is the lamp's or the lens's fault, and a person can mend it. Names reasons only: no card is ever named here.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.frame import Picture
from vision.layout import Layout
from vision.observation import Observation, Reading, Why
from vision.places import areas
from vision.quality import blur_notes, blur_px
from vision.rectify import Rectifier

_DOUBTS = (Why.FOREIGN, Why.ALIKE, Why.UNCERTAIN)
_PX_PER_MM = 1.0
_CLIPPED = 250
_BLOB_MM = 9  # a washed-out blob is at least so wide; print breaks up white paper sooner
_GLARE, _BRIGHT = 0.08, 0.6  # shares of a place
_DARK = 24.0  # of 255: nine tenths of a place are darker


def blamed(observation: Observation, frame_bgr: Picture, rectifier: Rectifier, layout: Layout) -> Observation:
    """The observation with glare, over-exposure, darkness and blur named where they explain what was not read."""
    doubtful = [place for place, cards in observation.cards.items() if any(card.why in _DOUBTS for card in cards)]
    if not doubtful:
        return observation
    blurred = bool(blur_notes(blur_px(frame_bgr, rectifier)))
    area_of = areas(layout)
    cards = dict(observation.cards)
    for place in doubtful:
        (area,) = area_of[place]
        patch = rectifier.warp(frame_bgr, area.middle_mm, area.size_mm, 0.0, _PX_PER_MM)
        why = _light(patch) or (Why.BLURRED if blurred else None)
        if why is not None:
            cards[place] = tuple(_because(card, why) for card in cards[place])
    return replace(observation, cards=cards)


def _because(card: Reading, why: Why) -> Reading:
    return replace(card, why=why) if card.why in _DOUBTS else card


def _light(patch_bgr: Picture) -> Why | None:
    """What is wrong with the light over one place."""
    if np.percentile(patch_bgr[..., 1], 90) < _DARK:
        return Why.DARK
    blue, green, red = cv2.split(patch_bgr)
    washed = (cv2.min(cv2.min(blue, green), red) >= _CLIPPED).astype(np.uint8)
    blob = np.ones((round(_BLOB_MM * _PX_PER_MM),) * 2, np.uint8)
    share = float(cv2.morphologyEx(washed, cv2.MORPH_OPEN, blob).mean())
    return Why.BRIGHT if share > _BRIGHT else Why.GLARE if share > _GLARE else None
