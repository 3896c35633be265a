"""A station on duty for eight hours of simulated time: game after game, two frames a second, and memory stays flat.

Its eye reads without a fault, so that a frame costs nothing; what photographs cost in memory is measured in
`benchmarks/station.py`. `MARCHWARDEN_SOAK_HOURS` says for how long.
"""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

from firmware.assemble import Parts, assemble
from firmware.drivers import make_buttons, make_display, make_lamps
from firmware.games import refereed
from firmware.simulation.demo import Demo
from firmware.simulation.scene import Habits
from firmware.simulation.station_table import StationTable
from firmware.stones import VARIANTS
from hardware_config.profile import PatienceSettings, Profile
from tests.firmware.page_station import TruthCamera, TruthEye

HOURS = float(os.environ.get("MARCHWARDEN_SOAK_HOURS", "8"))
FRAME_S = 0.5
THOUGHT = 60  # frames of a still table between two deeds: half a minute
ALLOWED_MB = 8.0  # once everything that is kept for good has been met


def memory_mb() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@pytest.mark.long
def test_memory_stays_flat_over_eight_hours_of_games(tmp_path: Path) -> None:
    profile = Profile(name="test", patience=PatienceSettings(settle_frames=1))
    game, camera = refereed("schotten-totten"), TruthCamera()
    table = StationTable(game.layout, Habits())
    camera.table = table  # type: ignore[assignment]
    display = make_display(profile.display[0])
    parts = Parts(camera, (display,), make_lamps(profile.lamps), make_buttons(profile.buttons))
    assembled = assemble(profile, parts, TruthEye(camera, game.layout), tmp_path / "journal.db", threads=False)
    loop = assembled.loop
    loop.station.begin({"rules": "base"})

    def think() -> None:
        for _ in range(THOUGHT):
            loop.step()
            loop.clock.sleep(FRAME_S)

    demo = Demo(loop, table, loop.clock, think)
    seed, hours, found = 0, 0.0, list[float]()
    while hours < HOURS:
        demo.play(list(VARIANTS.values())[seed % len(VARIANTS)], seed)
        seed, hours = seed + 1, loop.clock.monotonic_s() / 3600
        found.append(memory_mb())
        print(f"{hours:.1f} h, {seed} games, {loop.station.state.frame} frames, {found[-1]:.1f} MB")
    assembled.stop()
    assert demo.tally.wrong == []
    assert max(found) - found[len(VARIANTS)] < ALLOWED_MB
