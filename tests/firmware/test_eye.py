"""What is wrong with the view is noticed in real photographs and said in the catalogue's words; then it passes.

The photographs are rendered; what lies on the table is told to the eye without reading, since reading has tests of its
own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import sleep

import cv2
import numpy as np
import pytest

from firmware.clocks import SimulatedClock
from firmware.drivers.camera_simulated import Driver
from firmware.eye import BLIND_S, CameraEye, Known, Manners
from firmware.ports import Frame
from firmware.simulation.scene import Hand
from firmware.simulation.station_table import StationTable
from firmware.state import saying
from firmware.station import Sighting
from hardware_config.settings import SimulatedCamera
from tests.firmware.sitting import observation
from vision.frame import Picture
from vision.layout import schotten_totten
from vision.observation import Observation, Reading, Why
from vision.rectify import Rectifier, solve


class TableReader:
    """Reads the table itself, whatever the frame."""

    def __init__(self, table: StationTable) -> None:
        self.table = table
        self.held: frozenset[str] = frozenset()
        self.left: str | None = None
        self.takes_s = 0.0

    def read(self, frame_bgr: Picture, rectifier: Rectifier) -> Observation:
        sleep(self.takes_s)
        seen = observation(self.table.board, self.table.layout, self.held)
        covered = {} if self.left is None else {self.left: (Reading(None, Why.OBJECT),)}
        return replace(seen, cards={**seen.cards, **covered})


class View:
    """A camera over a table, and an eye that looks through it."""

    def __init__(self, camera: Driver) -> None:
        self.camera = camera
        self.reader = TableReader(camera.table)
        self.eye = CameraEye(self.reader, schotten_totten(), Manners(settle_frames=2))
        self.clock = SimulatedClock()
        self.number = 0

    def look(self, pixels: Picture | None = None, times: int = 1) -> Sighting:
        """Photographs the table, or shows the eye this picture instead."""
        for _ in range(times):
            self.clock.sleep(0.5)
            self.number += 1
            shown = self.camera.read().pixels_bgr if pixels is None else pixels
            sighting = self.eye.look(Frame(self.number, shown, self.clock.monotonic_s()))
        return sighting

    def said(self, sighting: Sighting) -> list[str]:
        return sorted(trouble.name for trouble in sighting.troubles)


@pytest.fixture(scope="module")
def camera() -> Driver:
    return Driver(SimulatedCamera(size=(1280, 720), flaws="none"))


@pytest.fixture
def view(camera: Driver) -> Iterator[View]:
    mounting, light = camera.mounting, camera.light
    camera.table.clear()
    yield View(camera)
    camera.mounting, camera.light, camera.table.hands = mounting, light, ()


def test_a_table_settles_after_as_many_frames_as_must_agree(view: View) -> None:
    assert view.look().observation is None
    sighting = view.look()
    assert sighting.observation is not None
    assert view.said(sighting) == []


def test_darkness_is_said_and_hides_the_table_until_there_is_light(view: View) -> None:
    frame = view.camera.read().pixels_bgr
    view.look(times=3)
    dark = view.look((frame * 0.05).astype(np.uint8), times=3)
    assert (view.said(dark), dark.observation) == (["too-dark"], None)
    light = view.look(times=2)
    assert light.observation is not None
    assert view.said(light) == []


def test_over_exposure_is_said_once_it_lasts(view: View) -> None:
    frame = view.camera.read().pixels_bgr
    bright = np.clip(frame.astype(np.int16) + 150, 0, 255).astype(np.uint8)
    view.look(times=2)
    assert view.said(view.look(bright)) == []
    assert "too-bright" in view.said(view.look(bright, times=8))


def test_a_blurred_picture_is_said_once_it_lasts(view: View) -> None:
    view.look(times=2)
    mounting = view.camera.mounting
    view.camera.mounting = replace(mounting, sensor=replace(mounting.sensor, defocus_px=3.0))
    assert "blurred" in view.said(view.look(times=18))


def test_no_mat_in_view_is_said(view: View) -> None:
    empty = np.full((720, 1280, 3), 120, np.uint8)
    sighting = view.look(empty, times=4)
    assert (view.said(sighting), sighting.observation) == (["no-mat"], None)
    assert view.look(times=3).observation is not None


def test_covered_markers_are_said_once_the_table_was_known(view: View) -> None:
    view.look(times=3)
    empty = np.full((720, 1280, 3), 120, np.uint8)
    assert view.said(view.look(empty, times=10)) == ["corner-hidden"]
    assert view.said(view.look(times=2)) == []


def test_a_mirrored_picture_is_said(view: View) -> None:
    mirrored = np.ascontiguousarray(view.camera.read().pixels_bgr[:, ::-1])
    assert "mirrored" in view.said(view.look(mirrored, times=8))


@pytest.mark.fault("camera-bumped", "mat-moved")
def test_a_bumped_camera_is_noticed_and_the_table_found_again(view: View) -> None:
    view.look(times=3)
    view.camera.bump(1.5)
    bumped = view.look()
    for _ in range(6):
        if bumped.moved:
            break
        bumped = view.look()
    assert bumped.moved
    assert "camera-moved" in view.said(bumped)
    after = view.look()
    assert not after.moved
    assert view.said(after) == []


@pytest.mark.fault("bumped-and-different")
def test_what_had_settled_before_a_bump_counts_no_more(view: View) -> None:
    view.camera.table.lay("g5", "3A")
    assert view.look(times=3).observation is not None
    view.camera.bump(1.5)
    view.camera.table.take("g5", "3A")
    bumped = view.look()
    assert bumped.moved
    assert bumped.observation is None, "the game is not to be compared with the table as it was before"
    after = view.look(times=2).observation
    assert after is not None
    assert after.cards["3A"] == ()


def test_a_camera_that_sways_without_end_still_sees_the_table_now_and_then(view: View) -> None:
    view.look(times=3)
    seen = []
    for n in range(12):
        view.camera.bump(1.5 if n % 2 else -1.5)
        seen.append(view.look())
    assert sum(one.moved for one in seen) > 8
    assert sum(one.observation is not None for one in seen) > 2


@pytest.mark.parametrize(("seconds", "is_long"), [(2.0, False), (BLIND_S + 1.0, True)])
def test_what_nobody_watched_for_long_is_seen_anew(view: View, seconds: float, is_long: bool) -> None:
    view.look(times=3)
    view.clock.sleep(seconds)  # no picture came, as from a camera that was unplugged
    back = view.look()
    assert back.moved is is_long
    assert (back.observation is None) is is_long
    dark = np.zeros((720, 1280, 3), np.uint8)
    view.look(times=2)
    view.look(dark, times=round(seconds / 0.5))
    assert view.look().moved is is_long


def test_a_machine_that_takes_long_for_a_look_is_not_blind_meanwhile(
    view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.eye.BLIND_S", 0.4)
    view.reader.takes_s = 0.2
    view.look()
    assert not view.look().moved, "half a second lies between two pictures"
    view.clock.sleep(0.2)
    assert view.look().moved


def test_a_camera_with_another_size_is_noticed(view: View) -> None:
    view.look(times=3)
    smaller = np.asarray(cv2.resize(view.camera.read().pixels_bgr, (960, 540)), np.uint8)
    sighting = view.look(smaller, times=2)
    assert view.eye.rectifier is not None
    assert view.eye.rectifier.frame_size == (960, 540)
    assert sighting.observation is not None


@pytest.mark.fault("upside-down-camera")
def test_a_camera_that_hangs_upside_down_sees_the_same_table(view: View) -> None:
    turned = np.ascontiguousarray(view.camera.read().pixels_bgr[::-1, ::-1])
    assert view.look(turned, times=3).observation is not None


def test_a_hand_that_stays_is_asked_to_go(view: View) -> None:
    view.look(times=3)
    view.camera.table.hands = (Hand((300.0, 670.0), (300.0, 350.0)),)
    view.reader.held = frozenset({"4A", "5A"})
    first = view.look(times=3)
    assert view.said(first) == []
    assert "hand" in view.said(view.look(times=18))
    view.camera.table.hands, view.reader.held = (), frozenset()
    assert view.said(view.look(times=4)) == []


def test_where_markers_fail_the_corners_that_a_person_showed_do(view: View) -> None:
    whole = view.camera.read().pixels_bgr
    table = solve(whole, schotten_totten())
    bare = whole.copy()
    for corners in table.markers_mm.values():
        cv2.fillConvexPoly(bare, np.round(table.to_px(corners)).astype(np.int32), (150, 150, 150))
    assert "no-mat" in view.said(view.look(bare, times=4))
    across, down = schotten_totten().size_mm
    shown = table.to_px([(0, 0), (across, 0), (across, down), (0, down)]) / np.array(table.frame_size)
    view.eye.adopt(Known(corners=tuple((float(x), float(y)) for x, y in shown)))
    sighting = view.look(bare, times=3)
    assert (view.said(sighting), sighting.observation is not None) == ([], True)
    by_hand = view.eye.rectifier
    assert by_hand is not None
    assert by_hand.to_mm(table.to_px((368.0, 256.0))) == pytest.approx((368.0, 256.0), abs=1.0)
    view.look(whole, times=60)
    assert view.eye.rectifier is not by_hand, "markers that can be seen are better"


@pytest.mark.fault("object-left")
def test_something_left_on_the_table_is_told_from_a_hand_and_named_with_its_place(view: View) -> None:
    view.look(times=3)
    view.reader.held, view.reader.left = frozenset({"4A"}), "4A"
    assert saying("object", place="4A", where="4A") in view.look(times=20).troubles
    view.reader.held, view.reader.left = frozenset(), None
    assert view.said(view.look(times=4)) == []


def test_light_that_flickers_is_said(view: View) -> None:
    frame = view.camera.read().pixels_bgr.astype(np.float32)
    waves = [1 + 0.25 * np.sin(np.linspace(0, 20, 720) + phase)[:, None, None] for phase in (0.0, 1.5)]
    for n in range(12):
        sighting = view.look(np.clip(frame * waves[n % 2] * 0.8, 0, 255).astype(np.uint8))
    assert "flicker" in view.said(sighting)


def test_stills_count_at_once(camera: Driver) -> None:
    view = View(camera)
    camera.table.clear()
    view.eye = CameraEye(view.reader, schotten_totten(), replace(Manners(), settle_frames=1, stills=True))
    camera.table.lay("g5", "3A")
    sighting = view.look()
    assert sighting.observation is not None
    assert sighting.observation.cards["3A"][0].code == "g5"
