"""The turn: whose it is, what is laid and where, passing (chapters 1 and 2 of the rules)."""

from __future__ import annotations

import pytest

from engine.referee import opening, tell
from engine.schotten_totten.cards import CLAN_CARDS, STONES, Player
from engine.schotten_totten.options import Rules
from engine.schotten_totten.play import deal
from engine.schotten_totten.position import opening_position
from tests.engine.schotten_totten.telling import GAME, fouls, rules_broken, told

FULL_A = "A g1@3\nB r1@1\nA g3@3\nB r3@1\nA g5@3\nB r5@1\n"  # A's side of Stone 3 and B's of Stone 1 are complete


@pytest.mark.rule("ST-101")
def test_there_are_nine_stones_from_the_first_to_the_ninth() -> None:
    assert len(opening_position(Rules()).stones) == 9
    assert fouls("A g1@1\nB g2@9") == []


@pytest.mark.rule("ST-102")
def test_there_are_fifty_four_clan_cards_and_each_exists_once() -> None:
    assert len(set(CLAN_CARDS)) == 54
    assert fouls("A g1@1\nB g1@2") == ["duplicate"]
    assert rules_broken("A g1@1\nB g1@2") == ["ST-102"]


@pytest.mark.rule("ST-102")
def test_a_discarded_card_cannot_be_laid_again() -> None:
    game = "A g1@1\nB banshee g1@1\nA g1@2"
    assert fouls(game, "tactics") == ["duplicate"]


@pytest.mark.rule("ST-103")
@pytest.mark.parametrize(("rules", "hand", "left"), [(Rules(), 6, 42), (Rules(tactics=True), 7, 40)])
def test_each_player_is_dealt_a_hand_and_the_rest_is_the_deck(rules: Rules, hand: int, left: int) -> None:
    play = deal(rules)
    assert (len(play.hand_a), len(play.hand_b), len(play.clan)) == (hand, hand, left)


@pytest.mark.rule("ST-103")
def test_the_players_agree_on_who_begins() -> None:
    assert fouls("A g1@1", "first=A") == []
    assert fouls("B g1@1", "first=A") == ["out-of-turn"]
    assert fouls("B g1@1", "first=B") == []


@pytest.mark.rule("ST-103")
def test_where_nobody_agreed_whoever_lays_the_first_card_has_begun() -> None:
    assert fouls("B g1@1") == []
    assert fouls("B g1@1\nA g2@1\nB g3@1") == []
    assert fouls("B g1@1\nB g2@1") == ["second-card"]
    assert fouls("B g1@1\nA g2@1\nA g3@1") == ["second-card"]


@pytest.mark.rule("ST-201")
def test_a_card_laid_out_of_turn_does_not_count() -> None:
    state = told("A g1@1\nB g2@1\nB g3@1")
    assert [foul.kind for foul in state.told[-1].verdict.fouls] == ["second-card"]
    early = told("B g2@1", "first=A")
    assert [foul.rule for foul in early.told[-1].verdict.fouls] == ["ST-201"]
    assert early.position == opening_position(Rules(first=Player.A))


@pytest.mark.rule("ST-201")
def test_the_turn_is_unchanged_after_a_card_out_of_turn() -> None:
    assert fouls("A g1@1\nA end\nB g2@1") == []
    assert [one.verdict.legal for one in told("B g2@1\nA g1@1\nB g2@2", "first=A").told] == [False, True, True]


@pytest.mark.rule("ST-202")
def test_a_second_card_in_one_turn_is_a_foul() -> None:
    assert fouls("A g1@1\nA g2@2") == ["second-card"]


@pytest.mark.rule("ST-202")
def test_of_two_cards_laid_at_once_neither_counts() -> None:
    state = told("A g1@1 + g2@2")
    assert [foul.kind for foul in state.told[-1].verdict.fouls] == ["cards-at-once"]
    assert state.position == opening_position(Rules())
    assert len(state.to_put_right) == 2


@pytest.mark.rule("ST-203")
def test_a_card_laid_face_down_is_a_foul() -> None:
    assert fouls("A ?@1") == ["face-down"]
    assert fouls("A g1@1\nturned g1@1A") == ["face-down"]


@pytest.mark.rule("ST-204")
def test_a_card_on_the_opponents_side_or_on_the_stone_is_a_foul() -> None:
    assert fouls("A g1@1B") == ["opponents-side"]
    assert fouls("A g1@1M") == ["not-beside-the-stone"]


@pytest.mark.rule("ST-205")
def test_a_fourth_card_on_a_side_is_a_foul() -> None:
    assert fouls(FULL_A + "A g7@3") == ["side-full"]
    assert fouls(FULL_A + "A g7@4") == []


@pytest.mark.rule("ST-206")
def test_a_claimed_stone_takes_no_more_cards_on_either_side() -> None:
    claimed = "A g7@3\nB r1@1\nA g8@3\nB r2@3\nA g9@3\nA claim 3\n"
    assert fouls(claimed + "B r3@3") == ["stone-claimed"]
    assert rules_broken(claimed + "B b1@5\nA r4@3") == ["ST-206", "ST-205"]


@pytest.mark.rule("ST-207")
def test_a_card_that_was_laid_is_not_moved_removed_or_exchanged() -> None:
    assert fouls("A g1@1\nmoved g1@1A>2A") == ["card-moved"]
    assert fouls("A g1@1\nremoved g1@1A") == ["card-removed"]
    assert fouls("A g1@1\nswapped g1@1A for g2") == ["card-swapped"]
    assert rules_broken("A g1@1\nswapped g1@1A for g2") == ["ST-207"]


@pytest.mark.rule("ST-207")
def test_putting_a_card_back_is_neither_a_foul_nor_a_move() -> None:
    state = told("A g1@1\nmoved g1@1A>2A\nrighted g1@2A>1A")
    assert state.told[-1].verdict.legal
    assert state.to_put_right == ()
    assert state.position == told("A g1@1").position
    assert fouls("A g1@1\nrighted g1@1A>off") == ["card-removed"]


@pytest.mark.rule("ST-208")
def test_each_card_played_is_replaced_while_the_deck_lasts() -> None:
    state = told(FULL_A)
    assert (state.position.a.hand, state.position.b.hand, state.position.drawable) == (6, 6, 36)


@pytest.mark.rule("ST-208")
def test_with_an_empty_deck_play_goes_on_and_hands_shrink() -> None:
    cards = iter(CLAN_CARDS)
    state = start = opening(GAME, {})
    for turn in range(48):
        player = "AB"[turn % 2]
        room = next(n for n in STONES if state.position.is_open(Player(player), n))
        state = tell(state, GAME.parse(f"{player} {next(cards)}@{room}"), start)
        assert state.told[-1].verdict.legal
    assert (state.position.a.hand, state.position.b.hand, state.position.drawable) == (3, 3, 0)


@pytest.mark.rule("ST-209")
def test_in_the_base_game_nobody_passes_who_has_a_card_and_room() -> None:
    assert fouls("A pass") == ["must-play"]
    assert fouls("A end") == ["must-play"]


@pytest.mark.rule("ST-209")
def test_a_player_without_an_open_side_passes_and_draws_nothing() -> None:
    start = opening(GAME, {})
    state = start
    cards = iter(CLAN_CARDS)
    while any(state.position.is_open(Player.A, number) for number in STONES):
        for player in Player:
            room = next((n for n in STONES if state.position.is_open(player, n)), None)
            line = f"{player} pass" if room is None else f"{player} {next(cards)}@{room}"
            state = tell(state, GAME.parse(line), start)
            assert state.told[-1].verdict.legal
    before = state.position
    state = tell(state, GAME.parse("A pass"), start)
    assert state.told[-1].verdict.legal
    assert state.position.a.hand == before.a.hand


@pytest.mark.rule("ST-209")
def test_with_tactic_cards_a_pass_is_a_foul_only_while_a_clan_card_is_certainly_held() -> None:
    assert fouls("A pass", "tactics") == ["must-play"]
    game = "".join(f"A g{n}@{(n + 2) // 3}\nB r{n}@{(n + 2) // 3}\n" for n in range(1, 7))
    assert fouls(game + "A pass", "tactics") == ["must-play"]  # the seventh of the cards dealt is still there
    assert fouls(game + "A g7@3\nB r7@3\nA pass", "tactics") == []  # seven Tactic cards may have been drawn


@pytest.mark.rule("ST-209")
def test_the_recruiter_may_have_put_two_clan_cards_back() -> None:
    game = "".join(f"A g{n}@{(n + 2) // 3}\nB r{n}@{(n + 2) // 3}\n" for n in range(1, 5))
    assert fouls(game + "A pass", "tactics") == ["must-play"]
    assert fouls(game + "A g5@3\nB r5@3\nA recruiter\nB r6@3\nA pass", "tactics") == []


@pytest.mark.rule("ST-210")
def test_the_next_players_card_or_the_button_ends_a_turn() -> None:
    assert fouls("A g1@1\nB g2@1") == []
    assert fouls("A g1@1\nA end\nB g2@1") == []
    assert fouls("A g1@1\nB end") == ["must-play"]
    assert fouls("A g1@1\nA end\nA g2@1") == ["out-of-turn"]
    assert fouls("A g1@1\nA end\nA end") == ["out-of-turn"]
    assert fouls("A g1@1\nA pass") == ["second-card"]


@pytest.mark.rule("ST-211")
def test_the_order_of_cards_on_a_side_is_remembered_and_means_nothing() -> None:
    one = told("A g1@1\nB r1@1\nA g2@1").position
    other = told("A g2@1\nB r1@1\nA g1@1").position
    assert one.stone(1).a != other.stone(1).a
    assert GAME.table(one) == GAME.table(other)


def test_every_broken_rule_is_named() -> None:
    claimed = "A g7@3\nB r1@1\nA g8@3\nB r2@3\nA g9@3\nA claim 3\n"
    assert rules_broken(claimed + "A g7@3") == ["ST-202", "ST-102", "ST-206", "ST-205"]
    assert rules_broken("B joker1@1A", "first=A") == ["ST-201", "ST-501", "ST-204"]
