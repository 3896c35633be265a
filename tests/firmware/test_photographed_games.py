"""Whole games through rendered photographs, from the camera to the verdict: every fact and verdict equals the truth.

Of every game that there is: honest ones; the same with hands, changing light and a bumped camera; and every named way
of cheating. `MARCHWARDEN_GAMES` says how many games of each kind; what was judged wrong is kept beside the journal, as
a picture with what lay there.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from firmware.decks import find_deck
from firmware.games import refereed
from firmware.simulation.deed import Deed
from firmware.simulation.plays import SIMULATED
from tests.firmware.photographed import PhotographedTable

USUAL = {"schotten-totten": 200, "lords-of-scotland": 16}  # games of each kind: one of the second takes minutes
FIRST = int(os.environ.get("MARCHWARDEN_FIRST_GAME", "0"))
GAMES = [
    (game, seed)
    for game, usual in USUAL.items()
    for seed in range(FIRST, FIRST + int(os.environ.get("MARCHWARDEN_GAMES", usual)))
]
CHEATS = [(game, name) for game, simulated in SIMULATED.items() for name in simulated.cheats]
CHEATED = {"schotten-totten": "tactics", "lords-of-scotland": "seats=3"}  # the rules that are cheated under
RULES = {  # and those that a cheat needs to be one
    ("schotten-totten", "tactic-in-base-game"): "base",
    ("schotten-totten", "out-of-turn"): "base first=A",
}
SEEDS = range(40)  # not every game offers every chance to cheat
SOON = 80  # deeds within which one is looked for
AFTERWARDS = 2  # deeds after the foul was put right, to see that the game goes on


@pytest.fixture(scope="session")
def decks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("decks")
    for game in SIMULATED:
        find_deck("drawn", folder, game)
    return folder


@pytest.fixture(autouse=True)
def swept() -> Iterator[None]:
    """A table with its camera and its eye is a hundred megabytes that hold on to each other: after hundreds of games
    nobody else would clear them away."""
    yield
    gc.collect()


def rules_of(game: str, seed: int) -> str:
    """Every variant in turn."""
    variants = list(refereed(game).variants.values())
    return variants[seed % len(variants)]


@pytest.mark.long
@pytest.mark.parametrize(("game", "seed"), GAMES)
def test_a_whole_game_through_photographs_equals_the_truth(tmp_path: Path, decks: Path, game: str, seed: int) -> None:
    table = PhotographedTable(tmp_path, decks, seed, game=game)
    print(game, rules_of(game, seed), "seed", seed)
    table.play(rules_of(game, seed), seed)
    assert (table.demo.tally.wrong, table.demo.tally.fouls) == ([], 0)
    table.assembled.stop()


@pytest.mark.long
@pytest.mark.parametrize(("game", "seed"), GAMES)
def test_hands_light_and_bumps_change_nothing(tmp_path: Path, decks: Path, game: str, seed: int) -> None:
    table = PhotographedTable(tmp_path, decks, 1000 + seed, game=game, disturbed=True)
    print(game, rules_of(game, seed), "seed", seed)
    table.play(rules_of(game, seed), seed)
    assert (table.demo.tally.wrong, table.demo.tally.fouls) == ([], 0)
    table.assembled.stop()


def with_a_foul(game: str, rules: str, name: str) -> tuple[int, list[Deed]]:
    """The game in which the chance to cheat this way comes soonest, until a little after it."""
    best: tuple[int, list[Deed]] | None = None
    for seed in SEEDS:
        done = list(islice(SIMULATED[game].deeds(rules, seed, name), SOON))
        foul = next((number for number, deed in enumerate(done) if deed.breach is not None), None)
        if foul is not None and (best is None or foul + 2 + AFTERWARDS < len(best[1])):
            best = seed, done[: foul + 2 + AFTERWARDS]
    assert best is not None, f"{name} has no chance in {len(SEEDS)} games"
    return best


@pytest.mark.long
@pytest.mark.parametrize(("game", "name"), CHEATS)
def test_a_cheat_is_seen_in_the_photographs_and_named_within_two_settled_frames(
    tmp_path: Path, decks: Path, game: str, name: str
) -> None:
    rules = RULES.get((game, name), CHEATED[game])
    seed, done = with_a_foul(game, rules, name)
    print(game, rules, "seed", seed)
    table = PhotographedTable(tmp_path, decks, 7, game=game)
    table.follow(rules, done, f"{name}, seed {seed}")
    assert (table.demo.tally.cheats, table.demo.tally.wrong, table.late) == (1, [], [])
    table.assembled.stop()
