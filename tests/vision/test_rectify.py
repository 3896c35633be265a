"""Markers to millimetres, against the virtual camera's own truth."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from firmware.simulation.camera import Pose, Sensor
from firmware.simulation.light import Edge, Glare, Light
from tests.vision.bare_table import LAYOUT, BareTable, grid_mm, photographed
from vision.frame import Picture
from vision.lens import Lens
from vision.rectify import NoTable, Rectifier, placed, solve

SMALL = Pose(size_px=(1280, 720), tilt_deg=12, k1=-0.1, k2=0.01, fill=0.93)
HARD_LIGHT = Light(
    unevenness=0.4,
    edges=(Edge(through_mm=(300.0, 200.0), direction_deg=30.0, width_mm=400.0, penumbra_mm=2.0, depth=0.6),),
    glares=(Glare(centre_mm=(720.0, 180.0), radius_mm=40.0, stretch=1.5, direction_deg=20.0, strength=0.3),),
)


@pytest.fixture(scope="module")
def table() -> BareTable:
    return photographed(SMALL)


@pytest.mark.parametrize("mounting", [0, 90, 180, 270])
def test_every_millimetre_is_found_whichever_way_the_camera_hangs(mounting: int) -> None:
    pose = Pose((1920, 1080), mounting, tilt_deg=25, azimuth_deg=40, fill=0.93, fov_deg=75, k1=-0.2, k2=0.03)
    table = photographed(pose)
    rectifier = solve(table.frame, LAYOUT)
    assert table.error_mm(rectifier.to_mm(table.grid_px())) < 0.3
    assert rectifier.turned_deg == mounting
    assert rectifier.fit.rms_px < 0.5


def test_a_small_blurred_frame_in_hard_light_stays_within_half_a_millimetre() -> None:
    sensor = Sensor(defocus_px=1.3, shot_noise=0.02, read_noise=0.008, jpeg_quality=70, exposure=0.6)
    table = photographed(replace(SMALL, tilt_deg=28), sensor, HARD_LIGHT)
    rectifier = solve(table.frame, LAYOUT)
    assert table.error_mm(rectifier.to_mm(table.grid_px())) < 0.5


def test_pixels_and_millimetres_are_each_others_inverse(table: BareTable) -> None:
    rectifier = solve(table.frame, LAYOUT)
    assert rectifier.to_mm(rectifier.to_px(grid_mm())) == pytest.approx(grid_mm(), abs=1e-6)


@pytest.mark.parametrize(("hidden", "within_mm"), [((0, 5), 0.4), ((1, 2, 4, 7), 0.8)])
def test_covered_markers_are_named_and_the_rest_suffice(hidden: tuple[int, ...], within_mm: float) -> None:
    table = photographed(SMALL, hidden=hidden)
    rectifier = solve(table.frame, LAYOUT)
    assert rectifier.fit.hidden == hidden
    assert table.error_mm(rectifier.to_mm(table.grid_px())) < within_mm


def test_two_markers_give_a_table_that_says_how_doubtful_it_is() -> None:
    table = photographed(replace(SMALL, k1=0.0, k2=0.0), hidden=(0, 1, 2, 5, 6, 7))
    rectifier = solve(table.frame, LAYOUT)
    assert rectifier.fit.seen == (3, 4)
    assert rectifier.fit.worst_mm > 0.3
    assert table.error_mm(rectifier.to_mm(table.grid_px())) < 5 * rectifier.fit.worst_mm


def test_a_known_lens_steadies_a_view_with_few_markers() -> None:
    table = photographed(SMALL, hidden=(1, 2, 3, 5, 6))
    lens = solve(photographed(SMALL, seed=1).frame, LAYOUT).lens
    alone, steadied = (solve(table.frame, LAYOUT, lens=known) for known in (None, lens))
    assert steadied.fit.worst_mm < alone.fit.worst_mm
    assert table.error_mm(steadied.to_mm(table.grid_px())) < 0.5


def test_a_mirrored_frame_is_named_and_read_all_the_same(table: BareTable) -> None:
    mirrored = np.ascontiguousarray(table.frame[:, ::-1])
    rectifier = solve(mirrored, LAYOUT)
    assert rectifier.is_mirrored
    assert not solve(table.frame, LAYOUT).is_mirrored
    width = table.frame.shape[1]
    assert table.error_mm(rectifier.to_mm(table.grid_px() * (-1, 1) + (width - 1, 0))) < 0.4


def test_a_marker_that_lies_elsewhere_is_left_out_and_named() -> None:
    moved = placed(LAYOUT)
    moved[6] = moved[6] + (-25.0, 0.0)
    table = photographed(SMALL)
    rectifier = solve(table.frame, LAYOUT, markers_mm=moved)
    assert rectifier.fit.stray == (6,)
    assert table.error_mm(rectifier.to_mm(table.grid_px())) < 0.4


@pytest.mark.parametrize("grey", [0, 128])
def test_an_empty_picture_has_no_table(grey: int) -> None:
    with pytest.raises(NoTable, match=r"0 of 8 markers"):
        solve(np.full((720, 1280, 3), grey, np.uint8), LAYOUT)


def test_four_corners_shown_by_hand_stand_in_for_markers(table: BareTable) -> None:
    width, height = LAYOUT.size_mm
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]])
    lens = solve(table.frame, LAYOUT).lens
    by_hand = Rectifier.from_corners(table.truth.to_px(corners), LAYOUT, (1280, 720), lens)
    assert table.error_mm(by_hand.to_mm(table.grid_px())) < 1.0


def test_corners_that_cross_are_refused() -> None:
    with pytest.raises(NoTable, match="clockwise"):
        Rectifier.from_corners([[0, 0], [100, 100], [100, 0], [0, 100]], LAYOUT, (1280, 720))


def _ramp(rectifier: Rectifier) -> Picture:
    """A frame whose blue and green tell each pixel's own place on the mat."""
    width, height = rectifier.frame_size
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    mm = rectifier.to_mm(np.stack([x, y], axis=-1)) / np.array(rectifier.size_mm) * 250
    return np.dstack([np.clip(mm, 0, 255), np.zeros((height, width))]).astype(np.uint8)


def test_a_patch_shows_its_part_of_the_table_upright(table: BareTable) -> None:
    rectifier = solve(table.frame, LAYOUT)
    patch = rectifier.warp(_ramp(rectifier), (300.0, 200.0), (56.0, 80.0), rotation_deg=90.0, px_per_mm=2.0)
    assert patch.shape == (160, 112, 3)
    # A card turned clockwise by 90 degrees has its top to the right: the patch's upper middle is 40 mm to the right.
    x, y = patch[0, 56, :2] / np.array([250.0, 250.0]) * np.array(LAYOUT.size_mm)
    assert (x, y) == pytest.approx((340.0, 200.0), abs=4.0)


def test_a_patch_is_exact_under_a_strong_lens() -> None:
    plane = np.array([[1 / 368, 0, -1], [0, 1 / 368, -256.5 / 368], [0.0001, 0.0002, 1]])
    rectifier = Rectifier(plane, Lens(-0.2, 0.02), (2304, 1296), LAYOUT.size_mm, placed(LAYOUT))
    points = rectifier.pixel_map((66.0, 420.0), (60.0, 150.0), 7.0, 4.0)
    assert points.shape == (600, 240, 2)
    turn = np.radians(7.0)
    for row, column in [(0, 0), (599, 239), (300, 17), (33, 201)]:
        u, v = (column + 0.5) / 4 - 30, (row + 0.5) / 4 - 75
        at = (66 + np.cos(turn) * u - np.sin(turn) * v, 420 + np.sin(turn) * u + np.cos(turn) * v)
        assert points[row, column] == pytest.approx(rectifier.to_px(at), abs=0.05)


def test_shrinking_averages_what_it_leaves_out() -> None:
    plane = np.array([[1 / 368, 0, -1], [0, 1 / 368, -256.5 / 368], [0, 0, 1]])
    rectifier = Rectifier(plane, Lens(), (2304, 1296), LAYOUT.size_mm, placed(LAYOUT))
    checks = (np.indices((1296, 2304)).sum(axis=0) % 2 * 255).astype(np.uint8)
    patch = rectifier.warp(cv2.cvtColor(checks, cv2.COLOR_GRAY2BGR), (300.0, 200.0), (80.0, 80.0), 0.0, 0.5)
    assert np.abs(patch.astype(int) - 127).max() < 40


def test_the_scale_is_known_everywhere(table: BareTable) -> None:
    rectifier = solve(table.frame, LAYOUT)
    left, right, above, below = table.truth.to_px(np.array([[367.5, 256], [368.5, 256], [368, 255.5], [368, 256.5]]))
    across, down = np.linalg.norm(right - left), np.linalg.norm(below - above)
    assert rectifier.px_per_mm((368.0, 256.0)) == pytest.approx(float(np.sqrt(across * down)), rel=0.02)
