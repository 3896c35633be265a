"""`marchwarden print`: files of the right kind and size, and one sentence for whatever cannot be done."""

from __future__ import annotations

import stat
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from firmware.cli import marchwarden
from firmware.printing import deck
from vision.layout import schotten_totten


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(marchwarden, ["print", *map(str, words)])


def assert_one_sentence(result: Result, *parts: str) -> None:
    assert result.exit_code == 2
    assert result.stdout == ""
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("marchwarden: ")
    assert lines[0].endswith(".")
    for part in parts:
        assert part in lines[0]


@pytest.mark.parametrize("px_per_mm", [1, 3, 4])
def test_the_mats_picture_has_its_size_times_the_scale(tmp_path: Path, px_per_mm: int) -> None:
    file = tmp_path / "mat.png"
    assert run("mat", "--png", file, "--px-per-mm", str(px_per_mm)).exit_code == 0
    width, height = schotten_totten().size_mm
    with Image.open(file) as picture:
        assert picture.size == (int(width) * px_per_mm, int(height) * px_per_mm)
        assert picture.info["dpi"] == pytest.approx((px_per_mm * 25.4,) * 2, rel=0.01)


def test_mat_and_markers_are_written_as_pdf(tmp_path: Path) -> None:
    for thing in ("mat", "markers", "stones"):
        file = tmp_path / f"{thing}.pdf"
        assert run(thing, "--pdf", file, "--paper", "Letter").exit_code == 0
        assert file.read_bytes().startswith(b"%PDF-")


def test_the_deck_as_a_folder_is_complete_and_as_drawn(tmp_path: Path) -> None:
    folder = tmp_path / "deck"
    assert run("deck", "--png-dir", folder, "--px-per-mm", "2").exit_code == 0
    assert {file.name for file in folder.iterdir()} == {f"{code}.png" for code in deck.CODES}
    for code in ("g5", "joker2", "stone9", "tactic-back"):
        written = cv2.imread(str(folder / f"{code}.png"))
        assert written is not None
        assert np.array_equal(written, deck.draw(code, 2.0))


def test_stones_and_markers_as_a_folder(tmp_path: Path) -> None:
    assert run("stones", "--png-dir", tmp_path, "--px-per-mm", "2").exit_code == 0
    assert run("markers", "--png-dir", tmp_path, "--px-per-mm", "2", "--size", "30").exit_code == 0
    assert sorted(file.stem for file in tmp_path.glob("stone*")) == sorted(deck.STONE_CODES)
    with Image.open(tmp_path / "marker7.png") as picture:
        assert picture.size == (80, 80)


def test_an_unknown_paper_is_named_with_those_that_there_are(tmp_path: Path) -> None:
    assert_one_sentence(run("mat", "--pdf", tmp_path / "m.pdf", "--paper", "foolscap"), "foolscap", "a4", "letter")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("value", ["0", "-3", "500", "nan", "inf"])
def test_a_scale_out_of_range_is_refused(tmp_path: Path, value: str) -> None:
    assert_one_sentence(run("mat", "--png", tmp_path / "m.png", "--px-per-mm", value), "--px-per-mm", "from 1 to 16")


def test_a_marker_too_large_for_the_paper_is_refused(tmp_path: Path) -> None:
    assert_one_sentence(run("markers", "--pdf", tmp_path / "m.pdf", "--size", "500"), "--size", "120")


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    assert_one_sentence(run("mat", "--pdf", tmp_path / "nowhere" / "m.pdf"), "nowhere")
    assert_one_sentence(run("stones", "--pdf", tmp_path), str(tmp_path))


def test_a_folder_whose_parent_does_not_exist_is_refused(tmp_path: Path) -> None:
    assert_one_sentence(run("deck", "--png-dir", tmp_path / "no" / "deck"), str(tmp_path / "no"), "does not exist")


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    taken = tmp_path / "deck"
    taken.write_text("already a file")
    assert_one_sentence(run("deck", "--png-dir", taken), str(taken))
    assert stat.S_ISREG(taken.stat().st_mode)


@pytest.mark.parametrize("thing", ["mat", "markers", "deck", "stones"])
def test_asking_for_nothing_says_what_can_be_asked_for(thing: str) -> None:
    assert_one_sentence(run(thing), "--pdf FILE")


def test_an_unknown_game_is_refused(tmp_path: Path) -> None:
    assert_one_sentence(run("mat", "--png", tmp_path / "m.png", "--game", "whist"), "whist", "schotten-totten")
