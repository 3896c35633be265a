"""How turns, skirmishes and the game go on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.lords_of_scotland.document import from_json, to_json
from engine.lords_of_scotland.explain import explain
from engine.lords_of_scotland.game import LordsOfScotland
from engine.lords_of_scotland.places import face, recruit_at
from engine.lords_of_scotland.position import Position, Stage
from engine.lords_of_scotland.skirmish import next_taker
from engine.lords_of_scotland.summary import summary
from engine.rules import BadRecord
from engine.table import UNKNOWN, Change, Code, Player
from tests.engine.lords_of_scotland.play import fight, kinds, play, share

A, B, C = Player("A"), Player("B"), Player("C")
RECRUITS = [f"deal ?@recruit{slot}" for slot in range(1, 6)]


def begun(seats: int = 2) -> Position:
    supporters = ["scott4", "wemyss6", "makgill8", "cochrane2", "forsyth11"][:seats]
    position = LordsOfScotland(seats).opening({})
    return play(position, *RECRUITS, *(f"deal {code}@supporters" for code in supporters))


@pytest.mark.rule("LS-104", "LS-105", "LS-106")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_game_begins_with_five_cards_each_five_recruits_and_a_supporter_for_everyone(seats: int) -> None:
    position = begun(seats)
    assert position.stage is Stage.FIGHTING
    assert all((side.hand.least, side.hand.most) == (5, 5) for side in position.sides)
    assert position.recruits == ("?",) * 5
    assert len(position.supporters) == seats
    assert position.stock == 96 - 5 * seats - 5 - seats


@pytest.mark.rule("LS-106")
def test_no_more_supporters_than_players_and_all_face_up() -> None:
    position = play(LordsOfScotland(2).opening({}), "deal scott4@supporters", "deal scott5@supporters")
    assert kinds(position, "deal scott6@supporters") == {"supporter-too-many"}
    assert kinds(LordsOfScotland(2).opening({}), "deal ?@supporters") == {"supporter-face-down"}


@pytest.mark.rule("LS-105")
def test_recruits_are_laid_out_face_down_one_to_a_place() -> None:
    position = play(LordsOfScotland(2).opening({}), "deal ?@recruit1")
    assert kinds(position, "deal ?@recruit1") == {"recruit-too-many"}
    assert kinds(position, "deal scott6@recruit2") == {"recruit-face-up"}


@pytest.mark.rule("LS-107")
def test_supporters_of_one_strength_are_replaced_also_after_a_refill() -> None:
    position = play(
        LordsOfScotland(3).opening({}),
        *RECRUITS,
        "deal scott6@supporters",
        "deal wemyss6@supporters",
        "deal forsyth6@supporters",
    )
    assert position.stage is Stage.SETTING_OUT
    clear = ("discard scott6@supporters", "discard wemyss6@supporters", "discard forsyth6@supporters")
    again = play(position, *clear, "deal scott7@supporters", "deal wemyss7@supporters", "deal forsyth7@supporters")
    assert again.stage is Stage.SETTING_OUT
    assert kinds(again, "A turn 1 scott1") >= {"turned-out-of-time"}
    final = play(again, *(line.replace("6", "7") for line in clear), *(f"deal scott{n}@supporters" for n in (1, 2, 3)))
    assert final.stage is Stage.FIGHTING


@pytest.mark.rule("LS-108", "LS-201", "LS-202")
def test_the_initiative_holder_turns_a_recruit_and_play_goes_clockwise_five_times() -> None:
    position = begun(3)
    for turn in range(1, 6):
        position = play(
            position, f"A turn {turn} forsyth{turn}", f"A wemyss{turn}", f"B makgill{turn}", f"C scott{turn + 5}"
        )
        assert position.turn == turn
    assert kinds(position, "A turn 1 scott12") >= {"turned-out-of-time"}
    after = play(position, "C wins scott4")
    assert after.stage is Stage.SHARING
    assert next_taker(after) == "A"  # level with B, but Wemyss 5 outranks Makgill 5


@pytest.mark.rule("LS-108")
def test_another_player_may_hold_the_initiative_first() -> None:
    position = LordsOfScotland(3).opening({"initiative": "C"})
    assert position.initiative == position.on_turn == "C"
    with pytest.raises(BadRecord, match="initiative"):
        LordsOfScotland(2).opening({"initiative": "C"})


@pytest.mark.rule("LS-203")
def test_recruit_or_engage_once_and_no_passing() -> None:
    position = play(fight({}), "A scott4")
    assert kinds(position, "A scott5") == {"second-action"}
    assert kinds(position, "A recruit 1 forsyth1") == {"second-action"}
    assert kinds(fight({}), "A pass") == {"passed"}
    stuck = fight({}, hands={"A": [0, 0]}, recruits=[None] * 5, stock=0)
    assert kinds(stuck, "A pass") == set()


@pytest.mark.rule("LS-204", "LS-205")
def test_a_recruit_taken_is_replaced_with_the_same_face_before_anyone_acts() -> None:
    up = play(fight({}), "A recruit 2 forsyth2")
    assert kinds(up, "B scott4") == {"not-replaced"}  # too early, not out of turn
    assert kinds(up, "deal ?@recruit2") == {"wrong-face"}
    assert play(up, "deal scott9@recruit2", "B scott4").recruits[1] == "scott9"
    down = play(fight({}), "A recruit 5 ?")
    assert kinds(down, "deal scott9@recruit5") == {"wrong-face"}
    assert play(down, "deal ?@recruit5").recruits[4] == "?"


@pytest.mark.rule("LS-205", "LS-109")
def test_a_gap_that_nothing_could_fill_is_filled_later_as_the_card_before_it_lay() -> None:
    start = fight({"B": ["scott5"]}, stock=0, turn_number=1, recruits=["forsyth1", "?", "?", "?", "?"])
    dry = play(start, "A recruit 2 ?", "B scott6", "A turn 3 forsyth3", "A recruit 3 forsyth3", "B wemyss4")
    assert dry.recruits == ("forsyth1", None, None, "?", "?")
    wet = play(dry, "B wemyss4 discards scott5@armyB")
    assert kinds(wet, "deal scott5@recruit2") == {"wrong-face"}, "two were turned, but not the second"
    assert kinds(wet, "deal ?@recruit3") == {"wrong-face"}
    assert kinds(wet, "deal ?@recruit2") == kinds(wet, "deal scott5@recruit3") == set()
    assert from_json(wet.deck, to_json(wet)) == wet


@pytest.mark.rule("LS-206")
def test_ten_cards_in_hand_are_the_limit_of_recruiting() -> None:
    assert kinds(fight({}, hands={"A": [10, 10]}), "A recruit 1 forsyth1") == {"eleventh-card"}
    assert kinds(fight({}, hands={"A": [9, 10]}), "A recruit 1 forsyth1") == set()
    assert kinds(fight({}, hands={"A": [9, 9]}), "A recruit 1 forsyth1") == set()


@pytest.mark.rule("LS-207")
def test_an_ally_comes_from_the_hand() -> None:
    assert kinds(fight({}, hands={"A": [0, 0]}), "A scott4") == {"empty-hand"}
    assert kinds(fight({"B": ["scott4"]}), "A scott4") == {"card-twice"}


@pytest.mark.rule("LS-208", "LS-401")
def test_allies_face_down_are_turned_at_the_end_and_before_supporters_are_taken() -> None:
    assert kinds(fight({"A": ["?"]}), "A reveals scott4") == {"revealed-early"}
    position = share({"A": ["?"], "B": ["wemyss3"]}, ["forsyth1", "forsyth2"])
    assert kinds(position, "B wins forsyth1") == {"not-revealed"}
    assert play(position, "A reveals scott4", "A wins forsyth1").points(A) == 1


@pytest.mark.rule("LS-109")
def test_an_empty_deck_is_made_anew_from_the_discard() -> None:
    position = fight({}, stock=0, discard=["scott9", "wemyss9"])
    after = play(position, "A recruit 1 forsyth1", "deal scott9@recruit1")
    assert (after.stock, after.discard) == (1, ())
    full = fight({}, stock=4, discard=["scott9", "wemyss9"])
    assert kinds(play(full, "A recruit 1 forsyth1"), "deal scott9@recruit1") == {"was-discarded"}
    assert kinds(full, "A scott9") == {"was-discarded"}


@pytest.mark.rule("LS-109")
def test_draws_that_went_unseen_bring_a_discarded_card_back_only_where_they_can_have_emptied_the_deck() -> None:
    full = fight({}, stock=4, unseen=3, discard=["scott9", "wemyss9"])
    assert kinds(full, "A scott9") == {"was-discarded"}
    assert kinds(play(full, "A recruit 1 forsyth1"), "deal scott9@recruit1") == {"was-discarded"}
    last = fight({}, stock=3, unseen=3, discard=["scott9", "wemyss9"])
    assert kinds(last, "A scott9") == {"was-discarded"}, "the deck may be empty, but nobody has drawn since"
    anew = play(last, "A recruit 1 forsyth1", "deal scott9@recruit1")
    assert (anew.stock, anew.discard) == (4, ())
    assert kinds(replace(anew, discard=(Code("wemyss10"),)), "B wemyss10") == set(), "it may be of the new deck already"
    assert kinds(fight({}, stock=2, unseen=3, discard=["scott9"]), "A scott9") == set()


@pytest.mark.rule("LS-109")
def test_when_deck_and_discard_are_empty_nothing_has_to_be_replaced() -> None:
    position = play(fight({}, stock=0), "A recruit 1 forsyth1", "B scott4")
    assert position.recruits[0] is None


@pytest.mark.rule("LS-410", "LS-411", "LS-412")
def test_after_the_skirmish_everything_is_discarded_but_an_active_macdonnell_and_the_winner_begins() -> None:
    position = share(
        {"A": ["wemyss3"], "B": ["macdonnell9!"]},
        ["forsyth6", "forsyth7"],
        recruits=["scott1", "scott2", "scott3", "scott4", "scott5"],
    )
    shared = play(position, "B wins forsyth7", "A wins forsyth6")
    assert kinds(shared, "discard macdonnell9!@armyB") == {"stays"}
    cleared = play(
        shared,
        "discard wemyss3@armyA",
        "B straightens macdonnell9!",
        "initiative A>B",
        *(f"discard scott{slot}@recruit{slot}" for slot in range(1, 6)),
    )
    assert kinds(cleared, "discard macdonnell9@armyB") == {"stays"}
    next_one = play(cleared, *RECRUITS, "deal cochrane1@supporters", "deal cochrane2@supporters")
    assert (next_one.stage, next_one.skirmish, next_one.on_turn) == (Stage.FIGHTING, 2, "B")
    assert [str(ally.lying) for ally in next_one.army(B)] == ["macdonnell9"]
    ally = next_one.army(B)[0]
    assert ally.until == next_one.skirmish


@pytest.mark.rule("LS-412")
def test_when_nobody_had_an_ally_the_initiative_stays_and_the_supporters_are_replaced() -> None:
    position = fight({}, turn="B", turn_number=5, recruits=["forsyth1", "forsyth2", "forsyth3", "forsyth4", "forsyth5"])
    after = play(position, "B recruit 1 forsyth1", "deal scott1@recruit1", "discard wemyss11@supporters")
    assert after.stage is Stage.SETTING_OUT
    assert kinds(after, "initiative A>B") == {"initiative"}


@pytest.mark.rule("LS-410")
def test_new_supporters_come_after_the_old_ones_are_discarded() -> None:
    position = share({"A": ["wemyss3"]}, ["forsyth6", "forsyth7"])
    shared = play(position, "A wins forsyth7")
    assert kinds(shared, "deal scott1@supporters") == {"supporters-left"}
    assert kinds(position, "discard wemyss3@armyA") == {"cleared-early"}


@pytest.mark.rule("LS-503")
def test_nothing_counts_once_the_game_is_over() -> None:
    position = share({"A": ["wemyss3"]}, ["forsyth6"], won={"A": ["scott12", "makgill12", "macdonnell12"]})
    over = play(position, "A wins forsyth6")
    assert over.stage is Stage.OVER
    assert kinds(over, "A scott1") == {"game-over"}


@pytest.mark.rule("LS-203")
def test_a_turn_can_be_ended_in_words() -> None:
    position = play(fight({}), "A wemyss3", "A end")
    assert position.on_turn == "B"
    assert kinds(fight({}), "B end") == {"turn-not-over"}
    assert kinds(fight({}, turned=False), "A end") == {"turn-not-over"}
    assert kinds(play(fight({}), "A recruit 5 ?"), "A end") == {"turn-not-over"}


@pytest.mark.rule("LS-204")
def test_a_recruit_taken_face_down_and_replaced_at_once_is_told_by_ending_the_turn() -> None:
    after = play(fight({}), "A end", "B scott4")
    side = after.side(A)
    assert side is not None
    assert (side.hand.least, side.hand.most, after.unseen) == (5, 6, 1)
    untold = play(fight({}, rules={"seats": 3}), "A scott4", "B end", "C scott5").side(B)
    assert untold is not None
    assert (untold.hand.least, untold.hand.most) == (5, 6), "nobody has to tell that A's turn is over"
    assert kinds(play(fight({}, rules={"seats": 3}), "A scott4"), "C end") == {"turn-not-over"}
    face_up = [f"forsyth{slot}" for slot in range(1, 6)]
    assert kinds(fight({}, recruits=face_up, turn_number=5), "A end") == {"turn-not-over"}  # that would have been seen
    assert kinds(fight({}, hands={"A": [10, 10]}), "A end") == {"turn-not-over"}
    assert kinds(fight({}, stock=0), "A end") == {"turn-not-over"}


@pytest.mark.rule("LS-202", "LS-204")
def test_the_recruit_to_be_turned_that_is_gone_unseen_is_believed_to_have_been_turned() -> None:
    due = fight({}, turned=False, turn_number=1, recruits=["forsyth1", "?", "?", "?", "?"])
    assert kinds(due, "A recruit 2 ?") == set()
    gone = play(due, "A recruit 2 ?")
    assert gone.turn == due.turn + 1
    assert kinds(gone, "deal ?@recruit2") == {"wrong-face"}
    assert kinds(play(gone, "deal scott9@recruit2"), "B scott4") == set()
    for wrong in ("A recruit 3 ?", "A recruit 1 forsyth1", "A scott4"):
        assert kinds(due, wrong) == {"recruit-not-turned"}
    seen = due.table().after([Change(face(UNKNOWN), recruit_at(2), None)])
    assert [str(fact) for fact in explain(due, due.table(), seen)] == ["A recruit 2 ?"]


@pytest.mark.rule("LS-201", "LS-303")
def test_whose_moment_it_is_goes_on_as_soon_as_nothing_more_can_be_done() -> None:
    position = fight({"B": ["scott5"]})
    assert summary(position).turn == "A"
    assert summary(play(position, "A ?")).turn == "B"  # no power
    assert summary(play(position, "A wemyss9")).turn == "B"  # blocked
    assert summary(play(position, "A recruit 1 forsyth1")).turn == "A"  # to be replaced
    assert summary(play(position, "A recruit 1 forsyth1", "deal scott9@recruit1")).turn == "B"
    may_be_used = play(position, "A wemyss3")
    assert summary(may_be_used).turn == "A"
    assert summary(play(may_be_used, "A wemyss3 discards scott5@armyB")).turn == "B"
    face_up = [f"forsyth{slot}" for slot in range(1, 6)]
    last = fight({"A": ["wemyss9"], "B": ["scott5"]}, turn="B", turn_number=5, recruits=face_up)
    assert summary(play(last, "B scott12")).turn == "B"  # first to take a supporter
    assert summary(play(last, "B ?")).turn is None


@pytest.mark.rule("LS-408")
def test_one_supporter_each_unless_a_cochrane_was_activated() -> None:
    plain = play(share({"A": ["cochrane9"], "B": ["wemyss3"]}, ["forsyth6", "forsyth7"]), "A wins forsyth7")
    assert kinds(plain, "A wins forsyth6") == {"second-supporter"}
    active = play(share({"A": ["cochrane9!"], "B": ["wemyss3"]}, ["forsyth6", "forsyth7"]), "A wins forsyth7")
    assert kinds(active, "A wins forsyth6") == set()


@pytest.mark.rule("LS-105", "LS-106")
def test_cards_told_in_one_line_count_together_or_not_at_all() -> None:
    position = LordsOfScotland(2).opening({})
    recruits = "deal ?@recruit1 ?@recruit2 ?@recruit3 ?@recruit4 ?@recruit5"
    assert play(position, f"{recruits} scott4@supporters wemyss6@supporters").stage is Stage.FIGHTING
    assert kinds(position, f"{recruits} ?@recruit1") == {"recruit-too-many"}
    assert kinds(position, "deal scott4@supporters scott4@supporters") == {"card-twice"}
