"""Reading whole photographs: every card where it lies, nothing where nothing lies, and no name for a stranger."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import cv2
import numpy as np
import pytest

from firmware.simulation.artwork import Artwork
from firmware.simulation.board import Board, random_board
from firmware.simulation.flaws import NORMAL
from firmware.simulation.photograph import Photographer
from firmware.simulation.scene import Habits, lay
from tests.vision.drawn import deck, named, photograph, read, reader
from vision.layout import schotten_totten
from vision.observation import Why, as_document
from vision.read import Reader
from vision.rectify import solve


def _board(fans: dict[str, tuple[str, ...]], spots: dict[str, str] | None = None) -> Board:
    return Board(MappingProxyType(fans), MappingProxyType(spots or {}))


@pytest.mark.parametrize("seed", [3, 4])
def test_every_card_and_tile_of_a_laid_table_is_read(seed: int) -> None:
    board = random_board(np.random.default_rng(seed), schotten_totten(), 0.7)
    observation = read(photograph(board, seed))
    lying = {place: codes for place, codes in board.fans.items() if codes}
    lying |= {place: (code,) for place, code in board.spots.items()}
    assert named(observation) == lying
    assert {code: tile.at for code, tile in observation.tiles.items()} == dict(board.tiles)


def test_an_empty_table_is_read_as_empty() -> None:
    observation = read(photograph(Board(), 11))
    assert named(observation) == {}
    assert {tile.at for tile in observation.tiles.values()} == {"border"}


def test_a_card_of_another_game_is_never_named() -> None:
    board = _board({"2A": ("foreign12",), "5B": ("g4", "foreign7"), "8A": ("foreign31", "r6")}, {"D2": "foreign44"})
    codes = {code for codes in named(read(photograph(board, 12))).values() for code in codes if code is not None}
    assert codes <= {"g4", "r6"}


def test_what_lies_unknown_is_reported_in_its_place() -> None:
    observation = read(photograph(_board({"2A": ("foreign12",)}, {"D2": "foreign44"}), 13))
    for place in ("2A", "D2"):
        assert [reading.code for reading in observation.cards[place]] == [None]


def test_a_card_face_down_is_said_to_lie_face_down() -> None:
    observation = read(photograph(_board({"3B": ("back",), "4A": ("tactic-back",)}), 14))
    for place in ("3B", "4A"):
        assert [reading.why for reading in observation.cards[place]] == [Why.FACE_DOWN]


def test_a_picture_without_colours_names_no_colour() -> None:
    board = _board({"1A": ("r1", "y5", "b9"), "3B": ("o2", "p6"), "7A": ("g4",)}, {"5M1": "mud"})
    grey = cv2.cvtColor(photograph(board, 21), cv2.COLOR_BGR2GRAY)
    observation = read(np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8))
    for place in board.fans:
        assert {reading.why for reading in observation.cards[place]} == {Why.COLOURLESS}
    assert [reading.code for reading in observation.cards["5M1"]] == ["mud"]


def test_less_of_the_table_is_read_as_the_whole_of_it_is() -> None:
    board = random_board(np.random.default_rng(8), schotten_totten(), 0.6)
    picture = photograph(board, 8)
    rectifier = solve(picture, schotten_totten())
    whole = reader().read(picture, rectifier)
    for places in ({"4B"}, {"2A", "stone2"}, {"7A", "7B", "D3"}):
        part = reader().read(picture, rectifier, places)
        for place in places:
            tile = whole.tiles.get(place)
            assert tile is None or part.tiles[place].at == tile.at
            assert tile or [each.code for each in part.cards[place]] == [each.code for each in whole.cards[place]]


def test_a_place_is_read_alone_as_with_its_neighbours_once_these_are_known() -> None:
    board = random_board(np.random.default_rng(3), schotten_totten(), 0.7)
    board = replace(board, spots={"3M2": "mud", "8M2": "bluff"})
    picture = photograph(board, 21)
    rectifier = solve(picture, schotten_totten())
    eye = reader()
    whole = eye.read(picture, rectifier)
    for place in ("3A", "8A", "3B", "2A", "9A", "8M2"):
        part = eye.read(picture, rectifier, {place})
        assert [each.code for each in part.cards[place]] == [each.code for each in whole.cards[place]]


def test_what_lay_there_before_only_says_where_to_look() -> None:
    before = _board({"3A": ("r1", "y5"), "8A": ("b9", "g2", "p4"), "6B": ("o3",)})
    after = _board({"3A": ("r1", "y5", "o7"), "8A": ("b9", "g2"), "6B": ("o8",)})
    eye, pictures = reader(), [photograph(board, 21) for board in (before, after)]
    rectifier = solve(pictures[0], schotten_totten())
    eye.read(pictures[0], rectifier)
    for _ in range(2):  # a look that finds something else, and one that finds what the last one did
        part = eye.read(pictures[1], rectifier, set(after.fans))
        assert {place: tuple(each.code for each in cards) for place, cards in part.cards.items()} == after.fans


def test_a_card_below_the_one_of_the_next_place_is_read_on_its_own_as_well() -> None:
    board = _board({"3A": ("r1",)}, {"7M1": "mud", "8M1": "bluff"})
    picture = photograph(board, 16)
    rectifier = solve(picture, schotten_totten())
    for place, code in board.spots.items():
        part = reader().read(picture, rectifier, {place})
        assert {name: [each.code for each in cards] for name, cards in part.cards.items()} == {place: [code]}


def test_a_fan_laid_towards_the_stone_is_read_in_the_order_of_laying() -> None:
    habits = Habits(offset_mm=2.0, turn_deg=2.0, step_mm=(22.0, 26.0), towards_stone=1.0)
    board = _board({"1A": ("r1", "y5", "b9"), "7B": ("o2", "p6")})
    assert named(read(photograph(board, 15, habits=habits))) == dict(board.fans)


def test_four_cards_in_a_mud_fight_and_both_modes_are_read() -> None:
    board = _board({"5A": ("r1", "y5", "b9", "g2"), "5B": ("p3", "o8")}, {"5M1": "mud", "5M2": "bluff"})
    expected = {**board.fans, "5M1": ("mud",), "5M2": ("bluff",)}
    assert named(read(photograph(board, 16))) == expected


@pytest.mark.fault("card-upside-down")
def test_cards_upside_down_are_read_and_told() -> None:
    habits = Habits(offset_mm=2.0, turn_deg=3.0, step_mm=(22.0, 26.0), upside_down=1.0)
    observation = read(photograph(_board({"6A": ("joker1",)}), 17, habits=habits))
    (reading,) = observation.cards["6A"]
    assert (reading.code, reading.upside_down) == ("joker1", True)


def test_only_the_places_asked_for_are_read() -> None:
    picture = photograph(_board({"1A": ("r1",), "2A": ("y5",)}), 18)
    layout = schotten_totten()
    observation = reader().read(picture, solve(picture, layout), places={"2A"})
    assert dict(observation.cards).keys() == {"2A"}
    assert named(observation) == {"2A": ("y5",)}


def test_one_card_in_two_places_is_not_named_twice() -> None:
    observation = read(photograph(_board({"1A": ("r1",), "9B": ("r1",)}), 19))
    readings = [reading for place in ("1A", "9B") for reading in observation.cards[place]]
    assert sum(reading.code == "r1" for reading in readings) <= 1
    assert Why.TWICE in {reading.why for reading in readings}


def test_corners_lie_where_the_card_lies() -> None:
    habits = Habits()
    picture = photograph(_board({"4A": ("g7",)}), 20, flaws="none", habits=habits)
    rectifier = solve(picture, schotten_totten())
    (reading,) = reader().read(picture, rectifier).cards["4A"]
    middle = rectifier.to_mm(np.array(reading.corners_px)).mean(axis=0)
    fan = next(fan for fan in schotten_totten().fans if fan.place == "4A")
    assert middle == pytest.approx(fan.first_mm, abs=0.5)


def test_the_document_has_a_line_for_every_card_and_keeps_the_unread_apart() -> None:
    document = as_document(read(photograph(_board({"1A": ("r1", "back"), "2B": ("y5",)}), 21)), "f.jpg")
    assert {card["where"]: card["code"] for card in document["cards"]} == {"1A1": "r1", "2B1": "y5"}
    assert [entry["where"] for entry in document["unreadable"]] == ["1A2"]
    assert document["stones"][0]["A"] == ["r1"]


def test_a_deck_that_lacks_a_colour_does_not_lend_it_to_another() -> None:
    """The purple seven lies on the table, but only the other sevens are enrolled."""
    whole = deck()
    keep = [n for n, code in enumerate(whole.codes) if code != "p7"]
    lacking = type(whole)(
        "lacking",
        whole.card_mm,
        tuple(whole.codes[n] for n in keep),
        whole.faces_bgr[keep],
        tuple(whole.alike[n] for n in keep),
        whole.tiles_bgr,
    )
    layout = schotten_totten()
    picture = photograph(_board({"3A": ("p7",), "6B": ("y2", "g5"), "8A": ("b1", "r4", "o8")}), 22)
    observation = Reader(lacking, layout).read(picture, solve(picture, layout))
    assert [reading.code for reading in observation.cards["3A"]] == [None]


def test_a_discard_that_lies_below_its_neighbour_is_read() -> None:
    layout, rng = schotten_totten(), np.random.default_rng(21)
    scene = lay(layout, _board({}, {"D1": "traitor", "D2": "recruiter"}), Habits(), rng)
    over = [
        replace(item, centre_mm=(item.centre_mm[0], item.centre_mm[1] - 14.0)) if item.name == "recruiter" else item
        for item in scene.items
    ]
    camera, light = NORMAL.camera((2304, 1296), rng), NORMAL.light(layout.size_mm, rng)
    photographer = Photographer(layout, Artwork.drawn())
    picture = photographer.photograph(replace(scene, items=tuple(over)), camera, light, rng).pixels_bgr
    assert named(read(picture)) == {"D1": ("traitor",), "D2": ("recruiter",)}
