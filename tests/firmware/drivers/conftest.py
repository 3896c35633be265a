"""gpiozero's own mock pins, and picamera2 as its manual describes it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from tests.firmware.drivers.stand_in_camera import StandInCamera, picamera2

__all__ = ["StandInCamera", "picamera2"]


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    factory = MockFactory()
    before, gpiozero.Device.pin_factory = gpiozero.Device.pin_factory, factory
    yield factory
    factory.reset()
    gpiozero.Device.pin_factory = before


class HeldByTheKernel(MockFactory):  # type: ignore[misc]
    """Pins as gpiozero finds them on a Pi where a kernel driver has them: lgpio's own error comes through."""

    def pin(self, name: int | str) -> Any:
        raise sys.modules["lgpio"].error("GPIO busy")


@pytest.fixture
def held_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    lgpio = ModuleType("lgpio")
    lgpio.error = type("error", (Exception,), {})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", HeldByTheKernel())
