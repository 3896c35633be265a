"""A display that keeps what it was shown. The page, the live view and the tests look at it."""

from __future__ import annotations

from PIL import Image

from firmware.ports import Canvas
from hardware_config.settings import SimulatedDisplay


class Driver:
    def __init__(self, settings: SimulatedDisplay) -> None:
        self.canvas = Canvas(*settings.size, settings.colours)
        self.picture: Image.Image | None = None

    def open(self) -> Canvas:
        return self.canvas

    def show(self, picture: Image.Image) -> None:
        self.picture = picture

    def close(self) -> None:
        self.picture = None
