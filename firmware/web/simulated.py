"""A station without hardware, with its page: an open table, visitors and computer players.

Apart from `house`, so that a station at a real table carries nothing of it in memory.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware.assemble import Assembled, Parts
from firmware.games import refereed
from firmware.ports import Camera, Frame
from firmware.simulation.flaws import PRESETS
from firmware.simulation.manners import Manners
from firmware.simulation.open_table import OpenTable
from firmware.simulation.plays import SIMULATED
from firmware.web.house import Front, open_front
from firmware.web.login import Login
from firmware.web.noticeboard import Noticeboard
from firmware.web.visitors import Visitors
from hardware_config.profile import Profile

if TYPE_CHECKING:
    from firmware.loop import Eye

FRAME_S = 0.12  # the simulated camera is no faster than a real one


class PacedCamera:
    """A camera that takes its time, so that a simulated one leaves the computer to others."""

    def __init__(self, camera: Camera, frame_s: float = FRAME_S) -> None:
        self._camera = camera
        self._frame_s = frame_s
        self._next_s = 0.0

    def open(self) -> None:
        self._camera.open()

    def read(self) -> Frame:
        time.sleep(max(0.0, self._next_s - time.monotonic()))
        self._next_s = time.monotonic() + self._frame_s
        return self._camera.read()

    def close(self) -> None:
        self._camera.close()


def simulated_front(
    profile: Profile,
    journal: Path,
    parts: Parts,
    eye: Eye,
    seed: int,
    manners: Manners,
    frame_s: float = FRAME_S,
    decks: Path | None = None,
    login: Login | None = None,
) -> Front:
    """A station without hardware, with visitors and computer players at its table: `parts.camera` is a simulated one,
    and gets the table to photograph."""
    game = refereed(profile.table.game)
    camera: Any = parts.camera
    flaws = profile.camera.flaws if profile.camera.driver == "simulated" else "none"
    habits = replace(PRESETS[flaws].habits, hand=0.0, half_outside=0.0, towards_stone=0.0, upside_down=0.0)
    table = OpenTable(game.layout, game.places, habits, seed)
    camera.table = table
    simulated = SIMULATED[game.game.name]
    room = simulated.room(table, camera, game.rules(profile.table.variant)["rules"], seed)

    def visitors(assembled: Assembled, board: Noticeboard) -> Visitors:
        station, clock = assembled.loop.station, assembled.loop.clock
        return Visitors(simulated.company(room, station.take, manners), station, board, clock)

    paced = replace(parts, camera=PacedCamera(camera, frame_s))
    return open_front(profile, journal, eye, paced, visitors, decks, login)
