"""The cards: how many there are, their codes both ways, their order."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.schotten_totten.cards import (
    ALL_CARDS,
    CLAN_CARDS,
    COMBAT_MODES,
    ELITE_TROOPS,
    RUSES,
    TACTIC_CARDS,
    Card,
    ClanCard,
    Colour,
    Player,
    Tactic,
    UnknownCard,
    is_elite,
    is_joker,
    parse_card,
)
from tests.engine.schotten_totten.strategies import cards


@pytest.mark.rule("ST-102")
def test_there_are_54_clan_cards_of_six_colours_and_nine_strengths() -> None:
    assert len(set(CLAN_CARDS)) == 54
    assert {(card.colour, card.strength) for card in CLAN_CARDS} == {
        (colour, strength) for colour in Colour for strength in range(1, 10)
    }


@pytest.mark.rule("ST-501")
def test_there_are_ten_tactic_cards_each_of_one_category() -> None:
    assert sorted(TACTIC_CARDS) == sorted((*ELITE_TROOPS, *COMBAT_MODES, *RUSES))
    assert len(set(TACTIC_CARDS)) == 10


@given(cards)
def test_a_card_is_found_again_by_its_code(card: Card) -> None:
    assert parse_card(str(card)) == card


def test_codes_are_those_of_the_interface() -> None:
    assert str(ClanCard(Colour.GREEN, 5)) == "g5"
    assert str(ClanCard(Colour.BROWN, 9)) == "o9"
    assert " ".join(TACTIC_CARDS) == "joker1 joker2 spy shield bluff mud recruiter strategist banshee traitor"


@given(st.text().filter(lambda text: text not in {str(card) for card in ALL_CARDS}))
def test_a_code_that_no_card_bears_is_named_in_the_error(code: str) -> None:
    with pytest.raises(UnknownCard, match="is no card; expected a colour"):
        parse_card(code)


def test_cards_sort_as_in_the_deck() -> None:
    shuffled = random.Random(1).sample(ALL_CARDS, len(ALL_CARDS))
    assert tuple(sorted(shuffled)) == ALL_CARDS


@pytest.mark.rule("ST-510")
def test_elite_troops_are_the_cards_that_lie_on_a_side() -> None:
    assert [card for card in TACTIC_CARDS if is_elite(card)] == list(ELITE_TROOPS)
    assert [card for card in ALL_CARDS if is_joker(card)] == [Tactic.JOKER_1, Tactic.JOKER_2]


def test_each_player_has_the_other_as_opponent() -> None:
    assert [player.opponent for player in Player] == [Player.B, Player.A]
