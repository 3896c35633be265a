"""A strip of APA102 or SK9822 LEDs on SPI through luma.led_matrix (the extra `strip`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import luma.core.error
from luma.core.interface.serial import noop, spi
from PIL import Image

from firmware.drivers import missing
from firmware.faults import PartFault
from firmware.ports import Light
from hardware_config.settings import Apa102Lamps

# The last value says that the strip's own brightness counts.
OPAQUE_BLACK = (0, 0, 0, 255)
RGBA = {
    Light.OFF: OPAQUE_BLACK,
    Light.GREEN: (0, 255, 40, 255),
    Light.RED: (255, 0, 0, 255),
    Light.AMBER: (255, 130, 0, 255),
}


class Driver:
    def __init__(self, settings: Apa102Lamps, serial: Any = None) -> None:
        self.settings = settings
        self._serial = serial
        self._device: Any = None

    def open(self) -> int:
        settings = self.settings
        try:
            from luma.led_matrix.device import apa102
        except ImportError as error:
            raise PartFault("lamps", f"the strip needs {error.name}: pip install marchwarden[strip]") from error
        try:
            serial = self._serial or spi(port=settings.spi_port, device=settings.spi_device, gpio=noop())
            length = settings.first + settings.step * (settings.count - 1) + 1
            self._device = apa102(serial, cascaded=length)
            self._device.contrast(round(255 * settings.brightness))
        except ImportError as error:
            raise missing("lamps", error) from error
        except (OSError, luma.core.error.Error) as error:
            raise PartFault("lamps", f"the strip's SPI bus cannot be used ({error}); enable SPI") from error
        return settings.count

    def show(self, lights: Sequence[Light]) -> None:
        if self._device is None:
            raise PartFault("lamps", "the strip was not opened")
        picture = Image.new("RGBA", self._device.size, OPAQUE_BLACK)
        for n, light in enumerate(lights):
            picture.putpixel((self.settings.first + n * self.settings.step, 0), RGBA[light])
        try:
            self._device.display(picture)
        except OSError as error:
            raise PartFault("lamps", f"the strip's SPI bus is gone ({error})") from error

    def close(self) -> None:
        if self._device is not None:
            device, self._device = self._device, None
            device.cleanup()
