"""Screens are drawn for the size found, the words are on them, and a foul shows without colour."""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops

from engine.rules import Sign
from firmware.ports import Canvas
from firmware.screen import draw, fitted
from firmware.signals import Lamp, Screen, Tone

SIZES = [(128, 32), (96, 64), (128, 64), (128, 128), (160, 128), (240, 240), (320, 240)]
SIGNS = (
    Lamp(Sign.DARK), Lamp(Sign.CLAIMABLE, 0), Lamp(Sign.CLAIMABLE, 1), Lamp(Sign.CLAIMED, 0), Lamp(Sign.CLAIMED, 1),
    Lamp(Sign.TIE), Lamp(Sign.PUT_RIGHT), Lamp(Sign.UNREADABLE),
)  # fmt: skip


def lit(picture: Image.Image) -> int:
    return sum(1 for value in picture.convert("L").tobytes() if value > 127)


@pytest.mark.parametrize("colours", [False, True])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_screen_fills_the_display_that_is_there(size: tuple[int, int], colours: bool) -> None:
    picture = draw(Screen("STONE 4 IS FULL", "3 cards per side"), Canvas(*size, colours))
    assert picture.size == size
    assert picture.mode == ("RGB" if colours else "1")
    left, _, right, _ = picture.convert("L").getbbox() or (0, 0, 0, 0)
    assert right - left > size[0] * 0.5, "the words are as wide as they can be"


def test_another_word_is_another_picture() -> None:
    canvas = Canvas(128, 64)
    one, other = (draw(Screen(text, ""), canvas) for text in ("A TO PLAY", "B TO PLAY"))
    assert ImageChops.difference(one, other).getbbox() is not None


def test_a_foul_stands_out_without_any_colour() -> None:
    canvas = Canvas(128, 64)
    calm, foul = (draw(Screen("STONE 4 IS FULL", "x", tone), canvas) for tone in (Tone.CALM, Tone.FOUL))
    assert lit(foul) > 3 * lit(calm)


def test_every_lamp_sign_looks_different_without_any_colour() -> None:
    pictures = {draw(Screen("", "", lamps=(lamp,) * 9), Canvas(128, 64)).tobytes() for lamp in SIGNS}
    assert len(pictures) == len(SIGNS)


def test_words_too_long_for_one_line_are_set_on_two() -> None:
    lines, _ = fitted("THE STONE IS ALREADY CLAIMED", 126, 22, True)
    assert len(lines) == 2


def test_words_too_long_for_the_display_are_cut_and_say_so() -> None:
    lines, _ = fitted("W" * 80, 126, 12, True)
    assert lines[0].endswith("…")
