"""Cards thrown on a table without a mat, for the card scanner: any place, any way round.

Knows how cards lie about and what they lie on; photographs are taken as everywhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.simulation.artwork import Artwork
from firmware.simulation.board import FOREIGN
from firmware.simulation.flaws import Flaws
from firmware.simulation.photograph import Photographer
from firmware.simulation.scene import Laid, Scene
from vision.layout import Layout, Size

Pixels = NDArray[np.uint8]

GROUNDS = ("wood", "cloth", "plain", "noise", "tiles")
TRIES = 200


def bare_table(size_mm: Size, card_mm: Size = (56.0, 80.0)) -> Layout:
    """A table with nothing printed on it."""
    return Layout("none", size_mm, card_mm, (64.0, 36.5), (), (), (), ())


def scattered(
    rng: np.random.Generator, names: Sequence[str], size_mm: Size, card_mm: Size, *, overlap: float = 0.0
) -> Scene:
    """The cards on a table of this size, none outside it; `overlap` lets them cover each other by that share."""
    items: list[Laid] = []
    reach = float(np.hypot(*card_mm)) / 2
    for n, name in enumerate(names):
        for _ in range(TRIES):
            centre = tuple(float(rng.uniform(reach, side - reach)) for side in size_mm)
            item = Laid(name, f"S{n + 1}", (centre[0], centre[1]), float(rng.uniform(0, 360)), card_mm)
            shared = [_shared(item, other) for other in items]
            if all(share <= overlap for share in shared):
                items.append(item)
                break
    return Scene(tuple(items))


def _shared(one: Laid, other: Laid) -> float:
    """How much of a card lies on another, with a little air between cards that do not touch."""
    air = 1.5
    below, above = (item.corners_mm(margin_mm=air).astype(np.float32) for item in (one, other))
    return float(cv2.intersectConvexConvex(below, above)[0]) / (one.size_mm[0] * one.size_mm[1])


def ground(kind: str, rng: np.random.Generator, size_px: tuple[int, int]) -> Pixels:
    """What cards may lie on, as sRGB pixels: the harder the more it looks like cards itself."""
    width, height = size_px
    base = rng.uniform(20, 235, 3)
    noise = rng.standard_normal((height, width)).astype(np.float32)
    if kind == "wood":
        base = rng.uniform(70, 200) * np.array([0.45, 0.68, 1.0])
        grain = cv2.GaussianBlur(noise, (0, 0), 30, sigmaY=1.2)
        texture = 0.22 * grain / grain.std()
    elif kind == "cloth":
        texture = 0.10 * cv2.GaussianBlur(noise, (0, 0), 0.8) / 0.35
    elif kind == "noise":
        blotch = cv2.GaussianBlur(noise, (0, 0), float(rng.uniform(2, 12)))
        texture = 0.3 * blotch / blotch.std()
    elif kind == "tiles":
        side = int(rng.integers(60, 200))
        y, x = np.mgrid[0:height, 0:width]
        texture = np.where((x // side + y // side) % 2 == 0, 0.12, -0.12).astype(np.float32) + 0.01 * noise
    else:
        texture = 0.01 * noise
    return np.asarray(np.clip(base * (1 + texture[..., None]), 0, 255), np.uint8)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A picture of cards lying about: the corners of each that lies wholly in it, and the names of all that do not."""

    pixels_bgr: Pixels
    cards: Mapping[str, tuple[tuple[float, float], ...]]
    cut_off: frozenset[str]
    ground: str


def snapshot(
    artwork: Artwork,
    codes: Sequence[str],
    flaws: Flaws,
    rng: np.random.Generator,
    *,
    size_px: tuple[int, int] = (1600, 1200),
    overlap: float = 0.0,
    foreign: float = 0.3,
) -> Snapshot:
    """A few cards of a deck on some ground, photographed from somewhere above."""
    count = int(rng.choice([1, 1, 2, 4, 7]))
    deep = float(rng.choice([110, 160, 260, 420, 700] if count == 1 else [300, 420, 600, 800]))
    size_mm = (deep * size_px[0] / size_px[1], deep)
    names = [str(code) for code in rng.choice(codes, count, replace=False)]
    if rng.random() < foreign:
        names.append(f"{FOREIGN}{int(rng.integers(1000))}")
    layout = bare_table(size_mm)
    scene = scattered(rng, names, size_mm, layout.card_mm, overlap=overlap)
    kind = str(rng.choice(GROUNDS))
    below = ground(kind, rng, size_px)
    photographer = Photographer(layout, artwork.reprinted(flaws.print_(rng)), below)
    camera = replace(flaws, mountings=(0,), fill=(1.05, 1.1)).camera(size_px, rng)
    photo = photographer.photograph(scene, camera, flaws.light(size_mm, rng), rng)
    whole = {
        seen.name: seen.corners_px
        for seen in photo.seen
        if all(0 <= x < size_px[0] and 0 <= y < size_px[1] for x, y in seen.corners_px)
    }
    cut_off = frozenset(seen.name for seen in photo.seen) - whole.keys()
    return Snapshot(photo.pixels_bgr, whole, cut_off, kind)
