"""Decks of other builds than ours: cards in one colour all over, on black paper, or with a picture on parchment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import cv2
import numpy as np
import pytest

from firmware.simulation.artwork import Artwork
from firmware.simulation.board import CLAN, MODES, RUSES, TROOPS, random_board
from firmware.simulation.flaws import NORMAL
from firmware.simulation.photograph import Photographer
from firmware.simulation.scene import lay
from vision.deck import Deck
from vision.enrol import Enrolment
from vision.frame import Picture
from vision.layout import schotten_totten
from vision.read import Reader
from vision.rectify import solve

Colour = tuple[int, int, int]
Drawing = Callable[[str, Colour, str], Picture]

INKS: Mapping[str, Colour] = {
    "r": (40, 42, 208),
    "y": (32, 196, 242),
    "g": (62, 140, 52),
    "b": (178, 92, 24),
    "p": (132, 52, 118),
    "o": (50, 95, 150),
}
SIGNS = dict(zip((*TROOPS, *MODES, *RUSES), "JKSHX+RTNA", strict=True))


def in_one_colour(sign: str, ink: Colour, clan: str) -> Picture:
    return _signed(np.full((480, 336, 3), ink, np.uint8), sign, (250, 250, 250))


def on_black(sign: str, ink: Colour, clan: str) -> Picture:
    """A dim picture for each value, and numbers in bright colours."""
    card = np.full((480, 336, 3), 26, np.uint8)
    card[100:380, 60:276] = _painted(sign, 20.0, 50.0)
    red, green, blue = (min(255, tone + 60) for tone in ink)
    return _signed(card, sign, (red, green, blue))


def on_parchment(sign: str, ink: Colour, clan: str) -> Picture:
    """A picture for each value, framed in the clan's colour."""
    card = np.full((480, 336, 3), (200, 226, 238), np.uint8)
    card[88:392, 48:288] = _painted(sign, 52.0, 130.0)
    cv2.rectangle(card, (48, 88), (288, 392), ink, 9)
    return _signed(card, sign, ink, in_the_middle=False)


def _painted(sign: str, strong: float, bright: float) -> Picture:
    """Clouds of colour, for each sign its own."""
    rng = np.random.default_rng(ord(sign))
    clouds = [cv2.resize(rng.standard_normal((n, n, 3)), (240, 304), interpolation=cv2.INTER_CUBIC) for n in (3, 6, 14)]
    sum_ = np.sum(clouds, axis=0)
    painted = np.asarray(np.clip(sum_ / sum_.std() * strong + bright, 0, 255), np.uint8)
    return painted if strong > 30 else painted[:280, :216]


def _signed(card: Picture, sign: str, ink: Colour, *, in_the_middle: bool = True) -> Picture:
    """A sign in every corner, those below upside down, and a large one in the middle."""
    for x in (18, 278):
        cv2.putText(card, sign, (x, 68), cv2.FONT_HERSHEY_SIMPLEX, 2.0, ink, 7, cv2.LINE_AA)
    card[-84:] = card[:84][::-1, ::-1]
    if in_the_middle:
        cv2.putText(card, sign, (100, 300), cv2.FONT_HERSHEY_SIMPLEX, 6.0, ink, 20, cv2.LINE_AA)
    return card


@cache
def faces(drawing: Drawing) -> Mapping[str, Picture]:
    clans = {code: drawing(code[1], INKS[code[0]], code[0]) for code in CLAN}
    return clans | {code: drawing(sign, (50, 55, 60), "") for code, sign in SIGNS.items()}


@cache
def deck(drawing: Drawing) -> Deck:
    enrolment = Enrolment("other", are_whole=True)
    for code, face in faces(drawing).items():
        assert enrolment.take(code, face) is None
    return enrolment.deck()


DECKS = pytest.mark.parametrize("drawing", [in_one_colour, on_black, on_parchment])


@DECKS
def test_cards_of_one_value_share_their_drawing_with_no_other_value(drawing: Drawing) -> None:
    made = deck(drawing)
    family = dict(zip(made.codes, made.alike, strict=True))
    drawings = [{family[colour + value] for colour in INKS} for value in "123456789"]
    assert [len(each) for each in drawings] == [1] * 9
    assert len(set().union(*drawings)) == 9


@DECKS
def test_cards_of_other_builds_are_read_and_none_is_named_wrongly(drawing: Drawing) -> None:
    layout, rng = schotten_totten(), np.random.default_rng(21)
    scene = lay(layout, board := random_board(rng, layout, 0.95), NORMAL.habits, rng)
    camera, light = NORMAL.camera((2304, 1296), rng), NORMAL.light(layout.size_mm, rng)
    photograph = Photographer(layout, Artwork(faces(drawing).get)).photograph(scene, camera, light, rng)
    observation = Reader(deck(drawing), layout).read(photograph.pixels_bgr, solve(photograph.pixels_bgr, layout))
    lying = {place: codes for place, codes in board.fans.items() if codes}
    lying |= {place: (code,) for place, code in board.spots.items()}
    named = {place: {each.code for each in readings} - {None} for place, readings in observation.cards.items()}
    assert [codes for place, codes in named.items() if not codes <= {*lying.get(place, ())}] == []
    right = sum(len(codes) for codes in named.values())
    assert right > 0.8 * sum(len(codes) for codes in lying.values())
