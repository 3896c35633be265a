"""`marchwarden test`: each part shows itself, and one that does not answer is a no."""

from __future__ import annotations

import io
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from firmware.cli.test import command
from firmware.clocks import SimulatedClock
from firmware.drivers.buttons_simulated import Driver as Buttons
from firmware.drivers.display_simulated import Driver as Display
from firmware.drivers.lamps_simulated import Driver as Lamps
from firmware.faults import PartFault
from firmware.messages import LANGUAGES
from firmware.ports import Button, Canvas, Light
from firmware.screen import border
from firmware.signals import PATTERNS
from firmware.state import saying
from firmware.trial import colours, patterns
from firmware.workbench import Workbench
from hardware_config.settings import SimulatedButtons, SimulatedDisplay, SimulatedLamps


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MARCHWARDEN_DATA", str(tmp_path))
    monkeypatch.setenv("MARCHWARDEN_HARDWARE", str(tmp_path / "hardware.toml"))
    return tmp_path


@pytest.mark.parametrize("canvas", [Canvas(128, 32), Canvas(128, 64), Canvas(240, 240, True)], ids=str)
def test_the_border_runs_round_the_outermost_pixels(canvas: Canvas) -> None:
    picture = np.asarray(border(canvas, "ssd1306").convert("L")) > 0
    rim = (picture[0], picture[-1], picture[:, 0], picture[:, -1])
    assert all(line.all() for line in rim)
    assert 0 < picture[1:-1, 1:-1].mean() < 0.5, "and says which display it is"


def test_every_lamp_is_lit_alone_in_every_colour() -> None:
    lamps = Lamps(SimulatedLamps(count=3))
    rows = [lamps.lights for _ in colours(lamps, lamps.open(), 0.0, "en")]
    assert len(rows) == 9
    assert all(sum(light is not Light.OFF for light in row) == 1 for row in rows)
    assert {light for row in rows for light in row} == set(Light)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_pattern_is_shown_by_what_it_means(language: str) -> None:
    lamps = Lamps(SimulatedLamps())
    meanings = [meaning for meaning, _ in patterns(lamps, lamps.open(), 0.02, language)]
    assert len(set(meanings)) == len(PATTERNS)
    assert set(lamps.lights) == {Light.OFF}, "and dark when it is over"


def test_lamps_by_the_command() -> None:
    done = CliRunner().invoke(command, ["lamps", "--pace", "0", "--seconds", "0"])
    assert done.exit_code == 0, done.output
    assert "Lamp 9: amber" in done.stdout
    assert "A may claim: green 0.5 off 1" in done.stdout


def test_pictures_are_saved_and_described(home: Path) -> None:
    (home / "hardware.toml").write_text("[camera]\nsize = [1280, 720]\nflaws = 'none'\n")
    done = CliRunner().invoke(command, ["camera", "--to", str(home / "pictures"), "--count", "2"])
    assert done.exit_code == 0, done.output
    saved = sorted((home / "pictures").iterdir())
    assert [path.name for path in saved] == ["001.jpg", "002.jpg"]
    picture = cv2.imread(str(saved[0]))
    assert picture is not None
    assert picture.shape == (720, 1280, 3)
    assert "px/mm" in done.stdout


def test_pictures_that_cannot_be_saved_are_not_said_to_be(home: Path) -> None:
    (home / "hardware.toml").write_text("[camera]\nsize = [1280, 720]\nflaws = 'none'\n")
    (home / "pictures" / "001.jpg").mkdir(parents=True)
    done = CliRunner().invoke(command, ["camera", "--to", str(home / "pictures")])
    assert done.exit_code == 2
    assert "001.jpg cannot be written (Is a directory); name another folder with --to" in done.stderr


def test_a_camera_that_is_not_there_is_a_no_and_one_sentence(home: Path) -> None:
    (home / "hardware.toml").write_text('[camera]\ndriver = "folder"\npath = "/nowhere"\n')
    done = CliRunner().invoke(command, ["camera", "--to", str(home / "pictures")])
    assert done.exit_code == 1
    assert "/nowhere" in done.stderr


def test_a_display_that_is_not_there_is_a_no(home: Path) -> None:
    (home / "hardware.toml").write_text('[[display]]\ndriver = "luma"\noptions = { display = "ssd1306" }\n')
    done = CliRunner().invoke(command, ["display", "--seconds", "0"])
    assert done.exit_code == 1
    assert "display 0" in done.stderr
    assert "very edge" not in done.stderr, "nobody sees a line there"


def test_a_display_in_the_terminal_draws_its_border(home: Path) -> None:
    (home / "hardware.toml").write_text('[[display]]\ndriver = "terminal"\n')
    done = CliRunner().invoke(command, ["display", "--seconds", "0"])
    assert done.exit_code == 0, done.output
    assert "█▀▀▀▀" in done.stdout


def test_nothing_pressed_is_a_no() -> None:
    assert CliRunner().invoke(command, ["buttons", "--seconds", "0.05"]).exit_code == 1


def bench(told: io.StringIO, buttons: Buttons | None = None) -> tuple[Workbench, Display]:
    display = Display(SimulatedDisplay())
    return Workbench((display,), buttons, SimulatedClock(), "en", lambda line: print(line, file=told)), display


def test_a_workbench_says_the_same_thing_once_and_shows_it() -> None:
    told = io.StringIO()
    on, display = bench(told)
    on.say(saying("too-dark"))
    on.say(saying("too-dark"))
    assert told.getvalue().count("\n") == 1
    assert display.picture is not None


def test_a_workbench_hears_presses_and_holds() -> None:
    buttons = Buttons(SimulatedButtons())
    on, _ = bench(io.StringIO(), buttons)
    buttons.press(Button.UNDO, 0.1, at_s=0.0)
    buttons.press(Button.PAUSE, 3.0, at_s=1.0)
    assert [(press.button, press.held) for press in on.presses()] == [(Button.UNDO, False), (Button.PAUSE, True)]
    assert on.presses() == ()


def test_a_workbench_does_without_what_does_not_answer() -> None:
    class Dead(Buttons):
        def open(self) -> None:
            raise PartFault("buttons", "the buttons' pins cannot be used")

    told = io.StringIO()
    on, display = bench(told, Dead(SimulatedButtons()))
    assert "the buttons' pins" in told.getvalue()
    on.say(saying("too-dark"))
    assert on.presses() == ()
    assert display.picture is not None
