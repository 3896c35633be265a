"""Laws of pairing: everybody once, nobody twice while it can be avoided, byes shared, scores as near as can be."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.event.rounds.facts import PlayerEntered, PlayerLeft, PlayerReturned, Style
from firmware.event.rounds.next_round import contenders_of
from firmware.event.rounds.pairing import Contender, swiss
from firmware.event.rounds.schedule import bracket, bracket_round, circle, circle_round, circle_rounds
from tests.firmware.event.played import Told

Pairs = Sequence[tuple[int, int | None]]


def all_pairings(players: tuple[int, ...]) -> Iterator[Pairs]:
    """Every way to pair these players, one left over if they are odd."""
    if len(players) % 2:
        for one in players:
            rest = tuple(other for other in players if other != one)
            yield from ([*pairs, (one, None)] for pairs in all_pairings(rest))
        return
    if not players:
        yield []
        return
    first = players[0]
    for other in players[1:]:
        left = tuple(player for player in players[1:] if player != other)
        yield from ([(first, other), *pairs] for pairs in all_pairings(left))


def cost(pairs: Pairs, contenders: dict[int, Contender]) -> tuple[int, int, int, int]:
    """What the docs promise, in their order: second byes, meetings again, the bye's score, squares of differences."""
    lowest = min(one.points for one in contenders.values())
    byes = [contenders[a] for a, b in pairs if b is None]
    games = [(contenders[a], contenders[b]) for a, b in pairs if b is not None]
    return (
        sum(one.byes for one in byes),
        sum(one.met.get(other.number, 0) ** 2 for one, other in games),
        sum(one.points - lowest for one in byes),
        sum((one.points - other.points) ** 2 for one, other in games),
    )


@st.composite
def fields(draw: st.DrawFn) -> list[Contender]:
    """Two to seven players with any history, also one that no Swiss would make."""
    count = draw(st.integers(2, 7))
    met = {pair: draw(st.integers(0, 2)) for pair in combinations(range(count), 2)}
    return [
        Contender(
            number=n + 1,
            points=draw(st.integers(0, 12)),
            met={other + 1: met[min(n, other), max(n, other)] for other in range(count) if other != n},
            byes=draw(st.integers(0, 2)),
            lean=draw(st.integers(-2, 2)),
        )
        for n in range(count)
    ]


@given(fields(), st.integers(0, 5))
@settings(max_examples=150, deadline=None)
def test_no_other_pairing_is_better_than_the_one_that_is_made(field: list[Contender], seed: int) -> None:
    contenders = {one.number: one for one in field}
    made = swiss(field, f"{seed}/1")
    assert sorted(player for pair in made for player in pair if player is not None) == sorted(contenders)
    best = min(cost(pairs, contenders) for pairs in all_pairings(tuple(contenders)))
    assert cost(made, contenders) == best


@given(fields(), st.integers(0, 1000), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_same_seed_pairs_alike_in_whatever_order_the_players_come(
    field: list[Contender], seed: int, rng: random.Random
) -> None:
    shuffled = list(field)
    rng.shuffle(shuffled)
    assert swiss(field, f"{seed}/3") == swiss(shuffled, f"{seed}/3")


@pytest.mark.parametrize("seed", range(4))
def test_looking_only_at_those_near_in_rank_costs_nothing(seed: int) -> None:
    told, rng = Told(61, seed=seed), random.Random(seed)
    for number in range(1, 6):
        field = contenders_of(told.tournament)
        known = {one.number: one for one in field}
        near, all_of_them = (swiss(field, f"{seed}/{number}", near=near) for near in (16, 61))
        assert cost(near, known) == cost(all_of_them, known)
        told.pair()
        told.start()
        told.play(rng)


def test_those_far_away_in_rank_are_looked_at_when_nobody_near_is_left() -> None:
    everybody = range(1, 9)
    met = {n: {other: 1 for other in everybody if other != n and abs(other - n) < 4} for n in everybody}
    field = [Contender(n, n, met[n]) for n in everybody]
    pairs = swiss(field, "1/7", near=2)
    assert all(b is not None and abs(a - b) >= 4 for a, b in pairs)


def test_another_seed_draws_another_first_round() -> None:
    field = [Contender(n, 0) for n in range(1, 21)]
    assert len({tuple(swiss(field, f"{seed}/1")) for seed in range(8)}) > 6


@given(st.integers(8, 33), st.integers(0, 10_000), st.data())
@settings(max_examples=25, deadline=None)
def test_a_swiss_with_drop_outs_and_late_entries_has_no_rematch_and_shares_its_byes(
    count: int, seed: int, data: st.DataObject
) -> None:
    told, rng = Told(count, seed=seed), random.Random(seed)
    for number in range(1, 5):
        told.pair()
        told.start()
        told.play(rng)
        if data.draw(st.booleans(), label="one leaves"):
            told.tell(PlayerLeft(rng.choice([one.number for one in told.tournament.playing()])))
        if data.draw(st.booleans(), label="one comes"):
            told.tell(PlayerEntered(100 + number, f"Late {number}"))
    meetings = Counter(
        frozenset(pairing.players)
        for one in told.tournament.rounds
        for pairing in one.pairings
        if pairing.b is not None
    )
    byes = Counter(player for one in told.tournament.rounds for player in one.byes)
    assert max(meetings.values()) == 1
    assert max(byes.values(), default=0) <= 1
    for one in told.tournament.rounds:
        seated = [player for pairing in one.pairings for player in pairing.players]
        assert len(seated) == len(set(seated))
        assert len(one.byes) == len(seated) % 2


def test_who_left_is_not_paired_and_who_came_back_is() -> None:
    told = Told(6)
    told.tell(PlayerLeft(3))
    told.rounds(1)
    assert told.tournament.rounds[0].of(3) is None
    told.tell(PlayerReturned(3))
    told.rounds(1)
    assert told.tournament.rounds[1].of(3) is not None


def test_the_bye_goes_to_the_lowest_score_that_had_none() -> None:
    field = [Contender(1, 10), Contender(2, 5), Contender(3, 0, byes=1)]
    assert swiss(field, "1/2")[-1] == (2, None)


def test_seats_even_out() -> None:
    told = Told(16)
    told.rounds(6)
    for number in told.tournament.players:
        seats = [one.of(number) for one in told.tournament.rounds]
        near = sum(pairing is not None and pairing.a == number for pairing in seats)
        assert 2 <= near <= 4


@pytest.mark.parametrize("count", range(2, 14))
def test_in_a_round_robin_everybody_meets_everybody_once(count: int) -> None:
    order = circle(range(1, count + 1))
    met: Counter[frozenset[int | None]] = Counter()
    near: Counter[int] = Counter()
    for number in range(circle_rounds(order)):
        pairs = circle_round(order, number)
        assert sorted(p for pair in pairs for p in pair if p is not None) == list(range(1, count + 1))
        met.update(frozenset(pair) for pair in pairs)
        near.update(a for a, b in pairs if b is not None)
    assert set(met.values()) == {1}
    assert len({pair for pair in met if None not in pair}) == count * (count - 1) // 2
    games = count - 1
    assert all(abs(2 * near[player] - games) <= 2 for player in range(1, count + 1))


def test_a_round_robin_ends_when_all_have_met_and_who_left_leaves_a_gap() -> None:
    told = Told(5, Style.ROUND_ROBIN)
    told.rounds(2)
    told.tell(PlayerLeft(2))
    told.rounds(3)
    games = [frozenset(pairing.players) for one in told.tournament.rounds for pairing in one.games]
    assert len(games) == len(set(games))
    assert all(2 not in pair for one in told.tournament.rounds[2:] for pair in [p.players for p in one.pairings])


@pytest.mark.parametrize("count", range(2, 20))
def test_a_knock_out_leaves_one_and_the_first_seeds_wait(count: int) -> None:
    slots = bracket(range(1, count + 1))
    waiting = [a for a, b in bracket_round(slots) if b is None]
    assert sorted(waiting) == list(range(1, len(slots) - count + 1))
    told = Told(count, Style.KNOCK_OUT)
    told.rounds((count - 1).bit_length())
    assert sum(len(one.games) for one in told.tournament.rounds) == count - 1


def test_the_best_eight_of_a_swiss_go_on_in_a_knock_out_and_its_winner_stands_first() -> None:
    told = Told(21, seed=5)
    told.rounds(5)
    told.pair(Style.KNOCK_OUT, top=8)
    told.start()
    told.play(random.Random(3), draws=False)
    told.rounds(2, seed=4)
    assert [len(one.games) for one in told.tournament.rounds[5:]] == [4, 2, 1]
    final = told.tournament.rounds[-1]
    result = final.result(final.games[0].table)
    assert result is not None
    from firmware.event.rounds.standings import standings

    winner = final.games[0].a if result.winner == "A" else final.games[0].b
    lines = standings(told.tournament)
    assert lines[0].player.number == winner
    assert {line.player.number for line in lines[:8]} == {
        p for one in told.tournament.rounds[5].pairings for p in one.players
    }
