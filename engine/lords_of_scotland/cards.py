"""The nine clans, the 98 cards and the deck they make up, read from the text of a deck file.

Knows what is printed on a card: clan, strength, rank. Knows nothing of where a card lies, and opens no file: whoever
has the text of a deck file hands it over.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property

from engine.table import UNKNOWN, Code

STRENGTHS = range(1, 13)


class Clan(StrEnum):
    """The clans by the word in their codes, in the order of their ranks; the royal clan last."""

    SCOTT = "scott"
    MAKGILL = "makgill"
    MACDONNELL = "macdonnell"
    WEMYSS = "wemyss"
    FERGUSSON = "fergusson"
    FORSYTH = "forsyth"
    COCKBURN = "cockburn"
    COCHRANE = "cochrane"
    BRUCE = "bruce"

    @property
    def called(self) -> str:
        return "MacDonnell" if self is Clan.MACDONNELL else self.value.capitalize()


LASTING = frozenset({Clan.BRUCE, Clan.COCHRANE, Clan.MACDONNELL})  # powers that work at the end of the skirmish


class BadDeck(ValueError):
    """The text of a deck file does not describe the 98 cards: says which card, what is wrong, what was expected."""


@dataclass(frozen=True, slots=True)
class Card:
    """What is printed on a card. Codes are clan and strength (`scott7`); the two Bruce are `bruce1` and `bruce2`."""

    code: Code
    clan: Clan
    strength: int
    rank: int

    def __str__(self) -> str:
        return self.code

    @property
    def called(self) -> str:
        """The name a player would call out: clan and strength."""
        return f"{self.clan.called} {self.strength}"


@dataclass(frozen=True)
class Deck:
    """The cards of a game, in the order of their ranks."""

    cards: tuple[Card, ...]

    @cached_property
    def by_code(self) -> dict[Code, Card]:
        return {card.code: card for card in self.cards}

    def __contains__(self, code: object) -> bool:
        return code in self.by_code

    def __getitem__(self, code: Code) -> Card:
        return self.by_code[code]

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def codes(self) -> tuple[Code, ...]:
        return tuple(card.code for card in self.cards)

    def in_play(self, bruce: bool) -> tuple[Code, ...]:
        """The codes that are shuffled: the two Bruce are put aside unless they were agreed on (LS-103)."""
        return tuple(card.code for card in self.cards if bruce or card.clan is not Clan.BRUCE)


@cache
def clan_of(code: Code) -> Clan | None:
    """The clan a code speaks of; None for a card that lies face down and for what is no card."""
    word = code.rstrip("0123456789")
    return Clan(word) if code != UNKNOWN and word != code and word in set(Clan) else None


def default_deck() -> Deck:
    """The deck as ruled where the printed values are not certain: rank grows with strength, then with the clan."""
    clans = [clan for clan in Clan if clan is not Clan.BRUCE]
    cards = [
        Card(Code(f"{clan.value}{strength}"), clan, strength, len(clans) * (strength - 1) + order)
        for strength in STRENGTHS
        for order, clan in enumerate(clans, start=1)
    ]
    royals = [Card(Code(f"bruce{number}"), Clan.BRUCE, 12, len(cards) + number) for number in (1, 2)]
    return Deck((*cards, *royals))


def read_deck(text: str) -> Deck:
    """The deck in the text of a deck file (TOML, one table a card); raises BadDeck."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadDeck(f"the deck file is not TOML: {error}") from error
    entries = document.get("cards")
    if not isinstance(entries, list):
        raise BadDeck("the deck file has no list `cards`")
    deck = Deck(tuple(sorted((_card(entry) for entry in entries), key=lambda card: card.rank)))
    _require_each_once(deck)
    return deck


def write_deck(deck: Deck) -> str:
    """The text of a deck file for this deck."""
    lines = [
        f'  {{ code = "{card.code}", clan = "{card.clan.value}", strength = {card.strength}, rank = {card.rank} }},'
        for card in deck.cards
    ]
    return "\n".join(["cards = [", *lines, "]", ""])


def _card(entry: object) -> Card:
    if not isinstance(entry, dict):
        raise BadDeck(f"{entry!r} is no card: expected code, clan, strength and rank")
    code, clan, strength, rank = (entry.get(key) for key in ("code", "clan", "strength", "rank"))
    if not isinstance(clan, str) or clan not in set(Clan):
        raise BadDeck(f"card {code!r} has the clan {clan!r}: expected one of {', '.join(Clan)}")
    if not isinstance(strength, int) or strength not in STRENGTHS:
        raise BadDeck(f"card {code!r} has the strength {strength!r}: expected 1 to 12")
    if not isinstance(rank, int) or rank < 1:
        raise BadDeck(f"card {code!r} has the rank {rank!r}: expected a number from 1 on")
    expected = ("bruce1", "bruce2") if clan == Clan.BRUCE else (f"{clan}{strength}",)
    if not isinstance(code, str) or code not in expected:
        raise BadDeck(f"card {code!r} of clan {clan} and strength {strength}: expected code {' or '.join(expected)}")
    return Card(Code(code), Clan(clan), strength, rank)


def _require_each_once(deck: Deck) -> None:
    wanted = set(default_deck().codes)
    if twice := [code for code, count in Counter(deck.codes).items() if count > 1]:
        raise BadDeck(f"the deck file has {twice[0]} more than once")
    if missing := sorted(wanted - set(deck.codes)):
        raise BadDeck(f"the deck file lacks {len(missing)} of 98 cards: {', '.join(missing[:5])}")
    if equal := [rank for rank, count in Counter(card.rank for card in deck.cards).items() if count > 1]:
        raise BadDeck(f"two cards have the rank {equal[0]}: every rank must be there once")
