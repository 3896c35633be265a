"""USB cameras through V4L2 and OpenCV. Has met no real camera yet: see docs/build.md."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, cast

import cv2

from firmware.faults import PartFault
from firmware.ports import Frame
from hardware_config.settings import V4l2Camera
from vision.frame import Picture

MANUAL, AUTOMATIC = 1, 3  # V4L2's words for exposure, which OpenCV passes on


class Driver:
    def __init__(self, settings: V4l2Camera) -> None:
        self.settings = settings
        self._capture: cv2.VideoCapture | None = None
        self._number = 0
        self._is_changed = False

    def open(self) -> None:
        settings = self.settings
        capture = cv2.VideoCapture(settings.device, cv2.CAP_V4L2)
        if not capture.isOpened():
            raise PartFault(
                "camera",
                f"the USB camera {settings.device} cannot be opened; check its cable, the group video, and that no "
                "other program has it",
            )
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*settings.fourcc))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, settings.size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, settings.size[1])
        capture.set(cv2.CAP_PROP_FPS, settings.frames_per_second)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # the newest picture, not the oldest of a queue
        self._set(capture)
        self._capture = capture

    def _set(self, capture: cv2.VideoCapture) -> None:
        """Exposure and focus: locked where the settings say so, else left to the automatics."""
        settings = self.settings
        capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC if settings.exposure is None else MANUAL)
        if settings.exposure is not None:
            capture.set(cv2.CAP_PROP_EXPOSURE, settings.exposure)
        if settings.focus is not None:
            capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
            capture.set(cv2.CAP_PROP_FOCUS, settings.focus)
        elif self._is_changed:
            capture.set(cv2.CAP_PROP_AUTOFOCUS, 1)
        self._is_changed = False

    def read(self) -> Frame:
        if self._capture is None:
            raise PartFault("camera", "the USB camera was not opened")
        if self._is_changed:
            self._set(self._capture)
        got, pixels = self._capture.read()
        if not got:
            raise PartFault("camera", f"the USB camera {self.settings.device} gives no picture; check its cable")
        self._number += 1
        return Frame(self._number, cast(Picture, pixels), time.monotonic())

    def settled(self) -> dict[str, int]:
        """What the automatics have settled on, by the names of the settings that lock it; drivers without say -1."""
        if self._capture is None:
            raise PartFault("camera", "the USB camera was not opened")
        found = {"exposure": self._capture.get(cv2.CAP_PROP_EXPOSURE), "focus": self._capture.get(cv2.CAP_PROP_FOCUS)}
        return {name: round(value) for name, value in found.items() if value > 0}

    def lock(self, settings: Mapping[str, Any]) -> None:
        """Takes effect with the next frame, in the thread that reads them."""
        self.settings = V4l2Camera.model_validate(self.settings.model_dump() | dict(settings))
        self._is_changed = True

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None
