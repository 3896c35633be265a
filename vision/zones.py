"""Where cards may lie over one another: the zones of a layout, each with its own upright frame, and poses over them.

Knows millimetres and the layout; knows no pixel and no card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.layout import Layout, Point
from vision.match import Poses, poses_of

TURNS, CLOSE_TURNS = (-7.0, 0.0, 7.0), (-9.0, -4.5, 0.0, 4.5, 9.0)
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
        return np.asarray(points @ _steer(self.rotation).T + np.array(self.origin_mm))

    def own(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points of the table in the zone's own frame."""
        return np.asarray((points_mm - np.array(self.origin_mm)) @ _steer(self.rotation))


@lru_cache(maxsize=16)
def _steer(rotation: float) -> NDArray[np.float64]:
    turn = np.radians(rotation)
    return np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])


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


def grid(zone: Zone, step_mm: float = 4.5, turns: Sequence[float] = TURNS) -> Poses:
    """Poses all over a zone."""
    return spread(zone, steps(*_span(zone, 0), step_mm), steps(*_span(zone, 1), step_mm * 0.75), turns)


def spread(zone: Zone, across: NDArray[np.float64], along: NDArray[np.float64], turns: Sequence[float]) -> Poses:
    """Poses at every combination of places across and along a zone and turns."""
    u, v, turned = np.meshgrid(across, along, np.array(turns), indexing="ij")
    return poses_of(zone.table_mm(np.column_stack([u.ravel(), v.ravel()])), zone.rotation + turned.ravel())


def steps(low: float, high: float, step: float) -> NDArray[np.float64]:
    """Evenly from low to high, about a step apart."""
    return np.linspace(low, high, max(2, round((high - low) / step) + 1))


def _span(zone: Zone, axis: int) -> Point:
    return zone.low[axis], zone.high[axis]
