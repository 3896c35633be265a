"""Tournaments for tests: opened, filled, paired and played by lot."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

from firmware.event.rounds.facts import (
    EventOpened,
    Fact,
    How,
    PlayerEntered,
    Result,
    ResultEntered,
    RoundStarted,
    Style,
)
from firmware.event.rounds.next_round import next_round
from firmware.event.rounds.tournament import Tournament

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
WINNER_STONES = (3, 4, 5)


class Told:
    """A tournament and every fact that made it, with a clock that goes a second a fact."""

    def __init__(
        self, players: int = 0, style: Style = Style.SWISS, seed: int = 1, game: str = "schotten-totten"
    ) -> None:
        self.tournament = Tournament()
        self.facts: list[tuple[Fact, str, str]] = []
        self.now = START
        self.tell(EventOpened("Spring Cup", style, seed, game=game))
        for number in range(1, players + 1):
            self.tell(PlayerEntered(number, f"Player {number}"))

    def tell(self, *facts: Fact, who: str = "Anna") -> None:
        for fact in facts:
            self.now += timedelta(seconds=1)
            at = self.now.isoformat(timespec="milliseconds")
            self.tournament = self.tournament.after(fact, at, who)
            self.facts.append((fact, at, who))

    def pair(self, style: Style | None = None, top: int | None = None) -> None:
        self.tell(next_round(self.tournament, style, top))

    def start(self) -> None:
        self.tell(RoundStarted(len(self.tournament.rounds), 40))

    def play(self, rng: random.Random, draws: bool = True) -> None:
        """Results for every table of the last round."""
        last = self.tournament.rounds[-1]
        for table in last.waiting:
            self.tell(ResultEntered(last.number, table, by_lot(rng, draws)))

    def rounds(self, count: int, seed: int = 1, style: Style | None = None) -> None:
        rng = random.Random(seed)
        for _ in range(count):
            self.pair(style)
            self.start()
            self.play(rng, draws=(style or self.tournament.style) is not Style.KNOCK_OUT)


def by_lot(rng: random.Random, draws: bool = True) -> Result:
    if draws and rng.random() < 0.05:
        stones = rng.randrange(5)
        return Result(None, (stones, stones), How.TIME)
    won, lost = rng.choice(WINNER_STONES), rng.randrange(5)
    return Result("A", (won, min(lost, 9 - won))) if rng.random() < 0.5 else Result("B", (min(lost, 9 - won), won))
