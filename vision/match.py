"""Comparing many patches with many faces at once.

A pose says where a card would lie; a patch is what the picture shows there, in the card's own upright frame. Patches
are compared by masked normalised correlation, one matrix product for all poses and faces, and poses are refined by a
few Gauss-Newton steps, again for all at once. Knows neither places nor what a card means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import FACE_PX_PER_MM, Deck, resized
from vision.frame import Picture, sample
from vision.layout import Size

Floats = NDArray[np.float32]
Poses = NDArray[np.float64]  # one row each: x, y in mm, clockwise turn in degrees, stretch across and along

EDGE_MM = 1.5  # the cut of a card is never exact: its rim tells nothing
SOFT_MM = 0.35  # faces are never seen sharper than this


@dataclass(frozen=True, slots=True, eq=False)
class Templates:
    """All faces of a deck at one scale, flattened; `grid_mm` are the points of a face, its centre at the origin."""

    px_per_mm: float
    size: tuple[int, int]
    grid_mm: Floats  # (points, 2)
    ink: Floats  # (faces, points)
    inside: Floats  # (points), 0 at the rim
    families: Floats  # (families, points): the mean ink of faces that look alike
    members: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, deck: Deck, px_per_mm: float, soft_mm: float = SOFT_MM) -> Templates:
        """The deck's faces, resampled and softened."""
        width, height = (round(side * px_per_mm) for side in deck.card_mm)
        flat = np.stack([ink_of(colours) for colours in colours_of(deck, px_per_mm, soft_mm)])
        grid = grid_mm((width, height), px_per_mm, deck.card_mm)
        half = np.array(deck.card_mm, np.float32) / 2 - EDGE_MM
        inside = (np.abs(grid) <= half).all(axis=1).astype(np.float32)
        members = tuple(
            tuple(i for i, family in enumerate(deck.alike) if family == wanted) for wanted in sorted(set(deck.alike))
        )
        families = np.stack([flat[list(faces_of)].mean(axis=0) for faces_of in members])
        return cls(
            px_per_mm,
            (width, height),
            grid,
            flat,
            np.asarray(inside, np.float32),
            families,
            members,
        )


def colours_of(deck: Deck, px_per_mm: float, soft_mm: float = SOFT_MM) -> Iterator[Floats]:
    """The colours of each face in turn, as a scale shows them (points × 3, 0 to 1)."""
    size = (round(deck.card_mm[0] * px_per_mm), round(deck.card_mm[1] * px_per_mm))
    for face in deck.faces_bgr:
        soft = np.asarray(cv2.GaussianBlur(face, (0, 0), soft_mm * FACE_PX_PER_MM), np.uint8)
        yield np.asarray(resized(soft, size).reshape(-1, 3) / np.float32(255), np.float32)


def alike(patches: Floats, weights: Floats, faces: Floats) -> Floats:
    """Normalised correlation of each patch with its own face."""
    count = np.maximum(weights.sum(axis=1), 1.0)
    sum_p, sum_f = np.einsum("hp,hp->h", patches, weights), np.einsum("hp,hp->h", faces, weights)
    shared = np.einsum("hp,hp,hp->h", patches, faces, weights) - sum_p * sum_f / count
    energy_p = np.einsum("hp,hp,hp->h", patches, patches, weights) - sum_p**2 / count
    energy_f = np.einsum("hp,hp,hp->h", faces, faces, weights) - sum_f**2 / count
    return np.asarray(shared / np.sqrt(np.maximum(energy_p * energy_f, 1e-9)), np.float32)


@dataclass(slots=True, eq=False)
class Climb:
    """The best pose of each card on a way that may also lead down."""

    poses: Poses
    scores: Floats

    @classmethod
    def start(cls, poses: Poses) -> Climb:
        return cls(poses.copy(), np.full(len(poses), -1.0, np.float32))

    def visit(self, poses: Poses, scores: Floats) -> None:
        better = scores > self.scores
        self.poses[better] = poses[better]
        self.scores[better] = scores[better]


def grid_mm(size: tuple[int, int], px_per_mm: float, card_mm: Size) -> Floats:
    """The points of a face row by row, in millimetres from its centre."""
    x = (np.arange(size[0]) + 0.5) / px_per_mm - card_mm[0] / 2
    y = (np.arange(size[1]) + 0.5) / px_per_mm - card_mm[1] / 2
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2).astype(np.float32)


def slopes_of(ink: Floats, px_per_mm: float) -> Floats:
    """How the ink of faces (faces × rows × columns) grows along x and y, per millimetre."""
    return np.asarray(np.stack([np.gradient(ink, axis=2), np.gradient(ink, axis=1)], axis=-1) * px_per_mm, np.float32)


def ink_of(colours: NDArray[Any], light: Sequence[float] | Floats = (1.0, 1.0, 1.0)) -> Floats:
    """How light a point is, with every ink dark: yellow on white hardly shows in grey, but in its least channel. Each
    channel counts times its `light`."""
    planes = iter(cv2.split(np.ascontiguousarray(colours).reshape(-1, 1, 3)))
    # In place where it can be: of a whole table each of these is as large as its plan.
    total = np.multiply(next(planes), np.float32(light[0]), dtype=np.float32)
    least = total.copy()
    for plane, gain in zip(planes, light[1:], strict=True):
        more = np.multiply(plane, np.float32(gain), dtype=np.float32)
        np.minimum(least, more, out=least)
        total += more
    least *= np.float32(0.6)
    total *= np.float32(0.4 / 3)
    least += total
    return least.reshape(colours.shape[:-1])


def correlate(patches: Floats, masks: Floats | None, faces: Floats) -> Floats:
    """Normalised correlation of each patch with each face over what its mask shows (patches × faces)."""
    if masks is None:
        centred = patches - patches.mean(axis=1, keepdims=True)
        about = faces - faces.mean(axis=1, keepdims=True)
        shared = centred @ about.T
        energy = np.sqrt(np.square(centred).sum(axis=1))[:, None] * np.sqrt(np.square(about).sum(axis=1))[None]
        return np.asarray(shared / np.maximum(energy, 1e-6), np.float32)
    seen = patches * masks
    count = np.maximum(masks.sum(axis=1), 1.0)[:, None]
    sum_p, sum_pp = seen.sum(axis=1)[:, None], (seen * patches).sum(axis=1)[:, None]
    sum_f, sum_ff, sum_pf = masks @ faces.T, masks @ np.square(faces).T, seen @ faces.T
    shared = sum_pf - sum_p * sum_f / count
    energy = np.maximum(sum_pp - sum_p**2 / count, 0) * np.maximum(sum_ff - sum_f**2 / count, 0)
    return np.asarray(shared / np.sqrt(np.maximum(energy, 1e-9)), np.float32)


def points_at(poses: Poses, grid_mm: Floats) -> Floats:
    """Where each point of a face, or of each pose's own face, lies on the table (poses × points × 2)."""
    turn = np.radians(poses[:, 2])
    cos, sin = np.cos(turn), np.sin(turn)
    wide, tall = poses[:, 3], poses[:, 4]
    x, y = poses[:, 0], poses[:, 1]
    moves = np.stack([cos * wide, -sin * tall, x, sin * wide, cos * tall, y], axis=1).reshape(-1, 2, 3)
    grids = grid_mm if grid_mm.ndim == 3 else [grid_mm] * len(poses)
    points = np.empty((len(poses), *grid_mm.shape[-2:]), np.float32)
    for n, (grid, move) in enumerate(zip(grids, moves, strict=True)):
        points[n] = cv2.transform(grid[:, None], move)[:, 0]
    return points


def taken(picture: Picture | Floats, points_px: Floats) -> Floats:
    """The picture at points (poses × points × 2), as float."""
    most = 32_000  # columns that OpenCV takes
    if points_px.shape[1] > most:
        parts = np.array_split(points_px, -(-points_px.shape[1] // most), axis=1)
        return np.concatenate([taken(picture, np.ascontiguousarray(part)) for part in parts], axis=1)
    seen: NDArray[Any] = sample(cast("NDArray[Any]", picture), points_px, cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32)


def trust(ink: Floats, faces: Floats, masks: Floats) -> Floats:
    """Less weight for points that do not fit at all: glare, fingers, a card's edge."""
    count = np.maximum(masks.sum(axis=1, keepdims=True), 1.0)
    residual = ink - faces
    spread = np.sqrt((np.square(residual) * masks).sum(axis=1, keepdims=True) / count) + 1e-3
    return np.asarray(1.0 / (1.0 + np.square(residual * (0.5 / spread))), np.float32)


def levelled(ink: Floats, faces: Floats, masks: Floats) -> Floats:
    """Ink brought to the mean and contrast of its face."""
    count = np.maximum(masks.sum(axis=1, keepdims=True), 1.0)
    mean_p, mean_f = (
        (ink * masks).sum(axis=1, keepdims=True) / count,
        (faces * masks).sum(axis=1, keepdims=True) / count,
    )
    spread_f = np.sqrt((np.square(faces - mean_f) * masks).sum(axis=1, keepdims=True))
    spread_p = np.sqrt((np.square(ink - mean_p) * masks).sum(axis=1, keepdims=True))
    return np.asarray((ink - mean_p) * (spread_f / np.maximum(spread_p, 1e-6)) + mean_f, np.float32)


def poses_of(xy_mm: NDArray[np.float64], turn_deg: NDArray[np.float64]) -> Poses:
    """Poses without stretch."""
    ones = np.ones_like(turn_deg)
    return np.column_stack([xy_mm, turn_deg, ones, ones])


def stepped(
    poses: Poses,
    patches: Floats,
    weights: Floats,
    ink: Floats,
    slopes: Floats,
    grid_mm: Floats,
    *,
    stretch: bool,
) -> Poses:
    """One Gauss-Newton step: each pose moved to where its patch fits its face better. The points of all faces may be
    the same (points × 2), or each have its own (poses × points × 2)."""
    x, y = grid_mm[..., 0], grid_mm[..., 1]
    along, down = slopes[..., 0].astype(np.float32), slopes[..., 1].astype(np.float32)
    columns = [ink, np.ones_like(ink), along, down, down * x - along * y]
    if stretch:
        columns += [along * x, down * y]
    basis = np.stack(columns, axis=1)
    weighted = basis * weights[:, None, :]
    normal = weighted @ basis.transpose(0, 2, 1)
    size = len(columns)
    # A little stiffness keeps a strip with few features from sliding away.
    stiff = np.zeros(size)
    stiff[2:5] = (0.002, 0.002, 4.0)
    if stretch:
        stiff[5:] = 400.0
    normal = normal.astype(np.float64) + np.diag(stiff + 1e-4)
    right = (weighted @ patches[:, :, None])[..., 0].astype(np.float64)
    solution = np.linalg.solve(normal, right[..., None])[..., 0]
    gain = np.where(np.abs(solution[:, 0]) < 0.15, 0.15, solution[:, 0])
    move = np.clip(-solution[:, 2:4] / gain[:, None], -1.5, 1.5)
    turn = np.clip(-solution[:, 4] / gain, -0.05, 0.05)
    angle = np.radians(poses[:, 2])
    moved = poses.copy()
    moved[:, 0] += np.cos(angle) * move[:, 0] - np.sin(angle) * move[:, 1]
    moved[:, 1] += np.sin(angle) * move[:, 0] + np.cos(angle) * move[:, 1]
    moved[:, 2] += np.degrees(turn)
    if stretch:
        moved[:, 3:5] = np.clip(moved[:, 3:5] + np.clip(-solution[:, 5:7] / gain[:, None], -0.02, 0.02), 0.95, 1.05)
    return moved
