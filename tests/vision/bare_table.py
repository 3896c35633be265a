"""Photographs of a bare mat with markers, for tests of geometry: the virtual table with nothing, or little, on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from firmware.simulation.artwork import Artwork, plain_mat
from firmware.simulation.camera import Camera, Pose, Projection, Sensor, projection
from firmware.simulation.light import Light
from firmware.simulation.photograph import Photographer
from firmware.simulation.scene import Scene
from vision.frame import Array, Picture
from vision.layout import Layout, schotten_totten
from vision.markers import MODULES, pattern

LAYOUT = schotten_totten()
PX_PER_MM = 4.0
SENSOR = Sensor(defocus_px=0.8, shot_noise=0.01, read_noise=0.004, jpeg_quality=80)


@dataclass(frozen=True, slots=True)
class BareTable:
    """A photograph, and where the mat really is in it."""

    frame: Picture
    truth: Projection

    def error_mm(self, to_mm: Array) -> float:
        """The worst error of a grid over the whole mat, given as the reader places its true pixels."""
        return float(np.linalg.norm(to_mm - grid_mm(), axis=-1).max())

    def grid_px(self) -> Array:
        """The grid as the camera sees it."""
        return np.asarray(self.truth.to_px(grid_mm()), dtype=np.float64)


def grid_mm(layout: Layout = LAYOUT) -> Array:
    """Points all over the mat."""
    width, height = layout.size_mm
    x, y = np.meshgrid(np.linspace(0, width, 12), np.linspace(0, height, 9))
    return np.column_stack([x.ravel(), y.ravel()])


def mat_with_hidden(hidden: tuple[int, ...] = ()) -> Picture:
    """The mat with some markers covered by something round."""
    mat = plain_mat(LAYOUT, PX_PER_MM)
    for marker in LAYOUT.markers:
        if marker.id in hidden:
            cv2.circle(mat, _pixel(marker.centre_mm), 60, (120, 140, 160), -1)
    return mat


def cloth_with_loose(poses: Mapping[int, tuple[float, float, float]], layout: Layout = LAYOUT) -> Picture:
    """A plain cloth as large as the mat with markers anywhere: x and y in millimetres, turned clockwise."""
    width, height = (round(side * PX_PER_MM) for side in layout.size_mm)
    cloth = np.full((height, width, 3), (90, 120, 70), np.uint8)
    for marker, (x, y, turn_deg) in poses.items():
        picture = pattern(marker, round(24 / MODULES * PX_PER_MM)).astype(np.float32) / 255
        middle = (picture.shape[0] - 1) / 2
        turn = cv2.getRotationMatrix2D((middle, middle), -turn_deg, 1.0)
        turn[:, 2] += np.array([x, y]) * PX_PER_MM - 0.5 - middle
        paper = cv2.warpAffine(np.ones(picture.shape[:2], np.uint8), turn, (width, height), flags=cv2.INTER_NEAREST)
        laid = cv2.warpAffine(picture, turn, (width, height), borderMode=cv2.BORDER_REPLICATE)
        # A pixel on an edge reflects its share of light; its number follows the tone curve.
        cloth[paper > 0] = (255 * laid[paper > 0, None] ** (1 / 2.2)).astype(np.uint8)
    return cloth


def _pixel(point_mm: tuple[float, float]) -> tuple[int, int]:
    return round(point_mm[0] * PX_PER_MM), round(point_mm[1] * PX_PER_MM)


def photographed(
    pose: Pose,
    sensor: Sensor = SENSOR,
    light: Light | None = None,
    hidden: tuple[int, ...] = (),
    seed: int = 0,
    mat: Picture | None = None,
) -> BareTable:
    """One photograph; only noise differs between seeds."""
    photographer = Photographer(LAYOUT, Artwork(lambda _: None), mat_with_hidden(hidden) if mat is None else mat)
    photo = photographer.photograph(Scene(()), Camera(pose, sensor), light or Light(), np.random.default_rng(seed))
    return BareTable(photo.pixels_bgr, projection(pose, LAYOUT.size_mm))
