"""The deck of 98 and the file it is read from."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.lords_of_scotland.cards import BadDeck, Clan, clan_of, default_deck, read_deck, write_deck
from engine.table import UNKNOWN, Code

SHIPPED = Path(__file__).parents[3] / "seeds" / "decks" / "lords_of_scotland.toml"


@pytest.mark.rule("LS-101")
def test_deck_has_eight_clans_of_twelve_and_two_bruce() -> None:
    deck = default_deck()
    assert len(deck) == 98
    for clan in set(Clan) - {Clan.BRUCE}:
        assert sorted(card.strength for card in deck.cards if card.clan is clan) == list(range(1, 13))
    assert [card.code for card in deck.cards if card.clan is Clan.BRUCE] == ["bruce1", "bruce2"]


@pytest.mark.rule("LS-102")
def test_every_rank_is_there_once_and_the_rulebooks_66_is_a_makgill() -> None:
    deck = default_deck()
    assert sorted(card.rank for card in deck.cards) == list(range(1, 99))
    assert deck[Code("scott1")].rank == 1
    assert deck[Code("makgill9")].rank == 66
    assert [deck[Code(code)].rank for code in ("cochrane12", "bruce1", "bruce2")] == [96, 97, 98]


@pytest.mark.rule("LS-103")
def test_bruce_is_put_aside_unless_agreed_on() -> None:
    assert len(default_deck().in_play(bruce=False)) == 96
    assert len(default_deck().in_play(bruce=True)) == 98


def test_shipped_deck_file_is_the_default_deck() -> None:
    assert read_deck(SHIPPED.read_text(encoding="utf-8")) == default_deck()


def test_a_deck_written_is_the_deck_read_back() -> None:
    assert read_deck(write_deck(default_deck())) == default_deck()


def test_bruce_strength_is_a_value_of_the_deck_file() -> None:
    text = write_deck(default_deck()).replace(
        'clan = "bruce", strength = 12, rank = 97', 'clan = "bruce", strength = 4, rank = 97'
    )
    assert read_deck(text)[Code("bruce1")].strength == 4


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda text: "cards = [", "not TOML"),
        (lambda text: "deck = 3", "no list `cards`"),
        (lambda text: text.replace("rank = 5 ", "rank = 6 "), "two cards have the rank 6"),
        (lambda text: text.replace('clan = "scott", strength = 7', 'clan = "stuart", strength = 7'), "clan 'stuart'"),
        (lambda text: text.replace("strength = 7, rank = 49", "strength = 13, rank = 49"), "strength 13"),
        (lambda text: text.replace('code = "scott7"', 'code = "scott8"'), "expected code scott7"),
        (lambda text: "\n".join(line for line in text.splitlines() if '"scott7"' not in line), "lacks 1 of 98"),
        (lambda text: text.replace("rank = 49", "rank = 0"), "rank 0"),
        (lambda text: text.replace("cards = [", "cards = [ 3,"), "3 is no card"),
    ],
)
def test_a_bad_deck_file_is_refused_in_a_sentence(spoil: object, says: str) -> None:
    assert callable(spoil)
    with pytest.raises(BadDeck, match=says):
        read_deck(spoil(write_deck(default_deck())))


def test_a_code_tells_its_clan() -> None:
    assert clan_of(Code("macdonnell11")) is Clan.MACDONNELL
    assert clan_of(Code("bruce2")) is Clan.BRUCE
    assert clan_of(UNKNOWN) is None
    assert clan_of(Code("scott")) is None
    assert clan_of(Code("initiative")) is None
