"""adjudicate, replay and rules for Lords of Scotland, as a player types them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from firmware.cli import marchwarden
from firmware.cli.referee import head_of
from firmware.decks import drawn_deck, of_game
from firmware.games import refereed
from tests.vision.spreads import deck
from vision.deck import BadDeck

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


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"armies": {"A": ["scott77"]}}, "armies, A, carte 1 est 'scott77' : colonne 1 : il faut une carte comme"),
        ({"armies": {"A": ["scott7"]}, "supporters": ["scott7"]}, "dans les partisans et dans l'armée de A ;"),
        ({"armies": {}, "stage": "war"}, 'stage est "war" ; il faut l\'un de setting out, fighting, sharing, over'),
        ({"armies": {}, "turn": "E"}, 'turn est "E" ; il faut l\'un de A, B'),
        ({"armies": {}, "supporters": {}}, "supporters est un objet ; il faut une liste de codes"),
        ({"armies": {}, "suporters": []}, "le document a la clé inconnue"),
        ({"game": "chess"}, 'game est "chess" ; il faut schotten-totten / lords-of-scotland'),
    ],
)
def test_a_bad_skirmish_is_told_in_french_from_its_first_word_to_its_last(told: dict[str, object], says: str) -> None:
    done = run("adjudicate", "-", "--lang", "fr", text=json.dumps({"game": "lords-of-scotland"} | told))
    assert done.exit_code == 2
    assert says in done.stderr
    assert re.findall(r"\b(card|is|in|or|the|expected|one of|document,)\b", done.stderr.partition("1: ")[2]) == []


def test_a_bad_line_or_rule_of_a_record_is_told_in_spanish_from_its_first_word_to_its_last() -> None:
    head = "game: lords-of-scotland\n"
    card = run("replay", "-", "--lang", "es", text=f"{head}\nA recruit 1 x\n").stderr
    assert "se espera una carta como scott7 o bruce1, o ? si está boca abajo, no 'x'" in card
    rule = run("replay", "-", "--lang", "es", text=f"{head}rules: tactics\n").stderr
    assert "se espera base, bruce, seats=2 a seats=5 o initiative=A a initiative=E, no 'tactics'" in rule


def test_adjudicate_names_both_games_to_whoever_names_another_and_tells_a_skirmish_by_its_armies() -> None:
    armies = {"A": ["scott3"], "B": ["wemyss9"]}
    for game in ("chess", None, ["lords-of-scotland"]):
        done = run("adjudicate", "-", text=json.dumps({"game": game, "armies": armies}))
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.endswith("expected schotten-totten / lords-of-scotland\n")
    assert json.loads(run("adjudicate", "--json", "-", text=json.dumps({"armies": armies})).stdout)["ranking"]


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


def test_referee_judges_a_record_as_replay_does_for_as_many_players(tmp_path: Path) -> None:
    record = tmp_path / "record.txt"
    recruits = " ".join(f"?@recruit{slot}" for slot in range(1, 6))
    record.write_text(
        f"game: lords-of-scotland\n\ndeal {recruits} scott9@supporters makgill4@supporters\nA turn 1 scott1\n"
    )
    for command in ("replay", "referee"):
        last = json.loads(run(command, str(record), "--json").stdout.splitlines()[-1])
        assert (last["event"], last["legal"]) == ("turn-recruit", True), "two play unless it is said"
    record.write_text("game: lords-of-scotland\nseats: 3\n\nD scott7\n")
    for command in ("replay", "referee"):
        done = run(command, str(record))
        assert (done.exit_code, done.stdout) == (2, "")
        assert "line 4, column 1: expected a player (A, B, C), found 'D'" in done.stderr


def test_a_recording_is_of_two_players_unless_more_are_named() -> None:
    played = refereed("lords-of-scotland").game
    for rules, seats in ((None, 2), ("bruce", 2), ("seats=3 bruce", 3)):
        assert len(played.opening(head_of("lords-of-scotland", rules, None)).sides) == seats


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


def test_a_deck_of_this_game_is_refused_at_the_table_of_the_other(tmp_path: Path) -> None:
    replace(deck(), name="mine").save(tmp_path)
    picture = tmp_path / "table.png"
    cv2.imwrite(str(picture), np.full((90, 160, 3), 180, np.uint8))
    for command in (["read"], ["referee"]):
        done = run(*command, str(picture), "--deck", "mine", "--decks", str(tmp_path))
        assert (done.exit_code, done.stdout) == (2, "")
        assert "is of lords-of-scotland; name a deck of schotten-totten, or the game with --game" in done.stderr
    assert run("scan", str(picture), "--deck", "mine", "--decks", str(tmp_path)).exit_code == 0
    with pytest.raises(BadDeck, match="is of schotten-totten; name a deck of lords-of-scotland"):
        of_game(replace(deck(), codes=("r1", "back")), "lords-of-scotland")
    assert of_game(replace(deck(), codes=("h10", "uno-red-7")), "schotten-totten")


def test_read_names_the_mat_of_the_other_game_instead_of_finding_tiles_on_it(tmp_path: Path) -> None:
    for one in (drawn_deck(px_per_mm=3.0), replace(deck(), name="drawn-lords-of-scotland")):
        one.save(tmp_path)
    for game, other in (("schotten-totten", "lords-of-scotland"), ("lords-of-scotland", "schotten-totten")):
        mat = str(tmp_path / f"{other}.png")
        assert run("print", "mat", "--game", other, "--png", mat, "--px-per-mm", "2").exit_code == 0
        done = run("read", mat, "--game", game, "--deck", "drawn", "--decks", str(tmp_path))
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.endswith(f"shows the mat of {other}: read it with --game {other}.\n")
