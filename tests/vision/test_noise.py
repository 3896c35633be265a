"""The sensor's noise: told from the picture alone, and not held against a card that lies in the dark."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from firmware.simulation.artwork import Artwork
from firmware.simulation.board import random_board
from firmware.simulation.flaws import NORMAL
from firmware.simulation.photograph import Photographer
from firmware.simulation.scene import lay
from tests.vision.drawn import named, read
from vision.frame import Picture
from vision.layout import schotten_totten
from vision.noise import Noise


def _grained(picture: np.ndarray[tuple[int, ...], np.dtype[np.float64]], sigma: float) -> Picture:
    grain = np.random.default_rng(5).normal(0.0, sigma, picture.shape)
    return np.asarray(np.clip(picture + grain, 0, 255).round(), np.uint8)


def _paper(tone: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.full((600, 800, 3), tone)


@pytest.mark.parametrize(("tone", "sigma"), [(120.0, 6.0), (60.0, 6.0), (180.0, 2.0)])
def test_noise_is_told_beside_its_tone(tone: float, sigma: float) -> None:
    told = Noise.of(_grained(_paper(tone), sigma)).at(tone)
    assert 0.4 * sigma / tone < told < sigma / tone  # ink is told by three channels


def test_a_shadow_has_more_noise_beside_its_tone_than_the_light_around_it() -> None:
    picture = _paper(150.0)
    picture[:, 400:] = 75.0
    noise = Noise.of(_grained(picture, 5.0))
    assert noise.at(75.0) > 1.5 * noise.at(150.0)


def test_dense_print_is_no_noise() -> None:
    picture = _paper(200.0)
    rng = np.random.default_rng(3)
    picture[:300] = cv2.resize(rng.uniform(20, 120, (100, 267, 3)), (800, 300), interpolation=cv2.INTER_LINEAR)
    noise = Noise.of(_grained(picture, 1.0))
    assert noise.at(200.0) < 0.01
    assert noise.at(90.0) < 0.06  # of print that varies by a quarter of its tone


def test_what_is_clipped_or_too_small_tells_nothing() -> None:
    assert Noise.of(np.full((400, 400, 3), 255, np.uint8)).at(255.0) == 0.0
    assert Noise.of(np.full((4, 400, 3), 90, np.uint8)).at(90.0) == 0.0


def test_cards_in_the_dark_are_read_through_the_noise() -> None:
    """A sensor turned up as far as it goes, in a sixth of the light that it needs."""
    layout, rng = schotten_totten(), np.random.default_rng(17)
    dark = replace(NORMAL, exposure=(0.15, 0.15), shot_noise=(0.08, 0.08), read_noise=(0.06, 0.06), mountings=(90,))
    dark = replace(dark, glare=0.0, shadow=0.0)
    board = random_board(rng, layout, 0.6)
    scene = lay(layout, board, dark.habits, rng)
    camera, light = dark.camera((2304, 1296), rng), dark.light(layout.size_mm, rng)
    observation = read(Photographer(layout, Artwork.drawn()).photograph(scene, camera, light, rng).pixels_bgr)
    lying = {place: codes for place, codes in board.fans.items() if codes}
    lying |= {place: (code,) for place, code in board.spots.items()}
    told = named(observation)
    right = sum(code in told.get(place, ()) for place, codes in lying.items() for code in codes)
    named_at_all = sum(code is not None for codes in told.values() for code in codes)
    assert named_at_all == right
    assert right >= 0.9 * sum(map(len, lying.values()))
