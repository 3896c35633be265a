"""What simulated players do at a virtual table, one deed at a time: cards and Stones moved, or words said.

An honest game, or one in which somebody cheats once in a named way and puts it right when told. Knows the truth of
every deed, so that a referee's verdict can be compared with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from random import Random

from engine.rules import Fact
from engine.schotten_totten.options import parse_rules
from engine.table import Change
from firmware.simulation.cheats import CHEATS, cheat
from firmware.simulation.players import RANDOM, SENSIBLE, play_game

CHANCE = 0.25  # of cheating at any moment that offers it, once a game


@dataclass(frozen=True, slots=True)
class Deed:
    """A fact to bring about. `breach` is the one rule that it breaks; `rights` marks a foul being put right.
    `discarded` are the cards that lie on an open heap then, the topmost last."""

    fact: Fact
    changes: tuple[Change, ...]
    breach: Enum | None = None
    rights: bool = False
    discarded: tuple[str, ...] = ()


def deeds(rules: str, seed: int, cheats: str | None = None) -> Iterator[Deed]:
    """A whole game. Sensible players on even seeds, random ones (longer games, odder positions) on odd seeds."""
    random = Random(seed)
    mind = RANDOM if seed % 2 else SENSIBLE
    cheated = cheats is None
    for step in play_game(parse_rules({"rules": rules}), random, mind, mind):
        if not cheated and random.random() < CHANCE:
            foul = cheat(cheats or "", step.before, random)
            if foul is not None:
                cheated = True
                yield Deed(foul.fact, foul.fact.changes(), foul.breach)
                yield Deed(foul.fact, reverse(foul.fact.changes()), rights=True)
        yield Deed(step.fact, step.fact.changes())


def reverse(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """What undoes these changes, last first."""
    return tuple(Change(change.piece, change.target, change.origin) for change in reversed(changes))


CHEAT_NAMES = tuple(CHEATS)
