"""Faces that share their drawing: brought to lie exactly over one another, and numbered by family.

In most decks every colour of a value shares its picture. No two scans are cut alike, and what sets colours apart is
often less than what a shift of half a millimetre does. Knows faces; knows no code.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import FACE_PX_PER_MM, resized
from vision.even import around, face_evened
from vision.frame import Picture
from vision.layout import Size
from vision.match import (
    EDGE_MM,
    SOFT_MM,
    Floats,
    Poses,
    grid_mm,
    ink_of,
    points_at,
    poses_of,
    slopes_of,
    stepped,
    taken,
)
from vision.match import alike as likeness
from vision.plan import FULL

_PERHAPS = 0.6  # correlation of faces that may share their drawing once they lie exactly over one another
_ROUGHLY = 0.85  # when they are compared roughly
_ALIKE, _SHARED = 0.9, 0.8  # correlation of faces that share their drawing, and of their evened ink
_CLOSE, _FARTHER = 0.95, 3.0  # of the latter where others are less alike; how many times as far as the closest
_OTHER_INK = 40  # difference of colour, of 255, of two inks


def registered(faces_bgr: Picture, card_mm: Size) -> tuple[Picture, tuple[int, ...]]:
    """Faces that share their drawing brought to lie exactly over one another, and the number of each one's family.

    No two scans are cut alike: left as they are, a shift of half a millimetre would count for more than a colour.
    """
    ink = _inks(faces_bgr)
    correlation = ink @ ink.T
    families = np.full(len(ink), -1)
    aligned = faces_bgr.copy()
    for face in range(len(ink)):
        if families[face] >= 0:
            continue
        families[face] = families.max() + 1
        others = np.flatnonzero((families < 0) & (correlation[face] > _PERHAPS))
        if len(others) > 0:  # a rough look spares most of those that only share their layout
            _, roughly = _fitted(faces_bgr[others], faces_bgr[face], card_mm, shrink=6, steps=6)
            others = others[roughly > _ROUGHLY]
        if len(others) == 0:
            continue
        moved = _moved(faces_bgr[others], faces_bgr[face], card_mm)
        own = faces_bgr[face][None]
        is_close = (_inks(moved) @ _inks(own)[0] > _ALIKE) & (_evened(moved) @ _evened(own)[0] > _SHARED)
        close = is_close.nonzero()[0]
        aligned[others[close]] = moved[close]
        families[others[close]] = families[face]
    return aligned, _closer(aligned, families)


def _closer(faces_bgr: Picture, families: NDArray[np.intp]) -> tuple[int, ...]:
    """The number of the closer family of each face: on plain cards an index alone sets drawings apart, and those of one
    value are still far more alike, whichever family they were put in at first. A face to which none is so close stays
    with the closest of its own, and joins no two families by that."""
    even = _evened(faces_bgr)
    alike = even @ even.T
    np.fill_diagonal(alike, 0.0)
    alike[(families[:, None] != families) & (alike <= _CLOSE)] = 0.0
    closest = alike.max(axis=1, keepdims=True)
    alone = closest <= _CLOSE
    near = alike > np.clip(1 - _FARTHER * (1 - closest), _SHARED, _CLOSE)
    near &= (alone == alone.T) | (alike == closest)
    near |= near.T | np.eye(len(near), dtype=np.bool_)
    while (wider := near @ near > 0).sum() > near.sum():
        near = wider
    return tuple(np.unique(near.argmax(axis=1), return_inverse=True)[1].tolist())


def _evened(faces_bgr: Picture) -> Floats:
    """The evened ink of some faces, flat and of length one."""
    even = []
    for face in faces_bgr:
        soft = np.asarray(cv2.GaussianBlur(face, (0, 0), SOFT_MM * FACE_PX_PER_MM), np.uint8)
        size = tuple(round(side * FULL / FACE_PX_PER_MM) for side in face.shape[1::-1])
        ink = ink_of(resized(soft, (size[0], size[1])).astype(np.float32) / np.float32(255))
        rim = round(EDGE_MM * FULL)
        mask = np.zeros_like(ink)
        mask[rim:-rim, rim:-rim] = 1.0
        even.append(face_evened(ink, mask, around(mask)).ravel())
    flat = np.stack(even)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6), np.float32)


def _fitted(faces_bgr: Picture, onto_bgr: Picture, card_mm: Size, shrink: int, steps: int) -> tuple[Poses, Floats]:
    """How each face must be shifted, turned and stretched to lie over another one, and how alike they then are."""
    height, width = onto_bgr.shape[:2]
    small = (width // shrink, height // shrink)  # a smaller picture shows a shift well enough, and blurs a scan's dots
    scale = FACE_PX_PER_MM / shrink
    ink = ink_of(
        np.stack([resized(face, small) for face in (onto_bgr, *faces_bgr)]).astype(np.float32) / np.float32(255)
    )
    points = grid_mm(small, scale, card_mm)
    count = len(faces_bgr)
    target = np.broadcast_to(ink[0].reshape(1, -1), (count, len(points)))
    slopes = np.broadcast_to(slopes_of(ink[:1], scale).reshape(1, -1, 2), (count, len(points), 2))
    poses = poses_of(np.zeros((count, 2)), np.zeros(count))

    def seen(poses: Poses) -> Floats:
        where = _places(poses, points, scale, small)
        return np.concatenate([taken(ink[n + 1], where[n : n + 1]) for n in range(count)])

    for _ in range(steps):
        patches = seen(poses)
        poses = stepped(poses, patches, np.ones_like(patches), target, slopes, points, stretch=True)
    return poses, likeness(seen(poses), np.ones_like(target), np.asarray(target, np.float32))


def _places(poses: Poses, points: Floats, px_per_mm: float, size: tuple[int, int]) -> Floats:
    """Where the points of a face lie in a picture of this size."""
    middle = np.array([size[0] - 1, size[1] - 1]) / 2
    return np.asarray(points_at(poses, points) * px_per_mm + middle, np.float32)


def _moved(faces_bgr: Picture, onto_bgr: Picture, card_mm: Size) -> Picture:
    """Each face shifted, turned and stretched a little to lie over another one."""
    height, width = onto_bgr.shape[:2]
    poses, _ = _fitted(faces_bgr, onto_bgr, card_mm, shrink=2, steps=8)
    full = grid_mm((width, height), FACE_PX_PER_MM, card_mm)
    moved = []
    for face, pose in zip(faces_bgr, poses, strict=True):
        where = _places(pose[None], full, FACE_PX_PER_MM, (width, height))[0].reshape(height, width, 2)
        moved.append(_rimmed(face, where, onto_bgr))
    return np.asarray(np.stack(moved), np.uint8)


def _rimmed(face: Picture, where: Floats, onto_bgr: Picture) -> Floats:
    """A face as it looks from some places of another one that shares its drawing. The rim of a scan shows its bed as
    often as the card: there the other face stands in, unless an ink in which the two differ runs on to the edge."""
    height, width = face.shape[:2]
    rim = np.float32(EDGE_MM * FACE_PX_PER_MM)
    low, high = np.array([rim, rim]), np.array([width - 1 - rim, height - 1 - rim])
    within = ((where > low) & (where < high)).all(axis=-1)
    shown, inside = (
        taken(face, each.astype(np.float32).reshape(1, -1, 2)).reshape(height, width, 3)
        for each in (where, np.clip(where, low, high))
    )
    runs_on = (np.abs(shown - inside).max(axis=-1) < _OTHER_INK) & (np.abs(inside - onto_bgr).max(axis=-1) > _OTHER_INK)
    return np.asarray(np.where((within | runs_on)[..., None], shown, onto_bgr).round(), np.float32)


def _inks(faces_bgr: Picture) -> NDArray[np.float32]:
    small = np.stack([resized(face, (face.shape[1] // 3, face.shape[0] // 3)) for face in faces_bgr])
    ink = ink_of(small.astype(np.float32) / np.float32(255)).reshape(len(small), -1)
    ink -= ink.mean(axis=1, keepdims=True)
    return np.asarray(ink / np.maximum(np.linalg.norm(ink, axis=1, keepdims=True), 1e-6), np.float32)
