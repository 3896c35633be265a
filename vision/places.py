"""How much of the table each place takes up: what a fan, a spot, an open heap, a region or a tile may cover."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.frame import Array
from vision.layout import Layout, Point, Size


@dataclass(frozen=True, slots=True)
class Area:
    """An upright rectangle of the table."""

    middle_mm: Point
    size_mm: Size

    def outline_mm(self) -> Array:
        """Its corners, from the top left round clockwise."""
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(self.size_mm) / 2
        return np.asarray(corners + np.array(self.middle_mm), np.float64)

    def is_near(self, other: Area, gap_mm: float = 20.0) -> bool:
        """Whether two areas overlap, or lie less than a gap apart."""
        pairs = zip(self.middle_mm, other.middle_mm, self.size_mm, other.size_mm, strict=True)
        return all(abs(a - b) < (one + two) / 2 + gap_mm for a, b, one, two in pairs)


def areas(layout: Layout) -> dict[str, tuple[Area, ...]]:
    """The areas of every place by its name, and those of every tile by its code."""
    width, height = layout.card_mm
    found: dict[str, tuple[Area, ...]] = {}
    for fan in layout.fans:
        (x, y), (dx, dy), last = fan.first_mm, fan.step_mm, fan.capacity - 1
        size = (width + abs(dx) * last, height + abs(dy) * last)
        found[fan.place] = (Area((x + dx * last / 2, y + dy * last / 2), size),)
    for spot in layout.spots:
        found[spot.place] = (Area(spot.centre_mm, (height, width) if spot.rotation % 180 else (width, height)),)
    for heap in layout.heaps:
        if heap.is_open:
            found[heap.place] = (Area(heap.centre_mm, (height, width) if heap.rotation % 180 else (width, height)),)
    for region in layout.regions:
        found[region.place] = (Area(region.middle_mm, region.size_mm),)
    regions = tuple(Area(region.middle_mm, region.size_mm) for region in layout.regions)
    found |= {token.code: regions for token in layout.tokens}  # tokens lie anywhere
    for tile in layout.tiles:
        found[tile.code] = tuple(Area(at, layout.tile_mm) for _, at in tile.spots)
    return found


@dataclass(frozen=True, slots=True)
class Place:
    """A place and how a card that lies upright in it is turned."""

    name: str
    area: Area
    rotation: float
    is_heap: bool = False

    def away_mm(self, point: NDArray[np.floating]) -> float:
        """How far outside of it a point lies; 0 inside."""
        beyond = np.abs(point - np.array(self.area.middle_mm)) - np.array(self.area.size_mm) / 2
        return float(np.hypot(*np.maximum(beyond, 0.0)))


def where_cards_lie(layout: Layout) -> dict[str, Place]:
    """The places in which cards lie side by side or on an open heap, by name."""
    taken = areas(layout)
    heaps = {heap.place: heap.rotation for heap in layout.heaps if heap.is_open}
    rotations = {each.place: each.rotation for each in layout.spots}
    rotations |= {each.place: each.rotation for each in layout.regions} | heaps
    return {name: Place(name, taken[name][0], float(rotation), name in heaps) for name, rotation in rotations.items()}
