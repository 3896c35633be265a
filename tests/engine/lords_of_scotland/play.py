"""Playing for the tests: positions in a line or two, and whole games at random from a printed seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from engine.lords_of_scotland.cards import default_deck
from engine.lords_of_scotland.course import enforce
from engine.lords_of_scotland.document import from_json
from engine.lords_of_scotland.facts import Fact, Used
from engine.lords_of_scotland.hands import FullGame, Step, deal, steps, take
from engine.lords_of_scotland.legality import judge
from engine.lords_of_scotland.notation import parse_fact
from engine.lords_of_scotland.options import Rules
from engine.lords_of_scotland.position import SEATS, Position

DECK = default_deck()


def fight(armies: dict[str, list[str]], **fields: Any) -> Position:
    """A position in the middle of a skirmish: third turn, its recruit turned, A on turn and not yet acted."""
    document: dict[str, Any] = {
        "stage": "fighting",
        "turn_number": 3,
        "turned": True,
        "recruits": ["forsyth1", "forsyth2", "forsyth3", "?", "?"],
        "supporters": ["wemyss11", "wemyss12"],
        "armies": armies,
    }
    return from_json(DECK, document | fields)


def share(armies: dict[str, list[str]], supporters: list[str], **fields: Any) -> Position:
    """A position at the end of a skirmish, before supporters are taken."""
    return from_json(DECK, {"armies": armies, "supporters": supporters, "stage": "sharing"} | fields)


def fact(line: str) -> Fact:
    return parse_fact(DECK, line)


def kinds(position: Position, line: str) -> set[str]:
    """The fouls of the fact in this line, by their kinds."""
    return {foul.kind for foul in judge(position, fact(line)).fouls}


def play(position: Position, *lines: str) -> Position:
    """The position after these facts, all of which must be legal."""
    for line in lines:
        told = fact(line)
        verdict = judge(position, told)
        assert verdict.legal, (line, verdict.fouls)
        position = enforce(position, told)
    return position


def random_step(options: tuple[Step, ...], rng: Random) -> Step:
    """One of the steps; powers are used more often than by pure chance, so that games are full of them."""
    uses = [step for step in options if isinstance(step.fact, Used)]
    return rng.choice(uses) if uses and rng.random() < 0.8 else rng.choice(options)


def random_game(seats: int, seed: int) -> Iterator[tuple[FullGame, Step, FullGame]]:
    """A whole game: before, step, after. Every other game has the Bruce cards; the first to begin goes round."""
    rng = Random(seed)
    game = deal(DECK, Rules(seats, seed % 2 == 1, SEATS[seed % seats]), seed)
    while options := steps(game):
        step = random_step(options, rng)
        after = take(game, step)
        yield game, step, after
        game = after


def positions(seats: int, seed: int) -> Iterator[Position]:
    """The positions of a whole game."""
    for before, _, _ in random_game(seats, seed):
        yield before.position
