"""Every way of breaking the rules, told and named. One line each; a kind of foul without a line here fails the test."""

from __future__ import annotations

import pytest

from engine.lords_of_scotland.course import enforce
from engine.lords_of_scotland.explain import explain
from engine.lords_of_scotland.fouls import RULE_OF, Breach
from engine.lords_of_scotland.game import LordsOfScotland
from engine.lords_of_scotland.legality import judge
from engine.lords_of_scotland.position import Position
from tests.engine.lords_of_scotland.play import fact, fight, kinds, play, share

OPENING = LordsOfScotland(2).opening({})
PLAIN = fight({"A": ["scott5"], "B": ["wemyss7", "?"]})
TURN_DUE = fight({}, turned=False, turn_number=2, recruits=["forsyth1", "forsyth2", "?", "?", "?"])
TAKEN = play(PLAIN, "A recruit 2 forsyth2")
END = share({"A": ["wemyss9"], "B": ["scott3"], "C": []}, ["forsyth1", "forsyth2", "forsyth3"])
SHARED = play(
    share({"A": ["wemyss9"], "B": ["macdonnell3!"]}, ["forsyth1", "forsyth2"]), "A wins forsyth2", "B wins forsyth1"
)
OVER = play(
    share({"A": ["wemyss9"]}, ["forsyth4"], won={"A": ["scott12", "makgill12", "macdonnell12"]}), "A wins forsyth4"
)

CASES: list[tuple[str, Position, str]] = [
    ("card-twice", PLAIN, "A wemyss7"),
    ("card-twice", PLAIN, "A forsyth2"),
    ("no-bruce", PLAIN, "A bruce1"),
    ("recruit-face-up", OPENING, "deal scott1@recruit1"),
    ("recruit-too-many", PLAIN, "deal scott1@recruit1"),
    ("supporter-face-down", OPENING, "deal ?@supporters"),
    ("supporter-too-many", PLAIN, "deal scott1@supporters"),
    ("was-discarded", fight({}, discard=["scott9"]), "A scott9"),
    ("moved", PLAIN, "moved wemyss7 armyB>armyA"),
    ("moved", PLAIN, "moved wemyss7 armyB>off"),
    ("moved", PLAIN, "put-right wemyss7 armyB>off"),
    ("no-skirmish", END, "A scott1"),
    ("out-of-turn", PLAIN, "B scott1"),
    ("out-of-turn", PLAIN, "B recruit 1 forsyth1"),
    ("not-face-down", TURN_DUE, "A turn 1 scott1"),
    ("not-leftmost", TURN_DUE, "A turn 4 scott1"),
    ("recruit-not-turned", TURN_DUE, "A scott1"),
    ("recruit-not-turned", TURN_DUE, "A recruit 1 forsyth1"),
    ("turned-by-other", TURN_DUE, "B turn 3 scott1"),
    ("turned-out-of-time", PLAIN, "A turn 4 scott1"),
    ("passed", PLAIN, "A pass"),
    ("second-action", play(PLAIN, "A scott9"), "A scott10"),
    ("turn-not-over", PLAIN, "B end"),
    ("no-such-recruit", PLAIN, "A recruit 1 scott1"),
    ("not-replaced", TAKEN, "B scott1"),
    ("wrong-face", TAKEN, "deal ?@recruit2"),
    ("eleventh-card", fight({}, hands={"A": [10, 10]}), "A recruit 1 forsyth1"),
    ("empty-hand", fight({}, hands={"A": [0, 0]}), "A scott1"),
    ("nothing-face-down", END, "A reveals scott1"),
    ("revealed-early", PLAIN, "B reveals scott1"),
    ("blocked", play(fight({"B": ["scott3"]}), "A wemyss5"), "A wemyss5 discards scott3@armyB"),
    (
        "blocked-by-kin",
        play(fight({"B": ["wemyss3"]}, rules={"seats": 4}), "A wemyss5"),
        "A wemyss5 discards wemyss3@armyB",
    ),
    ("no-such-ally", PLAIN, "A wemyss5 discards wemyss7@armyB"),
    ("not-just-engaged", PLAIN, "A scott5 as wemyss discards wemyss7@armyB"),
    ("face-down-power", play(PLAIN, "A ?"), "A ? discards wemyss7@armyB"),
    ("lies-otherwise", play(PLAIN, "A fergusson4"), "A fergusson4 swaps wemyss7!@armyB"),
    ("sideways", PLAIN, "moved wemyss7/sideways armyB>armyB"),
    ("wrong-power", play(PLAIN, "A fergusson4"), "A fergusson4 draws"),
    ("not-a-supporter", play(PLAIN, "A cockburn4"), "A cockburn4 takes wemyss7"),
    ("own-ally", play(PLAIN, "A fergusson4"), "A fergusson4 swaps scott5@armyA"),
    ("swap-target", play(PLAIN, "A fergusson4"), "A fergusson4 swaps scott1@armyB"),
    ("nothing-to-draw", play(fight({}, stock=0), "A forsyth4"), "A forsyth4 draws"),
    ("ally-owed", play(PLAIN, "A makgill4", "A makgill4 again"), "A recruit 1 forsyth1"),
    ("no-card-in-hand", play(fight({}, hands={"A": [1, 1]}), "A makgill4"), "A makgill4 again"),
    ("nothing-to-copy", play(fight({"B": ["wemyss7"]}), "A scott4"), "A scott4 as cochrane activates"),
    ("wrong-copy", play(fight({"B": ["wemyss7"]}), "A scott4"), "A scott4 as wemyss draws"),
    ("discard-target", play(PLAIN, "A wemyss4"), "A wemyss4 discards scott1@armyB"),
    ("discards-itself", play(PLAIN, "A wemyss4"), "A wemyss4 discards wemyss4@armyA"),
    ("reactivated", fight({"A": ["macdonnell4~"]}), "A macdonnell4 activates"),
    ("not-revealed", share({"A": ["?"], "B": ["scott3"]}, ["forsyth1", "forsyth2"]), "B wins forsyth1"),
    ("no-such-supporter", END, "A wins scott1"),
    ("out-of-order", END, "B wins forsyth1"),
    ("taken-early", PLAIN, "A wins wemyss12"),
    ("no-ally", END, "C wins forsyth1"),
    ("second-supporter", play(END, "A wins forsyth3"), "A wins forsyth2"),
    ("cleared-early", PLAIN, "discard scott5@armyA"),
    ("not-due", play(SHARED, "deal ?@recruit1"), "discard ?@recruit1"),
    ("not-there", SHARED, "discard scott1@armyA"),
    (
        "supporters-left",
        play(share({"A": ["wemyss9"]}, ["forsyth1", "forsyth2"]), "A wins forsyth2"),
        "deal scott1@supporters",
    ),
    ("stays", SHARED, "discard macdonnell3!@armyB"),
    ("straightened", fight({"A": ["cochrane4!"]}), "A straightens cochrane4!"),
    ("initiative", SHARED, "initiative A>B"),
    ("initiative", PLAIN, "initiative A>B"),
    ("game-over", OVER, "A scott1"),
]


@pytest.mark.parametrize(("kind", "position", "line"), CASES, ids=[f"{kind}: {line}" for kind, _, line in CASES])
def test_a_foul_is_named_changes_nothing_and_can_be_put_right(kind: str, position: Position, line: str) -> None:
    told = fact(line)
    verdict = judge(position, told)
    assert kind in kinds(position, line)
    assert all(RULE_OF[Breach(foul.kind)] == foul.rule for foul in verdict.fouls)
    game = LordsOfScotland(len(position.sides))
    assert game.after(position, told) == position
    wrong = position.table().after(told.changes())
    for righted in explain(position, wrong, position.table()):
        assert judge(position, righted).legal, str(righted)
        assert game.after(position, righted) == position


def test_every_kind_of_foul_has_a_case_and_every_kind_a_rule() -> None:
    assert {kind for kind, _, _ in CASES} == {breach.value for breach in Breach}
    assert set(RULE_OF) == set(Breach)


@pytest.mark.parametrize(("kind", "position", "line"), CASES, ids=[f"{kind}: {line}" for kind, _, line in CASES])
def test_a_judge_may_let_any_foul_stand_and_no_card_is_in_two_places(kind: str, position: Position, line: str) -> None:
    after = enforce(position, fact(line))
    codes = [piece.code for _, piece in after.table() if piece.code != "?"]
    assert len(codes) == len(set(codes))


@pytest.mark.rule("LS-110")
def test_what_was_moved_by_hand_goes_back() -> None:
    assert kinds(PLAIN, "moved wemyss7 armyB>armyA") == {"moved"}
    wrong = PLAIN.table().after(fact("moved wemyss7 armyB>armyA").changes())
    assert [str(told) for told in explain(PLAIN, wrong, PLAIN.table())] == ["put-right wemyss7 armyA>armyB"]
