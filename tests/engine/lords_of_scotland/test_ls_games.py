"""Whole games at random: all legal, every card once, the referee who only looks on agrees; and with fouls put in."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from engine.lords_of_scotland.cards import Clan
from engine.lords_of_scotland.course import enforce
from engine.lords_of_scotland.explain import explain
from engine.lords_of_scotland.facts import Used
from engine.lords_of_scotland.fouls import Breach
from engine.lords_of_scotland.hands import FullGame
from engine.lords_of_scotland.legality import judge
from engine.lords_of_scotland.position import HAND_LIMIT, Stage
from engine.lords_of_scotland.powers import MANY_PLAYERS
from engine.lords_of_scotland.skirmish import winner
from tests.engine.lords_of_scotland.injections import injections
from tests.engine.lords_of_scotland.play import DECK, random_game

QUICK, LONG = 30, 5000
CARDS = {bruce: sorted(DECK.in_play(bruce)) for bruce in (False, True)}
SEATS = pytest.mark.parametrize("seats", [2, 3, 4, 5])


def check_game(seats: int, seed: int) -> Counter[str]:
    """Play one game; every fact legal, table and position agree, every card is somewhere exactly once."""
    used: Counter[str] = Counter()
    table = None
    for before, step, after in random_game(seats, seed):
        table = before.position.table() if table is None else table
        verdict = judge(before.position, step.fact)
        assert verdict.legal, (seed, str(step.fact), verdict.fouls)
        table = table.after(step.fact.changes())
        assert table == after.position.table(), (seed, str(step.fact))
        _check_hidden(after, seed)
        if isinstance(step.fact, Used):
            used[step.fact.effect.clan] += 1
            used["copied"] += step.fact.copying is not None
        if after.position.stage is Stage.OVER:
            won = winner(after.position)
            assert won is not None
            points = [after.position.points(player) for player in after.position.players]
            assert after.position.points(won) == max(points) >= 40
            used["games"] += 1
    return used


def _check_hidden(game: FullGame, seed: int) -> None:
    position = game.position
    assert sorted(game.all_cards()) == CARDS[position.bruce], seed
    assert position.stock == len(game.deck), seed
    for player, hand in game.hands:
        side = position.side(player)
        assert side is not None
        assert side.hand.least <= len(hand) <= side.hand.most, seed
        assert len(hand) <= HAND_LIMIT, seed


@SEATS
@pytest.mark.rule("LS-101", "LS-109", "LS-206", "LS-501")
def test_random_games_are_legal_to_the_end(seats: int) -> None:
    total: Counter[str] = Counter()
    for seed in range(QUICK):
        print(f"seats {seats} seed {seed}")
        total += check_game(seats, seed)
    assert total["games"] == QUICK
    rare = {Clan.SCOTT} | ({Clan.BRUCE} if seats < 4 else set())  # a 12 is hardly ever the weakest ally
    assert all(total[clan] > 0 for clan in set(Clan) - rare)
    assert total["copied"] > 0


@SEATS
@pytest.mark.long
def test_five_thousand_random_games_are_legal_to_the_end(seats: int) -> None:
    total: Counter[str] = Counter()
    for seed in range(1000, 1000 + LONG):
        print(f"seats {seats} seed {seed}")
        total += check_game(seats, seed)
    assert total["games"] == LONG


@SEATS
def test_a_referee_who_sees_only_every_other_moment_names_no_foul_that_was_none(seats: int) -> None:
    for seed in (6, 8, 9, 15):
        print(f"seats {seats} seed {seed}")
        for first in (0, 1):
            game = islice(random_game(seats, seed), first, None)
            for (before, _, _), (_, _, after) in zip(game, game, strict=False):
                position = before.position
                for told in explain(position, position.table(), after.position.table()):
                    assert judge(position, told).legal, (seed, str(told))
                    position = enforce(position, told)


def check_fouls(seats: int, seed: int) -> Counter[str]:
    """Put every foul that can be put in at every point of one game; each is named, nothing else is, nothing counts."""
    named: Counter[str] = Counter()
    for before, _, after in random_game(seats, seed):
        named += _check_fouls_at(before, seed)
        if after.position.stage is Stage.OVER:
            named += _check_fouls_at(after, seed)
    return named


def _check_fouls_at(game: FullGame, seed: int) -> Counter[str]:
    position, table = game.position, game.position.table()
    named: Counter[str] = Counter()
    for kind, wrong in injections(game):
        found = {foul.kind for foul in judge(position, wrong).fouls}
        assert found == {kind}, (seed, str(wrong), found)
        named[kind] += 1
        righted = explain(position, table.after(wrong.changes()), table)
        assert all(judge(position, fact).legal for fact in righted), (seed, str(wrong), righted)
    return named


def every_kind(seats: int) -> set[str]:
    """The kinds of foul that so many players can commit. Deck and discard are never both empty in a game played by
    the rules."""
    other = Breach.BLOCKED if seats >= MANY_PLAYERS else Breach.BLOCKED_BY_KIN
    return {breach.value for breach in Breach} - {other.value, Breach.NOTHING_TO_DRAW.value}


@SEATS
def test_every_foul_put_into_a_random_game_is_named_and_none_invented(seats: int) -> None:
    named: Counter[str] = Counter()
    for seed in range(2):
        print(f"seats {seats} seed {seed}")
        named += check_fouls(seats, seed)
    assert len(named) > 40
    assert set(named) <= every_kind(seats)


@SEATS
@pytest.mark.long
def test_five_hundred_random_games_with_every_foul_put_in(seats: int) -> None:
    named: Counter[str] = Counter()
    for seed in range(2000, 2500):
        print(f"seats {seats} seed {seed}")
        named += check_fouls(seats, seed)
    assert set(named) == every_kind(seats)


def check_onlooker(seats: int, seed: int) -> None:
    """A referee who is told nothing and sees every table finds everything legal and the same winner."""
    referee, told, last = None, None, None
    for before, _, after in random_game(seats, seed):
        referee = before.position if referee is None else referee
        told = referee.table() if told is None else told
        seen = after.position.table()
        for fact in explain(referee, told, seen):
            verdict = judge(referee, fact)
            assert verdict.legal, (seed, str(fact), verdict.fouls)
            referee = enforce(referee, fact)
        told, last = seen, after.position
    assert referee is not None
    assert last is not None
    assert [side.won for side in referee.sides] == [side.won for side in last.sides]
    assert winner(referee) == winner(last)


@SEATS
def test_a_referee_who_only_looks_follows_the_game_to_its_winner(seats: int) -> None:
    for seed in range(4):
        print(f"seats {seats} seed {seed}")
        check_onlooker(seats, seed)


@SEATS
@pytest.mark.long
def test_a_referee_who_only_looks_follows_a_thousand_games(seats: int) -> None:
    for seed in range(3000, 4000):
        print(f"seats {seats} seed {seed}")
        check_onlooker(seats, seed)
