"""A simulated station with its page, whose eye reads without a fault: for tests of the page and what stands behind it.

The way through photographs is tested elsewhere, and once from end to end in the browser; here a frame costs nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from firmware.assemble import Parts
from firmware.clocks import SystemClock
from firmware.drivers import make_buttons, make_display, make_lamps
from firmware.faults import PartFault
from firmware.games import refereed
from firmware.ports import Frame
from firmware.simulation.camera import Camera as Mounting
from firmware.simulation.light import Light
from firmware.simulation.manners import PACES_S, Manners
from firmware.simulation.open_table import OpenTable
from firmware.state import saying
from firmware.station import Sighting
from firmware.web.house import Front
from firmware.web.simulated import simulated_front
from hardware_config.profile import PageSettings, PatienceSettings, Profile
from tests.firmware.sitting import observation
from vision.layout import Layout
from vision.observation import Observation, Reading

VISITORS = Manners(seats=(("A", False), ("B", False)), pace_s=PACES_S["fast"])
FRAME_S = 0.02


class TruthCamera:
    """A simulated camera whose pictures show nothing; what they would show is the table itself."""

    table: OpenTable

    def __init__(self) -> None:
        self.light, self.mounting, self.unplugged = Light(), Mounting(), False
        self.bumped = False
        self._number = 0

    def open(self) -> None:
        if self.unplugged:
            raise PartFault("camera", "the simulated camera is unplugged")

    def read(self) -> Frame:
        self.open()
        self._number += 1
        rng = np.random.default_rng(self._number)
        return Frame(self._number, rng.integers(0, 255, (72, 128, 3), np.uint8), SystemClock().monotonic_s())

    def close(self) -> None:
        return

    def bump(self, by_deg: float = 1.0) -> None:
        self.bumped = True


class TruthEye:
    """Reads what lies on the camera's table. Under a hand nothing is read, and in the dark nothing at all."""

    def __init__(self, camera: TruthCamera, layout: Layout) -> None:
        self._camera = camera
        self._layout = layout

    def look(self, frame: Frame) -> Sighting:
        table = self._camera.table
        moved, self._camera.bumped = self._camera.bumped, False
        if self._camera.mounting.sensor.exposure < 0.1:
            return Sighting(frame.number, frame.taken_s, None, (saying("too-dark"),), moved)
        held = frozenset(fan.place for fan in self._layout.fans) if table.hands else frozenset()
        seen = observation(table.board, self._layout, held)
        return Sighting(frame.number, frame.taken_s, _outlined(seen), (), moved)


def _outlined(seen: Observation) -> Observation:
    corners = ((10.0, 10.0), (30.0, 10.0), (30.0, 40.0), (10.0, 40.0))

    def outlined(reading: Reading) -> Reading:
        return replace(reading, corners_px=corners)

    return replace(seen, cards={place: tuple(map(outlined, readings)) for place, readings in seen.cards.items()})


class PageStation:
    """A station at work in a thread of its own, and its page."""

    def __init__(self, folder: Path, manners: Manners = VISITORS, seed: int = 1, patience_s: float = 0.05) -> None:
        self.profile = Profile(
            name="test",
            page=PageSettings(port=0),
            patience=PatienceSettings(settle_frames=1, put_right_s=patience_s),
        )
        self.camera = TruthCamera()
        layout = refereed("schotten-totten").layout
        display, lamps = make_display(self.profile.display[0]), make_lamps(self.profile.lamps)
        parts = Parts(self.camera, (display,), lamps, make_buttons(self.profile.buttons))
        self.display: Any = display
        eye = TruthEye(self.camera, layout)
        self.front: Front = simulated_front(self.profile, folder / "journal.db", parts, eye, seed, manners, FRAME_S)
        self.address = self.front.address
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)

    @property
    def station(self) -> Any:
        return self.front.services.desk.station

    @property
    def table(self) -> OpenTable:
        return self.camera.table

    def do(self, errand: Callable[[], Any]) -> Any:
        """Something done in the station's thread."""
        return self.front.services.desk.errand(errand).result(10)

    def hold(self, player: str, *codes: str) -> None:
        """Puts these cards into a hand, wherever they were: a test chooses what it plays."""
        from engine.schotten_totten.cards import parse_card

        room: Any = self.front.services.visitors.room  # type: ignore[union-attr]

        def deal() -> None:
            held = room.held
            for code in codes:
                held = held.without(parse_card(code))
            room.held = held.with_hand(player, (*held.hand(player), *map(parse_card, codes)))
            room.revision += 1

        self.do(deal)

    def start(self) -> None:
        self.front.assembled.start()
        self.front.start()
        self.station.begin({"rules": "base"})
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(5)
        self.front.stop()
        self.front.assembled.stop()

    def _work(self) -> None:
        while not self._stopping.is_set():
            self.front.assembled.loop.step()
            self.front.tick()


@contextmanager
def page_station(folder: Path, manners: Manners = VISITORS, seed: int = 1) -> Iterator[PageStation]:
    station = PageStation(folder, manners, seed)
    station.start()
    try:
        yield station
    finally:
        station.stop()
