"""Round-robin and knock-out: who meets whom follows from one order, fixed when the first such round is paired.

Knows orders and slots; knows no score and no table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Slot = int | None


def circle(players: Sequence[int]) -> tuple[Slot, ...]:
    """The order of a round-robin: an empty place makes an odd number even, and whoever meets it has no opponent."""
    return (*players, None) if len(players) % 2 else tuple(players)


def circle_rounds(order: Sequence[Slot]) -> int:
    """How many rounds it takes until everybody has met everybody."""
    return max(0, len(order) - 1)


def circle_round(order: Sequence[Slot], number: int) -> list[tuple[int, Slot]]:
    """The pairs of a round from 0 on, by the circle method: the first place stands, the others go round. Seats A and B
    change so that nobody sits at one more than two times oftener than at the other."""
    stands, *others = order
    turned = others[number % len(others) :] + others[: number % len(others)]
    ring = [stands, *turned]
    pairs: list[tuple[int, Slot]] = []
    for n in range(len(ring) // 2):
        one, other = ring[n], ring[-1 - n]
        if (number if n == 0 else n) % 2:
            one, other = other, one
        if one is None:
            one, other = other, one
        if one is not None:
            pairs.append((one, other))
    return pairs


def bracket(ranked: Sequence[int]) -> tuple[Slot, ...]:
    """The slots of a knock-out for players from the first seed to the last: the best meet late, and where the number is
    no power of two the first seeds have no opponent in the first round."""
    size = 1
    seeds = [1]
    while size < len(ranked):
        size *= 2
        seeds = [seed for one in seeds for seed in (one, size + 1 - one)]
    return tuple(ranked[seed - 1] if seed <= len(ranked) else None for seed in seeds)


def bracket_round(slots: Sequence[Slot]) -> list[tuple[int, Slot]]:
    """The pairs of neighbours; a slot beside an empty one has no opponent."""
    pairs = [(a, b) if a is not None else (b, None) for a, b in zip(slots[::2], slots[1::2], strict=True)]
    return [(a, b) for a, b in pairs if a is not None]


def bracket_after(slots: Sequence[Slot], winner: Callable[[int, int], Slot]) -> tuple[Slot, ...]:
    """The slots of the next round, from who won among the neighbours of this one."""
    after: list[Slot] = []
    for a, b in zip(slots[::2], slots[1::2], strict=True):
        after.append(winner(a, b) if a is not None and b is not None else a if b is None else b)
    return tuple(after)
