"""What simulated players of Schotten Totten do at a virtual table, one deed at a time: cards and Stones moved, or words
said.

An honest game, or one in which somebody cheats once in a named way and puts it right when told.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from engine.schotten_totten.fouls import Breach
from engine.schotten_totten.options import parse_rules
from firmware.simulation.cheats import CHEATS, cheat
from firmware.simulation.deed import CHANCE, Deed, reverse
from firmware.simulation.players import RANDOM, SENSIBLE, play_game
from vision.observation import Why

CHEAT_NAMES = tuple(CHEATS)
ASKED = {Breach.FACE_DOWN: Why.FACE_DOWN, Breach.DUPLICATE: Why.TWICE}  # what is asked for rather than judged


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
                # A card on the other side is that player's foul, as far as can be seen from above.
                is_anybodys = foul.breach is Breach.OPPONENTS_SIDE
                asked = ASKED.get(foul.breach)
                yield Deed(foul.fact, foul.fact.changes(), foul.breach, asked=asked, is_anybodys=is_anybodys)
                yield Deed(foul.fact, reverse(foul.fact.changes()), rights=True)
        yield Deed(step.fact, step.fact.changes())
