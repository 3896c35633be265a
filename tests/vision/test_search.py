"""Rough looks for cards: what uneven light may do to them, and which fans are worth a closer one."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawn import deck
from vision.layout import schotten_totten
from vision.match import Floats, Templates, correlate
from vision.pile import Found, Pile
from vision.plan import FULL, Plan
from vision.search import COARSE, _Level
from vision.zones import grid, zones_of


def tilted(slope: float) -> tuple[Templates, Floats]:
    """Every drawing of the deck in light that grows from one corner to the other."""
    faces = Templates.of(deck(), COARSE)
    light = slope * (faces.grid_mm[:, 0] / 56 + faces.grid_mm[:, 1] / 80)
    return faces, np.asarray(faces.families + light, np.float32)


@pytest.mark.parametrize("slope", [0.0, 3.0, -6.0])
def test_light_that_grows_across_a_card_hides_no_drawing(slope: float) -> None:
    faces, seen = tilted(slope)
    told = _Level.of(faces.families, faces.grid_mm).alike(seen)
    assert told.argmax(axis=1).tolist() == [*range(len(seen))]
    assert told.max(axis=1) == pytest.approx(np.ones(len(told)), abs=1e-3)


def test_a_plain_correlation_is_misled_by_such_light() -> None:
    faces, seen = tilted(-6.0)
    assert correlate(seen, None, faces.families).argmax(axis=1).tolist() != [*range(len(seen))]


def strip_of(printed_mm: float) -> bool:
    """Whether a fan goes on beside its only card, where the mat shows stripes of print so far from it."""
    zone = next(zone for zone in zones_of(schotten_totten()) if zone.name == "4A")
    width, height = (round(side * FULL) for side in schotten_totten().size_mm)
    table = np.full((height, width, 3), 180, np.uint8)
    middle = zone.table_mm(np.array([[0.0, 22.0]]))[0]
    x, top = round(middle[0] * FULL), round((middle[1] - 40) * FULL)
    table[top - round(printed_mm * FULL) : top : 6, x - 40 : x + 40] = 40
    plan = Plan.of(table)
    pose = np.array([*middle, 0.0, 1.0, 1.0])
    pile = Pile(zone, grid(zone), (56.0, 80.0), found=[Found(pose, None)])  # type: ignore[arg-type]
    plan.hide(pose[:2] + np.array([[-28.0, -40.0], [28.0, -40.0], [28.0, 40.0], [-28.0, 40.0]]))
    return pile.goes_on(plan)


def test_a_fan_goes_on_where_a_strip_of_print_shows_beside_its_last_card() -> None:
    assert strip_of(15.0)
    assert not strip_of(0.0)
