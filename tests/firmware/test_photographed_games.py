"""Whole games through rendered photographs, from the camera to the verdict: every fact and verdict equals the truth.

Honest games; the same with hands, changing light and a bumped camera in every game; and every named way of cheating.
`MARCHWARDEN_GAMES` says how many games of each kind; what was judged wrong is kept beside the journal, as a picture
with what lay there.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.decks import find_deck
from firmware.simulation.deeds import CHEAT_NAMES, Deed, deeds
from firmware.stones import VARIANTS
from tests.firmware.photographed import PhotographedTable

GAMES = int(os.environ.get("MARCHWARDEN_GAMES", "200"))
FIRST = int(os.environ.get("MARCHWARDEN_FIRST_GAME", "0"))
RULES = {"tactic-in-base-game": "base", "out-of-turn": "base first=A"}  # what a cheat needs to be one
SEEDS = range(40)  # not every game offers every chance to cheat
AFTERWARDS = 2  # deeds after the foul was put right, to see that the game goes on


@pytest.fixture(scope="session")
def decks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("decks")
    find_deck("drawn", folder)
    return folder


@pytest.fixture(autouse=True)
def swept() -> Iterator[None]:
    """A table with its camera and its eye is a hundred megabytes that hold on to each other: after hundreds of games
    nobody else would clear them away."""
    yield
    gc.collect()


def rules_of(seed: int) -> str:
    return list(VARIANTS.values())[seed % len(VARIANTS)]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(FIRST, FIRST + GAMES))
def test_a_whole_game_through_photographs_equals_the_truth(tmp_path: Path, decks: Path, seed: int) -> None:
    table = PhotographedTable(tmp_path, decks, seed)
    print(rules_of(seed), "seed", seed)
    table.play(rules_of(seed), seed)
    assert (table.demo.tally.wrong, table.demo.tally.fouls) == ([], 0)
    table.assembled.stop()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(FIRST, FIRST + GAMES))
def test_hands_light_and_bumps_change_nothing(tmp_path: Path, decks: Path, seed: int) -> None:
    table = PhotographedTable(tmp_path, decks, 1000 + seed, disturbed=True)
    print(rules_of(seed), "seed", seed)
    table.play(rules_of(seed), seed)
    assert (table.demo.tally.wrong, table.demo.tally.fouls) == ([], 0)
    table.assembled.stop()


def with_a_foul(name: str) -> tuple[int, list[Deed]]:
    """The game in which the chance to cheat this way comes soonest, until a little after it."""
    best: tuple[int, list[Deed]] | None = None
    for seed in SEEDS:
        game = list(deeds(RULES.get(name, "tactics"), seed, name))
        foul = next((number for number, deed in enumerate(game) if deed.breach is not None), None)
        if foul is not None and (best is None or foul + 2 + AFTERWARDS < len(best[1])):
            best = seed, game[: foul + 2 + AFTERWARDS]
    assert best is not None, f"{name} has no chance in {len(SEEDS)} games"
    return best


@pytest.mark.long
@pytest.mark.parametrize("name", CHEAT_NAMES)
def test_a_cheat_is_seen_in_the_photographs_and_named_within_two_settled_frames(
    tmp_path: Path, decks: Path, name: str
) -> None:
    seed, done = with_a_foul(name)
    print("seed", seed)
    table = PhotographedTable(tmp_path, decks, 7)
    table.follow(RULES.get(name, "tactics"), done, f"{name}, seed {seed}")
    assert (table.demo.tally.cheats, table.demo.tally.wrong, table.late) == (1, [], [])
    table.assembled.stop()
