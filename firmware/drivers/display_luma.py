"""Every display that luma knows, by luma's own options.

An absent chip shows itself as luma's DeviceNotFoundError or as a bare OSError in mid-picture; both mean the same here.
The picture stays on the panel when the program ends, so that a restart does not blank the table.
"""

from __future__ import annotations

from typing import Any

import luma.core.error
from luma.core import cmdline
from PIL import Image

from firmware.faults import PartFault
from firmware.ports import Canvas
from hardware_config.settings import LumaDisplay


def options(settings: LumaDisplay) -> Any:
    """Luma's own defaults with the profile's options laid over them; an unknown option is a mistake."""
    found = cmdline.create_parser("display", autocomplete=False).parse_args([])
    for name, value in settings.options.items():
        if not hasattr(found, name):
            raise PartFault("display", f"luma has no option {name}; it has {', '.join(sorted(vars(found)))}")
        setattr(found, name, value)
    return found


class Driver:
    def __init__(self, settings: LumaDisplay, device: Any = None) -> None:
        self._settings = settings
        self._given = device
        self._device: Any = None

    def open(self) -> Canvas:
        try:
            device = self._given or cmdline.create_device(options(self._settings))
        except (OSError, luma.core.error.Error, ImportError) as error:
            raise PartFault("display", f"the display does not answer ({error}); check its wires and address") from error
        if device is None:
            name = self._settings.options.get("display")
            raise PartFault("display", f"luma knows no display {name!r}; `pip install luma.lcd` brings colour displays")
        device.persist = True
        self._device = device
        return Canvas(device.width, device.height, device.mode != "1")

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
