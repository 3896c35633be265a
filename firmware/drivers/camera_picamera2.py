"""Camera modules of the Pi through picamera2. Has met no real module yet: see docs/build.md.

picamera2 calls the order of bytes by its last letter first: its format RGB888 is blue, green, red in memory, which is
what the rest of the station wants. What was asked for is not always what is configured, so size and stride are read
back.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np

from firmware.drivers import missing
from firmware.faults import PartFault
from firmware.ports import Frame
from hardware_config.settings import Picamera2Camera
from vision.frame import Picture

FORMAT = "RGB888"
MANUAL_FOCUS, CONTINUOUS_FOCUS = 0, 2  # libcamera's AfModeManual and AfModeContinuous
AUTOMATICS = {"AeEnable": True, "AwbEnable": True, "AfMode": CONTINUOUS_FOCUS}
# What libcamera tells of a picture, and the setting that locks it. A module without a motor has no lens position.
SETTLED: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "ExposureTime": ("exposure_us", int),
    "AnalogueGain": ("gain", lambda gain: max(1.0, round(float(gain), 3))),
    "ColourGains": ("white_balance", lambda gains: [round(float(gain), 3) for gain in gains]),
    "LensPosition": ("lens_position", lambda dioptres: round(float(dioptres), 3)),
}


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
        camera = None
        try:
            camera = Picamera2(self.settings.camera)
            wanted = {"size": self.settings.size, "format": FORMAT}
            controls = _known_to(camera, self.controls())
            camera.configure(camera.create_video_configuration(main=wanted, controls=controls))
            self._check(camera.camera_configuration()["main"])
            camera.start()
            if self.settings.lens_position is None and "AfMode" in camera.camera_controls:
                camera.set_controls({"AfMode": CONTINUOUS_FOCUS})  # left alone, a module 3 stays where it is
        except (RuntimeError, OSError, IndexError, PartFault) as error:
            if camera is not None:
                camera.close()  # else libcamera holds the module, and nobody can open it any more
            raise error if isinstance(error, PartFault) else _fault("does not answer", error) from error
        self._camera = camera

    def read(self) -> Frame:
        if self._camera is None:
            raise PartFault("camera", "the camera module was not opened")
        try:
            if self._is_changed:
                self._is_changed = False
                self._camera.set_controls(_known_to(self._camera, AUTOMATICS | self.controls()))
            pixels = self._camera.capture_array("main")
        except (RuntimeError, OSError) as error:
            raise _fault("stopped", error) from error
        self._number += 1
        return Frame(self._number, self._cropped(pixels), time.monotonic())

    def close(self) -> None:
        if self._camera is not None:
            camera, self._camera = self._camera, None
            try:
                camera.stop()
                camera.close()
            except (RuntimeError, OSError) as error:
                raise _fault("was gone before it was closed", error) from error

    def settled(self) -> dict[str, Any]:
        """What the automatics have settled on, by the names of the settings that lock it."""
        if self._camera is None:
            raise PartFault("camera", "the camera module was not opened")
        try:
            metadata = self._camera.capture_metadata()
        except (RuntimeError, OSError) as error:
            raise _fault("stopped", error) from error
        return {setting: kept(metadata[name]) for name, (setting, kept) in SETTLED.items() if name in metadata}

    def lock(self, settings: Mapping[str, Any]) -> None:
        """Takes effect with the next frame, in the thread that reads them."""
        self.settings = Picamera2Camera.model_validate(self.settings.model_dump() | dict(settings))
        self._is_changed = True

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


def _known_to(camera: Any, controls: Mapping[str, Any]) -> dict[str, Any]:
    """The controls that this module has: picamera2 refuses all of them for the sake of one that it has not, such as
    the focus of a lens that is turned by hand."""
    return {name: value for name, value in controls.items() if name in camera.camera_controls}


def _fault(what: str, error: Exception) -> PartFault:
    """picamera2 often says only that something went wrong; what, it keeps as the cause."""
    why = str(error.__cause__ or error)
    taken = "stop the program that has it: sudo systemctl stop marchwarden"
    todo = taken if "busy" in why.lower() else "check the ribbon cable"
    return PartFault("camera", f"the camera module {what} ({why}); {todo}")
