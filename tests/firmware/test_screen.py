"""Screens are drawn for the size found, the words are on them, and a foul shows without colour."""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops

from engine.rules import Sign
from firmware.ports import Canvas
from firmware.screen import draw
from firmware.signals import Lamp, Screen, Tone
from firmware.typeset import fitted, shelves, sizes_in, typeface

SIZES = [(128, 32), (96, 64), (128, 64), (128, 128), (160, 128), (240, 240), (320, 240)]
SIGNS = (
    Lamp(Sign.DARK), Lamp(Sign.OFFERED, 0), Lamp(Sign.OFFERED, 1), Lamp(Sign.HELD, 0), Lamp(Sign.HELD, 1),
    Lamp(Sign.TIE), Lamp(Sign.PUT_RIGHT), Lamp(Sign.UNREADABLE), Lamp(Sign.HELD), Lamp(Sign.OFFERED),
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


def test_a_lamp_that_stands_for_a_player_is_filled_whole_and_that_of_a_thing_by_half() -> None:
    dark, half, whole = (
        lit(draw(Screen("", "", lamps=(lamp,) * 5), Canvas(128, 64)))
        for lamp in (Lamp(), Lamp(Sign.HELD, 1), Lamp(Sign.HELD))
    )
    assert whole - dark > 1.5 * (half - dark)


def test_words_too_long_for_one_line_are_set_on_two() -> None:
    lines, _ = fitted("THE STONE IS ALREADY CLAIMED", 126, 22, True)
    assert len(lines) == 2


def test_words_too_long_for_the_display_are_cut_and_say_so() -> None:
    lines, _ = fitted("W" * 80, 126, 12, True)
    assert lines[0].endswith("…")


def five(*points: int, **besides: object) -> Screen:
    score = tuple(zip(("Margaret", "Bartholomew", "C", "D", "Moira"), points, strict=True))
    return Screen("D TO PLAY", "Turn 3 (4)", turn="D", score=score, lamps=(Lamp(),) * 5, **besides)  # type: ignore[arg-type]


@pytest.mark.parametrize("clock", ["", "12:30"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_points_of_five_players_all_show_on_every_display(size: tuple[int, int], clock: str) -> None:
    canvas = Canvas(*size)
    drawn = draw(five(36, 28, 40, 37, 33, clock=clock), canvas)
    for player in range(5):
        points = [36, 28, 40, 37, 33]
        points[player] += 1
        changed = ImageChops.difference(drawn, draw(five(*points, clock=clock), canvas)).getbbox()
        assert changed is not None, f"the points of player {player + 1} are cut off"
        assert changed[2] - changed[0] < size[0] / 5, "nothing but these points has changed"


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_armies_of_five_players_all_show_on_every_display(size: tuple[int, int]) -> None:
    canvas = Canvas(*size)
    strengths = [10, 19, 18, 5, 30]
    pictures = set()
    for player in (None, 0, 1, 2, 3, 4):
        now = [strength + (n == player) for n, strength in enumerate(strengths)]
        brief = " ".join(f"{seat}{strength}" for seat, strength in zip("ABCDE", now, strict=True))
        lines = tuple(f"Bartholomew  2×{strength}={2 * strength}+?" for strength in now)
        pictures.add(draw(five(36, 28, 40, 37, 33, brief=brief, lines=lines), canvas).tobytes())
    assert len(pictures) == 6


def test_the_armies_of_five_players_stand_side_by_side_on_a_large_display() -> None:
    canvas = Canvas(320, 240)
    lines = tuple(f"{seat}  {strength}+?" for seat, strength in zip("ABCDE", (10, 19, 18, 5, 30), strict=True))
    for first, high in (((), 30), (("Take Fergusson 5 away (in Bartholomew's army).",), 14)):
        bare, full = (draw(five(1, 2, 3, 4, 5, lines=each), canvas) for each in ((*first, *"xxxxx"), (*first, *lines)))
        shown = ImageChops.difference(bare, full).getbbox()
        assert shown is not None
        assert shown[2] - shown[0] > 0.75 * canvas.width
        assert shown[3] - shown[1] > high


def test_the_player_on_turn_stands_out_among_many_without_any_colour() -> None:
    canvas = Canvas(128, 64)
    on_turn, nobody = five(1, 2, 3, 4, 5), Screen("D TO PLAY", "Turn 3 (4)", score=five(1, 2, 3, 4, 5).score)
    cell = [draw(screen, canvas).crop((77, 0, 101, 10)) for screen in (on_turn, nobody)]
    assert lit(cell[0]) > 2 * lit(cell[1])


@pytest.mark.parametrize("form", ["{} {}", "{} {}+?", "{} 2×{}=22"])
@pytest.mark.parametrize(("width", "height"), [(236, 30), (236, 60), (316, 60)])
def test_between_two_lines_side_by_side_there_is_more_room_than_within_one(width: int, height: int, form: str) -> None:
    lines = tuple(form.format(*army) for army in zip("ABCDE", (11, 11, 29, 21, 13), strict=True))
    for columns in (2, 3, 5):
        size = sizes_in(lines, width, height, columns)[1]
        if size and len(shelves(lines, width, columns)[0]) > 1:
            longest = max(typeface(size, False).getlength(line) for line in lines)
            assert width // columns - longest > 1.5 * typeface(size, False).getlength(" ")
