"""Whole games at random: all legal, every card once, the referee who only looks on agrees; and with fouls put in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from engine.lords_of_scotland.cards import Clan, clan_of
from engine.lords_of_scotland.course import enforce, pass_turn
from engine.lords_of_scotland.effects import Activate, Draw
from engine.lords_of_scotland.explain import explain
from engine.lords_of_scotland.facts import (
    Cleared,
    Dealt,
    Engaged,
    Fact,
    InitiativeGiven,
    Recruited,
    Revealed,
    Shifted,
    Taken,
    Turned,
    Used,
)
from engine.lords_of_scotland.hands import FullGame
from engine.lords_of_scotland.legality import judge
from engine.lords_of_scotland.places import army_of, face, recruit_at
from engine.lords_of_scotland.position import HAND_LIMIT, Position, Stage
from engine.lords_of_scotland.powers import blocker
from engine.lords_of_scotland.skirmish import next_taker, winner
from engine.table import UNKNOWN, Change, Player
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
        total += check_game(seats, seed)
    assert total["games"] == LONG


def injections(game: FullGame) -> Iterator[tuple[str, Fact]]:
    """Fouls that could be committed here, each with the one kind that it must be named by."""
    position = game.position
    if position.stage is Stage.FIGHTING:
        yield from _in_fight(game, position)
    if position.stage is Stage.SHARING:
        yield from _in_sharing(position)
    lying = [(player, ally) for player, ally in position.allies() if ally.code != UNKNOWN]
    if lying and position.stage is not Stage.OVER:
        owner, ally = lying[0]
        piece = face(ally.code, sideways=ally.active is not None)
        yield "moved", Shifted(Change(piece, army_of(owner), recruit_at(1)))
    if lying and position.stage is Stage.FIGHTING and not _is_last(position):
        yield "cleared-early", Cleared(army_of(lying[0][0]), lying[0][1].lying)
        unseen = next(code for code in DECK.codes if not position.table().places_of(code))
        yield "revealed-early", Revealed(lying[0][0], unseen)
    if position.stage in (Stage.FIGHTING, Stage.SHARING):
        others = [player for player in position.players if player != position.initiative]
        yield "initiative", InitiativeGiven(position.initiative, others[0])


def _is_last(position: Position) -> bool:
    return position.is_turn_over and pass_turn(position).stage is not Stage.FIGHTING


def _in_fight(game: FullGame, position: Position) -> Iterator[tuple[str, Fact]]:
    player, hand = position.on_turn, game.hand(position.on_turn)
    if position.gap is not None:
        face_up = position.gap <= position.turn
        wrong = UNKNOWN if face_up else game.made_ready().deck[0]
        yield "wrong-face", Dealt(wrong, recruit_at(position.gap))
        return
    waiting = [other for other in position.players if other != player]
    if position.is_turn_over:
        waiting = [] if _is_last(position) else [other for other in waiting if other != position.after_turn]
    for other in waiting:
        if game.hand(other):
            yield "out-of-turn", Engaged(other, game.hand(other)[0])
    if position.must_turn and position.next_recruit is not None:
        slot = position.next_recruit
        yield "turned-by-other", Turned(position.after_turn, slot, dict(game.below)[slot])
        if slot < 5:
            yield "not-leftmost", Turned(player, slot + 1, dict(game.below)[slot + 1])
        if hand:
            yield "recruit-not-turned", Engaged(player, hand[0])
        return
    if position.acted and not position.owes and hand:
        yield "second-action", Engaged(player, hand[0])
    if not position.acted and len(hand) == HAND_LIMIT:
        yield "eleventh-card", Recruited(player, 1, position.recruits[0] or UNKNOWN)
    if not position.acted and position.supporters and hand:
        yield "card-twice", Engaged(player, position.supporters[0])
    yield from _bad_uses(position, player)


def _bad_uses(position: Position, player: Player) -> Iterator[tuple[str, Fact]]:
    laid = position.laid
    if laid == UNKNOWN:
        yield "face-down-power", Used(player, UNKNOWN, Draw())
    elif laid is not None and blocker(position, laid) is not None:
        kind = "blocked-by-kin" if len(position.sides) > 3 else "blocked"
        clan = clan_of(laid)
        if clan in (Clan.COCHRANE, Clan.MACDONNELL, Clan.BRUCE):
            yield kind, Used(player, laid, Activate(clan))
        if clan is Clan.FORSYTH:
            yield kind, Used(player, laid, Draw())


def _in_sharing(position: Position) -> Iterator[tuple[str, Fact]]:
    if position.hidden:
        yield "not-revealed", Taken(position.players[0], position.supporters[0])
        return
    due = next_taker(position)
    for player in position.players:
        if not position.army(player):
            yield "no-ally", Taken(player, position.supporters[0])
        elif player != due:
            yield (
                "second-supporter" if player in position.taken else "out-of-order",
                Taken(player, position.supporters[0]),
            )


def check_fouls(seats: int, seed: int) -> Counter[str]:
    """Put every foul that can be put in at every point of one game; each is named, nothing else is, nothing counts."""
    named: Counter[str] = Counter()
    for before, _, _ in random_game(seats, seed):
        position = before.position
        for kind, wrong in injections(before):
            found = {foul.kind for foul in judge(position, wrong).fouls}
            if kind == "revealed-early":
                found -= {"nothing-face-down", "card-twice", "was-discarded"}
            assert found == {kind}, (seed, str(wrong))
            named[kind] += 1
            table = position.table()
            righted = explain(position, table.after(wrong.changes()), table)
            assert all(judge(position, fact).legal for fact in righted), (seed, str(wrong), righted)
    return named


@SEATS
def test_every_foul_put_into_a_random_game_is_named_and_none_invented(seats: int) -> None:
    named: Counter[str] = Counter()
    for seed in range(2):
        print(f"seats {seats} seed {seed}")
        named += check_fouls(seats, seed)
    common = {"out-of-turn", "second-action", "wrong-face", "not-leftmost", "turned-by-other", "recruit-not-turned"}
    assert common | {"card-twice", "face-down-power", "out-of-order", "not-revealed", "moved", "initiative"} <= set(
        named
    )
    assert ("blocked" in named) == (seats < 4)


@SEATS
@pytest.mark.long
def test_five_hundred_random_games_with_every_foul_put_in(seats: int) -> None:
    for seed in range(2000, 2500):
        check_fouls(seats, seed)


@SEATS
def test_a_referee_who_only_looks_follows_the_game_to_its_winner(seats: int) -> None:
    for seed in range(4):
        print(f"seats {seats} seed {seed}")
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
