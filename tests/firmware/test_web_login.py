"""Who is let in at the page: wrong PINs, the display that shows one, and cookies of others; no HTTP."""

from __future__ import annotations

import json

import pytest

from firmware.clocks import SimulatedClock
from firmware.web import answers
from firmware.web.doorkeeper import LIMITS, Locked
from firmware.web.files import page_words
from firmware.web.login import Login


def test_wrong_pins_cost_time_that_grows() -> None:
    clock = SimulatedClock()
    login = Login(clock)
    tried_s: list[float] = []
    while clock.monotonic_s() < 3 * 3600:
        try:
            assert login.enter("wrong", "Eve", "10.0.0.9") is None
            tried_s.append(clock.monotonic_s())
        except Locked as locked:
            assert login.enter(login.pin, "Anna", "10.0.0.2") is not None  # others are not kept out
            clock.sleep(locked.wait_s)
    for count, within_s in LIMITS:
        for first, after in zip(tried_s, tried_s[count:], strict=False):
            assert after - first >= within_s
    assert len(tried_s) == 30  # ten an hour, and no ban for good


@pytest.mark.fault("wrong-pins")
def test_whoever_tries_wrong_pins_is_told_how_long_to_wait_and_let_in_afterwards() -> None:
    clock = SimulatedClock()
    login = Login(clock)
    for _ in range(LIMITS[0][0]):
        assert login.enter("wrong", "Eve", "10.0.0.9") is None
    with pytest.raises(Locked) as locked:
        login.enter(login.pin, "Eve", "10.0.0.9")
    told = json.loads(bytes(answers.locked(locked.value).body))
    assert told["refused"] == "locked"
    for language, words in (("en", "Too many wrong PINs."), ("fr", "Trop de codes erronés."), ("es", "Demasiados PIN")):
        sentence = page_words(language)["refused_locked"].format(wait_s=told["wait_s"])
        assert sentence.startswith(words)
        assert str(told["wait_s"]) in sentence
    clock.sleep(told["wait_s"])
    assert login.enter(login.pin, "Eve", "10.0.0.9") is not None


def test_the_display_is_not_taken_from_the_players_again_and_again() -> None:
    clock = SimulatedClock()
    login = Login(clock)
    shown = []
    for _ in range(240):
        login.show_pin()
        shown.append(login.shown_pin is not None)
        clock.sleep(1.0)
    assert 110 <= sum(shown) <= 130


def test_many_addresses_are_no_way_round_the_limit() -> None:
    login = Login(SimulatedClock())
    for n in range(30):
        assert login.enter("wrong", "Eve", f"10.0.0.{n}") is None
    with pytest.raises(Locked):
        login.enter("wrong", "Eve", "10.0.0.99")


def test_a_cookie_signed_elsewhere_is_nobodys() -> None:
    clock = SimulatedClock()
    ours, theirs = Login(clock), Login(clock)
    cookie = theirs.enter(theirs.pin, "Eve", "::1")
    assert ours.session(cookie) is None
    assert ours.session("rubbish") is None
    assert theirs.session(cookie) is not None
