"""Photographs a virtual table with every flaw of a real camera. A full member of the port: it is the demo, the
training mode, the end-to-end test and the way a bug is reproduced."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from firmware.clocks import SystemClock
from firmware.faults import PartFault
from firmware.ports import Clock, Frame
from firmware.simulation.artwork import Artwork
from firmware.simulation.camera import Camera as Mounting
from firmware.simulation.flaws import PRESETS
from firmware.simulation.light import Light
from firmware.simulation.photograph import Photographer
from firmware.simulation.station_table import StationTable
from hardware_config.settings import SimulatedCamera
from vision.layout import schotten_totten


class Driver:
    """`table` is what lies there; it, `light`, `mounting` and `unplugged` may be changed while the camera runs."""

    def __init__(self, settings: SimulatedCamera, seed: int = 0, clock: Clock | None = None) -> None:
        flaws = PRESETS[settings.flaws]
        layout = schotten_totten()
        rng = np.random.default_rng([seed, 1])
        self.habits = replace(flaws.habits, hand=0.0, half_outside=0.0, towards_stone=0.0)
        self.table = StationTable(layout, self.habits, seed)
        self.mounting: Mounting = flaws.camera(settings.size, rng)
        self.light: Light = flaws.light(layout.size_mm, rng)
        self.unplugged = False
        self.clock = clock or SystemClock()
        self._photographer: Photographer | None = None
        self._rng = np.random.default_rng([seed, 2])
        self._number = 0

    def open(self) -> None:
        if self.unplugged:
            raise PartFault("camera", "the simulated camera is unplugged")

    def read(self) -> Frame:
        if self.unplugged:
            raise PartFault("camera", "the simulated camera is unplugged")
        self._number += 1
        photographer = self._photographer
        if photographer is None or photographer.layout is not self.table.layout:  # another table was put below it
            photographer = Photographer(self.table.layout, Artwork.drawn(game=self.table.layout.game))
            self._photographer = photographer
        photo = photographer.photograph(self.table.scene(), self.mounting, self.light, self._rng)
        return Frame(self._number, photo.pixels_bgr, self.clock.monotonic_s())

    def close(self) -> None:
        return

    def bump(self, by_deg: float = 1.0) -> None:
        """Somebody knocked against the camera: it leans a little more from now on."""
        pose = self.mounting.pose
        self.mounting = replace(self.mounting, pose=replace(pose, tilt_deg=pose.tilt_deg + by_deg))
