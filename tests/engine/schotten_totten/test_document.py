"""The position document: both ways, what may be left out, and what a bad one is told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.schotten_totten.cards import ALL_CARDS, Player, Tactic, parse_card
from engine.schotten_totten.claims import Proof
from engine.schotten_totten.document import BadDocument, Document, from_json, parse_document, to_json
from engine.schotten_totten.options import Rules
from engine.schotten_totten.stones import Stone
from tests.engine.schotten_totten.strategies import contested_positions


@given(contested_positions)
def test_a_document_is_the_same_there_and_back(position: dict[str, Any]) -> None:
    document = from_json(position)
    assert to_json(document) == position
    assert parse_document(json.dumps(to_json(document))) == document


def test_what_may_be_left_out_has_its_default() -> None:
    assert from_json({"stones": [{}, {"A": ["g5"]}]}) == Document(stones=(Stone(), Stone(a=(parse_card("g5"),))))


def test_every_field_is_read() -> None:
    position = {
        "game": "schotten-totten",
        "rules": {"tactics": True, "expert": True, "proof": "tactics"},
        "turn": "B",
        "stones": [{"A": [], "B": ["spy"], "owner": "A", "modes": ["mud", "bluff"], "completed_first": "B"}],
        "discard": ["banshee", "g5"],
        "tactics_played": {"A": 1, "B": 2},
        "about": "somebody's own note",
    }
    assert from_json(position) == Document(
        stones=(
            Stone(
                b=(Tactic.SPY,),
                owner=Player.A,
                modes=(Tactic.MUD_FIGHT, Tactic.BLIND_MANS_BLUFF),
                completed_first=Player.B,
            ),
        ),
        discard=(Tactic.BANSHEE, parse_card("g5")),
        rules=Rules(tactics=True, expert=True, proof=Proof.TACTICS),
        turn=Player.B,
        tactics_played=(1, 2),
    )


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ([], "the document is a list; expected an object"),
        (None, "the document is null"),
        ({}, "the document has no stones; expected a list of at most nine"),
        ({"stones": {}}, "stones is an object; expected a list"),
        ({"stones": [{}] * 10}, "stones lists 10 Stones; expected at most nine"),
        ({"stones": [3]}, "Stone 1 is 3; expected an object"),
        ({"stones": [{}, {"A": ["g5", "z5"]}]}, "Stone 2, side A, card 2: 'z5' is no card; expected a colour"),
        ({"stones": [{"B": ["g10"]}]}, "Stone 1, side B, card 1: 'g10' is no card"),
        ({"stones": [{"B": [5]}]}, "Stone 1, side B, card 1 is 5; expected a code"),
        ({"stones": [{"B": "g5"}]}, 'Stone 1, side B is "g5"; expected a list'),
        ({"stones": [{"A": ["g5"]}, {"B": ["g5"]}]}, "g5 lies twice, at Stone 1, side A and at Stone 2, side B"),
        ({"stones": [{"A": ["g5"]}], "discard": ["g5"]}, "g5 lies twice, at Stone 1, side A and at discard"),
        ({"stones": [{"modes": ["mud"]}, {"modes": ["mud"]}]}, "mud lies twice"),
        ({"stones": [{"A": ["r1", "r2", "r3", "r4"]}]}, "Stone 1, side A has 4 cards; expected at most 3"),
        (
            {"stones": [{"A": ["r1", "r2", "r3", "r4", "r5"], "modes": ["mud"]}]},
            "Stone 1, side A has 5 cards; expected at most 4",
        ),
        ({"stones": [{"A": ["banshee"]}]}, "Stone 1, side A holds banshee; only Clan cards and elite troops"),
        ({"stones": [{"modes": ["g5"]}]}, "Stone 1, modes holds g5; expected bluff or mud"),
        ({"stones": [{"owner": "C"}]}, "Stone 1, owner is \"C\"; expected 'A' or 'B'"),
        ({"stones": [{"completed_first": True}]}, "Stone 1, completed_first is true; expected 'A' or 'B'"),
        ({"stones": [{"a": ["g5"]}]}, "Stone 1 has the unknown key \"a\"; did you mean 'A'?"),
        ({"stones": [{"completed-first": "A"}]}, "did you mean 'completed_first'?"),
        ({"stones": [], "turn": 1}, "turn is 1; expected 'A' or 'B'"),
        ({"stones": [], "game": "lords-of-scotland"}, "game is \"lords-of-scotland\"; expected 'schotten-totten'"),
        ({"stones": [], "rules": []}, "rules is a list; expected an object"),
        ({"stones": [], "rules": {"proof": "maybe"}}, "rules, proof is \"maybe\"; expected 'clan' or 'tactics'"),
        ({"stones": [], "rules": {"tactics": "yes"}}, 'rules, tactics is "yes"; expected true or false'),
        ({"stones": [], "rules": {"expert": 1}}, "rules, expert is 1; expected true or false"),
        ({"stones": [], "tactics_played": {"A": -1}}, "tactics_played, A is -1; expected a number of cards"),
        ({"stones": [], "tactics_played": {"B": True}}, "tactics_played, B is true; expected a number of cards"),
        ({"stones": [], "discard": ["x" * 1000]}, "discard, card 1: 'xxxxxxxxxxxxxxxxxxxx…' is no card"),
    ],
)
def test_a_bad_document_is_told_what_and_where(document: object, told: str) -> None:
    with pytest.raises(BadDocument) as caught:
        from_json(document)
    message = str(caught.value)
    assert told in message
    assert "\n" not in message
    assert len(message) < 300


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "this is not JSON: line 1, column 1"),
        ("{", "this is not JSON: line 1, column 2"),
        ('{"stones":\n[}', "line 2, column 2"),
        (b"{\xff\xff\xff}", "this is not text"),
        ('{"stones": [], "stones": []}', 'the key "stones" stands twice in one object'),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "a number too long"),
    ],
)
def test_a_text_that_is_no_json_is_told_where(text: str | bytes, told: str) -> None:
    with pytest.raises(BadDocument) as caught:
        parse_document(text)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


plausible = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=6)
    | st.sampled_from([str(card) for card in ALL_CARDS])
    | st.sampled_from(("A", "B", "clan", "tactics", "schotten-totten")),
    lambda inner: (
        st.lists(inner, max_size=11)
        | st.dictionaries(
            st.text(max_size=6)
            | st.sampled_from(
                ("game", "rules", "turn", "stones", "discard", "tactics_played", "A", "B", "owner", "modes", "proof")
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=25,
)


@given(plausible | st.builds(lambda stones: {"stones": stones}, plausible))
def test_any_json_is_a_position_or_a_bad_document(value: object) -> None:
    try:
        document = from_json(value)
    except BadDocument:
        return
    assert from_json(to_json(document)) == document


@given(st.binary(max_size=60) | st.text(max_size=60))
def test_any_text_is_a_position_or_a_bad_document(text: str | bytes) -> None:
    with pytest.raises(BadDocument):
        parse_document(text)
