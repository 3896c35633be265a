"""The golden records of seeds/games: whole games, and a skirmish full of fouls."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.lords_of_scotland.game import game_for
from engine.lords_of_scotland.skirmish import winner
from engine.record import parse_record, read_head, write_record
from engine.referee import fold, opening

FOLDER = Path(__file__).parents[3] / "seeds" / "games" / "lords_of_scotland"
GAMES = sorted(FOLDER.glob("*-players.txt"))
FOULS = FOLDER / "a-skirmish-with-fouls.txt"


@pytest.mark.rule("LS-501", "LS-410", "LS-411", "LS-412")
@pytest.mark.parametrize("path", GOLDEN := GAMES, ids=[path.stem for path in GAMES])
def test_a_golden_game_is_legal_and_ends_as_it_says(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    game = game_for(read_head(text))
    record = parse_record(text, game.parse)
    state = fold(opening(game, record.head), record.entries)
    assert [str(told.fact) for told in state.told if not told.verdict.legal] == []
    assert state.to_put_right == ()
    points = " ".join(f"{player}={state.position.points(player)}" for player in state.position.players)
    assert record.head["result"] == f"{winner(state.position)} wins; points {points}"
    assert parse_record(write_record(record), game.parse) == record


def test_there_is_a_golden_game_for_every_number_of_players() -> None:
    assert [path.stem for path in GOLDEN] == ["five-players", "four-players", "three-players", "two-players"]


def test_the_fouls_of_a_golden_skirmish_are_named_as_written_and_nothing_else_is() -> None:
    text = FOULS.read_text(encoding="utf-8")
    game = game_for(read_head(text))
    record = parse_record(text, game.parse)
    state = fold(opening(game, record.head), record.entries)
    lines = text.splitlines()
    for number, told in zip(record.lines, state.told, strict=True):
        written = re.search(r"# foul: (.*)", lines[number - 1])
        expected = set(written.group(1).split()) if written else set()
        assert {foul.kind for foul in told.verdict.fouls} == expected, lines[number - 1]
    assert (state.position.skirmish, state.position.on_turn) == (2, "B")
