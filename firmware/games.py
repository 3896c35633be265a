"""The games a station can referee: the engine's law, vision's layout, how their places correspond, and the few words
that are each game's own. A game's nouns appear in a module of its own (`firmware.stones`, `firmware.lords`).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from engine.rules import Game, Summary
from engine.table import Table
from engine.verdicts import Words
from vision.layout import Layout

if TYPE_CHECKING:
    from firmware.interpret import Places
    from firmware.signals import Lamp
    from firmware.state import Saying


@dataclass(frozen=True, slots=True)
class Refereed:
    """A game as the station knows it."""

    game: Game[Any, Any]
    layout: Layout
    places: Places
    variants: Mapping[str, str]  # what `--variant` takes, and the rules in a record's head that it stands for
    head_keys: tuple[str, ...]  # what may stand in the head of a record
    example: str  # a line of a record, for whoever does not know how one is written
    # Of a calm moment: position, summary, what players are called, language.
    standing: Callable[[Any, Summary, Callable[[str | None], str], str], Words]
    brief: Callable[[Any], str]  # how the game stands in some twenty characters, for a small display
    details: Callable[[Any, Callable[[str], str]], tuple[str, ...]]  # what a larger display shows besides
    board: Callable[[Table, tuple[Lamp, ...], str], list[str]]  # the table in characters, in a language
    taking_line: Callable[[str, str], str] | None  # a record's line for what is taken in words: player, mark
    # Where, of these hidden places, somebody may have done something first in a position with this summary, for which
    # it is too late once this fact has happened.
    may_precede: Callable[[Any, Summary, frozenset[str], Any], frozenset[str]]
    # Why facts, told of a position, may have happened otherwise.
    unclear: Callable[[Any, tuple[Any, ...]], Saying | None] = lambda position, facts: None

    @property
    def lamps(self) -> int:
        """How many lamps the game has something to say with at the most."""
        return len(self.game.players) if self.layout.regions else len(self.layout.tiles)

    def rules(self, variant: str) -> dict[str, str]:
        """The head of a record for this variant; KeyError if the game has none of this name."""
        return {"rules": self.variants[variant]}


GAMES: dict[str, tuple[str, str]] = {
    "schotten-totten": ("firmware.stones", "schotten_totten"),
    "lords-of-scotland": ("firmware.lords", "lords_of_scotland"),
}


@cache
def refereed(name: str) -> Refereed:
    """The game of this name; KeyError if there is none."""
    module, maker = GAMES[name]
    made: Refereed = getattr(importlib.import_module(module), maker)()
    return made
