"""The mat as a picture: markers at their places to 0.2 mm, quiet everywhere else."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from firmware.printing import mat
from firmware.printing.heraldry import PAPER
from firmware.printing.raster import bgr
from vision.layout import Layout, schotten_totten

LAYOUT = schotten_totten()


def markers_seen_mm(picture: npt.NDArray[np.uint8], px_per_mm: float) -> dict[int, npt.NDArray[np.float64]]:
    """The corners of every marker that OpenCV finds, in millimetres of the picture."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)
    corners, ids, _ = detector.detectMarkers(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    found = [] if ids is None else [int(marker) for marker in ids.ravel()]
    # OpenCV counts from the middle of the first pixel, the mat from its corner.
    return {
        marker: (corner[0].astype(np.float64) + 0.5) / px_per_mm for marker, corner in zip(found, corners, strict=True)
    }


def corners_on(layout: Layout) -> dict[int, npt.NDArray[np.float64]]:
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    return {marker.id: np.array(marker.centre_mm) + square * marker.size_mm for marker in layout.markers}


@pytest.mark.parametrize("px_per_mm", [3.0, 5.5])
def test_every_marker_is_found_within_a_fifth_of_a_millimetre_of_its_place(px_per_mm: float) -> None:
    seen = markers_seen_mm(mat.draw(LAYOUT, px_per_mm), px_per_mm)
    places = corners_on(LAYOUT)
    assert set(seen) == set(places)
    worst = max(float(np.linalg.norm(seen[marker] - places[marker], axis=1).max()) for marker in places)
    assert worst < 0.2


def test_markers_lie_outside_every_place_of_a_card_or_a_stone() -> None:
    width, height = LAYOUT.card_mm
    boxes = [
        (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        for fan in LAYOUT.fans
        for n in range(fan.capacity)
        for x, y in ((fan.first_mm[0], fan.first_mm[1] + n * fan.step_mm[1]),)
    ]
    for marker in LAYOUT.markers:
        reach = marker.size_mm / 2 * 8 / 6
        x, y = marker.centre_mm
        assert x - reach >= 0
        assert x + reach <= LAYOUT.size_mm[0]
        for left, top, right, bottom in boxes:
            assert x + reach <= left or x - reach >= right or y + reach <= top or y - reach >= bottom


def test_between_the_markers_the_mat_is_quiet_and_darker_than_card_paper() -> None:
    picture = mat.draw(LAYOUT, 2.0)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    playing_area = grey[:, 2 * 34 : 2 * 702]
    paper = int(cv2.cvtColor(np.array([[bgr(PAPER)]], np.uint8), cv2.COLOR_BGR2GRAY)[0, 0])
    assert playing_area.max() < paper - 40
    assert int(playing_area.max()) - int(playing_area.min()) < 80
    assert np.median(playing_area) > 160, "too much ink"


def test_each_card_place_is_framed_where_the_geometry_says() -> None:
    px_per_mm = 4.0
    grey = cv2.cvtColor(mat.draw(LAYOUT, px_per_mm), cv2.COLOR_BGR2GRAY).astype(int)
    for fan in LAYOUT.fans:
        x, y = fan.first_mm
        edge = round((x - LAYOUT.card_mm[0] / 2) * px_per_mm)
        row = grey[round(y * px_per_mm), edge - 6 : edge + 7]
        assert abs(int(row.argmin()) - 6) <= 1, fan.place
