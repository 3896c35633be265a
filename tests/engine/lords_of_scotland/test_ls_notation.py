"""Records: lines that a person writes, read and written back; and the lines that cannot be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.lords_of_scotland.game import LordsOfScotland, game_for
from engine.lords_of_scotland.options import Rules, parse_rules
from engine.rules import BadRecord
from tests.engine.lords_of_scotland.play import DECK, fact, random_game

LINES = [
    "A turn 1 scott7",
    "A recruit 3 makgill5",
    "B recruit 4 ?",
    "A scott7",
    "C ?",
    "D pass",
    "E end",
    "A cockburn3 takes scott9",
    "A fergusson2 swaps scott9@armyB",
    "A fergusson2 swaps ?@armyB",
    "A fergusson2 swaps scott2!cochrane@armyB",
    "A forsyth4 draws",
    "A makgill3 again",
    "A wemyss2 discards cochrane5!@armyC",
    "A bruce1 activates",
    "A scott2 as cochrane activates",
    "A scott2 as wemyss discards ?@armyA",
    "B reveals scott7",
    "B wins scott9",
    "B straightens macdonnell4!",
    "discard scott7@armyA",
    "discard scott7@recruit3",
    "discard scott7@supporters",
    "deal ?@recruit1",
    "deal scott9@supporters",
    "deal ?@recruit1 ?@recruit2 scott9@supporters",
    "discard scott7@armyA cochrane5!@armyB scott1@supporters",
    "initiative A>B",
    "moved scott7/sideways armyA>armyA",
    "put-right ?/down armyB>off",
]


@pytest.mark.parametrize("line", LINES)
def test_a_line_written_is_the_line_read(line: str) -> None:
    assert str(fact(line)) == line
    assert str(fact(f"  {line}  ")) == line


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "column 1: expected a player"),
        ("F scott7", "column 1: expected a player"),
        ("A", "column 2: expected a blank, found the end of the line"),
        ("A scott13", "column 3: expected a card such as scott7, .* found 'scott13'"),
        ("A stuart7", "column 3: expected a card"),
        ("A scott7 flies", "column 10: expected one of takes, swaps"),
        ("A scott7 as clan", "column 13: expected the clan whose power was copied, found 'clan'"),
        ("A recruit 6 scott7", "column 11: expected the number of a recruit"),
        ("A turn 1 ?", "column 10: expected a card such as scott7 or bruce1, found"),
        ("A ? activates", "column 5: expected a power that a card face down"),
        ("A wemyss2 discards scott7", "column 26: expected @ and the army in which it lies"),
        ("A wemyss2 discards scott7@armyF", "column 31: expected the player whose ally it is"),
        ("deal scott7", "column 12: expected @ and a place"),
        ("deal ?@recruit1 nobody", "column 17: expected a card"),
        ("deal scott7@armyF", "column 13: expected recruit1 to recruit5"),
        ("discard ?!@armyA", "column 9: expected a card such as"),
        ("moved scott7 armyA", "column 19: expected > and where it went"),
        ("initiative A B", "column 13: expected > and a player"),
        ("A pass now", "column 8: expected the end of the line, found 'now'"),
    ],
)
def test_a_line_that_cannot_be_read_says_where_and_what_was_expected(line: str, says: str) -> None:
    with pytest.raises(BadRecord, match=says):
        fact(line)


def test_a_player_who_does_not_sit_at_the_table_is_refused() -> None:
    with pytest.raises(BadRecord, match=r"expected a player \(A, B\), found 'C'"):
        LordsOfScotland(2).parse("C scott7")


@given(st.text("ABE scott7?@!:>armyrecuit123/ delwnps", max_size=24))
def test_garbage_is_read_or_refused_but_never_worse(line: str) -> None:
    try:
        told = fact(line)
    except BadRecord:
        return
    assert fact(str(told)) == told


def test_every_fact_of_a_game_is_read_back_from_its_line() -> None:
    for seats in (2, 5):
        for _, step, _ in random_game(seats, 1):
            assert fact(str(step.fact)) == step.fact


@pytest.mark.rule("LS-103", "LS-108")
@pytest.mark.parametrize(
    ("head", "rules"),
    [
        ({}, Rules()),
        ({"rules": "base"}, Rules()),
        ({"rules": "seats=3 bruce initiative=C"}, Rules(3, True, SEAT := Rules(3).players[2])),
        ({"seats": "3", "bruce": "yes", "initiative": "c"}, Rules(3, True, SEAT)),
        ({"rules": "bruce=no, seats=5"}, Rules(5)),
        ({"date": "2026-11-17", "players": "Judy, Roger"}, Rules()),
    ],
)
def test_rule_options_are_read_from_a_head_and_written_back(head: dict[str, str], rules: Rules) -> None:
    assert parse_rules(head) == rules
    assert parse_rules({"rules": str(rules)}) == rules
    assert game_for(head).seats == rules.seats


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ({"seats": "6"}, "seats: expected 2, 3, 4 or 5, found '6'"),
        ({"bruce": "maybe"}, "bruce: expected yes or no, found 'maybe'"),
        ({"initiative": "F"}, "initiative: expected A, B, C, D or E, found 'F'"),
        ({"initiative": "C"}, "initiative: expected one of A, B, found 'C'"),
        ({"rules": "tactics"}, "rules: expected base, bruce"),
        ({"rules": "wind=3"}, "rules: expected base, bruce"),
    ],
)
def test_unknown_options_are_refused_with_what_was_expected(head: dict[str, str], says: str) -> None:
    with pytest.raises(BadRecord, match=says):
        parse_rules(head)


def test_a_table_seats_fewer_players_than_it_has_places_but_never_more() -> None:
    assert len(LordsOfScotland(4, DECK).opening({"rules": "bruce"}).sides) == 4
    assert len(LordsOfScotland(4).opening({"seats": "3"}).sides) == 3
    with pytest.raises(BadRecord, match="expected 4 at the most, as this table has, found 5"):
        LordsOfScotland(4).opening({"seats": "5"})
