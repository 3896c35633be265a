"""Where the Stone tiles lie, on photographs of the virtual table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from firmware.printing import deck, mat
from firmware.simulation.artwork import Artwork
from firmware.simulation.board import Board
from firmware.simulation.camera import Camera, Pose, Sensor
from firmware.simulation.flaws import PRESETS
from firmware.simulation.light import Light
from firmware.simulation.photograph import Photographer
from firmware.simulation.scene import Habits, Hand, Laid, Scene, lay
from vision.frame import Picture
from vision.layout import schotten_totten
from vision.observation import Why
from vision.rectify import Rectifier, solve
from vision.tiles import TileReader

LAYOUT = schotten_totten()
POSE = Pose(size_px=(1920, 1080), tilt_deg=10, k1=-0.08, fill=0.95)
SENSOR = Sensor(defocus_px=0.8, shot_noise=0.01, read_noise=0.004, jpeg_quality=80)
CARELESS = Habits(offset_mm=6.0, turn_deg=9.0, step_mm=(15.0, 35.0), tile_turned=0.5)


@cache
def _pictures() -> dict[str, Picture]:
    return {code: deck.draw(code, 3.0) for code in deck.STONE_CODES}


@cache
def _photographer() -> Photographer:
    artwork = Artwork(lambda code: deck.draw(code, 5.0) if code in deck.CODES else None)
    return Photographer(LAYOUT, artwork, mat.draw(LAYOUT, 4.0))


@cache
def _reader(with_pictures: bool = True) -> TileReader:
    return TileReader(LAYOUT, _pictures() if with_pictures else {})


def _taken(scene: Scene, seed: int = 0, size_px: tuple[int, int] = POSE.size_px) -> tuple[Picture, Rectifier]:
    camera = Camera(replace(POSE, size_px=size_px), SENSOR)
    frame = _photographer().photograph(scene, camera, Light(), np.random.default_rng(seed)).pixels_bgr
    return frame, solve(frame, LAYOUT)


def _laid(tiles: Mapping[str, str], seed: int = 0, fans: Mapping[str, tuple[str, ...]] | None = None) -> Scene:
    return lay(LAYOUT, Board(fans or {}, {}, tiles), CARELESS, np.random.default_rng(seed))


MIXED = dict(
    zip(deck.STONE_CODES, ["border", "A", "B", "missing", "border", "B", "A", "border", "missing"], strict=True)
)


@pytest.mark.parametrize("with_pictures", [True, False])
def test_every_tile_is_found_where_it_lies(with_pictures: bool) -> None:
    frame, rectifier = _taken(_laid(MIXED, fans={"1A": ("r1", "r2", "r3"), "3B": ("g4", "g5")}))
    assert {code: tile.at for code, tile in _reader(with_pictures).read(frame, rectifier).items()} == MIXED


@pytest.mark.parametrize("seed", [11, 12, 13, 14])
def test_hard_flaws_never_give_a_wrong_tile(seed: int) -> None:
    rng = np.random.default_rng(seed)
    flaws = PRESETS["hard"]
    states = dict(zip(deck.STONE_CODES, map(str, rng.choice(["border", "A", "B", "missing"], 9)), strict=True))
    scene = replace(lay(LAYOUT, Board({"2A": ("r1", "r2"), "7B": ("p1",)}, {}, states), flaws.habits, rng), hands=())
    camera, light = flaws.camera((1280, 720), rng), flaws.light(LAYOUT.size_mm, rng)
    frame = _photographer().photograph(scene, camera, light, rng).pixels_bgr
    read = {code: tile.at for code, tile in _reader().read(frame, solve(frame, LAYOUT)).items()}
    assert {code: at for code, at in read.items() if at not in (None, states[code])} == {}
    assert sum(at == states[code] for code, at in read.items()) >= 8


def test_the_corners_are_the_tiles_own() -> None:
    scene = _laid(MIXED, seed=3)
    frame, rectifier = _taken(scene)
    read = _reader().read(frame, rectifier)
    for item in scene.items:
        seen, true = np.array(read[item.name].corners_px), rectifier.to_px(item.corners_mm())
        assert np.linalg.norm(seen - true, axis=1).max() < 6.0


def test_a_tile_counts_by_its_place_whatever_picture_it_bears() -> None:
    tiles = dict.fromkeys(deck.STONE_CODES, "border") | {"stone5": "A"}
    scene = _laid(tiles)
    names = {"stone3": "stone5", "stone5": "stone3"}
    swapped = Scene(tuple(replace(item, name=names.get(item.name, item.name)) for item in scene.items))
    frame, rectifier = _taken(swapped)
    assert {code: tile.at for code, tile in _reader().read(frame, rectifier).items()} == tiles


def test_a_tile_under_a_whole_card_is_unread_and_not_missing() -> None:
    scene = _laid(dict.fromkeys(deck.STONE_CODES, "border"))
    at = dict(LAYOUT.tiles[3].spots)["border"]
    lid = Laid("r5", "4M1", (at[0], at[1]), 90.0, (56.0, 80.0))
    frame, rectifier = _taken(Scene((*scene.items, lid)))
    tile = _reader().read(frame, rectifier)["stone4"]
    assert (tile.at, tile.why) == (None, Why.COVERED)


def test_a_tile_half_under_a_card_is_still_found() -> None:
    scene = _laid(dict.fromkeys(deck.STONE_CODES, "border"))
    at = dict(LAYOUT.tiles[3].spots)["border"]
    lid = Laid("r5", "4M1", (at[0], at[1] + 38.0), 90.0, (56.0, 80.0))
    frame, rectifier = _taken(Scene((*scene.items, lid)))
    assert _reader().read(frame, rectifier)["stone4"].at == "border"


def test_a_place_that_a_hand_covers_leaves_an_absent_tile_open() -> None:
    scene = _laid(dict.fromkeys(deck.STONE_CODES, "border") | {"stone4": "missing"})
    frame, rectifier = _taken(replace(scene, hands=(Hand((270.0, 670.0), (270.0, 440.0)),)))
    held = {("stone4", "A")}
    assert _reader().read(frame, rectifier, held)["stone4"].why is Why.HAND


def test_a_card_at_the_claimed_place_is_no_tile() -> None:
    tiles = dict.fromkeys(deck.STONE_CODES, "border") | {"stone2": "missing"}
    at = dict(LAYOUT.tiles[1].spots)["A"]
    card = Laid("g7", "2A1", (at[0], at[1] - 10.0), 0.0, (56.0, 80.0))
    frame, rectifier = _taken(Scene((*_laid(tiles).items, card)))
    assert _reader().read(frame, rectifier)["stone2"].at is None


def test_only_the_tiles_asked_for_are_read() -> None:
    frame, rectifier = _taken(_laid(MIXED))
    assert list(_reader().read(frame, rectifier, only={"stone2", "stone9"})) == ["stone2", "stone9"]
