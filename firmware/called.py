"""What pieces are called, by their codes, in the languages of people: cards of either game, Stones, backs.

Knows the games' own words; knows no rule and no device.
"""

from __future__ import annotations

from functools import cache

from engine.schotten_totten.cards import ALL_CARDS
from engine.schotten_totten.vocabulary import card_name
from firmware.card_list import lords_of_scotland_deck
from firmware.messages import label


@cache
def card_names(game: str, language: str) -> dict[str, str]:
    """What cards are called; clans have proper names, the same in every language."""
    if game == "schotten-totten":
        return {str(card): card_name(card, language) for card in ALL_CARDS}
    return {str(card.code): card.called for card in lords_of_scotland_deck().cards}


def called(code: str, language: str) -> str:
    """Any piece that can be enrolled; a code without a name is its own."""
    if code.startswith("stone"):
        return label("stone", language, number=code.removeprefix("stone"))
    if code in ("back", "tactic-back"):
        return label(code, language)
    clans = card_names("schotten-totten", language)
    return clans[code] if code in clans else card_names("lords-of-scotland", language).get(code, code)
