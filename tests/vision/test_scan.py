"""The card scanner: any deck, any ground, any way round, and nothing named that was not enrolled."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from firmware.simulation.artwork import Artwork
from firmware.simulation.flaws import NONE, NORMAL
from firmware.simulation.other_decks import colour_cards, playing_cards
from firmware.simulation.scatter import Snapshot, snapshot
from vision.enrol import Enrolment
from vision.frame import Picture
from vision.outlines import outlines
from vision.scan import Scanner, as_document

COLOUR_CARDS = colour_cards()
PLAYING_CARDS = {code: card for code, card in playing_cards().items() if code[1:] in ("a", "4", "7", "10", "q")}


def scanner_of(pictures: dict[str, Picture]) -> Scanner:
    enrolment = Enrolment("other")
    for code, picture in pictures.items():
        assert enrolment.take(code, picture) is None
    return Scanner(enrolment.deck())


@pytest.fixture(scope="module")
def colours() -> Scanner:
    return scanner_of(COLOUR_CARDS)


@pytest.fixture(scope="module")
def playing() -> Scanner:
    return scanner_of(PLAYING_CARDS)


def pasted(card: Picture, angle_deg: float, width_px: int, ground: tuple[int, int, int]) -> tuple[Picture, Any]:
    """A card of that width on a plain ground, turned; and its corners."""
    height, width = card.shape[:2]
    scale = width_px / width
    size = round(2.2 * height * scale)
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), angle_deg, scale)
    turn[:, 2] += size / 2 - np.array([width / 2, height / 2])
    shrunk = cv2.GaussianBlur(card, (0, 0), max(0.4 / scale, 0.3))
    picture = np.full((size, size, 3), ground, np.uint8)
    cv2.warpAffine(shrunk, turn, (size, size), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) @ turn[:, :2].T + turn[:, 2]
    return picture, corners


@pytest.mark.parametrize("angle", [0, 37, 90, 145, 180, 261])
def test_a_card_is_found_any_way_round_with_its_corners(playing: Scanner, angle: int) -> None:
    picture, corners = pasted(PLAYING_CARDS["h10"], angle, 180, (60, 90, 40))
    [card] = playing.scan(picture)
    assert card.code == "h10"
    assert np.abs(np.array(card.corners_px) - corners).max() < 8


@pytest.mark.parametrize("ground", [(250, 250, 250), (128, 128, 128), (10, 10, 10), (40, 30, 160)])
def test_a_card_is_found_on_light_grey_dark_and_coloured_grounds(
    colours: Scanner, ground: tuple[int, int, int]
) -> None:
    picture, _ = pasted(COLOUR_CARDS["card-blue-7"], 20, 150, ground)
    assert [card.code for card in colours.scan(picture)] == ["card-blue-7"]


@pytest.mark.parametrize("width", [62, 100, 400])
def test_small_and_large_cards_are_found(colours: Scanner, width: int) -> None:
    picture, _ = pasted(COLOUR_CARDS["card-green-2"], -12, width, (90, 120, 140))
    assert [card.code for card in colours.scan(picture)] == ["card-green-2"]


def test_a_scan_that_is_nothing_but_the_card_is_read(playing: Scanner) -> None:
    assert [card.code for card in playing.scan(PLAYING_CARDS["sq"])] == ["sq"]


@pytest.mark.parametrize("code", ["card-red-6", "card-red-9", "card-yellow-6", "card-green-6"])
def test_cards_that_differ_in_a_digit_or_a_colour_only_are_told_apart(colours: Scanner, code: str) -> None:
    picture, _ = pasted(COLOUR_CARDS[code], 70, 200, (30, 30, 30))
    assert [card.code for card in colours.scan(picture)] == [code]


def test_an_unknown_card_is_left_out_even_if_its_neighbours_are_enrolled() -> None:
    unknown = ("card-red-7", "card-blue-3")
    scanner = scanner_of({code: card for code, card in COLOUR_CARDS.items() if code not in unknown})
    for code in unknown:
        picture, _ = pasted(COLOUR_CARDS[code], 15, 200, (90, 120, 140))
        assert scanner.scan(picture) == [], code


def test_a_picture_without_cards_holds_none(playing: Scanner) -> None:
    rng = np.random.default_rng(4)
    noise = cv2.GaussianBlur(rng.integers(0, 256, (480, 640, 3), np.uint8), (0, 0), 3)
    assert playing.scan(np.asarray(noise, np.uint8)) == []


def counted(scanner: Scanner, shots: list[Snapshot]) -> tuple[int, int, int]:
    """Cards that lie there, found, and named though they do not lie there."""
    there = found = wrong = 0
    for shot in shots:
        named = [card.code for card in scanner.scan(shot.pixels_bgr)]
        known = set(shot.cards) & set(scanner.deck.codes)
        there += len(known)
        found += len(known & set(named))
        wrong += sum(code not in shot.cards and code not in shot.cut_off for code in named)
    return there, found, wrong


def shots(pictures: dict[str, Picture], count: int, seed: int) -> list[Snapshot]:
    artwork = Artwork(pictures.get)
    print(f"seed {seed}")
    return [
        snapshot(artwork, list(pictures), NORMAL, np.random.default_rng([seed, n]), size_px=(1280, 960), foreign=0.0)
        for n in range(count)
    ]


def test_most_cards_lying_about_are_found_and_none_is_named_wrongly(colours: Scanner) -> None:
    there, found, wrong = counted(colours, shots(COLOUR_CARDS, 5, seed=3))
    assert there >= 8
    assert found >= 0.75 * there
    assert wrong == 0


@pytest.mark.long
def test_hundreds_of_cards_lying_about() -> None:
    for pictures in (COLOUR_CARDS, playing_cards()):
        there, found, wrong = counted(scanner_of(pictures), shots(pictures, 100, seed=8))
        assert there >= 200
        assert found >= 0.85 * there
        assert wrong <= 1


def test_each_outline_is_offered_about_once() -> None:
    shot = snapshot(
        Artwork(COLOUR_CARDS.get), list(COLOUR_CARDS), NONE, np.random.default_rng(2), size_px=(1280, 960), foreign=0.0
    )
    quads = outlines(shot.pixels_bgr)
    for name, corners in shot.cards.items():
        near = [quad for quad in quads if np.abs(quad.mean(axis=0) - np.mean(corners, axis=0)).max() < 6]
        assert 1 <= len(near) <= 12, name


def test_the_document_tells_codes_margins_and_corners(playing: Scanner) -> None:
    picture, _ = pasted(PLAYING_CARDS["ca"], 0, 200, (60, 90, 40))
    document = as_document(playing.scan(picture), "f.jpg", 9.1234)
    assert document["image"] == "f.jpg"
    assert document["elapsed_ms"] == 9.12
    [card] = document["cards"]
    assert set(card) == {"code", "confidence", "margin", "corners_px"}
    assert len(card["corners_px"]) == 4


@pytest.mark.parametrize("code", ["s7", "h4", "cq"])
def test_a_playing_card_that_nobody_enrolled_is_not_taken_for_its_neighbours(code: str) -> None:
    known = {other: card for other, card in PLAYING_CARDS.items() if other != code}
    picture, _ = pasted(PLAYING_CARDS[code], 200, 170, (60, 90, 40))
    assert scanner_of(known).scan(picture) == []


@pytest.mark.parametrize(
    ("code", "light"),
    [("card-yellow-9", (1.0, 0.9, 0.72)), ("card-red-6", (1.0, 0.9, 0.72)), ("card-green-2", (0.7, 0.9, 1.0))],
)
def test_a_card_in_a_colour_that_nobody_enrolled_takes_no_other_colour_in_any_light(
    colours: Scanner, code: str, light: tuple[float, float, float]
) -> None:
    known = {other: card for other, card in COLOUR_CARDS.items() if other != code}
    picture, _ = pasted(COLOUR_CARDS[code], 10, 160, (60, 90, 40))
    lit = np.clip(picture * np.array(light), 0, 255).astype(np.uint8)
    assert scanner_of(known).scan(lit) == []
    assert [card.code for card in colours.scan(lit)] == [code]


def covered(below: Picture, above: Picture, shift: tuple[int, int], angle_deg: float) -> Picture:
    """A card with another one over it, shifted by so many pixels down and across and turned."""
    picture, _ = pasted(below, 20, 150, (60, 90, 40))
    over, _ = pasted(above, angle_deg, 150, (0, 0, 0))
    shown = np.roll(over, shift, axis=(0, 1))
    return np.where(shown.any(axis=2, keepdims=True), shown, picture)


@pytest.mark.parametrize(("shift", "angle"), [((110, 60), 100), ((30, 90), 20), ((-100, 20), -60)])
def test_a_card_is_found_below_another_one_that_covers_less_than_half_of_it(
    colours: Scanner, shift: tuple[int, int], angle: float
) -> None:
    picture = covered(COLOUR_CARDS["card-blue-7"], COLOUR_CARDS["card-red-2"], shift, angle)
    assert sorted(card.code for card in colours.scan(picture)) == ["card-blue-7", "card-red-2"]


@pytest.mark.parametrize("unknown", ["card-blue-7", "card-red-7", "card-green-2"])
def test_a_card_below_another_one_is_left_out_if_nobody_enrolled_it(unknown: str) -> None:
    scanner = scanner_of({code: card for code, card in COLOUR_CARDS.items() if code != unknown})
    picture = covered(COLOUR_CARDS[unknown], COLOUR_CARDS["card-red-2"], (30, 90), 20)
    assert [card.code for card in scanner.scan(picture)] == ["card-red-2"]


def test_a_card_of_which_nothing_tells_it_from_others_is_left_out(playing: Scanner) -> None:
    picture, corners = pasted(PLAYING_CARDS["h7"], 0, 180, (60, 90, 40))
    left, top = corners.min(axis=0).astype(int)
    middle = picture[top + 62 :, left + 30 : left + 150]  # neither an index nor all of the pips
    assert playing.scan(np.ascontiguousarray(middle)) == []


def test_cards_laid_edge_to_edge_are_all_found(playing: Scanner) -> None:
    codes = ["h4", "s10", "d7", "cq"]
    row = np.hstack([cv2.resize(PLAYING_CARDS[code], (140, 200), interpolation=cv2.INTER_AREA) for code in codes])
    picture = np.full((420, 760, 3), (60, 90, 40), np.uint8)
    picture[110:310, 100:660] = row
    assert [card.code for card in playing.scan(picture)] == codes


@pytest.mark.parametrize("across", [0.2, 0.35])
def test_a_card_that_the_edge_of_the_picture_cuts_is_found_by_what_shows(playing: Scanner, across: float) -> None:
    picture, corners = pasted(PLAYING_CARDS["d10"], 0, 200, (60, 90, 40))
    cut = round(corners[:, 0].min() + across * 200)
    assert [card.code for card in playing.scan(np.ascontiguousarray(picture[:, cut:]))] == ["d10"]


@pytest.mark.parametrize("size", [(1, 1), (1, 5000), (5000, 20), (150, 6401), (24, 100_000)])
def test_a_strip_however_long_holds_no_card(playing: Scanner, size: tuple[int, int]) -> None:
    strip = np.random.default_rng(5).integers(0, 255, (*size, 3)).astype(np.uint8)
    assert playing.scan(strip) == []
