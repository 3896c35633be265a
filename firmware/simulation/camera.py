"""Where the camera hangs and what its lens does: every pixel of the frame as a point on the mat, and back.

A pinhole with Brown's radial distortion looks at the mat's plane. The height is found so that the mat fills the frame
as far as asked. Knows geometry; knows no card, colour or light.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import Size

Floats = NDArray[np.float32]
GRID_PX = 8  # the maps are smooth: computed on a grid this wide, then interpolated to 0.01 mm


@dataclass(frozen=True, slots=True)
class Pose:
    """How the camera is mounted. `mounting` turns the frame (0: A below, 180: hung upside down, 90 and 270: from
    either side); the tilt leans the camera towards `azimuth_deg`."""

    size_px: tuple[int, int] = (2304, 1296)
    mounting: int = 0
    tilt_deg: float = 0.0
    azimuth_deg: float = 90.0
    fill: float = 0.97
    fov_deg: float = 66.0
    k1: float = 0.0
    k2: float = 0.0


@dataclass(frozen=True, slots=True)
class Sensor:
    """What lens blur, sensor and picture processing do to the light. Noise is relative to full white."""

    defocus_px: float = 0.0
    motion_px: float = 0.0
    motion_deg: float = 0.0
    shot_noise: float = 0.0
    read_noise: float = 0.0
    exposure: float = 0.85
    gamma: float = 1.0
    saturation: float = 1.0
    sharpening: float = 0.0
    vignetting: float = 0.0
    mosaic: bool = False
    jpeg_quality: int | None = None

    @property
    def is_noisy(self) -> bool:
        return bool(self.shot_noise or self.read_noise)


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera as mounted and as set."""

    pose: Pose = Pose()
    sensor: Sensor = Sensor()


class Projection:
    """The mat as seen in one pose."""

    def __init__(self, pose: Pose, size_mm: Size) -> None:
        self.pose = pose
        self.size_px = pose.size_px
        self._focal_px = pose.size_px[0] / 2 / math.tan(math.radians(pose.fov_deg) / 2)
        self._radii = _monotone_radii(pose.k1, pose.k2)
        self._homography = self._aim(size_mm)
        self._inverse = np.linalg.inv(self._homography)

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        """Points of the mat in the frame."""
        return self._distort(_apply(self._homography, np.asarray(points_mm, float)))

    def px_per_mm(self, centre_mm: tuple[float, float], rotation_deg: float) -> tuple[float, float]:
        """How large a millimetre appears along and across a card lying here."""
        angle = math.radians(rotation_deg)
        centre = np.asarray(centre_mm)
        along = np.array([math.cos(angle), math.sin(angle)])
        down = np.array([-math.sin(angle), math.cos(angle)])
        a, b, c, d = self.to_px(np.array([centre - along, centre + along, centre - down, centre + down]))
        return float(np.linalg.norm(b - a)) / 2, float(np.linalg.norm(d - c)) / 2

    def maps_mm(self) -> tuple[Floats, Floats]:
        """For every pixel of the frame, where it looks on the plane of the mat: x and y in millimetres."""
        width, height = self.size_px
        columns, rows = -(-width // GRID_PX) + 4, -(-height // GRID_PX) + 4
        xs = (np.arange(columns) - 2 + 0.5) * GRID_PX - 0.5
        ys = (np.arange(rows) - 2 + 0.5) * GRID_PX - 0.5
        nodes = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        points = _apply(self._inverse, self._undistort(nodes)).reshape(rows, columns, 2)
        planes = []
        for axis in range(2):
            coarse = np.ascontiguousarray(points[..., axis], np.float32)
            fine = cv2.resize(coarse, (columns * GRID_PX, rows * GRID_PX), interpolation=cv2.INTER_LINEAR)
            edge = 2 * GRID_PX
            planes.append(np.ascontiguousarray(fine[edge : edge + height, edge : edge + width], np.float32))
        return planes[0], planes[1]

    def _distort(self, points: np.ndarray) -> np.ndarray:
        centre = np.array([(self.size_px[0] - 1) / 2, (self.size_px[1] - 1) / 2])
        ideal = (points - centre) / self._focal_px
        square = (ideal**2).sum(axis=-1, keepdims=True)
        bent = ideal * (1 + self.pose.k1 * square + self.pose.k2 * square**2)
        return np.asarray(bent * self._focal_px + centre)

    def _undistort(self, points: np.ndarray) -> np.ndarray:
        centre = np.array([(self.size_px[0] - 1) / 2, (self.size_px[1] - 1) / 2])
        seen = (points - centre) / self._focal_px
        radius = np.maximum(np.linalg.norm(seen, axis=-1, keepdims=True), 1e-9)
        ideal, distorted = self._radii
        straight = seen * (np.interp(radius, distorted, ideal) / radius)
        return np.asarray(straight * self._focal_px + centre)

    def _aim(self, size_mm: Size) -> np.ndarray:
        """The homography from the mat to the ideal frame: centred, at the height where the mat fills it."""
        corners = _outline(size_mm)
        target = np.array(size_mm) / 2
        distance = 2.0 * max(size_mm)
        width, height = self.size_px
        homography = self._look(target, distance)
        for _ in range(25):
            seen = self._distort(_apply(homography, corners))
            low, high = seen.min(axis=0), seen.max(axis=0)
            share = max((high[0] - low[0]) / width, (high[1] - low[1]) / height)
            distance *= share / self.pose.fill
            middle = _apply(np.linalg.inv(homography), self._undistort(((low + high) / 2)[None]))[0]
            now = _apply(np.linalg.inv(homography), self._undistort(np.array([[(width - 1) / 2, (height - 1) / 2]])))[0]
            target = target + 0.8 * (middle - now)
            homography = self._look(target, distance)
        return homography

    def _look(self, target: np.ndarray, distance: float) -> np.ndarray:
        """The homography of a camera at this distance from `target`, leaning as the pose says."""
        tilt, azimuth = math.radians(self.pose.tilt_deg), math.radians(self.pose.azimuth_deg)
        # World axes: x and y on the mat as printed, z down into the table, so that an untilted camera sees the mat
        # upright with x to the right and y downwards.
        lean = np.array([-math.sin(azimuth), math.cos(azimuth), 0.0])
        rotation = cv2.Rodrigues(lean * tilt)[0]
        turn = math.radians(self.pose.mounting)
        roll = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]])
        rotation = roll @ rotation
        origin = rotation @ np.array([*target, 0.0])
        shift = np.array([0.0, 0.0, distance]) - origin
        width, height = self.size_px
        f = self._focal_px
        intrinsic = np.array([[f, 0, (width - 1) / 2], [0, f, (height - 1) / 2], [0, 0, 1]])
        return np.asarray(intrinsic @ np.column_stack([rotation[:, 0], rotation[:, 1], shift]))


@lru_cache(maxsize=4)
def projection(pose: Pose, size_mm: Size) -> Projection:
    """The projection of a pose, kept while the camera does not move."""
    return Projection(pose, size_mm)


def _outline(size_mm: Size) -> np.ndarray:
    """Points all round the mat: a barrel's bulge shows at the middle of an edge, not at its corners."""
    share = np.linspace(0, 1, 9)
    zeros, ones = np.zeros_like(share), np.ones_like(share)
    sides = [(share, zeros), (share, ones), (zeros, share), (ones, share)]
    return np.asarray(np.concatenate([np.column_stack(side) for side in sides]) * np.array(size_mm))


def _monotone_radii(k1: float, k2: float) -> tuple[np.ndarray, np.ndarray]:
    """Ideal and distorted radii as a table, cut where Brown's polynomial would fold back."""
    ideal = np.linspace(0, 3, 3001)
    distorted = ideal * (1 + k1 * ideal**2 + k2 * ideal**4)
    folds = np.flatnonzero(np.diff(distorted) <= 1e-6)
    end = int(folds[0]) + 1 if folds.size else len(ideal)
    return ideal[:end], distorted[:end]


def _apply(homography: np.ndarray, points: np.ndarray) -> np.ndarray:
    lifted = points @ homography[:, :2].T + homography[:, 2]
    return np.asarray(lifted[..., :2] / lifted[..., 2:])
