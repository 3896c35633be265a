"""Enrolment: decks from pictures, what looks alike, and files that are whole or not there at all."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.printing.deck import draw
from tests.vision.drawn import deck
from vision.deck import BadDeck, Deck, enrolled, path_of
from vision.enrol import Enrolment, confusions, twins
from vision.frame import Picture


def _shifted(picture: Picture, x_px: float, y_px: float) -> Picture:
    move = np.array([[1, 0, x_px], [0, 1, y_px]], np.float64)
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, move, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def test_a_deck_is_the_same_after_saving_and_loading(tmp_path: Path) -> None:
    saved = deck()
    loaded = Deck.load(saved.save(tmp_path))
    assert (loaded.name, loaded.codes, loaded.alike, loaded.card_mm) == (
        saved.name,
        saved.codes,
        saved.alike,
        saved.card_mm,
    )
    assert np.array_equal(loaded.faces_bgr, saved.faces_bgr)
    assert loaded.tiles_bgr.keys() == saved.tiles_bgr.keys()
    assert enrolled(tmp_path) == ("drawn",)


def test_colours_of_one_strength_are_one_family_and_strengths_are_not() -> None:
    family = dict(zip(deck().codes, deck().alike, strict=True))
    assert len({family[f"{colour}7"] for colour in "rygbpo"}) == 1
    assert family["r7"] != family["r1"]


def test_plain_cards_that_differ_in_their_number_do_not_share_a_drawing() -> None:
    enrolment = Enrolment("plain")
    for value in ("3", "5", "8"):
        for colour, ink in (("r", (80, 70, 235)), ("y", (90, 230, 250)), ("b", (235, 180, 110))):
            card = np.full((480, 336, 3), 255, np.uint8)
            card[15:-15, 15:-15] = ink
            cv2.putText(card, value, (100, 300), cv2.FONT_HERSHEY_SIMPLEX, 6.0, (255, 255, 255), 24, cv2.LINE_AA)
            enrolment.take(colour + value, card)
    made = enrolment.deck()
    family = dict(zip(made.codes, made.alike, strict=True))
    assert all(len({family[colour + value] for colour in "ryb"}) == 1 for value in "358")
    assert len(set(made.alike)) == 3


def test_scans_cut_differently_are_brought_to_lie_over_one_another() -> None:
    enrolment = Enrolment("cut")
    scale = 6.0
    enrolment.take("r7", draw("r7", scale))
    enrolment.take("y7", _shifted(draw("y7", scale), 0.9 * scale, -0.7 * scale))
    made = enrolment.deck()
    assert made.alike[0] == made.alike[1]
    grey = [cv2.cvtColor(made.face(code), cv2.COLOR_BGR2GRAY)[8:60, 8:60].astype(np.float32) for code in ("r7", "y7")]
    (x, y), _ = cv2.phaseCorrelate(grey[0] - grey[0].mean(), grey[1] - grey[1].mean())
    assert max(abs(x), abs(y)) < 0.5


def _on_bed(card: Picture, tone: int, seed: int) -> Picture:
    """A card laid on a scanner's bed by hand: off its middle and a little turned."""
    rng = np.random.default_rng(seed)
    top, bottom, left, right = (int(margin) for margin in rng.integers(15, 45, 4))
    scan = cv2.copyMakeBorder(card, top, bottom, left, right, cv2.BORDER_CONSTANT, value=(tone,) * 3)
    size = (scan.shape[1], scan.shape[0])
    turn = cv2.getRotationMatrix2D((size[0] / 2, size[1] / 2), float(rng.uniform(-1, 1)), 1)
    return np.asarray(cv2.warpAffine(scan, turn, size, borderValue=(tone,) * 3), np.uint8)


def _apart(made: Deck, code: str, card: Picture) -> float:
    """How far an enrolled face is from its drawing, without the rim."""
    drawn = cv2.resize(card, made.face(code).shape[1::-1], interpolation=cv2.INTER_AREA)
    return float(np.abs(made.face(code)[8:-8, 8:-8].astype(int) - drawn[8:-8, 8:-8]).mean())


@pytest.mark.parametrize("tone", [12, 110])
def test_cards_are_taken_off_the_scanners_bed(tone: int) -> None:
    enrolment = Enrolment("bed")
    cards = {code: draw(code, 6.0) for code in ("r1", "g5", "b9", "joker1")}
    for n, (code, card) in enumerate(cards.items()):
        enrolment.take(code, _on_bed(card, tone, n))
    made = enrolment.deck()
    assert [code for code, card in cards.items() if _apart(made, code, card) > 6] == []


def test_a_card_that_lies_evenly_on_the_bed_is_taken_off_it_as_the_others_are() -> None:
    enrolment = Enrolment("bed")
    for n, code in enumerate(("r1", "g5", "b9")):
        enrolment.take(code, _on_bed(draw(code, 6.0), 12, n))
    even = cv2.copyMakeBorder(draw("joker1", 6.0), 24, 24, 24, 24, cv2.BORDER_CONSTANT, value=(12, 12, 12))
    enrolment.take("joker1", np.asarray(even, np.uint8))
    assert _apart(enrolment.deck(), "joker1", draw("joker1", 6.0)) < 6


def _bordered(code: str, ink: tuple[int, int, int]) -> Picture:
    card = draw(code, 5.0)
    cv2.rectangle(card, (0, 0), (card.shape[1] - 1, card.shape[0] - 1), ink, 24)
    return card


def test_an_even_border_is_part_of_the_card() -> None:
    enrolment = Enrolment("bordered")
    for code in ("r1", "g5", "b9"):
        enrolment.take(code, _bordered(code, (10, 10, 10)))
    assert enrolment.deck().face("g5")[4].max() < 30


def test_cards_told_apart_by_the_colour_of_their_border_keep_it_to_the_rim() -> None:
    enrolment = Enrolment("bordered")
    for code, ink in (("b7", (200, 110, 30)), ("r7", (40, 40, 200))):
        enrolment.take(code, _bordered("g7", ink))
    made = enrolment.deck()
    assert made.alike[0] == made.alike[1]
    assert made.face("r7")[1, 80].tolist() == pytest.approx([40, 40, 200], abs=8)


def test_an_index_near_the_edge_is_not_drawn_out_to_it() -> None:
    enrolment = Enrolment("close")
    for code, ink in (("a", (40, 40, 220)), ("b", (220, 60, 40)), ("c", (40, 180, 40))):
        card = draw("g7", 5.0)
        card[60:110, -50:-5] = ink  # a bar that ends a millimetre before the edge
        card[:, -5:] = 255
        enrolment.take(code, card)
    made = enrolment.deck()
    assert made.alike == (0, 0, 0)
    assert [np.ptp(face[:, -1].astype(int), axis=1).max() < 40 for face in made.faces_bgr] == [True] * 3, "paper"


def test_a_plain_or_tiny_picture_is_refused_with_a_reason() -> None:
    enrolment = Enrolment("poor")
    assert "plain" in str(enrolment.take("r1", np.full((400, 280, 3), 250, np.uint8)))
    assert "pixels" in str(enrolment.take("r2", draw("r2", 1.0)))
    assert enrolment.faces == {}


def test_the_same_card_under_two_names_is_found_out() -> None:
    enrolment = Enrolment("twins")
    for code, drawn in (("b3", "b3"), ("b4", "b3"), ("b5", "b5")):
        enrolment.take(code, draw(drawn, 4.0))
    found = twins(confusions(enrolment.deck()))
    assert [(pair.one, pair.other) for pair in found] == [("b3", "b4")]


def test_cards_that_differ_in_a_small_index_alone_are_no_twins() -> None:
    enrolment = Enrolment("index")
    for code, ink in (("r3", (40, 40, 200)), ("o3", (30, 90, 150))):
        card = np.full((480, 336, 3), 250, np.uint8)
        cv2.circle(card, (168, 260), 80, (90, 120, 60), -1)
        cv2.putText(card, "3", (20, 66), cv2.FONT_HERSHEY_SIMPLEX, 2.0, ink, 7, cv2.LINE_AA)
        enrolment.take(code, card)
    assert twins(confusions(enrolment.deck())) == ()


def test_no_two_cards_of_the_drawn_deck_are_twins() -> None:
    assert twins(confusions(deck())) == ()


@pytest.mark.parametrize("content", [b"", b"no deck", b"PK\x03\x04 but no more"])
def test_a_damaged_deck_file_says_so(tmp_path: Path, content: bytes) -> None:
    path = path_of("broken", tmp_path)
    path.write_bytes(content)
    with pytest.raises(BadDeck, match=r"broken\.deck\.npz is no deck file or is damaged: enrol the deck again$"):
        Deck.load(path)


def test_a_file_of_numbers_is_no_deck(tmp_path: Path) -> None:
    path = path_of("broken", tmp_path)
    with path.open("wb") as file:
        np.save(file, np.zeros(3))
    with pytest.raises(BadDeck, match="is no deck file"):
        Deck.load(path)


def test_a_deck_file_with_a_changed_byte_is_a_deck_or_says_so(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    enrolment = Enrolment("small")
    enrolment.take("r1", draw("r1", 2.0))
    path = enrolment.deck().save(tmp_path)
    whole = path.read_bytes()
    damaged = 0
    for place in rng.integers(0, len(whole), 60):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            Deck.load(path)
        except BadDeck:
            damaged += 1
    assert damaged > 30


def test_nothing_half_made_is_left_when_a_deck_cannot_be_written(tmp_path: Path) -> None:
    path_of("drawn", tmp_path).mkdir()
    with pytest.raises(OSError, match="drawn"):
        deck().save(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["drawn.deck.npz"]


def _photograph(card: Picture, ground: tuple[int, int, int]) -> Picture:
    """A card on a table, a little turned and seen from the side."""
    height, width = card.shape[:2]
    corners = np.array([[60, 70], [330, 40], [352, 420], [40, 432]], np.float32)
    way = cv2.getPerspectiveTransform(np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32), corners)
    table = np.full((480, 400, 3), ground, np.uint8)
    cv2.warpPerspective(card, way, (400, 480), dst=table, borderMode=cv2.BORDER_TRANSPARENT)
    return table


@pytest.mark.parametrize("ground", [(30, 40, 35), (120, 150, 170)])
def test_cards_are_cut_out_of_their_photographs(ground: tuple[int, int, int]) -> None:
    enrolment = Enrolment("photographs")
    for code in ("r1", "g5", "b9"):
        assert enrolment.take(code, _photograph(draw(code, 6.0), ground)) is None
    made = enrolment.deck()
    for code in made.codes:
        drawn = cv2.resize(draw(code, 6.0), made.face(code).shape[1::-1], interpolation=cv2.INTER_AREA)
        apart = np.abs(made.face(code)[8:-8, 8:-8].astype(int) - drawn[8:-8, 8:-8])
        assert apart.mean() < 12, code


def test_no_card_is_looked_for_within_pictures_that_are_known_to_be_whole() -> None:
    whole, searched = Enrolment("whole", are_whole=True), Enrolment("searched")
    pictures = {code: _photograph(draw(code, 6.0), (30, 40, 35)) for code in ("r1", "g5", "b9")}
    for code, picture in pictures.items():
        assert whole.take(code, picture) is None
        assert searched.take(code, picture) is None
    assert whole.deck().face("g5")[8:12, 8:12].reshape(-1, 3).max(axis=0).tolist() == [30, 40, 35]
    assert searched.deck().face("g5")[8:12, 8:12].min() > 100, "the card's paper, not the table"


def test_a_frame_drawn_on_one_card_is_not_taken_for_the_card() -> None:
    enrolment = Enrolment("framed")
    plain, framed = draw("r1", 5.0), draw("g5", 5.0)
    cv2.rectangle(framed, (60, 70), (framed.shape[1] - 61, framed.shape[0] - 71), (20, 20, 20), 6)
    for code, picture in (("one", plain), ("two", framed), ("three", draw("b9", 5.0))):
        enrolment.take(code, picture)
    assert enrolment.deck().face("two")[4:12, 4:12].mean() == pytest.approx(framed[7:20, 7:20].mean(), abs=6)


def test_a_white_border_is_part_of_the_card() -> None:
    enrolment = Enrolment("white")
    for code, ink in (("one", (160, 60, 40)), ("two", (40, 60, 160)), ("three", (60, 140, 50))):
        card = np.full((600, 420, 3), 250, np.uint8)
        card[20:-20, 20:-20] = ink
        cv2.circle(card, (210, 300), 90, (30, 200, 230), -1)
        enrolment.take(code, card)
    assert enrolment.deck().face("two")[3].min() > 240


@pytest.mark.parametrize(("size", "shape"), [((420, 420), 1.0), ((350, 600), 0.58), ((600, 420), 0.7)])
def test_the_shape_of_the_cards_is_learnt_from_their_pictures(size: tuple[int, int], shape: float) -> None:
    enrolment = Enrolment("shapes", any_size=True)
    for code in ("r1", "g5"):
        enrolment.take(code, np.asarray(cv2.resize(draw(code, 6.0), size), np.uint8))
    width, height = enrolment.deck().card_mm
    assert width / height == pytest.approx(shape, rel=0.03)


def _panelled(code: str, ground: tuple[int, int, int], shape: float) -> Picture:
    """A card with its number beside a panel that is drawn off its middle."""
    card = np.full((480, 336, 3), ground, np.uint8)
    width, height = 250, round(250 / shape)
    panel = cv2.resize(draw(code, 6.0), (width, height), interpolation=cv2.INTER_AREA) // 2 + 20
    card[100 : 100 + height, 43 : 43 + width] = panel
    ink = (250, 250, 250) if sum(ground) < 300 else (10, 10, 10)
    cv2.putText(card, code, (20, 75), cv2.FONT_HERSHEY_SIMPLEX, 2.0, ink, 8, cv2.LINE_AA)
    return card


@pytest.mark.parametrize("ground", [(165, 208, 228), (30, 24, 26), (40, 40, 205)])
@pytest.mark.parametrize("shape", [1.0, 0.7])
def test_a_panel_drawn_off_the_middle_of_all_cards_is_no_card_on_a_table(
    ground: tuple[int, int, int], shape: float
) -> None:
    cards = {code: _panelled(code, ground, shape) for code in ("r1", "g5", "b9", "y3", "joker1")}
    enrolment = Enrolment("panelled")
    for code, card in cards.items():
        enrolment.take(code, card)
    made = enrolment.deck()
    assert [code for code, card in cards.items() if _apart(made, code, card) > 6] == []


@pytest.mark.parametrize("size", [(100, 1000), (100_000, 95)])
def test_a_strip_is_no_card(size: tuple[int, int]) -> None:
    strip = np.random.default_rng(3).integers(0, 255, (*size, 3)).astype(np.uint8)
    assert Enrolment("strips", any_size=True).take("a", strip) == (
        f"{size[1]}×{size[0]} pixels are no card's shape: scan all of it"
    )
