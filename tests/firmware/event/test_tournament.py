"""The tournament: what may happen when, what a result is worth, who stands where, and that nothing depends on luck."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.event.lines import BadLine
from firmware.event.rounds.facts import (
    EventOpened,
    Fact,
    How,
    Pairing,
    PlayerEntered,
    PlayerLeft,
    PlayerReturned,
    PlayersSwapped,
    Refused,
    Result,
    ResultEntered,
    RoundPaired,
    RoundPaused,
    RoundResumed,
    RoundStarted,
    RoundWithdrawn,
    Style,
    TableSet,
    TimeAdded,
    decode,
    encode,
)
from firmware.event.rounds.next_round import next_round
from firmware.event.rounds.scoring import ONE_GAME
from firmware.event.rounds.standings import standings
from firmware.event.rounds.tournament import Tournament, fold
from firmware.event.words import say, vocabulary
from firmware.messages import LANGUAGES
from tests.firmware.event.played import Told

FACTS: Sequence[Fact] = (
    EventOpened("Coupe d'été", Style.SWISS, 7),
    PlayerEntered(3, "Zoë", "Leith"),
    PlayerLeft(3, "ill"),
    PlayerReturned(3),
    TableSet(4, "table-4"),
    RoundPaired(1, Style.KNOCK_OUT, (Pairing(1, 2, 3), Pairing(None, 4, None)), (2, 3, 4, None)),
    RoundWithdrawn(1, "a player was missing"),
    PlayersSwapped(1, 2, 3, "brothers"),
    RoundStarted(1, 40),
    RoundPaused(1),
    RoundResumed(1),
    TimeAdded(1, 180, 4, "judge"),
    ResultEntered(1, 4, Result("B", (2, 5), How.TIME), "misheard", "table-4/7"),
)


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: type(fact).__name__)
def test_every_fact_is_a_line_and_back(fact: Fact) -> None:
    assert decode(encode(fact)) == fact
    assert "\n" not in encode(fact)


@pytest.mark.parametrize(
    "line", ["", "{}", "[]", '{"what": "x"}', '{"what": "player-left"}', '{"what":"round-started","x":1}']
)
def test_what_is_no_fact_is_refused(line: str) -> None:
    with pytest.raises(BadLine):
        decode(line)


def refusal(told: Told, fact: Fact) -> str:
    before = told.tournament
    with pytest.raises(Refused) as refused:
        told.tell(fact)
    assert told.tournament == before
    for language in LANGUAGES:
        assert say(f"refused_{refused.value.why}", language, **refused.value.about)
    return refused.value.why


def test_the_winner_scores_five_and_the_loser_one_for_each_stone() -> None:
    result = Result("B", (4, 5))
    assert ONE_GAME.points([result]) == (4, 5)
    drawn = Result(None, (3, 3), How.TIME)
    assert ONE_GAME.points([drawn]) == (3, 3)


@pytest.mark.parametrize(
    ("result", "why"),
    [
        (Result("A", (5, 5)), "loser-stones"),
        (Result("A", (2, 1)), "winner-stones"),
        (Result(None, (3, 3)), "draw-not-played"),
        (Result("A", (10, 0)), "bad-stones"),
        (Result("B", (-1, 5)), "bad-stones"),
        (Result("A", (7, 4)), "loser-stones"),
        (Result(None, (5, 1), How.TIME), "loser-stones"),
    ],
)
def test_a_result_that_no_game_can_have_is_refused(result: Result, why: str) -> None:
    told = Told(2)
    told.pair()
    told.start()
    assert refusal(told, ResultEntered(1, 1, result)) == why


def test_a_knock_out_needs_a_winner() -> None:
    told = Told(2, Style.KNOCK_OUT)
    told.pair()
    told.start()
    assert refusal(told, ResultEntered(1, 1, Result(None, (2, 2), How.TIME))) == "no-draw"


def test_a_correction_needs_a_reason_and_keeps_what_was_there() -> None:
    told = Told(4)
    told.pair()
    told.start()
    told.tell(ResultEntered(1, 1, Result("A", (5, 2))))
    assert refusal(told, ResultEntered(1, 1, Result("B", (2, 5)))) == "needs-reason"
    told.tell(ResultEntered(1, 1, Result("B", (2, 5)), reason="seats mixed up"), who="Bert")
    entered = told.tournament.rounds[0].entries[1]
    assert [(one.result.winner, one.who) for one in entered] == [("A", "Anna"), ("B", "Bert")]
    assert told.tournament.rounds[0].result(1) == Result("B", (2, 5))


def test_a_round_is_paired_only_when_the_last_is_over() -> None:
    told = Told(4)
    told.pair()
    with pytest.raises(Refused, match="round-open"):
        next_round(told.tournament)
    told.start()
    told.tell(ResultEntered(1, 1, Result("A", (5, 0))))
    with pytest.raises(Refused, match="round-open"):
        told.pair()
    told.tell(ResultEntered(1, 2, Result("A", (5, 0))))
    told.pair()
    assert len(told.tournament.rounds) == 2


def test_a_round_that_has_not_begun_can_be_withdrawn_or_changed_and_one_that_has_cannot() -> None:
    told = Told(4)
    told.pair()
    first = told.tournament.rounds[0]
    told.tell(RoundWithdrawn(1, "Eve is missing"), PlayerLeft(4))
    told.pair()
    assert told.tournament.rounds[0].byes
    told.tell(RoundWithdrawn(1, "she came"), PlayerReturned(4))
    told.pair()
    assert told.tournament.rounds[0] == first, "the same players draw the same lots"
    one, other = first.pairings[0].a, first.pairings[1].a
    told.tell(PlayersSwapped(1, one, other, "brothers"))
    assert told.tournament.rounds[0].pairings[0].a == other
    told.start()
    assert refusal(told, RoundWithdrawn(1, "too late")) == "round-begun"
    assert refusal(told, PlayersSwapped(1, one, other, "too late")) == "round-begun"


@pytest.mark.parametrize(
    ("fact", "why"),
    [
        (EventOpened("again", Style.SWISS, 1), "opened-already"),
        (PlayerEntered(1, "Somebody"), "number-taken"),
        (PlayerEntered(9, "player 2"), "name-taken"),
        (PlayerLeft(99), "no-player"),
        (PlayerReturned(1), "is-in"),
        (RoundStarted(2, 40), "no-round"),
        (RoundPaused(1), "round-not-begun"),
        (ResultEntered(1, 1, Result("A", (5, 0))), "round-not-begun"),
        (ResultEntered(7, 1, Result("A", (5, 0))), "no-round"),
        (PlayersSwapped(1, 1, 77, "?"), "not-paired"),
        (RoundPaired(2, Style.SWISS, (Pairing(1, 1, 2),)), "round-open"),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(fact: Fact, why: str) -> None:
    told = Told(4)
    told.pair()
    assert refusal(told, fact) == why


def test_nobody_sits_twice_and_no_table_is_given_twice() -> None:
    for pairings in (
        (Pairing(1, 1, 2), Pairing(2, 1, 3)),
        (Pairing(1, 1, 2), Pairing(1, 3, 4)),
        (Pairing(None, 1, 2),),
        (Pairing(1, 1, 99),),
        (),
    ):
        assert refusal(Told(4), RoundPaired(1, Style.SWISS, pairings)) == "bad-pairing"


def test_tables_are_the_ones_of_the_list_and_have_to_be_enough() -> None:
    told = Told(6)
    told.tell(TableSet(11, "oak"), TableSet(12), TableSet(20, "elm"))
    assert refusal(told, TableSet(13, "oak")) == "station-taken"
    told.pair()
    assert [one.table for one in told.tournament.rounds[0].pairings] == [11, 12, 20]
    short = Told(6)
    short.tell(TableSet(1))
    with pytest.raises(Refused, match="too-few-tables"):
        short.pair()


def test_in_a_circle_or_a_bracket_nobody_comes_late() -> None:
    for style in (Style.ROUND_ROBIN, Style.KNOCK_OUT):
        told = Told(4, style)
        told.pair()
        assert refusal(told, PlayerEntered(5, "Late")) == "too-late"


def test_a_knock_out_winner_stays_once_the_next_round_was_built_on_it() -> None:
    told = Told(4, Style.KNOCK_OUT)
    told.rounds(1)
    told.pair()
    result = told.tournament.rounds[0].result(1)
    assert result is not None
    other = Result("B" if result.winner == "A" else "A", (result.stones[1], result.stones[0]))
    assert refusal(told, ResultEntered(1, 1, other, "oh")) == "bracket-went-on"
    told.start()
    told.play(random.Random(1), draws=False)
    with pytest.raises(Refused, match="bracket-goes-on"):
        told.pair(Style.SWISS)
    with pytest.raises(Refused, match="has-won"):
        told.pair()


def test_who_leaves_a_knock_out_lets_the_other_through() -> None:
    told = Told(4, Style.KNOCK_OUT)
    told.rounds(1)
    first = told.tournament.rounds[0]
    result = first.result(1)
    assert result is not None
    gone = first.pairings[0].a if result.winner == "A" else first.pairings[0].b
    assert gone is not None
    told.tell(PlayerLeft(gone))
    with pytest.raises(Refused, match="has-won"):
        told.pair()


def test_the_clock_runs_stands_and_has_more_left_for_a_table() -> None:
    told = Told(4)
    told.pair()
    told.start()
    began = told.now

    def left_s(seconds: float, table: int | None = None) -> float:
        timer = told.tournament.rounds[0].timer
        assert timer is not None
        return timer.left_at(began + timedelta(seconds=seconds), table)

    assert left_s(60) == 39 * 60
    told.now = began + timedelta(seconds=99)
    told.tell(RoundPaused(1))
    assert left_s(100) == left_s(900) == 2400 - 100
    told.now = began + timedelta(seconds=199)
    told.tell(RoundResumed(1))
    assert left_s(260) == 2300 - 60
    told.tell(TimeAdded(1, 180, table=2))
    assert left_s(260, 2) == left_s(260, 1) + 180
    told.tell(TimeAdded(1, 60))
    assert left_s(260) == 2300
    assert refusal(told, TimeAdded(1, 60, table=9)) == "no-table"
    timer = told.tournament.rounds[0].timer
    assert timer is not None
    ends = timer.ends_at(2)
    assert ends is not None
    assert timer.left_at(ends, 2) == 0


def results(told: Told, *pairs: tuple[int, int, Result]) -> None:
    """A round of these games, at tables from 1 on; who is not in it has no opponent."""
    number = len(told.tournament.rounds) + 1
    seated = {player for a, b, _ in pairs for player in (a, b)}
    byes = [Pairing(None, player, None) for player in told.tournament.players if player not in seated]
    games = [Pairing(table, a, b) for table, (a, b, _) in enumerate(pairs, 1)]
    told.tell(RoundPaired(number, Style.SWISS, (*games, *byes)), RoundStarted(number, 40))
    for table, (_, _, result) in enumerate(pairs, 1):
        told.tell(ResultEntered(number, table, result))


def order(told: Told) -> list[int]:
    return [line.player.number for line in standings(told.tournament)]


def test_points_come_first_then_wins_at_the_table() -> None:
    told = Told(4)
    results(told, (1, 2, Result("A", (5, 4))), (3, 4, Result("A", (5, 0))))
    assert order(told)[2:] == [2, 4]
    drawn = Told(4)
    results(drawn, (1, 2, Result("A", (5, 0))), (3, 4, Result(None, (4, 4), How.TIME)))
    results(drawn, (1, 3, Result("B", (3, 5))), (2, 4, Result("A", (5, 1))))
    lines = {line.player.number: (line.points, line.wins) for line in standings(drawn.tournament)}
    assert lines == {1: (8, 1), 2: (5, 1), 3: (9, 1), 4: (5, 0)}
    assert order(drawn) == [3, 1, 2, 4]


def test_then_the_points_of_the_opponents_on_average_and_a_bye_is_no_opponent() -> None:
    told = Told(5)
    results(told, (1, 2, Result("A", (5, 4))), (3, 4, Result("A", (5, 0))))
    lines = {line.player.number: line for line in standings(told.tournament)}
    assert (lines[5].points, lines[5].wins, lines[5].byes) == (5, 0, 1)
    assert lines[1].opponents == 4
    assert order(told)[:3] == [1, 3, 5]


def test_then_the_direct_meeting_then_the_stones() -> None:
    told = Told(2)
    results(told, (1, 2, Result("A", (5, 0))))
    results(told, (1, 2, Result("B", (0, 5))))
    lines = standings(told.tournament)
    assert [line.direct for line in lines] == [5, 5]
    apart = Told(4)
    results(apart, (1, 2, Result("A", (4, 0))), (3, 4, Result("A", (5, 0))))
    assert order(apart)[:2] == [3, 1], "equal but for the Stones"
    assert {line.player.number: line.direct for line in standings(apart.tournament)} == dict.fromkeys((1, 2, 3, 4), 0)


def test_a_table_that_still_plays_counts_for_nothing() -> None:
    told = Told(4)
    told.pair()
    told.start()
    told.tell(ResultEntered(1, 1, Result("A", (5, 3))))
    assert sorted(line.points for line in standings(told.tournament)) == [0, 0, 3, 5]
    assert sorted(line.games for line in standings(told.tournament)) == [0, 0, 1, 1]


@given(st.integers(2, 24), st.integers(0, 1000), st.sampled_from(list(Style)))
@settings(max_examples=30, deadline=None)
def test_all_is_a_fold_over_the_lines_and_the_same_seed_makes_the_same_event(
    count: int, seed: int, style: Style
) -> None:
    rounds = {Style.SWISS: 3, Style.ROUND_ROBIN: min(3, count - 1), Style.KNOCK_OUT: (count - 1).bit_length()}[style]

    def played() -> Told:
        told = Told(count, style, seed)
        told.rounds(min(rounds, count - 1), seed)
        return told

    one, other = played(), played()
    assert one.facts == other.facts
    lines = [(encode(fact), at, who) for fact, at, who in one.facts]
    again = fold((decode(line), at, who) for line, at, who in lines)
    assert again == one.tournament
    assert standings(again) == standings(one.tournament)


@given(st.integers(2, 30), st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_standings_hold_everybody_once_and_every_point_that_was_scored(count: int, seed: int) -> None:
    told = Told(count, seed=seed)
    told.rounds(min(3, count - 1), seed)
    lines = standings(told.tournament)
    assert sorted(line.player.number for line in lines) == list(range(1, count + 1))
    assert [line.place for line in lines] == list(range(1, count + 1))
    assert [line.points for line in lines] == sorted((line.points for line in lines), reverse=True)
    scored = sum(
        sum(points)
        for one in told.tournament.rounds
        for table in one.entries
        if (points := one.points(table)) is not None
    )
    byes = sum(len(one.byes) for one in told.tournament.rounds)
    assert sum(line.points for line in lines) == scored + 5 * byes


def test_nothing_can_be_told_before_the_event_was_opened() -> None:
    with pytest.raises(Refused, match="not-opened"):
        Tournament().after(PlayerEntered(1, "Eve"), "2026-01-01T00:00:00+00:00", "Anna")
    with pytest.raises(Refused, match="not-opened"):
        next_round(Tournament())
    with pytest.raises(Refused, match="too-few"):
        next_round(Told(1).tournament)


def test_the_words_are_the_same_in_every_language() -> None:
    names: list[Any] = [sorted(vocabulary(language)) for language in LANGUAGES]
    assert names[0] == names[1] == names[2]
    for name in vocabulary("en"):
        fields = [{part.split("}")[0] for part in vocabulary(language)[name].split("{")[1:]} for language in LANGUAGES]
        assert fields[0] == fields[1] == fields[2], name


def test_a_late_entry_has_no_points_for_the_rounds_before() -> None:
    told = Told(4)
    told.rounds(1)
    told.tell(PlayerEntered(5, "Late"))
    line = next(line for line in standings(told.tournament) if line.player.number == 5)
    assert replace(line, place=0, lot=0, player=told.tournament.players[5]).points == 0
    assert line.player.since == 2
