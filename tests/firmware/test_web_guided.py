"""Work at the camera that the page leads through: calibrating on rendered photographs, enrolling card by card."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.table import Place
from engine.verdicts import Words
from firmware.calibration import Calibration
from firmware.drivers import make_camera
from firmware.games import refereed
from firmware.ports import Button, Frame
from firmware.printing.deck import draw
from firmware.simulation.flaws import PRESETS
from firmware.simulation.obliging import Obliging
from firmware.simulation.open_table import OpenTable
from firmware.web.guided import Guided, asked_for, deck_codes
from firmware.web.noticeboard import Noticeboard
from hardware_config.profile import Profile
from hardware_config.settings import SimulatedCamera
from vision.deck import Deck, path_of

LAYOUT = refereed("schotten-totten").layout


class Leading:
    """Work at a simulated camera, and all that is shown meanwhile."""

    def __init__(self, decks: Path) -> None:
        self.profile = Profile(name="test", camera=SimulatedCamera(size=(1536, 864), flaws="none"))
        self.camera: Any = make_camera(self.profile.camera)
        self.board = Noticeboard()
        self.shown: list[Words | None] = []
        self.adopted: list[Calibration] = []
        self.guided = Guided(
            self.profile, LAYOUT, self.camera, decks, self.board, self.shown.append, self.adopted.append
        )

    @property
    def guide(self) -> dict[str, Any]:
        notice = self.board.newest("guide")
        assert notice is not None
        document: dict[str, Any] = notice.content.document("en")
        return document

    def look(self, frames: int) -> None:
        for _ in range(frames):
            self.guided.look(self.camera.read())


def test_calibrating_measures_locks_and_keeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARCHWARDEN_CALIBRATION", str(tmp_path / "calibration.json"))
    leading = Leading(tmp_path)
    assert leading.guided.begin("calibrate", "-", "base") is None
    assert leading.guided.begin("enrol", "mine", "base") == "busy"
    leading.look(3)
    assert "measuring" in leading.guide["sentence"]
    assert leading.shown[-1:] != [None]
    leading.look(12)
    assert (leading.guide["outcome"], leading.guided.is_on) == ("calibrated", False)
    assert leading.shown[-1:] == [None]  # the displays belong to the game again
    kept = Calibration.load(tmp_path / "calibration.json")
    assert kept is not None
    assert kept.error_mm < 1.0
    assert leading.adopted == [kept], "it counts at once"


class Automatic:
    """A camera with automatics, which notes how it was locked."""

    def __init__(self, camera: Any) -> None:
        self._camera = camera
        self.locks: list[dict[str, Any]] = []

    def open(self) -> None:
        self._camera.open()

    def read(self) -> Frame:
        frame: Frame = self._camera.read()
        return frame

    def close(self) -> None:
        self._camera.close()

    def settled(self) -> dict[str, Any]:
        return {"exposure_us": 9000}

    def lock(self, settings: Mapping[str, Any]) -> None:
        self.locks.append(dict(settings))


def test_a_camera_is_free_while_it_is_measured_and_locked_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARCHWARDEN_CALIBRATION", str(tmp_path / "calibration.json"))
    leading = Leading(tmp_path)
    camera = Automatic(leading.camera)
    leading.guided = Guided(leading.profile, LAYOUT, camera, tmp_path, leading.board, leading.shown.append)
    leading.guided.begin("calibrate", "-", "base")
    leading.look(12)
    leading.guided.begin("calibrate", "-", "base")
    leading.guided.press(Button.PAUSE)
    leading.guided.look(Frame(99, np.zeros((864, 1536, 3), np.uint8), 0.0))
    assert camera.locks == [{"exposure_us": 9000}, {"exposure_us": None}, {"exposure_us": 9000}]


def test_corners_shown_by_hand_are_kept_count_at_once_and_can_be_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARCHWARDEN_CALIBRATION", str(tmp_path / "calibration.json"))
    leading = Leading(tmp_path)
    round_the_mat = ((0.1, 0.1), (0.9, 0.12), (0.9, 0.9), (0.1, 0.88))
    assert leading.guided.show_corners(round_the_mat) is None
    assert leading.guided.show_corners(round_the_mat[::-1]) == "corners", "as in a mirror"
    assert leading.guided.show_corners((round_the_mat[0],) * 4) == "corners"
    assert [kept.corners for kept in leading.adopted] == [round_the_mat]
    kept = Calibration.load(tmp_path / "calibration.json")
    assert kept == leading.adopted[-1]
    assert leading.guided.show_corners(()) is None
    assert leading.adopted[-1].corners == ()


def test_what_is_in_the_way_is_said_and_it_can_be_stopped(tmp_path: Path) -> None:
    leading = Leading(tmp_path)
    leading.guided.begin("calibrate", "-", "base")
    black = Frame(1, np.zeros((864, 1536, 3), np.uint8), 0.0)
    leading.guided.look(black)
    assert leading.guide["sentence"]
    leading.guided.press(Button.PAUSE)
    leading.guided.look(black)
    assert leading.guide["outcome"] == "stopped"


def test_enrolling_asks_for_one_card_after_the_other(tmp_path: Path) -> None:
    leading = Leading(tmp_path)
    assert leading.guided.begin("enrol", "../mine", "base") == "deck-name"
    assert leading.guided.begin("enrol", "mine", "base") is None
    leading.look(4)
    assert (leading.guide["card"], leading.guide["number"]) == ("r1", 1)
    leading.camera.table.lay("r1", "5A")
    leading.look(4)
    leading.camera.table.take("r1", "5A")
    leading.look(2)
    assert (leading.guide["card"], leading.guide["number"]) == ("r2", 2)
    leading.guided.press(Button.PAUSE)
    leading.look(1)
    assert leading.guide["outcome"] == "stopped"
    assert (tmp_path / ".mine-cards" / "r1.png").is_file()


@pytest.mark.long
def test_with_the_last_card_the_deck_is_made(tmp_path: Path) -> None:
    leading = Leading(tmp_path)
    shelf = tmp_path / ".mine-cards"
    shelf.mkdir()
    for code in deck_codes("schotten-totten", "base")[1:]:
        cv2.imwrite(str(shelf / f"{code}.png"), draw(code, 6.0))
    leading.guided.begin("enrol", "mine", "base")
    leading.look(4)
    assert leading.guide["card"] == "r1"
    leading.camera.table.lay("r1", "5A")
    leading.look(5)
    for _ in range(600):
        if leading.guide["outcome"] == "enrolled":
            break
        leading.camera.read()
    assert leading.guide["outcome"] == "enrolled"
    made = Deck.load(path_of("mine", tmp_path))
    assert {*made.codes, *made.tiles_bgr} >= set(deck_codes("schotten-totten", "base"))
    assert not shelf.exists()


def test_a_deck_of_the_tactic_variant_has_tactic_cards() -> None:
    assert len(deck_codes("schotten-totten", "base")) == 54 + 1 + 9
    assert len(deck_codes("schotten-totten", "tactic")) == 54 + 1 + 10 + 1 + 9


def test_at_a_virtual_table_whoever_sits_there_lays_what_is_asked_for_and_puts_the_game_back(tmp_path: Path) -> None:
    leading = Leading(tmp_path)
    table = OpenTable(LAYOUT, refereed("schotten-totten").places, PRESETS["none"].habits)
    table.lay("r5", Place("6A"), face_up=True)
    leading.camera.table, lay_before = table, table.lying
    obliging = Obliging(table)
    leading.guided.begin("enrol", "mine", "base")
    asked: list[str] = []
    while len(asked) < 2:
        leading.look(1)
        obliging.oblige(asked_for(leading.board))
        if leading.guide.get("card") not in (None, *asked):
            asked.append(leading.guide["card"])
    assert asked == list(deck_codes("schotten-totten", "base")[:2])
    leading.guided.press(Button.PAUSE)
    leading.look(1)
    assert not obliging.oblige(asked_for(leading.board))
    assert table.lying == lay_before
    assert {path.stem for path in (tmp_path / ".mine-cards").glob("*.png")} == {asked[0]}
