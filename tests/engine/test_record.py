"""Records: what a person writes by hand, and what they are told when it cannot be read."""

from __future__ import annotations

import re

import pytest

from engine.record import check_acts, parse_record, read_head, write_record
from engine.rules import BadRecord
from engine.schotten_totten.game import SchottenTotten
from engine.schotten_totten.options import KEYS, Rules, parse_rules

GAME = SchottenTotten()
KNOWN = ("players", "rules", "date", *KEYS)
TEXT = """\
# A short game
players: Anna, Bea
rules: tactics expert   # agreed beforehand
date: 2026-03-14

A g5@3      # opening
B joker1@4
  A mud@2

B banshee g5@3
A claim 3
undo
ruling 5 stands by The Judge: no harm done
correction 1 by Anna: A g6@3
result draw by Bea: it got late
"""


def test_a_record_written_by_hand_is_understood() -> None:
    record = parse_record(TEXT, GAME.parse, KNOWN)
    assert record.head == {"players": "Anna, Bea", "rules": "tactics expert", "date": "2026-03-14"}
    assert [str(entry) for entry in record.entries[:5]] == [
        "A g5@3",
        "B joker1@4",
        "A mud@2",
        "B banshee g5@3",
        "A claim 3",
    ]
    assert record.lines[:3] == (6, 7, 8)


def test_a_record_is_written_as_it_was_read() -> None:
    record = parse_record(TEXT, GAME.parse, KNOWN)
    assert parse_record(write_record(record), GAME.parse, KNOWN) == record


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A g5@3\nC g5@3", "line 2, column 1: expected a player (A or B) or one of removed"),
        ("A g5@0", "line 1, column 6: expected a Stone (1 to 9)"),
        ("A g55@3", "line 1, column 3: expected a card such as g5"),
        ("A g5", "line 1, column 5: expected @ and the Stone"),
        ("A g5@3 now", "line 1, column 8: expected the end of the line, found 'now'"),
        ("A", "line 1, column 1: expected a player"),
        ("A claim ten", "line 1, column 9: expected a Stone (1 to 9), found 'ten'"),
        ("A traitor b4@5", "line 1, column 15: expected > and the place"),
        ("A banshee b4@5>2", "line 1, column 15: expected the end of the line"),
        ("A recruiter b4@5", "line 1, column 13: expected the end of the line (the Recruiter"),
        ("moved b4@5>2A", "line 1, column 10: expected a side such as 3A"),
        ("stone 3 border", "line 1, column 15: expected > and border, A, B or missing"),
        ("correction 1 by Anna: A g5@0", "line 1, column 28: expected a Stone"),
        ("ruling x stands by J: y", "line 1, column 8: expected the number of an entry"),
        ("result A by", "line 1, column 9: expected by and a name"),
        ("pause now", "line 1, column 7: expected the end of the line"),
        ("A g5@3\nplayers: too late", "line 2, column 1: expected a player"),
        ("rulse: base", "line 1: unknown key 'rulse'; did you mean 'rules'?"),
        ("date: 1\ndate: 2", "line 2: 'date' is set twice"),
    ],
)
def test_a_line_that_cannot_be_read_says_where_and_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(BadRecord) as caught:
        parse_record(text, GAME.parse, KNOWN)
    assert str(caught.value).startswith(message)


def test_unknown_keys_are_kept_as_notes() -> None:
    assert read_head("A: Anna\nB: Bea\nweather: rain\n") == {"A": "Anna", "B": "Bea", "weather": "rain"}


@pytest.mark.parametrize(
    ("head", "rules"),
    [
        ({}, "base"),
        ({"rules": "base"}, "base"),
        ({"rules": "tactics"}, "tactics"),
        ({"variant": "tactic"}, "tactics"),
        ({"rules": '{"tactics": true, "expert": false, "proof": "clan"}'}, "tactics"),
        ({"rules": "Tactics, Expert"}, "tactics expert"),
        ({"tactics": "yes", "expert": "true"}, "tactics expert"),
        (
            {"rules": "tactics proof=tactics second-joker=never first=B"},
            "tactics proof=tactics second-joker=never first=B",
        ),
    ],
)
def test_the_head_sets_the_rules(head: dict[str, str], rules: str) -> None:
    assert str(parse_rules(head)) == rules
    assert parse_rules({"rules": rules}) == parse_rules(head)


@pytest.mark.parametrize("head", [{"rules": "chess"}, {"proof": "maybe"}, {"rules": "first=C"}, {"rules": "a=b"}])
def test_unknown_rules_are_refused(head: dict[str, str]) -> None:
    with pytest.raises(BadRecord, match="expected"):
        parse_rules(head)
    assert Rules().hand == 6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A g5@3\nruling 7 void by Jo: seen", "line 2: entry 7 is no event before this line"),
        ("undo\ncorrection 1 by Jo: A g5@3", "line 2: entry 1 is no event before this line"),
        ("ruling 2 void by Jo: seen\nA g5@3", "line 1: entry 2 is no event before this line"),
        ("A g5@3\nresult Z by Jo: late", "line 2: 'Z' does not play; expected one of A, B, or draw"),
    ],
)
def test_an_act_that_reaches_back_to_nothing_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadRecord, match=re.escape(message)):
        check_acts(parse_record(text, GAME.parse, KNOWN), GAME.players)


def test_acts_about_what_was_told_are_in_order() -> None:
    check_acts(parse_record(TEXT, GAME.parse, KNOWN), GAME.players)
