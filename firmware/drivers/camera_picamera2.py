"""Camera modules of the Pi through picamera2. Has met no real module yet: see docs/build.md.

picamera2 calls the order of bytes by its last letter first: its format RGB888 is blue, green, red in memory, which is
what the rest of the station wants. What was asked for is not always what is configured, so size and stride are read
back.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from firmware.drivers import missing
from firmware.faults import PartFault
from firmware.ports import Frame
from hardware_config.settings import Picamera2Camera
from vision.frame import Picture

FORMAT = "RGB888"
MANUAL_FOCUS, CONTINUOUS_FOCUS = 0, 2  # libcamera's AfModeManual and AfModeContinuous


class Driver:
    def __init__(self, settings: Picamera2Camera) -> None:
        self.settings = settings
        self._camera: Any = None
        self._size = settings.size
        self._number = 0
        self._is_changed = False

    def open(self) -> None:
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise missing("camera", error) from error
        try:
            camera = Picamera2(self.settings.camera)
            wanted = {"size": self.settings.size, "format": FORMAT}
            configuration = camera.create_video_configuration(main=wanted, controls=self.controls())
            camera.configure(configuration)
            self._check(camera.camera_configuration()["main"])
            camera.start()
            if self.settings.lens_position is None and "AfMode" in camera.camera_controls:
                camera.set_controls({"AfMode": CONTINUOUS_FOCUS})  # left alone, a module 3 stays where it is
        except (RuntimeError, OSError, IndexError) as error:
            raise PartFault("camera", f"the camera module does not answer ({error}); check the ribbon cable") from error
        self._camera = camera

    def read(self) -> Frame:
        if self._camera is None:
            raise PartFault("camera", "the camera module was not opened")
        try:
            if self._is_changed:
                self._is_changed = False
                self._camera.set_controls(self._automatics() | self.controls())
            pixels = self._camera.capture_array("main")
        except (RuntimeError, OSError) as error:
            raise PartFault("camera", f"the camera module stopped ({error}); check the ribbon cable") from error
        self._number += 1
        return Frame(self._number, self._cropped(pixels), time.monotonic())

    def close(self) -> None:
        if self._camera is not None:
            self._camera.stop()
            self._camera.close()
            self._camera = None

    def settled(self) -> dict[str, Any]:
        """What the automatics have settled on, by the names of the settings that lock it."""
        if self._camera is None:
            raise PartFault("camera", "the camera module was not opened")
        try:
            metadata = self._camera.capture_metadata()
        except (RuntimeError, OSError) as error:
            raise PartFault("camera", f"the camera module stopped ({error}); check the ribbon cable") from error
        found = {
            "exposure_us": int(metadata["ExposureTime"]),
            "gain": max(1.0, round(float(metadata["AnalogueGain"]), 3)),
            "white_balance": [round(float(gain), 3) for gain in metadata["ColourGains"]],
        }
        lens = {"lens_position": round(float(metadata["LensPosition"]), 3)} if "LensPosition" in metadata else {}
        return found | lens

    def lock(self, settings: Mapping[str, Any]) -> None:
        """Takes effect with the next frame, in the thread that reads them."""
        self.settings = Picamera2Camera.model_validate(self.settings.model_dump() | dict(settings))
        self._is_changed = True

    def _automatics(self) -> dict[str, Any]:
        """Everything in the hands of the automatics, as far as the module has them."""
        wanted = {"AeEnable": True, "AwbEnable": True, "AfMode": CONTINUOUS_FOCUS}
        return {name: value for name, value in wanted.items() if name in self._camera.camera_controls}

    def controls(self) -> dict[str, Any]:
        """libcamera's controls: what the profile fixes is taken out of the hands of the automatics."""
        settings = self.settings
        frame_us = round(1e6 / settings.frames_per_second)
        controls: dict[str, Any] = {"FrameDurationLimits": (frame_us, frame_us)}
        if settings.exposure_us is not None:
            controls |= {"AeEnable": False, "ExposureTime": settings.exposure_us}
        if settings.gain is not None:
            controls |= {"AeEnable": False, "AnalogueGain": settings.gain}
        if settings.white_balance is not None:
            controls |= {"AwbEnable": False, "ColourGains": settings.white_balance}
        if settings.lens_position is not None:
            controls |= {"AfMode": MANUAL_FOCUS, "LensPosition": settings.lens_position}
        return controls

    def _check(self, configured: dict[str, Any]) -> None:
        if configured["format"] != FORMAT:
            raise PartFault("camera", f"the camera module gives {configured['format']} instead of {FORMAT}")
        width, height = configured["size"]
        self._size = (int(width), int(height))

    def _cropped(self, pixels: Any) -> Picture:
        """Without the padding at the end of each row, as one piece of memory of its own."""
        width, height = self._size
        return cast(Picture, np.ascontiguousarray(pixels[:height, :width, :3]))
