"""Messages both ways, and everything that is none of ours."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from firmware.event import facts, orders, topics, wire
from firmware.event.archive import Stored
from firmware.event.documents import BadMessage, encoded
from firmware.event.invitation import BadInvitation, Invitation, parse
from firmware.event.state import EventState, folded
from firmware.journal import Entry, Kind

READERS: list[Callable[[bytes], Any]] = [wire.parcel, wire.ack, wire.status, wire.glimpse, wire.order, wire.claim]
AT = "2026-01-01T00:00:00.000+00:00"
documents = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
keys = some.sampled_from(
    ["book", "entries", "seq", "hash", "boot", "online", "number", "score", "troubles", "command", "who", "game"]
)


@given(some.binary(max_size=200) | documents.map(lambda one: json.dumps(one).encode()))
def test_garbage_is_a_bad_message_and_nothing_else(payload: bytes) -> None:
    for read in READERS:
        with pytest.raises(BadMessage):
            read(payload)


@given(some.dictionaries(keys, documents, max_size=8))
def test_a_message_of_odd_values_is_understood_or_refused(document: dict[str, Any]) -> None:
    for read in READERS:
        with contextlib.suppress(BadMessage):
            encoded(read(json.dumps(document).encode()).document())


@pytest.mark.parametrize(
    "entry",
    [
        [0, 1, "fact", "A pass", "camera", AT, "h"],
        [1, -1, "fact", "A pass", "camera", AT, "h"],
        [True, 1, "fact", "A pass", "camera", AT, "h"],
        [1, 1, "guess", "A pass", "camera", AT, "h"],
        [1, 1, "fact", "A pass", "camera", "yesterday", "h"],
        [1, 1, "fact", "A pass", "camera", "2026-01-01T00:00:00", "h"],
        [1, 1, "fact", "x" * 9000, "camera", AT, "h"],
        [1, 1, "fact", "A pass", "w" * 300, AT, "h"],
        [1, 1, "fact", "\ud800", "camera", AT, "h"],
        [1, 1, "fact"],
    ],
    ids=str,
)
def test_an_entry_that_cannot_be_is_refused(entry: list[Any]) -> None:
    with pytest.raises(BadMessage):
        wire.parcel(json.dumps({"book": "b", "entries": [entry]}).encode())


@pytest.mark.parametrize("odd", ["NaN", "Infinity", "true", "1e300", "9" * 400, '"x"', "[]"])
def test_a_clock_of_no_time_is_refused(odd: str) -> None:
    for document in (f'{{"round": 1, "left_s": {odd}}}', f'{{"round": 1, "left_s": 5, "added": {{"north": {odd}}}}}'):
        with pytest.raises(BadMessage):
            wire.round_clock(document.encode())


@pytest.mark.parametrize("odd", ["NaN", "true", "-1", "9" * 400, "1.5"])
def test_a_score_of_no_number_is_refused(odd: str) -> None:
    with pytest.raises(BadMessage):
        wire.glimpse(f'{{"boot": "b", "number": 1, "score": {{"A": {odd}}}}}'.encode())


def test_messages_come_out_as_they_went_in() -> None:
    entry = Entry(1, 1, Kind.FACT, "A g5@3 é", "camera", AT, "h")
    sent: list[tuple[Any, Callable[[bytes], Any]]] = [
        (wire.Parcel("b", (entry,)), wire.parcel),
        (wire.Ack("b", 3, "h"), wire.ack),
        (wire.Status("boot", True, "b", "1"), wire.status),
        (wire.Glimpse("boot", 7, 2, "A", (("A", 3), ("B", 1)), troubles=("hand",), unread=2), wire.glimpse),
        (wire.Order("e.1", "b", 4, "Anna", {"do": "undo"}), wire.order),
    ]
    for message, read in sent:
        assert read(encoded(message.document())) == message


@given(some.sampled_from(list(Kind)), documents, some.text(max_size=20))
def test_the_read_model_takes_whatever_a_station_wrote(kind: Kind, document: Any, who: str) -> None:
    for line in (json.dumps(document), json.dumps({"what": "judge-called", "reason": document}), "{"):
        entry = Entry(1, 1, kind, line, who, AT, "h")
        for station in ("north", "hub"):
            state = folded(EventState(), [Stored(1, AT, station, "b", entry)])
            state.open_calls()
            state.results()


@given(documents)
def test_an_order_that_no_station_knows_says_so(document: Any) -> None:
    ordered = orders.ordered(wire.Order("e.1", "b", 0, "Anna", {"do": document}))
    assert ordered.command is None
    assert ordered.unknown


@given(some.sampled_from(["rule", "correct", "decide", "new-game", "take-over", "announce"]), documents, keys)
def test_orders_of_odd_values_never_raise(do: str, value: Any, key: str) -> None:
    names = ("number", "line", "stands", "winner", "head", "lines", "words", key)
    orders.ordered(wire.Order("e.1", "b", 0, "Anna", {"do": do} | dict.fromkeys(names, value)))


def test_facts_come_out_as_they_went_in() -> None:
    given_order = facts.OrderGiven("north", "b", 3, {"do": "undo"}, facts.Ground.MISREAD, "w", "before", "e.9")
    for fact in (facts.JudgeCalled(facts.Reason.APART, "x"), facts.CallResolved("c", facts.Outcome.RULED), given_order):
        assert facts.decode(facts.encode(fact)) == fact


@pytest.mark.parametrize("name", ["hub", "", "North", "a/b", "+", "#", "x" * 40, "-a"])
def test_names_that_no_station_can_have(name: str) -> None:
    assert not topics.is_station(name)


def test_an_invitation_holds_all_and_shows_no_secret_by_accident() -> None:
    pem = "-----BEGIN CERTIFICATE-----\n" + "A" * 64 + "\nBBBB\n-----END CERTIFICATE-----\n"
    invitation = Invitation("hub.local", 8883, "north", "secret-word", pem)
    assert parse(str(invitation)) == invitation
    assert "secret-word" not in repr(invitation)
    for text in ("", "MARCHWARDEN1:", "MARCHWARDEN1:AAAA", str(invitation)[:-9], "https://example.org"):
        with pytest.raises(BadInvitation):
            parse(text)
