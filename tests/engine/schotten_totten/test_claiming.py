"""Claims in play: the moment for them, what they rest on, the end of the game (chapters 3, 4 and 6 of the rules)."""

from __future__ import annotations

import pytest

from engine.rules import Sign
from engine.schotten_totten.cards import STONES, Player
from engine.schotten_totten.claims import Why, judge_all
from engine.schotten_totten.position_line import parse_position
from engine.schotten_totten.score import By, Match, Victory, round_points, victory
from engine.schotten_totten.stones import Stone
from tests.engine.schotten_totten.telling import GAME, fouls, told

RUN_AT_3 = "A g7@3\nB r1@1\nA g8@3\nB r2@3\nA g9@3\n"  # the best formation there is, complete for A


def owned(*owners: str) -> tuple[Stone, ...]:
    return tuple(Stone(owner=None if owner == "-" else Player(owner)) for owner in owners)


@pytest.mark.rule("ST-301")
def test_a_claim_comes_after_the_card_and_before_the_opponents() -> None:
    assert fouls(RUN_AT_3 + "A claim 3") == []
    assert fouls(RUN_AT_3 + "B b1@5\nA claim 3") == ["claim-too-late"]
    assert fouls(RUN_AT_3 + "A end\nA claim 3") == ["claim-too-late"]
    assert fouls(RUN_AT_3 + "A end\nB b1@5\nB end\nA claim 3") == ["claim-too-early"]


@pytest.mark.rule("ST-301")
def test_several_stones_may_be_claimed_in_one_turn() -> None:
    game = RUN_AT_3 + "B b1@5\nA p7@4\nB b2@5\nA p8@4\nB o1@6\nA p9@4\nA claim 3\nA claim 4"
    assert fouls(game) == []


@pytest.mark.rule("ST-302")
def test_no_claim_while_ones_own_side_is_not_complete() -> None:
    assert fouls("A g7@3\nA claim 3") == ["claim-incomplete"]


@pytest.mark.rule("ST-303")
def test_the_weaker_combination_is_refused_and_the_stronger_granted() -> None:
    game = "A g7@3\nB r1@3\nA p4@3\nB b1@3\nA b3@3\nB g1@3\n"
    state = told(game + "B claim 3")
    assert state.told[-1].verdict.legal
    assert fouls(game + "B end\nA o9@1\nA claim 3") == ["claim-weaker"]


@pytest.mark.rule("ST-304")
def test_three_of_a_kind_beats_a_sum_as_in_the_rulebooks_example() -> None:
    state = told("A g5@3\nB g7@3\nA r5@3\nB p4@3\nA b9@9\nB b3@3\nA b5@3\nA claim 3")
    assert state.told[-1].verdict.legal
    assert state.position.stone(3).owner is Player.A


@pytest.mark.rule("ST-305")
def test_of_two_runs_the_higher_sum_wins() -> None:
    game = "A g7@3\nB r6@3\nA b8@3\nB o7@3\nA p9@3\nB y8@3\n"
    assert fouls(game + "B claim 3") == ["claim-weaker"]
    assert fouls(game + "A b1@1\nA claim 3") == []


@pytest.mark.rule("ST-306")
def test_a_tie_goes_to_whoever_completed_first() -> None:
    game = "A g7@3\nB r7@3\nA b8@3\nB o8@3\nA p9@3\nB y9@3\n"
    assert fouls(game + "B claim 3") == ["claim-tie-second"]
    assert fouls(game + "A b1@1\nA claim 3") == []


@pytest.mark.rule("ST-306")
def test_whoever_loses_a_card_has_no_longer_completed_first() -> None:
    game = "A g7@3\nB r7@3\nA b8@3\nB o8@3\nA p9@3\nB y9@3\n"
    later = "A strategist p9@3>4\nB b1@1\nA b9@3\n"
    state = told(game + later, "tactics")
    assert state.position.stone(3).completed_first is Player.B
    assert fouls(game + later + "A claim 3", "tactics") == ["claim-tie-second"]


@pytest.mark.rule("ST-307")
def test_an_early_claim_needs_a_proof_and_a_refusal_shows_what_would_beat_it() -> None:
    state = told("A g7@3\nB b8@3\nA r7@3\nB b9@3\nA p7@3\nA claim 3")
    (foul,) = state.told[-1].verdict.fouls
    assert (foul.rule, foul.kind) == ("ST-307", "claim-could-be-beaten")
    assert dict(foul.about)["cards"] == "b7"
    assert fouls("A g7@3\nB b8@3\nA r7@3\nB b9@3\nA p7@3\nB b7@1\nA b1@2\nA claim 3") == []


@pytest.mark.rule("ST-308")
def test_discards_are_seen_and_cannot_come_any_more() -> None:
    game = "A g7@3\nB b8@3\nA r7@3\nB b9@3\nA p7@3\nB b7@1\n"
    assert fouls(game + "A banshee b7@1\nA claim 3", "tactics") == []


@pytest.mark.rule("ST-308")
def test_unplayed_elite_troops_defeat_a_proof_only_by_the_option() -> None:
    game = "A g7@3\nB b8@3\nA r7@3\nB b9@3\nA p7@3\nB b7@1\nA b1@2\nA claim 3"
    assert fouls(game, "tactics") == []
    assert fouls(game, "tactics proof=tactics") == ["claim-could-be-beaten"]


@pytest.mark.rule("ST-309")
def test_a_tie_at_best_is_a_proof() -> None:
    state = told(RUN_AT_3 + "A claim 3")
    assert getattr(state.told[-1].verdict.finding, "why", None) is Why.PROOF
    level = "A g7@3\nB r7@3\nA g8@3\nB r8@3\nA g9@3\nA claim 3"
    assert fouls(level) == []


@pytest.mark.rule("ST-310")
def test_a_claimed_stone_is_not_claimed_again_nor_given_back() -> None:
    claimed = RUN_AT_3 + "A claim 3\n"
    assert fouls(claimed + "stone 3 A>border") == ["stone-given-back"]
    assert fouls(claimed + "A claim 3") == ["already-claimed"]
    assert fouls(claimed + "B b1@1\nB claim 3 from A") == ["already-claimed"]


@pytest.mark.rule("ST-311")
def test_a_tile_that_leaves_the_border_without_a_claim_is_put_back() -> None:
    assert fouls("A g1@1\nstone 3 border>missing") == ["stone-missing"]
    assert fouls("A g1@1\nstone 3 border>B") == ["stone-misplaced"]
    state = told("A g1@1\nstone 3 border>missing\nrighted stone 3 missing>border")
    assert state.told[-1].verdict.legal
    assert state.to_put_right == ()


def test_a_spoken_claim_asks_for_the_tile_to_be_moved() -> None:
    state = told(RUN_AT_3 + "A claim 3 by word")
    assert state.position.stone(3).owner is Player.A
    (change,) = state.to_put_right
    assert (change.piece.code, change.origin, change.target) == ("stone3", "3border", "3claimedA")


@pytest.mark.rule("ST-401")
@pytest.mark.parametrize(("owners", "won"), [("AAA------", True), ("A--A--A--", False), ("BB-AA-BB-", False)])
def test_three_stones_win_only_side_by_side(owners: str, won: bool) -> None:
    assert victory(owned(*owners)) == (Victory(Player.A, By.THREE_ADJACENT) if won else None)


@pytest.mark.rule("ST-402")
def test_five_stones_win_wherever_they_lie() -> None:
    assert victory(owned(*"AA-AA-A--")) == Victory(Player.A, By.FIVE)
    assert victory(owned(*"B-B-B-B--")) is None


@pytest.mark.rule("ST-403")
def test_after_the_end_nothing_counts_and_cards_may_be_collected() -> None:
    line = "g7.g8.g9:-^A=A/b7.b8.b9:-^A=A/p7.p8.p9:-^A=A/-:-/-:-/-:-/-:-/-:-/-:- A* - 0.0 0.0 6~0.6~6 20 base"
    over = parse_position(line)
    kinds = [[foul.kind for foul in GAME.judge(over, GAME.parse(text)).fouls] for text in ("B r1@5", "A claim 4")]
    assert kinds == [["game-over"], ["game-over", "claim-incomplete"]]
    collected = GAME.parse("removed g7@1A")
    assert GAME.judge(over, collected).legal
    assert GAME.after(over, collected) == over


@pytest.mark.rule("ST-404")
def test_three_adjacent_and_five_at_once_is_reported_as_three_adjacent() -> None:
    assert victory(owned(*"AAA-A-A--")) == Victory(Player.A, By.THREE_ADJACENT)


@pytest.mark.rule("ST-405")
def test_the_winner_gets_five_points_and_the_loser_one_for_each_stone() -> None:
    assert round_points(owned(*"AAABB----")) == {Player.A: 5, Player.B: 2}
    assert round_points(owned(*"AA-BB----")) == {Player.A: 0, Player.B: 0}


@pytest.mark.rule("ST-405")
def test_most_points_win_the_match_and_level_points_are_a_draw() -> None:
    match = Match(2).after(owned(*"AAABB----"))
    assert (match.is_over, match.winner) == (False, Player.A)
    drawn = match.after(owned(*"BBBAA----"))
    assert (drawn.is_over, drawn.total, drawn.winner) == (True, {Player.A: 7, Player.B: 7}, None)


@pytest.mark.rule("ST-406")
def test_when_all_nine_are_full_each_belongs_to_somebody_who_may_claim_it_after_passing() -> None:
    rows = [f"r{n}.y{n}.g{10 - n}:b{n}.p{n}.o{10 - n}^{'A' if n % 2 else 'B'}" for n in STONES]
    full = parse_position(f"{'/'.join(rows)} B* - 0.0 0.0 0~0.0~0 0 base")
    for pair in judge_all(full.stones):
        assert sum(finding.allowed for finding in pair) == 1
    passed = GAME.after(full, GAME.parse("A pass"))
    assert GAME.judge(passed, GAME.parse("A claim 1")).legal


@pytest.mark.rule("ST-407")
def test_where_nobody_can_go_on_a_result_is_entered() -> None:
    state = told("A g1@1\nresult draw by Judge: neither can play")
    assert state.decision is not None
    assert state.decision.winner is None


@pytest.mark.rule("ST-601")
def test_experts_claim_at_the_start_of_their_turn_only() -> None:
    assert fouls(RUN_AT_3 + "A claim 3", "expert") == ["expert-claim-too-late"]
    assert fouls(RUN_AT_3 + "A end\nA claim 3", "expert") == ["expert-claim-too-early"]
    assert fouls(RUN_AT_3 + "B b1@5\nA claim 3", "expert") == []
    assert fouls(RUN_AT_3 + "B b1@5\nB end\nA claim 3\nA r9@1", "expert") == []
    assert fouls(RUN_AT_3 + "B b1@5\nA claim 3\nB b2@5", "expert") == ["out-of-turn"]


def test_the_winning_claim_ends_the_game_in_the_summary() -> None:
    line = "g7.g8.g9:-^A=A/b7.b8.b9:-^A=A/p7.p8.p9:-^A/-:-/-:-/-:-/-:-/-:-/-:- A* - 0.0 0.0 6~0.6~6 20 base"
    position = GAME.after(parse_position(line), GAME.parse("A claim 3"))
    summary = GAME.summary(position)
    assert (summary.winner, summary.won_by, summary.turn) == ("A", "three-adjacent", None)


def test_at_the_opening_all_nine_marks_are_dark() -> None:
    marks = GAME.summary(GAME.opening({})).marks
    assert [(mark.name, mark.sign) for mark in marks] == [(f"stone{number}", Sign.DARK) for number in STONES]


def test_a_claim_that_can_be_proved_is_marked_at_once() -> None:
    marks = GAME.summary(told(RUN_AT_3).position).marks
    assert (marks[2].sign, marks[2].player) == (Sign.OFFERED, "A")
    tie = told("A g7@3\nB r7@3\nA b8@3\nB o8@3\nA p9@3\nB y9@3").position
    assert (GAME.summary(tie).marks[2].sign, GAME.summary(tie).marks[2].player) == (Sign.TIE, "A")
