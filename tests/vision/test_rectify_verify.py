"""Once solved, the table is only looked at: still, bumped, or hidden."""

from __future__ import annotations

import time

import cv2
import numpy as np
import pytest

from firmware.simulation.camera import Pose
from tests.vision.bare_table import LAYOUT, photographed
from vision.frame import Picture
from vision.rectify import Rectifier, placed, solve
from vision.verify import Pose as Verdict
from vision.verify import verify

POSE = Pose(size_px=(1920, 1080), tilt_deg=12, k1=-0.1, fill=0.9)


@pytest.fixture(scope="module")
def frame() -> Picture:
    return photographed(POSE).frame


@pytest.fixture(scope="module")
def rectifier(frame: Picture) -> Rectifier:
    return solve(frame, LAYOUT)


def _shifted(frame: Picture, right_px: float, down_px: float) -> Picture:
    move = np.array([[1, 0, right_px], [0, 1, down_px]], dtype=np.float64)
    size = (frame.shape[1], frame.shape[0])
    return np.asarray(cv2.warpAffine(frame, move, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)


def test_another_frame_of_the_same_view_is_still(rectifier: Rectifier) -> None:
    sight = verify(photographed(POSE, seed=5).frame, rectifier)
    assert (sight.pose, sight.hidden, sight.strayed) == (Verdict.STILL, (), ())
    assert sight.shift_mm < 0.2


@pytest.mark.parametrize("shift_px", [3.0, 6.0, 12.0])
def test_a_bump_is_noticed_and_measured(frame: Picture, rectifier: Rectifier, shift_px: float) -> None:
    sight = verify(_shifted(frame, shift_px, 0.0), rectifier)
    assert sight.pose is Verdict.MOVED
    assert sight.shift_mm == pytest.approx(shift_px / rectifier.px_per_mm((368.0, 256.0)), rel=0.35)


def test_after_a_bump_the_table_is_solved_again(frame: Picture, rectifier: Rectifier) -> None:
    bumped = _shifted(frame, 9.0, -7.0)
    again = solve(bumped, LAYOUT, lens=rectifier.lens)
    assert verify(bumped, again).pose is Verdict.STILL
    x, y = rectifier.to_px((368.0, 256.0))
    assert again.to_px((368.0, 256.0)) == pytest.approx((x + 9.0, y - 7.0), abs=0.5)


def test_a_far_bump_or_an_absent_mat_is_lost(frame: Picture, rectifier: Rectifier) -> None:
    assert verify(_shifted(frame, 150.0, 90.0), rectifier).pose is Verdict.LOST
    assert verify(np.full_like(frame, 90), rectifier).pose is Verdict.LOST


def test_covered_markers_are_named_and_do_not_count_as_a_bump(rectifier: Rectifier) -> None:
    sight = verify(photographed(POSE, hidden=(2, 5)).frame, rectifier)
    assert (sight.pose, sight.hidden) == (Verdict.STILL, (2, 5))


def test_one_marker_that_moved_alone_is_no_bump(frame: Picture, rectifier: Rectifier) -> None:
    lying = placed(LAYOUT)
    lying[3] = lying[3] + (4.0, 0.0)
    elsewhere = Rectifier(rectifier.plane, rectifier.lens, rectifier.frame_size, rectifier.size_mm, lying)
    sight = verify(frame, elsewhere)
    assert (sight.pose, sight.strayed) == (Verdict.STILL, (3,))


def test_a_darker_light_is_no_bump(frame: Picture, rectifier: Rectifier) -> None:
    assert verify((frame * 0.35).astype(np.uint8), rectifier).pose is Verdict.STILL


def test_a_glance_costs_a_few_milliseconds(frame: Picture, rectifier: Rectifier) -> None:
    verify(frame, rectifier)
    times = []
    for _ in range(9):
        start = time.perf_counter()
        verify(frame, rectifier)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.003
