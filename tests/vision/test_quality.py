"""What is wrong with a frame, measured."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from firmware.printing import deck, mat
from firmware.simulation.artwork import Artwork
from firmware.simulation.board import Board
from firmware.simulation.camera import Camera, Pose, Sensor
from firmware.simulation.light import Light
from firmware.simulation.photograph import Photographer
from firmware.simulation.scene import Habits, Hand, Scene, lay
from vision.cover import Cover, find_cover
from vision.frame import Picture
from vision.layout import schotten_totten
from vision.quality import Fault, Glance, blur_notes, blur_px, light_notes, motion_notes
from vision.rectify import Rectifier, solve

LAYOUT = schotten_totten()
POSE = Pose(size_px=(1920, 1080), tilt_deg=10, fill=0.95)
SENSOR = Sensor(defocus_px=0.6, shot_noise=0.01, read_noise=0.004, jpeg_quality=85)
BOARD = Board({"1A": ("r1", "g2"), "4A": ("b5",), "5A": ("o9", "o8", "o7"), "8B": ("y4", "p4")}, {"D1": "banshee"}, {})


@cache
def _photographer() -> Photographer:
    artwork = Artwork(lambda code: deck.draw(code, 5.0) if code in deck.CODES else None)
    return Photographer(LAYOUT, artwork, mat.draw(LAYOUT, 4.0))


@cache
def _scene() -> Scene:
    return lay(LAYOUT, BOARD, Habits(offset_mm=3.0, turn_deg=4.0), np.random.default_rng(8))


@cache
def _frame(seed: int = 0, sensor: Sensor = SENSOR, hands: tuple[Hand, ...] = ()) -> Picture:
    scene = replace(_scene(), hands=hands)
    return _photographer().photograph(scene, Camera(POSE, sensor), Light(), np.random.default_rng(seed)).pixels_bgr


def _names(frame: Picture, before: Picture | None = None) -> set[str]:
    glance = Glance.at(frame)
    notes = light_notes(glance) if before is None else motion_notes(glance, Glance.at(before))
    return {note.what for note in notes}


def test_a_good_frame_has_no_note() -> None:
    assert _names(_frame()) == set()
    assert _names(_frame(1), _frame()) == set()


def test_lights_off_is_too_dark() -> None:
    assert _names((_frame() * 0.1).astype(np.uint8)) == {Fault.TOO_DARK}


def test_a_sun_patch_is_too_bright() -> None:
    sunny = _frame().copy()
    cv2.ellipse(sunny, (500, 500), (420, 300), 20.0, 0, 360, (255, 255, 255), -1)
    assert _names(sunny) == {Fault.TOO_BRIGHT}


def test_the_same_frame_again_means_a_frozen_camera() -> None:
    assert _names(_frame(), _frame().copy()) == {Fault.FROZEN}


def test_bands_that_walk_are_flicker() -> None:
    rows = np.arange(1080)[:, None, None]
    banded = [_frame(n) * (0.94 + 0.06 * np.sin(rows / 90 + phase)) for n, phase in enumerate((0.0, 2.0))]
    now, before = (frame.astype(np.uint8) for frame in banded)
    assert _names(now, before) == {Fault.FLICKER}


def test_a_pulsing_lamp_is_flicker() -> None:
    assert _names((_frame(1) * 0.88).astype(np.uint8), _frame()) == {Fault.FLICKER}


def test_an_arm_that_comes_in_is_motion_and_no_flicker() -> None:
    arm = _frame(1, hands=(Hand((400.0, 670.0), (380.0, 250.0)),))
    assert _names(arm, _frame()) == {Fault.MOVING}


@pytest.mark.parametrize("sigma", [0.8, 1.3, 3.0])
def test_blur_is_measured_on_the_markers(sigma: float) -> None:
    frame = _frame(0, replace(SENSOR, defocus_px=sigma))
    width = blur_px(frame, solve(_frame(), LAYOUT))
    assert width == pytest.approx(sigma, rel=0.4)
    assert bool(blur_notes(width)) == (sigma > 2)


def test_a_lens_gone_dirty_is_told_from_one_that_was_always_soft() -> None:
    assert blur_notes(2.4, baseline_px=1.6) == ()
    assert [note.what for note in blur_notes(2.4, baseline_px=0.8)] == [Fault.BLURRED]


def _cover(frame: Picture, rectifier: Rectifier, explained: bool = True) -> Cover:
    width, height = LAYOUT.size_mm
    table = rectifier.warp(frame, (width / 2, height / 2), (width, height), 0.0, 1.0)
    outlines = [item.corners_mm() for item in _scene().items] if explained else []
    return find_cover(table, LAYOUT, outlines)


def _square(x: float, y: float, half: float = 20.0) -> list[list[float]]:
    return [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]


def test_a_table_of_cards_that_were_read_is_not_covered() -> None:
    cover = _cover(_frame(), solve(_frame(), LAYOUT))
    assert (int(cover.hands.sum()), int(cover.objects.sum())) == (0, 0)


@pytest.mark.parametrize("tone", [0.0, 0.5, 1.0])
def test_a_hand_of_any_skin_covers_the_place_below_it(tone: float) -> None:
    frame = _frame(2, hands=(Hand((470.0, 670.0), (470.0, 400.0), tone=tone),))
    cover = _cover(frame, solve(frame, LAYOUT))
    assert cover.share(_square(470.0, 470.0))[1] is Fault.HAND
    assert cover.share(_square(470.0, 470.0))[0] > 0.6
    assert cover.share(_square(134.0, 90.0)) == (0.0, None)


@pytest.mark.parametrize("sleeve_bgr", [(25, 25, 30), (120, 60, 30), (250, 250, 250)])
def test_a_sleeve_that_reaches_in_counts_as_a_hand_whatever_its_colour(sleeve_bgr: tuple[int, int, int]) -> None:
    rectifier = solve(_frame(), LAYOUT)
    frame = _frame(3).copy()
    arm = rectifier.to_px([[430.0, 300.0], [510.0, 300.0], [530.0, 560.0], [420.0, 560.0]])
    cv2.fillConvexPoly(frame, np.round(arm).astype(np.int32), sleeve_bgr)
    assert _cover(frame, rectifier).share(_square(470.0, 420.0)) == (1.0, Fault.HAND)


@pytest.mark.fault("object-left")
def test_a_cup_left_on_the_table_is_an_object() -> None:
    rectifier = solve(_frame(), LAYOUT)
    frame = _frame(3).copy()
    x, y = rectifier.to_px((474.0, 110.0))
    cv2.circle(frame, (round(float(x)), round(float(y))), 90, (60, 60, 160), -1)
    cv2.circle(frame, (round(float(x)), round(float(y))), 70, (90, 60, 30), -1)
    share, fault = _cover(frame, rectifier).share(_square(474.0, 110.0))
    assert share > 0.9
    assert fault is Fault.OBJECT


def test_a_card_nobody_could_read_is_no_object() -> None:
    cover = _cover(_frame(), solve(_frame(), LAYOUT), explained=False)
    x, y = next(item.centre_mm for item in _scene().items if item.where == "4A1")
    assert cover.share(_square(x, y)) == (0.0, None)


def test_a_card_with_the_tint_of_skin_is_no_hand() -> None:
    frame = _frame()
    rectifier = solve(frame, LAYOUT)
    card = rectifier.to_px(np.array([[446.0, 70.0], [502.0, 70.0], [502.0, 150.0], [446.0, 150.0]]))
    cv2.fillConvexPoly(frame, np.round(card).astype(np.int32), (90, 130, 200))
    assert _cover(frame, rectifier).share(_square(474.0, 110.0)) == (0.0, None)
