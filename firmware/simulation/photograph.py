"""Photograph a scene: what lies on the mat, in this light, through this camera, with the truth beside it.

What does not change is kept: the maps of the pose, the mat as it lies there, the light that falls on it. When a card
moves or a hand passes, only that part of the frame is painted again. Everything happens in linear light until the
sensor's tone curve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.simulation.artwork import Artwork, linear, printed_mat, table_top
from firmware.simulation.camera import Camera, Pose, Projection, projection
from firmware.simulation.develop import blurred, compressed, grained, reach_px, spread_of_noise, toned, vignette
from firmware.simulation.hand import hand_outline
from firmware.simulation.light import Light
from firmware.simulation.paint import Brush, Rect, touching
from firmware.simulation.scene import Hand, Laid, Scene
from vision.layout import Layout

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class SeenCard:
    """The truth about one card or tile: where it is in the frame and how much of it shows."""

    name: str
    where: str
    corners_px: tuple[tuple[float, float], ...]
    visible: float  # share of the face not hidden by cards, tiles or hands
    under_hand: float  # share of the face that only a hand hides


@dataclass(frozen=True)
class Photo:
    """A photograph and what it shows."""

    pixels_bgr: Pixels
    scene: Scene
    through: Projection

    @cached_property
    def seen(self) -> tuple[SeenCard, ...]:
        """The truth card by card; a live camera never asks for it."""
        return look(self.scene, self.through)


class Photographer:
    """Photographs scenes on one layout with one artwork; keeps what stays the same from frame to frame."""

    def __init__(self, layout: Layout, artwork: Artwork, mat: Pixels | None = None, table_seed: int = 0) -> None:
        self.layout = layout
        self.artwork = artwork
        self._mat = linear(printed_mat(layout) if mat is None else mat)
        self._top = table_top(np.random.default_rng(table_seed))
        self._pose: Pose | None = None
        self._view: _View | None = None
        self._exposure: _Exposure | None = None

    def photograph(self, scene: Scene, camera: Camera, light: Light, rng: np.random.Generator) -> Photo:
        """One frame. Only the noise differs between two photographs of the same scene."""
        if self._view is None or self._pose != camera.pose:
            self._pose, self._view = camera.pose, _View(self.layout, self.artwork, camera.pose, self._mat, self._top)
            self._exposure = None
        if self._exposure is None or (self._exposure.camera, self._exposure.light) != (camera, light):
            self._exposure = _Exposure(self._view, camera, light)
        self._exposure.expose(scene)
        picture = grained(self._exposure.picture, self._exposure.spread, camera.sensor.mosaic, rng)
        picture = compressed(picture, camera.sensor.jpeg_quality)
        if picture is self._exposure.picture:
            picture = picture.copy()
        return Photo(picture, scene, self._view.projection)


class _View:
    """The mat in one pose, and a brush that paints cards into it."""

    def __init__(self, layout: Layout, artwork: Artwork, pose: Pose, mat: Floats, top: Floats) -> None:
        self.layout = layout
        self.projection = projection(pose, layout.size_mm)
        self.x_mm, self.y_mm = self.projection.maps_mm()
        self.brush = Brush(artwork, self.projection, self.x_mm, self.y_mm)
        self.bare = self.brush.ground(mat, top, layout.size_mm)


class _Exposure:
    """The picture of one view in one light and how far noise spreads there, both made again only where the scene
    changed."""

    def __init__(self, view: _View, camera: Camera, light: Light) -> None:
        self.camera = camera
        self.light = light
        self._view = view
        width, height = camera.pose.size_px
        falls = light.falls_on(view.x_mm, view.y_mm, view.layout.size_mm)
        falls *= vignette(width, height, camera.sensor.vignetting)
        self._gains = light.gains_bgr()
        self._amplified = tuple(float(gain) for gain in light.amplification_bgr())
        self._falls = falls
        self._glare = light.glare_on(view.x_mm, view.y_mm)
        self._items: tuple[Laid, ...] | None = None
        self._hands: tuple[Hand, ...] = ()
        self.picture: Pixels = np.zeros((height, width, 3), np.uint8)
        self.spread = np.zeros((height, width, 3), np.int16) if camera.sensor.is_noisy else None

    def expose(self, scene: Scene) -> None:
        for rect in self._changed(scene):
            self._repaint(scene, rect)
        self._items, self._hands = scene.items, scene.hands

    def _changed(self, scene: Scene) -> Sequence[Rect]:
        width, height = self.camera.pose.size_px
        whole = Rect(0, 0, width, height)
        if self._items is None:
            return [whole]
        if self._items is scene.items and self._hands == scene.hands:
            return []
        brush = self._view.brush
        kept = set(self._items) & set(scene.items)
        order_kept = [i for i in self._items if i in kept] == [i for i in scene.items if i in kept]
        if not order_kept:
            return [whole]
        moved = [brush.bounds(item) for item in (*self._items, *scene.items) if item not in kept]
        moved += [brush.hand_bounds(hand) for hand in {*self._hands} ^ {*scene.hands}]
        return touching([rect for rect in moved if rect.area])

    def _repaint(self, scene: Scene, rect: Rect) -> None:
        """Paint, light and tone one part of the frame, with a rim wide enough for the blur."""
        width, height = self.camera.pose.size_px
        rim = reach_px(self.camera.sensor)
        outer = rect.grown(2 * rim).even().clipped(width, height)
        inner = rect.grown(rim).clipped(width, height)
        brush = self._view.brush
        layer = self._view.bare[outer.rows, outer.columns].copy()
        for item in scene.items:
            brush.paint(layer, outer, item, self.light.contact)
        for hand in scene.hands:
            brush.paint_hand(layer, outer, hand)
        layer *= self._falls[outer.rows, outer.columns, None]
        if self._glare is not None:
            layer += self._glare[outer.rows, outer.columns, None]
        layer *= self._gains
        picture = toned(blurred(layer, self.camera.sensor), self.camera.sensor)
        part = picture[
            inner.top - outer.top : inner.bottom - outer.top, inner.left - outer.left : inner.right - outer.left
        ]
        self.picture[inner.rows, inner.columns] = part
        if self.spread is not None:
            self.spread[inner.rows, inner.columns] = spread_of_noise(part, self.camera.sensor, self._amplified)


def look(scene: Scene, through: Projection) -> tuple[SeenCard, ...]:
    """The truth of a scene: corners in the frame, and how much of each card shows."""
    corners = [item.corners_mm() for item in scene.items]
    every = np.concatenate([*corners, *[hand_outline(hand) for hand in scene.hands], np.zeros((1, 2))])
    low = np.floor(every.min(axis=0)) - 1
    size = np.ceil(every.max(axis=0) - low).astype(int) + 2
    cover = np.full((size[1], size[0]), -1, np.int32)
    areas = []
    for index, outline in enumerate(corners):
        cv2.fillConvexPoly(cover, np.round(outline - low).astype(np.int32), index)
        areas.append(int((cover == index).sum()))
    visible = np.bincount(cover[cover >= 0], minlength=len(corners))
    for hand in scene.hands:
        cv2.fillPoly(cover, [np.round(hand_outline(hand) - low).astype(np.int32)], -1)
    left = np.bincount(cover[cover >= 0], minlength=len(corners))
    frame = through.to_px(np.concatenate([*corners, np.zeros((0, 2))])).reshape(-1, 4, 2)
    return tuple(
        SeenCard(
            name=item.name,
            where=item.where,
            corners_px=tuple((float(x), float(y)) for x, y in frame[index]),
            visible=float(left[index] / max(areas[index], 1)),
            under_hand=float((visible[index] - left[index]) / max(areas[index], 1)),
        )
        for index, item in enumerate(scene.items)
    )
