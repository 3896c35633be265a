"""Telling one drawing from another: what sets them apart must outweigh what neither of them explains."""

from __future__ import annotations

import numpy as np
import pytest

from vision.identify import structure
from vision.match import Floats
from vision.peel import AHEAD


def shapes(rng: np.random.Generator, how_strong: float) -> Floats:
    """Print in a few broad shapes, as on a strip of a card."""
    return np.repeat(rng.normal(0.0, how_strong, 12), 40).astype(np.float32)


def margin(patch: Floats, faces: Floats) -> tuple[int, float]:
    """The likest face, and how far it is ahead."""
    alike, shares = structure(patch, faces)
    best = int(alike.argmax())
    shares[best] = np.inf
    return best, 2 * float(shares.min()) - 1


def test_print_of_neither_card_hardly_ever_tells_two_that_are_nearly_alike() -> None:
    named = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        frame = shapes(rng, 1.0)
        faces = np.stack([frame + shapes(rng, 0.08) for _ in range(3)])
        named += margin(frame + shapes(rng, 0.5), faces)[1] > AHEAD
    assert named < 20, "three in four, if only what sets them apart is looked at"


@pytest.mark.parametrize("seed", range(20))
def test_cards_that_are_nearly_alike_are_told_apart_where_nothing_is_unexplained(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = shapes(rng, 1.0)
    faces = np.stack([frame + shapes(rng, 0.15) for _ in range(3)])
    dim = (0.6 * faces[1] + rng.normal(0.0, 0.02, faces.shape[1])).astype(np.float32)
    best, ahead = margin(dim, faces)
    assert best == 1
    assert ahead > AHEAD
