"""From what is seen to what happened: legal turns, ruses as one fact, the nearest fouls, putting right."""

from __future__ import annotations

import pytest

from engine.schotten_totten.cards import Player
from engine.schotten_totten.position_line import parse_position
from engine.table import Change, Code, Piece, Place
from tests.engine.schotten_totten.telling import GAME, explained, seen, told, told_on

RUN_AT_3 = "A g7@3\nB r1@1\nA g8@3\nB r2@3\nA g9@3\n"


@pytest.mark.parametrize("line", ["A g5@3", "A mud@3", "A joker1@1", "A recruiter", "A bluff@9"])
def test_one_card_is_one_turn(line: str) -> None:
    state = told("", "tactics")
    assert explained(state, seen(state, line)) == [line]


@pytest.mark.parametrize(
    "line", ["A banshee b4@5", "A traitor b4@5>2", "A strategist g5@3>6", "A strategist g5@3>discard"]
)
def test_a_ruse_and_the_card_it_moved_are_one_fact(line: str) -> None:
    state = told("A g5@3\nB b4@5", "tactics")
    assert explained(state, seen(state, line)) == [line]


@pytest.mark.parametrize("line", ["A banshee b4@5", "A traitor b4@5>2", "A strategist g5@3>6"])
def test_a_ruse_shown_first_is_finished_by_the_card_it_moves(line: str) -> None:
    state = told("A g5@3\nB b4@5", "tactics")
    ruse = line.split()[1]
    shown = told_on(state, seen(state, f"A {ruse}"))
    assert [str(one.fact) for one in shown.told[2:]] == [f"A {ruse}"]
    assert shown.told[-1].verdict.legal
    done = told_on(shown, seen(state, line))
    assert str(done.told[-1].fact) == line
    assert done.position == told(f"A g5@3\nB b4@5\n{line}", "tactics").position
    assert done.to_put_right == ()


@pytest.mark.parametrize("line", ["A banshee b4@5", "A traitor b4@5>2", "A strategist g5@3>6"])
def test_a_card_moved_before_its_ruse_is_shown_becomes_one_turn(line: str) -> None:
    state = told("A g5@3\nB b4@5", "tactics")
    final = seen(state, line)
    ruse = line.split()[1]
    moved = final.after([Change(Piece(Code(ruse)), Place("discard"), None)])
    early = told_on(state, moved)
    assert [foul.kind for foul in early.told[-1].verdict.fouls] == ["card-moved"]
    done = told_on(early, final)
    assert str(done.told[-1].fact) == line
    assert done.told[-1].verdict.legal
    assert done.to_put_right == ()


def test_a_play_and_the_claim_that_follows_come_in_that_order() -> None:
    state = told("A g7@3\nB r1@1\nA g8@3\nB r2@3")
    assert explained(state, seen(state, "A g9@3", "A claim 3")) == ["A g9@3", "A claim 3"]


def test_an_expert_claims_before_playing() -> None:
    state = told(RUN_AT_3 + "B b1@5", "expert")
    assert explained(state, seen(state, "A r9@1", "A claim 3")) == ["A claim 3", "A r9@1"]


def test_two_quick_turns_are_told_apart_by_whose_turn_it_was() -> None:
    state = told("A g1@1")
    assert explained(state, seen(state, "A g2@2", "B r1@1")) == ["B r1@1", "A g2@2"]
    other = told("")
    assert explained(other, seen(other, "B r1@1", "A g2@2")) == ["A g2@2", "B r1@1"]


def test_two_quick_turns_with_a_claim_between_them() -> None:
    state = told("A g7@3\nB r1@1\nA g8@3\nB r2@3")
    assert explained(state, seen(state, "B r3@4", "A claim 3", "A g9@3")) == ["A g9@3", "A claim 3", "B r3@4"]
    late = told(RUN_AT_3)
    assert explained(late, seen(late, "B r3@4", "A claim 3")) == ["A claim 3", "B r3@4"]


def test_two_turns_end_with_the_right_first_completer() -> None:
    state = told("A g1@3\nB r1@3\nA g2@3\nB r2@3")
    after = told_on(state, seen(state, "B r3@3", "A g3@3"))
    assert after.position.stone(3).completed_first is Player.A


def test_of_two_cards_laid_at_once_neither_counts_and_the_one_left_is_the_move() -> None:
    state = told("")
    both = told_on(state, seen(state, "A g5@3", "A r6@4"))
    assert [str(one.fact) for one in both.told] == ["A g5@3 + r6@4"]
    assert not both.told[0].verdict.legal
    one = told_on(both, seen(state, "A g5@3"))
    assert [str(one.fact) for one in one.told[1:]] == ["righted r6@4A>off", "A g5@3"]
    assert one.position == told("A g5@3").position
    assert one.to_put_right == ()


def test_one_of_two_cards_taken_back_while_the_opponent_plays() -> None:
    state = told("")
    both = told_on(state, seen(state, "A g5@3", "A r6@4"))
    lines = explained(both, seen(state, "A g5@3", "B b1@1"))
    assert lines == ["righted r6@4A>off", "A g5@3", "B b1@1"]


def test_a_card_out_of_turn_stays_to_be_put_right_while_the_game_goes_on() -> None:
    state = told("", "first=A")
    early = told_on(state, seen(state, "B r1@3"))
    assert [foul.kind for foul in early.told[-1].verdict.fouls] == ["out-of-turn"]
    after = told_on(early, seen(early, "A g5@3"))
    assert str(after.told[-1].fact) == "A g5@3"
    assert [str(change.piece.code) for change in after.to_put_right] == ["r1"]
    away = told_on(after, seen(after, "righted r1@3B>off"))
    again = told_on(away, seen(away, "B r1@3"))
    assert again.position == told("A g5@3\nB r1@3", "first=A").position
    assert again.to_put_right == ()


def test_a_card_put_back_where_it_belongs_is_no_move() -> None:
    state = told("A g5@3\nB r1@3")
    moved = told_on(state, seen(state, "moved g5@3A>4A"))
    assert [foul.kind for foul in moved.told[-1].verdict.fouls] == ["card-moved"]
    back = told_on(moved, state.table)
    assert str(back.told[-1].fact) == "righted g5@4A>3A"
    assert (back.position, back.to_put_right) == (state.position, ())


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("removed g5@3A", "card-removed"),
        ("swapped g5@3A for p9", "card-swapped"),
        ("turned g5@3A", "face-down"),
        ("A ?@4", "face-down"),
        ("stone 4 border>missing", "stone-missing"),
        ("appeared g9@discard", "discarded"),
        ("appeared g9@4M", "not-beside-the-stone"),
    ],
)
def test_what_is_part_of_no_turn_is_named(line: str, kind: str) -> None:
    state = told("A g5@3\nB r1@3")
    table = seen(state, line)
    assert explained(state, table) == [line]
    after = told_on(state, table)
    assert [foul.kind for foul in after.told[-1].verdict.fouls] == [kind]
    assert (told_on(after, state.table).to_put_right, told_on(after, state.table).position) == ((), state.position)


def test_a_second_copy_of_a_card_is_a_foul_of_whoever_laid_it() -> None:
    state = told("A g5@3\nB r1@3")
    after = told_on(state, seen(state, "A g5@4"))
    assert str(after.told[-1].fact) == "A g5@4"
    assert [foul.kind for foul in after.told[-1].verdict.fouls] == ["duplicate"]


def test_a_foul_and_a_legal_turn_in_one_picture_are_told_apart() -> None:
    state = told("A g5@3\nB r1@3")
    assert explained(state, seen(state, "A g6@3", "removed r1@3B")) == ["A g6@3", "removed r1@3B"]


def test_an_unproven_claim_after_a_card_leaves_the_card_counting() -> None:
    state = told("A g7@3\nB b8@3\nA r7@3\nB b9@3")
    after = told_on(state, seen(state, "A p7@3", "A claim 3"))
    assert [one.verdict.legal for one in after.told[4:]] == [True, False]
    assert [str(change.piece.code) for change in after.to_put_right] == ["stone3"]
    back = told_on(after, seen(after, "righted stone 3 A>border"))
    assert back.to_put_right == ()


def test_a_fourth_card_moved_to_an_open_stone_becomes_the_move() -> None:
    state = told("A g1@3\nB r1@1\nA g3@3\nB r3@1\nA g5@3\nB r5@1")
    fourth = told_on(state, seen(state, "A g7@3"))
    assert [foul.kind for foul in fourth.told[-1].verdict.fouls] == ["side-full"]
    moved = told_on(fourth, seen(state, "A g7@4"))
    assert [str(one.fact) for one in moved.told[-2:]] == ["righted g7@3A>off", "A g7@4"]
    assert moved.told[-1].verdict.legal


def test_a_ruse_whose_act_does_not_fit_is_named_and_can_be_put_right() -> None:
    state = told("A g5@3\nB b4@5", "tactics")
    after = told_on(state, seen(state, "A banshee g5@3A"))
    assert str(after.told[-1].fact) == "A banshee g5@3A"
    assert [foul.kind for foul in after.told[-1].verdict.fouls] == ["banshee-card"]
    right = told_on(after, seen(state, "A banshee b4@5"))
    assert str(right.told[-1].fact) == "A banshee b4@5"
    assert right.told[-1].verdict.legal
    assert right.to_put_right == ()


def test_two_ruses_in_one_picture_have_each_moved_the_card_they_may() -> None:
    state = told("A y3@8\nB o6@3\nA g1@1\nB g6@8", "tactics")
    assert explained(state, seen(state, "A traitor o6@3>5", "B strategist g6@8>4")) == [
        "A traitor o6@3>5", "B strategist g6@8>4"]  # fmt: skip


def test_cards_collected_after_the_end_are_no_fouls() -> None:
    game = (
        "A g7@1\nB r1@9\nA g8@1\nB r2@9\nA g9@1\nA claim 1\nB r3@8\nA b7@2\nB r4@8\nA b8@2\nB r5@7\nA b9@2\nA claim 2\n"
    )
    game += "B r6@7\nA p7@3\nB r7@6\nA p8@3\nB r8@6\nA p9@3\nA claim 3"
    state = told(game)
    assert all(one.verdict.legal for one in state.told)
    assert state.position.victory is not None
    after = told_on(state, seen(state, "removed g7@1A", "removed r1@9B", "stone 4 border>missing"))
    assert all(one.verdict.legal for one in after.told)
    assert after.position == state.position


NO_ROOM_FOR_A = "-:-=B/-:-=A/-:-=B/-:-=A/-:-=B/-:-=A/-:-/g1.g2.g4:r1.r2^A/g3.g5.g6:r4^A B* - 0.0 0.0 6~6.6~6 20 base"


def test_a_player_with_nowhere_to_lay_a_card_has_passed_when_the_game_goes_on() -> None:
    line = NO_ROOM_FOR_A.replace("/-:-/g1", "/y1.y2.y4:-^A/g1")
    position = parse_position(line)
    table = GAME.table(position)
    for seen_lines, explanation in [
        (["B r5@9"], ["A pass", "B r5@9"]),
        (["B r3@8", "B claim 8"], ["A pass", "B r3@8", "B claim 8"]),
        (["B r1@2"], ["A pass", "B r1@2"]),
    ]:
        seen_table = table.after(change for text in seen_lines for change in GAME.parse(text).changes())
        assert [str(fact) for fact in GAME.explain(position, table, seen_table)] == explanation


def test_a_player_with_room_has_not_passed_unseen() -> None:
    position = parse_position(NO_ROOM_FOR_A)
    table = GAME.table(position)
    seen_table = table.after(GAME.parse("B r5@9").changes())
    (fact,) = GAME.explain(position, table, seen_table)
    assert [foul.kind for foul in GAME.judge(position, fact).fouls] == ["second-card"]


def test_a_claim_when_neither_has_room_is_read_without_end() -> None:
    rows = "/".join(f"r{n}.y{n}.g{10 - n}:b{n}.p{n}.o{10 - n}^{'A' if n % 2 else 'B'}" for n in range(1, 10))
    position = parse_position(f"{rows} B* - 0.0 0.0 0~0.0~0 0 base")
    table = GAME.table(position)
    claimed = table.after(GAME.parse("A claim 1").changes())
    assert [str(fact) for fact in GAME.explain(position, table, claimed)] == ["A pass", "A claim 1"]
    refused = table.after(GAME.parse("A claim 2").changes())
    *_, fact = GAME.explain(position, table, refused)
    assert str(fact) == "A claim 2"
