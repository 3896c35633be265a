"""A hub that cannot keep up: nothing is lost, nobody waits for another table, and a call is seen at once."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from firmware.clocks import SimulatedClock
from firmware.commands import CallJudge
from firmware.event.backlog import FULL, SHARE, Backlog
from firmware.event.documents import LARGEST
from firmware.event.facts import Reason
from firmware.event.hub import A_MESSAGE, MESSAGES_A_SECOND, MESSAGES_AT_ONCE, Update
from firmware.event.outbox import AGAIN_S, AHEAD, LATEST_AGAIN_S, PARCEL
from firmware.event.refusals import Budget
from tests.firmware.event.scene import Scene

LONG = b"x" * SHARE


def test_each_station_has_its_turn_and_its_own_order() -> None:
    backlog = Backlog()
    for word in (b"1", b"2", b"3"):
        backlog.add("north", word + LONG)
    backlog.add("south", b"4")

    taken = [(station, payload[:1]) for _ in range(5) for station, payload in backlog.take(1)]

    assert taken == [("north", b"1"), ("south", b"4"), ("north", b"2"), ("north", b"3")]
    assert (len(backlog), backlog.take(1)) == (0, [])


def test_a_station_that_calls_a_judge_goes_first_with_all_it_sent_before() -> None:
    backlog = Backlog()
    for station in ("north", "south", "west"):
        backlog.add(station, b"1" + LONG)
        backlog.add(station, b"2" + LONG)
    backlog.add("west", b'{"what": "judge-called"}')

    assert [station for station, _ in backlog.take(2 * SHARE + 3)] == ["west"] * 3
    assert [station for station, _ in backlog.take(2 * SHARE + 1)] == ["north", "south"]
    assert len(backlog) == 2


def test_who_calls_with_every_message_keeps_no_other_call_waiting() -> None:
    backlog = Backlog()
    for _ in range(500):
        backlog.add("south", b'{"what": "judge-called"}' + LONG)
    backlog.add("north", b'{"what": "judge-called"}')
    backlog.add("west", b"1")

    assert [station for station, _ in backlog.take(2 * SHARE)] == ["south", "north", "south"]
    assert len(backlog) == 499


def test_as_much_is_taken_as_was_asked_for_and_at_least_one() -> None:
    backlog = Backlog()
    for station in "abcdef":
        backlog.add(station, b"x" * 100)
    assert len(backlog.take(250)) == 3
    assert len(backlog.take(1)) == 1
    assert len(backlog.take(10_000)) == 2


def test_long_messages_are_soon_too_many_and_what_a_station_brings_after_a_day_away_is_not() -> None:
    clock = SimulatedClock()
    budget = Budget(clock, MESSAGES_A_SECOND, MESSAGES_AT_ONCE)
    assert sum(budget.allows("south", 1 + LARGEST / A_MESSAGE) for _ in range(400)) * LARGEST < FULL / 8
    parcel = PARCEL * 300  # bytes of a hundred entries
    for _ in range(60):  # a thousand entries ahead, and the next as soon as they are acknowledged
        assert all(budget.allows("north", 1 + parcel / A_MESSAGE) for _ in range(AHEAD // PARCEL))
        clock.sleep(1.0)


def test_a_hub_with_too_much_to_do_says_how_far_it_is_behind_and_shows_a_call_first(tmp_path: Path) -> None:
    names = [f"t{number}" for number in range(12)]
    scene = Scene(tmp_path, *names)
    scene.run(3)
    updates: list[Update] = []
    scene.hub.subscribe(updates.append)
    for number, name in enumerate(names):
        scene.stations[name].play(number, most=60)
    scene.stations["t11"].obey(CallJudge(Reason.DISPUTE, "whose Stone?", who="players"))
    for station in scene.stations.values():
        station.round()

    scene.hub._sort(scene.hub._broker.received(0.0))
    waiting = len(scene.hub._backlog)
    scene.hub.take(list(scene.hub._opened(scene.hub._backlog.take(1))))

    assert [call.station for call in scene.hub.state.open_calls()] == ["t11"]
    assert updates[-1].behind == len(scene.hub._backlog) > 0
    assert waiting >= len(names)
    scene.run(10)
    assert updates[-1].behind == 0
    assert scene.is_delivered()
    scene.close()


def test_a_station_that_gets_no_answer_asks_less_and_less_often_and_at_once_after_one(tmp_path: Path) -> None:
    scene = Scene(tmp_path, "north")
    north = scene.stations["north"]
    north.play(1, most=5)
    scene.run(10)
    north.play(2, most=5)
    sent: list[int] = []
    for second in range(200):
        scene.clock.sleep(1.0)
        north.round()
        if scene.hub._broker.received(0.0):
            sent.append(second)
    gaps = [after - before for before, after in pairwise(sent) if after - before > 2]
    assert gaps[0] >= AGAIN_S
    assert gaps == sorted(gaps)
    assert LATEST_AGAIN_S <= gaps[-1] <= LATEST_AGAIN_S + 2
    scene.run(LATEST_AGAIN_S + 5)
    assert scene.is_delivered()
    scene.close()
