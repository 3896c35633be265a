"""Who has won a round, by what, and how rounds add up to a match (ST-401 to ST-405)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from engine.schotten_totten.cards import Player
from engine.schotten_totten.stones import Stone

WINNER_POINTS = 5


class By(Enum):
    """What a round was won by."""

    THREE_ADJACENT = "three-adjacent"
    FIVE = "five"


@dataclass(frozen=True, slots=True)
class Victory:
    """A round won."""

    winner: Player
    by: By


def victory(stones: Sequence[Stone]) -> Victory | None:
    """Who has won; a claim that completes three adjacent and five at once is reported as three adjacent (ST-404)."""
    for player in Player:
        owned = [stone.owner is player for stone in stones]
        if any(all(owned[at : at + 3]) for at in range(len(owned) - 2)):
            return Victory(player, By.THREE_ADJACENT)
        if sum(owned) >= 5:
            return Victory(player, By.FIVE)
    return None


def held(stones: Iterable[Stone], player: Player) -> int:
    """How many Stones the player controls."""
    return sum(stone.owner is player for stone in stones)


def round_points(stones: Sequence[Stone]) -> dict[Player, int]:
    """What a round is worth: five to the winner, one for each Stone held to the other; nothing while it is open."""
    won = victory(stones)
    if won is None:
        return dict.fromkeys(Player, 0)
    return {player: WINNER_POINTS if player is won.winner else held(stones, player) for player in Player}


@dataclass(frozen=True, slots=True)
class Match:
    """Rounds that belong together. `points` has one entry a finished round."""

    rounds: int
    points: tuple[tuple[int, int], ...] = ()

    def after(self, stones: Sequence[Stone]) -> Match:
        """The match with one more finished round."""
        points = round_points(stones)
        return Match(self.rounds, (*self.points, (points[Player.A], points[Player.B])))

    @property
    def total(self) -> dict[Player, int]:
        total: Counter[Player] = Counter(dict.fromkeys(Player, 0))
        for a, b in self.points:
            total.update({Player.A: a, Player.B: b})
        return dict(total)

    @property
    def is_over(self) -> bool:
        return len(self.points) >= self.rounds

    @property
    def winner(self) -> Player | None:
        """Who leads on points; None is a draw."""
        total = self.total
        if total[Player.A] == total[Player.B]:
            return None
        return max(Player, key=total.__getitem__)
