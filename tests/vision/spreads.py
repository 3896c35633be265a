"""The drawn deck of Lords of Scotland enrolled once for all tests, and photographs of cards that lie anywhere."""

from __future__ import annotations

from functools import cache

import numpy as np

from firmware.decks import drawn_deck
from firmware.simulation.artwork import Artwork
from firmware.simulation.flaws import PRESETS
from firmware.simulation.photograph import Photographer
from firmware.simulation.scene import Hand, Scene
from firmware.simulation.spread import Spread, lay_spread
from vision.areas import AreaReader
from vision.deck import Deck
from vision.frame import Picture
from vision.lords_of_scotland import lords_of_scotland, shown
from vision.observation import Observation
from vision.rectify import solve


@cache
def deck() -> Deck:
    return drawn_deck("lords-of-scotland", px_per_mm=3.0)


@cache
def reader() -> AreaReader:
    return AreaReader(deck(), lords_of_scotland())


@cache
def photographer() -> Photographer:
    return Photographer(lords_of_scotland(), Artwork.drawn(game="lords-of-scotland"))


def photograph(spread: Spread, seed: int, flaws: str = "normal", hands: tuple[Hand, ...] = ()) -> Picture:
    """A photograph of a spread with all the flaws of a preset, and hands over it if any."""
    print(f"seed {seed}")
    rng = np.random.default_rng(seed)
    preset, layout = PRESETS[flaws], lords_of_scotland()
    laid = lay_spread(layout, spread, preset.habits, rng)
    scene = Scene(laid.items, hands or laid.hands, labels=laid.labels, tokens=laid.tokens)
    camera, light = preset.camera((2304, 1296), rng), preset.light(layout.size_mm, rng)
    return photographer().photograph(scene, camera, light, rng).pixels_bgr


def read(picture: Picture) -> Observation:
    return reader().read(picture, solve(picture, lords_of_scotland()))


def labels(observation: Observation) -> dict[str, tuple[str, ...]]:
    """Every place that is not empty with what lies there: `code!` sideways, `?` face down, `unread` for the rest."""
    return {
        place: tuple(sorted(f"{shown(card) or 'unread'}{'!' if card.sideways else ''}" for card in cards))
        for place, cards in observation.cards.items()
        if cards
    }


def tokens(observation: Observation) -> dict[str, str | None]:
    """Where tokens lie that are on the table."""
    return {code: tile.at for code, tile in observation.tiles.items() if tile.at != "missing"}
