"""`marchwarden table`: the geometry as other programs rely on it."""

from __future__ import annotations

import json

from click.testing import CliRunner

from firmware.cli import marchwarden
from vision.layout import as_document, schotten_totten
from vision.lords_of_scotland import lords_of_scotland


def test_json_is_one_document_with_the_whole_geometry() -> None:
    result = CliRunner().invoke(marchwarden, ["table", "--json"])
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document == json.loads(json.dumps(as_document(schotten_totten())))
    assert set(document) == {
        "game", "size_mm", "card_mm", "stone_mm", "columns", "discard_mm", "discard_rotation",
    }  # fmt: skip
    assert [column["stone"] for column in document["columns"]] == list(range(1, 10))
    for column in document["columns"]:
        assert column["A"]["first_mm"][1] > column["stone_mm"][1] > column["B"]["first_mm"][1]
        assert column["A"]["step_mm"][1] > 0 > column["B"]["step_mm"][1]
        assert (column["A"]["rotation"], column["B"]["rotation"]) == (0, 180)
        assert len(column["modes_mm"]) == 2
    assert len(document["discard_mm"]) >= 6


def test_the_summary_names_every_place() -> None:
    result = CliRunner().invoke(marchwarden, ["table"])
    assert result.exit_code == 0
    layout = schotten_totten()
    words = result.stdout.split()
    for name in (*(t.code for t in layout.tiles), *(f.place for f in layout.fans), *(s.place for s in layout.spots)):
        assert name in words
    assert "736 × 513 mm" in result.stdout


def test_an_unknown_game_is_one_sentence() -> None:
    result = CliRunner().invoke(marchwarden, ["table", "--game", "whist", "--json"])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == (
        "marchwarden: there is no table for the game “whist”; --game takes schotten-totten or lords-of-scotland.\n"
    )


def test_the_second_game_has_a_geometry_of_its_own() -> None:
    result = CliRunner().invoke(marchwarden, ["table", "--game", "lords-of-scotland", "--json"])
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert set(document) == {
        "game", "size_mm", "card_mm", "token_mm", "armies", "recruits_mm", "recruits_rotation", "supporters",
        "deck_mm", "discard_mm", "tokens", "token_marker_mm",
    }  # fmt: skip
    assert list(document["armies"]) == list("ABCDE")
    assert {seat: army["rotation"] for seat, army in document["armies"].items()} == {
        "A": 0, "B": 180, "C": 180, "D": 270, "E": 0,
    }  # fmt: skip
    assert document["armies"]["A"]["middle_mm"][1] > document["deck_mm"][1] > document["armies"]["B"]["middle_mm"][1]
    assert len(document["recruits_mm"]) == 5
    assert len(set(document["tokens"].values())) == 10


def test_the_second_games_summary_names_every_place() -> None:
    result = CliRunner().invoke(marchwarden, ["table", "--game", "lords-of-scotland"])
    assert result.exit_code == 0
    layout = lords_of_scotland()
    for name in (*(r.place for r in layout.regions), *(s.place for s in layout.spots), "deck", "discard", "initiative"):
        assert name in result.stdout.split()
