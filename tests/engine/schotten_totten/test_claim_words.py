"""The words for a claim: in three languages, short enough for a display, complete on a page."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.schotten_totten.cards import Card, Player, parse_card
from engine.schotten_totten.claim_words import claim_words
from engine.schotten_totten.claims import Finding, Why, judge_all
from engine.schotten_totten.document import from_json
from engine.schotten_totten.formations import Formation, Kind
from engine.schotten_totten.stones import Stone
from engine.schotten_totten.vocabulary import LANGUAGES
from tests.engine.schotten_totten.strategies import contested_positions

DISPLAY_COLUMNS, DETAIL_LINES = 21, 3  # a font of 6×8 dots on 128×64


def side(codes: str) -> tuple[Card, ...]:
    return tuple(parse_card(code) for code in codes.split())


def sentences(stone: Stone, discard: str = "") -> list[str]:
    finding = judge_all([stone], side(discard))[0][0]
    return [claim_words(3, finding, language).sentence for language in LANGUAGES]


def test_a_stronger_formation_is_named_in_the_rulebooks_terms() -> None:
    assert sentences(Stone(side("g5 r5 b5"), side("g7 p4 b3"))) == [
        "A may claim Stone 3: Three of a Kind 15 beats Sum 14.",
        "A peut revendiquer la Borne 3 : Brelan 15 bat Somme 14.",
        "A puede reclamar la Piedra 3: Pierna 15 supera a Suma 14.",
    ]


def test_a_refusal_names_the_cards_that_would_beat_the_claim() -> None:
    assert sentences(Stone(side("r5 y5 b5"), side("g7"))) == [
        "Not yet: on Stone 3, green 8 and green 9 would give B Color-Run 24, which beats Three of a Kind 15.",
        "Pas encore : sur la Borne 3, avec 8 vert et 9 vert, B aurait Suite couleur 24, qui bat Brelan 15.",
        "Aún no: en la Piedra 3, con 8 verde y 9 verde, B tendría Escalera de Color 24, que supera a Pierna 15.",
    ]


def test_a_proof_says_what_the_opponent_could_have_had() -> None:
    english, *_ = sentences(Stone(side("r5 y5 g5"), side("b8 b9")), discard="b7")
    assert english == (
        "A may claim Stone 3: Three of a Kind 15 can no longer be beaten, B could have Color 23 at best."
    )
    english, *_ = sentences(Stone(side("g7 g8 g9")))
    assert english == "A may claim Stone 3: B could at best level Color-Run 24, and A completed first."


def test_a_proof_against_a_side_that_can_never_be_complete_says_so() -> None:
    finding = Finding(Player.A, Why.PROOF, Formation(Kind.SUM, 4), None)
    words = claim_words(3, finding, "en")
    assert words.sentence == "A may claim Stone 3: too few cards are left for B to complete."
    assert words.detail == "B can no longer complete"


def test_the_reading_of_a_wild_card_is_announced() -> None:
    assert sentences(Stone(side("joker1 g7 g8"), side("spy r7 b7"))) == [
        "A may claim Stone 3: Color-Run 24 beats Three of a Kind 21. "
        "A's Joker stands for green 9. B's Spy stands for 7.",
        "A peut revendiquer la Borne 3 : Suite couleur 24 bat Brelan 21. Joker de A : 9 vert. Espion de B : 7.",
        "A puede reclamar la Piedra 3: Escalera de Color 24 supera a Pierna 21. Comodín de A: 9 verde. Espía de B: 7.",
    ]


def test_a_display_says_a_refusal_in_short() -> None:
    finding = judge_all([Stone(side("r5 y5 b5"), side("g7"))])[0][0]
    words = claim_words(3, finding, "en")
    assert (words.headline, words.detail) == ("Stone 3: not yet", "green 8 9 would beat you")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("why", Why)
def test_every_finding_has_words_in_every_language(why: Why, language: str) -> None:
    formation = Formation(Kind.COLOR_RUN, 24)
    finding = Finding(Player.B, why, formation, formation, side("g5 joker1"))
    words = claim_words(9, finding, language)
    assert all((words.headline, words.detail, words.sentence))
    assert "9" in words.headline
    assert "{" not in words.headline + words.detail + words.sentence


@given(contested_positions, st.sampled_from(LANGUAGES))
def test_short_words_fit_a_small_display(position: dict[str, Any], language: str) -> None:
    document = from_json(position)
    for pair in judge_all(document.stones, document.discard, document.rules.proof):
        for finding in pair:
            words = claim_words(9, finding, language)
            assert len(words.headline) <= DISPLAY_COLUMNS
            assert len(textwrap.wrap(words.detail, DISPLAY_COLUMNS)) <= DETAIL_LINES
            assert "\n" not in words.sentence
