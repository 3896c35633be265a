"""The open table: pieces lie where they were put, are in the place that they lie in, and stay there."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.table import Change, Code, Piece, Place
from firmware.games import refereed
from firmware.simulation.open_table import OpenTable
from firmware.simulation.scene import Habits

GAME = refereed("schotten-totten")


@pytest.fixture
def table() -> OpenTable:
    return OpenTable(GAME.layout, GAME.places, Habits(offset_mm=2.0, turn_deg=3.0), seed=5)


def change(code: str, origin: str | None, target: str | None, *, face_up: bool = True) -> Change:
    return Change(Piece(Code(code), face_up), None if origin is None else Place(origin),
                  None if target is None else Place(target))  # fmt: skip


def test_it_opens_with_every_stone_on_the_border(table: OpenTable) -> None:
    assert table.board.tiles == dict.fromkeys((f"stone{n}" for n in range(1, 10)), "border")
    assert table.board.cards() == {}


def test_a_card_lies_exactly_where_it_was_put(table: OpenTable) -> None:
    table.put("g5", (210.0, 361.0), 17.0)
    laid = next(item for item in table.scene().items if item.name == "g5")
    assert (laid.centre_mm, laid.rotation_deg) == ((210.0, 361.0), 17.0)
    assert table.board.fans == {"3A": ("g5",)}


def test_a_tidy_card_goes_beside_those_that_lie_there(table: OpenTable) -> None:
    for code in ("g5", "r6", "b7"):
        table.put_tidily(code, (200.0, 370.0))
    ys = [one.centre_mm[1] for one in table.lying if one.place == "3A"]
    assert ys == sorted(ys)
    assert all(20 < below - above < 28 for above, below in pairwise(ys))


def test_a_card_between_two_places_is_in_neither(table: OpenTable) -> None:
    table.put("g5", (100.0, 100.0), 0.0)
    found = table.find("g5")
    assert found is not None
    assert found.place is None
    assert table.board.cards() == {}


def test_a_stone_belongs_to_its_own_places_only(table: OpenTable) -> None:
    table.put_tidily("stone3", (202.0, 480.0))
    assert table.board.tiles["stone3"] == "A"
    table.put_tidily("stone3", (270.0, 489.0))
    assert table.board.tiles["stone3"] == "missing"


def test_changes_take_and_lay_and_the_rest_moves_together(table: OpenTable) -> None:
    for code in ("g5", "r6", "b7"):
        table.apply([change(code, None, "3A")])
    table.apply([change("g5", "3A", "4A")])
    assert table.board.fans == {"3A": ("r6", "b7"), "4A": ("g5",)}
    first = next(one for one in table.lying if one.code == "r6")
    assert abs(first.centre_mm[1] - 356.0) < 3


def test_a_card_face_down_shows_its_back_and_can_be_taken_again(table: OpenTable) -> None:
    table.apply([change("?", None, "3A", face_up=False)])
    assert table.board.fans == {"3A": ("back",)}
    table.apply([change("?", "3A", None, face_up=False)])
    assert table.board.fans == {}
    table.put("g5", (202.0, 356.0), 0.0)
    table.turn_over("g5")
    assert table.board.fans == {"3A": ("back",)}
    table.turn_over("g5")
    assert table.board.fans == {"3A": ("g5",)}


def test_the_same_seed_lays_alike(table: OpenTable) -> None:
    other = OpenTable(GAME.layout, GAME.places, Habits(offset_mm=2.0, turn_deg=3.0), seed=5)
    for one in (table, other):
        one.put_tidily("g5", (200.0, 370.0))
    assert table.lying == other.lying
