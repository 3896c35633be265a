"""What lies on a table, by place and code: the truth that a photograph is compared with.

Knows which card is where; knows neither millimetres nor whether the position is legal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vision.layout import FAN_CAPACITY, STONES, Layout

COLOURS = "rygbpo"
CLAN = tuple(f"{colour}{strength}" for colour in COLOURS for strength in range(1, 10))
TROOPS = ("joker1", "joker2", "spy", "shield")
MODES = ("bluff", "mud")
RUSES = ("recruiter", "strategist", "banshee", "traitor")
BACK, TACTIC_BACK, FOREIGN = "back", "tactic-back", "foreign"
NAMELESS = (BACK, TACTIC_BACK, FOREIGN)


def is_nameless(name: str) -> bool:
    """Whether a card shows no code that a reader could name: its back, or a face of another game."""
    return name in NAMELESS or name.startswith(FOREIGN)


@dataclass(frozen=True, slots=True)
class Board:
    """Cards by place. A fan holds names from the first card laid; `tiles` tells where each Stone lies:
    `border`, `A`, `B` or `missing`. Besides codes, a name may be `back`, `tactic-back` or `foreign…`."""

    fans: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    spots: Mapping[str, str] = field(default_factory=dict)
    tiles: Mapping[str, str] = field(default_factory=dict)

    def cards(self) -> dict[str, str]:
        """Every card by the place a reading gives it (`1A1`, `1M1`, `D1`)."""
        fanned = {f"{place}{n}": name for place, names in self.fans.items() for n, name in enumerate(names, 1)}
        return fanned | dict(self.spots)

    def document(self) -> dict[str, Any]:
        """The board in the words of `marchwarden read --json`: named cards only."""

        def named(names: Sequence[str]) -> list[str]:
            return [name for name in names if not is_nameless(name)]

        def lying(prefix: str) -> list[str]:
            return named([name for place, name in sorted(self.spots.items()) if place.startswith(prefix)])

        stones = [
            {
                "stone": stone,
                "A": named(self.fans.get(f"{stone}A", ())),
                "B": named(self.fans.get(f"{stone}B", ())),
                "modes": lying(f"{stone}M"),
                "tile": self.tiles.get(f"stone{stone}", "border"),
            }
            for stone in STONES
        ]
        return {"stones": stones, "discard": lying("D")}


def random_board(
    rng: np.random.Generator,
    layout: Layout,
    fill: float = 0.6,
    *,
    tactics: bool = True,
    nameless: float = 0.0,
) -> Board:
    """A board such as a game may show: sides filled to about `fill`, claimed tiles, modes and discards.

    `nameless` is the chance that a card shows its back or belongs to another game.
    """
    deck = list(CLAN) + (list(TROOPS) if tactics else [])
    cards = [str(code) for code in rng.permutation(deck)]
    muddy = int(rng.integers(1, len(STONES) + 1)) if tactics and rng.random() < 0.5 else 0
    fans: dict[str, tuple[str, ...]] = {}
    for fan in layout.fans:
        room = FAN_CAPACITY if fan.place[:-1] == str(muddy) else 3
        count = min(int(rng.binomial(room, fill)), len(cards))
        fans[fan.place] = tuple(_faced(cards.pop(), nameless, rng) for _ in range(count))
    spots: dict[str, str] = {}
    if muddy:
        spots[f"{muddy}M1"] = "mud"
    if tactics and rng.random() < 0.5:
        stone = int(rng.integers(1, len(STONES) + 1))
        spots[f"{stone}M2" if stone == muddy else f"{stone}M1"] = "bluff"
    if tactics:
        discarded = [str(code) for code in rng.permutation(RUSES)] + cards[:2]
        for n, name in enumerate(discarded[: int(rng.integers(0, len(discarded) + 1))], 1):
            spots[f"D{n}"] = _faced(name, nameless, rng)
    states = rng.choice(["border", "A", "B", "missing"], size=len(layout.tiles), p=[0.58, 0.19, 0.19, 0.04])
    tiles = {tile.code: str(state) for tile, state in zip(layout.tiles, states, strict=True)}
    return Board(fans, spots, tiles)


def _faced(code: str, nameless: float, rng: np.random.Generator) -> str:
    if rng.random() >= nameless:
        return code
    return str(rng.choice([BACK, TACTIC_BACK, f"{FOREIGN}{int(rng.integers(1000))}"]))
