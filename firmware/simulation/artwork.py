"""The pictures that lie on the table: cards, tiles, backs, the mat and the table below it.

Faces come from a folder of scans named by code or from the project's own drawing; a `Print` imitates another press and
other paper. Foreign cards are drawn here. Knows pictures in linear light; knows neither places nor cameras.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.printing import deck, mat
from firmware.simulation.board import FOREIGN
from firmware.simulation.other_decks import COLOURS, RANKS, SUITS, colour_card, playing_card
from vision.layout import Layout

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]

CORNER_MM = 2.8  # radius of a card's rounded corner
DRAWN_PX_PER_MM = 6.0
MAT_PX_PER_MM = 4.0
SUFFIXES = (".jpg", ".jpeg", ".png")


@dataclass(frozen=True, slots=True)
class Print:
    """How one print of a deck differs from another: gains of ink and paper (blue, green, red), gamma, sharpness
    (below 0 softer, above 0 crisper), scale of the picture and how far the cut is off."""

    ink: tuple[float, float, float] = (1.0, 1.0, 1.0)
    paper: tuple[float, float, float] = (1.0, 1.0, 1.0)
    gamma: float = 1.0
    sharpness: float = 0.0
    scale: float = 1.0
    shift_mm: tuple[float, float] = (0.0, 0.0)


def _decoding_table() -> Floats:
    value = np.arange(256) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(np.float32)


_LINEAR = _decoding_table()


def linear(pixels_bgr: Pixels) -> Floats:
    """sRGB pixels as linear light from 0 to 1."""
    return np.asarray(_LINEAR[pixels_bgr])


class Artwork:
    """Faces by name, decoded once; `source` gives the sRGB picture of a code, a back or a tile, or None."""

    def __init__(self, source: Callable[[str], Pixels | None], copy: Print | None = None) -> None:
        self._source = source
        self._print = copy or Print()
        self._faces: dict[str, Floats] = {}

    @classmethod
    def from_folder(cls, folder: Path, copy: Print | None = None) -> Artwork:
        """The scans of a folder, named by code as for enrolment."""
        files = {path.stem: path for path in sorted(folder.iterdir()) if path.suffix.lower() in SUFFIXES}

        def read(name: str) -> Pixels | None:
            path = files.get(name)
            picture = None if path is None else cv2.imread(str(path), cv2.IMREAD_COLOR)
            return None if picture is None else np.asarray(picture, np.uint8)

        return cls(read, copy)

    @classmethod
    @lru_cache(maxsize=2)
    def drawn(cls, game: str = "schotten-totten") -> Artwork:
        """The deck of the project's own drawing, drawn once for everybody."""
        pictures = deck.deck_of(game)

        def draw(name: str) -> Pixels | None:
            return pictures.draw(name, DRAWN_PX_PER_MM) if name in pictures.codes else None

        return cls(draw)

    def reprinted(self, copy: Print) -> Artwork:
        """The same pictures from another press."""
        return Artwork(self._source, copy)

    def face(self, name: str, size_mm: tuple[float, float]) -> Floats:
        """A picture in linear light with its rounded outline as fourth channel, colours premultiplied."""
        if name not in self._faces:
            picture = _foreign(name) if name.startswith(FOREIGN) else self._source(name)
            if picture is None:
                picture = _plain_back(name)
            self._faces[name] = _cut_out(_printed(picture, self._print, size_mm), size_mm)
        return self._faces[name]


def _printed(picture: Pixels, copy: Print, size_mm: tuple[float, float]) -> Floats:
    """The picture as this press puts it on this paper."""
    if copy == Print():
        return linear(picture)
    height, width = picture.shape[:2]
    move = np.array(
        [
            [copy.scale, 0, width / 2 * (1 - copy.scale) + copy.shift_mm[0] * width / size_mm[0]],
            [0, copy.scale, height / 2 * (1 - copy.scale) + copy.shift_mm[1] * height / size_mm[1]],
        ]
    )
    picture = np.asarray(
        cv2.warpAffine(picture, move, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    light = linear(picture)
    if copy.sharpness:
        sigma = abs(copy.sharpness) * 0.4 * width / size_mm[0] + 0.1
        soft = np.asarray(cv2.GaussianBlur(light, (0, 0), sigma), np.float32)
        light = soft if copy.sharpness < 0 else light + copy.sharpness * (light - soft)
    light = np.asarray(np.clip(light, 0, 1) ** copy.gamma, np.float32)
    # Ink tints what is inked, paper tints everything; white paper stays as white as its own tint allows.
    inked = 1 - light
    tinted = (1 - inked * np.asarray(copy.ink, np.float32)) * np.asarray(copy.paper, np.float32)
    return np.asarray(np.clip(tinted, 0, 1), np.float32)


def _cut_out(light: Floats, size_mm: tuple[float, float]) -> Floats:
    """Add the outline: rounded corners and the faint grey of the cut edge."""
    height, width = light.shape[:2]
    radius = CORNER_MM * width / size_mm[0]
    inside = rounded(width, height, radius)
    core = rounded(width, height, radius, inset=0.3 * width / size_mm[0])
    shade = 0.72 + 0.28 * core
    return np.dstack([light * (shade * inside)[..., None], inside]).astype(np.float32)


@lru_cache(maxsize=8)
def rounded(width: int, height: int, radius: float, inset: float = 0.0) -> Floats:
    """How much of each pixel a rounded rectangle covers, `inset` pixels inside the frame."""
    x = np.abs(np.arange(width) + 0.5 - width / 2) - (width / 2 - inset - radius)
    y = np.abs(np.arange(height) + 0.5 - height / 2) - (height / 2 - inset - radius)
    outside = np.hypot(np.maximum(x[None, :], 0), np.maximum(y[:, None], 0))
    nearest = outside + np.minimum(np.maximum(x[None, :], y[:, None]), 0)
    return np.asarray(np.clip(radius - nearest + 0.5, 0, 1), np.float32)


def _plain_back(name: str) -> Pixels:
    """A patterned back for a deck that has no scan of it."""
    base = {"tactic-back": (30, 110, 200)}.get(name, (70, 120, 60))
    height, width = 585, 409
    y, x = np.mgrid[0:height, 0:width]
    weave = ((x + y) // 14 + (x - y) // 14) % 2
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = base
    picture[weave == 1] = tuple(int(value * 0.8) for value in base)
    cv2.rectangle(picture, (14, 14), (width - 15, height - 15), (235, 240, 240), 6)
    return picture


def _foreign(name: str) -> Pixels:
    """A card of some other game, from the name's own seed: a playing card, one of a colour and a digit, or one that
    nobody ever printed."""
    seed = int("".join(filter(str.isdigit, name)) or "0")
    rng = np.random.default_rng([77, seed])
    match int(rng.integers(3)):
        case 0:
            return playing_card(str(rng.choice(list(SUITS))), str(rng.choice(RANKS)))
        case 1:
            return colour_card(str(rng.choice(list(COLOURS))), int(rng.integers(10)))
        case _:
            return _invented(rng)


def _invented(rng: np.random.Generator) -> Pixels:
    """Some paper, a character in the corners and a few blobs."""
    height, width = 585, 409
    light_paper = rng.random() < 0.7
    picture = np.full((height, width, 3), 0, np.uint8)
    picture[:] = rng.integers(225, 256, 3) if light_paper else rng.integers(20, 160, 3)
    ink = tuple(int(value) for value in (rng.integers(0, 150, 3) if light_paper else rng.integers(180, 256, 3)))
    character = str(rng.choice(list("AKQJXZ&%?023456789")))
    scale = float(rng.uniform(1.6, 3.0))
    corner = np.zeros((height, width, 3), np.uint8)
    cv2.putText(corner, character, (22, int(34 * scale)), cv2.FONT_HERSHEY_DUPLEX, scale, (1, 1, 1), 5, cv2.LINE_8)
    both = np.maximum(corner, corner[::-1, ::-1])
    picture[both[..., 0] > 0] = ink
    for _ in range(int(rng.integers(1, 9))):
        centre = (int(rng.integers(110, width - 110)), int(rng.integers(130, height - 130)))
        axes = (int(rng.integers(12, 80)), int(rng.integers(12, 80)))
        colour = tuple(int(value) for value in rng.integers(0, 256, 3))
        cv2.ellipse(picture, centre, axes, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
    return picture


@lru_cache(maxsize=2)
def printed_mat(layout: Layout) -> Pixels:
    """The mat as `marchwarden print mat` prints it."""
    return mat.draw(layout, MAT_PX_PER_MM)


def plain_mat(layout: Layout, px_per_mm: float) -> Pixels:
    """A mat of a flat tint with nothing on it but its markers."""
    width, height = (round(side * px_per_mm) for side in layout.size_mm)
    plain = np.empty((height, width, 3), np.uint8)
    plain[:] = (178, 196, 186)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for marker in layout.markers:
        side = round(marker.size_mm * px_per_mm)
        quiet = round(3.5 * px_per_mm)
        left, top = (round((centre - marker.size_mm / 2) * px_per_mm) for centre in marker.centre_mm)
        plain[max(top - quiet, 0) : top + side + quiet, max(left - quiet, 0) : left + side + quiet] = 255
        plain[top : top + side, left : left + side] = cv2.aruco.generateImageMarker(dictionary, marker.id, side)[
            ..., None
        ]
    return plain


def table_top(rng: np.random.Generator, size: int = 700) -> Floats:
    """What the mat lies on, in linear light, seamless: wood, cloth or a plain top, a pixel a millimetre."""
    kind = rng.choice(["wood", "cloth", "plain"])
    base = rng.uniform(0.02, 0.5) * (0.6 + 0.4 * rng.random(3))
    if kind == "wood":
        base = rng.uniform(0.08, 0.45) * np.array([0.25, 0.55, 1.0])
        grain = cv2.GaussianBlur(rng.standard_normal((size, size)).astype(np.float32), (0, 0), 1.2, sigmaY=40)
        weave = 0.16 * grain / grain.std()
    elif kind == "cloth":
        weave = 0.12 * cv2.GaussianBlur(rng.standard_normal((size, size)).astype(np.float32), (0, 0), 0.8)
    else:
        weave = 0.03 * cv2.GaussianBlur(rng.standard_normal((size, size)).astype(np.float32), (0, 0), 30) * 30
    return np.asarray(np.clip(base * (1 + weave[..., None]), 0.003, 0.95), np.float32)
