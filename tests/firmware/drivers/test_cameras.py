"""One suite over all camera drivers: pictures, videos, and picamera2 through its contract."""

from __future__ import annotations

import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.drivers import (
    camera_folder,
    camera_picamera2,
    camera_v4l2,
)
from firmware.faults import NoMoreFrames, PartFault
from firmware.ports import Camera
from hardware_config import settings
from tests.firmware.drivers.stand_in_camera import CONTROLS, StandInCamera


def pictures(folder: Path, count: int = 3) -> Path:
    folder.mkdir()
    for n in range(count):
        cv2.imwrite(str(folder / f"{n:03}.png"), np.full((48, 64, 3), 40 * n, np.uint8))
    (folder / "notes.txt").write_text("no picture")
    (folder / "._000.png").write_bytes(b"what another system keeps beside a picture")
    return folder


def video(path: Path, count: int = 3) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5, (64, 48))
    for n in range(count):
        writer.write(np.full((48, 64, 3), 40 * n, np.uint8))
    writer.release()
    return path


@pytest.fixture(params=["folder", "video", "picamera2"])
def camera(request: pytest.FixtureRequest, tmp_path: Path, picamera2: type[StandInCamera]) -> Camera:
    if request.param == "picamera2":
        return camera_picamera2.Driver(settings.Picamera2Camera(driver="picamera2", size=(64, 48)))
    path = pictures(tmp_path / "stills") if request.param == "folder" else video(tmp_path / "film.avi")
    return camera_folder.Driver(settings.FolderCamera(driver="folder", path=str(path)))


def test_a_camera_gives_numbered_dated_pictures_and_opens_again(camera: Camera) -> None:
    for _ in range(2):
        camera.open()
        first, second = camera.read(), camera.read()
        assert second.number == first.number + 1
        assert second.taken_s >= first.taken_s
        assert first.pixels_bgr.shape == (48, 64, 3)
        assert first.pixels_bgr.dtype == np.uint8
        assert first.pixels_bgr.flags["C_CONTIGUOUS"]
        camera.close()
    camera.close()


@pytest.mark.parametrize("kind", ["stills", "film"])
def test_a_recording_shows_every_picture_once_and_ends(tmp_path: Path, kind: str) -> None:
    path = pictures(tmp_path / "stills") if kind == "stills" else video(tmp_path / "film.avi")
    camera = camera_folder.Driver(settings.FolderCamera(driver="folder", path=str(path)))
    camera.open()
    tones = [round(float(camera.read().pixels_bgr.mean()) / 40) for _ in range(3)]
    assert tones == [0, 1, 2]
    with pytest.raises(NoMoreFrames):
        camera.read()
    camera.close()


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("empty", None, "holds no images"),
        ("film.avi", b"no video", "cannot be read as a video"),
        ("", None, "no folder"),
    ],
)
def test_a_recording_that_is_none_is_named(tmp_path: Path, name: str, content: bytes | None, why: str) -> None:
    path = tmp_path / (name or "nowhere")
    if content is not None:
        path.write_bytes(content)
    elif name:
        path.mkdir()
    with pytest.raises(PartFault, match=why):
        camera_folder.Driver(settings.FolderCamera(driver="folder", path=str(path))).open()


def test_a_video_whose_name_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "caf\udce9.avi"
    video(tmp_path / "film.avi").rename(path)
    with pytest.raises(PartFault, match="is no text; give the video another one"):
        camera_folder.Driver(settings.FolderCamera(driver="folder", path=str(path))).open()


def test_a_picture_of_one_dot_is_none(tmp_path: Path) -> None:
    cv2.imwrite(str(pictures(tmp_path / "stills", 0) / "dot.png"), np.zeros((1, 1, 3), np.uint8))
    camera = camera_folder.Driver(settings.FolderCamera(driver="folder", path=str(tmp_path / "stills")))
    camera.open()
    with pytest.raises(PartFault, match=r"dot\.png is not an image"):
        camera.read()


def test_a_picture_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (pictures(tmp_path / "stills", 1) / "broken.jpg").write_bytes(b"not a picture")
    camera = camera_folder.Driver(settings.FolderCamera(driver="folder", path=str(tmp_path / "stills")))
    camera.open()
    camera.read()
    with pytest.raises(PartFault, match=r"broken\.jpg is not an image"):
        camera.read()


def test_a_picture_of_which_a_part_is_missing_is_no_look_at_the_table(tmp_path: Path) -> None:
    """A decoder would fill the rest with grey."""
    broken = pictures(tmp_path / "stills", 1) / "broken.jpg"
    cv2.imwrite(str(broken), np.random.default_rng(1).integers(0, 255, (200, 300, 3), np.uint8))
    broken.write_bytes(broken.read_bytes()[:-2000])
    camera = camera_folder.Driver(settings.FolderCamera(driver="folder", path=str(tmp_path / "stills")))
    camera.open()
    camera.read()
    with pytest.raises(PartFault, match=r"broken\.jpg is not an image"):
        camera.read()


def test_a_picture_that_no_memory_would_hold_is_named(tmp_path: Path) -> None:
    broken = pictures(tmp_path / "stills", 1) / "broken.png"
    whole = cv2.imencode(".png", np.zeros((4, 4, 3), np.uint8))[1].tobytes()
    head = b"IHDR" + (60000).to_bytes(4) * 2 + whole[24:29]
    broken.write_bytes(whole[:12] + head + zlib.crc32(head).to_bytes(4) + whole[33:])
    camera = camera_folder.Driver(settings.FolderCamera(driver="folder", path=str(tmp_path / "stills")))
    camera.open()
    camera.read()
    with pytest.raises(PartFault, match=r"broken\.png is not an image"):
        camera.read()


def test_a_module_gives_blue_green_red_without_the_padding(picamera2: type[StandInCamera]) -> None:
    camera = camera_picamera2.Driver(settings.Picamera2Camera(driver="picamera2", size=(50, 40)))
    camera.open()
    frame = camera.read()
    assert frame.pixels_bgr.shape == (40, 50, 3)
    assert frame.pixels_bgr.reshape(-1, 3).tolist() == [[200, 100, 50]] * 2000
    camera.close()
    assert picamera2.made == [], "a closed module is free for the next program"


def test_what_the_profile_fixes_is_taken_from_the_automatics(picamera2: type[StandInCamera]) -> None:
    camera = camera_picamera2.Driver(
        settings.Picamera2Camera(
            driver="picamera2", exposure_us=8000, gain=2.0, white_balance=(1.8, 1.4), lens_position=1.5
        )
    )
    camera.open()
    assert picamera2.made[0].configuration["controls"] == {
        "FrameDurationLimits": (100000, 100000), "AeEnable": False, "ExposureTime": 8000, "AnalogueGain": 2.0,
        "AwbEnable": False, "ColourGains": (1.8, 1.4), "AfMode": 0, "LensPosition": 1.5,
    }  # fmt: skip
    camera.close()


def test_a_module_that_stops_is_a_fault(picamera2: type[StandInCamera]) -> None:
    camera = camera_picamera2.Driver(settings.Picamera2Camera(driver="picamera2"))
    camera.open()
    picamera2.made[0].running = False
    with pytest.raises(PartFault, match="ribbon"):
        camera.read()


def test_picamera2_that_is_not_installed_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(PartFault, match="apt install python3-picamera2"):
        camera_picamera2.Driver(settings.Picamera2Camera(driver="picamera2")).open()


def test_a_usb_camera_that_is_not_there_is_a_fault() -> None:
    camera = camera_v4l2.Driver(settings.V4l2Camera(driver="v4l2", device="/dev/video-none"))
    with pytest.raises(PartFault, match="cannot be opened"):
        camera.open()
    with pytest.raises(PartFault, match="not opened"):
        camera.read()


def test_a_module_is_locked_from_its_next_frame_on_and_free_again(picamera2: type[StandInCamera]) -> None:
    camera = camera_picamera2.Driver(settings.Picamera2Camera(driver="picamera2"))
    camera.open()
    camera.lock({"exposure_us": 9000, "white_balance": [1.9, 1.6]})
    set_ = picamera2.made[0].configuration["controls"]
    assert "ExposureTime" not in set_, "the thread that reads frames does it"
    camera.read()
    assert (set_["AeEnable"], set_["ExposureTime"], set_["AwbEnable"], set_["AfMode"]) == (False, 9000, False, 2)
    camera.lock({"exposure_us": None, "white_balance": None})
    camera.read()
    assert (set_["AeEnable"], set_["AwbEnable"]) == (True, True)
    camera.close()


def test_a_module_that_could_not_be_opened_is_free_for_the_next_try(
    picamera2: type[StandInCamera], monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = camera_picamera2.Driver(settings.Picamera2Camera(driver="picamera2"))
    monkeypatch.setattr(picamera2, "format", "NV12")
    with pytest.raises(PartFault, match="gives NV12 instead of RGB888"):
        camera.open()
    monkeypatch.setattr(picamera2, "format", "")
    camera.open()
    assert camera.read().number == 1


def test_a_module_that_another_program_has_is_said_to_be_taken(picamera2: type[StandInCamera]) -> None:
    first, second = (camera_picamera2.Driver(settings.Picamera2Camera(driver="picamera2")) for _ in range(2))
    first.open()
    with pytest.raises(PartFault, match=r"resource busy\); stop the program that has it"):
        second.open()
    first.close()
    second.open()


def test_a_module_without_a_motor_is_not_asked_for_its_focus(
    picamera2: type[StandInCamera], monkeypatch: pytest.MonkeyPatch
) -> None:
    fixed = {name: CONTROLS[name] for name in CONTROLS.keys() - {"AfMode", "LensPosition"}}
    monkeypatch.setattr(picamera2, "camera_controls", fixed)
    camera = camera_picamera2.Driver(settings.Picamera2Camera(driver="picamera2", lens_position=1.5, exposure_us=8000))
    camera.open()
    assert picamera2.made[0].configuration["controls"]["ExposureTime"] == 8000
    assert camera.settled() == {"exposure_us": 9987, "gain": 1.123, "white_balance": [1.9, 1.6]}
    camera.lock({"lens_position": 2.0, "exposure_us": None})
    camera.read()
    assert picamera2.made[0].configuration["controls"]["AeEnable"] is True
