"""gpiozero's own mock pins, and picamera2 as its manual describes it."""

from __future__ import annotations

from collections.abc import Iterator

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
