"""A virtual table that hands move freely over: every piece lies exactly where it was put, crooked or not.

For visitors who drag cards about, and for computer players beside them, who lay as people do: in their place, a little
off. Shows itself as a scene that the simulated camera photographs. Knows millimetres; knows no rule.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from engine.table import Change, Place
from firmware.interpret import Places
from firmware.simulation.board import BACK, Board
from firmware.simulation.scene import Habits, Hand, Laid, Scene
from vision.layout import Layout, Point

NEAR_MM = 26.0  # a card whose centre is this near to a place's own middle lies in that place


@dataclass(frozen=True, slots=True)
class Lying:
    """A card or tile on the table. `place` is the engine's name for where it lies, None for nowhere in particular."""

    code: str
    centre_mm: Point
    turn_deg: float
    place: Place | None
    face_up: bool = True

    @property
    def shown(self) -> str:
        """What can be seen of it."""
        return self.code if self.face_up else BACK


class OpenTable:
    """What lies on the table, the lowest first. One thread moves things; the camera may look from another, since what
    lies there is replaced whole."""

    def __init__(self, layout: Layout, places: Places, habits: Habits, seed: int = 0) -> None:
        self.layout = layout
        self.hands: tuple[Hand, ...] = ()
        self._places = places
        self._habits = habits
        self._rng = np.random.default_rng([seed, 7])
        self._rests = _rests(layout, places)
        self._tiles = {tile.code for tile in layout.tiles}
        self.clear()

    @property
    def lying(self) -> tuple[Lying, ...]:
        return self._lying

    def clear(self) -> None:
        """Every card away, every tile back on the border."""
        borders = [(tile.code, self._places.of_tile(tile.code, "border")) for tile in self.layout.tiles]
        self._lying: tuple[Lying, ...] = tuple(
            self._in_place(code, border, 0, face_up=True) for code, border in borders if border is not None
        )

    def find(self, code: str) -> Lying | None:
        return next((one for one in self._lying if one.code == code), None)

    def put(self, code: str, centre_mm: Point, turn_deg: float, *, face_up: bool = True) -> None:
        """Lays a card or tile exactly here, on top of whatever lies there; it is nowhere else any more."""
        self.remove(code)
        place = self.place_at(code, centre_mm)
        self._lying = (*self._lying, Lying(code, centre_mm, turn_deg % 360, place, face_up))

    def put_tidily(self, code: str, centre_mm: Point, *, face_up: bool = True) -> None:
        """Lays it as a careful person would who means the place that is here; elsewhere it lies as it fell."""
        self.remove(code)
        place = self.place_at(code, centre_mm)
        if place is None:
            self._lying = (*self._lying, Lying(code, centre_mm, float(self._rng.uniform(-6, 6)) % 360, None, face_up))
        else:
            self._lay(code, place, face_up)

    def turn_over(self, code: str) -> None:
        self._lying = tuple(replace(one, face_up=not one.face_up) if one.code == code else one for one in self._lying)

    def turn(self, code: str, by_deg: float) -> None:
        self._lying = tuple(
            replace(one, turn_deg=(one.turn_deg + by_deg) % 360) if one.code == code else one for one in self._lying
        )

    def remove(self, code: str) -> bool:
        """Takes it off the table; False if it was not there."""
        before = len(self._lying)
        self._lying = tuple(one for one in self._lying if one.code != code)
        return len(self._lying) < before

    def apply(self, changes: Iterable[Change]) -> None:
        """Takes and lays pieces as the changes say."""
        for change in changes:
            code = str(change.piece.code)
            if change.origin is not None:
                self._take(code, change.origin)
            if change.target is not None:
                self._lay(BACK if code == "?" else code, change.target, code != "?" and change.piece.face_up)

    def place_at(self, code: str, centre_mm: Point) -> Place | None:
        """The place that a piece with its centre here lies in."""
        mine = [(place, spot) for place, spots in self._rests.items() for spot in spots if _fits(code, spot[2])]
        found = min(mine, key=lambda one: math.dist(one[1][0], centre_mm), default=None)
        near = found is not None and math.dist(found[1][0], centre_mm) <= NEAR_MM
        return found[0] if found is not None and near else None

    def scene(self) -> Scene:
        """The table as it lies."""
        lying = self._lying
        cards = [one for one in lying if one.code not in self._tiles]
        tiles = [one for one in lying if one.code in self._tiles]
        items = [
            *(Laid(one.shown, f"card {n}", one.centre_mm, one.turn_deg, self.layout.card_mm)
              for n, one in enumerate(cards)),
            *(Laid(one.code, f"tile{one.code.removeprefix('stone')}", one.centre_mm, one.turn_deg, self.layout.tile_mm)
              for one in tiles),
        ]  # fmt: skip
        return Scene(tuple(items), self.hands, self.board)

    @property
    def board(self) -> Board:
        """What lies in its place, by vision's names."""
        fans = {
            fan.place: tuple(one.shown for one in self._at(self._places.of_card(fan.place))) for fan in self.layout.fans
        }
        spots: dict[str, str] = {}
        for spot in self.layout.spots:
            rest = [one for one in self._at(self._places.of_card(spot.place)) if one.shown not in spots.values()]
            if rest:
                spots[spot.place] = rest[0].shown
        tiles = {
            tile.code: next(
                (name for name, _ in tile.spots if self._at(self._places.of_tile(tile.code, name))), "missing"
            )
            for tile in self.layout.tiles
        }
        return Board({place: names for place, names in fans.items() if names}, spots, tiles)

    def _at(self, place: Place | None) -> list[Lying]:
        return [one for one in self._lying if place is not None and one.place == place]

    def _take(self, code: str, place: Place) -> None:
        taken = next((one for one in self._at(place) if code == (one.code if one.face_up else "?")), None)
        self._lying = tuple(one for one in self._lying if one is not taken)
        self._close_up(place)

    def _close_up(self, place: Place) -> None:
        """The cards that stay move together, as people tidy a row."""
        spots = self._rests[place]
        moved = {
            one: self._in_place(one.code, place, n, face_up=one.face_up)
            for n, one in enumerate(self._at(place))
            if math.dist(one.centre_mm, spots[min(n, len(spots) - 1)][0]) > NEAR_MM / 2
        }
        self._lying = tuple(moved.get(one, one) for one in self._lying)

    def _lay(self, code: str, place: Place, face_up: bool) -> None:
        self._close_up(place)
        self._lying = (*self._lying, self._in_place(code, place, len(self._at(place)), face_up=face_up))

    def _in_place(self, code: str, place: Place, n: int, *, face_up: bool) -> Lying:
        spots = [spot for spot in self._rests[place] if _fits(code, spot[2])]
        (x, y), turn, _ = spots[min(n, len(spots) - 1)]
        share = 0.6 if code.startswith("stone") else 1.0
        off = self._rng.uniform(-1, 1, 3) * np.array([self._habits.offset_mm, self._habits.offset_mm, 1.0]) * share
        leaning = float(off[2]) * self._habits.turn_deg
        return Lying(code, (x + float(off[0]), y + float(off[1])), (turn + leaning) % 360, place, face_up)


Rest = tuple[Point, float, str | None]  # centre, turn, and the one tile that it is for


def _rests(layout: Layout, places: Places) -> dict[Place, list[Rest]]:
    """Where the first, second … piece of a place rests."""
    rests: dict[Place, list[Rest]] = {}
    for fan in layout.fans:
        (x, y), (dx, dy) = fan.first_mm, fan.step_mm
        spots: list[Rest] = [((x + n * dx, y + n * dy), fan.rotation, None) for n in range(fan.capacity)]
        rests[places.of_card(fan.place)] = spots
    for spot in layout.spots:
        rests.setdefault(places.of_card(spot.place), []).append((spot.centre_mm, spot.rotation, None))
    for tile in layout.tiles:
        for name, centre in tile.spots:
            place = places.of_tile(tile.code, name)
            if place is not None:
                rests.setdefault(place, []).append((centre, 0.0, tile.code))
    return rests


def _fits(code: str, only: str | None) -> bool:
    """A tile lies in its own places, a card in those of cards."""
    return only == (code if code.startswith("stone") else None)
