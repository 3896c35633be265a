"""`marchwarden replay` and `marchwarden rules` as a person or a program calls them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

import seeds
from firmware.cli import marchwarden

FOULS = """\
players: Anna, Bea
rules: base

A g7@3
B r1@1
B r2@1          # a second card
A g8@3
B r2@3
A g9@3
A claim 3
B r3@3          # the Stone is claimed
"""


def run(*arguments: str, text: str | bytes = "") -> Result:
    return CliRunner().invoke(marchwarden, list(arguments), input=text)


def events(text: str, *options: str) -> list[dict[str, Any]]:
    result = run("replay", "-", "--json", *options, text=text)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_every_line_is_an_event_with_its_verdict() -> None:
    told = events(FOULS)
    assert [event["seq"] for event in told] == list(range(1, 9))
    assert [event["event"] for event in told] == ["play"] * 6 + ["claim", "play"]
    assert [event["legal"] for event in told] == [True, True, False, True, True, True, True, False]
    assert {"player": "A", "card": "g7", "stone": 3, "fouls": []}.items() <= told[0].items()
    assert [foul["rule"] for foul in told[2]["fouls"]] == ["ST-202"]
    assert told[6]["why"] == "proof"
    assert told[7]["fouls"] == [{"rule": "ST-206", "words": "Stone 3 is already claimed."}]


def test_the_end_is_an_event_of_its_own() -> None:
    game = (
        "A g7@1\nB r1@9\nA g8@1\nB r2@9\nA g9@1\nA claim 1\nB r3@8\nA b7@2\nB r4@8\nA b8@2\nB r5@7\nA b9@2\nA claim 2\n"
    )
    game += "B r6@7\nA p7@3\nB r7@6\nA p8@3\nB r8@6\nA p9@3\nA claim 3\nB r9@5\n"
    told = events(game)
    assert told[-2] == {"seq": 21, "event": "end", "winner": "A", "by": "three-adjacent"}
    assert [foul["rule"] for foul in told[-1]["fouls"]] == ["ST-403"]


def test_a_result_entered_by_hand_ends_the_game() -> None:
    assert events("A g5@3\nresult B by Judge: A left")[-1] == {
        "seq": 3,
        "event": "end",
        "winner": "B",
        "by": "decision",
    }


def test_acts_are_events_too() -> None:
    told = events("A g5@3\nundo\npause\nresume\nA g6@3\nruling 5 void by Judge: x\ncorrection 5 by Judge: A g7@3")
    assert [event["event"] for event in told] == ["play", "undo", "pause", "resume", "play", "ruling", "correction"]


def test_the_words_come_in_the_language_asked_for() -> None:
    assert events(FOULS, "--lang", "fr")[7]["words"] == "La Borne 3 est déjà revendiquée."


def test_for_people_each_line_is_followed_by_what_was_wrong_with_it() -> None:
    result = run("replay", "-", text=FOULS)
    assert "ST-206: Stone 3 is already claimed." in result.stdout
    assert result.exit_code == 0


def test_strict_answers_whether_there_was_a_foul() -> None:
    assert run("replay", "-", "--strict", text=FOULS).exit_code == 1
    assert run("replay", "-", "--strict", text="A g5@3").exit_code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A g5@3\nA g5@12", "line 2, column 6: expected"),
        ("rules: chess\nA g5@3", "rules: expected base"),
        ("game: poker", "game: expected schotten-totten"),
        (b"\xff\xfe\x00", "byte 1: expected text in UTF-8"),
        ("tactcs: yes", "did you mean 'tactics'?"),
    ],
)
def test_bad_input_is_one_sentence_that_says_where(text: str | bytes, said: str) -> None:
    result = run("replay", "-", text=text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_file_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    for name in (str(tmp_path / "nothing"), str(tmp_path), "\0"):
        result = run("replay", name)
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1


WORDS = (
    "A B C g5 @ 3 > discard claim traitor banshee 12 : rules tactics ruling result by undo righted ? + # \n \x00 é -"
)
garbage = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.lists(st.sampled_from([*WORDS.split(" "), " "]), max_size=25).map(lambda words: "".join(words).encode()),
)


@settings(max_examples=300)
@given(garbage)
def test_garbage_is_judged_or_refused_in_one_sentence_and_never_crashes(raw: bytes) -> None:
    result = run("replay", "-", "--json", text=raw)
    assert result.exit_code in (0, 2), result.exception
    if result.exit_code == 2:
        assert result.stderr.startswith("marchwarden: ")
        assert result.stderr.count("\n") == 1
        assert result.stdout == ""


def test_rules_are_listed_and_shown_one_by_one() -> None:
    listed = run("rules", "--game", "schotten-totten").stdout
    assert all(rule.id in listed for rule in seeds.rules_of("schotten-totten"))
    one = run("rules", "st-205").stdout
    assert "Three cards a side" in one
    assert "Source: 000, 001, 002, 003" in one
    document = json.loads(run("rules", "ST-205", "--json").stdout)
    assert document["id"] == "ST-205"
    assert document["shown_by"]
    assert len(json.loads(run("rules", "--json").stdout)) >= len(seeds.rules_of("schotten-totten"))


def test_an_unknown_rule_is_bad_input() -> None:
    result = run("rules", "ST-999")
    assert result.exit_code == 2
    assert "ST-999" in result.stderr


def test_for_people_a_foul_is_called_one_in_their_language() -> None:
    fouls = {language: run("replay", "-", "--lang", language, text=FOULS).output for language in ("en", "fr", "es")}
    assert [word in fouls[language] for language, word in (("en", "FOUL"), ("fr", "FAUTE"), ("es", "FALTA"))] == [
        True
    ] * 3
