"""A live table on which cards lie anywhere: what is done to an army is noticed, and the army is read by itself."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.table import Place
from firmware.drivers.camera_simulated import Driver
from firmware.games import refereed
from firmware.simulation.open_table import OpenTable
from hardware_config.settings import SimulatedCamera
from tests.vision.spreads import labels, reader, tokens
from vision.change import Changes, Thumbnail
from vision.rectify import Rectifier, solve

GAME = refereed("lords-of-scotland")
ARMY = Place("armyB")


class Watched:
    """A table below a simulated camera."""

    def __init__(self, seed: int = 1) -> None:
        self.camera = Driver(SimulatedCamera(size=(1600, 900)), seed=seed)
        self.table = OpenTable(GAME.layout, GAME.places, self.camera.habits, seed)
        self.camera.table = self.table  # type: ignore[assignment]
        self.changes = Changes(GAME.layout)
        self.rectifier: Rectifier = solve(self.camera.read().pixels_bgr, GAME.layout)

    def glance(self) -> Thumbnail:
        return self.changes.thumbnail(self.camera.read().pixels_bgr, self.rectifier)


@pytest.mark.parametrize("clan", ["cochrane", "macdonnell", "bruce"])
def test_a_card_that_is_turned_sideways_has_changed_its_army(clan: str) -> None:
    watched = Watched()
    for number in (1, 2):
        code = f"{clan}{number if clan == 'bruce' else 11 + number - 1}"
        watched.table.lay(code, ARMY, face_up=True)
        before = watched.glance()
        assert "armyB" not in watched.changes.between(watched.glance(), before)
        watched.table.turn(code, 90.0)
        assert "armyB" in watched.changes.between(watched.glance(), before)


def test_a_token_that_is_laid_on_a_card_has_changed_its_army() -> None:
    watched = Watched()
    watched.table.lay("scott7", ARMY, face_up=True, sideways=True)
    before = watched.glance()
    watched.table.lay("scott7!cochrane", ARMY, face_up=True)
    assert {"armyB", "power-cochrane1"} <= watched.changes.between(watched.glance(), before)


def test_a_card_that_looks_like_another_across_it_from_afar_is_still_tried_as_it_lies() -> None:
    watched = Watched()
    watched.table.put("macdonnell11", (67.5, 357.1), 1.7)
    seen = reader().read(watched.camera.read().pixels_bgr, watched.rectifier, {"armyA"})
    assert labels(seen) == {"armyA": ("macdonnell11",)}


def test_a_card_that_reaches_over_from_the_army_beside_is_no_riddle_to_an_army_read_by_itself() -> None:
    watched = Watched(seed=7)
    watched.table.put("macdonnell6", (358.0, 126.0), 270.0)
    watched.table.put("wemyss9", (637.6, 133.3), 182.5)
    reader().read(watched.camera.read().pixels_bgr, watched.rectifier)
    seen = reader().read(watched.camera.read().pixels_bgr, watched.rectifier, {"armyC"})
    assert labels(seen) == {"armyC": ("wemyss9",)}


def test_a_token_that_cannot_be_read_is_not_gone_while_only_another_army_is_read() -> None:
    watched = Watched()
    watched.table.lay("scott8", ARMY, face_up=True, sideways=True)
    watched.table.lay("scott8!macdonnell", ARMY, face_up=True)
    picture = watched.camera.read().pixels_bgr
    token = reader().read(picture, watched.rectifier).tiles["power-macdonnell1"]
    assert token.at == "armyB/scott8"
    smudged = cv2.fillConvexPoly(picture.copy(), np.round(token.corners_px).astype(np.int32), (90, 120, 100))
    seen = reader().read(np.asarray(smudged, np.uint8), watched.rectifier, {"armyE"})
    assert seen.tiles["power-macdonnell1"].at is None
    assert seen.tiles["power-macdonnell2"].at == "missing"


def test_a_token_lies_on_its_card_still_while_only_another_army_is_read() -> None:
    watched = Watched()
    watched.table.lay("scott8", ARMY, face_up=True, sideways=True)
    watched.table.lay("scott8!macdonnell", ARMY, face_up=True)
    reader().read(watched.camera.read().pixels_bgr, watched.rectifier)
    watched.table.lay("wemyss9", Place("armyE"), face_up=True)
    seen = reader().read(watched.camera.read().pixels_bgr, watched.rectifier, {"armyE"})
    assert labels(seen) == {"armyE": ("wemyss9",)}
    assert tokens(seen)["power-macdonnell1"] == "armyB/scott8"
