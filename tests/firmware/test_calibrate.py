"""Calibrating at a virtual table: what is in the way is said, what was measured is kept, and it locks the camera."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from engine.schotten_totten.cards import STONES
from firmware.assemble import make_eye
from firmware.calibrating import Calibrating, SelfSetting, measure
from firmware.calibration import BadCalibration, Calibration
from firmware.cli.calibrate import command
from firmware.cli.hardware import command as hardware
from firmware.drivers.camera_picamera2 import Driver as ModuleCamera
from firmware.drivers.camera_simulated import Driver as SimulatedCamera
from firmware.drivers.display_terminal import as_blocks
from firmware.eye import CameraEye
from firmware.games import refereed
from firmware.gestures import Press
from firmware.messages import words
from firmware.ports import Button, Canvas, Frame
from firmware.printing.deck import draw
from firmware.screen import draw as draw_screen
from firmware.signals import Screen, Tone
from hardware_config.load import load
from hardware_config.settings import Picamera2Camera
from hardware_config.settings import SimulatedCamera as Settings
from tests.firmware.drivers.stand_in_camera import StandInCamera, picamera2
from vision.enrol import Enrolment
from vision.frame import Picture
from vision.layout import schotten_totten
from vision.lens import Lens
from vision.rectify import solve

__all__ = ["picamera2"]
SIZE = (1280, 720)
KEPT = Calibration("2026-05-01", "picamera2", (2304, 1296), 2.8, 0.2, 0.9, (0.0, 0.0), {"exposure_us": 9000})


@pytest.fixture(scope="module")
def picture() -> Picture:
    return SimulatedCamera(Settings(size=SIZE, flaws="none")).read().pixels_bgr


def test_a_good_view_is_measured_in_millimetres(picture: Picture) -> None:
    found, troubles = measure(picture, schotten_totten())
    assert troubles == ()
    assert found is not None
    # The mat of 736 mm fills nearly all of the height: 513 mm on 720 pixels.
    assert 1.2 < found.px_per_mm < 1.7
    assert found.error_mm < 0.2
    assert found.markers == (8, 8)


@pytest.mark.parametrize(
    ("spoilt", "name"),
    [
        (lambda picture: np.zeros_like(picture), "too-dark"),
        (lambda picture: np.full_like(picture, 120), "no-mat"),
        (lambda picture: np.ascontiguousarray(picture[:, ::-1]), "mirrored"),
        (lambda picture: cv2.GaussianBlur(cv2.resize(picture, None, fx=2, fy=2), (0, 0), 3), "blurred"),
        (lambda picture: cv2.resize(picture, None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA), "too-far"),
    ],
)
def test_what_is_in_the_way_has_a_name(picture: Picture, spoilt: Any, name: str) -> None:
    _, troubles = measure(spoilt(picture), schotten_totten())
    assert name in [trouble.name for trouble in troubles]


def test_it_takes_several_good_frames_in_a_row(picture: Picture) -> None:
    calibrating = Calibrating(schotten_totten(), frames=2)
    dark = np.zeros_like(picture)
    said = [calibrating.look(Frame(n, shown, n * 0.1), ()).name for n, shown in enumerate((picture, dark, picture))]
    assert said == ["calibrating", "too-dark", "calibrating"]
    assert calibrating.look(Frame(4, picture, 0.4), ()).name == "calibrated"
    assert calibrating.is_over
    assert calibrating.result is not None


def test_the_pause_button_or_a_long_wait_ends_it_without_a_result(picture: Picture) -> None:
    dark = np.zeros_like(picture)
    pressed = Calibrating(schotten_totten())
    pressed.look(Frame(1, dark, 0.0), (Press(Button.PAUSE),))
    waited = Calibrating(schotten_totten(), wait_s=5)
    waited.look(Frame(1, dark, 100.0), ())
    assert not waited.is_over
    waited.look(Frame(2, dark, 106.0), ())
    for one in (pressed, waited):
        assert one.is_over
        assert one.result is None


def test_a_module_is_asked_what_its_automatics_settled_on(picture: Picture, picamera2: type[StandInCamera]) -> None:
    camera = ModuleCamera(Picamera2Camera(driver="picamera2"))
    assert isinstance(camera, SelfSetting)
    camera.open()
    calibrating = Calibrating(schotten_totten(), camera, frames=1)
    calibrating.look(Frame(1, picture, 0.0), ())
    camera.close()
    assert calibrating.locked == {
        "exposure_us": 9987, "gain": 1.123, "white_balance": [1.9, 1.6], "lens_position": 1.25
    }  # fmt: skip
    kept = replace(KEPT, locked=calibrating.locked)
    locked = kept.laid_over(load("pi-oled").profile).camera
    assert isinstance(locked, Picamera2Camera)
    assert ModuleCamera(locked).controls() == {
        "FrameDurationLimits": (100000, 100000),
        "AeEnable": False,
        "ExposureTime": 9987,
        "AnalogueGain": 1.123,
        "AwbEnable": False,
        "ColourGains": (1.9, 1.6),
        "AfMode": 0,
        "LensPosition": 1.25,
    }


def test_a_module_that_is_free_to_focus_does_so(picamera2: type[StandInCamera]) -> None:
    camera = ModuleCamera(Picamera2Camera(driver="picamera2"))
    camera.open()
    assert picamera2.made[0].configuration["controls"]["AfMode"] == 2
    camera.close()


def test_what_the_owner_set_by_hand_stays() -> None:
    profile = load("pi-oled").profile
    by_hand = profile.model_copy(update={"camera": profile.camera.model_copy(update={"exposure_us": 5000})})
    camera = KEPT.laid_over(by_hand).camera
    assert isinstance(camera, Picamera2Camera)
    assert camera.exposure_us == 5000


def test_a_calibration_of_another_camera_changes_nothing() -> None:
    assert KEPT.laid_over(load("webcam").profile) == load("webcam").profile


def test_it_is_kept_and_found_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "calibration.json"
    assert Calibration.load(path) is None
    KEPT.save(path)
    assert Calibration.load(path) == KEPT


@pytest.mark.parametrize("content", ["{", "[]", '{"format": 9}', '{"format": 1}', '{"format": 1, "colour": "red"}'])
def test_a_file_that_makes_no_sense_says_what_to_do(tmp_path: Path, content: str) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(content)
    with pytest.raises(BadCalibration, match="marchwarden calibrate"):
        Calibration.load(path)


@pytest.mark.parametrize(
    "wrong", [{"at": 3}, {"px_per_mm": "x"}, {"size": [1920]}, {"lens": ["q", 2]}, {"corners": [1]}]
)
def test_a_value_that_makes_no_sense_is_named(tmp_path: Path, wrong: dict[str, object]) -> None:
    path = tmp_path / "calibration.json"
    KEPT.save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | wrong))
    with pytest.raises(BadCalibration, match=f"{next(iter(wrong))}.*marchwarden calibrate"):
        Calibration.load(path)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MARCHWARDEN_DATA", str(tmp_path))
    monkeypatch.setenv("MARCHWARDEN_HARDWARE", str(tmp_path / "hardware.toml"))
    return tmp_path


def test_the_command_measures_the_virtual_table_and_keeps_it(home: Path) -> None:
    (home / "hardware.toml").write_text("[camera]\nsize = [1280, 720]\nflaws = 'none'\n")
    done = CliRunner().invoke(command, ["--json", "--wait", "5"])
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert document["calibrated"] is True
    assert document["error_mm"] < 0.3
    assert (home / "calibration.json").is_file()


def test_a_mat_that_is_not_seen_is_a_no_with_a_reason(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "dark"
    folder.mkdir()
    for n in range(3):
        cv2.imwrite(str(folder / f"{n}.png"), np.zeros((360, 640, 3), np.uint8))
    (home / "hardware.toml").write_text(f'[camera]\ndriver = "folder"\npath = "{folder}"\n')
    done = CliRunner().invoke(command, ["--json", "--lang", "fr"])
    assert done.exit_code == 1
    assert json.loads(done.stdout)["calibrated"] is False
    assert not (home / "calibration.json").exists()


def shown(home: Path, camera: str) -> str:
    """The last picture on the display of a calibration with this camera."""
    (home / "hardware.toml").write_text(f"{camera}\n[[display]]\ndriver = 'terminal'\n")
    done = CliRunner().invoke(command, ["--wait", "1"])
    assert done.exit_code == 1, done.output
    return done.stdout[done.stdout.rindex("┌") : done.stdout.rindex("┘") + 1]


def picture_of(headline: str, detail: str, tone: Tone = Tone.CALM) -> str:
    return "\n".join(as_blocks(draw_screen(Screen(headline, detail, tone), Canvas(128, 64))))


def test_the_display_says_when_it_ended_without_a_result(home: Path) -> None:
    """Whoever sees the display alone must not stand there and wait."""
    folder = home / "grey"
    folder.mkdir()
    cv2.imwrite(str(folder / "0.png"), np.full((360, 640, 3), 120, np.uint8))
    camera = f'[camera]\ndriver = "folder"\npath = "{folder}"'
    assert shown(home, camera) == picture_of("NOT CALIBRATED", "NO MAT IN VIEW")


def test_whoever_has_keys_for_buttons_is_told_which(home: Path) -> None:
    (home / "hardware.toml").write_text("[camera]\ndriver = 'v4l2'\ndevice = 63\n[buttons]\ndriver = 'keyboard'\n")
    said = CliRunner().invoke(command, ["--lang", "es"]).stderr.splitlines()
    assert said[0] == "no hay terminal del que tomar teclas; elija otros botones"
    assert said[1].startswith("teclas: t TURNO, c RECLAMAR, u DESHACER, p PAUSA")


def test_the_display_says_when_there_is_no_camera(home: Path) -> None:
    said = words("camera-lost", "en", why="")
    camera = '[camera]\ndriver = "v4l2"\ndevice = 63'
    assert shown(home, camera) == picture_of(said.headline, said.detail, Tone.WARNING)


def test_hardware_show_says_where_a_locked_value_came_from(home: Path) -> None:
    KEPT.save(home / "calibration.json")
    shown = json.loads(CliRunner().invoke(hardware, ["show", "--profile", "pi-oled", "--json"]).stdout)
    assert shown["camera.exposure_us"] == {"value": 9000, "from": str(home / "calibration.json")}
    assert shown["camera.driver"]["from"] == "profile pi-oled"


def test_a_lens_that_is_known_steadies_a_view_with_few_markers() -> None:
    """Two markers cannot tell a bent lens from a tilted camera; a calibration can."""
    layout = schotten_totten()
    bent = SimulatedCamera(Settings(size=(1600, 900), flaws="none"))
    bent.mounting = replace(bent.mounting, pose=replace(bent.mounting.pose, k1=-0.08, fill=0.9))
    shown = bent.read().pixels_bgr
    whole = solve(shown, layout)
    opposite = replace(layout, markers=tuple(marker for marker in layout.markers if marker.id in (0, 7)))
    corners = np.array([(0.0, 0.0), (736.0, 0.0), (736.0, 513.0), (0.0, 513.0)])
    off_mm = [
        float(np.linalg.norm(table.to_mm(whole.to_px(corners)) - corners, axis=1).max())
        for table in (solve(shown, opposite), solve(shown, opposite, whole.lens))
    ]
    assert off_mm[1] < off_mm[0] / 2


@pytest.mark.parametrize("driver", ["v4l2", "picamera2"])
def test_the_eye_knows_what_was_measured_of_its_own_camera_only(driver: str, tmp_path: Path) -> None:
    enrolment = Enrolment("small")
    for code in ("r1", "g5", "back", *(f"stone{stone}" for stone in STONES)):
        enrolment.take(code, draw(code, 4.0))
    enrolment.deck().save(tmp_path)
    kept = replace(KEPT, driver=driver, lens=(-0.05, 0.0), blur_px=1.7)
    profile = load("pi-oled").profile
    profile = profile.model_copy(update={"table": profile.table.model_copy(update={"deck": "small"})})
    eye = make_eye(profile, refereed("schotten-totten"), tmp_path, calibration=kept)
    assert isinstance(eye, CameraEye)
    assert (eye.known.lens == Lens(-0.05, 0.0)) is (driver == "picamera2")
