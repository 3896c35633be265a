"""Only what changed is read again."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from firmware.printing import deck, mat
from firmware.simulation.artwork import Artwork
from firmware.simulation.board import Board
from firmware.simulation.camera import Camera, Pose, Sensor
from firmware.simulation.light import Light
from firmware.simulation.photograph import Photographer
from firmware.simulation.scene import Habits, Hand, Scene, lay
from vision.attend import Attention
from vision.change import Changes
from vision.frame import Picture
from vision.layout import schotten_totten
from vision.observation import Observation, Reading, TileReading, Why
from vision.rectify import Rectifier, solve

LAYOUT = schotten_totten()
CAMERA = Camera(
    Pose(size_px=(1920, 1080), tilt_deg=12, k1=-0.1, fill=0.95),
    Sensor(defocus_px=0.7, shot_noise=0.012, read_noise=0.004, jpeg_quality=82, exposure=0.8),
)
BOARD = Board({"1A": ("r1", "g2"), "3B": ("b5",), "5A": ("o9", "o8", "o7"), "8B": ("y4", "p4")}, {"D1": "banshee"}, {})
CHANGES = Changes(LAYOUT)


@cache
def _photographer() -> Photographer:
    artwork = Artwork(lambda code: deck.draw(code, 5.0) if code in deck.CODES else None)
    return Photographer(LAYOUT, artwork, mat.draw(LAYOUT, 4.0))


def _scene(board: Board = BOARD) -> Scene:
    return lay(LAYOUT, board, Habits(offset_mm=3.0, turn_deg=4.0), np.random.default_rng(8))


def _frame(scene: Scene, seed: int = 0, light: Light | None = None, camera: Camera = CAMERA) -> Picture:
    return _photographer().photograph(scene, camera, light or Light(), np.random.default_rng(seed)).pixels_bgr


@cache
def _rectifier() -> Rectifier:
    return solve(_frame(_scene()), LAYOUT)


def _changed(frame: Picture) -> frozenset[str]:
    reference = CHANGES.thumbnail(_frame(_scene()), _rectifier())
    return CHANGES.between(CHANGES.thumbnail(frame, _rectifier()), reference)


def _renamed(scene: Scene, where: str, name: str) -> Scene:
    return replace(
        scene, items=tuple(replace(item, name=name) if item.where == where else item for item in scene.items)
    )


def test_noise_is_no_change() -> None:
    assert [_changed(_frame(_scene(), seed)) for seed in (1, 2, 3)] == [frozenset()] * 3


@pytest.mark.parametrize("exposure", [0.66, 0.95])
def test_a_dimmer_or_brighter_lamp_is_no_change(exposure: float) -> None:
    camera = replace(CAMERA, sensor=replace(CAMERA.sensor, exposure=exposure))
    assert _changed(_frame(_scene(), 4, camera=camera)) == frozenset()


def test_a_slow_slope_of_light_is_no_change() -> None:
    assert _changed(_frame(_scene(), 5, Light(unevenness=0.2))) == frozenset()


@pytest.mark.parametrize(("where", "name"), [("1A2", "g3"), ("3B1", "p5"), ("5A3", "b7"), ("8B2", "p9"), ("D1", "spy")])
def test_a_card_swapped_for_another_is_a_change_of_its_place_alone(where: str, name: str) -> None:
    place = where if where.startswith("D") else where[:-1]
    assert _changed(_frame(_renamed(_scene(), where, name), 6)) == {place}


def test_a_claimed_tile_is_no_change_of_the_fans_that_it_lay_beside() -> None:
    scene = _scene()
    claimed = lay(LAYOUT, Board({}, {}, {"stone5": "A"}), Habits(), np.random.default_rng(1))
    kept = tuple(item for item in scene.items if item.name != "stone5")
    moved = tuple(item for item in claimed.items if item.name == "stone5")
    changed = _changed(_frame(replace(scene, items=kept + moved), 7))
    assert "stone5" in changed
    assert not changed & {fan.place for fan in LAYOUT.fans}


def test_a_new_card_and_a_claimed_tile_are_changes() -> None:
    scene = _scene()
    more = lay(LAYOUT, Board({"4B": ("r8",)}, {}, {"stone2": "A"}), Habits(), np.random.default_rng(1))
    kept = tuple(item for item in scene.items if item.name != "stone2")
    added = tuple(item for item in more.items if item.name in ("r8", "stone2"))
    changed = _changed(_frame(Scene(kept + added), 7))
    assert {"4B", "stone2"} <= changed
    assert not changed & {"8B", "5A", "D1", "stone9"}


def test_a_thumbnail_is_brought_up_to_date_place_by_place() -> None:
    old = CHANGES.thumbnail(_frame(_scene()), _rectifier())
    swapped = _renamed(_renamed(_scene(), "1A2", "g9"), "8B2", "p9")
    new = CHANGES.thumbnail(_frame(swapped, 9), _rectifier())
    assert CHANGES.between(new, old) == {"1A", "8B"}
    assert CHANGES.between(new, CHANGES.updated(old, new, frozenset({"1A"}))) == {"8B"}


def test_looking_at_an_unchanged_frame_costs_a_few_milliseconds() -> None:
    frame, rectifier = _frame(_scene()), _rectifier()
    reference = CHANGES.thumbnail(frame, rectifier)
    times = []
    for _ in range(9):
        start = time.perf_counter()
        CHANGES.between(CHANGES.thumbnail(frame, rectifier), reference)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.006


class _Clerk:
    """Reads from a list of what lies there, and writes down what it was asked."""

    def __init__(self) -> None:
        self.board: dict[str, tuple[str | None, ...]] = {}
        self.asked: list[frozenset[str] | None] = []

    def read(self, frame_bgr: Picture, rectifier: Rectifier, places: Collection[str] | None = None) -> Observation:
        self.asked.append(None if places is None else frozenset(places))
        names = [fan.place for fan in LAYOUT.fans] + [spot.place for spot in LAYOUT.spots]
        cards = {
            name: tuple(Reading(code, None if code else Why.HAND) for code in self.board.get(name, ()))
            for name in names
            if places is None or name in places
        }
        tiles = {tile.code: TileReading("border") for tile in LAYOUT.tiles if places is None or tile.code in places}
        return Observation(cards, tiles)


def test_attention_reads_everything_once_and_then_only_what_changed() -> None:
    clerk = _Clerk()
    attention = Attention(clerk, LAYOUT, looks=1)
    scene, swapped = _scene(), _renamed(_scene(), "3B1", "p5")
    for seed in (1, 2, 3):
        attention.read(_frame(scene, seed), _rectifier())
    assert clerk.asked == [None]
    clerk.board["3B"] = ("p5",)
    first = attention.read(_frame(swapped, 4), _rectifier())
    # It has only just changed: something may still move there.
    assert first.held == {"3B"}
    assert clerk.asked == [None]
    second = attention.read(_frame(swapped, 5), _rectifier())
    assert clerk.asked == [None, {"3B"}]
    assert (second.held, second.cards["3B"]) == (frozenset(), (Reading("p5"),))
    assert attention.read(_frame(swapped, 6), _rectifier()) == second
    assert clerk.asked == [None, {"3B"}]


def test_a_card_that_is_read_elsewhere_has_its_old_place_read_again() -> None:
    clerk = _Clerk()
    clerk.board["3B"] = ("p5",)
    attention = Attention(clerk, LAYOUT, looks=1, holds_moving=False)
    attention.read(_frame(_scene(), 1), _rectifier())
    clerk.board = {"8B": ("p5",)}
    seen = attention.read(_frame(_renamed(_scene(), "8B2", "p9"), 2), _rectifier())
    assert clerk.asked == [None, {"8B"}, {"3B"}]
    assert (seen.cards["3B"], seen.cards["8B"]) == ((), (Reading("p5"),))


def test_a_card_that_is_read_in_two_places_has_them_read_together() -> None:
    clerk = _Clerk()
    clerk.board["3B"] = ("p5",)
    attention = Attention(clerk, LAYOUT, looks=1, holds_moving=False)
    attention.read(_frame(_scene(), 1), _rectifier())
    clerk.board["8B"] = ("p5",)
    attention.read(_frame(_renamed(_scene(), "8B2", "p9"), 2), _rectifier())
    assert clerk.asked == [None, {"8B"}, {"3B"}, {"3B", "8B"}]


def test_a_place_is_looked_at_until_looks_in_a_row_agree() -> None:
    clerk = _Clerk()
    attention = Attention(clerk, LAYOUT, looks=3)
    for seed in range(5):
        clerk.board["1A"] = ("r1",) if seed == 0 else ("r7",)
        attention.read(_frame(_scene(), seed), _rectifier())
    everything = frozenset((*attention.read(_frame(_scene(), 9), _rectifier()).cards, *(t.code for t in LAYOUT.tiles)))
    assert clerk.asked == [None, everything, everything, {"1A"}]


def test_what_a_hand_covers_is_held_and_the_rest_goes_on() -> None:
    clerk = _Clerk()
    attention = Attention(clerk, LAYOUT, looks=1)
    attention.read(_frame(_scene(), 1), _rectifier())
    reaching = replace(_scene(), hands=(Hand((340.0, 670.0), (340.0, 400.0)),))
    attention.read(_frame(reaching, 2), _rectifier())
    clerk.board["5A"] = (None,)
    resting = attention.read(_frame(reaching, 3), _rectifier())
    assert "5A" in resting.held
    assert not resting.held & {"1A", "3B", "8B"}
    del clerk.board["5A"]
    attention.read(_frame(_scene(), 4), _rectifier())
    assert attention.read(_frame(_scene(), 5), _rectifier()).held == frozenset()


def test_a_bump_makes_it_read_everything_again() -> None:
    clerk = _Clerk()
    attention = Attention(clerk, LAYOUT, looks=1)
    attention.read(_frame(_scene(), 1), _rectifier())
    attention.read(_frame(_scene(), 2), solve(_frame(_scene(), 2), LAYOUT))
    assert clerk.asked == [None, None]


def test_the_noise_of_blue_on_a_yellow_card_in_warm_light_is_no_change() -> None:
    scene = _scene(Board({"2A": ("y2",), "5B": ("y9", "y5"), "7A": ("y7",)}, {"D3": "y4"}, {}))
    dim = replace(CAMERA, sensor=replace(CAMERA.sensor, exposure=0.6, shot_noise=0.016, mosaic=True))
    warm = Light(kelvin=2700.0, white_balance=0.6)
    looks = [CHANGES.thumbnail(_frame(scene, seed, warm, dim), _rectifier()) for seed in range(1, 9)]
    for before, now in pairwise(looks):
        assert CHANGES.between(now, before) == frozenset()
