"""Drivers: one file and one settings class each, made from a profile's settings by name.

Nothing is imported before it is asked for: a station without lamps never loads gpiozero.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, cast

from firmware.faults import PartFault

if TYPE_CHECKING:
    from collections.abc import Mapping

    from firmware.ports import Broker, Buttons, Camera, Display, Lamps
    from hardware_config.settings import MqttBroker, Settings

# Libraries that a Pi has from its system's packages; pip would have to build them.
SYSTEM_PACKAGES = {
    "lgpio": "python3-lgpio",
    "spidev": "python3-spidev",
    "RPi": "python3-rpi-lgpio",
    "picamera2": "python3-picamera2",
    "libcamera": "python3-libcamera",
}


def missing(part: str, error: ImportError) -> PartFault:
    """The fault of a part whose library is not installed: which one, and how to get it."""
    name = str(error.name).partition(".")[0]
    package = SYSTEM_PACKAGES.get(name)
    how = f"sudo apt install {package}, in a venv with system packages" if package else f"pip install {name}"
    return PartFault(part, f"the {part} needs {error.name}, which is not installed: {how}")


def pin_faults() -> tuple[type[Exception], ...]:
    """What a pin of the header that cannot be used is told by: gpiozero's errors, the system's, and those of lgpio,
    which gpiozero hands on as they are."""
    import gpiozero

    try:
        import lgpio
    except ImportError:
        return (gpiozero.GPIOZeroError, OSError)
    return (gpiozero.GPIOZeroError, OSError, lgpio.error)


def make(part: str, settings: Settings, *more: Any) -> Any:
    """The driver for a part (`camera`, `display` …): class `Driver` of `drivers/<part>_<driver>.py`."""
    driver = str(settings.model_dump()["driver"])
    try:
        module = importlib.import_module(f"firmware.drivers.{part}_{driver}")
    except ImportError as error:
        raise missing(part, error) from error
    return module.Driver(settings, *more)


def make_camera(settings: Settings) -> Camera:
    return cast("Camera", make("camera", settings))


def make_display(settings: Settings) -> Display:
    return cast("Display", make("display", settings))


def make_lamps(settings: Settings) -> Lamps:
    return cast("Lamps", make("lamps", settings))


def make_buttons(settings: Settings) -> Buttons:
    return cast("Buttons", make("buttons", settings))


def make_broker(
    settings: MqttBroker, user: str, subscriptions: tuple[str, ...], will: tuple[str, Mapping[str, Any]] | None = None
) -> Broker:
    """The way to an event's broker. The hub, which has no will, listens with an ear of its own making."""
    if user == "hub":
        from firmware.drivers.broker_mqtt_bulk import Driver

        return Driver(settings, user, subscriptions)
    return cast("Broker", make("broker", settings, user, subscriptions, will))
