"""What the camera sees and what was read in it, for those who watch; nothing is prepared while nobody does.

Sits between the loop and the eye and keeps the newest frame. Encoding happens when somebody asks, outside the
station's thread.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from engine.table import UNKNOWN
from firmware.eye import CameraEye
from firmware.loop import Eye
from firmware.ports import Frame
from firmware.station import Sighting
from firmware.web.guided import Guided
from firmware.web.noticeboard import Noticeboard
from vision.layout import Layout
from vision.observation import Observation, Why, where

WIDEST_PX = 1280
QUALITY = 78
EVERY_S = 0.2  # five pictures a second are enough to watch by


@dataclass(frozen=True, slots=True)
class Glimpse:
    """One frame, what was made of it and how long that took."""

    frame: Frame
    sighting: Sighting
    stages_ms: dict[str, float]  # in the order in which they come
    frames_per_second: float
    outlines: tuple[dict[str, Any], ...]
    turned_deg: int = 0
    mat: tuple[tuple[float, float], ...] = ()  # its four corners in shares of the frame, where it was found

    def document(self, language: str) -> dict[str, Any]:
        height, width = self.frame.pixels_bgr.shape[:2]
        observation = self.sighting.observation
        return {
            "frame": self.frame.number,
            "turned": self.turned_deg,
            "width": width,
            "height": height,
            "fps": round(self.frames_per_second, 1),
            "stages": {name: round(one_ms, 1) for name, one_ms in self.stages_ms.items()},
            "read_ms": None if observation is None else round(observation.elapsed_ms, 1),
            "troubles": [trouble.words(language).sentence for trouble in self.sighting.troubles],
            "cards": list(self.outlines),
            "mat": [list(corner) for corner in self.mat],
        }


class Peephole:
    """An eye that can be looked over the shoulder of."""

    def __init__(self, eye: Eye, layout: Layout, board: Noticeboard) -> None:
        self.eye = eye
        self._layout = layout
        self._board = board
        self._taken_s: deque[float] = deque(maxlen=30)
        self._pinned_s = float("-inf")
        self.watchers = 0
        self.guided: Guided | None = None
        self.afterwards: Callable[[], dict[str, float]] = dict  # how long the frame before took the rest of the station

    def look(self, frame: Frame) -> Sighting:
        before_s = time.perf_counter()
        sighting = self._sighting(frame)
        self._taken_s.append(frame.taken_s)
        if self.watchers and before_s - self._pinned_s >= EVERY_S:
            self._pinned_s = before_s
            outlines = self._outlines(sighting.observation)
            stages = (self.eye.stages_ms if isinstance(self.eye, CameraEye) else {}) | self.afterwards()
            glimpse = Glimpse(frame, sighting, stages, self._rate(), outlines, self._turned_deg(), self._mat())
            self._board.pin("look", glimpse)
        return sighting

    def _sighting(self, frame: Frame) -> Sighting:
        """What the eye sees; while somebody is led through work at the camera, nothing is read."""
        if self.guided is None or not self.guided.is_on:
            return self.eye.look(frame)
        self.guided.look(frame)
        return Sighting(frame.number, frame.taken_s, None)

    def _rate(self) -> float:
        span_s = self._taken_s[-1] - self._taken_s[0]
        return (len(self._taken_s) - 1) / span_s if span_s > 0 else 0.0

    def _turned_deg(self) -> int:
        """How the mat is turned in the frame, so that the page can show it with A below."""
        rectifier = self.eye.rectifier if isinstance(self.eye, CameraEye) else None
        return 0 if rectifier is None else rectifier.turned_deg

    def _mat(self) -> tuple[tuple[float, float], ...]:
        rectifier = self.eye.rectifier if isinstance(self.eye, CameraEye) else None
        if rectifier is None:
            return ()
        across, down = self._layout.size_mm
        shares = rectifier.to_px([(0, 0), (across, 0), (across, down), (0, down)]) / np.array(rectifier.frame_size)
        return tuple((round(float(x), 4), round(float(y), 4)) for x, y in shares)

    def _outlines(self, observation: Observation | None) -> tuple[dict[str, Any], ...]:
        """Every card and tile with its outline in the frame; where nothing was found, the place itself."""
        if observation is None:
            return ()
        found: list[dict[str, Any]] = []
        for place, readings in observation.cards.items():
            for n, one in enumerate(readings):
                corners = one.corners_px or self._place_px(place)
                back = UNKNOWN if one.why is Why.FACE_DOWN and self._layout.regions else None  # a card as good as any
                found.append(_outline(where(place, n), one.code or back, one.confidence, one.why, corners))
        for code, tile in observation.tiles.items():
            if tile.at is None or tile.corners_px:
                name = code if tile.at is not None else None
                found.append(_outline(code, name, tile.confidence, tile.why, tile.corners_px))
        found += [_outline(place, None, 0.0, "held", self._place_px(place)) for place in sorted(observation.held)]
        return tuple(one for one in found if one["corners"])

    def _place_px(self, place: str) -> tuple[tuple[float, float], ...]:
        """The outline of a place of the mat in the frame, where the mat was found."""
        rectifier = self.eye.rectifier if isinstance(self.eye, CameraEye) else None
        centre = next(
            (at for name, at in ((one.place, one.first_mm) for one in self._layout.fans) if name == place),
            next((spot.centre_mm for spot in self._layout.spots if spot.place == place), None),
        )
        if rectifier is None or centre is None:
            return ()
        half = np.array(self._layout.card_mm) / 2
        corners = np.asarray(centre) + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
        return tuple((float(x), float(y)) for x, y in rectifier.to_px(corners))


def _outline(at: str, code: str | None, confidence: float, why: object, corners: Any) -> dict[str, Any]:
    return {
        "where": at,
        "code": code,
        "confidence": round(confidence, 2),
        "why": None if why is None else str(why),
        "corners": [[round(x, 1), round(y, 1)] for x, y in corners],
    }


def as_jpeg(frame: Frame, widest_px: int = WIDEST_PX, quality: int = QUALITY) -> bytes:
    """The frame as a picture for a browser, no wider than is of use there."""
    pixels = frame.pixels_bgr
    height, width = pixels.shape[:2]
    if width > widest_px:
        pixels = cv2.resize(pixels, (widest_px, round(height * widest_px / width)), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    done, packed = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("OpenCV could not write this frame as JPEG")
    return packed.tobytes()
