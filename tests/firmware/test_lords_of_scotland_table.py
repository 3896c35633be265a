"""Lords of Scotland on the table: photographs read, measured and enrolled by the commands people use."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner, Result

from firmware.cli import marchwarden
from firmware.cli.enroll import missing_from
from firmware.printing.deck import deck_of
from firmware.simulation.album import Album, Case, Recipe
from tests.vision.spreads import deck

GAME = "lords-of-scotland"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(marchwarden, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def decks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("decks")
    deck().save(folder)
    return folder


@pytest.fixture(scope="module")
def case() -> Case:
    return Album(Recipe(game=GAME, flaws="none", seed=4)).case(1)


@pytest.fixture(scope="module")
def photographs(case: Case, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A photograph beside its truth."""
    folder = tmp_path_factory.mktemp("photographs")
    cv2.imwrite(str(folder / "one.png"), case.pixels_bgr)
    cards = [
        {"code": label.rstrip("!"), "where": place, "sideways": label.endswith("!")}
        for place, labels in case.truth.cards.items()
        for label in labels
    ]
    truth = {"image": "one.png", "cards": cards, "tokens": dict(case.truth.tiles)}
    (folder / "one.json").write_text(json.dumps(truth))
    return folder


def test_a_photograph_is_read_into_armies_recruits_and_supporters(decks: Path, photographs: Path, case: Case) -> None:
    picture = photographs / "one.png"
    result = run("read", picture, "--deck", "drawn", "--decks", decks, "--game", GAME, "--json")
    assert result.exit_code == 0, result.stderr
    document = json.loads(result.stdout)
    for seat, codes in document["armies"].items():
        assert sorted(codes) == sorted(label.rstrip("!") for label in case.truth.cards.get(f"army{seat}", ()))
    assert document["tokens"]["initiative"] == case.truth.tiles["initiative"]
    assert document["unreadable"] == []


def test_photographs_with_truth_are_measured(decks: Path, photographs: Path) -> None:
    result = run("evaluate", photographs, "--deck", "drawn", "--decks", decks, "--game", GAME, "--json")
    assert result.exit_code == 0, result.stderr
    figures = json.loads(result.stdout)
    assert (figures["accuracy"], figures["wrong"], figures["boards_exact"]) == (1.0, 0, 1.0)


def test_a_mat_of_the_other_game_is_one_sentence(decks: Path, tmp_path: Path) -> None:
    (tmp_path / "no.png").write_bytes(b"no picture")
    result = run("read", tmp_path / "no.png", "--deck", "drawn", "--decks", decks, "--game", GAME, "--json")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1


def test_enrolment_knows_what_a_deck_of_98_lacks() -> None:
    whole = set(deck_of(GAME).enrolled)
    assert missing_from(whole) == ([], [])
    assert missing_from(whole - {"scott7", "back"}) == (["scott7", "back"], [])
    missing, notes = missing_from(whole - {"bruce1", "bruce2"})
    assert missing == []
    assert "Bruce" in notes[0]
    assert missing_from(whole - {"bruce2"})[0] == ["bruce2"]
