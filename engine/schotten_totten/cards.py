"""The players, the 54 Clan cards and the 10 Tactic cards, each with its code both ways.

Knows what is printed on a card. Knows nothing of where a card lies or what it is worth beside others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

STONES = range(1, 10)
STRENGTHS = range(1, 10)


class Player(StrEnum):
    """A sits at the camera's lower edge, B opposite."""

    A = "A"
    B = "B"

    @property
    def opponent(self) -> Player:
        return Player.B if self is Player.A else Player.A


class Colour(StrEnum):
    """The six clans by the letter of their code."""

    RED = "r"
    YELLOW = "y"
    GREEN = "g"
    BLUE = "b"
    PURPLE = "p"
    BROWN = "o"


@dataclass(frozen=True, slots=True)
class ClanCard:
    """A member of a clan: a colour and a strength from 1 to 9."""

    colour: Colour
    strength: int

    def __str__(self) -> str:
        return f"{self.colour.value}{self.strength}"

    def __lt__(self, other: Card) -> bool:
        return deck_order(self) < deck_order(other)


class Tactic(StrEnum):
    """The ten Tactic cards by their code."""

    JOKER_1 = "joker1"
    JOKER_2 = "joker2"
    SPY = "spy"
    SHIELD_BEARER = "shield"
    BLIND_MANS_BLUFF = "bluff"
    MUD_FIGHT = "mud"
    RECRUITER = "recruiter"
    STRATEGIST = "strategist"
    BANSHEE = "banshee"
    TRAITOR = "traitor"

    def __lt__(self, other: Card) -> bool:  # type: ignore[override]  # cards sort as in the deck, not as text
        return deck_order(self) < deck_order(other)


Card = ClanCard | Tactic

JOKERS = (Tactic.JOKER_1, Tactic.JOKER_2)
ELITE_TROOPS = (*JOKERS, Tactic.SPY, Tactic.SHIELD_BEARER)
COMBAT_MODES = (Tactic.BLIND_MANS_BLUFF, Tactic.MUD_FIGHT)
RUSES = (Tactic.RECRUITER, Tactic.STRATEGIST, Tactic.BANSHEE, Tactic.TRAITOR)

CLAN_CARDS = tuple(ClanCard(colour, strength) for colour in Colour for strength in STRENGTHS)
TACTIC_CARDS = tuple(Tactic)
ALL_CARDS: tuple[Card, ...] = (*CLAN_CARDS, *TACTIC_CARDS)

_DECK_ORDER: dict[Card, int] = {card: place for place, card in enumerate(ALL_CARDS)}
_BY_CODE: dict[str, Card] = {str(card): card for card in ALL_CARDS}

# The strengths an elite troop may stand for; its colour is always free (ST-511, ST-513, ST-514).
_WILD_STRENGTHS: dict[Tactic, Sequence[int]] = {
    Tactic.JOKER_1: STRENGTHS,
    Tactic.JOKER_2: STRENGTHS,
    Tactic.SPY: (7,),
    Tactic.SHIELD_BEARER: (1, 2, 3),
}


class UnknownCard(ValueError):
    """A code that no card bears."""


def parse_card(code: str) -> Card:
    """The card that bears this code, such as `g5` or `joker1`."""
    try:
        return _BY_CODE[code]
    except KeyError:
        shown = code if len(code) <= 20 else f"{code[:20]}…"
        raise UnknownCard(
            f"{shown!r} is no card; expected a colour (r y g b p o) and a strength (1 to 9), such as g5, "
            f"or one of {' '.join(TACTIC_CARDS)}"
        ) from None


def deck_order(card: Card) -> int:
    """The card's place in a sorted deck: Clan cards by colour and strength, then Tactic cards."""
    return _DECK_ORDER[card]


def is_joker(card: Card) -> bool:
    return card in JOKERS


def is_elite(card: Card) -> bool:
    """Whether the card lies on a side like a Clan card but is a Tactic card (a wild card)."""
    return card in _WILD_STRENGTHS


def wild_strengths(elite: Tactic) -> Sequence[int]:
    """The strengths that an elite troop may stand for, weakest first."""
    return _WILD_STRENGTHS[elite]
