"""Enrolling a deck in front of the camera: card by card, on the mat, one picture each.

Says which card comes next, takes it as soon as it lies still and alone, and waits until it was taken away. Pictures are
kept one by one in a folder, as scans would be, so that a break costs nothing and `enroll` goes on with them as with any
folder of scans. Knows vision and words; knows no device.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np

from firmware.gestures import Press
from firmware.pictures import is_hidden, write_picture
from firmware.ports import Button, Frame
from firmware.state import Saying, saying
from firmware.tables import OtherMat, table_in
from vision.enrol import Enrolment
from vision.frame import Array, Picture
from vision.layout import Layout, Point, Size
from vision.rectify import NoTable, Rectifier

LOOK_PX_PER_MM, KEEP_PX_PER_MM = 2.0, 6.0
DIFFERS = 26  # of 255, from the empty mat
SIZE_TOLERANCE = 0.08
ALONE_SHARE = 0.15  # of a card's area that may differ elsewhere: a shadow, a crumb
STILL_MM, STILL_DEG = 0.8, 0.8
STILL_FRAMES = 3
ODD_FRAMES = 8  # looks alike at something that will not do before it is said: a hand may rest for a moment
EMPTY_FRAMES = 4  # looks alike before the mat counts as empty: a hand may rest for a moment while it is cleared
COARSE, GROUND = 8, 45  # a view so much smaller, and how many of its points around one tell the ground: three cards
CARD_STANDS_OUT = 22.0  # of 255, from the ground around it; an outline that is printed there does so by 14
RIM_PX = 8.0  # of the view: around a card, where the ground shows
SIDE_MM = 30.0  # where the mat has its markers
ROOM_MM = 16.0  # more than a card for a heap of them
ROW_MM = 50.0  # the row where Stones may lie, one of them taken away to be shown
_TILE = re.compile(r"stone\d+")


@dataclass(frozen=True, slots=True)
class Lying:
    """Where something lies on the table; `turned_deg` clockwise from upright."""

    centre_mm: Point
    size_mm: Size
    turned_deg: float

    def is_like(self, size_mm: Size) -> bool:
        return all(abs(a / b - 1) < SIZE_TOLERANCE for a, b in zip(self.size_mm, size_mm, strict=True))

    def is_still(self, before: Lying) -> bool:
        return (
            math.dist(self.centre_mm, before.centre_mm) < STILL_MM
            and abs(self.turned_deg - before.turned_deg) < STILL_DEG
        )


class Shelf:
    """The pictures taken so far, one file a code."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def codes(self) -> set[str]:
        return {path.stem for path in self.folder.glob("*.png") if not is_hidden(path)}

    def put(self, code: str, picture_bgr: Picture) -> None:
        unfinished = self.folder / f".{code}.part.png"
        write_picture(unfinished, picture_bgr)
        unfinished.replace(self.folder / f"{code}.png")

    def take_back(self, code: str) -> None:
        (self.folder / f"{code}.png").unlink(missing_ok=True)

    def clear(self) -> None:
        for path in (*self.folder.glob("*.png"), *self.folder.glob(".*.part.png")):
            path.unlink()
        self.folder.rmdir()


class CardByCard:
    """Asks for one code after the other. UNDO asks for the one before again, PAUSE ends. TURN takes what lies there, or
    learns the mat anew when that is no such card: somebody has moved it."""

    def __init__(
        self,
        codes: Sequence[str],
        layout: Layout,
        shelf: Shelf,
        twins: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """`twins` are cards of which the same picture was taken as of another: why they are asked for once more."""
        self._codes = tuple(codes)
        self._twins = twins
        self._layout = layout
        self._shelf = shelf
        self._taken = [code for code in codes if code in shelf.codes()]
        self._table: Rectifier | None = None
        self._alike: list[Picture] = []
        self._empty: Picture | None = None
        self._still: list[Lying] = []
        self._odd: list[Picture] = []
        self._leaving: str | None = None
        self._fault: str | None = None
        self.is_over = not self._wanted()
        self.is_stopped = False

    def look(self, frame: Frame, presses: tuple[Press, ...]) -> Saying:
        """What to say after this frame."""
        if self.is_over:
            return saying("all-taken", count=len(self._taken))
        pressed = {press.button for press in presses}
        if Button.PAUSE in pressed:
            self.is_over = self.is_stopped = True
            return saying("enrolment-stopped", number=len(self._taken), count=len(self._codes))
        if Button.UNDO in pressed:
            self._again()
        size = (frame.pixels_bgr.shape[1], frame.pixels_bgr.shape[0])
        if self._table is None or self._table.frame_size != size:
            try:
                self._table = table_in(frame.pixels_bgr, self._layout)
            except OtherMat:
                return saying("other-mat")
            except NoTable:
                return saying("no-mat")
        seen = self._view(frame.pixels_bgr, self._table)
        if self._empty is None:
            return self._learn_empty(seen, Button.TURN in pressed)
        mask = self._both_halves(_differing(seen, self._empty))
        lying = self._lying(mask)
        if self._leaving is not None:
            return self._wait_for_leaving(lying)
        if lying is None or not lying.is_like(self._size(self._wanted()[0])):
            return self._wait_for_another(mask, Button.TURN in pressed)
        self._odd.clear()
        if _stands_out(self._empty, self._box(lying)) > _stands_out(seen, self._box(lying)):
            self._empty = None  # the card lay there when the mat was learnt, and is gone now
            return saying("clear-mat")
        return self._wait_for_card(frame.pixels_bgr, self._table, lying, Button.TURN in pressed)

    def _wanted(self) -> tuple[str, ...]:
        return tuple(code for code in self._codes if code not in self._taken)

    def _again(self) -> None:
        """The last card taken is asked for once more."""
        if self._taken:
            self._shelf.take_back(self._taken.pop())
            self._leaving = None
            self._still.clear()

    def _learn_empty(self, seen: Picture, is_empty: bool) -> Saying:
        """A few looks alike are the empty mat, unless a card lies there; whoever lays one meanwhile is asked for it
        again. TURN says that it is empty."""
        if self._alike and _differing(seen, self._alike[0]).mean() >= 0.002 * 255:
            self._alike.clear()
        self._alike.append(seen)
        if len(self._alike) < EMPTY_FRAMES or (self._shows_a_card(seen) and not is_empty):
            return saying("clear-mat")
        self._empty = seen
        self._alike.clear()
        return self._ask()

    def _wait_for_leaving(self, lying: Lying | None) -> Saying:
        if lying is None:
            self._leaving = None
            return self._ask()
        return saying("next-card", card=str(self._leaving))

    def _wait_for_another(self, mask: Picture, is_empty: bool) -> Saying:
        """Nothing lies there, or a hand, or something that is not one card alone, which is said when it stays."""
        self._still.clear()
        if is_empty:
            self._table = self._empty = None
            return saying("clear-mat")
        if self._odd and cv2.countNonZero(cv2.absdiff(mask, self._odd[0])) > _few(mask):
            self._odd.clear()
        self._odd.append(mask)
        if len(self._odd) < ODD_FRAMES or cv2.countNonZero(mask) <= _few(mask):
            self._odd = self._odd[-ODD_FRAMES:]
            return self._ask()
        return saying("not-alone", card=self._wanted()[0])

    def _wait_for_card(self, frame_bgr: Picture, table: Rectifier, lying: Lying, at_once: bool) -> Saying:
        code = self._wanted()[0]
        if self._still and not lying.is_still(self._still[-1]):
            self._still.clear()
        self._still.append(lying)
        if len(self._still) < STILL_FRAMES and not at_once:
            return self._ask()
        self._still.clear()
        picture = table.warp(frame_bgr, lying.centre_mm, self._size(code), lying.turned_deg, KEEP_PX_PER_MM)
        self._fault = Enrolment("trial", are_whole=True).take(code, picture)
        if self._fault is not None:
            return self._ask()
        self._shelf.put(code, picture)
        self._taken.append(code)
        self._leaving = code
        self.is_over = not self._wanted()
        if self.is_over:
            return saying("all-taken", count=len(self._taken))
        return saying("next-card", card=code)

    def _ask(self) -> Saying:
        code = self._wanted()[0]
        if self._fault is not None:
            return saying("card-again", card=code, why=self._fault)
        if code in self._twins:
            return saying("card-twice", card=code, twin=self._twins[code])
        return saying("show-card", card=code, number=len(self._taken) + 1, count=len(self._codes))

    def _size(self, code: str) -> Size:
        return self._layout.tile_mm if _TILE.fullmatch(code) else self._layout.card_mm

    def _window(self) -> tuple[Point, Size]:
        """The mat without the markers at its sides."""
        width, height = self._layout.size_mm
        return (width / 2, height / 2), (width - 2 * SIDE_MM, height)

    def _view(self, frame_bgr: Picture, table: Rectifier) -> Picture:
        centre, size = self._window()
        return np.asarray(cv2.medianBlur(table.warp(frame_bgr, centre, size, 0.0, LOOK_PX_PER_MM), 3), np.uint8)

    def _both_halves(self, mask: Picture) -> Picture:
        """Without the row of Stones between them, and without the heaps of a game that has some."""
        for row_mm in {at[1] for tile in self._layout.tiles for spot, at in tile.spots if spot == "border"}:
            top, bottom = (round((row_mm + half * ROW_MM) * LOOK_PX_PER_MM) for half in (-0.5, 0.5))
            mask[top:bottom] = 0
        width, height = (side + ROOM_MM for side in self._layout.card_mm)
        for heap in self._layout.heaps:
            box = self._box(Lying(heap.centre_mm, (width, height), float(heap.rotation)))
            cv2.fillPoly(mask, [np.round(cv2.boxPoints(box)).astype(np.int32)], 0)
        return mask

    def _shows_a_card(self, seen: Picture) -> bool:
        """Whether something of a card's size stands out from the ground."""
        small = cv2.resize(seen, None, fx=1 / COARSE, fy=1 / COARSE, interpolation=cv2.INTER_AREA)
        ground = cv2.resize(cv2.medianBlur(small, GROUND), seen.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        mask = self._both_halves(_differing(seen, np.asarray(ground, np.uint8)))
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        lying = [self._placed(np.asarray(cv2.boxPoints(cv2.minAreaRect(one)), np.float64)) for one in contours]
        cards = [one for one in lying if one.is_like(self._layout.card_mm)]
        return any(_stands_out(seen, self._box(one)) > CARD_STANDS_OUT for one in cards)

    def _lying(self, mask: Picture) -> Lying | None:
        """The one thing that lies on the mat; None when there is nothing, or a hand, or several things."""
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        if not contours:
            return None
        largest = max(contours, key=cv2.contourArea)
        area = cv2.contourArea(largest)
        card_px = math.prod(self._layout.tile_mm) * LOOK_PX_PER_MM**2
        others = sum(cv2.contourArea(each) for each in contours) - area
        if area < 0.5 * card_px or others > ALONE_SHARE * card_px:
            return None
        return self._placed(np.asarray(cv2.boxPoints(cv2.minAreaRect(largest)), np.float64))

    def _placed(self, box_px: Array) -> Lying:
        """A rectangle of the view as something on the table, upright as far as it can be told."""
        left, top = self._corner()
        sides = [box_px[1] - box_px[0], box_px[2] - box_px[1]]
        # Whichever side lies nearer to the horizontal is the width.
        across, down = sorted(sides, key=lambda side: abs(side[1]) - abs(side[0]))
        across = across if across[0] > 0 else -across
        centre = box_px.mean(axis=0) / LOOK_PX_PER_MM
        return Lying(
            (left + float(centre[0]), top + float(centre[1])),
            (float(np.hypot(*across)) / LOOK_PX_PER_MM, float(np.hypot(*down)) / LOOK_PX_PER_MM),
            math.degrees(math.atan2(float(across[1]), float(across[0]))),
        )

    def _box(self, lying: Lying) -> tuple[Point, Size, float]:
        """Where something lies, in pixels of the view."""
        left, top = self._corner()
        (x, y), (width, height), scale = lying.centre_mm, lying.size_mm, LOOK_PX_PER_MM
        return ((x - left) * scale, (y - top) * scale), (width * scale, height * scale), lying.turned_deg

    def _corner(self) -> Point:
        (x, y), (width, height) = self._window()
        return x - width / 2, y - height / 2


def _stands_out(view: Picture, box: tuple[Point, Size, float]) -> float:
    """How far what a box holds is from the ground around it, of 255."""
    centre, (width, height), turned = box
    inside, around = np.zeros(view.shape[:2], np.uint8), np.zeros(view.shape[:2], np.uint8)
    for mask, more in ((inside, -RIM_PX), (around, 2 * RIM_PX)):
        grown = (max(1.0, width + more), max(1.0, height + more))
        cv2.fillPoly(mask, [np.round(cv2.boxPoints((centre, grown, turned))).astype(np.int32)], 255)
    ground = np.median(view[(around > 0) & (inside == 0)], axis=0)
    return float(np.abs(view[inside > 0] - ground).max(axis=1).mean())


def _differing(seen: Picture, empty: Picture) -> Picture:
    """Where the mat is not as it was empty; a change of the light as a whole does not count."""
    light = float(np.median(seen)) / max(1.0, float(np.median(empty)))
    apart = np.abs(seen.astype(np.float32) - light * empty.astype(np.float32)).max(axis=2)
    mask = (apart > DIFFERS).astype(np.uint8) * 255
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)), np.uint8)


def _few(mask: Picture) -> float:
    """So many points of a view are noise."""
    return 0.002 * mask.size
