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
from firmware.side_by_side import side_by_side
from firmware.simulation.board import BACK, Board
from firmware.simulation.scene import Habits, Hand, Laid, Scene
from vision.layout import Layout, Point

UPPER = 0.425  # of the mat: cards above this face the player opposite
SHOWN = 3  # cards of a heap that are not wholly hidden
NEAR_MM = 26.0  # a card whose centre is this near to a place's own middle lies in that place


@dataclass(frozen=True, slots=True)
class Lying:
    """A card or tile on the table. `place` is the engine's name for where it lies, None for nowhere in particular."""

    code: str
    centre_mm: Point
    turn_deg: float
    place: Place | None
    face_up: bool = True
    token: str = ""  # of a token that is named after the card it lies on, which token it is

    @property
    def shown(self) -> str:
        """What can be seen of it."""
        return self.token or (self.code if self.face_up else BACK)


class OpenTable:
    """What lies on the table, the lowest first. One thread moves things; the camera may look from another, since what
    lies there is replaced whole."""

    def __init__(self, layout: Layout, places: Places, habits: Habits, seed: int = 0) -> None:
        self.layout = layout
        self.hands: tuple[Hand, ...] = ()
        self.discarded: tuple[str, ...] = ()  # onto the open heap, the topmost last
        self._places = places
        self._habits = habits
        self._rng = np.random.default_rng([seed, 7])
        self._rests = _rests(layout, places)
        self._tiles = {tile.code for tile in layout.tiles}
        self._regions = {places.of_card(region.place): region for region in layout.regions}
        self.clear()

    @property
    def lying(self) -> tuple[Lying, ...]:
        return self._lying

    def clear(self) -> None:
        """Every card away, every tile back to the first of its spots."""
        homes = [(tile.code, self._places.of_tile(tile.code, tile.spots[0][0])) for tile in self.layout.tiles]
        self._lying: tuple[Lying, ...] = ()
        self._lying = tuple(self._in_place(code, home, 0, face_up=True) for code, home in homes if home is not None)

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
        if place is None or place in self._regions:  # anywhere in a region is as good as anywhere else
            turn = float(self._rng.uniform(-6, 6)) + (self._regions[place].rotation if place is not None else 0.0)
            self._lying = (*self._lying, Lying(code, centre_mm, turn % 360, place, face_up))
        else:
            self.lay(code, place, face_up)

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
                face_up = code != "?" and change.piece.face_up
                self.lay(BACK if code == "?" else code, change.target, face_up, sideways=change.piece.sideways)

    def restore(self, lying: tuple[Lying, ...]) -> None:
        """Everything lies again as it lay."""
        self._lying = lying

    def straighten(self, place: str) -> None:
        """Somebody lays what lies at a place of the layout down anew, as one does when asked to."""
        here = self._places.of_card(place)
        calm = replace(self._habits, offset_mm=self._habits.offset_mm / 2, turn_deg=self._habits.turn_deg / 2)
        usual, self._habits = self._habits, calm
        for one in self._at(here):
            turn = 90.0 * round(one.turn_deg / 90.0)
            fresh = replace(self._as_laid(one.code, one.centre_mm, turn, here, one.face_up, 0.5), token=one.token)
            self._lying = tuple(fresh if other is one else other for other in self._lying)
        self._habits = usual

    def rotation_at(self, centre_mm: Point) -> float:
        """How a card that faces whoever sits nearest is turned here."""
        for region in self._regions.values():
            if (np.abs(np.array(centre_mm) - region.middle_mm) <= np.array(region.size_mm) / 2).all():
                return float(region.rotation)
        return 180.0 if centre_mm[1] < UPPER * self.layout.size_mm[1] else 0.0

    def place_at(self, code: str, centre_mm: Point) -> Place | None:
        """The place that a piece with its centre here lies in."""
        if code not in self._tiles:
            for place, region in self._regions.items():
                away = np.abs(np.array(centre_mm) - region.middle_mm)
                if (away <= np.array(region.size_mm) / 2).all():
                    return place
        mine = [(place, spot) for place, spots in self._rests.items() for spot in spots if self._fits(code, spot[2])]
        found = min(mine, key=lambda one: math.dist(one[1][0], centre_mm), default=None)
        near = found is not None and math.dist(found[1][0], centre_mm) <= NEAR_MM
        return found[0] if found is not None and near else None

    def scene(self) -> Scene:
        """The table as it lies."""
        lying = self._lying
        cards = [one for one in lying if one.code not in self._tiles and not one.token]
        tiles = [one for one in lying if one.code in self._tiles or one.token]
        deck = [heap for heap in self.layout.heaps if heap.place == "deck"]
        items = [
            *(Laid(BACK, heap.place, heap.centre_mm, heap.rotation, self.layout.card_mm) for heap in deck),
            *(Laid(one.code, f"discard {n}", one.centre_mm, one.turn_deg, self.layout.card_mm)
              for n, one in enumerate(self.heaped())),
            *(Laid(one.shown, f"card {n}", one.centre_mm, one.turn_deg, self.layout.card_mm)
              for n, one in enumerate(cards)),
            *(Laid(one.shown, f"tile{one.code.removeprefix('stone')}", one.centre_mm, one.turn_deg, self.layout.tile_mm)
              for one in tiles),
        ]  # fmt: skip
        return Scene(tuple(items), self.hands, Board() if self._regions else self.board)

    def heaped(self) -> tuple[Lying, ...]:
        """What shows of the open heap: its last few cards, each a little off, and always as it fell."""
        heaps = [heap for heap in self.layout.heaps if heap.is_open]
        fell = [
            (code, np.random.default_rng(list(code.encode())).uniform(-1, 1, 3)) for code in self.discarded[-SHOWN:]
        ]
        return tuple(
            Lying(code, (heap.centre_mm[0] + 2 * x, heap.centre_mm[1] + 2 * y), (heap.rotation + 3 * turn) % 360, None)
            for heap in heaps
            for code, (x, y, turn) in fell
        )

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
        """The cards that stay move together, as people tidy a row; in a region they lie where they lay."""
        if place in self._regions:
            return
        spots = self._rests[place]
        moved = {
            one: self._in_place(one.code, place, n, face_up=one.face_up)
            for n, one in enumerate(self._at(place))
            if math.dist(one.centre_mm, spots[min(n, len(spots) - 1)][0]) > NEAR_MM / 2
        }
        self._lying = tuple(moved.get(one, one) for one in self._lying)

    def lay(self, code: str, place: Place, face_up: bool, *, sideways: bool = False) -> None:
        """Lays it in a place as people do, where there is room."""
        self._close_up(place)
        if place in self._regions:
            lying = self._in_region(code, place, face_up, sideways)
        else:
            lying = self._in_place(code, place, len(self._at(place)), face_up=face_up)
        self._lying = (*self._lying, lying)

    def _in_place(self, code: str, place: Place, n: int, *, face_up: bool) -> Lying:
        spots = [spot for spot in self._rests[place] if self._fits(code, spot[2])]
        (x, y), turn, _ = spots[min(n, len(spots) - 1)]
        return self._as_laid(code, (x, y), turn, place, face_up, 0.6 if code in self._tiles else 1.0)

    def _in_region(self, code: str, place: Place, face_up: bool, sideways: bool) -> Lying:
        """Where there is room, beside what lies there; a token on the card that it is named after."""
        card, on, clan = code.partition("!")
        if on:
            below = next(one for one in self._at(place) if one.code == card)
            taken = {one.token for one in self._lying}
            token = next(name for n in range(1, 10) if (name := f"power-{clan}{n}") not in taken)
            lying = self._as_laid(code, below.centre_mm, below.turn_deg, place, True, 0.6)
            return replace(lying, token=token)
        rests = [centre for centre, _, _ in self._rests[place]]
        free = [at for at in rests if all(math.dist(at, one.centre_mm) > NEAR_MM for one in self._at(place))]
        at = free[0] if free else rests[len(self._at(place)) % len(rests)]
        turn = self._regions[place].rotation + (90.0 if sideways else 0.0)
        return self._as_laid(code, at, turn, place, face_up, 1.0)

    def _as_laid(self, code: str, at: Point, turn: float, place: Place, face_up: bool, share: float) -> Lying:
        """A little off, as people lay."""
        off = self._rng.uniform(-1, 1, 3) * np.array([self._habits.offset_mm, self._habits.offset_mm, 1.0]) * share
        leaning = float(off[2]) * self._habits.turn_deg
        return Lying(code, (at[0] + float(off[0]), at[1] + float(off[1])), (turn + leaning) % 360, place, face_up)

    def _fits(self, code: str, only: str | None) -> bool:
        """A tile lies in its own places, a card in those of cards."""
        return only == (code if code in self._tiles else None)


Rest = tuple[Point, float, str | None]  # centre, turn, and the one tile that it is for


def _rests(layout: Layout, places: Places) -> dict[Place, list[Rest]]:
    """Where the first, second … piece of a place rests."""
    rests: dict[Place, list[Rest]] = {}
    for fan in layout.fans:
        (x, y), (dx, dy) = fan.first_mm, fan.step_mm
        spots: list[Rest] = [((x + n * dx, y + n * dy), fan.rotation, None) for n in range(fan.capacity)]
        rests[places.of_card(fan.place)] = spots
    for region in layout.regions:
        rests[places.of_card(region.place)] = [(at, region.rotation, None) for at in side_by_side(region)]
    for spot in layout.spots:
        rests.setdefault(places.of_card(spot.place), []).append((spot.centre_mm, spot.rotation, None))
    for tile in layout.tiles:
        for name, centre in tile.spots:
            place = places.of_tile(tile.code, name)
            if place is not None:
                rests.setdefault(place, []).append((centre, 0.0, tile.code))
    return rests
