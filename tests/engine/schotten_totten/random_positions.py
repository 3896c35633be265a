"""Random positions with one contested Stone, made so that close claims are common and every kind of wild card,
combat mode and proof occurs."""

from __future__ import annotations

from random import Random
from typing import Any

CLAN = [colour + strength for colour in "rygbpo" for strength in "123456789"]
ELITE = ["joker1", "joker2", "spy", "shield"]


def contested(random: Random, *, missing: int | None = None, unseen: int | None = None) -> dict[str, Any]:
    """A position in which Stone 1 is contested: A's side is complete, B lacks so many cards.

    `unseen` is how many Clan cards do not lie face up, which is what an exhaustive proof takes its time for.
    """
    modes = [mode for mode, odds in (("mud", 0.35), ("bluff", 0.2)) if random.random() < odds]
    if missing == 4:
        modes = sorted({*modes, "mud"})
    required = 4 if "mud" in modes else 3
    if missing is None:
        missing = random.randint(0, required)
    if unseen is None:
        unseen = random.choice((0, 1, 2, 3, 4, 6, 9, 14)) if missing > 2 else random.randint(0, 40)
    cards = random.sample(CLAN, len(CLAN))
    wild = random.sample(ELITE, len(ELITE)) if random.random() < 0.6 else []
    mine = _strong_side(random, cards, wild, required)
    theirs = _side(random, cards, wild, required - missing)
    other, discard = _spread(random, cards[unseen:], wild)
    return {
        "game": "schotten-totten",
        "rules": {"tactics": True, "expert": False, "proof": random.choice(("clan", "tactics"))},
        "turn": random.choice("AB"),
        "stones": [
            {
                "A": mine,
                "B": theirs,
                "owner": None,
                "modes": modes,
                "completed_first": random.choice(("A", "B", None)),
            },
            *other,
        ],
        "discard": discard,
        "tactics_played": {"A": 0, "B": 0},
    }


def _side(random: Random, cards: list[str], wild: list[str], size: int) -> list[str]:
    """A side drawn from the piles: some wild cards, and Clan cards that often have something in common."""
    side = [wild.pop() for _ in range(size) if wild and random.random() < 0.25]
    leader = cards[0]
    likeness = random.choice((None, 0, 1))
    while len(side) < size:
        alike = [card for card in cards if likeness is not None and card[likeness] == leader[likeness]]
        card = random.choice(alike or cards)
        cards.remove(card)
        side.append(card)
    return side


def _strong_side(random: Random, cards: list[str], wild: list[str], size: int) -> list[str]:
    """Half of the time a Color-Run, since only a strong side makes a proof close."""
    if random.random() < 0.5:
        return _side(random, cards, wild, size)
    low, colour = random.randint(1, 10 - size), random.choice("rygbpo")
    side = [f"{colour}{strength}" for strength in range(low, low + size)]
    for card in side:
        cards.remove(card)
    if wild and random.random() < 0.5:
        put_back = side.pop(random.randrange(size))
        cards.append(put_back)
        side.append(wild.pop())
    return side


def _spread(random: Random, clan: list[str], wild: list[str]) -> tuple[list[dict[str, Any]], list[str]]:
    """The cards that lie elsewhere: on the other eight Stones, and in the discard what has no room there."""
    rest = [*clan, *(card for card in wild if random.random() < 0.5)]
    random.shuffle(rest)
    stones = []
    for _ in range(8):
        sides = [[rest.pop() for _ in range(random.randint(0, 3)) if rest] for _ in "AB"]
        stones.append({"A": sides[0], "B": sides[1], "owner": random.choice((None, None, "A", "B"))})
    for stone in stones:
        stone |= {"modes": [], "completed_first": random.choice(("A", "B", None))}
    return stones, rest
