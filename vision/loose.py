"""Markers that lie loose on one's own cloth: their sizes are known, their places are solved for.

Every marker is a square of known size on one plane. Squares seen at several places fix the plane, the lens and where
the squares lie, but not which way the table faces: that is taken from the printed mat, whose markers of the same
numbers lie about there (0 to 3 at A's left hand from the top, 4 to 7 at the right).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import cv2
import numpy as np

from vision.fit import Solution, least_squares
from vision.frame import Array, Picture, as_grey
from vision.layout import Layout
from vision.lens import FrameSize, Lens, half_diagonal, project, to_normal
from vision.markers import corners_mm
from vision.rectify import Contradiction, NoTable, Rectifier, find_either_way, fitted, placed, solve

_ENOUGH = 4
_MANY_STRAY = 2  # one marker may have slipped; several were never printed together
_FAR_MM = 90.0
_PRINTED_MM = 0.5  # markers printed in one piece fit better than this
_MOST = 6  # fewer loose markers say less than a printed mat, however careless
_NOISE_PX = 0.15
_LENS_SPREAD = (0.25, 0.12)


def find_table(frame_bgr: Picture, layout: Layout, lens: Lens | None = None) -> Rectifier:
    """The table of a frame, whether its markers are those of a printed mat or lie loose.

    Sheets of a mat that were joined carelessly count as loose too: their markers' own places are then solved for.
    """
    try:
        rectifier = solve(frame_bgr, layout, lens)
    except Contradiction:
        return solve_loose([frame_bgr], layout)
    fit = rectifier.fit
    if len(fit.stray) < _MANY_STRAY and fit.rms_mm < _PRINTED_MM:
        return rectifier
    try:
        loose = solve_loose([frame_bgr], layout)
    except NoTable:
        return rectifier
    is_better = len(loose.fit.seen) >= _MOST and loose.fit.rms_mm < fit.rms_mm / 3
    return loose if is_better or len(loose.fit.seen) > len(fit.seen) else rectifier


def is_printed(frame_bgr: Picture, layout: Layout) -> bool:
    """Whether the markers in view are those of this very mat, printed in one piece."""
    try:
        fit = solve(frame_bgr, layout).fit
    except NoTable:
        return False
    return len(fit.seen) >= _MOST and not fit.stray and fit.rms_mm < _PRINTED_MM


def are_loose(rectifier: Rectifier, layout: Layout) -> bool:
    """Whether the markers' places were solved for, instead of taken from the printed mat."""
    printed = placed(layout)
    return any(not np.array_equal(corners, printed[marker]) for marker, corners in rectifier.markers_mm.items())


def solve_loose(frames: Sequence[Picture], layout: Layout, size_mm: float | None = None) -> Rectifier:
    """Where loose markers lie, from one frame or several of the same view (their noise averages out).

    The result holds the markers' places (`markers_mm`): later frames are solved with `rectify.solve`.
    """
    wanted = {marker.id: marker for marker in layout.markers}
    looks = [find_either_way(as_grey(frame), frozenset(wanted)) for frame in frames]
    seen = _averaged(looks)
    if len(seen) < _ENOUGH:
        raise NoTable(f"{len(seen)} loose markers found and {_ENOUGH} are needed; lay them flat around the table")
    frame_size: FrameSize = (frames[0].shape[1], frames[0].shape[0])
    sizes = {marker: size_mm or wanted[marker].size_mm for marker in seen}
    nominal = {marker: np.array(wanted[marker].centre_mm) for marker in seen}
    places = _aligned(_places(seen, sizes, nominal, frame_size), nominal)
    far = max(float(np.linalg.norm(corners.mean(axis=0) - nominal[marker])) for marker, corners in places.items())
    if far > _FAR_MM:
        raise NoTable(f"a loose marker lies {far:.0f} mm from where the mat has it: lay them as on the printed mat")
    return fitted(seen, places, frame_size, layout.size_mm)


def _averaged(looks: Sequence[Mapping[int, Array]]) -> dict[int, Array]:
    """Each marker's corners over the frames; the median forgets a look past a sleeve."""
    ids = sorted(set().union(*looks))
    return {marker: np.median([look[marker] for look in looks if marker in look], axis=0) for marker in ids}


def _places(
    seen: Mapping[int, Array], sizes: Mapping[int, float], nominal: Mapping[int, Array], frame_size: FrameSize
) -> dict[int, Array]:
    """Every marker's corners on the plane, in millimetres; the first marker lies at its nominal place, upright."""
    ids = list(seen)
    unit = float(np.mean([np.linalg.norm(centre - nominal[ids[0]]) for centre in nominal.values()]))
    squares = {marker: corners_mm((0.0, 0.0), sizes[marker]) / unit for marker in ids}
    views = np.stack([to_normal(seen[marker], frame_size) for marker in ids])
    scale = half_diagonal(frame_size) / _NOISE_PX

    def laid(values: Array) -> Array:
        """The markers' corners on the plane; all but the first have x, y and a turn."""
        poses = np.concatenate([np.zeros((1, 3)), values[10:].reshape(-1, 3)])
        cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
        turns = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)
        return cast(
            Array,
            np.stack([squares[m] @ turn.T + pose[:2] for m, turn, pose in zip(ids, turns, poses, strict=True)]),
        )

    def residuals(values: Array) -> Array:
        plane = np.append(values[:8], 1.0).reshape(3, 3)
        points = Lens(values[8], values[9]).bend(project(plane, laid(values).reshape(-1, 2)))
        return cast(Array, ((points - views.reshape(-1, 2)) * scale).ravel())

    priors = np.array([0.0] * 8 + [1 / width for width in _LENS_SPREAD] + [0.0] * (3 * len(ids) - 3))
    tries: list[Solution] = []
    for start in _starts(ids, views, squares, nominal, unit):
        tries.append(least_squares(residuals, start, priors, robust=8.0))
    best = min(tries, key=lambda solution: solution.cost)
    return {marker: corners * unit for marker, corners in zip(ids, laid(best.values), strict=True)}


def _starts(
    ids: Sequence[int], views: Array, squares: Mapping[int, Array], nominal: Mapping[int, Array], unit: float
) -> list[Array]:
    """Two first guesses: markers lie as on the mat, and the plane as the largest marker alone shows it."""
    centres = views.mean(axis=1)
    as_on_mat = np.array([(nominal[marker] - nominal[ids[0]]) / unit for marker in ids])
    planes = [cv2.findHomography(as_on_mat, centres)[0]]
    largest = int(np.argmax([np.linalg.norm(view[0] - view[2]) for view in views]))
    alone = cv2.findHomography(squares[ids[largest]], views[largest])[0]
    planes.append(alone)
    return [_start(cast(Array, plane), views) for plane in planes if plane is not None]


def _start(plane: Array, views: Array) -> Array:
    """A guess of the plane, moved so that the first marker lies upright at 0, and the poses it gives the others."""
    flat = project(cast(Array, np.linalg.inv(plane)), views.reshape(-1, 2)).reshape(-1, 4, 2)
    centres = flat.mean(axis=1)
    along = flat[:, 1] - flat[:, 0]
    turns = np.arctan2(along[:, 1], along[:, 0])
    cos, sin = np.cos(turns[0]), np.sin(turns[0])
    move = np.array([[cos, -sin, centres[0, 0]], [sin, cos, centres[0, 1]], [0, 0, 1]])
    moved = plane @ move
    around = (centres - centres[0]) @ move[:2, :2]
    poses = np.column_stack([around, turns - turns[0]])[1:]
    return np.concatenate([(moved / moved[2, 2]).ravel()[:8], [0.0, 0.0], poses.ravel()])


def _aligned(places: Mapping[int, Array], nominal: Mapping[int, Array]) -> dict[int, Array]:
    """The places turned and shifted (never scaled) to lie as the mat's markers do, as nearly as can be."""
    ids = list(places)
    here = np.stack([places[marker].mean(axis=0) for marker in ids])
    there = np.stack([nominal[marker] for marker in ids])
    left, _, right = np.linalg.svd((here - here.mean(axis=0)).T @ (there - there.mean(axis=0)))
    flip = np.diag([1.0, float(np.sign(np.linalg.det(left @ right)))])
    turn = (left @ flip @ right).T
    return {marker: (corners - here.mean(axis=0)) @ turn.T + there.mean(axis=0) for marker, corners in places.items()}
