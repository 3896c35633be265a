"""Colours of cards that share their drawing, told by light, cast and ink alone."""

from dataclasses import replace

import numpy as np
import pytest

from vision.colour import shades
from vision.shade import Array
from vision.tint import Tint

GREEN, YELLOW = 0, 1
INKS = np.array([[0.36, 0.70, 0.62], [0.36, 0.72, 0.75]])  # blue, green, red
PAPER = 0.98
WARM = np.array([0.82, 0.92, 1.0])
NAMED = 0.25  # margin of a colour that is named


def card(ink: int, brightness: float, through: float = 1.0, light: Array = WARM) -> Tint:
    """A card in warm light of this brightness, below a gleam that lets so much of its ink through; a picture shows
    nothing brighter than 1."""
    rng = np.random.default_rng([ink, round(100 * brightness)])
    common = np.repeat([[PAPER] * 3, [0.1, 0.1, 0.1], [0.3, 0.5, 0.6]], [90, 15, 15], axis=0)
    faces = np.repeat(INKS[:, None], 60, axis=1)

    def seen(colours: Array) -> Array:
        return np.asarray(np.minimum(colours * light * brightness, 1.0))

    paper = seen(common)
    return Tint(
        members=(GREEN, YELLOW),
        common=paper,
        common_face=common,
        common_at=rng.uniform(-1, 1, (len(common), 2)),
        patch=seen(PAPER + through * (faces[ink] - PAPER)),
        faces=faces,
        at=rng.uniform(-1, 1, (60, 2)),
        contrast=through,
        paper=np.full(3, PAPER),
        washed=(paper >= 1.0).mean(axis=0) > 0.2,
        is_sure=True,
    )


@pytest.mark.parametrize("ink", [GREEN, YELLOW])
def test_a_card_whose_paper_is_over_exposed_in_one_channel_keeps_its_colour(ink: int) -> None:
    dim = [card(other, 0.8 + 0.01 * n) for n in range(5) for other in (GREEN, YELLOW)]
    told, _ = shades([*dim, card(ink, 1.15)])
    assert told[-1] is not None
    assert told[-1].member == ink
    assert told[-1].margin > NAMED


def test_where_every_paper_is_over_exposed_no_colour_is_told_by_the_channel_that_is_not() -> None:
    told, _ = shades([card(ink, 1.2 + 0.01 * n) for n in range(5) for ink in (GREEN, YELLOW)])
    assert all(shade is not None and (shade.member == n % 2 or shade.margin < 0.25) for n, shade in enumerate(told))


@pytest.mark.parametrize("red", [1.2, 1.35, 1.5, 1.7])
def test_green_is_not_told_to_be_yellow_where_lamplight_washes_out_the_red_of_every_paper(red: float) -> None:
    lamplight = np.array([0.8, 0.95, red])
    told, _ = shades([card(ink, 1.0 - 0.005 * n, light=lamplight) for n in range(5) for ink in (GREEN, YELLOW)])
    assert all(shade is not None and (shade.member == n % 2 or shade.margin < NAMED) for n, shade in enumerate(told))


@pytest.mark.parametrize("ink", [GREEN, YELLOW])
def test_cards_in_a_redder_shade_make_no_card_whose_red_is_washed_out_another(ink: int) -> None:
    shade = [
        card(other, 0.7 + 0.01 * n, light=np.array([0.72, 0.86, 1.1])) for n in range(3) for other in (GREEN, YELLOW)
    ]
    told, _ = shades([*shade, *(card(ink, 1.05 + 0.005 * n, light=WARM) for n in range(6))])
    assert all(one is not None and (one.member == ink or one.margin < NAMED) for one in told[len(shade) :])


@pytest.mark.parametrize("through", [1.0, 0.6, 0.32])
def test_a_card_read_alone_in_a_gleam_is_no_picture_without_colours(through: float) -> None:
    _, manner = shades([card(ink, 0.8 + 0.01 * n) for n in range(5) for ink in (GREEN, YELLOW)])
    told, _ = shades([card(GREEN, 0.8, through)], manner)
    assert [shade is not None and (shade.member, shade.is_grey) for shade in told] == [(GREEN, False)]


@pytest.mark.parametrize("through", [1.0, 0.6, 0.32])
def test_a_card_read_alone_in_a_picture_without_colours_is_said_to_show_none(through: float) -> None:
    _, manner = shades([card(ink, 0.8 + 0.01 * n) for n in range(5) for ink in (GREEN, YELLOW)])
    one = card(GREEN, 0.8, through)
    grey = replace(
        one, common=one.common.mean(axis=1, keepdims=True) * WARM, patch=one.patch.mean(axis=1, keepdims=True) * WARM
    )
    told, _ = shades([grey], manner)
    assert [shade is not None and shade.is_grey for shade in told] == [True]


def test_a_channel_that_is_washed_out_decides_no_colour_alone() -> None:
    dim = [card(other, 0.8 + 0.01 * n) for n in range(5) for other in (GREEN, YELLOW)]
    one = card(YELLOW, 0.8)
    greenish = replace(one, patch=one.patch * np.array([1.0, 1.0, 0.86]), contrast=0.5)
    sure, _ = shades([*dim, greenish])
    washed, _ = shades([*dim, replace(greenish, washed=np.array([False, False, True]))])
    assert sure[-1] is not None
    assert washed[-1] is not None
    assert sure[-1].margin > NAMED  # where its paper tells the light, this is a green
    assert washed[-1].margin < NAMED


def between(ink: int, other: float) -> Tint:
    """A card whose ink looks so much like the other one's."""
    one, two = card(ink, 0.8), card(1 - ink, 0.8)
    return replace(one, patch=(1 - other) * one.patch + other * two.patch)


def test_a_card_that_surely_lies_elsewhere_is_hardly_a_rival() -> None:
    _, manner = shades([card(ink, 0.8 + 0.01 * n) for n in range(5) for ink in (GREEN, YELLOW)])
    (alone,), _ = shades([between(GREEN, 0.4)], manner)
    (beside, _), _ = shades([between(GREEN, 0.4), card(YELLOW, 0.85)], manner)
    (known,), _ = shades([between(GREEN, 0.4)], manner, {YELLOW})
    assert [shade and shade.member for shade in (alone, beside, known)] == [GREEN] * 3
    assert alone is not None
    assert alone.margin < NAMED
    assert all(shade is not None and shade.margin > NAMED for shade in (beside, known))


def test_a_card_that_looks_more_like_one_that_lies_elsewhere_is_not_taken_for_another() -> None:
    _, manner = shades([card(ink, 0.8 + 0.01 * n) for n in range(5) for ink in (GREEN, YELLOW)])
    told, _ = shades([between(GREEN, 0.6), card(YELLOW, 0.85)], manner)
    assert told[0] is not None
    assert told[0].member == YELLOW or told[0].margin < NAMED


def test_one_of_two_that_look_the_same_excuses_neither() -> None:
    _, manner = shades([card(ink, 0.8 + 0.01 * n) for n in range(5) for ink in (GREEN, YELLOW)])
    told, _ = shades([between(GREEN, 0.4), card(YELLOW, 0.85), card(YELLOW, 0.9)], manner)
    assert told[0] is not None
    assert told[0].margin < NAMED


def bare(tint: Tint) -> Tint:
    """A card that shows nothing but its colour."""
    return replace(tint, common=tint.common[:0], common_face=tint.common_face[:0], common_at=tint.common_at[:0])


@pytest.mark.parametrize("ink", [GREEN, YELLOW])
def test_a_strip_that_shows_nothing_but_its_colour_is_told_in_the_light_of_the_others(ink: int) -> None:
    others = [card(other, 0.8 + 0.01 * n) for n in range(5) for other in (GREEN, YELLOW)]
    told, _ = shades([*others, bare(card(ink, 0.74))])
    assert told[-1] is not None
    assert told[-1].member == ink
    assert 0.25 < told[-1].margin < 0.9  # less sure than in its own light


def test_a_strip_that_shows_nothing_but_its_colour_is_not_told_alone() -> None:
    told, _ = shades([card(YELLOW, 0.9), bare(card(GREEN, 0.8))])
    assert told[0] is not None
    assert told[1] is None
