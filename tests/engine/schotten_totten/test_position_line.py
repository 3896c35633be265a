"""A position on one line, both ways."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.referee import opening
from engine.rules import BadRecord
from engine.schotten_totten.position_line import parse_position, position_line
from tests.engine.conformance import after_history
from tests.engine.schotten_totten import fact_strategies
from tests.engine.schotten_totten.telling import GAME, told

OPENING = "-:-/-:-/-:-/-:-/-:-/-:-/-:-/-:-/-:- A - 0.0 0.0 6~6.6~6 42 base"


def test_the_opening_has_a_line_that_a_person_can_read() -> None:
    assert position_line(GAME.opening({})) == OPENING


def test_a_position_with_everything_in_it() -> None:
    state = told("A g1@1\nB joker1@2\nA mud@2\nB banshee g1@1\nA strategist", "tactics expert first=A")
    assert position_line(state.position) == (
        "-:-/-:joker1+mud/-:-/-:-/-:-/-:-/-:-/-:-/-:- A?strategist banshee.g1.strategist 2.2 0.1 7~6.7~7 46 "
        "tactics,expert,first=A"
    )
    assert parse_position(position_line(state.position)) == state.position


@given(data=st.data())
def test_every_position_is_read_back_from_its_line(data: st.DataObject) -> None:
    head = data.draw(fact_strategies.heads)
    start = opening(GAME, head)
    state = after_history(start, data.draw(fact_strategies.histories(head)))
    position = state.position
    for fact in data.draw(st.lists(fact_strategies.all_facts, max_size=3)):
        position = GAME.enforce(position, fact)
    assert parse_position(position_line(position)) == position


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "column 1: expected a card such as g5 or joker1, or - for none"),
        ("-:-", "column 4: expected / and the next of nine Stones"),
        (OPENING.replace("-:-/", "g5:g5/", 1), "column 4: g5 lies twice"),
        (OPENING.replace("-:-/", "g1.g2.g3.g4.g5:-/", 1), "column 1: expected at most 4 cards on a side"),
        (OPENING.replace("-:-/", "mud:-/", 1), "column 1: expected Clan cards and elite troops"),
        (OPENING.replace("-:-/", "-:-+spy/", 1), "column 5: expected mud or bluff"),
        (OPENING.replace(" A ", " C "), "column 37: expected whose turn it is, A or B, found 'C'"),
        (OPENING.replace("6~6.6", "6.6"), "column 50: expected a hand such as 6~6"),
        (OPENING.replace(" 42 ", " many "), "column 57: expected how many cards can still be drawn"),
        (OPENING.replace("base", "chess"), "rules: expected base"),
        (OPENING + " more", "column 65: expected the end of the line"),
    ],
)
def test_a_line_that_is_no_position_says_where_and_what_was_expected(line: str, message: str) -> None:
    with pytest.raises(BadRecord) as caught:
        parse_position(line)
    assert str(caught.value).startswith(message)
