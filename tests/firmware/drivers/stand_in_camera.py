"""picamera2 without a camera: as much of it as the driver uses, and as particular as the real one."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

CONTROLS = {
    "AeEnable": (False, True, True), "AfMode": (0, 2, 0), "AnalogueGain": (1.0, 16.0, 1.0),
    "AwbEnable": (False, True, True), "ColourGains": (0.0, 32.0, 1.0), "ExposureTime": (1, 10**6, 20000),
    "FrameDurationLimits": (10**4, 10**6, 33333), "LensPosition": (0.0, 15.0, 1.0),
}  # fmt: skip


class StandInCamera:
    """picamera2 as it was seen on libcamera's virtual pipeline: what was asked for is not what is configured, rows are
    padded, a control that the module has not is refused, and a module that was not closed is busy for good."""

    made: ClassVar[list[StandInCamera]]
    camera_controls: ClassVar[dict[str, Any]] = CONTROLS
    format = ""  # what is configured whatever was asked for

    def __init__(self, number: int) -> None:
        self.number = number
        if any(other.number == number for other in self.made):
            busy = RuntimeError("Failed to acquire camera: Device or resource busy")
            raise RuntimeError("Camera __init__ sequence did not complete.") from busy
        self.running = False
        self.made.append(self)

    def create_video_configuration(self, main: dict[str, Any], controls: dict[str, Any]) -> dict[str, Any]:
        return {"main": dict(main), "controls": controls}

    def configure(self, configuration: dict[str, Any]) -> None:
        self._refuse_unknown(configuration["controls"])
        width, height = configuration["main"]["size"]
        self.configuration = configuration
        self.main = {**configuration["main"], "size": (width // 2 * 2, height), "stride": (width + 31) // 32 * 32 * 3}
        self.main["format"] = self.format or self.main["format"]

    def camera_configuration(self) -> dict[str, Any]:
        return {"main": self.main}

    def start(self) -> None:
        self.running = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        self._refuse_unknown(controls)
        self.configuration["controls"] |= controls

    def _refuse_unknown(self, controls: dict[str, Any]) -> None:
        for name in controls.keys() - self.camera_controls.keys():
            raise RuntimeError(f"Control {name} is not advertised by libcamera")

    def capture_metadata(self) -> dict[str, Any]:
        told = {"ExposureTime": 9987, "AnalogueGain": 1.12299, "ColourGains": (1.9004, 1.6), "LensPosition": 1.2501}
        return {"SensorTimestamp": 1} | {name: value for name, value in told.items() if name in self.camera_controls}

    def capture_array(self, name: str) -> np.ndarray:
        if not self.running:
            raise RuntimeError("not started")
        width, height = self.main["size"]
        rows = np.zeros((height, self.main["stride"] // 3, 3), np.uint8)
        rows[:, :width] = (200, 100, 50)  # RGB888 is blue, green, red in memory
        return rows

    def stop(self) -> None:
        self.running = False

    def close(self) -> None:
        self.made.remove(self)


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> type[StandInCamera]:
    module = ModuleType("picamera2")
    StandInCamera.made = []
    module.Picamera2 = StandInCamera  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    return StandInCamera
