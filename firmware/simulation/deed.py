"""One thing that a simulated player does at a virtual table, with the truth to compare a referee's verdict with.

Knows facts and changes of any game; knows none of its rules.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from engine.rules import Fact
from engine.table import Change
from vision.observation import Why

CHANCE = 0.25  # of cheating at any moment that offers it, once a game


@dataclass(frozen=True, slots=True)
class Deed:
    """A fact to bring about. `breach` is the one rule that it breaks; `rights` marks a foul being put right.
    `discarded` are the cards that lie on an open heap then, the topmost last.

    A referee above the table may name a foul in its own way: `asked` is why it may ask for a card instead, and where
    `is_anybodys` it cannot see whose hand it was, so that any foul will do."""

    fact: Fact
    changes: tuple[Change, ...]
    breach: Enum | None = None
    rights: bool = False
    discarded: tuple[str, ...] = ()
    asked: Why | None = None
    is_anybodys: bool = False

    def is_named(self, fouls: Collection[str], whys: Collection[Why]) -> bool:
        """Whether a referee who told these fouls, and these reasons for asking, has said what is wrong."""
        if self.asked in whys or (self.is_anybodys and fouls):
            return True
        return self.breach is not None and self.breach.value in fouls


def reverse(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """What undoes these changes, last first."""
    return tuple(Change(change.piece, change.target, change.origin) for change in reversed(changes))
