"""What the display and the page say of a game of Lords of Scotland between two acts."""

from __future__ import annotations

import pytest

from engine.lords_of_scotland.document import from_json
from engine.lords_of_scotland.skirmish import Army
from engine.rules import Sign
from firmware.games import refereed
from firmware.lords import strength
from firmware.signals import Lamp, lamp
from firmware.web.look import look_of

GAME = refereed("lords-of-scotland")


def called(player: str | None) -> str:
    return {"A": "Ann", "B": "Bob"}.get(player or "", "")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((), ("Ann TO PLAY", "turn a recruit first")),
        (("A turn 4 scott2",), ("Ann TO PLAY", "Turn 4 (1)")),
        (("A turn 4 scott2", "A wemyss9"), ("Bob TO PLAY", "Turn 4 (1)")),
        (("A turn 4 scott2", "A wemyss3"), ("Ann: POWER?", "may still be used")),
        (("A turn 4 scott2", "A recruit 5 ?"), ("Ann TO PLAY", "replace recruit 5")),
    ],
)
def test_the_display_says_what_the_table_waits_for(lines: tuple[str, ...], said: tuple[str, str]) -> None:
    told = {"stage": "fighting", "turn_number": 3, "recruits": ["forsyth1", "forsyth2", "forsyth3", "?", "?"]}
    position = from_json(GAME.game.opening({}).deck, told | {"armies": {"A": [], "B": ["makgill5"]}})
    for line in lines:
        position = GAME.game.after(position, GAME.game.parse(line))
    summary = GAME.game.summary(position)
    words = GAME.standing(position, summary, called, "en")
    assert (words.headline, words.detail) == said


def test_whoever_won_the_skirmish_is_told_to_lead_the_next_one() -> None:
    told = {"armies": {"A": ["scott4"], "B": ["wemyss9"]}, "supporters": ["forsyth1", "forsyth2"], "initiative": "A"}
    position = from_json(GAME.game.opening({}).deck, told)
    for line in ("B wins forsyth2", "A wins forsyth1"):
        position = GAME.game.after(position, GAME.game.parse(line))
    words = GAME.standing(position, GAME.game.summary(position), called, "en")
    assert (words.headline, words.detail) == ("SKIRMISH 2", "set out, Bob leads")


@pytest.mark.parametrize(
    ("armies", "stage", "signs"),
    [
        ({"A": ["scott4"], "B": ["wemyss9"], "C": []}, "fighting", (Sign.DARK, Sign.HELD, Sign.DARK)),
        ({"A": ["scott9"], "B": ["wemyss9"], "C": ["scott4"]}, "fighting", (Sign.TIE, Sign.TIE, Sign.DARK)),
        ({"A": ["scott9"], "B": ["wemyss4"], "C": ["scott12"]}, "sharing", (Sign.DARK, Sign.DARK, Sign.OFFERED)),
    ],
)
def test_the_lamps_stand_for_the_players_in_the_order_of_their_seats(
    armies: dict[str, list[str]], stage: str, signs: tuple[Sign, ...]
) -> None:
    told = {"stage": stage, "armies": armies, "supporters": ["forsyth1", "forsyth2", "forsyth3"]}
    position = from_json(GAME.game.opening({"rules": "seats=3"}).deck, told)
    lamps = [lamp(mark, GAME.game.players) for mark in GAME.game.summary(position).marks]
    assert lamps == [Lamp(sign) for sign in signs]


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_whose_allies_are_to_be_turned_up_is_told_by_name(language: str) -> None:
    position = from_json(GAME.game.opening({}).deck, {"armies": {"A": ["?"], "B": ["wemyss9", "?"]}})
    words = GAME.standing(position, GAME.game.summary(position), called, language)
    assert words.detail == "Ann, Bob"
    assert "Ann, Bob" in words.sentence


def test_who_takes_a_supporter_is_a_guess_during_the_fight_and_unknown_below_cards_face_down() -> None:
    notes = look_of("lords-of-scotland").notes
    told = {"armies": {"A": ["scott9"], "B": ["?"]}, "supporters": ["wemyss3", "wemyss4"]}
    cards = GAME.game.opening({}).deck
    assert notes(from_json(cards, told | {"stage": "fighting"}), called, "en")[2:] == [
        "As it stands, Ann would take a supporter first"
    ]
    assert notes(from_json(cards, told), called, "en")[2:] == []
    told["armies"] = {"A": ["scott9"], "B": ["scott4"]}
    assert notes(from_json(cards, told), called, "en")[2:] == ["Ann takes a supporter next"]


def test_armies_are_told_in_figures() -> None:
    player = GAME.game.players[0]
    assert strength(Army(player, 11, True, 66, 0)) == "2×11=22"
    assert strength(Army(player, 7, False, 66, 2)) == "7+??"


def test_the_running_strength_of_every_army_fits_a_line() -> None:
    told = {"armies": {"A": ["scott9", "scott8"], "B": ["wemyss1"], "C": ["?"], "D": [], "E": ["makgill12"]}}
    position = from_json(GAME.game.opening({"rules": "seats=5"}).deck, told | {"stage": "fighting"})
    assert GAME.brief(position) == "A34 B1 C0+ D0 E12"
