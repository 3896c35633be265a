"""The games a station can referee: the engine's law, vision's layout and how their places correspond.

The only module of the station in which a game's own nouns appear.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine.record import HEAD_KEYS
from engine.rules import Game
from engine.table import Place
from firmware.interpret import Places
from firmware.messages import label
from vision.layout import Layout

VARIANTS = {"base": "base", "tactic": "tactics", "expert": "tactics expert"}


@dataclass(frozen=True, slots=True)
class Refereed:
    """A game as the station knows it."""

    game: Game[Any, Any]
    layout: Layout
    places: Places
    claim_line: Callable[[str, str], str]  # the record's line for a claim in words: player, name of the mark
    head_keys: tuple[str, ...]  # what may stand in the head of a record

    def rules(self, variant: str) -> dict[str, str]:
        """The head of a record for this variant."""
        return {"rules": VARIANTS[variant]}


class StonePlaces:
    """Schotten Totten: fans `3A` keep their name, modes `3M1` lie on `3M`, `D2` in the discard row, and the tile
    `stone3` at `3border`, `3claimedA` or `3claimedB`."""

    def of_card(self, place: str) -> Place:
        if place.startswith("D"):
            return Place("discard")
        return Place(place[:2])

    def of_tile(self, code: str, spot: str) -> Place | None:
        stone = code.removeprefix("stone")
        if spot == "missing":
            return None
        return Place(f"{stone}border" if spot == "border" else f"{stone}claimed{spot}")

    def lamp(self, place: str) -> int | None:
        digit = place.removeprefix("stone")[:1]
        return int(digit) - 1 if digit.isdigit() else None

    def label(self, place: str, language: str) -> str:
        number = self.lamp(place)
        if number is None:
            return label("discard", language)
        if place[-1] in "AB" and "claimed" not in place:
            return label("side", language, number=number + 1, player=place[-1])
        return label("stone", language, number=number + 1)


def _stone_claimed_by_word(player: str, mark: str) -> str:
    return f"{player} claim {mark.removeprefix('stone')} by word"


def schotten_totten() -> Refereed:
    from engine.schotten_totten.game import SchottenTotten
    from engine.schotten_totten.options import KEYS
    from vision.layout import schotten_totten as layout

    return Refereed(SchottenTotten(), layout(), StonePlaces(), _stone_claimed_by_word, (*HEAD_KEYS, *KEYS))


GAMES: dict[str, Callable[[], Refereed]] = {"schotten-totten": schotten_totten}


@cache
def refereed(name: str) -> Refereed:
    """The game of this name; KeyError if there is none."""
    return GAMES[name]()
