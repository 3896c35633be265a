"""The drawn deck: complete, distinct, legible in a fan, and told apart by colour-blind eyes."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from firmware.printing import deck
from firmware.printing.cards import CARD_MM
from firmware.printing.heraldry import CLANS, INK, NUMERALS, PAPER
from firmware.printing.raster import bgr
from firmware.printing.stones import TILE_MM

Floats = npt.NDArray[np.float64]
STRIP_MM = 15  # what the closest fan leaves visible of a card

# How people without one kind of cone see linear RGB (Machado, Oliveira, Fernandes 2009, severity 1).
SIGHTS = {
    "all three cones": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
}


def seen(code: str, px_per_mm: float = 2.0) -> npt.NDArray[np.uint8]:
    """The card a little blurred, as a camera has it."""
    return np.asarray(cv2.GaussianBlur(deck.draw(code, px_per_mm), (0, 0), 0.8), np.uint8)


def likeness(one: npt.NDArray[np.uint8], other: npt.NDArray[np.uint8]) -> float:
    """Normalised correlation of two pictures of the same size."""
    return float(likenesses([one, other])[0, 1])


def likenesses(pictures: list[npt.NDArray[np.uint8]]) -> Floats:
    """Normalised correlation of each picture with each."""
    flat = np.array([picture.ravel() for picture in pictures], np.float64)
    flat -= flat.mean(axis=1, keepdims=True)
    flat /= np.linalg.norm(flat, axis=1, keepdims=True)
    return np.asarray(flat @ flat.T)


def most_alike(pictures: dict[str, npt.NDArray[np.uint8]]) -> tuple[float, str, str]:
    """The two pictures that are most alike, and how much."""
    table = likenesses(list(pictures.values()))
    names = list(pictures)
    return max((float(table[a, b]), names[a], names[b]) for a, b in combinations(range(len(names)), 2))


def lab(colours: list[str], sight: Floats) -> Floats:
    rgb = np.array([bgr(colour)[::-1] for colour in colours]) / 255
    linear = np.clip(np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4) @ sight.T, 0, 1)
    back = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.asarray(cv2.cvtColor(back[None].astype(np.float32), cv2.COLOR_RGB2Lab)[0], np.float64)


def test_the_deck_has_every_code_once() -> None:
    assert len(deck.CLAN_CODES) == 54
    assert len(deck.TACTIC_CODES) == 10
    assert len(deck.STONE_CODES) == 9
    assert len(set(deck.CODES)) == len(deck.CODES) == 54 + 10 + 9 + 2


def test_a_code_that_is_not_in_the_deck_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        deck.drawing("x1")


@pytest.mark.parametrize("px_per_mm", [1.0, 3.3, 12.0])
def test_a_card_has_its_size_times_the_scale_in_pixels(px_per_mm: float) -> None:
    for code, (width, height) in (("g5", CARD_MM), ("joker1", CARD_MM), ("back", CARD_MM), ("stone4", TILE_MM)):
        assert deck.draw(code, px_per_mm).shape == (round(height * px_per_mm), round(width * px_per_mm), 3)


def test_no_two_cards_look_alike_whole() -> None:
    worst = most_alike({code: seen(code) for code in (*deck.CLAN_CODES, *deck.TACTIC_CODES, *deck.BACK_CODES)})
    assert worst[0] < 0.98, worst


def test_no_two_stones_look_alike_either_way_up() -> None:
    upright = {code: seen(code) for code in deck.STONE_CODES}
    for turned in deck.STONE_CODES:
        worst = most_alike(upright | {turned: np.ascontiguousarray(upright[turned][::-1, ::-1])})
        assert worst[0] < 0.9, worst


def test_strengths_of_a_clan_differ_in_the_strip_that_a_fan_shows() -> None:
    for letter in CLANS:
        worst = most_alike({code: seen(code)[: 2 * STRIP_MM] for code in deck.CLAN_CODES if code[0] == letter})
        assert worst[0] < 0.95, worst


def test_clans_of_a_strength_differ_in_the_strip_that_a_fan_shows() -> None:
    for strength in NUMERALS:
        worst = most_alike({f"{letter}{strength}": seen(f"{letter}{strength}")[: 2 * STRIP_MM] for letter in CLANS})
        assert worst[0] < 0.97, worst


def test_tactic_signs_differ_in_the_strip_that_a_fan_shows() -> None:
    worst = most_alike({code: seen(code)[: 2 * STRIP_MM] for code in deck.TACTIC_CODES})
    assert worst[0] < 0.9, worst


def test_six_and_nine_differ_either_way_up() -> None:
    for letter in CLANS:
        six, nine = (seen(f"{letter}{strength}")[: 2 * STRIP_MM, :24] for strength in (6, 9))
        assert likeness(six, nine) < 0.9
        assert likeness(six, np.ascontiguousarray(nine[::-1, ::-1])) < 0.9


def test_only_six_and_nine_stand_on_a_bar() -> None:
    ink, paper = np.array(bgr(INK)), np.array(bgr(PAPER))
    for strength in NUMERALS:
        under = deck.draw(f"r{strength}", 4.0)[round(12.6 * 4) : round(14.2 * 4), round(4.0 * 4) : round(9.6 * 4)]
        darkest_row = under.mean(axis=(1, 2)).min()
        has_bar = darkest_row < (ink.mean() + paper.mean()) / 2
        assert has_bar == (strength in (6, 9)), strength


@pytest.mark.parametrize("code", ["r1", "y6", "g9", "b8", "p4", "o7", *deck.TACTIC_CODES])
def test_the_indices_end_before_the_strip_does_and_stand_turned_at_the_bottom(code: str) -> None:
    card = deck.draw(code, 4.0).astype(int)
    gap = card[round(14.5 * 4) : 16 * 4]
    assert np.abs(gap - np.array(bgr(PAPER))).max() <= 2, "ink between the indices and the picture"
    top, bottom = card[: 4 * STRIP_MM], card[-4 * STRIP_MM :]
    assert np.abs(top - bottom[::-1, ::-1]).mean() < 4


@pytest.mark.parametrize("sight", SIGHTS)
def test_clan_colours_stay_apart_for_every_sight(sight: str) -> None:
    colours = lab([clan.colour for clan in CLANS.values()], SIGHTS[sight])
    nearest = min(
        (float(np.linalg.norm(colours[a] - colours[b])), list(CLANS)[a] + list(CLANS)[b])
        for a, b in combinations(range(len(CLANS)), 2)
    )
    assert nearest[0] > 10, nearest


def test_clan_colours_differ_in_lightness() -> None:
    lightness = sorted(lab([clan.colour for clan in CLANS.values()], SIGHTS["all three cones"])[:, 0])
    steps = np.diff(lightness)
    assert steps.min() > 3
    assert lightness[-1] - lightness[0] > 45


def test_backs_do_not_tell_which_way_up_they_lie() -> None:
    for code in deck.BACK_CODES:
        back = deck.draw(code, 3.0).astype(int)
        assert np.abs(back - back[::-1, ::-1]).mean() < 3
