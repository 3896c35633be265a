"""adjudicate, replay and rules for Lords of Scotland, as a player types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware.cli import marchwarden

SEEDS = Path(__file__).parents[2] / "seeds"
POSITIONS = sorted((SEEDS / "positions" / "lords_of_scotland").glob("*.json"))
FOULS = SEEDS / "games" / "lords_of_scotland" / "a-skirmish-with-fouls.txt"


def run(*args: str, text: str = "") -> Result:
    return CliRunner().invoke(marchwarden, args, input=text)


@pytest.mark.parametrize("path", POSITIONS, ids=[path.stem for path in POSITIONS])
def test_adjudicate_answers_every_golden_position_as_one_json_document(path: Path) -> None:
    done = run("adjudicate", "--json", str(path))
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    golden = json.loads(path.read_text(encoding="utf-8"))["answer"]
    assert [standing["player"] for standing in answer["ranking"]] == [army["player"] for army in golden["ranking"]]


def test_adjudicate_takes_both_games_on_standard_input() -> None:
    lords = json.dumps({"game": "lords-of-scotland", "armies": {"A": ["scott3"], "B": ["wemyss9"]}})
    schotten = json.dumps({"game": "schotten-totten", "stones": []})
    first, second = run("adjudicate", "--json", "-", text=f"{lords}\n{schotten}\n").stdout.splitlines()
    assert json.loads(first)["ranking"][0]["player"] == "B"
    assert json.loads(second)["claims"] == []


def test_adjudicate_says_the_ranking_in_the_language_asked_for() -> None:
    path = SEEDS / "positions" / "lords_of_scotland" / "rulebook-22-points-doubled.json"
    assert "1. A avec 22 (doublé)" in run("adjudicate", str(path), "--lang", "fr").stdout


@pytest.mark.parametrize("text", ['{"armies": {"A": ["scott77"]}}', '{"armies": 3}', '{"rules": {"seats": 9}}'])
def test_a_bad_skirmish_is_one_sentence_and_exit_2(text: str) -> None:
    done = run("adjudicate", "-", text=json.dumps({"game": "lords-of-scotland"} | json.loads(text)))
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "expected" in done.stderr


def test_replay_judges_every_line_and_strict_says_no_to_fouls() -> None:
    events = [json.loads(line) for line in run("replay", "--json", str(FOULS)).stdout.splitlines()]
    assert sum(not event["legal"] for event in events) == FOULS.read_text(encoding="utf-8").count("# foul: ")
    assert run("replay", "--strict", str(FOULS)).exit_code == 1
    assert "LS-301" in run("replay", str(FOULS)).stdout


@pytest.mark.parametrize("name", ["two", "three", "four", "five"])
def test_replay_of_a_golden_game_ends_with_its_winner(name: str) -> None:
    path = SEEDS / "games" / "lords_of_scotland" / f"{name}-players.txt"
    done = run("replay", "--json", "--strict", str(path))
    assert done.exit_code == 0
    end = json.loads(done.stdout.splitlines()[-1])
    assert end["event"] == "end"
    assert f"result: {end['winner']} wins" in path.read_text(encoding="utf-8")


def test_a_bad_line_of_a_record_is_named_with_line_and_column() -> None:
    done = run("replay", "-", text="game: lords-of-scotland\nseats: 3\n\nD scott7\n")
    assert done.exit_code == 2
    assert "line 4, column 1: expected a player (A, B, C), found 'D'" in done.stderr
    assert run("replay", "-", text="game: lords-of-scotland\nrules: seats=7\n").exit_code == 2


def test_a_rule_is_shown_with_its_source_and_tests() -> None:
    shown = run("rules", "LS-301").stdout
    assert shown.startswith("LS-301 When a power may be used")
    assert "Source: 004, rulings" in shown


def test_the_height_of_a_camera_is_told_for_the_mat_of_this_game() -> None:
    done = run("hardware", "height", "--game", "lords-of-scotland", "--json")
    heights = {told["camera"]: told["height_mm"] for told in map(json.loads, done.stdout.splitlines())}
    plain = run("hardware", "height", "--game", "schotten-totten", "--json")
    assert heights["Camera Module 3 Wide"] < 407 < heights["Camera Module 3"] < 720 * 884 / 736
    assert [json.loads(line)["camera"] for line in plain.stdout.splitlines()] == list(heights)
    assert run("hardware", "height", "--game", "chess").exit_code == 2


@pytest.mark.parametrize(
    ("language", "end"), [("en", "most points"), ("fr", "le plus de points"), ("es", "más puntos")]
)
def test_a_replayed_game_ends_in_words_of_the_language_asked_for(language: str, end: str) -> None:
    done = run("replay", str(SEEDS / "games" / "lords_of_scotland" / "two-players.txt"), "--lang", language)
    assert f"({end})" in done.stdout.splitlines()[-1]
