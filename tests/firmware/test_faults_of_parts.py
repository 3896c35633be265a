"""Storage, journal, camera and buttons that fail: each is named on whatever is left, and comes back by itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.assemble import assemble, make_parts
from firmware.cli import marchwarden
from firmware.clocks import SimulatedClock, SystemClock
from firmware.commands import Pressed
from firmware.drivers.display_terminal import as_blocks
from firmware.faults import JournalFault
from firmware.feel import Feeler
from firmware.gestures import Press
from firmware.health import checks
from firmware.journal import Journal
from firmware.ports import Button, Canvas, Edge
from firmware.present import present
from firmware.screen import draw
from firmware.signals import Screen, Tone
from hardware_config.profile import PatienceSettings, Profile
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
    assert sitting.said[0] == "CHECK BOARD", "what was played meanwhile was not judged in its turn"
    assert "or press TURN" in sitting.snapshots[-1].signals.notice
    assert len(sitting.events) == told
    assert sitting.ask(Pressed(Press(Button.TURN))) is None
    sitting.look()
    assert len(sitting.events) > told
    assert "the journal can be written again" in [entry.line for entry in sitting.journal.entries()]


@pytest.mark.fault("disk-full")
def test_moves_played_on_while_the_disk_was_full_are_no_fouls_afterwards(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base")
    sitting.play("A g5@3")
    sitting.journal._db.execute("PRAGMA query_only=ON")
    sitting.play("B r1@3", "A g6@3", "B r2@3", "A g7@3")
    assert sitting.said[0] == "STORAGE FAULT"
    sitting.journal._db.execute("PRAGMA query_only=OFF")
    sitting.look(60.0)
    assert sitting.said == ("CHECK BOARD", "Differences: 4")
    for name, place in (("g7", "3A"), ("r2", "3B"), ("g6", "3A")):
        sitting.table.take(name, place)
    sitting.look()
    assert [(str(one.told.fact), one.told.verdict.legal) for one in sitting.events] == [
        ("A g5@3", True),
        ("B r1@3", True),
    ]


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


@pytest.mark.parametrize("threads", [False, True])
def test_the_profile_says_how_long_idle_players_are_left_alone(tmp_path: Path, threads: bool) -> None:
    profile = Profile(name="x", patience=PatienceSettings(idle_s=60.0))
    _, seeing, _ = simulated(tmp_path)
    assembled = assemble(profile, make_parts(profile), seeing.eye, tmp_path / "other.db", threads=threads)
    assert assembled.loop.idle_s == 60.0
    assembled.journal.close()
    seeing.idle_s = 60.0
    for seconds, headline in ((59, "READY"), (2, "STILL PLAYING?")):
        seeing.clock.sleep(seconds)
        seeing.step()
        assert present(seeing.station.state, seeing.station.refereed, "en").screen.headline == headline


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


@pytest.mark.fault("journal-damaged")
def test_a_damaged_journal_is_said_on_the_display_and_set_aside_for_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, journal = tmp_path / "hardware.toml", tmp_path / "journal.db"
    mine.write_text('language = "en"\n[[display]]\ndriver = "terminal"\n')
    journal.write_bytes(b"x" * 4096)
    for name, path in (("HARDWARE", mine), ("JOURNAL", journal), ("DATA", tmp_path), ("FRAMES", tmp_path / "frames")):
        monkeypatch.setenv(f"MARCHWARDEN_{name}", str(path))
    done = CliRunner().invoke(marchwarden, ["run", "--games", "1"])
    assert done.exit_code == 2
    said = draw(Screen("LOG DAMAGED", "Call a judge", Tone.WARNING), Canvas(128, 64))
    assert "\n".join(as_blocks(said)) in done.stdout
    assert journal.read_bytes() == b"x" * 4096, "never mended in silence"
    assert CliRunner().invoke(marchwarden, ["journal", "aside"]).exit_code == 0
    Journal(journal, SystemClock()).close()


@pytest.mark.parametrize("damaged", ["calibration.json", "decks/mine.deck.npz"])
def test_a_damaged_calibration_or_deck_is_said_on_the_display(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damaged: str
) -> None:
    mine = tmp_path / "hardware.toml"
    mine.write_text('language = "en"\n[table]\ndeck = "mine"\n[[display]]\ndriver = "terminal"\n')
    (tmp_path / damaged).parent.mkdir(exist_ok=True)
    (tmp_path / damaged).write_bytes(b"x" * 64)
    for name, path in (("HARDWARE", mine), ("DATA", tmp_path), ("FRAMES", tmp_path / "frames")):
        monkeypatch.setenv(f"MARCHWARDEN_{name}", str(path))
    done = CliRunner().invoke(marchwarden, ["run", "--games", "1"])
    assert done.exit_code == 2
    assert damaged in done.stderr
    said = draw(Screen("CANNOT START", "marchwarden doctor", Tone.WARNING), Canvas(128, 64))
    assert "\n".join(as_blocks(said)) in done.stdout


@pytest.mark.fault("slow-camera", "camera-frozen")
def test_the_loop_names_a_camera_that_is_slow_or_stuck_until_it_is_neither(tmp_path: Path) -> None:
    _, loop, _ = simulated(tmp_path)

    def said(frames: int, seconds: float) -> str:
        for _ in range(frames):
            loop.clock.sleep(seconds)
            loop.step()
        return present(loop.station.state, loop.station.refereed, "en").screen.headline

    assert said(100, 0.1) == "READY"
    assert said(12, 1.0) == "SLOW CAMERA"
    assert said(150, 0.1) == "READY"
    for is_stuck, headline in ((True, "CAMERA STUCK"), (False, "READY")):
        loop.camera.is_stuck = is_stuck
        assert said(1, 0.1) == headline


@pytest.mark.fault("clock-wrong")
def test_a_clock_that_was_never_set_is_said_until_it_is(tmp_path: Path) -> None:
    _, loop, _ = simulated(tmp_path)
    clock = SimulatedClock(datetime(1970, 1, 1, tzinfo=UTC))
    loop.checks = lambda: [one for one in checks(clock, tmp_path) if one[0] == "time-not-set"]

    def said() -> str:
        loop.clock.sleep(11.0)
        loop.step()
        return present(loop.station.state, loop.station.refereed, "en").screen.headline

    assert said() == "TIME NOT SET"
    clock.sleep(57 * 365.25 * 86400)
    assert said() == "READY"
