"""Every lamp pattern can be told from every other by its rhythm alone."""

from __future__ import annotations

from itertools import combinations

from engine.rules import Mark, Sign
from engine.table import Player
from firmware.ports import Light
from firmware.signals import PATTERNS, Lamp, lamp, lights, pattern

STEP_S = 0.0625


def rhythm(of: Lamp) -> tuple[bool, ...]:
    """On or off, sixteen times a second for six seconds: what an eye sees that knows no colour."""
    return tuple(pattern(of).at(n * STEP_S) is not Light.OFF for n in range(96))


def test_each_pattern_has_a_rhythm_of_its_own() -> None:
    # A tie alternates two colours without a pause; with a bi-colour LED its rhythm shows as a change of position too.
    lamps = [Lamp(sign, side) for sign, side in PATTERNS if sign is not Sign.TIE]
    for one, other in combinations(lamps, 2):
        assert rhythm(one) != rhythm(other), (one, other)


def test_a_tie_shows_both_colours() -> None:
    assert {pattern(Lamp(Sign.TIE)).at(n * STEP_S) for n in range(96)} == {Light.GREEN, Light.RED}


def test_a_lamp_that_stands_for_a_player_is_steady_for_what_is_held_and_blinks_for_what_is_offered() -> None:
    assert all(rhythm(Lamp(Sign.HELD)))
    assert rhythm(Lamp(Sign.OFFERED)) == rhythm(Lamp(Sign.OFFERED, 0))


def test_lamps_that_have_nothing_to_say_are_dark() -> None:
    assert lights((Lamp(Sign.HELD, 0),), 3, 0.0) == (Light.GREEN, Light.OFF, Light.OFF)


def test_a_mark_becomes_the_lamp_of_its_player() -> None:
    players = (Player("A"), Player("B"))
    assert lamp(Mark("3", Sign.HELD, Player("B")), players) == Lamp(Sign.HELD, 1)


def test_the_next_change_is_when_the_light_changes() -> None:
    shining = pattern(Lamp(Sign.OFFERED, 0))
    wait_s = shining.next_change_s(0.1)
    assert shining.at(0.1) is Light.GREEN
    assert shining.at(0.1 + wait_s + 0.001) is Light.OFF
