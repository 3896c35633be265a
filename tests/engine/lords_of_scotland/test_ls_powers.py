"""The nine powers: when they may be used, on what, and what comes of it."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.lords_of_scotland.cards import LASTING, Clan, clan_of
from engine.lords_of_scotland.legality import judge
from engine.lords_of_scotland.places import army_of
from engine.lords_of_scotland.position import Position, Stage
from engine.lords_of_scotland.powers import Prospect, blocker, copyable, usable
from engine.table import Code, Player
from tests.engine.lords_of_scotland.play import DECK, fact, fight, kinds, play

A, B = Player("A"), Player("B")
RECRUITS = ["scott1", "makgill1", "wemyss1", "?", "?"]
CODES = st.sampled_from([code for code in DECK.codes if code not in ("forsyth1", "forsyth2", "forsyth3")])


def army(position: Position, player: str) -> list[str]:
    return [str(ally.lying) for ally in position.army(Player(player))]


@pytest.mark.rule("LS-301")
def test_a_weaker_ally_anywhere_blocks_and_an_equal_one_does_not() -> None:
    position = fight({"A": ["makgill3"], "B": ["scott5"]})
    assert judge(position, fact("A wemyss3")).finding == Prospect((Clan.WEMYSS,))
    assert judge(position, fact("A wemyss4")).finding == Prospect((), Code("makgill3"))
    assert kinds(play(position, "A wemyss4"), "A wemyss4 discards scott5@armyB") == {"blocked"}


@pytest.mark.rule("LS-302")
@pytest.mark.parametrize("seats", [4, 5])
def test_with_four_or_five_only_allies_of_the_same_clan_block(seats: int) -> None:
    position = fight({"A": ["makgill1"], "B": ["wemyss5"]}, rules={"seats": seats})
    assert judge(position, fact("A wemyss4")).finding == Prospect((Clan.WEMYSS,))
    assert judge(position, fact("A wemyss6")).finding == Prospect((), Code("wemyss5"))
    assert kinds(play(position, "A wemyss6"), "A wemyss6 discards makgill1@armyA") == {"blocked-by-kin"}


@pytest.mark.rule("LS-302")
def test_with_four_an_equal_bruce_blocks_and_with_three_it_does_not() -> None:
    four = fight({"B": ["bruce1"]}, rules={"seats": 4, "bruce": True})
    assert judge(four, fact("A bruce2")).finding == Prospect((), Code("bruce1"))
    three = fight({"B": ["bruce1"]}, rules={"seats": 3, "bruce": True})
    assert judge(three, fact("A bruce2")).finding == Prospect((Clan.BRUCE,))


@pytest.mark.rule("LS-304")
def test_cards_face_down_neither_block_nor_have_a_power() -> None:
    position = fight({"A": ["?"], "B": ["?"]})
    assert judge(position, fact("A cockburn12")).finding == Prospect((Clan.COCKBURN,))
    hidden = play(position, "A ?")
    assert judge(position, fact("A ?")).finding is None
    assert kinds(hidden, "A ? draws") == {"face-down-power"}


@given(st.lists(CODES, min_size=1, max_size=8, unique=True), st.sampled_from([2, 3, 4, 5]), st.data())
@pytest.mark.rule("LS-301", "LS-302")
def test_blocking_is_what_the_rulebook_says_for_every_table(codes: list[Code], seats: int, data: st.DataObject) -> None:
    card, *others = codes
    armies: dict[str, list[str]] = {"A": [], "B": []}
    for code in others:
        armies[data.draw(st.sampled_from("AB"))].append(code)
    position = play(fight(armies, rules={"seats": seats, "bruce": True}, supporters=[]), f"A {card}")
    strengths = [DECK[code].strength for code in others if seats < 4 or clan_of(code) is clan_of(card)]
    limit = DECK[card].strength if seats < 4 else DECK[card].strength + 1
    assert (blocker(position, card) is not None) == any(strength < limit for strength in strengths)
    assert not usable(position) or blocker(position, card) is None


@pytest.mark.rule("LS-303")
def test_a_power_need_not_be_used_and_is_gone_once_the_next_player_acts() -> None:
    position = play(fight({"B": ["scott5"]}), "A wemyss3", "B scott9")
    assert kinds(position, "A wemyss3 discards scott5@armyB") == {"out-of-turn", "not-just-engaged"}


@pytest.mark.rule("LS-303")
def test_a_power_is_used_once() -> None:
    position = play(fight({"B": ["scott5", "scott6"]}), "A wemyss3", "A wemyss3 discards scott5@armyB")
    assert kinds(position, "A wemyss3 discards scott6@armyB") == {"not-just-engaged"}


@pytest.mark.rule("LS-310")
def test_cockburn_goes_to_the_supporters_and_a_supporter_becomes_an_ally() -> None:
    after = play(fight({"A": ["scott5"]}), "A cockburn4", "A cockburn4 takes wemyss12")
    assert army(after, "A") == ["scott5", "wemyss12"]
    assert after.supporters == ("cockburn4", "wemyss11")
    assert kinds(after, "A wemyss12 discards scott5@armyA") == {"not-just-engaged", "blocked"}


@pytest.mark.rule("LS-310")
def test_cockburn_cannot_take_what_is_no_supporter() -> None:
    position = play(fight({"B": ["scott5"]}), "A cockburn4")
    assert kinds(position, "A cockburn4 takes scott5") == {"not-a-supporter"}
    assert kinds(position, "A cockburn4 takes cockburn4") == {"not-a-supporter"}


@pytest.mark.rule("LS-311", "LS-307")
def test_fergusson_changes_places_with_an_opponents_ally_that_keeps_its_face() -> None:
    position = play(fight({"A": ["scott9"], "B": ["?", "wemyss7"]}), "A fergusson4")
    hidden = play(position, "A fergusson4 swaps ?@armyB")
    assert (army(hidden, "A"), army(hidden, "B")) == (["?", "scott9"], ["fergusson4", "wemyss7"])
    open_ = play(position, "A fergusson4 swaps wemyss7@armyB")
    assert (army(open_, "A"), army(open_, "B")) == (["scott9", "wemyss7"], ["?", "fergusson4"])
    assert "not-just-engaged" in kinds(open_, "A wemyss7 discards scott9@armyA")


@pytest.mark.rule("LS-311")
def test_fergusson_takes_no_ally_of_ones_own_and_none_that_is_not_there() -> None:
    position = play(fight({"A": ["scott9"], "B": ["wemyss7"]}), "A fergusson4")
    assert kinds(position, "A fergusson4 swaps scott9@armyA") == {"own-ally"}
    assert kinds(position, "A fergusson4 swaps scott8@armyB") == {"swap-target"}
    assert kinds(position, "A fergusson4 swaps ?@armyB") == {"swap-target"}
    assert kinds(position, "A fergusson4 swaps wemyss7!@armyB") == {"lies-otherwise"}


@pytest.mark.rule("LS-312")
def test_forsyth_draws_a_card_and_untold_the_count_of_the_hand_is_a_range() -> None:
    position = play(fight({"B": ["scott9"]}), "A forsyth4")
    told = play(position, "A forsyth4 draws", "B scott10").side(A)
    untold = play(position, "B scott10").side(A)
    assert told is not None
    assert untold is not None
    assert (told.hand.least, told.hand.most) == (5, 5)
    assert (untold.hand.least, untold.hand.most) == (4, 5)


@pytest.mark.rule("LS-313")
def test_makgill_chains_as_long_as_each_is_weaker_or_equal() -> None:
    position = play(
        fight({"B": ["scott9"]}), "A makgill7", "A makgill7 again", "A makgill5", "A makgill5 again", "A wemyss5"
    )
    after = play(position, "A wemyss5 discards scott9@armyB", "B scott10")
    assert army(after, "A") == ["makgill5", "makgill7", "wemyss5"]
    assert after.side(A).hand.most == 2  # type: ignore[union-attr]


@pytest.mark.rule("LS-313", "LS-301")
def test_a_makgill_chain_ends_where_the_first_makgill_blocks_the_second() -> None:
    position = play(fight({}), "A makgill3", "A makgill3 again", "A makgill5")
    assert kinds(position, "A makgill5 again") == {"blocked"}
    assert kinds(position, "A scott1") == {"second-action"}


@pytest.mark.rule("LS-313")
def test_after_makgill_another_ally_must_come() -> None:
    position = play(fight({}), "A makgill3", "A makgill3 again")
    assert kinds(position, "A recruit 1 forsyth1") == {"ally-owed"}
    assert kinds(position, "B scott1") == {"out-of-turn"}
    assert kinds(position, "A end") == {"turn-not-over"}
    empty = play(fight({}, hands={"A": [1, 1]}), "A makgill3")
    assert kinds(empty, "A makgill3 again") == {"no-card-in-hand"}


@pytest.mark.rule("LS-316")
def test_wemyss_discards_any_other_ally_face_up_or_down_ones_own_too() -> None:
    position = play(fight({"A": ["scott9"], "B": ["?", "cochrane7!"]}), "A wemyss4")
    assert army(play(position, "A wemyss4 discards scott9@armyA"), "A") == ["wemyss4"]
    assert army(play(position, "A wemyss4 discards ?@armyB"), "B") == ["cochrane7!"]
    assert play(position, "A wemyss4 discards cochrane7!@armyB").discard == ("cochrane7",)
    assert kinds(position, "A wemyss4 discards wemyss4@armyA") == {"discards-itself"}
    assert kinds(position, "A wemyss4 discards scott8@armyB") == {"discard-target"}


@pytest.mark.rule("LS-314")
@pytest.mark.parametrize(
    ("ally", "line", "mine"),
    [
        ("cockburn5", "A scott2 as cockburn takes wemyss12", ["wemyss12"]),
        ("fergusson5", "A scott2 as fergusson swaps fergusson5@armyB", ["fergusson5"]),
        ("forsyth5", "A scott2 as forsyth draws", ["scott2"]),
        ("wemyss5", "A scott2 as wemyss discards wemyss5@armyB", ["scott2"]),
        ("makgill5", "A scott2 as makgill again", ["scott2"]),
        ("bruce1", "A scott2 as bruce activates", ["scott2!bruce"]),
        ("cochrane5", "A scott2 as cochrane activates", ["scott2!cochrane"]),
        ("macdonnell5", "A scott2 as macdonnell activates", ["scott2!macdonnell"]),
    ],
)
def test_scott_copies_the_power_of_any_ally_that_lies_face_up(ally: str, line: str, mine: list[str]) -> None:
    position = play(fight({"B": [ally]}, rules={"bruce": True}), "A scott2")
    assert army(play(position, line), "A") == mine
    bare = play(fight({"B": ["?"]}), "A scott2")
    assert "nothing-to-copy" in kinds(bare, line)


@pytest.mark.rule("LS-314")
def test_scott_must_copy_the_very_power_it_uses_and_never_another_scott() -> None:
    position = play(fight({"B": ["scott9", "wemyss8"]}), "A scott2")
    assert copyable(position, Code("scott2")) == (Clan.WEMYSS,)
    assert kinds(position, "A scott2 draws") == {"wrong-copy"}
    assert kinds(position, "A scott2 as wemyss draws") == {"wrong-copy"}
    assert kinds(position, "A scott2 as wemyss activates") == {"wrong-copy"}
    assert kinds(position, "A scott2 as cochrane activates") == {"nothing-to-copy"}


@pytest.mark.rule("LS-314")
def test_copying_takes_nothing_from_the_ally_copied() -> None:
    position = fight({"B": ["cochrane5!"]})
    after = play(position, "A scott2", "A scott2 as cochrane activates")
    assert army(after, "B") == ["cochrane5!"]


@pytest.mark.rule("LS-307")
def test_a_card_has_no_power_but_its_own() -> None:
    position = play(fight({"B": ["scott9"]}), "A wemyss4")
    assert kinds(position, "A wemyss4 draws") == {"wrong-power"}
    assert kinds(position, "A wemyss4 activates") == {"wrong-power"}
    assert kinds(position, "A wemyss4 as wemyss discards scott9@armyB") == {"wrong-power"}


@pytest.mark.rule("LS-305", "LS-306")
def test_an_activated_power_lies_sideways_and_stays_active_under_weaker_allies() -> None:
    after = play(fight({}), "A cochrane6", "A cochrane6 activates", "B scott1")
    assert army(after, "A") == ["cochrane6!"]
    assert [piece.sideways for piece in after.table().at(army_of(A))] == [True]


@pytest.mark.rule("LS-315")
def test_a_copied_power_is_marked_by_a_token_on_the_scott() -> None:
    after = play(fight({"B": ["cochrane5"]}), "A scott2", "A scott2 as cochrane activates")
    codes = {piece.code for _, piece in after.table()}
    assert "scott2!cochrane" in codes


@pytest.mark.rule("LS-315")
def test_a_scott_may_lie_sideways_before_its_token_is_laid() -> None:
    laid = play(fight({"B": ["cochrane5"], "C": ["wemyss9"]}), "A scott2")
    turned = play(laid, "A scott2 activates")
    assert [str(ally.lying) for ally in turned.army(A)] == ["scott2!"]
    told = play(turned, "A scott2 as cochrane activates")
    assert told == play(laid, "A scott2 as cochrane activates")
    assert kinds(turned, "B forsyth9") == set()
    assert kinds(play(turned, "B forsyth9"), "A scott2 as cochrane activates") == {"out-of-turn", "not-just-engaged"}
    assert kinds(play(fight({"B": ["wemyss5"]}), "A scott2"), "A scott2 activates") == {"sideways"}
    assert "blocked" in kinds(play(fight({"B": ["cochrane1"]}), "A scott2"), "A scott2 activates")


@pytest.mark.rule("LS-319", "LS-411")
def test_macdonnell_stays_one_skirmish_more_and_is_not_activated_again() -> None:
    position = fight({"A": ["macdonnell4~"], "B": ["wemyss9"]})
    assert kinds(position, "A macdonnell4 activates") == {"reactivated"}
    engaged = play(fight({}), "A macdonnell4", "A macdonnell4 activates")
    ally = engaged.ally(A, Code("macdonnell4"))
    assert ally is not None
    assert (ally.since, ally.until) == (1, 2)
    assert kinds(engaged, "A macdonnell4 activates") == {"reactivated"}


@given(CODES, st.lists(CODES, max_size=5, unique=True), st.sampled_from([2, 4]))
@pytest.mark.rule("LS-303")
def test_usable_powers_are_the_cards_own_or_those_a_scott_may_copy(card: Code, others: list[Code], seats: int) -> None:
    others = [code for code in others if code != card]
    position = play(fight({"B": list(others)}, rules={"seats": seats, "bruce": True}, supporters=[]), f"A {card}")
    powers = usable(position)
    if clan_of(card) is Clan.SCOTT:
        assert set(powers) <= {clan_of(code) for code in others} - {Clan.SCOTT}
    else:
        assert set(powers) <= {clan_of(card)}
    assert position.stage is Stage.FIGHTING
    assert set(LASTING) == {Clan.BRUCE, Clan.COCHRANE, Clan.MACDONNELL}


@pytest.mark.rule("LS-303")
@pytest.mark.parametrize(
    ("card", "without", "with_use"),
    [
        ("wemyss4", fight({}), fight({"A": ["?"]})),
        ("fergusson4", fight({"A": ["scott9"]}), fight({"B": ["?"]})),
        ("cockburn4", fight({}, supporters=[]), fight({})),
        ("forsyth4", fight({}, stock=0), fight({}, stock=0, discard=["scott9"])),
        ("makgill4", fight({}, hands={"A": [1, 1]}), fight({}, hands={"A": [1, 2]})),
        ("scott4", fight({"A": ["fergusson5"]}), fight({"A": ["fergusson5"], "B": ["?"]})),
    ],
)
def test_a_power_is_offered_only_where_there_is_something_to_use_it_on(
    card: str, without: Position, with_use: Position
) -> None:
    clan = "fergusson" if card == "scott4" else card.rstrip("4")
    assert judge(without, fact(f"A {card}")).finding == Prospect(())
    assert judge(with_use, fact(f"A {card}")).finding == Prospect((Clan(clan),))


def everything(position: Position) -> Counter[str]:
    """Every card on the table and on the discard, wherever it is."""
    allies = [ally.code for _, ally in position.allies()]
    return Counter([*allies, *position.supporters, *position.discard, *(code or "" for code in position.recruits)])


def targets(position: Position, clan: Clan, card: str) -> list[str]:
    """Every way in which a power may be used, as a record writes it."""
    allies = [f"{ally.lying}@army{player}" for player, ally in position.allies() if ally.code != card]
    match clan:
        case Clan.COCKBURN:
            return [f"takes {code}" for code in position.supporters]
        case Clan.FERGUSSON:
            return [f"swaps {ally}" for ally in allies if not ally.endswith("A")]
        case Clan.WEMYSS:
            return [f"discards {ally}" for ally in allies]
        case Clan.FORSYTH:
            return ["draws"]
        case Clan.MAKGILL:
            return ["again"]
        case _:
            return ["activates"]


@given(
    clan=st.sampled_from([clan for clan in Clan if clan is not Clan.SCOTT]),
    copied=st.booleans(),
    seats=st.sampled_from([2, 3, 4, 5]),
    others=st.lists(CODES.filter(lambda code: DECK[code].strength > 3), min_size=2, max_size=9, unique=True),
    data=st.data(),
)
@pytest.mark.rule("LS-310", "LS-311", "LS-312", "LS-313", "LS-314", "LS-316", "LS-317", "LS-318", "LS-319")
def test_every_power_used_moves_its_cards_and_no_others(
    clan: Clan, copied: bool, seats: int, others: list[Code], data: st.DataObject
) -> None:
    model = Code("bruce2" if clan is Clan.BRUCE else f"{clan.value}12")
    own = Code("bruce1" if clan is Clan.BRUCE else f"{clan.value}3")
    card = Code("scott2") if copied else own
    if clan is Clan.BRUCE and not copied:
        others = []  # a Bruce is as strong as any: it may be used only where nobody is weaker
    others = [code for code in others if code not in (model, own) and clan_of(code) is not clan_of(card)]
    armies: dict[str, list[str]] = {player: [] for player in "ABCDE"[:seats]}
    for code in [*others, "?"]:
        armies[data.draw(st.sampled_from(sorted(armies)))].append(code)
    armies["B"] += [model] if copied else []
    supporters = ["forsyth4", "cockburn4"] if not {"forsyth4", "cockburn4"} & set(others) else []
    position = play(
        fight(armies, rules={"seats": seats, "bruce": True}, supporters=supporters, recruits=RECRUITS), f"A {card}"
    )
    for target in targets(position, clan, card):
        line = f"A {card} as {clan.value} {target}" if copied else f"A {card} {target}"
        after = play(position, line)
        assert everything(after) == everything(position), line
        assert {piece.code for _, piece in after.table() if "!" in piece.code} <= {f"{card}!{clan.value}"}
        assert after.laid is None
        assert after.owes == (clan is Clan.MAKGILL)
        moved = set(position.allies()) ^ set(after.allies())
        assert len(moved) <= 4, line
