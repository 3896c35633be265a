"""The command `marchwarden adjudicate`: its answers, its errors, and that no input makes it stumble."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from firmware.cli import marchwarden
from tests.engine.schotten_totten.random_positions import contested
from tests.engine.schotten_totten.strategies import contested_positions

EXAMPLE = {
    "game": "schotten-totten",
    "rules": {"tactics": False, "expert": False, "proof": "clan"},
    "turn": "A",
    "stones": [
        {
            "A": ["g5", "r5", "b5"],
            "B": ["g7", "p4", "b3"],
            "owner": None,
            "modes": [],
            "completed_first": "B",
        }
    ],
    "discard": [],
    "tactics_played": {"A": 0, "B": 0},
}


def adjudicate(*arguments: str | Path, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(marchwarden, ["adjudicate", *map(str, arguments)], input=stdin)


def written(folder: Path, name: str, document: object) -> Path:
    file = folder / name
    file.write_text(json.dumps(document), encoding="utf-8")
    return file


def test_the_example_of_the_interface_is_answered_to_the_letter(tmp_path: Path) -> None:
    result = adjudicate(written(tmp_path, "example.json", EXAMPLE), "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    answer = json.loads(result.stdout)
    words = answer["claims"][0].pop("words")
    assert words == "A may claim Stone 1: Three of a Kind 15 beats Sum 14."
    assert answer["claims"][0] == {
        "stone": 1,
        "player": "A",
        "allowed": True,
        "why": "stronger",
        "mine": {"kind": "three-of-a-kind", "sum": 15},
        "theirs": {"kind": "sum", "sum": 14},
        "counterexample": None,
    }
    assert [(claim["stone"], claim["player"]) for claim in answer["claims"]] == [(1, "A"), (1, "B")]
    assert answer["winner"] is None
    assert list(answer) == ["claims", "winner"]


def test_every_stone_is_answered_for_both_players() -> None:
    nine: dict[str, Any] = {"stones": [{} for _ in range(9)]}
    result = adjudicate("-", "--json", stdin=json.dumps(nine))
    claims = json.loads(result.stdout)["claims"]
    assert [(claim["stone"], claim["player"]) for claim in claims] == [(n, p) for n in range(1, 10) for p in "AB"]


def test_each_line_of_standard_input_gets_a_line() -> None:
    lines = [json.dumps(contested(Random(seed))) for seed in range(5)]
    result = adjudicate("-", "--json", stdin="\n\n".join(lines) + "\n")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 5
    alone = [adjudicate("-", "--json", stdin=line).stdout for line in lines]
    assert result.stdout == "".join(alone)


def test_several_files_are_answered_in_their_order(tmp_path: Path) -> None:
    won = {"stones": [{"owner": "B"}] * 3}
    files = [written(tmp_path, "one.json", EXAMPLE), written(tmp_path, "two.json", won)]
    result = adjudicate(*files, "--json")
    assert [json.loads(line)["winner"] for line in result.stdout.splitlines()] == [None, "B"]


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "A may claim Stone 1: Three of a Kind 15 beats Sum 14."),
        ("fr", "A peut revendiquer la Borne 1 : Brelan 15 bat Somme 14."),
        ("es", "A puede reclamar la Piedra 1: Pierna 15 supera a Suma 14."),
    ],
)
def test_without_json_it_speaks_sentences(lang: str, said: str) -> None:
    result = adjudicate("-", "--lang", lang, stdin=json.dumps(EXAMPLE))
    assert result.exit_code == 0
    assert said in result.stdout


def test_a_won_position_says_who_has_won() -> None:
    result = adjudicate("-", stdin=json.dumps({"stones": [{"owner": "A"}] * 3}))
    assert result.stdout.splitlines()[-1].strip() == "A has won."


def refused(result: Result) -> str:
    """The one sentence on stderr."""
    assert result.exit_code == 2
    (sentence,) = result.stderr.splitlines()
    return sentence


def test_answers_before_a_bad_position_are_given(tmp_path: Path) -> None:
    good = written(tmp_path, "good.json", EXAMPLE)
    bad = written(tmp_path, "bad.json", {"stones": [{"A": ["g0"]}]})
    result = adjudicate(good, bad, good, "--json")
    assert len(result.stdout.splitlines()) == 1
    assert f"{bad}: Stone 1, side A, card 1: 'g0' is no card" in refused(result)


def test_a_bad_line_is_named_by_its_number() -> None:
    result = adjudicate("-", "--json", stdin=f"{json.dumps(EXAMPLE)}\n{{\n")
    assert "standard input (one document a line), line 2: this is not JSON" in refused(result)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    assert "No such file" in refused(adjudicate(tmp_path / "nowhere.json"))
    assert "Is a directory" in refused(adjudicate(tmp_path))
    assert "cannot be the name of a file" in refused(adjudicate("a\0b"))
    assert "no position was given" in refused(adjudicate())


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.json").touch()
    assert "this is not JSON" in refused(adjudicate(tmp_path / "empty.json"))


def test_a_file_name_that_is_no_text_is_no_obstacle(tmp_path: Path) -> None:
    file = written(tmp_path, "caf\udce9.json", EXAMPLE)
    result = adjudicate(file)
    assert result.exit_code == 0
    assert "A may claim Stone 1" in result.stdout


def stumbles(result: Result) -> bool:
    return result.exit_code not in (0, 2) or "Traceback" in result.output


@given(st.binary(max_size=200))
def test_garbage_never_makes_it_stumble(garbage: bytes) -> None:
    assert not stumbles(adjudicate("-", "--json", stdin=garbage))


@given(contested_positions, st.data())
def test_a_damaged_position_never_makes_it_stumble(position: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(position)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 12)))
    damaged = text[:start] + data.draw(st.text(max_size=8)) + text[end:]
    assert not stumbles(adjudicate("-", "--json", stdin=damaged.encode("utf-8", "surrogatepass")))


def test_the_installed_command_answers_a_pipe() -> None:
    command = Path(sys.executable).with_name("marchwarden")
    run = subprocess.run(
        [command, "adjudicate", "-", "--json"], input=json.dumps(EXAMPLE), capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert json.loads(run.stdout)["claims"][0]["why"] == "stronger"
