"""Cards as people lay them: a little off, a little turned, fanned by hand, one on top of the other.

Knows millimetres on the mat and the order of laying; knows neither camera nor light.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from firmware.simulation.board import Board, is_nameless
from vision.layout import Fan, Layout, Point, Size

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Habits:
    """How people lay. Lengths in millimetres, turns in degrees, the rest are chances from 0 to 1."""

    offset_mm: float = 0.0
    turn_deg: float = 0.0
    step_mm: Range | None = None  # None: the step printed on the mat
    upside_down: float = 0.0
    towards_stone: float = 0.0
    half_outside: float = 0.0
    sleeved: float = 0.0  # chance that the whole deck is in sleeves
    hand: float = 0.0  # chance that a hand is over the table
    tile_turned: float = 0.0  # chance that a claimed tile faces its new owner
    overlap_mm: Range = (-6.0, -6.0)  # of neighbours where cards lie anywhere; below 0 there is a gap


@dataclass(frozen=True, slots=True)
class Laid:
    """One card or tile on the table; `rotation_deg` clockwise as seen from above, 0 with its top up."""

    name: str
    where: str
    centre_mm: Point
    rotation_deg: float
    size_mm: Size
    sleeved: bool = False
    sheen: Point = (0.0, 0.0)  # a card is never quite flat: how its light grows along its width and height

    def corners_mm(self, margin_mm: float = 0.0) -> np.ndarray:
        """Top left, top right, bottom right and bottom left of the card's own face."""
        half_w, half_h = self.size_mm[0] / 2 + margin_mm, self.size_mm[1] / 2 + margin_mm
        angle = math.radians(self.rotation_deg)
        along = np.array([math.cos(angle), math.sin(angle)])
        down = np.array([-math.sin(angle), math.cos(angle)])
        signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        return np.array([np.asarray(self.centre_mm) + sx * half_w * along + sy * half_h * down for sx, sy in signs])


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand that reaches in: from the wrist outside the mat to the fingertips over a place."""

    wrist_mm: Point
    tip_mm: Point
    width_mm: float = 85.0
    tone: float = 0.5  # 0 pale to 1 dark
    spread: float = 0.5  # of the fingers


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that lies on the table, the lowest first, and the hands above it."""

    items: tuple[Laid, ...]
    hands: tuple[Hand, ...] = ()
    board: Board = field(default_factory=Board)
    labels: Mapping[str, str] = field(default_factory=dict)  # by `where`: what a card that lies anywhere shows
    tokens: Mapping[str, str] = field(default_factory=dict)  # by code: whose, or on which card


def lay(layout: Layout, board: Board, habits: Habits, rng: np.random.Generator) -> Scene:
    """Lay a board with all the carelessness of `habits`."""
    sleeved = bool(rng.random() < habits.sleeved)
    items: list[Laid] = []
    for spot in layout.spots:
        if spot.place in board.spots:
            off = rng.uniform(-habits.offset_mm, habits.offset_mm, 2)
            point = (spot.centre_mm[0] + float(off[0]), spot.centre_mm[1] + float(off[1]))
            name = board.spots[spot.place]
            items.append(_card(layout, name, spot.place, point, spot.rotation, habits, sleeved, rng))
    for fan in layout.fans:
        items.extend(_fan(layout, fan, board.fans.get(fan.place, ()), habits, sleeved, rng))
    items.extend(_tiles(layout, board, habits, rng))
    hands = (reaching_hand(layout, rng),) if rng.random() < habits.hand else ()
    return Scene(tuple(items), hands, board)


def _fan(
    layout: Layout, fan: Fan, names: tuple[str, ...], habits: Habits, sleeved: bool, rng: np.random.Generator
) -> Iterator[Laid]:
    """The first card is off as a whole; the next ones keep their step from it and stray only to the side."""
    printed = float(np.hypot(*fan.step_mm))
    outwards = np.asarray(fan.step_mm) / printed
    sideways = np.array([-outwards[1], outwards[0]])
    start = float(rng.uniform(-habits.offset_mm, habits.offset_mm))
    lengths = [printed if habits.step_mm is None else rng.uniform(*habits.step_mm) for _ in names[1:]]
    ways = [start + float(way) for way in (0.0, *np.cumsum(lengths))][: len(names)]
    if rng.random() < habits.towards_stone:
        ways.reverse()
    strays = bool(rng.random() < habits.half_outside)
    for n, (name, way) in enumerate(zip(names, ways, strict=True), 1):
        aside = rng.uniform(-habits.offset_mm, habits.offset_mm)
        if strays and n == len(names):
            aside = rng.choice([-1, 1]) * rng.uniform(0.25, 0.5) * layout.card_mm[0]
        centre = np.asarray(fan.first_mm) + outwards * way + sideways * aside
        point = (float(centre[0]), float(centre[1]))
        yield _card(layout, name, f"{fan.place}{n}", point, fan.rotation, habits, sleeved, rng)


def _card(
    layout: Layout,
    name: str,
    where: str,
    centre: Point,
    rotation: float,
    habits: Habits,
    sleeved: bool,
    rng: np.random.Generator,
) -> Laid:
    turn = rng.uniform(-habits.turn_deg, habits.turn_deg)
    flipped = 180.0 if rng.random() < habits.upside_down else 0.0
    return Laid(
        name=name,
        where=where,
        centre_mm=centre,
        rotation_deg=(rotation + float(turn) + flipped) % 360,
        size_mm=layout.card_mm,
        sleeved=sleeved,
        sheen=(float(rng.normal(0, 0.02)), float(rng.normal(0, 0.03))) if habits.offset_mm else (0.0, 0.0),
    )


def _tiles(layout: Layout, board: Board, habits: Habits, rng: np.random.Generator) -> Iterator[Laid]:
    for tile in layout.tiles:
        state = board.tiles.get(tile.code, "border")
        if state == "missing":
            continue
        centre = dict(tile.spots)[state]
        # A tile is smaller than its place is precious: people set it down with half a card's carelessness.
        off = rng.uniform(-habits.offset_mm, habits.offset_mm, 2) * 0.6
        turn = rng.uniform(-habits.turn_deg, habits.turn_deg) * 0.7
        faces_owner = 180.0 if state == "B" and rng.random() < habits.tile_turned else 0.0
        yield Laid(
            name=tile.code,
            where=f"tile{tile.code.removeprefix('stone')}",
            centre_mm=(centre[0] + float(off[0]), centre[1] + float(off[1])),
            rotation_deg=(float(turn) + faces_owner) % 360,
            size_mm=layout.tile_mm,
        )


def reaching_hand(layout: Layout, rng: np.random.Generator) -> Hand:
    width, height = layout.size_mm
    from_a = bool(rng.random() < 0.5)
    reach = rng.uniform(0.12, 0.62)
    x = rng.uniform(0.08, 0.92) * width
    edge_y, tip_y = (height + 160.0, height * (1 - reach)) if from_a else (-160.0, height * reach)
    return Hand(
        wrist_mm=(float(x + rng.uniform(-120, 120)), float(edge_y)),
        tip_mm=(float(x), float(tip_y)),
        width_mm=float(rng.uniform(72, 95)),
        tone=float(rng.random()),
        spread=float(rng.random()),
    )


def named(item: Laid) -> bool:
    """Whether a reader should be able to give this item's code."""
    return not item.where.startswith("tile") and not is_nameless(item.name)
