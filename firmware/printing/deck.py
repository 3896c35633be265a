"""The deck of the project's own drawing: every card, Stone and back by its code."""

from __future__ import annotations

from functools import lru_cache

from firmware.printing import cards, raster, stones
from firmware.printing.heraldry import CLANS
from firmware.printing.shapes import Drawing
from firmware.printing.tactics import SIGNS

CLAN_CODES = tuple(f"{letter}{strength}" for letter in CLANS for strength in range(1, 10))
TACTIC_CODES = tuple(SIGNS)
STONE_CODES = tuple(f"stone{number}" for number in range(1, 10))
BACK_CODES = ("back", "tactic-back")
CODES = (*CLAN_CODES, *TACTIC_CODES, *STONE_CODES, *BACK_CODES)


@lru_cache(maxsize=len(CODES))
def drawing(code: str) -> Drawing:
    """The card, Stone or back of that code; a KeyError if there is none."""
    if code in CLAN_CODES:
        return cards.clan_card(code[0], int(code[1]))
    if code in STONE_CODES:
        return stones.stone_tile(int(code.removeprefix("stone")))
    if code == "back":
        return cards.clan_back()
    if code == "tactic-back":
        return cards.tactic_back()
    return cards.tactic_card(code)


def draw(code: str, px_per_mm: float) -> raster.Pixels:
    """The card, Stone or back of that code as BGR pixels; paper fills the corners that a cutter rounds."""
    return raster.to_pixels(drawing(code), px_per_mm)


def back_of(code: str) -> str:
    """The code of the back that belongs to a card."""
    return "tactic-back" if code in TACTIC_CODES else "back"
