"""What a game at an event can end with and what it is worth, and what a match of several games comes to. Pure.

Five points to the winner and something for what the loser holds: one for each Stone of Schotten Totten, one for each
ten points of Lords of Scotland, four at the most. A match goes to whoever wins more than half of its games; its winner
scores five again, and its loser what their games were worth on average, rounded down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware.event.rounds.facts import WIN, How, Refused, Result, Seat

LONGEST_MATCH = 9


@dataclass(frozen=True, slots=True)
class Scoring:
    """What players can hold at the end of a game: one of them, all together, a loser, the winner of a game that was
    played out; and how much of it is a point for a loser."""

    most: int
    together: int
    most_lost: int
    least_won: int
    a_point: int = 1

    def points(self, result: Result, seat: Seat) -> int:
        if result.winner == seat:
            return WIN
        return min(WIN - 1, result.stones["AB".index(seat)] // self.a_point)

    def check(self, result: Result) -> None:
        """Raises Refused for what no game of this kind can end with."""
        for held in result.stones:
            if not 0 <= held <= self.most:
                raise Refused("bad-stones", most=self.most)
        lost = [held for seat, held in zip("AB", result.stones, strict=True) if seat != result.winner]
        if sum(result.stones) > self.together or any(held > self.most_lost for held in lost):
            raise Refused("loser-stones", most=self.most_lost, together=self.together)
        if result.how is not How.PLAYED:
            return
        if result.winner is None:
            raise Refused("draw-not-played")
        if result.stones["AB".index(result.winner)] < self.least_won:
            raise Refused("winner-stones", least=self.least_won)


SCORINGS = {
    "schotten-totten": Scoring(most=9, together=9, most_lost=4, least_won=3),
    "lords-of-scotland": Scoring(most=199, together=398, most_lost=199, least_won=40, a_point=10),
}


@dataclass(frozen=True, slots=True)
class Match:
    """So many games at the most, each worth what this scoring says."""

    best_of: int = 1
    scoring: Scoring = SCORINGS["schotten-totten"]

    def wins(self, games: Sequence[Result]) -> tuple[int, int]:
        return sum(one.winner == "A" for one in games), sum(one.winner == "B" for one in games)

    def counted(self, games: Sequence[Result]) -> tuple[Result, ...]:
        """The games until the match was decided; what was entered beyond that counts for nothing."""
        for count in range(1, len(games) + 1):
            if self._is_over(games[:count]):
                return tuple(games[:count])
        return tuple(games)

    def result(self, games: Sequence[Result]) -> Result | None:
        """What the match ended with, all that was held in it together; None while it goes on."""
        counted = self.counted(games)
        if not counted or not self._is_over(counted):
            return None
        if self.best_of == 1:
            return counted[0]
        a, b = self.wins(counted)
        last = counted[-1]
        winner: Seat | None = "A" if a > b else "B" if b > a else None
        if last.how is How.FORFEIT:
            winner = last.winner
        return Result(winner, (sum(one.stones[0] for one in counted), sum(one.stones[1] for one in counted)), last.how)

    def points(self, games: Sequence[Result]) -> tuple[int, int] | None:
        """What the match is worth to A and B; None while it goes on."""
        result, counted = self.result(games), self.counted(games)
        if result is None:
            return None
        a, b = (sum(self.scoring.points(one, seat) for one in counted) // len(counted) for seat in ("A", "B"))
        if result.winner is None:
            return min(a, WIN - 1), min(b, WIN - 1)
        return (WIN, min(b, WIN - 1)) if result.winner == "A" else (min(a, WIN - 1), WIN)

    def _is_over(self, games: Sequence[Result]) -> bool:
        """More than half of the games are won, all are played, time was up, or somebody gave up."""
        is_cut_short = games[-1].how in (How.TIME, How.FORFEIT)
        return is_cut_short or len(games) >= self.best_of or max(self.wins(games)) > self.best_of // 2


ONE_GAME = Match()
