"""`marchwarden read` and `enroll` as a player's script meets them."""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from firmware.cli import marchwarden
from firmware.decks import find_deck
from firmware.pictures import read_picture
from firmware.printing.deck import CLAN_CODES, STONE_CODES, TACTIC_CODES, draw
from firmware.simulation.board import Board
from tests.vision.drawn import deck, photograph


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(marchwarden, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def decks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("decks")
    deck().save(folder)
    return folder


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("photos") / "table.jpg"
    cv2.imwrite(str(path), photograph(Board({"1A": ("r1", "g5"), "4B": ("y8",)}, {"D1": "spy"}), 31))
    return path


def test_a_photograph_is_one_document_on_one_line(decks: Path, photo: Path) -> None:
    result = _run("read", photo, photo, "--deck", "drawn", "--decks", decks, "--json")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert len(lines) == 2
    document = json.loads(lines[0])
    assert list(document) == ["image", "stones", "discard", "cards", "unreadable", "elapsed_ms"]
    assert document["stones"][0] == {"stone": 1, "A": ["r1", "g5"], "B": [], "modes": [], "tile": "border"}
    assert document["stones"][3]["B"] == ["y8"]
    assert document["discard"] == ["spy"]
    assert {card["where"] for card in document["cards"]} == {"1A1", "1A2", "4B1", "D1"}
    assert all(len(card["corners_px"]) == 4 for card in document["cards"])
    assert document["unreadable"] == []


def _vast_png() -> bytes:
    """A small file that claims to be a picture of 3,600 million pixels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(1000))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*each) for each in chunks)


@pytest.mark.parametrize("kind", ["text", "empty", "cut", "vast", "black", "bare", "absent"])
def test_what_is_no_photograph_of_a_table_is_refused_in_one_sentence(
    kind: str, decks: Path, photo: Path, tmp_path: Path
) -> None:
    path = tmp_path / f"{kind}.jpg"
    contents = {"text": b"no picture", "empty": b"", "cut": photo.read_bytes()[:40000], "vast": _vast_png()}
    if kind in contents:
        path.write_bytes(contents[kind])
    elif kind in ("black", "bare"):
        cv2.imwrite(str(path), np.full((720, 1280, 3), 2 if kind == "black" else 140, np.uint8))
    result = _run("read", path, "--deck", "drawn", "--decks", decks, "--json")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert path.name in result.stderr
    assert "Traceback" not in result.stderr


def test_what_can_be_read_is_read_although_another_image_cannot(decks: Path, photo: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.png"
    bad.write_bytes(b"nothing")
    result = _run("read", bad, photo, "--deck", "drawn", "--decks", decks, "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["stones"][3]["B"] == ["y8"]
    assert "bad.png" in result.stderr


def test_a_name_that_no_file_can_have_hides_none_of_the_other_images(decks: Path, photo: Path) -> None:
    for command in ("read", "scan"):
        result = _run(command, "x" * 300, photo, "--deck", "drawn", "--decks", decks, "--json")
        assert result.exit_code == 2
        assert json.loads(result.stdout)["image"] == str(photo)
        assert "x cannot be read: give a whole JPEG or PNG p" in result.stderr


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("reading.text", "is no picture; name a .jpg or .png file"),
        ("nowhere/reading.png", "cannot be used (No such file"),
    ],
)
def test_a_reading_that_cannot_be_drawn_is_said_so(
    name: str, said: str, decks: Path, photo: Path, tmp_path: Path
) -> None:
    result = _run("read", photo, "--deck", "drawn", "--decks", decks, "--picture", tmp_path / name)
    assert result.exit_code == 2
    assert f"{name} {said}" in result.stderr


def test_pictures_are_kept_under_names_that_are_no_text(photo: Path, decks: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "caf\udce9.PNG"
    assert _run("read", photo, "--deck", "drawn", "--decks", decks, "--picture", drawn).exit_code == 0
    assert read_picture(drawn) is not None


def test_our_own_deck_is_drawn_where_nobody_has_enrolled_one(photo: Path, tmp_path: Path) -> None:
    told = _run("read", photo, "--deck", "drawn", "--decks", tmp_path, "--json")
    assert told.exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["drawn.deck.npz"]


def test_an_unknown_deck_is_named_with_those_that_exist(decks: Path, photo: Path) -> None:
    result = _run("read", photo, "--deck", "nobodys", "--decks", decks)
    assert result.exit_code == 2
    assert "nobodys" in result.stderr
    assert "drawn" in result.stderr


def _scans(folder: Path, codes: tuple[str, ...]) -> Path:
    folder.mkdir()
    for code in codes:
        cv2.imwrite(str(folder / f"{code}.png"), draw(code, 2.2))
    return folder


def test_missing_and_unreadable_scans_are_all_named_in_one_report(tmp_path: Path) -> None:
    scans = _scans(tmp_path / "scans", (*CLAN_CODES[:-2], *TACTIC_CODES[:-1]))
    (scans / f"{CLAN_CODES[0]}.png").write_bytes(b"no picture")
    result = _run("enroll", "mine", "--from", scans, "--decks", tmp_path / "decks")
    assert result.exit_code == 2
    for code in (*CLAN_CODES[-2:], TACTIC_CODES[-1], f"{CLAN_CODES[0]}.png"):
        assert code in result.stderr
    assert not list(tmp_path.glob("decks/*"))


def test_a_deck_of_any_words_can_be_enrolled(tmp_path: Path) -> None:
    scans = tmp_path / "scans"
    scans.mkdir()
    for name, code in (("uno-red-7", "r7"), ("h10", "b2"), ("queen", "joker1")):
        cv2.imwrite(str(scans / f"{name}.jpg"), draw(code, 4.0))
    result = _run("enroll", "words", "--from", scans, "--decks", tmp_path / "decks", "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["cards"] == ["h10", "queen", "uno-red-7"]
    assert [path.name for path in (tmp_path / "decks").iterdir()] == ["words.deck.npz"]


def test_what_is_hidden_among_scans_is_no_scan(tmp_path: Path) -> None:
    scans = _scans(tmp_path / "scans", CLAN_CODES)
    (scans / "._r1.png").write_bytes(b"what another system keeps beside r1.png")
    (scans / ".r1.part.png").write_bytes((scans / "r1.png").read_bytes())
    result = _run("enroll", "base", "--from", scans, "--decks", tmp_path / "decks", "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["cards"] == sorted(CLAN_CODES)


def test_codes_of_other_decks_stay_as_they_were_written(tmp_path: Path) -> None:
    scans = tmp_path / "scans"
    scans.mkdir()
    for name, code in (("Ah.JPG", "r7"), ("aH.jpg", "b2"), ("KING.png", "joker1"), ("Back.png", "back")):
        cv2.imwrite(str(scans / name), draw(code, 4.0))
    result = _run("enroll", "poker", "--from", scans, "--decks", tmp_path / "decks", "--json")
    assert result.exit_code == 0, result.stderr
    report = json.loads(result.stdout)
    assert (report["cards"], report["backs"]) == (["Ah", "KING", "aH"], ["back"])


def test_codes_of_our_games_are_the_same_however_a_scanner_writes_them(tmp_path: Path) -> None:
    scans = tmp_path / "scans"
    scans.mkdir()
    for code in CLAN_CODES:
        cv2.imwrite(str(scans / f"{code.upper()}.PNG"), draw(code, 2.2))
    result = _run("enroll", "base", "--from", scans, "--decks", tmp_path / "decks", "--json")
    assert json.loads(result.stdout)["cards"] == sorted(CLAN_CODES)


def test_a_deck_with_the_name_of_a_file_is_found_by_it(photo: Path, tmp_path: Path) -> None:
    for name in ("old.npz", "old.deck.npz"):
        replace(deck(), name=name).save(tmp_path)
        assert _run("scan", photo, "--deck", name, "--decks", tmp_path).exit_code == 0
        assert find_deck(name, tmp_path).name == name
    assert _run("scan", photo, "--deck", tmp_path / "old.npz.deck.npz", "--decks", photo.parent).exit_code == 0


def test_a_base_game_without_tactics_and_stones_is_fine_but_said(tmp_path: Path) -> None:
    scans = _scans(tmp_path / "scans", CLAN_CODES)
    result = _run("enroll", "base", "--from", scans, "--decks", tmp_path / "decks", "--json")
    assert result.exit_code == 0, result.stderr
    notes = " ".join(json.loads(result.stdout)["notes"])
    assert "Tactic" in notes
    assert "Stones" in notes
    assert len(STONE_CODES) == 9
