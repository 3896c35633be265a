"""What cards lie on in made-up photographs: wood, tiles, cloth, newsprint, clutter; with edges and letters of its own.

Knows nothing of cards but how large they are.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]

TABLES = ("plain", "wood", "tiles", "check", "flowers", "newsprint", "clutter", "marble")


def table_top(kind: str, rng: np.random.Generator, size_px: tuple[int, int], card_px: float) -> Floats:
    """What cards lie on, some of it with edges, letters and things of its own."""
    width, height = size_px
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    noise = rng.standard_normal((height, width)).astype(np.float32)
    angle = rng.uniform(0, np.pi)
    u, v = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    base = rng.uniform(25, 235, 3).astype(np.float32)
    if rng.random() < 0.6:  # most tables are of no strong colour, and many are nearly white or black
        base = (float(rng.uniform(20, 245)) + rng.uniform(-12, 10, 3)).astype(np.float32)
    if kind == "wood":
        base = (
            rng.uniform(60, 210) * np.array([0.42, 0.66, 1.0], np.float32) * rng.uniform(0.9, 1.1, 3).astype(np.float32)
        )
        board = card_px * rng.uniform(0.9, 2.5)
        plank = np.floor(v / board)
        tone = 0.12 * np.sin(plank * 12.9898 + float(rng.uniform(0, 9)))
        wave = np.sin(v * (9 / board) + 2.5 * np.sin(u / (3 * board) + plank) + plank * 3)
        streak = cv2.GaussianBlur(noise, (0, 0), 40, sigmaY=1.0)
        seam = np.where((v / board - plank) * board < max(1.5, card_px / 80), -0.45, 0)
        texture = tone + 0.07 * wave + 0.05 * streak / streak.std() + seam
    elif kind in ("tiles", "check"):
        side = card_px * rng.uniform(0.25, 1.6)
        row, column = np.floor(u / side), np.floor(v / side)
        texture = np.where((row + column) % 2 == 0, 0.2, -0.2)
        if kind == "check":
            texture = 0.18 * (row % 2) + 0.18 * (column % 2) - 0.18
        texture = texture + 0.04 * noise
    elif kind == "flowers":
        step = card_px * rng.uniform(0.2, 0.6)
        cell = np.hypot(u % step - step / 2, v % step - step / 2) / step
        turn = np.arctan2(v % step - step / 2, u % step - step / 2)
        texture = np.where(cell < 0.3 + 0.08 * np.cos(5 * turn), -0.35, 0.1) + 0.05 * noise
    elif kind == "marble":
        vein = np.sum([cv2.GaussianBlur(noise, (0, 0), s) * s for s in (4, 12, 40)], axis=0)
        texture = 0.25 * np.sin(6 * vein / vein.std())
    else:
        soft = cv2.GaussianBlur(noise, (0, 0), 1.0)
        texture = 0.05 * soft / soft.std()
    scene = np.asarray(np.clip(base * (1 + texture[..., None]), 0, 255), np.float32)
    if kind == "newsprint":
        return _newsprint(rng, size_px, card_px)
    if kind == "clutter":
        return _cluttered(scene, rng, card_px)
    return scene


def _newsprint(rng: np.random.Generator, size_px: tuple[int, int], card_px: float) -> Floats:
    page = Image.new("RGB", size_px, (222, 218, 206))
    draw = ImageDraw.Draw(page)
    tall = max(card_px * float(rng.uniform(0.06, 0.16)), 9)
    font, letters = ImageFont.load_default(tall), np.array(list("abcdefghijklmnopqrstuvwxyz      ABET0123456789"))
    column = card_px * float(rng.uniform(1.0, 2.2))
    for left in np.arange(5, size_px[0], column):
        for top in np.arange(5, size_px[1], tall * 1.3):
            line = "".join(rng.choice(letters, int(column / tall * 1.7)))
            if rng.random() < 0.93:
                draw.text((left, top), line, (40, 38, 40), font)
            if rng.random() < 0.02:
                draw.rectangle([left, top, left + column * 0.9, top + column * 0.7], fill=(130, 128, 124))
    turned = page.rotate(float(rng.uniform(-30, 30)), Image.Resampling.BILINEAR, fillcolor=(222, 218, 206))
    return np.ascontiguousarray(np.asarray(turned, np.float32)[..., ::-1])


def _cluttered(scene: Floats, rng: np.random.Generator, card_px: float) -> Floats:
    """Things that people leave on tables: coins, dice, pens, telephones, boxes, leaflets."""
    height, width = scene.shape[:2]
    shown = scene.astype(np.uint8)
    for _ in range(int(rng.integers(6, 16))):
        centre = np.array([rng.uniform(0, width), rng.uniform(0, height)])
        tone = rng.uniform(10, 245, 3).tolist()
        kind, angle = int(rng.integers(4)), float(rng.uniform(0, 180))
        if kind == 0:
            cv2.circle(shown, centre.astype(int).tolist(), int(card_px * rng.uniform(0.1, 0.6)), tone, -1, cv2.LINE_AA)
            continue
        size = (
            card_px
            * {1: rng.uniform(0.2, 0.5) * np.ones(2), 2: np.array([0.1, 2.0]), 3: rng.uniform(0.7, 2.0, 2)}[kind]
        )
        corners = cv2.boxPoints((centre.tolist(), size.tolist(), angle))
        cv2.fillConvexPoly(shown, np.round(corners).astype(np.int32), tone, cv2.LINE_AA)
        if kind == 3:
            inner = (corners - centre) * rng.uniform(0.5, 0.9) + centre
            cv2.polylines(
                shown, [np.round(inner).astype(np.int32)], True, rng.uniform(10, 245, 3).tolist(), 3, cv2.LINE_AA
            )
            place = np.round(inner.mean(0)).astype(int).tolist()
            cv2.putText(
                shown, "Abc 7", place, cv2.FONT_HERSHEY_DUPLEX, card_px / 90, rng.uniform(10, 245, 3).tolist(), 2
            )
    return shown.astype(np.float32)
