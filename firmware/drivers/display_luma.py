"""Every display that luma knows, by luma's own options.

An absent chip shows itself as luma's DeviceNotFoundError or as a bare OSError in mid-picture; both mean the same here.
The picture stays on the panel when the program ends, so that a restart does not blank the table.
"""

from __future__ import annotations

import difflib
from typing import Any

import luma.core.error
import smbus2
from luma.core import cmdline
from PIL import Image

from firmware.drivers import missing
from firmware.faults import PartFault
from firmware.ports import Canvas
from hardware_config.settings import LumaDisplay

COMMANDS, NO_OPERATION = 0x00, 0xE3  # the control byte before commands, and the one that every panel ignores


def options(settings: LumaDisplay) -> Any:
    """Luma's own defaults with the profile's options laid over them."""
    found = cmdline.create_parser("display", autocomplete=False).parse_args([])
    for name, value in settings.options.model_dump().items():
        setattr(found, name, value)
    return found


def known() -> tuple[str, ...]:
    """The displays that the installed parts of luma can drive."""
    return tuple(name for names in cmdline.get_display_types().values() for name in names)


def stranger(settings: LumaDisplay) -> str | None:
    """What is wrong with the display's name, if the installed parts of luma do not know it."""
    name = settings.options.display
    if name in known():
        return None
    close = difflib.get_close_matches(name, known(), n=1)
    if close:
        return f"luma knows no display {name!r}; did you mean {close[0]}?"
    return f"luma knows no display {name!r}; `pip install luma.lcd` brings colour displays"


def _knock(*addresses: tuple[str, int]) -> None:
    """Says nothing to a panel, in its own words. One that does not answer raises OSError here, where the bus is closed
    again: luma would keep it open, and a display that is gone for an hour would use up all files that there are."""
    for bus, address in addresses:
        with smbus2.SMBus(int(bus.rsplit(" ", 1)[1])) as opened:
            opened.write_i2c_block_data(address, COMMANDS, [NO_OPERATION])


class Driver:
    def __init__(self, settings: LumaDisplay, device: Any = None) -> None:
        self._settings = settings
        self._given = device
        self._device: Any = None

    def open(self) -> Canvas:
        device = self._given or self._found()
        device.persist = True
        self._device = device
        return Canvas(device.width, device.height, device.mode != "1")

    def _found(self) -> Any:
        settings = self._settings
        if unknown := stranger(settings):
            raise PartFault("display", unknown)
        try:
            if settings.option("interface", "i2c") == "i2c":
                _knock(*settings.bus_addresses())
            return cmdline.create_device(options(settings))
        except ImportError as error:
            raise missing("display", error) from error
        except AssertionError as error:  # how luma says that a value will not do
            raise PartFault("display", f"luma takes no such options ({error}); see its manual") from error
        except (OSError, luma.core.error.Error) as error:
            raise PartFault("display", f"the display does not answer ({error}); check its wires and address") from error

    def show(self, picture: Image.Image) -> None:
        if self._device is None:
            raise PartFault("display", "the display was not opened")
        try:
            self._device.display(picture.convert(self._device.mode))
        except (OSError, luma.core.error.Error) as error:
            raise PartFault("display", f"the display stopped ({error}); check its wires") from error

    def close(self) -> None:
        if self._device is not None:
            device, self._device = self._device, None
            try:
                device.cleanup()
            except (OSError, luma.core.error.Error) as error:
                raise PartFault("display", f"the display was gone before it was closed ({error})") from error
