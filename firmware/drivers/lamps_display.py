"""No lamps: the row of boxes on the display says it all."""

from __future__ import annotations

from collections.abc import Sequence

from firmware.ports import Light
from hardware_config.settings import DisplayLamps


class Driver:
    def __init__(self, settings: DisplayLamps) -> None:
        self.settings = settings

    def open(self) -> int:
        return 0

    def show(self, lights: Sequence[Light]) -> None:
        return

    def close(self) -> None:
        return
