"""Paint cards and hands into a frame, each pixel looked up once in the picture that lies there.

A picture is first shrunk by area to about the size at which it appears, so that small cards do not alias. Knows how
things look from above in linear light; knows nothing of the lamp's colour or the sensor.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.simulation.artwork import Artwork
from firmware.simulation.camera import Projection
from firmware.simulation.hand import hand_outline, hand_shadow_mm
from firmware.simulation.scene import Hand, Laid
from vision.layout import Size

Floats = NDArray[np.float32]

FINENESS = 1.2  # samples of a shrunk picture to a pixel of the frame
SHADOW_MM = 4.0  # how far a contact shadow reaches
SLEEVE_MM = 1.6  # how far a sleeve stands out round its card
TOP_MM = 700.0  # the table's texture repeats after this
KEPT = 256  # items whose bounds are remembered


@dataclass(frozen=True, slots=True)
class Rect:
    """A part of the frame, right and bottom excluded."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def rows(self) -> slice:
        return slice(self.top, self.bottom)

    @property
    def columns(self) -> slice:
        return slice(self.left, self.right)

    @property
    def area(self) -> int:
        return max(self.right - self.left, 0) * max(self.bottom - self.top, 0)

    def grown(self, by: int) -> Rect:
        return Rect(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def even(self) -> Rect:
        """Begin on an even pixel, so that a mosaic keeps its phase."""
        return Rect(self.left - self.left % 2, self.top - self.top % 2, self.right, self.bottom)

    def clipped(self, width: int, height: int) -> Rect:
        return Rect(max(self.left, 0), max(self.top, 0), min(self.right, width), min(self.bottom, height))

    def cut(self, other: Rect) -> Rect:
        return Rect(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def joined(self, other: Rect) -> Rect:
        return Rect(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


def touching(rects: Iterable[Rect]) -> list[Rect]:
    """The same ground in fewer rectangles: those that overlap are joined."""
    joined: list[Rect] = []
    for rect in rects:
        again = True
        while again:
            again = False
            for other in joined:
                if rect.cut(other).area:
                    joined.remove(other)
                    rect, again = rect.joined(other), True
                    break
        joined.append(rect)
    return joined


class Brush:
    """Paints into frames of one pose; shrunk pictures are kept."""

    def __init__(self, artwork: Artwork, through: Projection, x_mm: Floats, y_mm: Floats) -> None:
        self._artwork = artwork
        self._through = through
        self._x_mm, self._y_mm = x_mm, y_mm
        self._shrunk: dict[tuple[str, int, int], Floats] = {}
        self._bounds: dict[Laid, Rect] = {}

    def ground(self, mat: Floats, top: Floats, size_mm: Size) -> Floats:
        """The bare mat on its table."""
        scale = top.shape[0] / TOP_MM
        layer = np.asarray(
            cv2.remap(
                top,
                self._x_mm * scale % top.shape[1],
                self._y_mm * scale % top.shape[0],
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_WRAP,
            ),
            np.float32,
        )
        middle = (size_mm[0] / 2, size_mm[1] / 2)
        corners = [(0.0, 0.0), (size_mm[0], 0.0), (0.0, size_mm[1]), size_mm, middle]
        scales = [s for corner in corners for s in self._through.px_per_mm(corner, 0)]
        fine, coarse = max(scales), min(scales)
        inside = self._sampled(mat, size_mm, fine * FINENESS)
        if fine > 1.15 * coarse:
            # Between the nearest and the farthest corner the right size differs: blend two, as a mipmap does.
            far = self._sampled(mat, size_mm, coarse * FINENESS)
            weight = self._nearness(coarse, fine)[..., None]
            inside *= weight
            far *= 1 - weight
            inside += far
        cover = np.clip(
            np.minimum(np.minimum(self._x_mm, size_mm[0] - self._x_mm), np.minimum(self._y_mm, size_mm[1] - self._y_mm))
            * math.sqrt(fine * coarse)
            + 0.5,
            0,
            1,
        )[..., None]
        layer *= 1 - cover
        inside *= cover
        layer += inside
        return layer

    def _sampled(self, mat: Floats, size_mm: Size, px_per_mm: float) -> Floats:
        width, height = (max(round(side * px_per_mm), 1) for side in size_mm)
        if width < mat.shape[1]:
            mat = np.asarray(cv2.resize(mat, (width, height), interpolation=cv2.INTER_AREA), np.float32)
        kx, ky = mat.shape[1] / size_mm[0], mat.shape[0] / size_mm[1]
        return np.asarray(
            cv2.remap(
                mat, self._x_mm * kx - 0.5, self._y_mm * ky - 0.5, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            ),
            np.float32,
        )

    def _nearness(self, coarse: float, fine: float) -> Floats:
        """0 where a millimetre looks smallest, 1 where it looks largest."""
        per_px = cv2.magnitude(
            cv2.Sobel(self._x_mm, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(self._y_mm, cv2.CV_32F, 1, 0, scale=0.125)
        )
        weight: Floats = np.clip((1 / np.maximum(per_px, 1e-3) - coarse) / (fine - coarse), 0, 1).astype(np.float32)
        return weight

    def bounds(self, item: Laid) -> Rect:
        """The part of the frame that an item and its shadow can touch."""
        if item not in self._bounds:
            if len(self._bounds) >= KEPT:
                self._bounds.clear()
            self._bounds[item] = self._around(item.corners_mm(margin_mm=SHADOW_MM + SLEEVE_MM))
        return self._bounds[item]

    def hand_bounds(self, hand: Hand) -> Rect:
        outline = hand_outline(hand)
        shadow = outline + hand_shadow_mm(hand)
        return self._around(np.concatenate([outline, shadow])).grown(30)

    def _around(self, points_mm: np.ndarray) -> Rect:
        points = self._through.to_px(points_mm)
        low, high = np.floor(points.min(axis=0)).astype(int), np.ceil(points.max(axis=0)).astype(int) + 1
        return Rect(int(low[0]) - 1, int(low[1]) - 1, int(high[0]) + 1, int(high[1]) + 1).clipped(
            *self._through.size_px
        )

    def paint(self, layer: Floats, at: Rect, item: Laid, contact: float) -> None:
        """Lay an item on a layer that shows the part `at` of the frame."""
        part = self.bounds(item).cut(at)
        if not part.area:
            return
        target = layer[part.top - at.top : part.bottom - at.top, part.left - at.left : part.right - at.left]
        u_mm, v_mm = self._on_card(item, part)
        if contact:
            target *= (1 - contact * _contact_shadow(u_mm, v_mm, item.size_mm))[..., None]
        if item.sleeved:
            _lay_sleeve(target, u_mm, v_mm, item.size_mm)
        sprite = self._sprite(item)
        kx, ky = sprite.shape[1] / item.size_mm[0], sprite.shape[0] / item.size_mm[1]
        half_w, half_h = item.size_mm[0] / 2, item.size_mm[1] / 2
        face = cv2.remap(
            sprite,
            (u_mm + half_w) * kx - 0.5,
            (v_mm + half_h) * ky - 0.5,
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
        )
        colour = face[..., :3]
        if item.sheen != (0.0, 0.0):
            colour = colour * (1 + item.sheen[0] * u_mm / half_w + item.sheen[1] * v_mm / half_h)[..., None]
        if item.sleeved:
            colour = colour * 0.93 + (_gloss(u_mm, v_mm, item) * face[..., 3])[..., None]
        target *= 1 - face[..., 3:]
        target += colour

    def _on_card(self, item: Laid, part: Rect) -> tuple[Floats, Floats]:
        """For each pixel, the point of the card's own face, in millimetres from its centre."""
        angle = math.radians(item.rotation_deg)
        cos, sin = np.float32(math.cos(angle)), np.float32(math.sin(angle))
        dx = self._x_mm[part.rows, part.columns] - np.float32(item.centre_mm[0])
        dy = self._y_mm[part.rows, part.columns] - np.float32(item.centre_mm[1])
        return dx * cos + dy * sin, dy * cos - dx * sin

    def _sprite(self, item: Laid) -> Floats:
        along, down = self._through.px_per_mm(item.centre_mm, item.rotation_deg)
        # Sizes in steps of four pixels, so that a card moved by a hair does not need a new picture.
        width = max(round(item.size_mm[0] * along * FINENESS / 4), 2) * 4
        height = max(round(item.size_mm[1] * down * FINENESS / 4), 2) * 4
        key = (item.name, width, height)
        if key not in self._shrunk:
            face = self._artwork.face(item.name, item.size_mm)
            way = cv2.INTER_AREA if width <= face.shape[1] else cv2.INTER_CUBIC
            small = cv2.resize(face, (width, height), interpolation=way)
            self._shrunk[key] = np.asarray(np.clip(small, 0, 1), np.float32)
        return self._shrunk[key]

    def paint_hand(self, layer: Floats, at: Rect, hand: Hand) -> None:
        """Hold a hand over the layer, its shadow first."""
        part = self.hand_bounds(hand).cut(at)
        if not part.area:
            return
        target = layer[part.top - at.top : part.bottom - at.top, part.left - at.left : part.right - at.left]
        shape = (part.bottom - part.top, part.right - part.left)
        corner = np.array([part.left, part.top])
        outline = hand_outline(hand)
        shadow = self._filled(outline + hand_shadow_mm(hand), corner, shape)
        target *= (1 - 0.55 * cv2.GaussianBlur(shadow, (0, 0), 5))[..., None]
        # The outline has corners where flesh has none: smoothed, then made crisp again.
        scale = sum(self._through.px_per_mm(hand.tip_mm, 0)) / 2
        soft = cv2.GaussianBlur(self._filled(outline, corner, shape), (0, 0), 2.6 * scale)
        inside = np.clip((soft - 0.5) * (4 * scale) + 0.5, 0, 1)
        # Rounded flesh: darker towards its rim, as far as the distance from the outline tells.
        depth = cv2.distanceTransform((inside > 0.5).astype(np.uint8), cv2.DIST_L2, 3)
        shade = 0.6 + 0.4 * np.clip(cv2.GaussianBlur(depth, (0, 0), 3) / 22, 0, 1)
        pale, dark = np.array([0.36, 0.46, 0.78]), np.array([0.03, 0.05, 0.11])
        skin = (pale * (1 - hand.tone) + dark * hand.tone).astype(np.float32)
        target *= (1 - inside)[..., None]
        target += skin * (shade * inside)[..., None].astype(np.float32)

    def _filled(self, outline_mm: np.ndarray, corner: np.ndarray, shape: tuple[int, int]) -> Floats:
        points = np.round((self._through.to_px(outline_mm) - corner) * 16).astype(np.int32)
        mask = np.zeros(shape, np.uint8)
        cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, 4)
        return mask.astype(np.float32) / np.float32(255)


def _contact_shadow(u_mm: Floats, v_mm: Floats, size_mm: Size) -> Floats:
    """The soft dark rim round a card, a little to one side of it."""
    x = np.abs(u_mm - 0.4) - size_mm[0] / 2
    y = np.abs(v_mm - 0.5) - size_mm[1] / 2
    away = cv2.magnitude(np.maximum(x, 0), np.maximum(y, 0))
    return np.asarray(cv2.exp(-(away * away) / np.float32(1.6)), np.float32)


def _lay_sleeve(target: Floats, u_mm: Floats, v_mm: Floats, size_mm: Size) -> None:
    """The clear film round a sleeved card: a milky rim with a bright edge."""
    outside = np.maximum(np.abs(u_mm) - size_mm[0] / 2, np.abs(v_mm) - size_mm[1] / 2)
    film = np.clip((SLEEVE_MM - outside) / 0.3, 0, 1)
    seam = np.exp(-(((outside - SLEEVE_MM + 0.3) / 0.3) ** 2))
    target *= (1 - 0.12 * film)[..., None]
    target += (0.06 * film + 0.10 * seam)[..., None]


def _gloss(u_mm: Floats, v_mm: Floats, item: Laid) -> Floats:
    """A band of reflected light across a sleeve, elsewhere on each card."""
    where = (item.centre_mm[0] * 7.3 + item.centre_mm[1] * 3.1) % 100 - 50
    across = (u_mm * 0.8 + v_mm * 0.6 - where) / 14
    return np.asarray(0.015 + 0.10 * cv2.exp(-(across * across)), np.float32)
