"""When the light is to blame, the light is named."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from firmware.simulation.camera import Pose
from tests.vision.bare_table import LAYOUT, SENSOR, photographed
from vision.blame import blamed
from vision.frame import Picture
from vision.observation import Observation, Reading, Why
from vision.rectify import Rectifier, solve

POSE = Pose(size_px=(1280, 720), fill=0.95)


@pytest.fixture(scope="module")
def frame() -> Picture:
    return photographed(POSE).frame


@pytest.fixture(scope="module")
def rectifier(frame: Picture) -> Rectifier:
    return solve(frame, LAYOUT)


def _unread(why: Why) -> Observation:
    return Observation({"3A": (Reading("g5"), Reading(None, why)), "7B": (Reading(None, why),), "D1": ()})


def _reasons(observation: Observation, frame: Picture, rectifier: Rectifier) -> list[Why | None]:
    told = blamed(observation, frame, rectifier, LAYOUT)
    return [card.why for place in ("3A", "7B") for card in told.cards[place]]


def test_in_good_light_the_reader_s_reason_stands(frame: Picture, rectifier: Rectifier) -> None:
    assert _reasons(_unread(Why.FOREIGN), frame, rectifier) == [None, Why.FOREIGN, Why.FOREIGN]


def test_a_washed_out_blob_is_glare_there_and_nowhere_else(frame: Picture, rectifier: Rectifier) -> None:
    x, y = rectifier.to_px((202.0, 380.0))
    shining = cv2.circle(frame.copy(), (round(float(x)), round(float(y))), 40, (255, 255, 255), -1)
    assert _reasons(_unread(Why.ALIKE), np.asarray(shining, np.uint8), rectifier) == [None, Why.GLARE, Why.ALIKE]


def test_a_whole_place_washed_out_is_over_exposed(frame: Picture, rectifier: Rectifier) -> None:
    area = rectifier.to_px([[150.0, 300.0], [255.0, 300.0], [255.0, 500.0], [150.0, 500.0]])
    sunny = cv2.fillConvexPoly(frame.copy(), np.round(area).astype(np.int32), (255, 255, 255))
    assert _reasons(_unread(Why.ALIKE), np.asarray(sunny, np.uint8), rectifier) == [None, Why.BRIGHT, Why.ALIKE]


def test_a_dark_place_is_dark(frame: Picture, rectifier: Rectifier) -> None:
    assert _reasons(_unread(Why.FOREIGN), (frame * 0.08).astype(np.uint8), rectifier) == [None, Why.DARK, Why.DARK]


def test_a_blurred_frame_is_blurred(rectifier: Rectifier) -> None:
    soft = photographed(POSE, replace(SENSOR, defocus_px=3.2)).frame
    assert _reasons(_unread(Why.FOREIGN), soft, rectifier) == [None, Why.BLURRED, Why.BLURRED]


def test_what_a_hand_or_a_card_covers_is_not_blamed_on_the_light(rectifier: Rectifier) -> None:
    dark = np.zeros((720, 1280, 3), np.uint8)
    assert _reasons(_unread(Why.HAND), dark, rectifier) == [None, Why.HAND, Why.HAND]
