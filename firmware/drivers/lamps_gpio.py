"""Bi-colour LEDs on the header through gpiozero: amber is both at once."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import gpiozero

from firmware.drivers import pin_faults
from firmware.faults import PartFault
from firmware.ports import Light
from hardware_config.settings import GpioLamps

warnings.simplefilter("ignore", gpiozero.PinFactoryFallback)  # that no way to the pins is left is said by a PartFault
GREEN = {Light.GREEN, Light.AMBER}
RED = {Light.RED, Light.AMBER}


class Driver:
    def __init__(self, settings: GpioLamps) -> None:
        self.settings = settings
        self._leds: list[tuple[Any, Any]] = []

    def open(self) -> int:
        settings = self.settings
        try:
            for green, red in zip(settings.green, settings.red, strict=True):
                self._leds.append((self._led(green), self._led(red)))
        except pin_faults() as error:
            self.close()
            raise PartFault("lamps", f"the lamps' pins cannot be used ({error}); see `marchwarden doctor`") from error
        return len(self._leds)

    def show(self, lights: Sequence[Light]) -> None:
        try:
            for (green, red), light in zip(self._leds, lights, strict=True):
                green.value = light in GREEN
                red.value = light in RED
        except pin_faults() as error:
            raise PartFault("lamps", f"the lamps' pins are gone ({error})") from error

    def close(self) -> None:
        leds, self._leds = self._leds, []
        try:
            for pair in leds:
                for led in pair:
                    led.close()
        except pin_faults() as error:
            raise PartFault("lamps", f"the lamps' pins were gone before they were let go ({error})") from error

    def _led(self, pin: int) -> Any:
        return gpiozero.LED(pin, active_high=self.settings.active_high)
