"""Cards spread over regions, where they lie anywhere: what lies there, and how people lay it.

Knows places, labels and millimetres; knows no rule, and neither camera nor light. A label says how a card lies: its
code, `code!` when it lies sideways, `?` when it lies face down.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from firmware.simulation.board import BACK, FOREIGN
from firmware.simulation.scene import Habits, Laid, Scene, reaching_hand
from vision.layout import Heap, Layout, Point, Region, Size
from vision.lords_of_scotland import DISCARD, SEATS, SUPPORTERS

DOWN, SIDEWAYS = "?", "!"


@dataclass(frozen=True, slots=True)
class Spread:
    """Labels by place, who holds the initiative, and where each power token lies (`armyA/scott7`: on that card). The
    cards of the discard lie on one another, the topmost last."""

    cards: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    holder: str = "A"
    tokens: Mapping[str, str] = field(default_factory=dict)


def random_spread(rng: np.random.Generator, layout: Layout, codes: Iterable[str], *, nameless: float = 0.0) -> Spread:
    """A table such as a skirmish may show: two to five armies of up to seven, some of it sideways or face down.

    `nameless` is the chance that a card belongs to another game.
    """
    deck = [str(code) for code in rng.permutation(list(codes))]
    seats = SEATS[: int(rng.integers(2, 6))]
    cards: dict[str, tuple[str, ...]] = {}
    for seat in seats:
        count = int(rng.choice([0, 1, 2, 3, 4, 5, 6, 7], p=[0.06, 0.12, 0.18, 0.22, 0.2, 0.14, 0.05, 0.03]))
        cards[f"army{seat}"] = tuple(_label(deck.pop(), rng, nameless, down=0.12, sideways=0.2) for _ in range(count))
    cards[SUPPORTERS] = tuple(_label(deck.pop(), rng, nameless, sideways=0.97) for _ in seats)
    turned = int(rng.integers(0, 6))
    for n, spot in enumerate(layout.spots, 1):
        if rng.random() > 0.04:
            cards[spot.place] = (_label(deck.pop(), rng, nameless) if n <= turned else DOWN,)
    cards[DISCARD] = tuple(_label(deck.pop(), rng, nameless) for _ in range(int(rng.integers(0, 4))))
    armies = [(f"army{seat}/{label.strip(SIDEWAYS)}", label) for seat in seats for label in cards[f"army{seat}"]]
    scotts = [at for at, label in armies if label.startswith("scott") and label.endswith(SIDEWAYS)]
    powers = [token.code for token in layout.tokens if token.code.startswith("power-")]
    tokens = dict(zip((str(code) for code in rng.permutation(powers)), scotts, strict=False))
    return Spread(cards, str(rng.choice(list(seats))), tokens)


def _label(code: str, rng: np.random.Generator, nameless: float, down: float = 0.0, sideways: float = 0.0) -> str:
    chance = rng.random(3)
    if chance[0] < nameless:
        return f"{FOREIGN}{int(rng.integers(1000))}"
    if chance[1] < down:
        return DOWN
    return f"{code}{SIDEWAYS}" if chance[2] < sideways else code


def lay_spread(layout: Layout, spread: Spread, habits: Habits, rng: np.random.Generator) -> Scene:
    """Lay a spread with all the carelessness of `habits`."""
    sleeved = bool(rng.random() < habits.sleeved)
    items: list[Laid] = []
    labels: dict[str, str] = {}
    for region in layout.regions:
        own = spread.cards.get(region.place, ())
        for n, (label, at) in enumerate(zip(own, _row(region, layout.card_mm, own, habits, rng), strict=True), 1):
            turn = region.rotation + (90.0 * int(rng.choice([1, 3])) if label.endswith(SIDEWAYS) else 0.0)
            items.append(_card(layout, label, f"{region.place}/{n}", at, turn, habits, sleeved, rng))
            labels[items[-1].where] = label
    for spot in layout.spots:
        for label in spread.cards.get(spot.place, ()):
            off = rng.uniform(-habits.offset_mm, habits.offset_mm, 2)
            at = (spot.centre_mm[0] + float(off[0]), spot.centre_mm[1] + float(off[1]))
            items.append(_card(layout, label, f"{spot.place}/1", at, spot.rotation, habits, sleeved, rng))
            labels[items[-1].where] = label
    for heap in layout.heaps:
        pile = spread.cards.get(heap.place, ()) if heap.is_open else (DOWN,)
        for n, label in enumerate(pile, 1):
            items.append(_heaped(layout, heap, label, f"{heap.place}/{n}", habits, sleeved, rng))
        if heap.is_open and pile:
            labels[items[-1].where] = pile[-1]
    items += _tokens(layout, spread, items, habits, rng)
    hands = (reaching_hand(layout, rng),) if rng.random() < habits.hand else ()
    tokens = {tile.code: spread.holder for tile in layout.tiles} | dict(spread.tokens)
    return Scene(tuple(items), hands, labels=labels, tokens=tokens)


def _row(
    region: Region, card_mm: Size, labels: tuple[str, ...], habits: Habits, rng: np.random.Generator
) -> list[Point]:
    """Places side by side from the owner's left, in a second row when the first is full."""
    width, height = region.size_mm if region.rotation % 180 == 0 else region.size_mm[::-1]
    rows: list[list[tuple[float, float]]] = [[]]  # of each card: its middle from the row's left, and its height
    edge = 0.0
    for label in labels:
        across, along = card_mm[::-1] if label.endswith(SIDEWAYS) else card_mm
        left = edge - float(rng.uniform(*habits.overlap_mm)) if rows[-1] else 0.0
        if rows[-1] and left + across > width - 6:
            rows.append([])
            left = 0.0
        rows[-1].append((left + across / 2, along))
        edge = left + across
    points: list[Point] = []
    for n, row in enumerate(rows):
        high = max((along for _, along in row), default=0.0)
        band = height / len(rows)
        spare = max(band - high, 0.0) / 2
        y = -height / 2 + band * (n + 0.5) + float(rng.uniform(-spare, spare))
        length = row[-1][0] + card_mm[1] / 2 if row else 0.0
        start = -width / 2 + 3 + float(rng.uniform(0, max(width - 6 - length, 0.0)))
        for middle, _ in row:
            off = rng.uniform(-habits.offset_mm, habits.offset_mm, 2) * 0.5
            points.append(_turned(region, (start + middle + float(off[0]), y + float(off[1]))))
    return points


def _turned(region: Region, own: Point) -> Point:
    """A point of the region's own frame on the table."""
    turn = math.radians(region.rotation)
    x = region.middle_mm[0] + own[0] * math.cos(turn) - own[1] * math.sin(turn)
    return x, region.middle_mm[1] + own[0] * math.sin(turn) + own[1] * math.cos(turn)


def _card(
    layout: Layout,
    label: str,
    where: str,
    centre: Point,
    rotation: float,
    habits: Habits,
    sleeved: bool,
    rng: np.random.Generator,
) -> Laid:
    name = BACK if label == DOWN else label.rstrip(SIDEWAYS)
    flipped = 180.0 if rng.random() < habits.upside_down else 0.0
    turn = rotation + flipped + float(rng.uniform(-habits.turn_deg, habits.turn_deg))
    sheen = (float(rng.normal(0, 0.02)), float(rng.normal(0, 0.03))) if habits.offset_mm else (0.0, 0.0)
    return Laid(name, where, centre, turn % 360, layout.card_mm, sleeved, sheen)


def _heaped(
    layout: Layout, heap: Heap, label: str, where: str, habits: Habits, sleeved: bool, rng: np.random.Generator
) -> Laid:
    """A card on a heap, as far off the others as people let it lie."""
    off = rng.uniform(-habits.offset_mm, habits.offset_mm, 2) * 0.5
    at = (heap.centre_mm[0] + float(off[0]), heap.centre_mm[1] + float(off[1]))
    return _card(layout, label, where, at, heap.rotation, habits, sleeved, rng)


def _tokens(layout: Layout, spread: Spread, cards: list[Laid], habits: Habits, rng: np.random.Generator) -> list[Laid]:
    """The initiative at its holder's, power tokens on their cards."""
    at = {tile.code: dict(tile.spots)[spread.holder] for tile in layout.tiles}
    for token, on in spread.tokens.items():
        at[token] = next(item.centre_mm for item in cards if item.name == on.partition("/")[2])
    laid = []
    for code, (x, y) in at.items():
        off = rng.uniform(-habits.offset_mm, habits.offset_mm, 2) * 0.6
        turn = float(rng.uniform(-1, 1)) * (180.0 if code in spread.tokens else habits.turn_deg)
        laid.append(Laid(code, f"tile {code}", (x + float(off[0]), y + float(off[1])), turn % 360, layout.tile_mm))
    return laid
