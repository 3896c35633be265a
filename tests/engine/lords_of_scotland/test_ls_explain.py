"""From what is seen back to what was done: each act as it looks from above, alone and two at a time."""

from __future__ import annotations

import pytest

from engine.lords_of_scotland.course import enforce
from engine.lords_of_scotland.explain import explain
from engine.lords_of_scotland.game import LordsOfScotland
from engine.lords_of_scotland.legality import judge
from engine.lords_of_scotland.places import army_of, face
from engine.lords_of_scotland.position import Position
from engine.table import UNKNOWN, Change, Code, Piece, Player, Table
from tests.engine.lords_of_scotland.play import fact, fight, play, share

A = Player("A")
PLAIN = fight({"A": ["scott5"], "B": ["wemyss7", "?"]})
TURN_DUE = fight({}, turned=False, turn_number=2, recruits=["forsyth1", "forsyth2", "?", "?", "?"])
ALIKE = play(LordsOfScotland(2).opening({}), "deal scott6@supporters")
LAST = fight({"A": ["?"], "B": ["?"]}, turn="B", turn_number=5, recruits=[f"forsyth{slot}" for slot in range(1, 6)])
SHARED = play(
    share({"A": ["wemyss9"], "B": ["macdonnell3!"]}, ["forsyth1", "forsyth2"]), "A wins forsyth2", "B wins forsyth1"
)


def named(value: object) -> str:
    return " + ".join(value) if isinstance(value, list) else "seen"


def seen_after(position: Position, *lines: str) -> Table:
    """The table once these things happened, allowed or not."""
    table = position.table()
    for line in lines:
        table = table.after(fact(line).changes())
    return table


def explained(position: Position, seen: Table) -> list[str]:
    return [str(told) for told in explain(position, position.table(), seen)]


FACE_UP = [f"forsyth{slot}" for slot in range(6, 11)]
LAST = fight({"A": ["?"], "B": ["?", "scott2"]}, turn="B", turn_number=5, recruits=FACE_UP)
LAST_WITHOUT_FERGUSSON = fight({"A": ["?"], "B": ["wemyss7"]}, turn="B", turn_number=5, recruits=FACE_UP)
LAST_TWO_HIDDEN = fight({"A": ["?", "?"], "B": ["wemyss7"]}, turn="B", turn_number=5, recruits=FACE_UP)
HIDDEN = fight({"A": ["scott7", "?"], "B": ["wemyss7", "?"]})
LAST_ROUND = fight({"A": ["wemyss2"], "B": ["?"]}, turn_number=5, recruits=FACE_UP)
TURN_NEXT = play(fight({"C": []}, turn="B", turn_number=2, recruits=[*FACE_UP[:2], "?", "?", "?"]), "B recruit 3 ?")
LAST_BUT_ONE = fight({"A": ["?"], "B": ["wemyss7"]}, turn_number=5, recruits=FACE_UP)


@pytest.mark.parametrize(
    ("position", "lines"),
    [
        (LAST, ["B ?", "A reveals scott11"]),  # no swap by a Scott that is blocked
        (LAST_WITHOUT_FERGUSSON, ["B ?", "A reveals scott1"]),  # nor by one that finds no Fergusson to copy
        (HIDDEN, ["A wemyss4", "A wemyss4 discards ?@armyA"]),  # no card of one's own turned
        (play(HIDDEN, "A wemyss4"), ["A wemyss4 discards ?@armyB", "B forsyth9"]),  # nor one of the next player's
        (play(LAST_TWO_HIDDEN, "B wemyss1"), ["B wemyss1 discards ?@armyA", "A reveals scott11"]),
        (play(HIDDEN, "A makgill4", "A makgill4 again"), ["A fergusson3", "A fergusson3 swaps ?@armyB"]),
        (play(HIDDEN, "A fergusson4"), ["A fergusson4 swaps ?@armyB", "B ?"]),  # as many face down as before
        (play(fight({}), "A makgill4"), ["B fergusson3", "B fergusson3 swaps makgill4@armyA"]),
        (play(LAST_BUT_ONE, "A makgill2"), ["B forsyth3", "A reveals scott3"]),  # not called for by the Makgill
        (LAST_ROUND, ["A ?", "B scott6", "B reveals cochrane3"]),  # and no swap by the Scott, which is blocked
        (HIDDEN, ["A cochrane4", "B wemyss1", "B wemyss1 discards ?@armyA"]),  # nor turned before the next one's Wemyss
        (play(HIDDEN, "A wemyss4"), ["B wemyss2", "B wemyss2 discards wemyss4@armyA"]),  # by another, not by itself
        # The skirmish is over, and allies are turned before the last act has settled.
        (LAST, ["B recruit 2 forsyth7", "deal scott9@recruit2", "B reveals wemyss1"]),
        (play(LAST_ROUND, "A ?"), ["B recruit 2 forsyth7", "deal scott9@recruit2", "B reveals scott3"]),
        (play(LAST, "B fergusson1"), ["B fergusson1 swaps ?@armyA", "B reveals cochrane11"]),
        (LAST, ["B macdonnell2", "B macdonnell2 activates", "B reveals cochrane11"]),
        # Makgill after Makgill, where the stronger one would be blocked.
        (PLAIN, ["A makgill4", "A makgill4 again", "A makgill8"]),
        (play(fight({"A": ["wemyss3"]}), "A makgill6"), ["B fergusson2", "B fergusson2 swaps wemyss3@armyA"]),
        (fight({"A": ["makgill12"], "B": ["?"]}), ["A ?", "B fergusson9", "B fergusson9 swaps makgill12@armyA"]),
        (TURN_NEXT, ["deal ?@recruit3", "C scott9", "A turn 3 makgill9"]),
        (LordsOfScotland(2).opening({}), ["deal ?@recruit1"]),
        (LordsOfScotland(2).opening({}), ["deal scott9@supporters"]),
        (TURN_DUE, ["A turn 3 scott1"]),
        (PLAIN, ["A scott9"]),
        (PLAIN, ["A ?"]),
        (PLAIN, ["B scott9"]),
        (PLAIN, ["A recruit 1 forsyth1"]),
        (PLAIN, ["A recruit 4 ?"]),
        (PLAIN, ["A recruit 1 forsyth1", "deal scott9@recruit1"]),
        (play(PLAIN, "A recruit 1 forsyth1"), ["deal scott9@recruit1"]),
        (play(PLAIN, "A recruit 1 forsyth1"), ["deal ?@recruit1"]),
        (play(PLAIN, "A cockburn4"), ["A cockburn4 takes wemyss12"]),
        (PLAIN, ["A cockburn4", "A cockburn4 takes wemyss12"]),
        (play(PLAIN, "A fergusson4"), ["A fergusson4 swaps wemyss7@armyB"]),
        (play(PLAIN, "A fergusson4"), ["A fergusson4 swaps ?@armyB"]),
        (PLAIN, ["A fergusson4", "A fergusson4 swaps wemyss7@armyB"]),
        (PLAIN, ["A fergusson4", "A fergusson4 swaps ?@armyB"]),
        (play(PLAIN, "A wemyss4"), ["A wemyss4 discards ?@armyB"]),
        (play(PLAIN, "A wemyss4"), ["A wemyss4 discards wemyss7@armyB"]),
        (PLAIN, ["A wemyss4", "A wemyss4 discards wemyss7@armyB"]),
        (play(PLAIN, "A makgill4"), ["A makgill4 again", "A scott9"]),
        (play(PLAIN, "A cochrane4"), ["A cochrane4 activates"]),
        (PLAIN, ["A cochrane4", "A cochrane4 activates"]),
        (play(fight({"B": ["cochrane7"]}), "A scott2"), ["A scott2 as cochrane activates"]),
        (play(fight({"B": ["cochrane7"]}), "A scott2"), ["A scott2 activates"]),
        (play(fight({"B": ["cochrane7"]}), "A scott2", "A scott2 activates"), ["A scott2 as cochrane activates"]),
        (play(fight({"B": ["wemyss7"]}), "A scott2"), ["A scott2 as wemyss discards wemyss7@armyB"]),
        (play(fight({"B": ["makgill7"]}), "A scott2"), ["A scott2 as makgill again", "A wemyss9"]),
        (play(fight({"B": ["cockburn7"]}), "A scott2"), ["A scott2 as cockburn takes wemyss11"]),
        (play(fight({"B": ["scott4!cochrane"]}), "A fergusson2"), ["A fergusson2 swaps scott4!cochrane@armyB"]),
        # A whole turn, or more, between two looks.
        (PLAIN, ["A makgill4", "A makgill4 again", "A cochrane9"]),
        (PLAIN, ["A makgill4", "A makgill4 again", "A ?"]),
        (PLAIN, ["A makgill4", "A makgill4 again", "A makgill3", "A makgill3 again", "A bruce1"]),
        (PLAIN, ["A makgill4", "A makgill4 again", "A cochrane3", "A cochrane3 activates"]),
        (PLAIN, ["A makgill4", "A makgill4 again", "A cockburn3", "A cockburn3 takes wemyss12"]),
        (PLAIN, ["A makgill4", "A makgill4 again", "A fergusson3", "A fergusson3 swaps wemyss7@armyB"]),
        (PLAIN, ["A makgill4", "A makgill4 again", "A ?", "B bruce1"]),
        (PLAIN, ["A wemyss4", "A wemyss4 discards wemyss7@armyB", "B forsyth9"]),
        (fight({"B": ["makgill7"]}), ["A scott2", "A scott2 as makgill again", "A cochrane9"]),
        (TURN_DUE, ["A recruit 3 ?"]),
        (play(fight({}, turned=False, turn="B"), "B recruit 4 ?"), ["deal ?@recruit4", "A turn 4 scott1"]),
        (PLAIN, ["A recruit 3 forsyth3", "deal scott9@recruit3", "B recruit 1 forsyth1"]),
        (ALIKE, ["deal wemyss6@supporters", "discard scott6@supporters"]),
        (LAST, ["B fergusson9", "A reveals scott9"]),
        (LAST, ["B makgill9", "B reveals fergusson9"]),
        (TURN_DUE, ["A turn 3 scott1", "A cockburn4", "A cockburn4 takes wemyss12"]),
        (TURN_DUE, ["A turn 3 scott1", "A makgill4", "A makgill4 again", "A cochrane3"]),
        (play(fight({}, turned=False, turn="B"), "B cockburn4"), ["B cockburn4 takes wemyss12", "A turn 4 scott1"]),
        (PLAIN, ["A scott9", "B recruit 1 forsyth1"]),
        (PLAIN, ["A recruit 1 forsyth1", "deal scott9@recruit1", "B scott1"]),
        (share({"A": ["?"], "B": ["scott3"]}, ["forsyth1", "forsyth2"]), ["A reveals scott9", "A wins forsyth1"]),
        (SHARED, ["discard wemyss9@armyA"]),
        (SHARED, ["B straightens macdonnell3!"]),
        (SHARED, ["initiative A>B"]),
    ],
    ids=named,
)
@pytest.mark.rule("LS-208")
def test_an_act_is_told_from_the_table_it_left(position: Position, lines: list[str]) -> None:
    assert explained(position, seen_after(position, *lines)) == lines


@pytest.mark.parametrize(
    ("position", "lines", "told"),
    [
        (PLAIN, ["moved wemyss7 armyB>armyA"], ["moved wemyss7 armyB>armyA"]),
        (PLAIN, ["moved wemyss7 armyB>off"], ["moved wemyss7 armyB>off"]),
        (PLAIN, ["moved wemyss7/sideways armyB>armyB"], ["moved wemyss7/sideways armyB>armyB"]),
        (PLAIN, ["moved initiative initiativeA>off"], ["moved initiative initiativeA>off"]),
        # A recruit that shows its face when none is due: taken in the turn and replaced with the wrong face.
        (PLAIN, ["A turn 4 scott9"], ["A recruit 4 ?", "deal scott9@recruit4"]),
        (play(PLAIN, "A ?"), ["moved wemyss7 armyB>off"], ["A ? discards wemyss7@armyB"]),
    ],
    ids=named,
)
def test_what_is_no_act_of_the_game_is_told_as_it_looks(position: Position, lines: list[str], told: list[str]) -> None:
    assert explained(position, seen_after(position, *lines)) == told


def test_a_foul_put_back_is_told_as_put_right_and_a_new_act_beside_it_as_what_it_is() -> None:
    wrong = seen_after(PLAIN, "B scott9")
    right_and_more = PLAIN.table().after(fact("A scott1").changes())
    told = explain(PLAIN, wrong, right_and_more)
    assert [str(each) for each in told] == ["put-right scott9 armyB>off", "A scott1"]
    assert all(judge(PLAIN, each).legal for each in told)


@pytest.mark.parametrize(
    ("position", "wrong", "right", "told"),
    [
        (
            TURN_DUE,
            "A turn 4 scott9",
            "A turn 3 wemyss1",
            ["put-right scott9 recruit4>off", "put-right ?/down off>recruit4", "A turn 3 wemyss1"],
        ),
        (PLAIN, "deal ?@recruit1", "A ?", ["put-right ?/down recruit1>off", "A ?"]),
        (PLAIN, "deal ?@recruit4", "A recruit 4 ?", ["put-right ?/down recruit4>off", "A recruit 4 ?"]),
        (SHARED, "moved wemyss9/sideways armyA>armyA", "discard wemyss9@armyA", ["discard wemyss9!@armyA"]),
    ],
    ids=named,
)
def test_a_foul_put_back_while_the_game_goes_on_makes_no_other(
    position: Position, wrong: str, right: str, told: list[str]
) -> None:
    seen = seen_after(position, right)
    facts = explain(position, seen_after(position, wrong), seen)
    assert [str(each) for each in facts] == told
    for each in facts:
        assert judge(position, each).legal, str(each)
        position = enforce(position, each)
    assert position.table() == seen


def test_of_two_cards_face_down_the_one_too_many_goes_back() -> None:
    wrong = seen_after(PLAIN, "B ?")
    assert [str(each) for each in explain(PLAIN, wrong, PLAIN.table())] == ["put-right ?/down armyB>off"]


def test_a_scott_turned_sideways_first_and_given_its_token_later_is_legal_all_the_way() -> None:
    position = play(fight({"B": ["cochrane7"]}), "A scott2")
    army = army_of(A)
    turned = position.table().after([Change(face(Code("scott2"), sideways=True), army, army)])
    (first,) = explain(position, position.table(), turned)
    assert str(first) == "A scott2 activates"
    assert judge(position, first).legal
    position = enforce(position, first)
    done = turned.after([Change(Piece(Code("scott2!cochrane")), None, army)])
    told = explain(position, turned, done)
    assert [str(each) for each in told] == ["A scott2 as cochrane activates"]
    assert judge(position, told[0]).legal


def test_even_cards_face_down_and_sideways_are_explained_exactly() -> None:
    down, sideways = face(UNKNOWN), Piece(UNKNOWN, face_up=False, sideways=True)
    army = army_of(A)
    told = Table.of({army: [down, sideways, sideways]})
    for seen in (Table.of({army: [down]}), Table.of({army: [sideways]}), Table.of({army: [sideways] * 3}), Table()):
        after = told
        for each in explain(PLAIN, told, seen):
            after = after.after(each.changes())
        assert after == seen
