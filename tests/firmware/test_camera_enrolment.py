"""A deck enrolled in front of the simulated camera, card by card: guided, resumed after a break, re-taken, and good
enough to tell its cards apart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from engine.schotten_totten.cards import ALL_CARDS, STONES
from engine.table import Change, Code, Piece, Place
from firmware.cli.enroll import command, taken_from
from firmware.drivers.camera_folder import Driver as FolderCamera
from firmware.drivers.camera_simulated import Driver as SimulatedCamera
from firmware.enrolment import ODD_FRAMES, CardByCard, Shelf
from firmware.evaluation import Measurement, measure
from firmware.games import refereed
from firmware.gestures import Press
from firmware.ports import Button, Frame
from firmware.printing.deck import draw
from firmware.simulation.album import Recipe, rendered
from firmware.simulation.open_table import OpenTable
from firmware.workbench import frames
from hardware_config.settings import FolderCamera as FolderSettings
from hardware_config.settings import SimulatedCamera as Settings
from vision.deck import Deck
from vision.enrol import Enrolment
from vision.frame import Picture
from vision.layout import schotten_totten
from vision.read import Reader

CODES = ("g5", "g6", "stone3", "back")
PLACE, SEED = "5A", 3
EMPTY, WITH, AFTER = 4, 3, 1  # frames of the empty mat, with each card, and after each


def filmed(codes: tuple[str, ...], size: tuple[int, int] = (1600, 900), place: str = PLACE) -> Iterator[Picture]:
    """What the camera sees while somebody lays one card after the other."""
    print(f"seed {SEED}")
    camera = SimulatedCamera(Settings(size=size, flaws="normal"), seed=SEED)
    yield from (camera.read().pixels_bgr for _ in range(EMPTY))
    for code in codes:
        piece, number = Piece(Code(code)), code.removeprefix("stone")
        where = Place(f"{number}claimedA" if code.startswith("stone") else place)
        camera.table.apply([Change(piece, None, where)])
        yield from (camera.read().pixels_bgr for _ in range(WITH))
        camera.table.apply([Change(piece, where, None)])
        yield from (camera.read().pixels_bgr for _ in range(AFTER))


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("film")
    for n, pixels in enumerate(filmed(CODES)):
        cv2.imwrite(str(folder / f"{n:03}.png"), pixels, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    return folder


@pytest.fixture(scope="module")
def shots(film: Path) -> list[Frame]:
    return list(frames(FolderCamera(FolderSettings(driver="folder", path=str(film)))))


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "cards")


def cards(shelf: Shelf, codes: tuple[str, ...] = CODES) -> CardByCard:
    return CardByCard(codes, schotten_totten(), shelf)


def test_each_card_is_asked_for_taken_and_sent_away(shots: list[Frame], shelf: Shelf) -> None:
    enrolling = cards(shelf)
    said = [enrolling.look(frame, ()) for frame in shots[: EMPTY + 2 * (WITH + AFTER)]]
    assert [one.name for one in said] == [
        "clear-mat", "clear-mat", "clear-mat", "show-card",
        "show-card", "show-card", "next-card", "show-card",
        "show-card", "show-card", "next-card", "show-card",
    ]  # fmt: skip
    assert dict(said[EMPTY - 1].about) == {"card": "g5", "number": 1, "count": 4}
    assert dict(said[-1].about) == {"card": "stone3", "number": 3, "count": 4}
    assert shelf.codes() == {"g5", "g6"}


def test_a_card_that_stays_is_not_taken_for_the_next_one(shots: list[Frame], shelf: Shelf) -> None:
    enrolling = cards(shelf)
    for frame in shots[: EMPTY + WITH]:
        enrolling.look(frame, ())
    for _ in range(4):
        assert enrolling.look(shots[EMPTY + WITH - 1], ()).name == "next-card"
    assert shelf.codes() == {"g5"}


def test_after_a_break_it_goes_on_where_it_stopped(shots: list[Frame], shelf: Shelf) -> None:
    first = cards(shelf)
    for frame in shots[: EMPTY + WITH + AFTER]:
        first.look(frame, ())
    stopped = first.look(shots[0], (Press(Button.PAUSE),))
    assert (stopped.name, dict(stopped.about)["number"]) == ("enrolment-stopped", 1)
    assert first.is_stopped
    again = cards(shelf)
    assert dict([again.look(frame, ()) for frame in shots[:EMPTY]][-1].about)["card"] == "g6"


def test_undo_asks_for_the_last_card_once_more(shots: list[Frame], shelf: Shelf) -> None:
    enrolling = cards(shelf)
    for frame in shots[: EMPTY + WITH + AFTER]:
        enrolling.look(frame, ())
    asked = enrolling.look(shots[0], (Press(Button.UNDO),))
    assert dict(asked.about)["card"] == "g5"
    assert shelf.codes() == set()


def test_undo_while_the_card_still_lies_there_takes_it_once_more(shots: list[Frame], shelf: Shelf) -> None:
    enrolling = cards(shelf)
    for frame in shots[: EMPTY + WITH]:
        enrolling.look(frame, ())
    again = enrolling.look(shots[EMPTY + WITH - 1], (Press(Button.UNDO),))
    assert (again.name, dict(again.about)["card"]) == ("show-card", "g5")
    said = [enrolling.look(shots[EMPTY + WITH - 1], ()).name for _ in range(WITH - 1)]
    assert said[-1] == "next-card"
    assert shelf.codes() == {"g5"}


def test_a_mat_with_a_card_on_it_is_not_taken_for_an_empty_one(shots: list[Frame], shelf: Shelf) -> None:
    enrolling = cards(shelf)
    assert {enrolling.look(shots[EMPTY], ()).name for _ in range(3 * EMPTY)} == {"clear-mat"}
    said = [enrolling.look(frame, ()).name for frame in (*shots[:EMPTY], *shots[EMPTY : EMPTY + WITH])]
    assert said[-WITH - 1 :] == ["show-card", "show-card", "show-card", "next-card"]
    assert shelf.codes() == {"g5"}


def test_a_card_that_lay_there_from_the_beginning_is_not_taken_when_it_goes(shots: list[Frame], shelf: Shelf) -> None:
    """Somebody said with TURN that the mat is empty: what then is seen where the card was is no card."""
    enrolling = cards(shelf)
    for _ in range(EMPTY - 1):
        enrolling.look(shots[EMPTY], ())
    assert enrolling.look(shots[EMPTY], (Press(Button.TURN),)).name == "show-card"
    said = [enrolling.look(shots[0], ()).name for _ in range(2 * EMPTY)]
    assert said[-1] == "show-card"
    assert "next-card" not in said
    assert shelf.codes() == set()


def test_cards_of_lords_of_scotland_are_taken_on_their_own_mat(shelf: Shelf) -> None:
    game = refereed("lords-of-scotland")
    camera = SimulatedCamera(Settings(size=(1600, 900), flaws="normal"), seed=SEED)
    table = OpenTable(game.layout, game.places, camera.habits, SEED)
    camera.table, width, height = table, *game.layout.size_mm  # type: ignore[assignment]
    table.restore(())
    enrolling = CardByCard(("scott7",), game.layout, shelf)
    empty = [enrolling.look(camera.read(), ()).name for _ in range(EMPTY)]
    table.put("scott7", (width / 2, 0.785 * height), 3.0)
    said = [enrolling.look(camera.read(), ()).name for _ in range(WITH)]
    assert (empty[-1], said[-1], shelf.codes()) == ("show-card", "all-taken", {"scott7"})


def test_the_turn_button_takes_what_lies_there_at_once(shots: list[Frame], shelf: Shelf) -> None:
    enrolling = cards(shelf)
    for frame in shots[:EMPTY]:
        enrolling.look(frame, ())
    assert enrolling.look(shots[EMPTY], (Press(Button.TURN),)).name == "next-card"


def test_a_card_is_taken_on_either_half_of_the_mat(shelf: Shelf) -> None:
    film_of_b = list(filmed(("g5",), place="5B"))
    enrolling = cards(shelf, ("g5",))
    said = [enrolling.look(Frame(n, pixels, n / 10), ()).name for n, pixels in enumerate(film_of_b)]
    assert said[EMPTY:] == ["show-card", "show-card", "all-taken", "all-taken"]
    assert shelf.codes() == {"g5"}


def test_what_lies_there_and_is_not_one_card_alone_is_said_when_it_stays(shots: list[Frame], shelf: Shelf) -> None:
    enrolling = cards(shelf)
    for frame in shots[:EMPTY]:
        enrolling.look(frame, ())
    two = shots[EMPTY].pixels_bgr.copy()
    height, width = two.shape[:2]
    right = two[:, : width // 2].copy()
    two[:, width // 2 :] = cv2.resize(right, (width - width // 2, height))  # another card beside it
    cv2.rectangle(two, (300, 600), (420, 800), (40, 40, 160), -1)
    said = [enrolling.look(Frame(9 + n, two, 1.0 + n / 10), ()) for n in range(ODD_FRAMES + 1)]
    assert [one.name for one in said[:-2]] == ["show-card"] * (ODD_FRAMES - 1)
    assert (said[-1].name, dict(said[-1].about)) == ("not-alone", {"card": "g5"})
    assert enrolling.look(shots[0], ()).name == "show-card"


def test_a_mat_that_was_moved_is_learnt_anew_when_the_turn_button_is_pressed(shots: list[Frame], shelf: Shelf) -> None:
    enrolling = cards(shelf)
    for frame in shots[:EMPTY]:
        enrolling.look(frame, ())

    def moved(frame: Frame) -> Frame:
        by = np.array([[1.0, 0.02, 14.0], [-0.02, 1.0, 30.0]])
        return Frame(frame.number, np.asarray(cv2.warpAffine(frame.pixels_bgr, by, (1600, 900)), np.uint8), 1.0)

    for frame in shots[EMPTY : EMPTY + WITH]:
        assert enrolling.look(moved(frame), ()).name != "next-card"
    assert enrolling.look(moved(shots[0]), (Press(Button.TURN),)).name == "clear-mat"
    said = [enrolling.look(moved(frame), ()).name for frame in shots[: EMPTY + WITH]]
    assert said[-1] == "next-card"
    assert shelf.codes() == {"g5"}


def test_a_card_where_a_stone_was_asked_for_is_not_taken(shots: list[Frame], shelf: Shelf) -> None:
    enrolling = cards(shelf, ("stone1", "g5"))
    said = [enrolling.look(frame, ()).name for frame in shots[: EMPTY + WITH]]
    assert "next-card" not in said
    assert shelf.codes() == set()


def test_a_hand_that_moves_over_the_mat_takes_nothing(shots: list[Frame], shelf: Shelf) -> None:
    enrolling = cards(shelf)
    for frame in shots[:EMPTY]:
        enrolling.look(frame, ())
    for n in range(6):
        covered = shots[0].pixels_bgr.copy()
        cv2.ellipse(covered, (750 + 20 * n, 700), (75, 250), 10, 0, 360, (120, 150, 200), -1)
        assert enrolling.look(Frame(9 + n, covered, 1.0), ()).name == "show-card"
    assert shelf.codes() == set()


def test_no_mat_is_said(shelf: Shelf) -> None:
    assert cards(shelf).look(Frame(1, np.full((720, 1280, 3), 90, np.uint8), 0.0), ()).name == "no-mat"


def test_the_command_makes_a_deck_that_tells_its_cards_apart(
    film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARCHWARDEN_DATA", str(tmp_path))
    monkeypatch.setenv("MARCHWARDEN_HARDWARE", str(tmp_path / "hardware.toml"))
    (tmp_path / "hardware.toml").write_text(f'[camera]\ndriver = "folder"\npath = "{film}"\n')
    done = CliRunner().invoke(command, ["mine", "--codes", ",".join(CODES), "--json"])
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert document["cards"] == ["g5", "g6"]
    assert document["stones"] == ["stone3"]
    deck = Deck.load(Path(document["file"]))
    drawn = Enrolment("drawn")
    for code in CODES:
        drawn.take(code, draw(code, 6.0))
    for code in ("g5", "g6"):
        apart = {other: float(np.abs(deck.face(code).astype(int) - drawn.faces[other]).mean()) for other in drawn.faces}
        assert min(apart, key=apart.__getitem__) == code, apart
    assert list((tmp_path / "decks").iterdir()) == [Path(document["file"])], "the pictures are gone, the deck stays"


def _starts() -> Iterator[tuple[int, str]]:
    return zip(range(EMPTY, EMPTY + len(CODES) * (WITH + AFTER), WITH + AFTER), CODES, strict=True)


def shot(folder: Path, shots: list[Frame], *shown: str) -> Path:
    """A film of its own from the pictures of another: cards one after the other, or for a while the empty mat."""
    folder.mkdir()
    stretches = {code: range(start, start + WITH + AFTER) for start, code in _starts()}
    order = [number for one in shown for number in stretches.get(one, range(EMPTY))]
    for n, number in enumerate(order):
        cv2.imwrite(str(folder / f"{n:03}.png"), shots[number].pixels_bgr, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MARCHWARDEN_DATA", str(tmp_path))
    monkeypatch.setenv("MARCHWARDEN_HARDWARE", str(tmp_path / "hardware.toml"))
    return tmp_path


def set_up(home: Path, film: Path) -> None:
    display = '[[display]]\ndriver = "terminal"\n'
    (home / "hardware.toml").write_text(f'[camera]\ndriver = "folder"\npath = "{film}"\n{display}')


def test_the_same_card_shown_twice_is_asked_for_again(home: Path, shots: list[Frame]) -> None:
    set_up(home, shot(home / "film", shots, "empty", "g5", "g5", "empty", "g5", "g6"))
    done = CliRunner().invoke(command, ["mine", "--codes", "g5,g6"])
    assert done.exit_code == 0, done.output
    assert "The pictures of green 5 and green 6 show the same card. Lay green 5 again" in done.stderr
    assert done.stderr.index("show the same card") < done.stderr.index("The deck is enrolled: 2 cards.")
    deck = Deck.load(home / "decks" / "mine.deck.npz")
    assert deck.codes == ("g5", "g6")
    assert [path.name for path in (home / "decks").iterdir()] == ["mine.deck.npz"]


def test_cards_asked_for_by_name_mend_the_deck_that_there_is(home: Path, shots: list[Frame], film: Path) -> None:
    set_up(home, film)
    assert CliRunner().invoke(command, ["mine", "--codes", ",".join(CODES)]).exit_code == 0
    before = Deck.load(home / "decks" / "mine.deck.npz")
    set_up(home, shot(home / "again", shots, "empty", "g6"))
    done = CliRunner().invoke(command, ["mine", "--codes", "g6"])
    assert done.exit_code == 0, done.output
    after = Deck.load(home / "decks" / "mine.deck.npz")
    assert (after.codes, set(after.tiles_bgr)) == (before.codes, set(before.tiles_bgr))


def test_a_film_that_ends_too_early_keeps_what_it_showed(
    film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARCHWARDEN_DATA", str(tmp_path))
    monkeypatch.setenv("MARCHWARDEN_HARDWARE", str(tmp_path / "hardware.toml"))
    (tmp_path / "hardware.toml").write_text(f'[camera]\ndriver = "folder"\npath = "{film}"\n')
    done = CliRunner().invoke(command, ["mine", "--codes", ",".join((*CODES, "r1"))])
    assert done.exit_code == 1
    assert "4 of 5 cards are kept" in done.stderr
    assert not (tmp_path / "decks" / "mine.deck.npz").exists()
    again = CliRunner().invoke(command, ["mine", "--codes", " , "])
    assert again.exit_code == 2


@pytest.mark.long
def test_a_whole_deck_taken_by_the_camera_reads_a_table_like_one_from_scans(shelf: Shelf) -> None:
    """All 75 pictures before a camera with ordinary flaws, then other photographs by other cameras."""
    every = (*map(str, ALL_CARDS), "back", "tactic-back", *(f"stone{stone}" for stone in STONES))
    enrolling = cards(shelf, every)
    for number, pixels in enumerate(filmed(every, size=(2304, 1296))):
        enrolling.look(Frame(number, pixels, number / 10), ())
    assert enrolling.is_over
    enrolment, report = taken_from(shelf.folder, "photographed", quiet=True)
    assert report.faults == []
    reader = Reader(enrolment.deck(), schotten_totten())
    measured = Measurement()
    for case in rendered(Recipe(flaws="normal", seed=SEED), 8):
        measured.add(measure(reader, case))
    figures = measured.as_document()
    print(figures)
    assert figures["wrong"] == 0
    assert figures["accuracy"] >= 0.99


def test_a_picture_that_was_being_kept_when_the_power_went_is_none(shelf: Shelf) -> None:
    (shelf.folder / ".g5.part.png").write_bytes(b"half a picture")
    assert shelf.codes() == set()
