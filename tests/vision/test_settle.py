"""Agreement over frames, without a single pixel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.observation import Observation, Reading, TileReading, Why
from vision.settle import Settled, Settler

Codes = Mapping[str, Sequence[str | None]]


def _seen(cards: Codes, tile: str | None = "border", held: frozenset[str] = frozenset()) -> Observation:
    readings = {
        place: tuple(Reading(code, None if code else Why.UNCERTAIN, 0.9, 0.3) for code in codes)
        for place, codes in cards.items()
    }
    return Observation(readings, {"stone1": TileReading(tile, None if tile else Why.COVERED)}, held)


def _fed(settler: Settler, frames: Sequence[Observation], every_s: float = 0.1) -> list[Settled | None]:
    told = []
    for n, frame in enumerate(frames):
        settler, settled = settler.feed(frame, n * every_s)
        told.append(settled)
    return told


def _codes(settled: Settled | None, place: str = "1A") -> list[str | None] | None:
    return None if settled is None else [card.code for card in settled.observation.cards[place]]


def test_a_reading_counts_after_so_many_agreeing_frames() -> None:
    told = _fed(Settler(frames=3), [_seen({"1A": ["g5"]})] * 4)
    assert [_codes(settled) for settled in told] == [None, None, ["g5"], None]


def test_a_still_counts_at_once_and_whatever_it_lacks_too() -> None:
    (settled,) = _fed(Settler.for_stills(), [_seen({"1A": ["g5", None]}, tile=None)])
    assert _codes(settled) == ["g5", None]
    assert settled is not None
    assert settled.observation.tiles["stone1"].why is Why.COVERED


def test_one_odd_frame_changes_nothing() -> None:
    frames = [_seen({"1A": ["g5"]})] * 3 + [_seen({"1A": ["b5"]})] + [_seen({"1A": ["g5"]})] * 5
    told = _fed(Settler(frames=2), frames)
    assert [_codes(settled) for settled in told if settled] == [["g5"]]


def test_a_new_card_is_told_with_its_place_and_the_time_it_was_first_seen() -> None:
    frames = [_seen({"1A": ["g5"], "2B": []})] * 2 + [_seen({"1A": ["g5"], "2B": ["r1"]})] * 3
    settled = _fed(Settler(frames=2), frames)[3]
    assert settled is not None
    assert settled.changed == {"2B"}
    assert settled.since_s["2B"] == 0.2
    assert settled.since_s["1A"] == 0.0


def test_a_place_that_changed_its_mind_once_is_waited_for_as_long_as_it_may_settle() -> None:
    settler, flux = Settler(frames=3, patience_s=1.0), []
    seen = [_seen({"1A": ["g5"], "2A": []})] * 3 + [_seen({"1A": ["b5"], "2A": ["g5"]})] * 2
    for n, frame in enumerate(seen + [_seen({"1A": [None], "2A": ["g5"]})] * 13):
        settler, _ = settler.feed(frame, n * 0.1)
        flux.append(settler.is_in_flux(n * 0.1))
    assert flux == [False] * 3 + [True] * 12 + [False] * 3, "the old card is not shown in both places meanwhile"


def test_what_changed_together_is_in_flux_until_all_of_it_has_settled_or_patience_ends() -> None:
    settler = Settler(frames=2, patience_s=1.0)
    frames = [
        *[_seen({"2A": ["b3"], "7B": ["r6"]})] * 2,
        *[_seen({"2A": [], "7B": [None, "b3"]})] * 14,  # b3 went over; below it a card that cannot be told just now
    ]
    flux = []
    for n, frame in enumerate(frames):
        settler, _ = settler.feed(frame, n * 0.1)
        flux.append(settler.is_in_flux(n * 0.1))
    assert flux == [False] * 2 + [True] * 10 + [False] * 4


@pytest.mark.fault("two-minds")
def test_two_readings_in_turn_become_uncertain_and_neither_of_them() -> None:
    flicker = [_seen({"1A": ["g5"]}), _seen({"1A": ["b5"]})] * 40
    told = [settled for settled in _fed(Settler(frames=3), [_seen({"1A": ["r9"]})] * 3 + flicker) if settled]
    assert [_codes(settled) for settled in told] == [["r9"], [None]]
    assert told[-1].observation.cards["1A"][0].why is Why.UNCERTAIN


def test_a_hand_freezes_its_place_while_others_go_on() -> None:
    hand = frozenset({"1A"})
    before = [_seen({"1A": ["g5"], "2A": []})] * 2
    during = [_seen({"1A": [None], "2A": ["r1"]}, held=hand)] * 30
    told = [settled for settled in _fed(Settler(frames=2), before + during) if settled]
    assert [_codes(settled) for settled in told] == [["g5"], ["g5"], ["g5"]]
    assert [_codes(settled, "2A") for settled in told] == [[], [], ["r1"]]
    assert told[-1].observation.held == hand


def test_frames_before_and_after_a_hand_are_not_one_run() -> None:
    hand = frozenset({"1A"})
    old, new = _seen({"1A": ["g5"]}), _seen({"1A": ["g5", "r1"]})
    frames = [old] * 3 + [new] * 2 + [_seen({"1A": [None]}, held=hand)] + [new] * 3
    told = _fed(Settler(frames=3), frames)
    assert [_codes(settled) for settled in told[-3:]] == [["g5"], None, ["g5", "r1"]]


def test_what_cannot_be_read_is_said_only_after_it_lasted() -> None:
    frames = [_seen({"1A": ["g5"]})] * 3 + [_seen({"1A": [None]})] * 30
    told = _fed(Settler(frames=3, patience_s=1.0), frames)
    said = [n for n, settled in enumerate(told) if settled and _codes(settled) == [None]]
    assert said == [13]


def test_a_tile_settles_like_a_card() -> None:
    frames = [_seen({"1A": []}, "border")] * 3 + [_seen({"1A": []}, "A")] * 3
    told = [settled.observation.tiles["stone1"].at for settled in _fed(Settler(frames=3), frames) if settled]
    assert told == ["border", "A"]


def test_a_place_held_from_the_start_does_not_keep_the_others_waiting() -> None:
    frames = [_seen({"1A": [None], "2A": ["r1"]}, held=frozenset({"1A"}))] * 20
    told = [settled for settled in _fed(Settler(frames=3), frames) if settled]
    assert [_codes(settled, "2A") for settled in told] == [["r1"]]


@given(st.lists(st.sampled_from(["g5", "b5", None]), min_size=1, max_size=60), st.integers(2, 4))
def test_only_runs_of_agreement_are_ever_told(codes: list[str | None], frames: int) -> None:
    told = _fed(Settler(frames=frames, doubt_s=1e9), [_seen({"1A": [code]}) for code in codes])
    for n, settled in enumerate(told):
        if settled is not None:
            assert set(codes[n - frames + 1 : n + 1]) == {_codes(settled)[0]}  # type: ignore[index]


@given(st.lists(st.sampled_from(["g5", "b5", None]), max_size=30))
def test_feeding_is_pure(codes: list[str | None]) -> None:
    frames = [_seen({"1A": [code]}) for code in codes]
    settler = Settler(frames=2)
    assert _fed(settler, frames) == _fed(settler, frames)
