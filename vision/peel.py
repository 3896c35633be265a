"""Finding cards that lie over one another: the topmost first, then what the ones below still show.

Works on the whole table at a pixel a millimetre, for all zones in step: every round searches one more card in each.
Knows millimetres, templates and masks; the final word on a card's identity is with `identify`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck
from vision.layout import Layout, Point
from vision.match import (
    Climb,
    Floats,
    Poses,
    Templates,
    alike,
    correlate,
    ink_of,
    levelled,
    points_at,
    poses_of,
    stepped,
    taken,
    trust,
)

ROUGH, COARSE, FINE = 0.25, 0.5, 1.0  # pixels a millimetre, look by look
_BLURS = (3, 5)  # millimetres over which the plan is averaged for the coarse and the rough look
MARGIN = 64  # pixels around the table, so that no pose reaches over its rim
TURNS, CLOSE_TURNS = (-7.0, 0.0, 7.0), (-9.0, -4.5, 0.0, 4.5, 9.0)
_REACH_MM = 9.0  # how far off its place a card is looked for
_PRINTED = 0.06  # share of points that stand out where a card lies, at least
_SAME_PLACE_MM = 5.0
_BATCH = 24  # guesses refined together
LEAST_MM2 = 300.0  # a card that shows less cannot be told from a rim
_BREADTH = 0.75  # points near to one another say much the same
_PERFECT = 0.96  # nothing can be more alike than this, whatever is left of noise
_STEPS_MM = 36.0  # the widest step of a fan


@dataclass(frozen=True, slots=True)
class Zone:
    """Where cards may overlap: in its own upright frame their centres lie from `low` to `high`."""

    name: str
    origin_mm: Point
    rotation: float
    low: Point
    high: Point
    capacity: int

    def table_mm(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points of the zone's own frame on the table."""
        turn = np.radians(self.rotation)
        steer = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        return np.asarray(points @ steer.T + np.array(self.origin_mm))

    def own(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points of the table in the zone's own frame."""
        turn = np.radians(self.rotation)
        steer = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        return np.asarray((points_mm - np.array(self.origin_mm)) @ steer)


def zones_of(layout: Layout) -> tuple[Zone, ...]:
    """Each fan is a zone, so are the two mode places of a Stone together, and every other spot alone."""
    reach = _REACH_MM
    zones = [
        Zone(
            fan.place,
            fan.first_mm,
            fan.rotation,
            (-reach, -reach),
            (reach, reach + _STEPS_MM * (fan.capacity - 1)),
            fan.capacity,
        )
        for fan in layout.fans
    ]
    modes = [spot for spot in layout.spots if "M" in spot.place]
    for spot in modes[::2]:
        after = modes[modes.index(spot) + 1]
        zone = Zone(spot.place[:-1], spot.centre_mm, spot.rotation, (0, 0), (0, 0), 2)
        du, dv = zone.own(np.array(after.centre_mm))
        low, high = (min(0.0, du) - reach, min(0.0, dv) - reach), (max(0.0, du) + reach, max(0.0, dv) + reach)
        zones.append(Zone(zone.name, zone.origin_mm, zone.rotation, low, high, 2))
    zones += [
        Zone(spot.place, spot.centre_mm, spot.rotation, (-reach, -reach), (reach, reach), 1)
        for spot in layout.spots
        if "M" not in spot.place
    ]
    return tuple(zones)


@dataclass(slots=True, eq=False)
class Plan:
    """The table from above at a pixel a millimetre with a margin; `free` is 0 where a found card or a hand lies."""

    ink: Floats
    smooth: Floats  # the ink averaged over two millimetres
    rough: Floats  # and over four
    free: Floats
    print: Floats  # how much print there is around a point, free or not

    def leave_out(self, cells: NDArray[np.uint8], cell_mm: float) -> None:
        """Something covers these cells of the table: what it shows is no card."""
        if not cells.any():
            return
        size = (round(cells.shape[1] * cell_mm), round(cells.shape[0] * cell_mm))
        wide = cv2.resize(cv2.dilate(cells, np.ones((3, 3), np.uint8)), size, interpolation=cv2.INTER_NEAREST)
        height, width = (min(a, b - 2 * MARGIN) for a, b in zip(wide.shape, self.free.shape, strict=True))
        inner = self.free[MARGIN : MARGIN + height, MARGIN : MARGIN + width]
        inner[wide[:height, :width] > 0] = 0.0

    def busy(self, poses: Poses) -> NDArray[np.bool_]:
        """Poses with print around their middle: the bare mat has none."""
        columns, rows = np.round(self.px(poses[:, :2])).astype(np.intp).T
        return np.asarray(self.print[rows, columns] > _PRINTED)

    @classmethod
    def of(cls, table_bgr: Floats) -> Plan:
        """From the rectified table, 0 to 1, white paper about 1."""
        wide = cv2.copyMakeBorder(ink_of(table_bgr), MARGIN, MARGIN, MARGIN, MARGIN, cv2.BORDER_REPLICATE)
        ink = np.asarray(wide, np.float32)
        smooth, rough = (np.asarray(cv2.blur(ink, (size, size)), np.float32) for size in _BLURS)
        return cls(ink, smooth, rough, np.ones_like(ink), _print_around(ink))

    def settle(self) -> None:
        """Average anew, leaving out what is hidden."""
        shown = self.ink * self.free
        for size, picture in zip(_BLURS, (self.smooth, self.rough), strict=True):
            share = np.maximum(cv2.blur(self.free, (size, size)), 0.02)
            np.divide(cv2.blur(shown, (size, size)), share, out=picture)

    def px(self, points_mm: NDArray[np.floating]) -> Floats:
        """Points of the table in pixels of this plan."""
        return np.asarray(points_mm + (MARGIN - 0.5), np.float32)

    def hide(self, corners_mm: NDArray[np.floating], rim_mm: float = 1.4) -> None:
        """A card lies here: nothing below it can be seen, nor in the shadow of its rim."""
        self.draw(self.free, corners_mm, rim_mm)

    def draw(self, picture: Floats, corners_mm: NDArray[np.floating], rim_mm: float) -> None:
        """Set a picture of this plan to 0 within an outline and its rim."""
        middle = corners_mm.mean(axis=0)
        away = corners_mm - middle
        wider = away * (1 + rim_mm * np.sqrt(2) / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1.0))
        outline = np.round(self.px(middle + wider) * 16).astype(np.int32)
        cv2.fillConvexPoly(picture, outline, 0.0, lineType=cv2.LINE_8, shift=4)


def _print_around(ink: Floats) -> Floats:
    """The share of points within a card's width that stand out from their neighbourhood."""
    tone = cv2.blur(ink, (13, 13))
    stands_out = (np.abs(ink - tone) > 0.08 * tone).astype(np.float32)
    return np.asarray(cv2.blur(stands_out, (41, 41)), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Guess:
    """A face (by number) that may lie in a zone at a pose, and how well it correlates with what is free there."""

    face: int
    pose: NDArray[np.float64]
    worth: float


class Searcher:
    """Looks for cards on a plan: roughly over all of a zone, then closely around the best of each drawing."""

    def __init__(self, deck: Deck) -> None:
        self.fine = Templates.of(deck, FINE)
        self._rough = _Gallery.of(Templates.of(deck, ROUGH))
        self._strip = _Gallery.of(Templates.of(deck, COARSE, soft_mm=_BLURS[1] / 3.4))
        self._coarse = _Gallery.of(Templates.of(deck, COARSE))

    def guesses(self, plan: Plan, poses: Poses, most: int, *, masked: bool) -> list[Guess]:
        """The likeliest places of a card in a zone, each with the face that fits it best so far."""
        gallery = self._strip if masked else self._rough
        worth = gallery.worth(plan, plan.rough, poses, masked=masked)
        close = [_around(poses[row]) for row in _apart(poses, worth, most)]
        if not close:
            return []
        near = np.concatenate(close)
        worth = self._coarse.worth(plan, plan.smooth, near, masked=masked)
        families = len(gallery.members)
        found = []
        for n in range(len(close)):
            rows = slice(n * len(close[n]), (n + 1) * len(close[n]))
            for way, turn in ((worth[rows, :families], 0.0), (worth[rows, families:], 180.0)):
                at, drawing = np.unravel_index(int(way.argmax()), way.shape)
                pose = close[n][at] + np.array([0, 0, turn, 0, 0])
                found.append(Guess(gallery.members[int(drawing)][0], pose, float(way[at, drawing])))
        found.sort(key=lambda guess: -guess.worth)
        return [guess for guess in found[:most] if guess.worth > 0.3 * found[0].worth]

    def refine(self, plan: Plan, poses: Poses, faces: NDArray[np.intp], steps: int = 3) -> Poses:
        """Poses moved to fit their faces at a pixel a millimetre."""
        parts = range(0, len(poses), _BATCH)
        return np.concatenate([self._refined(plan, poses[n : n + _BATCH], faces[n : n + _BATCH], steps) for n in parts])

    def _refined(self, plan: Plan, poses: Poses, faces: NDArray[np.intp], steps: int) -> Poses:
        fine = self.fine
        ink, slopes = fine.ink[faces], fine.slopes[faces]
        climb = Climb.start(poses)
        for _ in range(steps):
            patches, masks = self.seen(plan, poses)
            climb.visit(poses, alike(patches, masks, ink))
            weights = masks * trust(levelled(patches, ink, masks), ink, masks)
            poses = stepped(poses, patches, weights, ink, slopes, fine.grid_mm, stretch=False)
        climb.visit(poses, alike(*self.seen(plan, poses), ink))
        return climb.poses

    def seen(self, plan: Plan, poses: Poses) -> tuple[Floats, Floats]:
        """Fine patches and their masks."""
        points = plan.px(points_at(poses, self.fine.grid_mm))
        patches = taken(plan.ink, points)
        free = taken(plan.free, points)
        return patches, np.asarray((free > 0.95) * self.fine.inside, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Gallery:
    """The mean ink of every family at one scale, upright and then upside down, without the rim."""

    grid_mm: Floats
    faces: Floats
    members: tuple[tuple[int, ...], ...]
    points_per_mm2: float

    @classmethod
    def of(cls, templates: Templates) -> _Gallery:
        inside = templates.inside > 0
        upright = templates.families
        faces = np.concatenate([upright, upright[:, ::-1]])[:, inside]
        return cls(templates.grid_mm[inside], faces, templates.members, templates.px_per_mm**2)

    def worth(self, plan: Plan, picture: Floats, poses: Poses, *, masked: bool) -> Floats:
        """How much every family explains of what is free at every pose (poses × faces).

        Evidence, not likeness: a few points correlate with anything, a whole card only with itself.
        """
        if not masked:
            scores = correlate(self._patches(picture, poses, self.grid_mm), None, self.faces)
            return evidence(scores, np.float32(len(self.grid_mm)) / self.points_per_mm2)
        masks = self._patches(plan.free, poses, self.grid_mm)
        shown = masks.any(axis=0)
        masks = masks[:, shown]
        patches = self._patches(picture, poses, self.grid_mm[shown])
        count = masks.sum(axis=1, keepdims=True)
        scores = correlate(patches, masks, np.ascontiguousarray(self.faces[:, shown]))
        return evidence(scores, count / self.points_per_mm2)

    @staticmethod
    def _patches(picture: Floats, poses: Poses, grid: Floats) -> Floats:
        """What the picture shows at each pose, to the nearest pixel: poses × points."""
        width = picture.shape[1]
        flat = picture.reshape(-1)
        out = np.empty((len(poses), len(grid)), np.float32)
        base = np.round(poses[:, :2] + (MARGIN - 0.5)).astype(np.int32)
        starts = base[:, 1] * width + base[:, 0]
        for turn in np.unique(poses[:, 2]):
            angle = np.radians(turn)
            steer = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            offsets = np.round(grid @ steer.T).astype(np.int32)
            chosen = np.flatnonzero(poses[:, 2] == turn)
            where = starts[chosen, None] + (offsets[:, 1] * width + offsets[:, 0])[None]
            out[chosen] = flat.take(where)
        return out


def evidence(likeness: Floats, area_mm2: Floats | np.float32) -> Floats:
    """What a likeness over an area is worth: the logarithm of how much less is left unexplained, for all its points."""
    good = np.clip(likeness, 0.0, _PERFECT)
    return np.asarray(-np.log(1 - good * good) * area_mm2**_BREADTH * (area_mm2 > LEAST_MM2), np.float32)


def _apart(poses: Poses, worth: Floats, most: int) -> list[int]:
    """The best poses, no two of them in nearly the same place."""
    best = worth.max(axis=1)
    least = max(0.2 * float(best.max()), 1e-3)
    chosen: list[int] = []
    while len(chosen) < most and best.max() > least:
        row = int(best.argmax())
        chosen.append(row)
        best[np.abs(poses[:, :2] - poses[row, :2]).max(axis=1) < _SAME_PLACE_MM] = 0
    return chosen


def _around(pose: NDArray[np.float64]) -> Poses:
    """Poses close to one, nearer than the step of the search before."""
    away, turn = (-2.0, 0.0, 2.0), (-3.0, 0.0, 3.0)
    shifts = np.array([(x, y, a, 0.0, 0.0) for x in away for y in away for a in turn])
    return np.asarray(pose + shifts)


def grid(zone: Zone, step_mm: float = 4.5, turns: Sequence[float] = TURNS) -> Poses:
    """Poses all over a zone."""
    u = _steps(zone.low[0], zone.high[0], step_mm)
    v = _steps(zone.low[1], zone.high[1], step_mm * 0.75)
    across, along, turned = np.meshgrid(u, v, np.array(turns), indexing="ij")
    centres = zone.table_mm(np.column_stack([across.ravel(), along.ravel()]))
    return poses_of(centres, zone.rotation + turned.ravel())


def _steps(low: float, high: float, step: float) -> NDArray[np.float64]:
    return np.linspace(low, high, max(2, round((high - low) / step) + 1))
