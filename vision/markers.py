"""Finding the printed markers in a picture, to a fraction of a pixel.

Knows ArUco markers (dictionary 4X4_50) and grey pictures; does not know where markers belong. Corners are always in
the marker's own order: top left, top right, bottom right, bottom left.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Array, Picture, sample

MODULES = 6  # a 4x4 marker and its black border
_DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
_SMALL_PX = 1600  # frames narrower than this are also searched at twice their size
# A lens blurs light, not the tone curve's numbers: edges are placed in light.
_LINEAR = ((np.arange(256) / 255.0) ** 2.2).astype(np.float32)
_UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float64)


@cache
def pattern(marker: int, module_px: int, margin: float = 1.0) -> Picture:
    """The marker as it should look, in the middle of a white margin of so many modules."""
    image = cv2.aruco.generateImageMarker(_DICTIONARY, marker, MODULES * module_px, borderBits=1)
    border = round(margin * module_px)
    padded = cv2.copyMakeBorder(image, border, border, border, border, cv2.BORDER_CONSTANT, value=255)
    return cast(Picture, padded)


def find(grey: Picture, wanted: frozenset[int], *, quick: bool = False) -> dict[int, Array]:
    """Wanted markers by id. Harder looks (shade evened out, enlarged) are taken only while some are missing, and none
    when a quick look will do."""
    found: dict[int, Array] = {}
    for picture, scale in _quick_look(grey) if quick else _looks(grey):
        for marker, corners in _detect(picture).items():
            if marker in wanted and marker not in found:
                found[marker] = refined(grey, (corners + 0.5) / scale - 0.5)
        if found.keys() >= wanted:
            break
    return found


def _looks(grey: Picture) -> Iterator[tuple[Picture, float]]:
    yield grey, 1.0
    yield _evened(grey), 1.0
    if grey.shape[1] < _SMALL_PX:
        double = _doubled(grey)
        yield double, 2.0
        yield _evened(double), 2.0


def _quick_look(grey: Picture) -> Iterator[tuple[Picture, float]]:
    """One look, enlarged where the frame is small."""
    if grey.shape[1] < _SMALL_PX:
        yield _doubled(grey), 2.0
    else:
        yield grey, 1.0


def _doubled(grey: Picture) -> Picture:
    return cast(Picture, cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC))


def _evened(grey: Picture) -> Picture:
    """Local contrast only: shade edges and glare slopes flattened."""
    return cast(Picture, cv2.createCLAHE(clipLimit=4.0, tileGridSize=(16, 16)).apply(grey))


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 3
    parameters.adaptiveThreshWinSizeMin = 7
    parameters.adaptiveThreshWinSizeMax = 47
    parameters.adaptiveThreshWinSizeStep = 20
    parameters.minMarkerPerimeterRate = 0.02
    parameters.errorCorrectionRate = 0.4
    return cv2.aruco.ArucoDetector(_DICTIONARY, parameters)


def _detect(grey: Picture) -> dict[int, Array]:
    corners, ids, _ = _detector().detectMarkers(grey)
    found: dict[int, Array] = {}
    for quad, marker in zip(corners, () if ids is None else map(int, np.ravel(ids)), strict=True):
        points = np.asarray(quad, dtype=np.float64).reshape(4, 2)
        # The outer quadrilateral wins should one marker be found twice.
        if marker not in found or _area(points) > _area(found[marker]):
            found[marker] = points
    return found


def _area(quad: Array) -> float:
    (a, b), (c, d) = quad[2] - quad[0], quad[3] - quad[1]
    return abs(float(a * d - b * c)) / 2


def refined(grey: Picture, corners: Array) -> Array:
    """Corners as crossings of the marker's four outer edges, each edge placed by its steepest rise.

    An edge has dozens of pixels and a corner a few, and blur rounds a corner off but leaves an edge where it was.
    Where an edge is not seen well (a finger, glare) the corners stay as given.
    """
    size = float(np.linalg.norm(corners[0] - corners[2]))
    left, top = np.maximum(np.floor(corners.min(axis=0) - 0.3 * size), 0).astype(int)
    right, bottom = np.maximum(np.ceil(corners.max(axis=0) + 0.3 * size), 1).astype(int)
    light = _LINEAR[grey[top:bottom, left:right]]
    if not light.size:
        return corners
    corner = np.array([left, top], dtype=np.float64)
    quad = corners - corner
    for _ in range(2):
        lines = [_edge(light, quad[i], quad[(i + 1) % 4], quad.mean(axis=0)) for i in range(4)]
        crossed = [_crossing(lines[i - 1], lines[i]) for i in range(4)]
        quad = np.array(
            [
                new if new is not None and np.linalg.norm(new - old) < 0.15 * size else old
                for new, old in zip(crossed, quad, strict=True)
            ]
        )
    return quad + corner


Line = tuple[Array, Array]  # a point and a direction
Light = NDArray[np.float32]


def _edge(light: Light, start: Array, end: Array, centre: Array) -> Line | None:
    along = end - start
    length = float(np.linalg.norm(along))
    along = along / max(length, 1e-9)
    normal = np.array([-along[1], along[0]])
    if normal @ (start - centre) < 0:
        normal = -normal
    reach = max(1.5, 0.7 * length / MODULES)
    offsets = np.linspace(-reach, reach, 2 * int(np.ceil(2 * reach)) + 1)
    places = np.linspace(0.12, 0.88, max(6, int(length / 2))) * length
    points = start + places[:, None, None] * along + offsets[None, :, None] * normal
    profiles = sample(light, points.astype(np.float32), cv2.BORDER_REPLICATE)
    rise = np.maximum(np.diff(profiles.astype(np.float64), axis=1), 0.0)
    between = (offsets[:-1] + offsets[1:]) / 2
    strength = rise.sum(axis=1)
    seen = strength > max(0.02, 0.4 * float(np.median(strength)))
    if seen.sum() < 0.5 * len(places):
        return None
    # Squaring lets the steepest rise decide, not the noise on either side of it.
    steep = rise[seen] ** 2
    shift = (steep * between).sum(axis=1) / steep.sum(axis=1)
    slope, level = _straight(places[seen], shift)
    return start + level * normal, along + slope * normal


def _straight(x: Array, y: Array) -> tuple[float, float]:
    """A straight line through most of the points."""
    keep = np.abs(y - np.median(y)) < 2.5 * np.median(np.abs(y - np.median(y))) + 0.5
    slope, level = np.polyfit(x[keep], y[keep], 1) if keep.sum() >= 3 else (0.0, float(np.median(y)))
    return float(slope), float(level)


def _crossing(first: Line | None, second: Line | None) -> Array | None:
    if first is None or second is None:
        return None
    (p, d), (q, e) = first, second
    across = d[0] * e[1] - d[1] * e[0]
    if abs(across) < 1e-6:
        return None
    t = ((q - p)[0] * e[1] - (q - p)[1] * e[0]) / across
    return cast(Array, p + t * d)


def corners_mm(centre: tuple[float, float], size_mm: float) -> Array:
    """The corners of an upright marker, in its own order."""
    return cast(Array, np.asarray(centre) + size_mm * (_UNIT - 0.5))


def searched(grey: Picture, marker: int, near: Array, reach: float = 0.6) -> Array | None:
    """The marker near where it is expected, compared with its very picture: found in shade where edges fail.

    `near` are the expected corners; the place may be off by `reach` marker sizes.
    """
    module = 4
    size = MODULES * module
    border = round(reach * size)
    target = (border + size * _UNIT).astype(np.float32)
    side = size + 2 * border
    back = cv2.getPerspectiveTransform(target, near.astype(np.float32))
    patch = cv2.warpPerspective(
        grey, back, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    model = pattern(marker, module, margin=0.5)
    scores = cv2.matchTemplate(patch, model, cv2.TM_CCOEFF_NORMED)
    _, score, _, (x, y) = cv2.minMaxLoc(scores)
    if score < 0.65:
        return None
    quad = (np.array([x, y]) + module * 0.5 + size * _UNIT).reshape(-1, 1, 2)
    return refined(grey, cv2.perspectiveTransform(quad, back).reshape(4, 2).astype(np.float64))
