"""Whole games at a table where hands lie: they cover what is just being done, stay there while the other plays on, come
and go elsewhere. Nothing that was legal is told as a foul, and whenever the view is clear the game is as it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from engine.referee import tell
from engine.schotten_totten.cards import STONES
from engine.schotten_totten.facts import Fact, Passed
from engine.schotten_totten.options import parse_rules
from engine.table import Change
from firmware.simulation.players import play_game
from tests.firmware.sitting import Sitting

RULES = ("base first=A", "tactics first=A", "tactics expert first=A")
AT_ONCE = 2  # so many deeds between two clear looks can be told apart


@dataclass
class Hands:
    """A table at which people leave their hands where they were, for a while."""

    sitting: Sitting
    random: Random
    deeds: int = 0
    touched: set[str] = field(default_factory=set)  # the pieces, since the view was clear

    def __post_init__(self) -> None:
        layout = self.sitting.table.layout
        self._cards = [*(fan.place for fan in layout.fans), *(spot.place for spot in layout.spots)]
        self._names = [*self._cards, *(tile.code for tile in layout.tiles)]

    def do(self, fact: Fact) -> None:
        changes = fact.changes()
        pieces = {str(change.piece.code) for change in changes}
        ends = [place for change in changes for place in (change.origin, change.target) if place]
        is_anyones = not any(
            place.endswith(("A", "B")) for place in ends
        )  # of two such nobody could tell whose is whose
        if pieces & self.touched or self.deeds == AT_ONCE or (is_anyones and self.deeds) or not changes:
            self.clear()
        if not changes:
            self._pass(fact)
            return
        if self.random.random() < 0.6:
            self._cover(changes)
        self.sitting.held |= {*self.random.sample(self._names, self.random.choice((0, 0, 1, 3)))}
        for change in changes:  # a ruse, and then what it does
            self._look(self.random.choice((0, 1, 2)))
            self.sitting.table.apply([change])
            if len(changes) > 1:
                self._cover(changes)
        self._look(self.random.choice((1, 2, 4)))
        self.deeds += 1
        self.touched |= pieces

    def clear(self) -> None:
        self.sitting.held = frozenset()
        for seconds in (0.5, 4.0):
            self.sitting.look(seconds)
        self.deeds, self.touched = 0, set()

    def _pass(self, fact: Fact) -> None:
        """Whoever could lay a card has to say so."""
        position = self.sitting.station.state.referee.position
        if any(position.is_open(position.to_play, number) for number in STONES):
            self.sitting.ask_line(str(fact))

    def _cover(self, changes: tuple[Change, ...]) -> None:
        ends = {place for change in changes for place in (change.origin, change.target) if place}
        places = self.sitting.station.refereed.places
        self.sitting.held |= {name for name in self._cards if places.of_card(name) in ends}
        self.sitting.held |= {str(change.piece.code) for change in changes} & {*self._names}

    def _look(self, times: int) -> None:
        for _ in range(times):
            if self.random.random() < 0.3:
                self.sitting.held = frozenset(name for name in sorted(self.sitting.held) if self.random.random() < 0.5)
            self.sitting.look(self.random.choice((0.1, 0.5, 1.0, 3.0)))


def watched(folder: Path, seed: int) -> None:
    random, rules = Random(seed), RULES[seed % len(RULES)]
    sitting = Sitting(folder, rules, patience_s=random.choice((0.0, 0.3, 3.0)))
    hands, truth = Hands(sitting, random), sitting.station.state.start
    try:
        for step in play_game(parse_rules({"rules": rules}), Random(f"{seed}")):
            hands.do(step.fact)
            truth = tell(truth, step.fact, sitting.station.state.start)
            assert all(one.told.verdict.legal for one in sitting.events), f"seed {seed}: after {step.fact}"
            if random.random() < 0.4 and not isinstance(step.fact, Passed):
                hands.clear()
                assert sitting.station.state.referee.position == truth.position, f"seed {seed}: after {step.fact}"
    finally:
        sitting.get_up()


@pytest.mark.parametrize("seed", range(12))
def test_hands_on_the_table_make_no_foul_and_hide_nothing_for_good(tmp_path: Path, seed: int) -> None:
    watched(tmp_path, seed)


@pytest.mark.long
def test_hands_on_the_table_in_many_games(tmp_path: Path) -> None:
    for seed in range(12, 312):
        (tmp_path / str(seed)).mkdir()
        watched(tmp_path / str(seed), seed)
