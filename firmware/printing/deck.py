"""The decks of the project's own drawing: every card, back and tile by its code, one deck a game.

`CODES`, `drawing` and `draw` are those of Schotten Totten.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

from firmware.printing import cards, raster, stones
from firmware.printing.heraldry import CLANS
from firmware.printing.shapes import Drawing
from firmware.printing.tactics import SIGNS

CLAN_CODES = tuple(f"{letter}{strength}" for letter in CLANS for strength in range(1, 10))
TACTIC_CODES = tuple(SIGNS)
STONE_CODES = tuple(f"stone{number}" for number in range(1, 10))
BACK_CODES = ("back", "tactic-back")
CODES = (*CLAN_CODES, *TACTIC_CODES, *STONE_CODES, *BACK_CODES)


@dataclass(frozen=True, slots=True)
class DrawnDeck:
    """One game's deck. `enrolled` are the codes of which an eye wants a picture; tiles that carry a marker are not
    among them."""

    cards: tuple[str, ...]
    tiles: tuple[str, ...]
    backs: tuple[str, ...]
    enrolled: tuple[str, ...]
    drawing: Callable[[str], Drawing]
    back_of: Callable[[str], str]

    @property
    def codes(self) -> tuple[str, ...]:
        return (*self.cards, *self.tiles, *self.backs)

    def draw(self, code: str, px_per_mm: float) -> raster.Pixels:
        """A card, tile or back as BGR pixels; paper fills the corners that a cutter rounds."""
        return raster.to_pixels(self.drawing(code), px_per_mm)


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


def schotten_totten() -> DrawnDeck:
    """54 Clan and 10 Tactic cards, nine Stones."""
    return DrawnDeck((*CLAN_CODES, *TACTIC_CODES), STONE_CODES, BACK_CODES, CODES, drawing, back_of)


def lords_of_scotland() -> DrawnDeck:
    """98 cards and ten tokens."""
    from engine.table import Code
    from firmware.card_list import lords_of_scotland_deck
    from firmware.printing.lords_of_scotland import cards as lords
    from firmware.printing.lords_of_scotland import tokens
    from vision.lords_of_scotland import lords_of_scotland as table

    printed = lords_of_scotland_deck().by_code
    markers = {token.code: token.marker for token in table().tokens}

    @lru_cache(maxsize=len(printed) + len(markers) + 1)
    def drawn(code: str) -> Drawing:
        if code in markers:
            return tokens.token(code, markers[code])
        return lords.back() if code == "back" else lords.card(printed[Code(code)])

    codes = tuple(str(code) for code in printed)
    return DrawnDeck(codes, tuple(markers), ("back",), (*codes, "back"), drawn, lambda code: "back")


DECKS: dict[str, Callable[[], DrawnDeck]] = {
    "schotten-totten": schotten_totten,
    "lords-of-scotland": lords_of_scotland,
}


@cache
def deck_of(game: str) -> DrawnDeck:
    """The deck of a game by its name; KeyError if there is none."""
    return DECKS[game]()
