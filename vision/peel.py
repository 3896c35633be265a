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

from vision.layout import Layout, Point
from vision.match import Floats, Poses, Templates, correlate, ink_of, points_at, poses_of, stepped, taken

MARGIN = 64  # pixels around the table, so that no pose reaches over its rim
TURNS = (-9.0, -4.5, 0.0, 4.5, 9.0)
_REACH_MM = 9.0  # how far off its place a card is looked for
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
    smooth: Floats
    free: Floats

    @classmethod
    def of(cls, table_bgr: Floats) -> Plan:
        """From the rectified table, 0 to 1, white paper about 1."""
        wide = cv2.copyMakeBorder(ink_of(table_bgr), MARGIN, MARGIN, MARGIN, MARGIN, cv2.BORDER_REPLICATE)
        ink = np.asarray(wide, np.float32)
        smooth = np.asarray(cv2.blur(ink, (2, 2), anchor=(0, 0)), np.float32)
        return cls(ink, smooth, np.ones_like(ink))

    def px(self, points_mm: NDArray[np.floating]) -> Floats:
        """Points of the table in pixels of this plan."""
        return np.asarray(points_mm + (MARGIN - 0.5), np.float32)

    def hide(self, corners_mm: NDArray[np.floating], rim_mm: float = 0.8) -> None:
        """A card lies here: nothing below it can be seen, nor in the shadow of its rim."""
        middle = corners_mm.mean(axis=0)
        away = corners_mm - middle
        wider = away * (1 + rim_mm * np.sqrt(2) / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1.0))
        outline = np.round(self.px(middle + wider) * 16).astype(np.int32)
        cv2.fillConvexPoly(self.free, outline, 0.0, lineType=cv2.LINE_8, shift=4)


@dataclass(frozen=True, slots=True, eq=False)
class Guess:
    """A face (by number) that may lie in a zone at a pose, and how well it correlates with what is free there."""

    zone: int
    face: int
    pose: NDArray[np.float64]
    score: float
    shown: float  # share of the card that is free


class Searcher:
    """Looks for cards on a plan, with templates at two and one millimetres a pixel."""

    def __init__(self, coarse: Templates, fine: Templates) -> None:
        self.coarse, self.fine = coarse, fine
        self._inside = coarse.inside > 0
        families = coarse.families
        self._faces = np.concatenate([families, families[:, ::-1]])[:, self._inside]
        self._grid = coarse.grid_mm[self._inside]

    def patches(self, picture: Floats, poses: Poses) -> Floats:
        """The coarse patch at each pose, to the nearest pixel: poses × points."""
        width = picture.shape[1]
        flat = picture.reshape(-1)
        out = np.empty((len(poses), len(self._grid)), np.float32)
        base = np.round(poses[:, :2] + (MARGIN - 0.5)).astype(np.int32)
        starts = base[:, 1] * width + base[:, 0]
        for turn in np.unique(poses[:, 2]):
            angle = np.radians(turn)
            steer = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            offsets = np.round(self._grid @ steer.T - 0.25).astype(np.int32)
            chosen = np.flatnonzero(poses[:, 2] == turn)
            where = starts[chosen, None] + (offsets[:, 1] * width + offsets[:, 0])[None]
            out[chosen] = flat[where]
        return out

    def shown(self, plan: Plan, poses: Poses) -> Floats:
        """The share of a card at each pose that nothing hides."""
        sparse = plan.px(points_at(poses, self._grid[::9]))
        rows, columns = sparse[..., 1].astype(np.intp), sparse[..., 0].astype(np.intp)
        return np.asarray(plan.free[rows, columns].mean(axis=1), np.float32)

    def search(self, plan: Plan, poses: Poses, masked: bool) -> tuple[Floats, Floats]:
        """Scores of every pose with every family, upright then upside down, and the share shown."""
        patches = self.patches(plan.smooth, poses)
        if not masked:
            return correlate(patches, None, self._faces), np.ones(len(poses), np.float32)
        masks = self.patches(plan.free, poses)
        shown = masks.mean(axis=1)
        scores = correlate(patches, masks, self._faces)
        points = shown * len(self._grid)
        # A few points correlate with anything: what shows more is believed more.
        return scores * (points / (points + 60.0))[:, None], shown

    def refine(self, plan: Plan, poses: Poses, faces: NDArray[np.intp], steps: int = 4) -> tuple[Poses, Floats]:
        """Poses moved to fit their faces at a pixel a millimetre, and the weights last used."""
        fine = self.fine
        for _ in range(steps):
            patches, masks = self.seen(plan, poses)
            poses = stepped(poses, patches, masks, fine.ink[faces], fine.slopes[faces], fine.grid_mm, stretch=False)
        return poses, masks

    def seen(self, plan: Plan, poses: Poses) -> tuple[Floats, Floats]:
        """Fine patches and their masks."""
        points = plan.px(points_at(poses, self.fine.grid_mm))
        patches = taken(plan.ink, points)
        masks = taken(plan.free, points) * self.fine.inside
        return patches, np.where(masks > 0.95, masks, 0).astype(np.float32)


def grid(zone: Zone, turns: Sequence[float] = TURNS, step_mm: float = 2.0) -> Poses:
    """Every coarse pose of a zone."""
    u = np.arange(zone.low[0], zone.high[0] + 0.1, step_mm)
    v = np.arange(zone.low[1], zone.high[1] + 0.1, step_mm)
    across, along, turned = np.meshgrid(u, v, np.array(turns), indexing="ij")
    centres = zone.table_mm(np.column_stack([across.ravel(), along.ravel()]))
    return poses_of(centres, zone.rotation + turned.ravel())
