"""A virtual table that is played on: cards come, go and move one by one and stay where they were put.

Speaks of places as the engine does, and shows itself as a scene that the simulated camera photographs. Knows how
people lay cards; knows no rule, so that anything can be done to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from engine.table import Change
from firmware.simulation.board import Board
from firmware.simulation.scene import Habits, Hand, Laid, Scene
from vision.layout import Fan, Layout, Point, Tile


@dataclass
class StationTable:
    """What lies on the table now. The same seed lays the same card in the same place alike."""

    layout: Layout
    habits: Habits = field(default_factory=Habits)
    seed: int = 0
    hands: tuple[Hand, ...] = ()

    def __post_init__(self) -> None:
        self._fans = {fan.place: fan for fan in self.layout.fans}
        self._spots = {spot.place: spot for spot in self.layout.spots}
        self._tiles = {tile.code: tile for tile in self.layout.tiles}
        self._round = 0
        self.clear()

    def clear(self) -> None:
        """Everything back to the opening: no card on the table, every tile on the border."""
        self._round += 1
        self._straightened: dict[str, int] = {}
        self._fanned: dict[str, list[str]] = {place: [] for place in self._fans}
        self._spotted: dict[str, str] = {}
        self._tiled = dict.fromkeys(self._tiles, "border")
        self._items: tuple[Laid, ...] | None = None  # until something is touched

    def apply(self, changes: Iterable[Change]) -> None:
        """Takes and lays pieces as the changes say."""
        self._items = None
        for change in changes:
            code = str(change.piece.code)
            if code in self._tiles:
                self._tiled[code] = "missing" if change.target is None else _tile_spot(change.target)
                continue
            if change.origin is not None:
                self.take(code, change.origin)
            if change.target is not None:
                self.lay(code, change.target)

    def lay(self, name: str, place: str) -> None:
        """A card by its code, or `back` or `foreign…`; `?` is a card face down."""
        self._items = None
        name = "back" if name == "?" else name
        if place in self._fans:
            self._fanned[place].append(name)
            return
        free = [spot for spot in self._of(place) if spot not in self._spotted]
        if not free:
            raise ValueError(f"there is no room for {name} at {place}")
        self._spotted[free[0]] = name

    def take(self, name: str, place: str) -> None:
        """Takes a card away; the cards above it close up."""
        self._items = None
        name = "back" if name == "?" else name
        if place in self._fans:
            self._fanned[place].remove(name)
            return
        spot = next(spot for spot in self._of(place) if self._spotted.get(spot) == name)
        del self._spotted[spot]

    def straighten(self, place: str) -> None:
        """Somebody lays what lies at a place of the layout (or a tile) down anew, as one does when asked to."""
        self._items = None
        self._straightened[place] = self._straightened.get(place, 0) + 1

    @property
    def board(self) -> Board:
        fans = {place: tuple(names) for place, names in self._fanned.items() if names}
        return Board(fans, dict(self._spotted), dict(self._tiled))

    def scene(self) -> Scene:
        """The table as it lies, the lowest card first."""
        if self._items is None:
            self._items = self._lying()
        return Scene(self._items, self.hands, self.board)

    def _lying(self) -> tuple[Laid, ...]:
        spots = [
            self._laid(name, place, self._spots[place].centre_mm, self._spots[place].rotation)
            for place, name in sorted(self._spotted.items())
        ]
        fans = [laid for place, names in self._fanned.items() for laid in self._fan(self._fans[place], names)]
        tiles = [self._tile(self._tiles[code], at) for code, at in self._tiled.items() if at != "missing"]
        return (*spots, *fans, *tiles)

    def _of(self, place: str) -> list[str]:
        """The spots behind a place of the engine: `3M` has two, the discard row has its own."""
        prefix = "D" if place == "discard" else place
        return [spot for spot in self._spots if spot.startswith(prefix)]

    def _fan(self, fan: Fan, names: list[str]) -> list[Laid]:
        printed = float(np.hypot(*fan.step_mm))
        way, laid = 0.0, []
        for n, name in enumerate(names):
            if n:
                rng = self._chance(f"{fan.place} step {n} {name}")
                way += printed if self.habits.step_mm is None else float(rng.uniform(*self.habits.step_mm))
            share = way / printed
            at = (fan.first_mm[0] + fan.step_mm[0] * share, fan.first_mm[1] + fan.step_mm[1] * share)
            laid.append(self._laid(name, f"{fan.place}{n + 1}", at, fan.rotation))
        return laid

    def _laid(self, name: str, where: str, at: Point, rotation: float) -> Laid:
        habits, rng = self.habits, self._chance(f"{where} {name}")
        off = rng.uniform(-habits.offset_mm, habits.offset_mm, 2)
        turn = float(rng.uniform(-habits.turn_deg, habits.turn_deg))
        flipped = 180.0 if rng.random() < habits.upside_down else 0.0
        centre = (at[0] + float(off[0]), at[1] + float(off[1]))
        return Laid(name, where, centre, (rotation + turn + flipped) % 360, self.layout.card_mm)

    def _tile(self, tile: Tile, at: str) -> Laid:
        # People set a tile down with about half of a card's carelessness.
        calm = replace(self.habits, offset_mm=self.habits.offset_mm * 0.6, turn_deg=self.habits.turn_deg * 0.7)
        rng = self._chance(f"{tile.code} {at}")
        off = rng.uniform(-calm.offset_mm, calm.offset_mm, 2)
        turn = float(rng.uniform(-calm.turn_deg, calm.turn_deg))
        x, y = dict(tile.spots)[at]
        where = f"tile{tile.code.removeprefix('stone')}"
        return Laid(tile.code, where, (x + float(off[0]), y + float(off[1])), turn % 360, self.layout.tile_mm)

    def _chance(self, about: str) -> np.random.Generator:
        again = sum(times for place, times in self._straightened.items() if about.startswith(place))
        return np.random.default_rng([self.seed, self._round, again, *about.encode()])


def _tile_spot(place: str) -> str:
    """`3border` is the spot `border`, `3claimedA` the spot `A`."""
    return "border" if place.endswith("border") else place[-1]
