"""What the referee says, in three languages, long and short."""

from __future__ import annotations

import re

import pytest

from engine.lords_of_scotland.fouls import Breach
from engine.lords_of_scotland.game import LordsOfScotland
from engine.lords_of_scotland.legality import judge
from engine.lords_of_scotland.position import Position
from engine.lords_of_scotland.words import LANGUAGES, WIDTH, fit, next_words
from engine.table import Change, Code, Piece, Place
from engine.verdicts import Words
from tests.engine.lords_of_scotland.play import DECK, fact, fight, play, random_game, share
from tests.engine.lords_of_scotland.test_ls_fouls import CASES

GAME = LordsOfScotland(2)
LONGEST_CARD = "MacDonnell 12"


def said(position: Position, line: str, language: str) -> Words:
    told = fact(line)
    return GAME.words(position, told, judge(position, told), language)


@pytest.mark.rule("LS-301")
@pytest.mark.parametrize(
    ("language", "usable", "blocked", "idle"),
    [
        ("en", "may be used", "blocked by Scott 3", "nothing to use it on"),
        ("fr", "pouvoir possible", "bloqué par Scott 3", "pouvoir sans objet"),
        ("es", "se puede usar", "bloqueada por Scott 3", "poder sin objeto"),
    ],
)
def test_when_a_card_is_laid_it_is_said_whether_its_power_may_be_used(
    language: str, usable: str, blocked: str, idle: str
) -> None:
    assert said(fight({}), "A wemyss2", language).detail == idle
    position = fight({"B": ["scott3"]})
    assert said(position, "A wemyss2", language).detail == usable
    assert said(position, "A wemyss9", language).detail == blocked
    assert "Scott 3" in said(position, "A wemyss9", language).sentence


def test_a_blocked_power_is_said_in_the_rulebooks_french() -> None:
    position = play(fight({"B": ["scott3"]}), "A wemyss9")
    assert said(position, "A wemyss9 discards scott3@armyB", "fr").sentence == (
        "Le pouvoir de Wemyss 9 est bloqué par Scott 3, un allié face visible de force inférieure."
    )


def test_the_initiative_is_never_said_to_belong_to_somebody_and_not_to_the_same() -> None:
    position = fight({"A": ["scott3"]})
    for line in ("initiative A>B", "initiative B>A"):
        assert said(position, line, "en").sentence == "The initiative token belongs to A, not to B."


def test_an_illegal_act_names_every_rule_it_breaks() -> None:
    position = play(fight({"B": ["scott3"], "C": []}), "A recruit 1 forsyth1")
    words = said(position, "C scott4", "en")
    assert words.headline == "C: not allowed"
    assert words.detail == "it is A's turn"
    assert words.sentence == ("It is A's turn, not C's. Recruit 1 was taken and must first be replaced from the deck.")


def test_the_display_says_what_the_table_waits_for() -> None:
    assert next_words(share({"A": ["scott9"], "B": ["wemyss1"]}, ["forsyth1", "forsyth2"]), "en") == "A takes next"
    assert next_words(share({"A": ["?"], "B": ["wemyss1"]}, ["forsyth1", "forsyth2"]), "fr") == "retourner les alliés"
    assert next_words(fight({}), "es") == "turno de A"
    assert next_words(play(fight({}), "A scott4"), "en") == "B's turn"
    last = fight(
        {"A": ["scott9"]}, turn="B", turn_number=5, recruits=["forsyth1", "forsyth2", "forsyth3", "forsyth4", "?"]
    )
    assert next_words(play(last, "B scott1"), "en") == "A takes next"
    assert next_words(fight({}, turned=False), "en") == "A turns a recruit"
    assert next_words(play(fight({}), "A recruit 1 forsyth1"), "en") == "replace recruit 1"
    assert next_words(GAME.opening({}), "fr") == "mise en place"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_words(language: str) -> None:
    tongue, english = LANGUAGES[language], LANGUAGES["en"]
    for table in ("PLACES", "POWERS", "FOULS", "FACES", "ACTS", "NEXT", "STANDINGS", "REMEDIES"):
        assert set(getattr(tongue, table)) == set(getattr(english, table)), table
    assert set(tongue.FOULS) == {breach.value for breach in Breach}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_short_line_fits_the_display_whatever_the_card(language: str) -> None:
    tongue = LANGUAGES[language]
    about = dict.fromkeys(("player", "turn", "holder", "owner", "slot", "expected"), "5")
    about |= dict.fromkeys(("card", "by", "target"), LONGEST_CARD) | {
        "clan": "MacDonnell",
        "points": "99",
        "count": "98",
    }
    about |= {
        "next": max((line.format(player="A", slot=5) for line in tongue.NEXT.values()), key=len),
        "face": max(tongue.FACES.values(), key=len),
    }
    lines = [line for phrase in tongue.FOULS.values() for line in phrase[:1]]
    lines += [line for phrase in (*tongue.ACTS.values(), *tongue.REMEDIES.values()) for line in phrase[:2]]
    lines += [*tongue.NEXT.values(), tongue.FOUL, tongue.FOUL_OF_NOBODY]
    for hidden in (LONGEST_CARD, tongue.HIDDEN):
        about |= dict.fromkeys(("card", "target"), hidden)
        for line in lines:
            last = line.split("|")[-1]
            assert len(last.format(**about)) <= WIDTH, last
            assert len(fit(line, about)) <= WIDTH


def test_an_ally_turned_up_says_what_the_table_waits_for_and_not_the_strengths_that_stand_there_anyway() -> None:
    position = share({"A": ["?"], "B": ["?"]}, ["forsyth1", "forsyth2"])
    assert said(position, "A reveals scott4", "en").detail == "turn all allies"
    assert said(play(position, "A reveals scott4"), "B reveals wemyss9", "en").detail == "B takes next"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_foul_and_every_fact_of_a_game_has_words_without_a_gap(language: str) -> None:
    for _, position, line in CASES:
        words = said(position, line, language)
        assert not re.search(r"[{}]|None", words.sentence + words.headline + words.detail), words
    for before, step, _ in random_game(4, 3):
        words = GAME.words(before.position, step.fact, judge(before.position, step.fact), language)
        assert words.sentence.endswith((".", "!"))
        assert not re.search(r"[{}]|None", words.sentence + words.headline + words.detail), words


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_way_of_putting_a_piece_right_has_words(language: str) -> None:
    army, supporters = Place("armyA"), Place("supporters")
    card, sideways = Piece(DECK.codes[0]), Piece(DECK.codes[0], sideways=True)
    token = Piece(fact("initiative A>B").changes()[0].piece.code)
    for change in (
        Change(card, army, None),
        Change(card, None, army),
        Change(card, supporters, army),
        Change(card, army, army),
        Change(sideways, army, army),
        Change(token, Place("initiativeA"), Place("initiativeB")),
    ):
        words = GAME.remedy(change, language)
        assert words.sentence.endswith(".")
        assert len(words.detail) <= WIDTH
    assert GAME.remedy(Change(token, None, Place("initiativeB")), "fr").sentence == "Remettez le jeton Initiative à B."


def test_a_token_is_called_a_token_and_not_the_card_it_lies_on() -> None:
    position = fight({"A": ["scott2!cochrane"], "B": ["cochrane5"]})
    army, power = Place("armyA"), Piece(Code("scott2!cochrane"))
    assert GAME.remedy(Change(power, None, army), "en").sentence == "Lay the Cochrane power token back (in A's army)."
    loose = Change(Piece(Code("power-bruce1")), army, None)
    assert GAME.remedy(loose, "fr").sentence == "Retirez le jeton Pouvoir Bruce (dans l'armée de A)."
    for language, token, short in (
        ("en", "the initiative token", "token"),
        ("fr", "le jeton Initiative", "jeton"),
        ("es", "la ficha de Iniciativa", "ficha"),
    ):
        words = said(position, "moved initiative initiativeA>off", language)
        assert token in words.sentence
        assert short in words.detail
        assert GAME.remedy(Change(power, None, army), language).detail.endswith(short)
        assert token[3:] in said(position, "put-right initiative off>initiativeA", language).sentence
    assert "foo!bar" in said(position, "moved foo!bar armyA>off", "en").sentence


def test_a_card_face_down_is_spoken_of_in_good_french() -> None:
    position = fight({"A": ["?"]})
    assert said(position, "moved ?/down recruit4>off", "fr").sentence == (
        "Aucune règle ne permet de déplacer une carte face cachée ; remettez en place (recrue 4)."
    )
    assert (
        said(position, "put-right ?/down armyB>off", "fr").sentence == "C'est remis en ordre : une carte face cachée."
    )
