"""Golden games are judged today as they were when they were written down."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.seeds.golden_games import games, played, verdicts


@pytest.mark.parametrize("path", games(), ids=lambda path: path.stem)
def test_a_golden_game_has_the_verdicts_that_stand_beside_it(path: Path) -> None:
    assert verdicts(path) == path.with_suffix(".jsonl").read_text(encoding="utf-8")


def test_the_computer_players_play_the_golden_games_again() -> None:
    assert dict(played()) == {path: path.read_text(encoding="utf-8") for path, _ in played()}


@pytest.mark.parametrize("path", [path for path, _ in played()], ids=lambda path: path.stem)
def test_a_game_of_the_computer_players_contains_no_foul(path: Path) -> None:
    events = [json.loads(line) for line in verdicts(path).splitlines()]
    assert all(event.get("legal", True) for event in events)
