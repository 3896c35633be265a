"""Counting right, wrong and unread cards."""

from __future__ import annotations

from typing import Any

import pytest

from vision.evaluate import Mistake, Tally, Truth, compare, group, truth_of


def document(**sides: list[str]) -> dict[str, Any]:
    stones = [
        {
            "stone": stone,
            "A": sides.get(f"A{stone}", []),
            "B": sides.get(f"B{stone}", []),
            "modes": sides.get(f"M{stone}", []),
            "tile": "border",
        }
        for stone in range(1, 10)
    ]
    return {"stones": stones, "discard": sides.get("D", []), "unreadable": []}


def test_a_reading_that_says_the_truth_is_exact() -> None:
    truth = truth_of(document(A1=["g1", "r2"], M3=["mud"], D=["spy"]))
    result = compare(truth, document(A1=["g1", "r2"], M3=["mud"], D=["spy"]))
    assert (result.cards, result.right, result.wrong, result.exact, result.mistakes) == (4, 4, 0, True, ())
    assert (result.tiles, result.tiles_right) == (9, 9)


def test_another_code_in_the_place_is_wrong_and_told_beside_the_true_one() -> None:
    result = compare(truth_of(document(A1=["g1", "r2"])), document(A1=["g1", "r3"]))
    assert (result.right, result.wrong, result.exact) == (1, 1, False)
    assert result.mistakes == (Mistake("1A", "r2", "r3"),)


def test_a_card_named_in_another_place_is_wrong() -> None:
    result = compare(truth_of(document(A1=["g1"])), document(B1=["g1"]))
    assert (result.right, result.wrong) == (0, 1)


def test_an_unread_card_carries_its_reason_and_is_not_wrong() -> None:
    read = document(A1=["g1"]) | {"unreadable": [{"where": "1A2", "why": "glare"}]}
    result = compare(truth_of(document(A1=["g1", "r2"])), read)
    assert (result.right, result.wrong) == (1, 0)
    assert result.mistakes == (Mistake("1A", "r2", None, "glare"),)


def test_order_counts_except_in_a_fan_laid_towards_its_stone() -> None:
    swapped = document(A1=["r2", "g1"])
    truth = truth_of(document(A1=["g1", "r2"]))
    assert not compare(truth, swapped).exact
    assert compare(Truth(truth.cards, truth.tiles, either_order=frozenset({"1A"})), swapped).exact


def test_a_card_under_a_hand_is_excused_but_never_misnamed() -> None:
    base = truth_of(document(A1=["g1", "r2"]))
    truth = Truth(base.cards, base.tiles, excused=frozenset({"1A2"}))
    unread = compare(truth, document(A1=["g1"]))
    assert (unread.cards, unread.right, unread.wrong, unread.exact) == (1, 1, 0, True)
    guessed = compare(truth, document(A1=["g1", "r3"]))
    assert (guessed.wrong, guessed.exact) == (1, False)


def test_tiles_are_right_wrong_or_unread() -> None:
    read = document()
    read["stones"][0]["tile"] = "A"
    read["stones"][1]["tile"] = None
    result = compare(truth_of(document()), read)
    assert (result.tiles, result.tiles_right, result.tiles_unread, result.wrong) == (9, 7, 1, 0)


def test_a_tally_adds_up_and_names_confusions() -> None:
    tally = Tally()
    tally.add(compare(truth_of(document(A1=["g6"])), document(A1=["g9"])))
    tally.add(compare(truth_of(document(A1=["g6"])), document(A1=["g6"])))
    figures = tally.as_document()
    assert (figures["cards"], figures["right"], figures["wrong"], figures["accuracy"]) == (2, 1, 1, 0.5)
    assert figures["confusions"] == [{"true": "g6", "named": "g9", "times": 1}]
    assert figures["boards_exact"] == 0.5


@pytest.mark.parametrize(("where", "place"), [("3A2", "3A"), ("3M1", "3M"), ("D4", "D"), ("stone3", "stone3")])
def test_a_place_belongs_to_its_group(where: str, place: str) -> None:
    assert group(where) == place


def test_what_is_no_reading_is_refused() -> None:
    with pytest.raises(ValueError, match="stones"):
        truth_of({"discard": []})
