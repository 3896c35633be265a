"""`marchwarden evaluate` and `marchwarden scan`: real commands on a small deck, real errors in one sentence."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from firmware.cli import marchwarden
from firmware.evaluation import BadFolder, folder_cases
from firmware.printing import deck
from firmware.simulation.album import Album, Case, Recipe
from firmware.simulation.other_decks import colour_cards
from vision.enrol import Enrolment


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(marchwarden, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def case() -> Case:
    """One faultless photograph."""
    return Album(Recipe(flaws="none", fill=(0.15, 0.2), seed=4)).case(0)


@pytest.fixture(scope="module")
def decks(case: Case, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As much of the drawn deck as is needed and a deck of another game, enrolled."""
    shown = {code for codes in case.truth.cards.values() for code in codes}
    folder = tmp_path_factory.mktemp("decks")
    drawn, other = Enrolment("drawn"), Enrolment("other")
    for code in sorted(shown | {*deck.STONE_CODES, "back", "g1", "g5", "o7", "r3", "joker2"}):
        drawn.take(code, deck.draw(code, 3.0))
    for code, picture in colour_cards().items():
        other.take(code, picture)
    for enrolment in (drawn, other):
        enrolment.deck().save(folder)
    return folder


@pytest.fixture(scope="module")
def photographs(case: Case, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One faultless photograph with its truth, one without."""
    folder = tmp_path_factory.mktemp("photographs")
    cv2.imwrite(str(folder / "one.png"), case.pixels_bgr)
    cv2.imwrite(str(folder / "untold.png"), case.pixels_bgr[:64, :64])
    stones = [
        {
            "stone": n,
            "A": case.truth.cards.get(f"{n}A", ()),
            "B": case.truth.cards.get(f"{n}B", ()),
            "modes": case.truth.cards.get(f"{n}M", ()),
            "tile": case.truth.tiles[f"stone{n}"],
        }
        for n in range(1, 10)
    ]
    document = {"image": "one.png", "stones": stones, "discard": case.truth.cards.get("D", ())}
    (folder / "truth.json").write_text(json.dumps(document) + "\n")
    return folder


def test_a_folder_with_truth_is_read_and_counted(decks: Path, photographs: Path, tmp_path: Path) -> None:
    result = run("evaluate", photographs, "--deck", "drawn", "--decks", decks, "--report", tmp_path / "r", "--json")
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert figures["photographs"] == 1
    assert figures["cards"] > 3
    assert figures["wrong"] == 0
    assert figures["right"] >= 0.8 * figures["cards"]
    assert set(figures["ms_by_stage"]) == {"rectify", "read"}
    assert (tmp_path / "r" / "index.html").read_text().startswith("<!doctype html>")


def test_every_error_has_its_picture_in_the_report(decks: Path, photographs: Path, tmp_path: Path) -> None:
    told = json.loads((photographs / "truth.json").read_text())
    told["stones"][0]["A"], told["stones"][0]["tile"] = ["joker2"], "missing"
    shutil.copy(photographs / "one.png", tmp_path)
    (tmp_path / "one.json").write_text(json.dumps(told))
    report = tmp_path / "report"
    result = run("evaluate", tmp_path, "--deck", "drawn", "--decks", decks, "--report", report)
    assert result.exit_code == 0, result.output
    page = (report / "index.html").read_text()
    assert "joker2 lies there" in page
    assert len(list(report.glob("*.png"))) == page.count("<figure>") >= 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--deck", "drawn"], "either a FOLDER"),
        (["no-such-folder", "--deck", "drawn"], "no folder"),
        (["--deck", "none", "--rendered", "1"], "no deck"),
        (["--deck", "drawn", "--rendered", "1", "--size", "big"], "no size"),
        (["--deck", "drawn", "--rendered", "1", "--artwork", "nowhere"], "no folder"),
    ],
)
def test_bad_input_to_evaluate_gets_one_sentence(decks: Path, arguments: list[str], words: str) -> None:
    result = run("evaluate", *arguments, "--decks", decks)
    assert result.exit_code == 2
    assert words in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_folder_without_truth_is_refused(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "one.png"), np.zeros((64, 64, 3), np.uint8))
    with pytest.raises(BadFolder, match="no photograph with its truth"):
        folder_cases(tmp_path)


def test_scan_prints_a_line_for_each_image(decks: Path, tmp_path: Path) -> None:
    cards = colour_cards()
    table = np.full((700, 1000, 3), (70, 90, 60), np.uint8)
    for left, code in ((80, "card-red-7"), (540, "card-green-4")):
        small = cv2.resize(cards[code], (240, 343), interpolation=cv2.INTER_AREA)
        table[150:493, left : left + 240] = small
    cv2.imwrite(str(tmp_path / "two.png"), table)
    cv2.imwrite(str(tmp_path / "none.png"), np.full((300, 400, 3), 90, np.uint8))
    result = run("scan", tmp_path / "two.png", tmp_path / "none.png", "--deck", "other", "--decks", decks, "--json")
    assert result.exit_code == 0, result.output
    two, none = (json.loads(line) for line in result.stdout.splitlines())
    assert [card["code"] for card in two["cards"]] == ["card-red-7", "card-green-4"]
    assert none["cards"] == []
    assert set(two) == {"image", "cards", "elapsed_ms"}


def test_scan_refuses_what_is_no_picture_in_one_sentence(decks: Path, tmp_path: Path) -> None:
    (tmp_path / "not.jpg").write_text("words")
    result = run("scan", tmp_path / "not.jpg", "--deck", "other", "--decks", decks, "--json")
    assert result.exit_code == 2
    assert "is no picture" in result.stderr
    assert result.stdout == ""


@pytest.mark.long
def test_rendered_photographs_are_measured_with_a_process_of_their_own(tmp_path: Path) -> None:
    enrolment = Enrolment("drawn")
    for code in deck.CODES:
        enrolment.take(code, deck.draw(code, 6.0))
    enrolment.deck().save(tmp_path)
    decks = tmp_path
    result = run("evaluate", "--deck", "drawn", "--decks", decks, "--rendered", "4", "--flaws", "normal", "--json")
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert figures["photographs"] == 4
    assert figures["wrong"] == 0
    assert figures["accuracy"] > 0.95
