"""Decks of several families, drawn for measuring the card scanner: each style comes in as many editions as wanted.

An edition of a style shares its build with the others (frames, places of indices) and differs in colours, patterns and
letters, as decks in a shop do. Knows pictures by code; knows no rule, and nothing of how cards are recognised.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Pixels = NDArray[np.uint8]
Ink = tuple[int, int, int]  # red, green, blue

PX_PER_MM = 7
BLACK, WHITE, RED = (22, 20, 24), (250, 249, 245), (196, 24, 36)
COLOURS: dict[str, Ink] = {
    "red": (208, 42, 40),
    "blue": (24, 92, 178),
    "green": (52, 140, 62),
    "yellow": (242, 196, 32),
    "purple": (118, 52, 132),
    "orange": (222, 112, 30),
}
RANKS = ("a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k")
COLUMN = {"left": 0.31, "mid": 0.5, "right": 0.69}
PIPS = {
    1: [("mid", 0.5)],
    2: [("mid", 0.18), ("mid", 0.82)],
    3: [("mid", 0.18), ("mid", 0.5), ("mid", 0.82)],
    4: [(side, y) for side in ("left", "right") for y in (0.18, 0.82)],
    5: [(side, y) for side in ("left", "right") for y in (0.18, 0.82)] + [("mid", 0.5)],
    6: [(side, y) for side in ("left", "right") for y in (0.18, 0.5, 0.82)],
    7: [(side, y) for side in ("left", "right") for y in (0.18, 0.5, 0.82)] + [("mid", 0.34)],
    8: [(side, y) for side in ("left", "right") for y in (0.18, 0.5, 0.82)] + [("mid", 0.34), ("mid", 0.66)],
    9: [(side, y) for side in ("left", "right") for y in (0.18, 0.393, 0.607, 0.82)] + [("mid", 0.5)],
    10: [(side, y) for side in ("left", "right") for y in (0.18, 0.393, 0.607, 0.82)] + [("mid", 0.29), ("mid", 0.71)],
}


@dataclass(frozen=True, slots=True)
class Family:
    """A style of deck: the size of its cards, and the faces of one of its editions."""

    name: str
    size_mm: tuple[float, float]
    edition: Callable[[int], dict[str, Pixels]]


class Sheet:
    """A face being drawn, in millimetres."""

    def __init__(self, size_mm: tuple[float, float], ground: Ink) -> None:
        self.size_mm = size_mm
        self.image = Image.new("RGB", (round(size_mm[0] * PX_PER_MM), round(size_mm[1] * PX_PER_MM)), ground)
        self.draw = ImageDraw.Draw(self.image)

    def box(
        self, x: float, y: float, right: float, bottom: float, ink: Ink, line: float = 0, round_: float = 0
    ) -> None:
        edges = [side * PX_PER_MM for side in (x, y, right, bottom)]
        if line:
            self.draw.rounded_rectangle(edges, round_ * PX_PER_MM, outline=ink, width=round(line * PX_PER_MM))
        else:
            self.draw.rounded_rectangle(edges, round_ * PX_PER_MM, fill=ink)

    def word(self, text: str, x: float, y: float, tall_mm: float, ink: Ink, edge: Ink | None = None) -> None:
        font = ImageFont.load_default(tall_mm * PX_PER_MM)
        width = 0 if edge is None else max(round(0.07 * tall_mm * PX_PER_MM), 1)
        place = (x * PX_PER_MM, y * PX_PER_MM)
        self.draw.text(place, text, ink, font, anchor="mm", stroke_width=width, stroke_fill=edge)

    def shape(self, points: NDArray[np.float64], ink: Ink) -> None:
        self.draw.polygon([(float(x) * PX_PER_MM, float(y) * PX_PER_MM) for x, y in points], fill=ink)

    def turned(self) -> None:
        """Everything so far again, upside down: what is drawn in the upper half shows at both ends."""
        other = self.image.rotate(180)
        half = self.image.height // 2
        self.image.paste(other.crop((0, half, other.width, other.height)), (0, half))
        self.draw = ImageDraw.Draw(self.image)

    def pixels(self) -> Pixels:
        return np.ascontiguousarray(np.asarray(self.image, np.uint8)[..., ::-1])


def suit(kind: str, x: float, y: float, size: float, down: bool = False) -> list[NDArray[np.float64]]:
    """The outlines of a suit's symbol, `size` high."""
    t = np.linspace(0, 2 * np.pi, 60)
    round_ = np.stack([np.cos(t), np.sin(t)], axis=1)
    heart = np.stack(
        [16 * np.sin(t) ** 3, -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))], 1
    )
    stem = np.array([[0, 0.0], [0.22, 0.5], [-0.22, 0.5]])
    shapes = {
        "h": [heart / 31],
        "d": [np.array([[0, -0.52], [0.37, 0], [0, 0.52], [-0.37, 0]])],
        "s": [heart / 34 * [1, -1] - [0, 0.04], stem],
        "c": [0.23 * round_ + place for place in ([0, -0.25], [-0.25, 0.08], [0.25, 0.08])] + [stem],
    }[kind]
    return [(shape * (-1 if down else 1)) * size + [x, y] for shape in shapes]


def playing_cards(edition: int) -> dict[str, Pixels]:
    """Fifty-two cards with corner indices and pips; the courts are patterned figures in a frame."""
    rng = np.random.default_rng([71, edition])
    black, red = ((BLACK, RED), ((20, 40, 70), (210, 60, 20)), ((0, 0, 0), (170, 0, 40)))[edition % 3]
    paper = (WHITE, (244, 238, 222), (255, 255, 255))[edition % 3]
    index, pip = float(rng.uniform(7.5, 10)), float(rng.uniform(11, 14))
    court = int(rng.integers(1 << 30))
    return {
        f"{kind}{rank}": _playing_card(kind, rank, paper, red if kind in "hd" else black, index, pip, court)
        for kind in "hdsc"
        for rank in RANKS
    }


def _playing_card(kind: str, rank: str, paper: Ink, ink: Ink, index: float, pip: float, court: int) -> Pixels:
    sheet = Sheet((63, 88), paper)
    number = RANKS.index(rank) + 1
    if number > 10:
        _figure(sheet, np.random.default_rng([court, number, "hdsc".index(kind)]), ink)
        for outline in suit(kind, 19, 19, pip * 0.8):
            sheet.shape(outline, ink)
    else:
        for column, y in PIPS[number]:
            if y <= 0.5:
                for outline in suit(kind, 63 * COLUMN[column], 88 * y, pip * (2.2 if number == 1 else 1)):
                    sheet.shape(outline, ink)
    sheet.word(rank.upper(), 6.0, 7.5, index, ink)
    for outline in suit(kind, 6.0, 15.5, index * 0.62):
        sheet.shape(outline, ink)
    middle = sheet.image.copy()
    sheet.turned()
    if number <= 10:
        # A pip in the very middle stands upright; rows without a partner below stay alone.
        share = 0.3 if number == 1 else 0.1
        high, low = (round((0.5 + way * share) * 88 * PX_PER_MM) for way in (-1, 1))
        sheet.image.paste(middle.crop((0, high, middle.width, low)), (0, high))
        if number == 7:
            blank = Image.new("RGB", (round(20 * PX_PER_MM), round(18 * PX_PER_MM)), paper)
            sheet.image.paste(blank, (round(21.5 * PX_PER_MM), round(49.5 * PX_PER_MM)))
    return sheet.pixels()


def _figure(sheet: Sheet, rng: np.random.Generator, ink: Ink) -> None:
    sheet.box(12, 11, 51, 77, ink, line=0.4)
    inks = [ink, (236, 190, 40), (40, 70, 150), (30, 30, 34), (190, 40, 40)]
    for _ in range(16):
        centre = rng.uniform([18, 18], [45, 44])
        around = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 7))))
        size = rng.uniform(3, 9)
        sheet.shape(centre + size * np.stack([np.cos(around), np.sin(around)], axis=1), inks[int(rng.integers(5))])
    sheet.draw.ellipse([c * PX_PER_MM for c in (26, 20, 37, 33)], fill=(245, 215, 190), outline=BLACK, width=3)


def colours_and_digits(edition: int) -> dict[str, Pixels]:
    """Fifty-two cards: a colour all over, a slanting oval, a digit or a sign of what to do."""
    words = [str(digit) for digit in range(10)] + ["skip", "turn", "two"]
    shift = (0, 14, -18)[edition % 3]
    return {
        f"{edition or 'uno'}-{colour}-{word}": _colour_card(_shifted(COLOURS[colour], shift), word, edition)
        for colour in ("red", "blue", "green", "yellow")
        for word in words
    }


def _shifted(ink: Ink, by: int) -> Ink:
    red, green, blue = (int(np.clip(tone + by, 0, 255)) for tone in ink)
    return red, green, blue


def _colour_card(ink: Ink, word: str, edition: int) -> Pixels:
    sheet = Sheet((57, 87), WHITE)
    sheet.box(3, 3, 54, 84, ink, round_=3)
    oval = Image.new("L", sheet.image.size, 0)
    ImageDraw.Draw(oval).ellipse([c * PX_PER_MM for c in (9, 14, 48, 73)], fill=255)
    sheet.image.paste(Image.new("RGB", oval.size, WHITE), mask=oval.rotate((-24, 18, -35)[edition % 3]))
    shown = {"skip": "Ø", "turn": "«»", "two": "+2"}.get(word, word)
    sheet.word(shown, 9.5, 11, 10 if len(shown) < 2 else 7.5, WHITE, edge=BLACK)
    if word in ("6", "9"):
        sheet.box(6.5, 16, 12.5, 17, WHITE)
    sheet.turned()
    sheet.word(shown, 28.5, 43, 34 if len(shown) < 2 else 24, ink, edge=BLACK)
    if word in ("6", "9"):
        sheet.box(20, 60, 37, 62.5, ink)
    return sheet.pixels()


def numbers(edition: int) -> dict[str, Pixels]:
    """Sixty numbers on one pale pattern: nothing but digits differs. Square cards."""
    rng = np.random.default_rng([72, edition])
    pattern = _texture(rng, (70, 70), 0.5)
    pale = (0.25 * pattern + 0.75 * np.array([225, 232, 238])).astype(np.uint8)
    ink = tuple(int(c) for c in rng.uniform(10, 110, 3))
    return {f"n{number}": _number(pale, str(number), (ink[0], ink[1], ink[2])) for number in range(1, 61)}


def _number(pale: Pixels, number: str, ink: Ink) -> Pixels:
    sheet = Sheet((70, 70), WHITE)
    sheet.image = Image.fromarray(pale[..., ::-1].copy())
    sheet.draw = ImageDraw.Draw(sheet.image)
    sheet.box(3, 3, 67, 67, ink, line=0.6, round_=3)
    for x in (11, 59):
        sheet.word(number, x, 10, 8, ink)
    sheet.turned()
    sheet.word(number, 35, 34, 32, ink)
    if set(number) <= set("0689"):
        sheet.box(22, 52, 48, 53.5, ink)
    return sheet.pixels()


def pictures(edition: int) -> dict[str, Pixels]:
    """Thirty large cards, each a picture of its own in a white frame or to the very edge, with no letter on it."""
    framed = edition % 2 == 0
    return {f"dream {n}": _picture(np.random.default_rng([73, edition, n]), framed) for n in range(30)}


def _picture(rng: np.random.Generator, framed: bool) -> Pixels:
    card = _texture(rng, (70, 120), 1.0)
    height, width = card.shape[:2]
    for _ in range(int(rng.integers(3, 9))):
        centre = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        axes = (int(rng.uniform(20, 160)), int(rng.uniform(20, 160)))
        tone = rng.uniform(20, 240, 3).tolist()
        cv2.ellipse(card, centre, axes, float(rng.uniform(0, 180)), 0, 360, tone, -1, cv2.LINE_AA)
    card = np.asarray(cv2.GaussianBlur(card, (0, 0), 2), np.uint8)
    if framed:
        rim = 4 * PX_PER_MM
        card[:rim], card[-rim:], card[:, :rim], card[:, -rim:] = (WHITE[::-1],) * 4
    return card


def clans(edition: int) -> dict[str, Pixels]:
    """Six colours of nine values: a value's picture is the same in every colour, only index and ribbon differ."""
    return {
        f"{'e' * (edition > 0)}{colour}{value}": _clan(edition, ink, colour, value)
        for (colour, ink) in (("r", 0), ("y", 3), ("g", 2), ("b", 1), ("p", 4), ("o", 5))
        for value in range(1, 10)
    }


def _clan(edition: int, ink: int, colour: str, value: int) -> Pixels:
    tone = list(COLOURS.values())[ink]
    sheet = Sheet((56, 80), (238, 226, 200) if edition % 2 == 0 else WHITE)
    scene = _texture(np.random.default_rng([74, edition, value]), (44, 56), 0.9)
    sheet.image.paste(Image.fromarray(scene[..., ::-1].copy()), (round(6 * PX_PER_MM), round(16 * PX_PER_MM)))
    sheet.box(4, 14, 52, 74, tone, line=2)
    for x in (9, 47):
        sheet.box(x - 5, 3, x + 5, 13, tone, round_=2)
        sheet.word(str(value), x, 7.6, 9, WHITE, edge=BLACK)
    sheet.word("rygbpo"[("rygbpo".index(colour) + edition) % 6].upper(), 28, 8, 6, tone)
    return sheet.pixels()


def _texture(rng: np.random.Generator, size_mm: tuple[float, float], strength: float) -> Pixels:
    """Clouds of colour over one another, as coarse and as fine as a painting."""
    width, height = (round(side * PX_PER_MM) for side in size_mm)
    sum_ = np.zeros((height, width, 3), np.float32)
    for cells in (2, 4, 8, 18, 40):
        grid = rng.standard_normal((max(cells * height // width, 2), cells, 3)).astype(np.float32)
        sum_ += np.asarray(cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC), np.float32) / cells**0.6
    sum_ = sum_ / sum_.std() * 52 * strength + rng.uniform(90, 170, 3)
    return np.asarray(np.clip(sum_, 0, 255), np.uint8)


FAMILIES = (
    Family("playing cards", (63, 88), playing_cards),
    Family("colours and digits", (57, 87), colours_and_digits),
    Family("numbers", (70, 70), numbers),
    Family("pictures", (70, 120), pictures),
    Family("clans", (56, 80), clans),
)
