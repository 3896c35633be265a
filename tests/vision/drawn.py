"""The project's own deck enrolled once for all tests, and photographs of it as people lay it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from firmware.printing.deck import CODES, draw
from firmware.simulation.artwork import Artwork
from firmware.simulation.board import Board
from firmware.simulation.flaws import PRESETS
from firmware.simulation.photograph import Photographer
from firmware.simulation.scene import Habits, lay
from vision.deck import Deck
from vision.enrol import Enrolment
from vision.frame import Picture
from vision.layout import schotten_totten
from vision.observation import Observation
from vision.read import Reader
from vision.rectify import solve


@cache
def deck() -> Deck:
    """The drawn deck, enrolled."""
    enrolment = Enrolment("drawn", are_whole=True)
    for code in CODES:
        assert enrolment.take(code, draw(code, 4.0)) is None
    return enrolment.deck()


@cache
def reader() -> Reader:
    """A reader of the drawn deck on the printed mat."""
    return Reader(deck(), schotten_totten())


def photograph(board: Board, seed: int, flaws: str = "normal", habits: Habits | None = None) -> Picture:
    """A photograph of a board with all the flaws of a preset."""
    print(f"seed {seed}")
    rng = np.random.default_rng(seed)
    preset, layout = PRESETS[flaws], schotten_totten()
    scene = lay(layout, board, habits or preset.habits, rng)
    camera, light = preset.camera((2304, 1296), rng), preset.light(layout.size_mm, rng)
    return Photographer(layout, Artwork.drawn()).photograph(scene, camera, light, rng).pixels_bgr


def read(picture: Picture) -> Observation:
    """What the reader makes of a photograph."""
    return reader().read(picture, solve(picture, schotten_totten()))


def named(observation: Observation) -> Mapping[str, tuple[str | None, ...]]:
    """Every place that is not empty, with its codes; None for what was not named."""
    return {
        place: tuple(reading.code for reading in readings) for place, readings in observation.cards.items() if readings
    }
