"""Formations: their order, and the best reading of a side with wild cards."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.schotten_totten.cards import Card, ClanCard, Colour, Tactic, parse_card
from engine.schotten_totten.formations import Formation, Kind, Reading
from engine.schotten_totten.strongest import Completion, best_formation
from tests.engine.schotten_totten import exhaustive
from tests.engine.schotten_totten.strategies import complete_sides, formations


def side(codes: str) -> tuple[Card, ...]:
    return tuple(parse_card(code) for code in codes.split())


def best_of(cards: tuple[Card, ...], sum_only: bool = False) -> Completion:
    best = best_formation(cards, len(cards), sum_only=sum_only)
    assert best is not None
    return best


def read(codes: str, *, sum_only: bool = False) -> tuple[Kind, int, str]:
    """The formation of a side and the readings of its wild cards, in short."""
    best = best_of(side(codes), sum_only)
    return best.formation.kind, best.formation.sum, " ".join(map(str, best.readings))


@given(formations, formations, formations)
def test_the_order_of_formations_is_total(one: Formation, two: Formation, three: Formation) -> None:
    assert (one < two) + (one == two) + (one > two) == 1
    assert (one < two) == (two > one)
    if one <= two <= three:
        assert one <= three


@pytest.mark.rule("ST-304")
def test_a_stronger_kind_wins_whatever_the_sums() -> None:
    weakest_first = list(reversed(Kind))
    for weaker, stronger in pairwise(weakest_first):
        assert Formation(weaker, 30) < Formation(stronger, 6)


@pytest.mark.rule("ST-305")
def test_of_the_same_kind_the_higher_sum_wins() -> None:
    for kind in Kind:
        assert Formation(kind, 14) < Formation(kind, 15)


@pytest.mark.rule("ST-211", "ST-304")
@given(complete_sides, st.booleans(), st.randoms(use_true_random=False))
def test_the_order_in_which_cards_were_laid_does_not_matter(
    cards: tuple[Card, ...], sum_only: bool, shuffler: random.Random
) -> None:
    shuffled = tuple(shuffler.sample(cards, len(cards)))
    assert best_of(cards, sum_only).formation == best_of(shuffled, sum_only).formation


@pytest.mark.rule("ST-304", "ST-522")
@pytest.mark.parametrize(
    ("codes", "kind", "total"),
    [
        ("g4 g6 g5", Kind.COLOR_RUN, 15),
        ("g5 r5 b5", Kind.THREE_OF_A_KIND, 15),
        ("g9 g1 g5", Kind.COLOR, 15),
        ("g6 r4 b5", Kind.RUN, 15),
        ("g6 r4 b4", Kind.SUM, 14),
        ("g6 r6 b8", Kind.SUM, 20),
        ("r6 y8 p9", Kind.SUM, 23),
        ("r9 y1 p2", Kind.SUM, 12),
        ("g2 g3 g4 g5", Kind.COLOR_RUN, 14),
        ("g5 r5 b5 p5", Kind.THREE_OF_A_KIND, 20),
        ("g5 r5 b5 p6", Kind.SUM, 21),
        ("g1 g3 g4 g5", Kind.COLOR, 13),
        ("g2 r3 b4 p5", Kind.RUN, 14),
    ],
)
def test_each_kind_of_formation_is_recognised(codes: str, kind: Kind, total: int) -> None:
    assert read(codes) == (kind, total, "")


@pytest.mark.rule("ST-510", "ST-511", "ST-513", "ST-514")
@pytest.mark.parametrize(
    ("codes", "kind", "total", "readings"),
    [
        ("joker1 g7 g8", Kind.COLOR_RUN, 24, "joker1=g9"),
        ("joker1 g7 g9", Kind.COLOR_RUN, 24, "joker1=g8"),
        ("joker1 g8 g9", Kind.COLOR_RUN, 24, "joker1=g7"),
        ("joker1 g1 g2", Kind.COLOR_RUN, 6, "joker1=g3"),
        ("joker2 r8 b8", Kind.THREE_OF_A_KIND, 24, "joker2=8"),
        ("joker1 g9 g5", Kind.COLOR, 23, "joker1=g9"),
        ("joker1 g4 r6", Kind.RUN, 15, "joker1=5"),
        ("joker1 g4 r8", Kind.SUM, 21, "joker1=9"),
        ("spy g7 r7", Kind.THREE_OF_A_KIND, 21, "spy=7"),
        ("spy g5 g6", Kind.COLOR_RUN, 18, "spy=g7"),
        ("spy g1 g2", Kind.COLOR, 10, "spy=g7"),
        ("shield g4 g5", Kind.COLOR_RUN, 12, "shield=g3"),
        ("shield g1 g3", Kind.COLOR_RUN, 6, "shield=g2"),
        ("shield g2 r2", Kind.THREE_OF_A_KIND, 6, "shield=2"),
        ("shield g6 r7", Kind.SUM, 16, "shield=3"),
        ("shield spy g9", Kind.COLOR, 19, "shield=g3 spy=g7"),
        ("joker1 spy g8", Kind.COLOR_RUN, 24, "joker1=g9 spy=g7"),
        ("joker1 shield g1", Kind.COLOR_RUN, 6, "joker1=g3 shield=g2"),
        ("joker1 joker2 b4", Kind.COLOR_RUN, 15, "joker1=b6 joker2=b5"),
        ("joker1 g1 g2 g3", Kind.COLOR_RUN, 10, "joker1=g4"),
        ("joker1 g5 r5 b5", Kind.THREE_OF_A_KIND, 20, "joker1=5"),
        ("joker1 spy g6 g9", Kind.COLOR_RUN, 30, "joker1=g8 spy=g7"),
    ],
)
def test_wild_cards_are_read_at_their_owners_best(codes: str, kind: Kind, total: int, readings: str) -> None:
    found_kind, found_total, found_readings = read(codes)
    assert (found_kind, found_total) == (kind, total)
    if "joker2" not in codes or "joker1" not in codes:  # two Jokers may change places
        assert found_readings == readings


@pytest.mark.rule("ST-521")
@pytest.mark.parametrize(
    ("codes", "total", "readings"),
    [
        ("g1 g2 g3", 6, ""),
        ("joker1 r1 r2 r3", 15, "joker1=9"),
        ("shield spy r2", 12, "shield=3 spy=7"),
    ],
)
def test_blind_mans_bluff_counts_only_the_sum(codes: str, total: int, readings: str) -> None:
    assert read(codes, sum_only=True) == (Kind.SUM, total, readings)


@pytest.mark.rule("ST-510")
@given(complete_sides, st.booleans())
def test_the_best_reading_is_the_one_found_by_trying_all(cards: tuple[Card, ...], sum_only: bool) -> None:
    best = best_of(cards, sum_only)
    rank, total = exhaustive.worth([str(card) for card in cards], sum_only)
    assert (best.formation.kind.value, best.formation.sum) == (exhaustive.KIND_OF_RANK[rank], total)


@pytest.mark.rule("ST-510")
@given(complete_sides, st.booleans())
def test_the_announced_reading_makes_the_announced_formation(cards: tuple[Card, ...], sum_only: bool) -> None:
    best = best_of(cards, sum_only)
    clan = [str(card) for card in cards if isinstance(card, ClanCard)]
    announced = tuple(clan + [f"{reading.colour or 'r'}{reading.strength}" for reading in best.readings])
    assert [reading.wild for reading in best.readings] == [card for card in cards if not isinstance(card, ClanCard)]
    assert all(
        f"{reading.colour or 'r'}{reading.strength}" in exhaustive.could_stand_for(reading.wild)
        for reading in best.readings
    )
    rank, total = exhaustive.worth_as_read(announced, sum_only)
    assert (best.formation.kind.value, best.formation.sum) == (exhaustive.KIND_OF_RANK[rank], total)


def test_a_completion_is_a_plain_value() -> None:
    joker_as_nine = Reading(Tactic.JOKER_1, Colour.GREEN, 9)
    assert best_of(side("joker1 g7 g8")) == Completion(Formation(Kind.COLOR_RUN, 24), readings=(joker_as_nine,))


@pytest.mark.parametrize(("codes", "required"), [("", 3), ("g5 joker1", 3), ("g5 g6 g7", 4)])
def test_an_incomplete_side_has_no_formation(codes: str, required: int) -> None:
    assert best_formation(side(codes), required) is None


def test_of_a_card_too_many_the_best_count() -> None:
    best = best_formation(side("g5 g6 r1 g7"), 3)
    assert best is not None
    assert best.formation == Formation(Kind.COLOR_RUN, 18)
