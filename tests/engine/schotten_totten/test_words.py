"""Words: every foul and act in three languages, with lines that fit the display."""

from __future__ import annotations

import re
from types import ModuleType

import pytest

from engine.schotten_totten.cards import ALL_CARDS, Player
from engine.schotten_totten.claims import Why
from engine.schotten_totten.fouls import Breach
from engine.schotten_totten.phrases import english, french, spanish
from engine.schotten_totten.spots import SPOTS, Tile, card_piece, place_of, tile_piece, tile_place
from engine.schotten_totten.vocabulary import LANGUAGES, card_name
from engine.schotten_totten.words import WIDTH
from engine.table import Change
from tests.engine.schotten_totten.telling import GAME, told

CATALOGUES = {"en": english, "fr": french, "es": spanish}
TABLES = ("FOULS", "ACTS", "REMEDIES")


def fields(text: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", text))


@pytest.mark.parametrize("catalogue", CATALOGUES.values(), ids=CATALOGUES)
def test_every_breach_and_every_granted_claim_has_words(catalogue: ModuleType) -> None:
    assert set(catalogue.FOULS) == {breach.value for breach in Breach}
    assert {f"claim-{why.value}" for why in Why if why.allows} <= set(catalogue.ACTS)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("catalogue", [french, spanish], ids=("fr", "es"))
def test_every_language_says_all_that_english_says(catalogue: ModuleType, table: str) -> None:
    original, translation = getattr(english, table), getattr(catalogue, table)
    assert set(translation) == set(original)
    for name, phrase in translation.items():
        assert fields(phrase[2]) <= fields("".join(original[name])), name
        assert all(phrase[:2]), name
        assert bool(phrase[2]) == bool(original[name][2]), name


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_two_short_lines_fit_a_display_of_128_by_64(language: str, table: str) -> None:
    catalogue = CATALOGUES[language]
    longest = max((card_name(card, language) for card in ALL_CARDS), key=len)
    about = dict.fromkeys(("card", "come", "ruse"), longest)
    about |= dict.fromkeys(("player", "turn"), "A") | dict.fromkeys(("stone", "limit", "mine", "theirs"), "9")
    about |= {"place": catalogue.DISCARD, "origin": "3A", "target": "3A", "cards": ""}
    for name, (headline, detail, _) in getattr(catalogue, table).items():
        for line in (headline, detail):
            assert len(line.split("|")[-1].format(**about)) <= WIDTH, (name, line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_is_to_be_put_right_is_said(language: str) -> None:
    places = [None, *map(place_of, SPOTS)]
    changes = [
        Change(card_piece(card), a, b) for card in ALL_CARDS[::9] for a in places[::4] for b in places[::5] if a or b
    ]
    changes += [Change(tile_piece(3), tile_place(3, a), tile_place(3, b)) for a in Tile for b in Tile]
    for change in changes:
        words = GAME.remedy(change, language)
        assert words.sentence
        assert len(words.headline) <= WIDTH
        assert len(words.detail) <= WIDTH


@pytest.mark.parametrize(
    ("language", "headline", "sentence"),
    [
        ("en", "STONE 3 IS FULL", "A's side of Stone 3 already has its 3 cards."),
        ("fr", "BORNE 3 COMPLÈTE", "Le côté de A de la Borne 3 a déjà ses 3 cartes."),
        ("es", "PIEDRA 3 COMPLETA", "El lado de A de la Piedra 3 ya tiene sus 3 cartas."),
    ],
)
def test_a_foul_speaks_with_the_rulebooks_terms(language: str, headline: str, sentence: str) -> None:
    state = told("A g1@3\nB r1@1\nA g3@3\nB r3@1\nA g5@3\nB r5@1\nA g7@3")
    words = GAME.words(state.position, state.told[-1].fact, state.told[-1].verdict, language)
    assert (words.headline, words.sentence) == (headline, sentence)


def test_a_missing_card_is_named_where_its_name_fits() -> None:
    clan, tactic = told("A b7@4\nremoved b7@4A"), told("A bluff@4\nremoved bluff@4M", "tactics")
    headlines = [
        GAME.words(state.position, state.told[-1].fact, state.told[-1].verdict, "en").headline
        for state in (clan, tactic)
    ]
    assert headlines == ["BLUE 7 IS MISSING", "A CARD IS MISSING"]


def test_a_verdict_with_several_fouls_says_them_all() -> None:
    state = told("B joker1@1A", "first=A")
    sentence = GAME.words(state.position, state.told[-1].fact, state.told[-1].verdict, "en").sentence
    assert "not B's turn" in sentence
    assert "without Tactic cards" in sentence
    assert "opponent's side" in sentence


def test_a_refused_claim_shows_the_card_that_would_beat_it() -> None:
    state = told("A g7@3\nB b8@3\nA r7@3\nB b9@3\nA p7@3\nA claim 3")
    words = GAME.words(state.position, state.told[-1].fact, state.told[-1].verdict, "en")
    assert words.headline == "NOT PROVEN: STONE 3"
    assert words.detail == "blue 7 would beat you"
    assert "blue 7" in words.sentence


def test_the_winning_claim_says_who_has_won() -> None:
    before = told("A g7@3\nB r1@1\nA g8@3\nB r2@3\nA g9@3").position
    stones = tuple(stone if n != 1 and n != 3 else type(stone)(owner=Player.A) for n, stone in enumerate(before.stones))
    position = type(before)(before.rules, stones, before.turn, before.a, before.b, before.drawable, True)
    claim = GAME.parse("A claim 3")
    words = GAME.words(position, claim, GAME.judge(position, claim), "en")
    assert (words.headline, words.detail) == ("A HAS WON", "3 adjacent Stones")
