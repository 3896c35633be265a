"""Tactic cards at the table: when they may be played, modes, ruses and what ruses do (chapter 5 of the rules)."""

from __future__ import annotations

import pytest

from engine.schotten_totten.cards import TACTIC_CARDS, Player
from engine.schotten_totten.options import Rules
from engine.schotten_totten.play import Deck, deal
from engine.schotten_totten.position_line import parse_position
from tests.engine.schotten_totten.telling import GAME, fouls, rules_broken, told

RUN_AT_3 = "A g7@3\nB r1@1\nA g8@3\nB r2@3\nA g9@3\n"


def tactics(text: str) -> list[str]:
    return fouls(text, "tactics")


@pytest.mark.rule("ST-501")
def test_tactic_cards_belong_to_the_variant_and_each_exists_once() -> None:
    assert len(set(TACTIC_CARDS)) == 10
    assert fouls("A joker1@1") == ["no-tactics"]
    assert fouls("A mud@1") == ["no-tactics"]
    assert fouls("A recruiter") == ["no-tactics"]
    assert tactics("A joker1@1") == []
    assert tactics("A spy@1\nB spy@1") == ["duplicate"]


@pytest.mark.rule("ST-502")
def test_a_tactic_card_is_the_card_of_the_turn() -> None:
    assert tactics("A spy@1\nA g1@1") == ["second-card"]
    assert tactics("A mud@1\nA g1@1") == ["second-card"]
    assert tactics("A recruiter\nA g1@1") == ["second-card"]


@pytest.mark.rule("ST-502")
def test_the_card_drawn_comes_from_either_deck() -> None:
    play = deal(Rules(tactics=True))
    assert play.decks() == (Deck.CLAN, Deck.TACTIC)
    assert play.draw(Player.A, Deck.TACTIC).hand_a[-1] in TACTIC_CARDS
    assert deal(Rules()).decks() == (Deck.CLAN,)


@pytest.mark.rule("ST-503")
def test_nobody_plays_two_tactic_cards_more_than_the_opponent() -> None:
    assert tactics("A spy@1\nB g1@1\nA shield@2") == ["tactic-limit"]
    assert tactics("A spy@1\nB joker1@1\nA shield@2") == []
    assert rules_broken("A spy@1\nB g1@1\nA shield@2", "tactics") == ["ST-503"]


@pytest.mark.rule("ST-503")
def test_ruses_count_towards_the_limit() -> None:
    assert tactics("A recruiter\nB g1@1\nA banshee g1@1") == ["tactic-limit"]


@pytest.mark.rule("ST-510")
def test_elite_troops_are_laid_like_clan_cards() -> None:
    assert tactics("A spy@1B") == ["opponents-side"]
    assert tactics("A g1@1\nB r1@1\nA g2@1\nB r2@1\nA g3@1\nB r3@2\nA spy@1") == ["side-full"]


@pytest.mark.rule("ST-511")
@pytest.mark.rule("ST-510")
def test_a_joker_completes_the_best_formation_for_its_owner() -> None:
    state = told("A g7@3\nB r1@1\nA joker1@3\nB r2@3\nA g9@3\nA claim 3", "tactics")
    assert state.told[-1].verdict.legal


@pytest.mark.rule("ST-512")
def test_a_second_joker_on_ones_side_is_a_foul() -> None:
    game = "A joker1@1\nB spy@1\nA joker2@2"
    assert tactics(game) == ["second-joker"]
    assert tactics("A joker1@1\nB joker2@2") == []


@pytest.mark.rule("ST-512")
def test_after_the_first_joker_was_discarded_a_second_is_an_option() -> None:
    game = "A joker1@1\nB banshee joker1@1\nA joker2@2"
    assert fouls(game, "tactics") == []
    assert fouls(game, "tactics second-joker=never") == ["second-joker"]


@pytest.mark.rule("ST-513")
def test_the_spy_is_a_seven_of_any_colour() -> None:
    assert tactics("A g8@3\nB r1@1\nA spy@3\nB r2@3\nA g9@3\nA claim 3") == []
    assert tactics("A g5@3\nB r1@3\nA spy@3\nB r2@3\nA g4@3\nA claim 3") == ["claim-could-be-beaten"]


@pytest.mark.rule("ST-514")
def test_the_shield_bearer_is_three_at_the_most() -> None:
    state = told("A g1@3\nB r1@1\nA shield@3\nB r2@3\nA g2@3\nA claim 3", "tactics")
    (foul,) = state.told[-1].verdict.fouls
    assert foul.kind == "claim-could-be-beaten"


@pytest.mark.rule("ST-520")
def test_a_combat_mode_lies_on_an_unclaimed_stone_and_nowhere_else() -> None:
    assert tactics("A mud@1") == []
    assert tactics("A mud@1A") == ["mode-misplaced"]
    assert tactics(RUN_AT_3 + "A claim 3\nB mud@3") == ["mode-on-claimed"]
    assert tactics("A mud@1\nB bluff@1") == []


@pytest.mark.rule("ST-520")
def test_no_ruse_takes_a_combat_mode() -> None:
    assert tactics("A mud@1\nB banshee mud@1M") == ["mode-stays"]
    assert tactics("A mud@1\nB strategist mud@1M>2") == ["mode-stays"]
    assert tactics("A mud@1\nB traitor mud@1M>2") == ["mode-stays", "traitor-tactic"]


@pytest.mark.rule("ST-521")
def test_under_blind_mans_bluff_only_the_sum_counts() -> None:
    game = "A g1@3\nB r9@3\nA g2@3\nB b9@3\nA g3@3\nB y8@3\n"
    assert fouls(game + "A o1@1\nA claim 3", "tactics") == []
    assert fouls(game + "A bluff@3\nA claim 3", "tactics") == ["claim-weaker"]


@pytest.mark.rule("ST-522")
def test_a_mud_fight_asks_for_a_fourth_card_and_forgets_who_completed_first() -> None:
    game = "A g7@3\nB r7@3\nA b8@3\nB o8@3\nA p9@3\nB y9@3\nA mud@3\n"
    state = told(game, "tactics")
    assert state.position.stone(3).completed_first is None
    assert fouls(game + "A claim 3", "tactics") == ["claim-incomplete"]
    assert fouls(game + "B r6@3\nA b6@3\nB claim 3", "tactics") == ["claim-too-late"]
    both = told(game + "B r6@3\nA b6@3", "tactics").position
    assert both.stone(3).completed_first is Player.B
    assert fouls(game + "B r6@3\nA b6@3\nB r5@3", "tactics") == ["side-full"]


@pytest.mark.rule("ST-530")
def test_a_ruse_that_was_shown_must_be_carried_out_or_taken_back() -> None:
    shown = "A g1@1\nB banshee\n"
    assert tactics(shown + "B banshee g1@1") == []
    assert tactics(shown + "B r1@1") == ["ruse-unfinished"]
    assert tactics(shown + "A g2@1") == ["out-of-turn"]
    assert tactics(shown + "removed banshee@discard") == []
    assert tactics(shown + "removed banshee@discard\nB r1@1") == []
    assert tactics(shown + "removed banshee@discard\nB banshee g1@1") == []


@pytest.mark.rule("ST-530")
def test_a_ruse_belongs_beside_the_decks() -> None:
    assert tactics("A banshee@1") == ["ruse-misplaced"]


@pytest.mark.rule("ST-531")
def test_the_recruiter_leaves_a_full_hand() -> None:
    position = told("A g1@1\nB recruiter", "tactics").position
    assert (position.b.hand, position.drawable, position.b.tactics_played) == (
        7,
        48,
        1,
    )  # 50 to draw, one by A, three by B, two put back


@pytest.mark.rule("ST-531")
def test_the_recruiter_draws_what_there_is() -> None:
    line = "-:-/-:-/-:-/-:-/-:-/-:-/-:-/-:-/-:- A - 0.0 0.0 5~0.5~0 1 tactics"
    position = GAME.after(parse_position(line), GAME.parse("A recruiter"))
    assert (position.a.hand, position.drawable) == (4, 1)  # 5 - 1 + 1 - 2, and one drawn of the two put back


@pytest.mark.rule("ST-532")
def test_the_strategist_moves_a_card_of_ones_own_to_another_stone_or_the_discard() -> None:
    game = "A g1@1\nB r1@1\nA strategist "
    assert tactics(game + "g1@1>2") == []
    assert tactics(game + "g1@1>discard") == []
    assert tactics(game + "g1@1>1") == ["strategist-target"]
    assert tactics(game + "g1@1>2B") == ["strategist-target"]
    assert tactics(game + "r1@1B>2") == ["strategist-card"]
    assert tactics(game + "g5@1>2") == ["strategist-card"]


@pytest.mark.rule("ST-533")
def test_the_banshee_discards_a_card_of_the_opponent() -> None:
    state = told("A g1@1\nB banshee g1@1", "tactics")
    assert state.told[-1].verdict.legal
    assert [str(card) for card in state.position.discard] == ["banshee", "g1"]
    assert tactics("A g1@1\nB r1@1\nA banshee g1@1A") == ["banshee-card"]
    assert tactics("A spy@1\nB banshee spy@1") == []


@pytest.mark.rule("ST-534")
def test_the_traitor_brings_a_clan_card_of_the_opponent_to_ones_own_side() -> None:
    state = told("A b4@5\nB traitor b4@5>2", "tactics")
    assert state.told[-1].verdict.legal
    assert [str(card) for card in state.position.stone(2).b] == ["b4"]
    assert tactics("A spy@5\nB traitor spy@5>2") == ["traitor-tactic"]
    assert tactics("A b4@5\nB r1@1\nA traitor b4@5A>2") == ["traitor-card"]
    assert tactics("A b4@5\nB traitor b4@5>2A") == ["traitor-target"]


@pytest.mark.rule("ST-535")
def test_only_ruses_and_what_they_discard_lie_in_the_discard_row() -> None:
    assert tactics("A g1@discard") == ["discarded"]
    assert tactics("appeared g1@discard") == ["discarded"]


@pytest.mark.rule("ST-536")
def test_ruses_leave_claimed_stones_alone() -> None:
    claimed = RUN_AT_3 + "A claim 3\n"
    assert tactics(claimed + "B banshee g7@3") == ["ruse-from-claimed"]
    assert tactics(claimed + "B traitor g7@3>4") == ["ruse-from-claimed"]
    assert tactics(claimed + "B b1@1\nA strategist g7@3>4") == ["ruse-from-claimed"]
    assert tactics(claimed + "B strategist r1@1>3") == ["ruse-onto-claimed"]


@pytest.mark.rule("ST-537")
def test_no_ruse_brings_a_card_to_a_full_side() -> None:
    full = "A g1@1\nB r1@3\nA g2@1\nB r2@3\nA g4@1\nB r4@4\n"
    assert tactics(full + "A traitor r1@3>1") == ["ruse-onto-full"]
    assert tactics(full + "A g5@2\nB r5@3\nA strategist g5@2>1") == ["ruse-onto-full"]
