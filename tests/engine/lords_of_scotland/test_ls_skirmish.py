"""What armies are worth and who takes supporters: the rulebook's own examples first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.lords_of_scotland.cards import Clan, clan_of
from engine.lords_of_scotland.course import enforce
from engine.lords_of_scotland.notation import parse_lying
from engine.lords_of_scotland.places import Lying
from engine.lords_of_scotland.position import Stage
from engine.lords_of_scotland.skirmish import Why, next_taker, ranking, winner, worth
from engine.table import Code, Player
from tests.engine.lords_of_scotland.play import DECK, fact, fight, kinds, play, share

A, B, C = Player("A"), Player("B"), Player("C")
CODES = st.sampled_from(DECK.codes)
ARMIES = st.lists(CODES, min_size=1, max_size=6, unique=True)


def strength(*cards: str) -> int:
    return worth(DECK, A, (parse_lying(DECK, card) for card in cards)).strength


@pytest.mark.rule("LS-402", "LS-403")
def test_rulebook_example_eleven_points_of_one_clan_are_doubled_to_22() -> None:
    judy, roger, sean = ["cochrane2", "cochrane9"], ["wemyss12"], ["scott3", "scott5", "makgill7"]
    standings = ranking(share({"A": judy, "B": roger, "C": sean}, ["forsyth1", "forsyth2", "forsyth3"]))
    assert [(standing.army.player, standing.army.strength) for standing in standings] == [
        ("A", 22),
        ("C", 15),
        ("B", 12),
    ]
    assert [standing.army.doubled for standing in standings] == [True, False, False]


@pytest.mark.rule("LS-403", "LS-317")
def test_rulebook_example_a_scott_or_an_active_bruce_instead_of_makgill_7_would_double() -> None:
    assert strength("scott3", "scott5", "makgill7") == 15
    assert strength("scott3", "scott5", "scott7") == 30
    assert strength("scott3", "scott5", "bruce1!") == 40
    assert strength("scott3", "scott5", "bruce1") == 20


@pytest.mark.rule("LS-405")
def test_rulebook_example_a_tie_of_twelve_is_won_by_rank_66() -> None:
    daniel, pierce = ["cochrane8", "scott4"], ["makgill9", "wemyss3"]
    standings = ranking(share({"A": daniel, "B": pierce}, ["forsyth1", "forsyth2"]))
    assert [standing.army.strength for standing in standings] == [12, 12]
    assert standings[0].army.player == "B"
    assert (standings[0].why, standings[0].army.rank) == (Why.RANK, 66)


@pytest.mark.rule("LS-314", "LS-315", "LS-318")
def test_rulebook_example_a_scott_that_copied_cochrane_takes_two() -> None:
    position = share({"A": ["scott2!cochrane"], "B": ["cochrane4"]}, ["forsyth1", "forsyth2"])
    assert next_taker(position) == "B"
    after = play(position, "B wins forsyth2")
    assert next_taker(after) == "A"
    position = share({"A": ["scott12!cochrane"], "B": ["cochrane4"]}, ["forsyth1", "forsyth2"])
    assert [standing.takes for standing in ranking(position)] == [2, 0]
    after = play(position, "A wins forsyth2", "A wins forsyth1")
    assert after.points(A) == 3
    assert after.stage is Stage.SETTING_OUT


@pytest.mark.rule("LS-403")
def test_one_card_alone_is_not_doubled() -> None:
    assert strength("wemyss7") == 7


@pytest.mark.rule("LS-403", "LS-317")
def test_two_bruce_that_were_not_activated_are_a_clan_of_their_own() -> None:
    assert strength("bruce1", "bruce2") == 48
    assert strength("bruce1", "bruce2!") == 48
    assert strength("bruce1", "scott1") == 13
    assert strength("bruce1!", "scott1", "makgill1") == 14


@pytest.mark.rule("LS-317", "LS-315")
def test_a_scott_that_copied_bruce_joins_any_clan() -> None:
    assert strength("scott2!bruce", "wemyss3", "wemyss4") == 18
    assert strength("scott2", "wemyss3", "wemyss4") == 9


@pytest.mark.rule("LS-401", "LS-402")
def test_face_down_cards_count_for_nothing_and_forbid_doubling_until_turned() -> None:
    assert strength("scott3", "scott5", "?") == 8


@pytest.mark.rule("LS-404", "LS-406")
def test_supporters_are_taken_in_the_order_of_the_armies_and_points_are_their_strengths() -> None:
    position = share({"A": ["scott3"], "B": ["wemyss9"], "C": ["makgill5"]}, ["forsyth12", "forsyth10", "cochrane1"])
    after = play(position, "B wins forsyth12", "C wins forsyth10", "A wins cochrane1")
    assert [after.points(player) for player in after.players] == [1, 12, 10]


@pytest.mark.rule("LS-407")
def test_a_player_without_an_ally_takes_nothing() -> None:
    position = share({"A": ["scott3"], "B": [], "C": ["makgill5"]}, ["forsyth12", "forsyth10", "cochrane1"])
    after = play(position, "C wins forsyth12", "A wins forsyth10")
    assert after.stage is Stage.SETTING_OUT
    assert after.supporters == ("cochrane1",)
    assert kinds(position, "B wins forsyth12") == {"no-ally"}


@pytest.mark.rule("LS-406")
def test_after_a_foul_that_a_judge_let_stand_everybody_else_still_takes_theirs() -> None:
    position = share({"A": ["scott9"], "B": ["wemyss5"], "C": ["makgill1"]}, ["forsyth1", "forsyth2", "forsyth3"])
    out_of_order = enforce(position, fact("B wins forsyth3"))
    assert next_taker(out_of_order) == "A"
    assert kinds(out_of_order, "B wins forsyth2") == {"second-supporter"}
    assert play(out_of_order, "A wins forsyth2", "C wins forsyth1").stage is Stage.SETTING_OUT
    without_ally = share({"A": ["cochrane9!"], "B": [], "C": ["makgill1"]}, ["forsyth1", "forsyth2", "forsyth3"])
    taken = enforce(without_ally, fact("B wins forsyth3"))
    assert [(standing.army.player, standing.takes) for standing in ranking(taken)] == [("A", 2), ("C", 0)]
    assert play(taken, "A wins forsyth2", "A wins forsyth1").stage is Stage.SETTING_OUT


@pytest.mark.rule("LS-407", "LS-408")
def test_what_is_left_when_all_have_taken_theirs_is_nobodys() -> None:
    position = share({"A": ["scott9"], "B": ["wemyss5"], "C": []}, ["forsyth1", "forsyth2", "forsyth3"])
    shared = play(position, "A wins forsyth3", "B wins forsyth2")
    assert kinds(shared, "C wins forsyth1") == {"no-ally"}
    assert kinds(shared, "A wins forsyth1") == {"second-supporter"}
    assert kinds(shared, "A wins forsyth3") == {"second-supporter", "no-such-supporter"}
    cleared = play(shared, "discard forsyth1@supporters")
    assert kinds(cleared, "C wins forsyth1") == {"no-such-supporter"}
    for new in ("scott1", "scott2"), ("scott6", "wemyss6", "makgill6"):  # of the next skirmish
        dealt = play(cleared, *(f"deal {code}@supporters" for code in new))
        assert kinds(dealt, f"C wins {new[0]}") == {"taken-early"}


@pytest.mark.rule("LS-318", "LS-409")
def test_cochrane_of_the_last_player_takes_what_is_left_and_of_an_earlier_one_leaves_the_last_without() -> None:
    last = share({"A": ["wemyss9"], "B": ["cochrane3!"]}, ["forsyth12", "forsyth10"])
    assert [standing.takes for standing in ranking(last)] == [1, 1]
    first = share({"A": ["wemyss2"], "B": ["cochrane3!"]}, ["forsyth12", "forsyth10"])
    assert [standing.takes for standing in ranking(first)] == [2, 0]


@pytest.mark.rule("LS-318")
def test_two_active_cochranes_still_take_two() -> None:
    position = share(
        {"A": ["cochrane5!", "cochrane3!"], "B": ["wemyss1"], "C": ["wemyss2"]},
        ["forsyth1", "forsyth2", "forsyth3"],
    )
    assert [standing.takes for standing in ranking(position)] == [2, 1, 0]


@pytest.mark.rule("LS-306", "LS-311")
def test_an_activated_power_serves_whoever_controls_the_card_at_the_end() -> None:
    position = fight({"A": ["cochrane5!"], "B": ["wemyss9"]}, turn="B")
    after = play(position, "B fergusson2", "B fergusson2 swaps cochrane5!@armyA")
    assert [(player, str(ally.lying)) for player, ally in after.allies()] == [
        ("A", "fergusson2"),
        ("B", "cochrane5!"),
        ("B", "wemyss9"),
    ]
    shared = share({"A": ["fergusson2"], "B": ["cochrane5!", "wemyss9"]}, ["forsyth1", "forsyth2"])
    assert [standing.takes for standing in ranking(shared)] == [2, 0]


@pytest.mark.rule("LS-501")
def test_forty_points_end_the_game_and_most_points_win() -> None:
    position = share(
        {"A": ["wemyss9"], "B": ["wemyss2"]},
        ["forsyth2", "forsyth12"],
        won={
            "A": ["scott12", "makgill12", "macdonnell12", "fergusson3"],
            "B": ["scott11", "makgill11", "macdonnell11"],
        },
    )
    after = play(position, "A wins forsyth2", "B wins forsyth12")
    assert after.stage is Stage.OVER
    assert (after.points(A), after.points(B)) == (41, 45)
    assert winner(after) == "B"


@pytest.mark.rule("LS-502")
def test_level_at_the_end_the_better_place_in_the_last_skirmish_wins() -> None:
    position = share(
        {"A": ["wemyss2"], "B": ["wemyss9"]},
        ["forsyth12", "cochrane12"],
        won={"A": ["scott12", "makgill12", "macdonnell12"], "B": ["scott11", "makgill11", "macdonnell11", "scott3"]},
    )
    after = play(position, "B wins forsyth12", "A wins cochrane12")
    assert (after.points(A), after.points(B)) == (48, 48)
    assert winner(after) == "B"


@pytest.mark.rule("LS-501")
def test_39_points_do_not_end_the_game() -> None:
    position = share({"A": ["wemyss9"]}, ["forsyth3", "forsyth12"], won={"A": ["scott12", "makgill12", "macdonnell12"]})
    assert play(position, "A wins forsyth3").stage is Stage.SETTING_OUT


@given(ARMIES)
@pytest.mark.rule("LS-402", "LS-403")
def test_worth_is_the_sum_once_or_twice_and_ignores_the_order(codes: list[Code]) -> None:
    army = worth(DECK, A, map(Lying, codes))
    assert army.sum == sum(DECK[code].strength for code in codes)
    assert army.doubled == (len(codes) > 1 and len({clan_of(code) for code in codes}) == 1)
    assert army == worth(DECK, A, map(Lying, reversed(codes)))


@given(st.data())
@pytest.mark.rule("LS-404", "LS-405")
def test_the_ranking_is_total_and_best_first(data: st.DataObject) -> None:
    codes = data.draw(st.lists(CODES, min_size=4, max_size=20, unique=True))
    armies: dict[str, list[str]] = {player: list(codes[index::4]) for index, player in enumerate("ABCD")}
    standings = ranking(share(armies, []))
    keys = [(standing.army.strength, standing.army.rank) for standing in standings]
    assert keys == sorted(keys, reverse=True)
    assert len(set(keys)) == 4
    assert [standing.place for standing in standings] == [1, 2, 3, 4]


@given(ARMIES)
@pytest.mark.rule("LS-317")
def test_an_active_bruce_never_keeps_an_army_from_being_doubled(codes: list[Code]) -> None:
    others = [code for code in codes if clan_of(code) is not Clan.BRUCE]
    clans = {clan_of(code) for code in others}
    army = worth(DECK, A, [Lying(Code("bruce1"), Clan.BRUCE), *map(Lying, others)])
    assert army.doubled == (len(others) > 0 and len(clans) == 1)
