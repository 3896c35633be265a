"""Lamps that keep what they were told. The page, the live view and the tests look at them."""

from __future__ import annotations

from collections.abc import Sequence

from firmware.ports import Light
from hardware_config.settings import SimulatedLamps


class Driver:
    def __init__(self, settings: SimulatedLamps) -> None:
        self.lights = (Light.OFF,) * settings.count

    def open(self) -> int:
        return len(self.lights)

    def show(self, lights: Sequence[Light]) -> None:
        self.lights = tuple(lights)

    def close(self) -> None:
        self.lights = (Light.OFF,) * len(self.lights)
