"""Whole games of computer players at the station: every fact and verdict equals the truth."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from firmware.cli.run import _summarise
from firmware.journal import Reader
from firmware.retell import replayed
from firmware.simulation.deeds import CHEAT_NAMES
from firmware.simulation.demo import Tally
from tests.firmware.simulated import simulated

VARIANTS = ("base", "tactics", "tactics expert")
RULES = {"tactic-in-base-game": "base", "out-of-turn": "base first=A"}  # what a cheat needs to be one


@pytest.mark.parametrize("rules", VARIANTS)
def test_honest_games_are_followed_to_their_end_without_a_false_foul(tmp_path: Path, rules: str) -> None:
    demo, loop, _ = simulated(tmp_path)
    demo.play(rules, 1)
    assert (demo.tally.wrong, demo.tally.fouls, demo.tally.games) == ([], 0, 1)
    assert demo.tally.legal == demo.tally.deeds > 20
    assert loop.station.state.is_over


@pytest.mark.parametrize("name", CHEAT_NAMES)
def test_a_cheat_is_named_and_the_game_goes_on_when_it_was_put_right(tmp_path: Path, name: str) -> None:
    demo, _, _ = simulated(tmp_path)
    for seed in range(40):  # not every game offers every chance to cheat
        demo.play(RULES.get(name, "tactics"), seed, name)
        if demo.tally.cheats:
            break
    assert (demo.tally.cheats, demo.tally.wrong) == (1, [])


def test_patience_changes_when_a_foul_is_named_and_not_whether(tmp_path: Path) -> None:
    demo, _, _ = simulated(tmp_path, patience_s=3.0)
    demo.play("base", 2, "second-card")
    assert (demo.tally.wrong, demo.tally.fouls) == ([], 1)


def test_the_first_game_is_the_one_that_was_begun(tmp_path: Path) -> None:
    demo, loop, _ = simulated(tmp_path)
    for seed in (1, 2):
        demo.play("base", seed)
    assert loop.station.state.number == 2


@pytest.mark.parametrize(("cheats", "said"), [(0, True), (1, False)])
def test_a_summary_says_that_no_chance_came_to_cheat(
    capsys: pytest.CaptureFixture[str], cheats: int, said: bool
) -> None:
    _summarise(Tally(games=1, cheats=cheats), 1.0, "en", "out-of-turn")
    assert ("No chance came to cheat as out-of-turn" in capsys.readouterr().out) == said


def test_a_game_told_again_from_the_journal_is_the_game_that_was_played(tmp_path: Path) -> None:
    demo, loop, _ = simulated(tmp_path)
    demo.play("tactics", 3)
    state = loop.station.state
    reader = Reader(tmp_path / "journal.db")
    start, referee, head = replayed(loop.station.refereed, reader.entries(state.number))
    reader.close()
    assert (start, referee, head) == (state.start, state.referee, state.head)


@pytest.mark.long
@pytest.mark.parametrize("rules", VARIANTS)
def test_a_hundred_honest_games_without_a_false_foul(tmp_path: Path, rules: str) -> None:
    demo, _, _ = simulated(tmp_path)
    for seed in range(100):
        demo.play(rules, seed)
    assert (demo.tally.wrong, demo.tally.fouls) == ([], 0)


@pytest.mark.long
def test_eight_hours_of_simulated_time_leave_memory_flat(tmp_path: Path) -> None:
    """Games and long thinking in turn, ten frames a second; what is kept is the journal on the disk."""
    demo, loop, _ = simulated(tmp_path)

    def resident_kb() -> int:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() // 1024

    sizes = []
    for hour in range(8):
        demo.play("tactics", hour)
        while loop.clock.monotonic_s() < (hour + 1) * 3600:
            loop.step()
            loop.clock.sleep(0.1)
        sizes.append(resident_kb())
    assert demo.tally.wrong == []
    assert sizes[-1] - sizes[1] < 4096, sizes
