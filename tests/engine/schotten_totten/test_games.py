"""Whole games by computer players: every verdict legal, every injected foul named and none invented."""

from __future__ import annotations

from collections import Counter
from itertools import groupby, pairwise
from random import Random

import pytest

from engine.schotten_totten.cards import ALL_CARDS, CLAN_CARDS, STONES, ClanCard, Player
from engine.schotten_totten.facts import CardLaid, Fact, Passed, RusePlayed, StoneClaimed
from engine.schotten_totten.fouls import Breach
from engine.schotten_totten.game import SchottenTotten
from engine.schotten_totten.options import Rules
from engine.schotten_totten.play import Play
from engine.schotten_totten.spots import Side
from firmware.simulation.cheats import CHEATS, Foulplay, cheat
from firmware.simulation.players import RANDOM, SENSIBLE, Step, play_game
from tests.engine.schotten_totten.every_act import every_play

GAME = SchottenTotten()
VARIANTS = {
    "base": Rules(),
    "tactics": Rules(tactics=True),
    "expert": Rules(tactics=True, expert=True),
}
QUICK, CHUNKS, CHUNK = 50, 10, 334  # three variants of ten chunks make ten thousand games and a few more

# What only the players can know, or what the camera reads as the other player's doing.
UNSEEN_BY_CAMERA = {"pass-though-able", "wrong-side", "on-the-stone"}


def steps(rules: Rules, seed: int) -> list[Step]:
    minds = (SENSIBLE, RANDOM) if seed % 2 else (RANDOM, SENSIBLE)
    return list(play_game(rules, Random(seed), *minds))


def every_fact_is_legal_and_seen_as_it_was(game: list[Step]) -> None:
    for step in game:
        position = step.before.position
        assert GAME.judge(position, step.fact).legal, str(step.fact)
        assert GAME.after(position, step.fact) == step.after.position
        if not isinstance(step.fact, Passed):
            explained = GAME.explain(position, GAME.table(position), GAME.table(step.after.position))
            assert explained == (step.fact,)


def the_camera_alone_is_enough(game: list[Step]) -> None:
    """Passing cannot be seen; where it is certain it is inferred, elsewhere the player says it: where a card could
    still be laid, and where the next card lies on nobody's side, so that either may have laid it."""
    position = game[0].before.position
    for step, following in zip(game, [*game[1:], None], strict=True):
        if isinstance(step.fact, Passed):
            has_room = any(position.is_open(step.fact.player, number) for number in STONES)
            if has_room or following is None or is_on_nobodys_side(following.fact):
                position = GAME.after(position, step.fact)
            continue
        for fact in GAME.explain(position, GAME.table(position), GAME.table(step.after.position)):
            assert GAME.judge(position, fact).legal, str(fact)
            position = GAME.after(position, fact)
    assert position.stones == game[-1].after.position.stones
    assert position.victory == game[-1].after.position.victory


def is_on_nobodys_side(fact: Fact) -> bool:
    return isinstance(fact, RusePlayed) or (isinstance(fact, CardLaid) and not isinstance(fact.spot, Side))


def what_is_public_is_true(game: list[Step]) -> None:
    cards = Counter(ALL_CARDS if game[0].before.position.rules.tactics else CLAN_CARDS)
    for step in game:
        play, position = step.before, step.before.position
        lying = [card for stone in position.stones for card in (*stone.a, *stone.b, *stone.modes)] + [*position.discard]
        assert Counter([*lying, *play.hand_a, *play.hand_b, *play.clan, *play.tactic]) == cards
        if not isinstance(step.fact, StoneClaimed):
            assert position.drawable == len(play.clan) + len(play.tactic)
            for player in Player:
                hand = play.hand(player)
                assert position.known(player).hand == len(hand)
                clan = sum(isinstance(card, ClanCard) for card in hand)
                assert position.certain_clan_cards(player) <= clan


def it_ends(game: list[Step]) -> None:
    """Somebody has won; or, with Tactic cards, nobody can play or claim anything any more (ST-407)."""
    end = game[-1].after
    if end.position.victory is None:
        assert end.position.rules.tactics
        assert is_stuck(end)


def is_stuck(play: Play) -> bool:
    for _ in Player:
        player = play.position.to_play
        if play.plays() != (Passed(player),) or any(play.claims(player) for player in Player):
            return False
        play = play.after(Passed(player))
    return True


def one_foul_is_named_and_nothing_else(game: list[Step], random: Random) -> Foulplay | None:
    """Injects one foul somewhere into the game; returns it, None if this game offered no way to cheat."""
    for _ in range(20):
        step, name = random.choice(game), random.choice(list(CHEATS))
        foul = cheat(name, step.before, random)
        if foul is None:
            continue
        position = step.before.position
        verdict = GAME.judge(position, foul.fact)
        assert [one.kind for one in verdict.fouls] == [foul.breach.value], str(foul.fact)
        assert GAME.after(position, foul.fact) == position
        if name not in UNSEEN_BY_CAMERA:
            the_camera_sees_the_foul(step, foul)
        return foul
    return None


def the_camera_sees_the_foul(step: Step, foul: Foulplay) -> None:
    position = step.before.position
    right = GAME.table(position)
    wrong = right.after(foul.fact.changes())
    facts = GAME.explain(position, right, wrong)
    assert [one.kind for fact in facts for one in GAME.judge(position, fact).fouls] == [foul.breach.value]
    for fact in GAME.explain(position, wrong, right):
        assert GAME.judge(position, fact).legal, str(fact)
        assert GAME.after(position, fact) == position


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_are_legal_from_the_deal_to_the_end(variant: str) -> None:
    for seed in range(QUICK):
        print(f"{variant} seed {seed}")
        game = steps(VARIANTS[variant], seed)
        every_fact_is_legal_and_seen_as_it_was(game)
        the_camera_alone_is_enough(game)
        what_is_public_is_true(game)
        it_ends(game)
        one_foul_is_named_and_nothing_else(game, Random(seed))


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("variant", VARIANTS)
def test_ten_thousand_games_are_legal_and_a_foul_in_each_is_named(variant: str, chunk: int) -> None:
    fouls = 0
    for seed in range(QUICK + chunk * CHUNK, QUICK + (chunk + 1) * CHUNK):
        print(f"{variant} seed {seed}")
        game = steps(VARIANTS[variant], seed)
        every_fact_is_legal_and_seen_as_it_was(game)
        the_camera_alone_is_enough(game)
        what_is_public_is_true(game)
        it_ends(game)
        fouls += one_foul_is_named_and_nothing_else(game, Random(seed)) is not None
    assert fouls == CHUNK


def test_two_turns_in_one_picture_are_told_apart_unless_a_ruse_took_the_card_just_laid() -> None:
    for variant in VARIANTS.values():
        for seed in range(4):
            game = steps(variant, seed)
            turns = [list(turn) for _, turn in groupby(game, key=lambda step: step.fact.player)]
            for both in ([*first, *second] for first, second in pairwise(turns)):
                facts = tuple(step.fact for step in both)
                if any(isinstance(fact, Passed) for fact in facts) or moves_a_card_just_laid(facts):
                    continue
                before, after = both[0].before.position, both[-1].after.position
                position = before
                for fact in GAME.explain(before, GAME.table(before), GAME.table(after)):
                    assert GAME.judge(position, fact).legal, (str(fact), [str(fact) for fact in facts])
                    position = GAME.after(position, fact)
                assert position == after


def moves_a_card_just_laid(facts: tuple[Fact, ...]) -> bool:
    laid = {fact.card for fact in facts if isinstance(fact, CardLaid)}
    return any(fact.card in laid for fact in facts if isinstance(fact, RusePlayed))


def test_every_way_to_cheat_is_found_and_named_in_some_game() -> None:
    waiting, named = set(CHEATS) - {"claim-tie-second"}, set()  # ties are too rare among few games
    random = Random(7)
    for seed in range(40):
        for variant in VARIANTS.values():
            for step in steps(variant, seed)[:: 1 + seed % 3]:
                for name in sorted(waiting):
                    foul = cheat(name, step.before, random)
                    if foul is not None:
                        kinds = [one.kind for one in GAME.judge(step.before.position, foul.fact).fouls]
                        assert kinds == [foul.breach.value], (name, str(foul.fact))
                        named.add(foul.breach)
                        waiting.discard(name)
        if not waiting:
            break
    assert waiting == set()
    assert named <= set(Breach)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_plays_that_are_offered_are_those_that_are_legal(variant: str) -> None:
    """Every card of the hand tried in every place, judged, against what the full game offers."""
    for seed in range(3):
        for step in steps(VARIANTS[variant], seed)[::4]:
            position, player = step.before.position, step.before.position.to_play
            legal = {fact for fact in every_play(step.before, player) if GAME.judge(position, fact).legal}
            offered = set(step.before.plays()) - {Passed(player)}
            assert offered == legal
