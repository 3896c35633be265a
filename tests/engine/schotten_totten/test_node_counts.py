"""Exact numbers of lines of play from small positions, by the product and by a naive counter."""

from __future__ import annotations

import pytest

from engine.schotten_totten.cards import Card, Player, parse_card
from engine.schotten_totten.document import Document, to_json
from engine.schotten_totten.facts import CardLaid, RusePlayed
from engine.schotten_totten.play import Deck, Play
from engine.schotten_totten.position_line import parse_position
from tests.engine.schotten_totten import naive_counter

TAKEN = "r1.y2.g4:r2.y1.b4^A=A/r3.y4.g6:r4.y3.b6^A=B/r5.y6.g8:r6.y5.b8^B=A/r7.y8.g1:r8.y7.b1^B=B/-:-=A/-:-=B"

# Where the Stones stand, what A and B hold, what can be drawn, the rules, and how many lines of each length there are.
COUNTS: dict[str, tuple[str, str, str, str, list[int]]] = {
    "base: three open Stones": (
        f"{TAKEN}/p5.p6:o5.o6/p8.o9:g9/-:-",
        "p7 b9",
        "o7 b2",
        "p1 o1",
        [6, 37, 177, 986, 2193, 5675],
    ),
    "base: the last cards": (
        f"{TAKEN}/p5.p6:o5.o6/p8.o9:g9.b7/p1.p2:o1.o2",
        "p7 p3 b9",
        "o7 o3 b2",
        "",
        [9, 84, 361, 1712, 3404, 6024],
    ),
    "expert: claims wait": (
        f"{TAKEN}/p5.p6.p7:o5.o6^A/p8.o9:g9.b7/p1.p2:o1",
        "p3 b9",
        "o7 o3 b2",
        "o8",
        [5, 40, 146, 526, 1520, 3296],
    ),
    "tactics: elite troops": (
        f"{TAKEN}/p5.p6:o5.o6/p8:g9/-:-",
        "joker1 spy p7",
        "joker2 shield o7",
        "",
        [9, 84, 441, 2578, 9016],
    ),
    "tactics: modes": (
        f"{TAKEN}/p5.p6.p7:o5.o6.b5^A/p8:g9/-:-",
        "mud b9",
        "bluff o7",
        "o1",
        [5, 30, 142, 534, 1372, 2842],
    ),
    "tactics: ruses": (
        f"{TAKEN}/p5.p6.spy:o5.o6.b5^B/p8:g9/-:-",
        "banshee strategist b9",
        "traitor o7",
        "",
        [17, 154, 1338, 4589],
    ),
}


def cards(text: str) -> tuple[Card, ...]:
    return tuple(parse_card(code) for code in text.split())


def start(name: str) -> Play:
    stones, a, b, deck, _ = COUNTS[name]
    rules = {"base": "base", "expert": "expert", "tactics": "tactics"}[name.split(":")[0]]
    hand_a, hand_b = len(a.split()), len(b.split())
    line = f"{stones} A - 0.0 0.0 {hand_a}~0.{hand_b}~0 {len(deck.split())} {rules}"
    return Play(parse_position(line), cards(a), cards(b), cards(deck))


def count(play: Play, depth: int) -> int:
    """How many different sequences of so many acts there are."""
    if depth == 0:
        return 1
    claimants = [player for player in Player if play.claims(player)]
    total = sum(count(play.after(claim), depth - 1) for player in claimants for claim in play.claims(player))
    for act in play.plays():
        after = play.after(act)
        if isinstance(act, CardLaid | RusePlayed) and after.clan:
            after = after.draw(act.player, Deck.CLAN)
        total += count(after, depth - 1)
    return total


def as_naive(play: Play) -> naive_counter.State:
    position = play.position
    document = Document(position.stones, position.discard, position.rules, position.turn)
    return {
        **to_json(document),
        "played": position.has_played,
        "hands": {player: [str(card) for card in play.hand(player)] for player in Player},
        "deck": [str(card) for card in play.clan],
    }


@pytest.mark.parametrize("name", COUNTS)
def test_the_number_of_lines_is_exact_and_the_naive_counter_agrees(name: str) -> None:
    expected = COUNTS[name][-1]
    play = start(name)
    assert [count(play, depth) for depth in range(1, len(expected) + 1)] == expected
    assert [naive_counter.count(as_naive(play), depth) for depth in range(1, 4)] == expected[:3]


@pytest.mark.long
@pytest.mark.parametrize("name", COUNTS)
def test_the_naive_counter_agrees_to_the_full_depth(name: str) -> None:
    expected = COUNTS[name][-1]
    naive = as_naive(start(name))
    assert [naive_counter.count(naive, depth) for depth in range(1, len(expected) + 1)] == expected
