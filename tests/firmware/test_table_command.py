"""`marchwarden table`: the geometry as other programs rely on it."""

from __future__ import annotations

import json

from click.testing import CliRunner

from firmware.cli import marchwarden
from vision.layout import as_document, schotten_totten


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
    assert result.stderr == "marchwarden: there is no table for the game “whist”; --game takes schotten-totten.\n"
