"""Where the table lies: its markers printed on the mat or loose on one's own cloth, and never another game's mat."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from firmware.calibrating import measure
from firmware.eye import CameraEye, Manners
from firmware.ports import Frame
from firmware.simulation.artwork import plain_mat
from firmware.simulation.camera import Pose
from firmware.tables import TABLES
from tests.vision.bare_table import LAYOUT, cloth_with_loose, photographed
from vision.frame import Picture
from vision.layout import Layout
from vision.observation import Observation
from vision.rectify import Rectifier

POSE = Pose((1920, 1080), tilt_deg=10, fill=0.9)


class NoCards:
    """Reads nothing."""

    def read(self, frame_bgr: Picture, rectifier: Rectifier) -> Observation:
        return Observation({}, {})


def strewn(seed: int) -> Mapping[int, tuple[float, float, float]]:
    """Markers laid by hand about where the mat has them."""
    rng = np.random.default_rng(seed)
    return {
        marker.id: (
            float(np.clip(marker.centre_mm[0] + rng.uniform(-15, 15), 20, LAYOUT.size_mm[0] - 20)),
            float(np.clip(marker.centre_mm[1] + rng.uniform(-15, 15), 20, LAYOUT.size_mm[1] - 20)),
            float(rng.uniform(-12, 12)),
        )
        for marker in LAYOUT.markers
    }


def looked(layout: Layout, frame: Picture) -> tuple[CameraEye, list[str]]:
    """An eye that has looked at this for a while, and what it says."""
    eye = CameraEye(NoCards(), layout, Manners(settle_frames=2))
    for number in range(5):
        sighting = eye.look(Frame(number, frame, 0.5 * number))
    return eye, [trouble.name for trouble in sighting.troubles]


@pytest.mark.parametrize("seed", [0, 2, 5])
def test_a_station_sees_the_table_between_loose_markers_as_it_is(seed: int) -> None:
    places = strewn(seed)
    table = photographed(POSE, mat=cloth_with_loose(places))
    eye, said = looked(LAYOUT, table.frame)
    assert said == []
    assert eye.rectifier is not None
    laid = np.array([places[marker.id][:2] for marker in LAYOUT.markers])
    found = eye.rectifier.to_mm(table.truth.to_px(laid))
    apart = [np.linalg.norm(points[:, None] - points[None], axis=-1) for points in (laid, found)]
    assert np.abs(apart[0] - apart[1]).max() < 1.5, "millimetres are millimetres all over the table"
    measured, troubles = measure(table.frame, LAYOUT)
    assert measured is not None
    assert measured.error_mm < 0.5
    assert troubles == ()


@pytest.mark.parametrize(("game", "other"), [(game, other) for game in TABLES for other in TABLES if game != other])
def test_another_games_mat_is_named_and_nothing_is_read_on_it(game: str, other: str) -> None:
    bare = plain_mat(TABLES[other].layout(), 2.0)
    frame = np.pad(bare, ((60, 60), (60, 60), (0, 0)), constant_values=40)
    eye, said = looked(TABLES[game].layout(), frame)
    assert (said, eye.rectifier) == (["other-mat"], None)
    measured, troubles = measure(frame, TABLES[game].layout())
    assert measured is None
    assert [trouble.name for trouble in troubles] == ["other-mat"]
