"""A second prover, slow and simple, that shares nothing with the product.

It reads the JSON document as it stands, tries every set of cards that could still come and every card that each wild
card could stand for, and keeps the best. It knows no short cut beyond remembering what a hand of cards was worth.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise, product
from typing import Any

Worth = tuple[int, int]  # rank of the kind and sum
KIND_OF_RANK = {5: "color-run", 4: "three-of-a-kind", 3: "color", 2: "run", 1: "sum"}
DECK = [colour + strength for colour in "rygbpo" for strength in "123456789"]
ELITE = ["joker1", "joker2", "spy", "shield"]


def could_stand_for(code: str) -> list[str]:
    if code.startswith("joker"):
        return DECK
    if code == "spy":
        return [card for card in DECK if card[1] == "7"]
    if code == "shield":
        return [card for card in DECK if card[1] in "123"]
    return [code]


def worth_as_read(cards: tuple[str, ...], bluff: bool) -> Worth:
    """What a side is worth when every card is a Clan card."""
    strengths = sorted(int(card[1]) for card in cards)
    total = sum(strengths)
    if bluff:
        return 1, total
    same_colour = all(card[0] == cards[0][0] for card in cards)
    successive = all(high - low == 1 for low, high in pairwise(strengths))
    if same_colour and successive:
        return 5, total
    if strengths[0] == strengths[-1]:
        return 4, total
    if same_colour:
        return 3, total
    return (2 if successive else 1), total


@cache
def _worth(cards: tuple[str, ...], bluff: bool) -> Worth:
    return max(worth_as_read(reading, bluff) for reading in product(*map(could_stand_for, cards)))


def worth(cards: list[str] | tuple[str, ...], bluff: bool = False) -> Worth:
    """What a complete side is worth at its owner's best."""
    return _worth(tuple(sorted("joker1" if card == "joker2" else card for card in cards)), bluff)


def ways_to_complete(document: dict[str, Any], stone: dict[str, Any], player: str) -> Iterator[tuple[str, ...]]:
    """Every set of cards that could still come and would complete this player's side."""
    stones = document["stones"]
    seen = {card for each in stones for side in "AB" for card in each[side]} | set(document["discard"])
    unseen = [card for card in DECK if card not in seen]
    if document["rules"]["proof"] == "tactics":
        unseen += [card for card in ELITE if card not in seen]
    has_joker = any(card.startswith("joker") for each in stones for card in each[player])
    missing = (4 if "mud" in stone["modes"] else 3) - len(stone[player])
    for cards in combinations(unseen, missing):
        if sum(card.startswith("joker") for card in cards) <= (0 if has_joker else 1):
            yield cards


def judge(document: dict[str, Any], number: int, player: str) -> tuple[str, Worth | None, Worth | None]:
    """Why the claim is allowed or not, what the claimant has, what the opponent has or could have at best."""
    stone = document["stones"][number - 1]
    opponent = "B" if player == "A" else "A"
    required, bluff = (4 if "mud" in stone["modes"] else 3), "bluff" in stone["modes"]
    mine, theirs = (worth(stone[side], bluff) if len(stone[side]) == required else None for side in (player, opponent))
    if stone["owner"]:
        return "already-claimed", mine, theirs
    if mine is None:
        return "incomplete", mine, theirs
    if theirs is None:
        ways = ways_to_complete(document, stone, opponent)
        theirs = max((worth([*stone[opponent], *way], bluff) for way in ways), default=None)
        return ("could-be-beaten" if theirs is not None and theirs > mine else "proof"), mine, theirs
    if mine == theirs:
        first = stone["completed_first"] == player
        return ("tie-completed-first" if first else "tie-completed-second"), mine, theirs
    return ("stronger" if mine > theirs else "weaker"), mine, theirs
