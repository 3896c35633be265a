"""How high a camera must hang for the whole mat to be in view, and how finely it then shows it.

Knows the fields of view that makers state for their modules, at the sensor mode that the profile asks for; knows the
mat's size from its layout. A lens that distorts shows a little more at the rim; the margin covers what mounting adds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from vision.layout import Layout

MARGIN = 1.05  # of the mat's size that should be in view: no camera hangs quite straight


@dataclass(frozen=True, slots=True)
class Eyepiece:
    """A camera with its lens: angles of view in degrees across and down the picture, and the picture's size."""

    name: str
    across_deg: float
    down_deg: float
    size_px: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Mounting:
    """Where a camera hangs, and what that gives."""

    eyepiece: Eyepiece
    height_mm: float
    px_per_mm: float


def lens(name: str, focal_mm: float, sensor_mm: tuple[float, float], size_px: tuple[int, int]) -> Eyepiece:
    """A camera whose lens is known by its focal length."""
    across, down = (2 * math.degrees(math.atan(side / 2 / focal_mm)) for side in sensor_mm)
    return Eyepiece(name, across, down, size_px)


HQ_SENSOR_MM = (6.287, 4.712)

# Modes that show the sensor's whole field of view; a mode that crops sees less and must hang higher.
EYEPIECES: tuple[Eyepiece, ...] = (
    Eyepiece("Camera Module 2", 62.2, 48.8, (1640, 1232)),
    Eyepiece("Camera Module 3", 66.0, 41.0, (2304, 1296)),
    Eyepiece("Camera Module 3 Wide", 102.0, 67.0, (2304, 1296)),
    lens("HQ Camera, 6 mm lens", 6.0, HQ_SENSOR_MM, (2028, 1520)),
    lens("HQ Camera, 8 mm lens", 8.0, HQ_SENSOR_MM, (2028, 1520)),
    lens("HQ Camera, 16 mm lens", 16.0, HQ_SENSOR_MM, (2028, 1520)),
    Eyepiece("USB camera, 78° diagonal", 70.4, 43.3, (1920, 1080)),
)


def mounting(eyepiece: Eyepiece, layout: Layout) -> Mounting:
    """The lowest height at which the whole mat is in view with its margin."""
    angles = (eyepiece.across_deg, eyepiece.down_deg)
    reach = [math.tan(math.radians(angle) / 2) for angle in angles]
    height = max(MARGIN * side / 2 / tan for side, tan in zip(layout.size_mm, reach, strict=True))
    scales = [pixels / (2 * height * tan) for pixels, tan in zip(eyepiece.size_px, reach, strict=True)]
    return Mounting(eyepiece, height, min(scales))
