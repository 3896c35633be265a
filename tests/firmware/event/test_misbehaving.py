"""A station that was let in and means harm, or a broker that denies: refused, named, and no other table notices.

Through a real mosquitto with the configuration that `event init` writes, and in simulated time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.clocks import SimulatedClock
from firmware.commands import CallJudge
from firmware.event import bench, topics
from firmware.event.archive import book_of
from firmware.event.facts import Outcome, Reason
from firmware.event.hub import ENTRIES_AT_ONCE
from firmware.event.roles import Person, Role
from firmware.event.wire import MOST_ENTRIES, Parcel
from firmware.journal import GENESIS, Entry, Kind, chained
from firmware.simulation.exchange import Exchange
from tests.firmware.event.scene import Scene, hub_at, over, until
from tests.firmware.event.secured import Secured, secured_in, writes

ANNA = Person("Anna", Role.JUDGE)
AT = "2026-05-01T10:00:00.000+00:00"


@pytest.fixture
def secured(tmp_path: Path) -> Iterator[Secured]:
    with secured_in(tmp_path, certificates=False) as secured:
        yield secured


@pytest.mark.broker
def test_an_old_call_that_is_replayed_calls_nobody(secured: Secured) -> None:
    north = secured.station("north")
    secured.broker.start()
    north.play(1, most=5)
    north.station.take(CallJudge(Reason.DISPUTE, "it was my turn"))
    until(lambda: bool(secured.hub.state.open_calls()), secured.hub, north)
    [call] = secured.hub.state.open_calls()
    secured.hub.write(bench.resolve(secured.hub.state, ANNA, call.id, Outcome.EXPLAINED), ANNA.signature)
    until(lambda: not secured.hub.state.waiting(), secured.hub, north)
    entries = tuple(north.journal.entries())
    before = secured.hub.state.calls
    settings = secured.settings_of("north")
    old = json.dumps(Parcel(book_of(entries[0]), entries).document()).encode()
    assert len(writes(settings, "north", topics.entries("north"), old, times=20)) == 20
    other = json.dumps(Parcel("another-journal", entries[-3:]).document()).encode()
    writes(settings, "north", topics.entries("north"), other)
    north.station.take(CallJudge(Reason.PLAYERS))  # what comes after it is seen
    until(lambda: len(secured.hub.state.calls) == 2, secured.hub, north)

    assert {id_: one for id_, one in secured.hub.state.calls.items() if id_ in before} == before
    assert [one.reason for one in secured.hub.state.open_calls()] == [Reason.PLAYERS]
    north.close()


@pytest.mark.broker
def test_a_hub_that_is_denied_its_acknowledgements_says_so_and_loses_nothing(secured: Secured) -> None:
    north = secured.station("north")
    acl = secured.house.folder / "acl"
    allowed = acl.read_text()
    acl.write_text(allowed.replace(f"topic readwrite {topics.ROOT}/#", f"topic read {topics.ROOT}/#"))
    secured.broker.start()
    north.play(1, most=20)
    until(lambda: secured.hub.state.arrival == 21, secured.hub, north)
    until(lambda: secured.hub.fault is not None, secured.hub, north)
    assert "denies what hub writes" in str(secured.hub.fault)
    until(lambda: secured.hub._failures >= 4, secured.hub, north)
    assert len([line for line in secured.log if "denies what hub writes" in line]) in (1, 2)  # not at every try
    acl.write_text(allowed)
    secured.broker.kill()
    secured.broker.start()
    until(lambda: north.courier.acknowledged == 21, secured.hub, north)
    north.close()


def journal(number: int, count: int) -> tuple[Entry, ...]:
    """A journal of so many games that nobody played."""
    head, entries = GENESIS, []
    for seq in range(1, count + 1):
        line = json.dumps({"n": number})
        head = chained(head, seq, seq, Kind.BEGIN, line, "me", AT)
        entries.append(Entry(seq, seq, Kind.BEGIN, line, "me", AT, head))
    return tuple(entries)


def test_a_station_that_writes_journal_after_journal_is_taken_slowly_and_named(tmp_path: Path) -> None:
    scene = Scene(tmp_path, "north")
    scene.stations["north"].play(1, most=5)
    scene.run(3)
    line = over(scene.exchange)(None, "south", ())
    line.open()
    sent = 0
    for number in range(4 * int(ENTRIES_AT_ONCE) // MOST_ENTRIES):
        entries = journal(number, MOST_ENTRIES)
        line.publish(topics.entries("south"), Parcel(book_of(entries[0]), entries).document(), retain=False)
        sent += len(entries)
        scene.round(0.1)
    stored = sum(one.station == "south" for one in scene.hub.archive.entries("south"))
    minutes = len(range(4 * int(ENTRIES_AT_ONCE) // MOST_ENTRIES)) * 0.1 / 60
    assert stored <= ENTRIES_AT_ONCE + 600 * minutes + MOST_ENTRIES < sent
    assert any("south: more entries than any table writes" in line for line in scene.log)
    scene.stations["north"].station.take(CallJudge())
    scene.run(2)
    assert [call.station for call in scene.hub.state.open_calls()] == ["north"]
    scene.close()


def test_a_station_that_names_journal_after_journal_is_answered_about_the_last(tmp_path: Path) -> None:
    exchange, clock = Exchange(), SimulatedClock()
    hub = hub_at(tmp_path, clock=clock, make=over(exchange))
    hub.step(0.0)
    line = over(exchange)(None, "south", (topics.ack("south"),))
    line.open()
    for number in range(300):
        status = {"boot": "b", "online": True, "book": f"book {number}"}
        line.publish(topics.status("south"), status, retain=True)
    answers = []
    for _ in range(20):
        hub.step(0.0)
        clock.sleep(0.1)
        answers += [json.loads(payload)["book"] for _, payload in line.received(0.0)]
    assert answers == ["book 299"]
    hub.close()
