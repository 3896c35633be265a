"""Swiss pairing: everybody meets somebody of about the same score whom they have not met.

One weighted matching over all who play settles it. What costs more always goes first: nobody has a second bye, nobody
meets an opponent again, the bye goes to the lowest score, the squares of the score differences are least; what is then
still equal is drawn by lot. The matching itself is rustworkx's (blossom, exact). Knows scores; knows no table and no
tournament.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import rustworkx

LOT_BITS = 24  # so finely are lots drawn that two pairings of equal cost are never equally lucky


NEAR = 64  # in a large event, as many above and below in rank are looked at; all, when somebody would meet again


@dataclass(frozen=True, slots=True)
class Contender:
    """Somebody to be paired: the score, how often they met whom, how often they had no opponent, and how often they sat
    at A more than at B."""

    number: int
    points: int
    met: Mapping[int, int] = field(default_factory=dict)
    byes: int = 0
    lean: int = 0


def swiss(contenders: Sequence[Contender], lot: str, near: int = NEAR) -> list[tuple[int, int | None]]:
    """Who meets whom, the highest scores first, each pair with the player of seat A first; None is a bye. The same
    contenders and `lot` always give the same pairs, in whatever order they come."""
    draw = random.Random(lot)
    luck = {one.number: draw.random() for one in sorted(contenders, key=lambda one: one.number)}
    points = {one.number: one.points for one in contenders}
    ranked = sorted(contenders, key=lambda one: (one.points, luck[one.number]))
    matched = _matched(ranked, draw, near)
    if len(ranked) > near and not _is_fresh(matched, len(ranked)):
        matched = _matched(ranked, draw, len(ranked))
    pairs = [_seated(one, other, luck) for one, other in matched]
    return sorted(pairs, key=lambda pair: _rank(pair, points, luck))


def _is_fresh(matched: Sequence[tuple[Contender, Contender | None]], count: int) -> bool:
    """Whether everybody has somebody, and nobody for the second time."""
    seated = sum(1 if other is None else 2 for _, other in matched)
    again = any(one.byes if other is None else one.met.get(other.number) for one, other in matched)
    return seated == count and not again


def _matched(ranked: Sequence[Contender], draw: random.Random, near: int) -> list[tuple[Contender, Contender | None]]:
    """The cheapest way to pair everybody with one of those `near` in rank. The bye is one more node where the number is
    odd."""
    count = len(ranked)
    bye = count if count % 2 else None
    lowest = ranked[0].points if ranked else 0
    gap = ranked[-1].points - lowest if ranked else 0
    # Each level outweighs everything below it, over all pairs together.
    pairs = count // 2 + 1
    square = (1 << LOT_BITS) * pairs
    low_bye = square * (gap * gap * pairs + 1)
    again = low_bye * (gap + 1)
    most = max((times for one in ranked for times in one.met.values()), default=0)
    second_bye = again * (most * most * pairs + 1)
    dearest = second_bye * (max((one.byes for one in ranked), default=0) + 1) * 2
    edges: list[tuple[int, int, int]] = []
    for i, one in enumerate(ranked):
        for j in range(i + 1, min(count, i + 1 + near)):
            other = ranked[j]
            times = one.met.get(other.number, 0)
            cost = again * times * times + square * (one.points - other.points) ** 2 + draw.getrandbits(LOT_BITS)
            edges.append((i, j, dearest - cost))
        if bye is not None:
            cost = second_bye * one.byes + low_bye * (one.points - lowest) + draw.getrandbits(LOT_BITS)
            edges.append((i, bye, dearest - cost))
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * (count + count % 2))
    graph.add_edges_from(edges)
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [
        (ranked[min(pair)], None if max(pair) == bye else ranked[max(pair)])
        for pair in sorted((min(i, j), max(i, j)) for i, j in matching)
    ]


def _seated(one: Contender, other: Contender | None, luck: Mapping[int, float]) -> tuple[int, int | None]:
    """Seat A goes to whoever sat there less."""
    if other is None:
        return one.number, None
    first, second = sorted((one, other), key=lambda player: (player.lean, luck[player.number]))
    return first.number, second.number


def _rank(
    pair: tuple[int, int | None], points: Mapping[int, int], luck: Mapping[int, float]
) -> tuple[bool, int, int, float]:
    a, b = pair
    if b is None:
        return True, 0, 0, 0.0
    return False, -max(points[a], points[b]), -min(points[a], points[b]), luck[a]
