"""Computer players of Lords of Scotland: what they do next, one thing at a time, and a whole game of it.

They know the rules and their own cards, and choose by a few rules of thumb. Everything is a fact of the game, brought
about on a virtual table; what cannot be seen there is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from engine.lords_of_scotland.effects import Activate, Discard, Draw, Exchange, Swap
from engine.lords_of_scotland.facts import Engaged, Recruited, Taken, Used
from engine.lords_of_scotland.hands import FullGame, Step, deal, steps, take
from engine.lords_of_scotland.options import parse_rules
from engine.lords_of_scotland.position import Position
from engine.lords_of_scotland.skirmish import worth
from engine.table import UNKNOWN, Code, changes
from firmware.card_list import lords_of_scotland_deck
from firmware.simulation.deed import CHANCE, Deed
from firmware.simulation.lords_cheats import cheat

LONGEST = 4000  # steps after which a game that does not end is given up


def next_step(game: FullGame, random: Random) -> Step | None:
    """What the player whose moment it is does; None when the game is over."""
    choices = steps(game)
    if not choices:
        return None
    best = max(_appeal(game.position, step) for step in choices)
    # Not always the best thing: otherwise every game would go alike.
    good = [step for step in choices if _appeal(game.position, step) >= best - random.choice((0.0, 0.0, 2.0, 6.0))]
    return random.choice(good)


def _appeal(position: Position, step: Step) -> float:
    """How good a step looks to a player who thinks of this skirmish alone."""
    fact = step.fact
    match fact:
        case Taken(_, code):
            return float(_strength(position, code))
        case Recruited(player, _, code):
            side = position.side(player)
            hand = side.hand.most if side else 0
            return (6.0 if hand < 4 else 1.0) + (_strength(position, code) / 4 if code != UNKNOWN else 1.0)
        case Engaged(player, code):
            card = code if step.secret is None else step.secret
            army = [ally.lying for ally in position.army(player)]
            clans = {ally.code.rstrip("0123456789") for ally in army}
            kin = 4.0 if army and clans == {card.rstrip("0123456789")} else 0.0
            hidden = -1.5 if code == UNKNOWN else 0.0
            leads = worth(position.deck, player, army).strength
            return 4.0 + _strength(position, card) / 3 + kin + hidden - (2.0 if leads > 24 else 0.0)
        case Used(player, code, effect, _):
            match effect:
                case Exchange(supporter):
                    return 5.0 + _strength(position, supporter) - _strength(position, code)
                case Swap(_, ally):
                    return 5.0 + _strength(position, ally.code) - _strength(position, code)
                case Discard(owner, ally):
                    return 5.0 + _strength(position, ally.code) * (1 if owner != player else -1)
                case Draw() | Activate():
                    return 12.0
                case _:
                    return 8.0
        case _:
            return 0.0


def _strength(position: Position, code: Code) -> int:
    return position.deck[code].strength if code in position.deck else 5


def lords_deeds(rules: str, seed: int, cheats: str | None = None) -> Iterator[Deed]:
    """A whole game, deed by deed: honest, or one in which somebody cheats once in a named way and puts it right."""
    game = deal(lords_of_scotland_deck(), parse_rules({"rules": rules}), seed)
    random = Random(seed)
    cheated = cheats is None
    for _ in range(LONGEST):
        trick = None if cheated or random.random() > CHANCE else cheat(cheats or "", game, random)
        if trick is not None:
            cheated = True
            right = game.position.table()
            wrong = right.after(trick.step.fact.changes())
            yield Deed(trick.step.fact, trick.step.fact.changes(), trick.breach, discarded=game.discard)
            yield Deed(trick.step.fact, changes(wrong, right), rights=True, discarded=game.discard)
        step = next_step(game, random)
        if step is None:
            return
        game = take(game, step)
        yield Deed(step.fact, step.fact.changes(), discarded=game.discard)
