"""Rendered photographs with their truth, one after the other, each from its own seed.

The nth photograph of a seed is always the same, whatever was rendered before it. Knows how to make cases for
`vision.evaluate`; reads nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from firmware.printing.deck import deck_of
from firmware.simulation.artwork import Artwork
from firmware.simulation.board import Board, is_nameless, random_board
from firmware.simulation.flaws import PRESETS, with_another_print
from firmware.simulation.photograph import Photo, Photographer
from firmware.simulation.scene import Scene, lay
from firmware.simulation.spread import lay_spread, random_spread
from vision.evaluate import Truth, group
from vision.layout import Fan, Layout, schotten_totten
from vision.lords_of_scotland import lords_of_scotland

Pixels = NDArray[np.uint8]

PRINTS = 8  # photographs between two prints: drawing or decoding a deck again costs more than a photograph
LORDS = "lords-of-scotland"
HIDDEN = 0.03  # a card is excused when a hand hides more of it than this


@dataclass(frozen=True, slots=True)
class Recipe:
    """What to render. `artwork` is a folder of scans; None is the deck of the project's own drawing."""

    flaws: str = "normal"
    size_px: tuple[int, int] = (2304, 1296)
    artwork: Path | None = None
    seed: int = 0
    fill: tuple[float, float] = (0.3, 0.95)
    nameless: float = 0.0
    another_print: bool = False
    mountings: tuple[int, ...] = ()
    game: str = "schotten-totten"


@dataclass(frozen=True, slots=True)
class Case:
    """One photograph, what it shows, and where each card lies in it."""

    name: str
    pixels_bgr: Pixels
    truth: Truth
    corners_px: dict[str, tuple[tuple[float, float], ...]]


class Album:
    """Renders the photographs of a recipe by number."""

    def __init__(self, recipe: Recipe, layout: Layout | None = None) -> None:
        self._recipe = recipe
        self._layout = layout or (lords_of_scotland() if recipe.game == LORDS else schotten_totten())
        flaws = PRESETS[recipe.flaws]
        if recipe.another_print:
            flaws = with_another_print(flaws)
        self._flaws = replace(flaws, mountings=recipe.mountings) if recipe.mountings else flaws
        self._artwork = Artwork.from_folder(recipe.artwork) if recipe.artwork else Artwork.drawn(game=recipe.game)
        self._photographer: tuple[int, Photographer] | None = None

    def case(self, number: int) -> Case:
        """The photograph of that number."""
        recipe, layout = self._recipe, self._layout
        rng = np.random.default_rng([recipe.seed, number])
        scene = self._scene(rng)
        camera = self._flaws.camera(recipe.size_px, rng)
        light = self._flaws.light(layout.size_mm, rng)
        photo = self._with(number // PRINTS).photograph(scene, camera, light, rng)
        corners = {seen.where: seen.corners_px for seen in photo.seen}
        truth = spread_truth(photo, layout) if layout.regions else truth_of(photo, layout)
        return Case(f"{recipe.flaws}-{recipe.seed}-{number:05d}.png", photo.pixels_bgr, truth, corners)

    def _scene(self, rng: np.random.Generator) -> Scene:
        recipe, layout, habits = self._recipe, self._layout, self._flaws.habits
        if layout.regions:
            spread = random_spread(rng, layout, deck_of(recipe.game).cards, nameless=recipe.nameless)
            return lay_spread(layout, spread, habits, rng)
        board = random_board(rng, layout, float(rng.uniform(*recipe.fill)), nameless=recipe.nameless)
        return lay(layout, board, habits, rng)

    def _with(self, copy: int) -> Photographer:
        if self._photographer is None or self._photographer[0] != copy:
            rng = np.random.default_rng([self._recipe.seed, copy, 1])
            artwork = self._artwork.reprinted(self._flaws.print_(rng))
            self._photographer = copy, Photographer(self._layout, artwork, table_seed=copy)
        return self._photographer[1]


def truth_of(photo: Photo, layout: Layout) -> Truth:
    """What a photograph shows, with the cards under a hand excused."""
    board = photo.scene.board
    excused = set()
    for seen in photo.seen:
        if seen.under_hand > HIDDEN or seen.visible < HIDDEN:
            excused.add(seen.name if seen.where.startswith("tile") else _named_place(board, seen.where))
    cards: dict[str, tuple[str, ...]] = {}
    for where, name in board.cards().items():
        if not is_nameless(name):
            cards[group(where)] = (*cards.get(group(where), ()), name)
    either = frozenset(fan.place for fan in layout.fans if _runs_back(photo.scene, fan))
    nameless = sum(is_nameless(name) for name in board.cards().values())
    return Truth(cards, dict(board.tiles), frozenset(excused), either, nameless)


def spread_truth(photo: Photo, layout: Layout) -> Truth:
    """What a photograph of a spread shows: labels by place in one order, tokens, with all under a hand excused."""
    labels = {where: label for where, label in photo.scene.labels.items() if not is_nameless(label)}
    hidden = {seen.where for seen in photo.seen if seen.under_hand > HIDDEN or seen.visible < HIDDEN}
    lying: dict[str, list[tuple[str, str]]] = {}
    for where, label in labels.items():
        lying.setdefault(where.partition("/")[0], []).append((label, where))
    cards = {place: tuple(label for label, _ in sorted(pairs)) for place, pairs in lying.items()}
    excused = {
        f"{place}{n}"
        for place, pairs in lying.items()
        for n, (_, where) in enumerate(sorted(pairs), 1)
        if where in hidden
    }
    reached_over = bool(photo.scene.hands)  # a token that is not seen may then be anywhere
    tiles = {token.code: photo.scene.tokens.get(token.code, "missing") for token in layout.tokens}
    excused |= {code for code, at in tiles.items() if reached_over and (at == "missing" or f"tile {code}" in hidden)}
    return Truth(cards, tiles, frozenset(excused), nameless=len(photo.scene.labels) - len(labels))


def _named_place(board: Board, where: str) -> str:
    """A card's place counted among the named cards of its group only, as a truth counts them."""
    places = [at for at, name in board.cards().items() if group(at) == group(where) and not is_nameless(name)]
    return f"{group(where)}{places.index(where) + 1}" if where in places else where


def _runs_back(scene: Scene, fan: Fan) -> bool:
    """Whether a fan was laid towards its Stone."""
    laid = [np.asarray(item.centre_mm) for item in scene.items if group(item.where) == fan.place]
    return len(laid) > 1 and float(np.dot(laid[-1] - laid[0], fan.step_mm)) < 0


def rendered(recipe: Recipe, count: int) -> Iterator[Case]:
    """The first `count` photographs, rendered in a process of their own so that reading is measured by itself."""
    context = get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_render, args=(recipe, count, there), daemon=True)
    process.start()
    there.close()
    try:
        for _ in range(count):
            yield here.recv()
    except EOFError as error:
        raise RuntimeError("the process that renders photographs ended early; its own message is above") from error
    finally:
        here.close()
        process.terminate()
        process.join()


def _render(recipe: Recipe, count: int, out: Connection) -> None:
    album = Album(recipe)
    for number in range(count):
        out.send(album.case(number))
    out.close()
