"""Storage, journal, camera and buttons that fail: each is named on whatever is left, and comes back by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.faults import JournalFault
from firmware.feel import Feeler
from firmware.journal import Journal
from firmware.ports import Button, Edge
from firmware.present import present
from tests.firmware.simulated import Shutter, simulated
from tests.firmware.sitting import Sitting


@pytest.mark.fault("disk-full")
def test_a_full_disk_stops_verdicts_and_they_go_on_when_there_is_room(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base")
    db = sitting.journal._db
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count={pages}")
    for n in range(60):
        sitting.table.clear()
        sitting.table.lay(f"{'rygbpo'[n % 6]}{n % 9 + 1}", "3A")
        sitting.look()
        if sitting.said[0] == "DISK FULL":
            break
    assert sitting.said == ("DISK FULL", "Call a judge")
    told = len(sitting.events)
    sitting.look()
    assert len(sitting.events) == told, "no verdict without its entry"
    db.execute("PRAGMA max_page_count=1000000")
    sitting.look()
    assert len(sitting.events) > told
    assert sitting.said[0] != "DISK FULL"


@pytest.mark.fault("storage-fault")
def test_storage_that_cannot_be_written_stops_verdicts(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base")
    sitting.journal._db.execute("PRAGMA query_only=ON")
    assert sitting.play("A g5@3") == []
    assert sitting.said == ("STORAGE FAULT", "Swap the station")
    sitting.journal._db.execute("PRAGMA query_only=OFF")
    sitting.look()
    assert len(sitting.events) == 1


@pytest.mark.fault("journal-damaged")
def test_a_damaged_journal_and_a_second_station_are_named(sit: Callable[[str], Sitting], tmp_path: Path) -> None:
    sitting = sit("base")
    with pytest.raises(JournalFault, match="another station") as busy:
        Journal(sitting.path, sitting.clock)
    assert busy.value.trouble == "journal-busy"
    (tmp_path / "bad.db").write_bytes(b"x" * 4096)
    with pytest.raises(JournalFault) as damaged:
        Journal(tmp_path / "bad.db", sitting.clock)
    assert damaged.value.trouble == "log-damaged"


@pytest.mark.fault("camera-unplugged", "players-away")
def test_the_loop_names_lost_parts_and_idle_players_by_itself(tmp_path: Path) -> None:
    _, loop, _ = simulated(tmp_path)

    def said() -> str:
        return present(loop.station.state, loop.station.refereed, "en").screen.headline

    loop.step()
    shutter = loop.camera
    assert isinstance(shutter, Shutter)
    shutter.lost = "pulled out"
    loop.step()
    assert said() == "NO CAMERA"
    shutter.lost = None
    loop.step()
    assert said() == "READY"
    loop.clock.sleep(700)
    loop.step()
    assert said() == "STILL PLAYING?"


@pytest.mark.fault("button-stuck")
def test_a_stuck_button_is_named_and_ignored(tmp_path: Path) -> None:
    from firmware.drivers.buttons_simulated import Driver
    from hardware_config.settings import SimulatedButtons

    _, loop, _ = simulated(tmp_path)
    buttons = Driver(SimulatedButtons())
    loop.buttons = Feeler(buttons, loop.clock)
    buttons.hold_down(Button.TURN, loop.clock.monotonic_s())
    loop.step()
    loop.clock.sleep(31)
    loop.step()
    assert present(loop.station.state, loop.station.refereed, "en").screen.headline == "BUTTON STUCK"
    buttons._edges.append(Edge(Button.TURN, False, loop.clock.monotonic_s()))
    loop.step()
    loop.step()
    assert present(loop.station.state, loop.station.refereed, "en").screen.headline == "READY"
