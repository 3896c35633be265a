"""Markers on one's own cloth: their places are solved for."""

from __future__ import annotations

import numpy as np
import pytest

from firmware.simulation.camera import Pose
from tests.vision.bare_table import LAYOUT, BareTable, cloth_with_loose, grid_mm, photographed
from vision.frame import Array
from vision.loose import find_table, solve_loose
from vision.rectify import NoTable, Rectifier, solve

Places = dict[int, tuple[float, float, float]]


def _strewn(seed: int, ids: tuple[int, ...] = tuple(range(8))) -> Places:
    """Markers laid by hand about where the mat has them, as far off as a wide thumb and up to 15 degrees turned."""
    rng = np.random.default_rng(seed)
    width, height = LAYOUT.size_mm
    places = {}
    for marker in LAYOUT.markers:
        x, y = np.clip(np.array(marker.centre_mm) + rng.uniform(-20, 20, 2), (20, 20), (width - 20, height - 20))
        if marker.id in ids:
            places[marker.id] = (float(x), float(y), float(rng.uniform(-15, 15)))
    return places


def _metric_error_mm(rectifier: Rectifier, table: BareTable) -> float:
    """The worst error over the cloth after the best turn and shift: which way the table faces is a convention."""
    here, there = rectifier.to_mm(table.grid_px()), grid_mm()
    a, b = here - here.mean(axis=0), there - there.mean(axis=0)
    left, _, right = np.linalg.svd(a.T @ b)
    return float(np.linalg.norm(a @ left @ right - b, axis=1).max())


@pytest.mark.parametrize("seed", [1, 2])
def test_loose_markers_give_a_true_scale_and_lens(seed: int) -> None:
    pose = Pose((1920, 1080), mounting=180 * (seed - 1), tilt_deg=15, k1=-0.12, k2=0.01, fill=0.95)
    table = photographed(pose, mat=cloth_with_loose(_strewn(seed)))
    rectifier = solve_loose([table.frame], LAYOUT)
    assert _metric_error_mm(rectifier, table) < 1.0


def test_the_table_faces_as_the_printed_one_does() -> None:
    places = _strewn(3)
    table = photographed(Pose((1920, 1080), tilt_deg=8, fill=0.95), mat=cloth_with_loose(places))
    rectifier = solve_loose([table.frame], LAYOUT)
    centres = {marker: corners.mean(axis=0) for marker, corners in rectifier.markers_mm.items()}
    nominal = {marker.id: np.array(marker.centre_mm) for marker in LAYOUT.markers}
    off = np.array([centres[marker] - nominal[marker] for marker in centres])
    assert np.abs(off.mean(axis=0)).max() < 0.01
    assert np.linalg.norm(off, axis=1).max() < 45
    assert _seen_at(rectifier, table) == pytest.approx(table.grid_px()[50], abs=60)


def _seen_at(rectifier: Rectifier, table: BareTable) -> Array:
    return rectifier.to_px(grid_mm()[50])


def test_later_frames_are_solved_with_the_places_found() -> None:
    cloth = cloth_with_loose(_strewn(4))
    first = solve_loose([photographed(Pose((1920, 1080), fill=0.95), mat=cloth).frame], LAYOUT)
    later = photographed(Pose((1920, 1080), tilt_deg=20, azimuth_deg=200, fill=0.9), mat=cloth)
    again = solve(later.frame, LAYOUT, markers_mm=first.markers_mm)
    assert again.fit.rms_mm < 0.4
    assert _metric_error_mm(again, later) < 1.2


def test_four_loose_markers_are_enough_and_three_are_not() -> None:
    pose = Pose((1920, 1080), tilt_deg=10, fill=0.95)
    four = photographed(pose, mat=cloth_with_loose(_strewn(6, (0, 3, 4, 7))))
    assert _metric_error_mm(solve_loose([four.frame], LAYOUT), four) < 2.5
    three = photographed(pose, mat=cloth_with_loose(_strewn(6, (0, 3, 4))))
    with pytest.raises(NoTable, match="3 loose markers"):
        solve_loose([three.frame], LAYOUT)


@pytest.mark.parametrize("seed", [7, 8])
def test_a_table_is_found_on_one_s_own_cloth_without_being_told(seed: int) -> None:
    table = photographed(Pose((1920, 1080), tilt_deg=12, k1=-0.08, fill=0.95), mat=cloth_with_loose(_strewn(seed)))
    rectifier = find_table(table.frame, LAYOUT)
    assert len(rectifier.fit.seen) >= 7
    assert _metric_error_mm(rectifier, table) < 1.2


def test_a_printed_mat_is_found_as_such() -> None:
    table = photographed(Pose((1920, 1080), tilt_deg=12, k1=-0.08, fill=0.95), hidden=(2,))
    rectifier = find_table(table.frame, LAYOUT)
    assert table.error_mm(rectifier.to_mm(table.grid_px())) < 0.3


def test_sheets_joined_a_little_off_are_solved_like_loose_markers() -> None:
    joined = {marker.id: (*marker.centre_mm, 0.0) for marker in LAYOUT.markers}
    for marker in (4, 5, 6, 7):
        x, y, _ = joined[marker]
        joined[marker] = (x - 3.5, y + 3.0, 0.6)
    for marker in (2, 3, 6, 7):
        x, y, turn = joined[marker]
        joined[marker] = (x + 2.0, y - 3.0, turn)
    table = photographed(Pose((1920, 1080), tilt_deg=8, k1=-0.05, fill=0.95), mat=cloth_with_loose(joined))
    rectifier = find_table(table.frame, LAYOUT)
    assert table.error_mm(rectifier.to_mm(table.grid_px())) < 4.0


def test_markers_strewn_anywhere_are_no_table() -> None:
    places = {marker: (100.0 + 150.0 * (marker % 4), 400.0 - 250.0 * (marker // 4), 40.0) for marker in range(8)}
    table = photographed(Pose((1920, 1080), fill=0.95), mat=cloth_with_loose(places))
    with pytest.raises(NoTable, match="lay them as on the printed mat"):
        find_table(table.frame, LAYOUT)
