"""Calls of a judge: from the table to the bench and back, one of a kind, and whose they are."""

from __future__ import annotations

import pytest

from firmware.calling import AFTER_S, CALLS, told_of_call
from firmware.commands import CallJudge, Rule, Tell
from firmware.event import bench
from firmware.event.calls import SOON, Stage, stood_still
from firmware.event.facts import Outcome, Reason
from firmware.event.page.showing import call_document
from firmware.event.roles import Person, Role
from firmware.obey import Refused
from firmware.state import saying
from firmware.station import CALLING
from tests.firmware.event.scene import ANNA, HENRI, PIA, Scene, notes, rebuilt, troubles


def test_a_call_goes_from_the_button_to_a_judge_and_back_to_the_table(scene: Scene) -> None:
    scene.stations["north"].station.take(CALLING)
    scene.run(1)
    [call] = scene.hub.state.open_calls()
    assert (call.station, call.reason, call.stage) == ("north", Reason.PLAYERS, Stage.OPEN)
    assert "judge-called" in troubles(scene)

    scene.act(bench.take_call(scene.hub.state, ANNA, call.id), ANNA)
    assert scene.hub.state.calls[call.id].judge == ANNA.signature
    assert "judge-coming" in troubles(scene)
    scene.act(bench.escalate(scene.hub.state, ANNA, call.id, "a hard one"), ANNA)
    scene.act(bench.take_call(scene.hub.state, HENRI, call.id), HENRI)
    scene.act(bench.resolve(scene.hub.state, HENRI, call.id, Outcome.EXPLAINED, "ties go to the first"), HENRI)

    done = scene.hub.state.calls[call.id]
    stages = [Stage.OPEN, Stage.TAKEN, Stage.ESCALATED, Stage.TAKEN, Stage.RESOLVED]
    assert [step.stage for step in done.steps] == stages
    assert done.outcome is Outcome.EXPLAINED
    assert not scene.hub.state.open_calls()
    assert not troubles(scene) & {"judge-called", "judge-coming"}
    assert len([line for line in notes(scene) if "table-told" in line]) == 4
    with pytest.raises(Refused, match="resolved already"):
        bench.take_call(scene.hub.state, ANNA, call.id)


@pytest.mark.parametrize("again", ["pressed twice", "started anew"])
def test_a_table_that_calls_twice_for_the_same_is_one_call(scene: Scene, again: str) -> None:
    north = scene.stations["north"]
    call = CALLING if again == "pressed twice" else CallJudge(Reason.UNREADABLE, who="station")
    north.station.take(call)
    scene.run(1)
    if again == "started anew":
        scene.restart("north")
    scene.stations["north"].station.take(call)
    scene.stations["north"].station.take(CallJudge(Reason.DISPUTE, "and he cheats"))
    scene.run(5)
    first, other = scene.hub.state.open_calls()
    assert other.words == "and he cheats"  # that is another matter

    scene.act(bench.resolve(scene.hub.state, ANNA, first.id, Outcome.EXPLAINED), ANNA)
    assert scene.hub.state.open_calls() == (other,)
    scene.stations["north"].station.take(call)
    scene.run(3)
    assert len(scene.hub.state.open_calls()) == 2


@pytest.mark.parametrize("stage", ["escalated", "taken by the head judge"])
def test_an_escalated_call_is_the_head_judges_until_it_is_closed(scene: Scene, stage: str) -> None:
    north = scene.stations["north"]
    north.station.take(CallJudge(Reason.APART, who="station"))
    scene.run(1)
    [call] = scene.hub.state.open_calls()
    scene.act(bench.escalate(scene.hub.state, ANNA, call.id, "I know her"), ANNA)
    if stage != "escalated":
        scene.act(bench.take_call(scene.hub.state, HENRI, call.id), HENRI)
    for act in (bench.take_call, bench.escalate):
        with pytest.raises(Refused, match="head judge"):
            act(scene.hub.state, ANNA, call.id)
    with pytest.raises(Refused, match="head judge"):
        bench.resolve(scene.hub.state, ANNA, call.id, Outcome.NO_CAUSE)
    north.station.take(CallJudge(Reason.APART, who="station", withdraw=True))
    scene.run(1)
    assert [one.id for one in scene.hub.state.open_calls()] == [call.id]  # nor does its station take it back
    shown = "head-judge-called" if stage == "escalated" else "judge-coming"
    assert troubles(scene) & CALLS == {shown}  # and the table knows that somebody comes
    assert north.station.state.notice != saying("judge-not-needed")
    olga = Person("Olga", Role.ORGANISER)  # an event without a head judge
    scene.act(bench.resolve(scene.hub.state, olga, call.id, Outcome.PUT_RIGHT), olga)
    assert not scene.hub.state.open_calls()
    assert not troubles(scene) & CALLS


def test_what_a_judge_has_taken_a_judge_closes_and_knows_that_the_table_has_settled_it(scene: Scene) -> None:
    north = scene.stations["north"]
    north.station.take(CallJudge(Reason.UNREADABLE, who="station"))
    scene.run(1)
    [call] = scene.hub.state.open_calls()
    scene.act(bench.take_call(scene.hub.state, ANNA, call.id), ANNA)
    assert not call_document(scene.hub.state.calls[call.id], None)["settled"]
    north.station.take(CallJudge(Reason.UNREADABLE, who="station", withdraw=True))
    scene.run(1)
    [call] = scene.hub.state.open_calls()
    assert call_document(call, None)["settled"]
    assert troubles(scene) & CALLS == {"judge-coming"}
    north.station.take(CallJudge(Reason.UNREADABLE, who="station"))
    scene.run(1)
    [call] = scene.hub.state.open_calls()
    assert (call.stage, call.is_settled) == (Stage.TAKEN, False)  # it was not settled after all
    scene.act(bench.resolve(scene.hub.state, ANNA, call.id, Outcome.PUT_RIGHT), ANNA)
    assert not troubles(scene) & CALLS


@pytest.mark.parametrize("end", ["withdrawn", "resolved"])
def test_of_two_calls_the_table_still_shows_the_one_that_is_left(scene: Scene, end: str) -> None:
    north = scene.stations["north"]
    north.station.take(CALLING)
    north.station.take(CallJudge(Reason.UNREADABLE, who="station"))
    scene.run(1)
    call = next(one for one in scene.hub.state.open_calls() if one.reason is Reason.UNREADABLE)
    if end == "resolved":
        scene.act(bench.resolve(scene.hub.state, ANNA, call.id, Outcome.PUT_RIGHT), ANNA)
    else:
        north.station.take(CallJudge(Reason.UNREADABLE, who="station", withdraw=True))
        scene.run(1)
    assert [one.reason for one in scene.hub.state.open_calls()] == [Reason.PLAYERS]
    assert troubles(scene) & CALLS == {"judge-called"}
    scene.restart("north")
    assert troubles(scene) & CALLS == {"judge-called"}


def test_the_table_hears_of_its_call_in_its_own_words_and_nothing_that_judges_say_to_each_other(scene: Scene) -> None:
    north = scene.stations["north"]
    north.station.take(CALLING)
    scene.run(1)
    [call] = scene.hub.state.open_calls()
    scene.act(bench.take_call(scene.hub.state, ANNA, call.id), ANNA)
    assert north.signals.notice == "Anna is coming to this table."
    scene.act(bench.escalate(scene.hub.state, ANNA, call.id, "I know her"), ANNA)
    assert north.signals.notice == "Anna has called the head judge to this table."
    assert not any("table-told" in line and "I know her" in line for line in notes(scene))
    scene.act(bench.resolve(scene.hub.state, HENRI, call.id, Outcome.EXPLAINED), HENRI)
    assert north.signals.notice == "Henri has closed the call of this table."


def test_a_station_that_calls_and_takes_back_all_day_has_one_call_and_is_named(scene: Scene) -> None:
    north, south = scene.stations["north"], scene.added("south")
    scene.stations["south"] = south
    south.play(3, most=5)
    shown: list[int] = []
    scene.hub.subscribe(
        lambda update: shown.append(sum(call.station == "north" for call in update.state.calls.values()))
    )
    for reason in (Reason.DISPUTE, Reason.UNREADABLE):
        for _ in range(200):
            north.station.take(CallJudge(reason, "look here"))
            scene.round()
            north.station.take(CallJudge(reason, withdraw=True))
            scene.round()
    south.station.take(CALLING)
    scene.run(2)

    assert max(shown) == 2  # one of a kind, however often
    assert [(call.station, call.reason) for call in scene.hub.state.open_calls()] == [("south", Reason.PLAYERS)]
    named = [line for line in scene.log if "again and again" in line]
    assert 1 <= len(named) <= 25  # a line in ten seconds
    assert all("north" in line for line in named)
    scene.run(10)
    assert scene.is_delivered()  # nothing of it is lost
    assert rebuilt(scene.hub) == scene.hub.state


def test_a_station_takes_no_call_back_that_a_player_made_at_the_hub(scene: Scene) -> None:
    scene.act(bench.raise_call(scene.hub.state, PIA, "north", Reason.DISPUTE, "she cheats"), PIA)
    assert troubles(scene) & CALLS == {"judge-called"}  # the table shows it, without the player's words
    assert not any("she cheats" in line for line in notes(scene))
    scene.stations["north"].station.take(CallJudge(Reason.DISPUTE, withdraw=True))
    scene.run(2)
    [call] = scene.hub.state.open_calls()
    assert call.words == "she cheats"
    assert troubles(scene) & CALLS == {"judge-called"}


def test_a_call_made_again_long_after_it_was_withdrawn_is_another(scene: Scene) -> None:
    north = scene.stations["north"]
    for _ in range(3):
        north.station.take(CallJudge(Reason.UNREADABLE, who="station"))
        scene.run(1)
        north.station.take(CallJudge(Reason.UNREADABLE, who="station", withdraw=True))
        scene.run(1)
        scene.clock.sleep(SOON.total_seconds())
    assert [call.stage for call in scene.hub.state.calls.values()] == [Stage.WITHDRAWN] * 3


def test_the_clock_stands_still_while_a_call_is_open_and_an_extension_is_proposed(scene: Scene) -> None:
    since = scene.clock.now()
    scene.stations["north"].station.take(CALLING)
    scene.run(1)
    [call] = scene.hub.state.open_calls()
    scene.clock.sleep(125)
    scene.act(bench.resolve(scene.hub.state, ANNA, call.id, Outcome.NO_CAUSE), ANNA)
    scene.clock.sleep(600)

    done = scene.hub.state.calls[call.id]
    assert done.proposed_s(scene.clock.now()) == 150
    still = stood_still(scene.hub.state.calls.values(), "north", since, scene.clock.now())
    assert 125 <= still.total_seconds() < 130


def test_a_table_that_lies_wrong_for_long_calls_a_judge_by_itself_and_takes_it_back(scene: Scene) -> None:
    station = scene.stations["north"].station
    laid = " ".join(str(one.fact) for one in station.state.referee.told)
    card = next(f"{colour}9" for colour in "rygbpo" if f"{colour}9" not in laid)
    stone = next(stone for stone in range(1, 10) if f"@{stone}" not in laid)
    waiting = "B" if station.state.summary.turn == "A" else "A"
    station.take(Tell(f"{waiting} {card}@{stone}", "camera"))
    assert station.state.referee.to_put_right
    scene.run(AFTER_S[Reason.APART] + 2)
    [call] = scene.hub.state.open_calls()
    assert call.reason is Reason.APART

    number = station.state.referee.told[-1].number
    scene.act(
        bench.order(scene.hub.state, scene.hub.archive, ANNA, "north", Rule(number, True, "Anna", "agreed")), ANNA
    )
    scene.run(10)

    assert scene.hub.state.calls[call.id].stage is Stage.WITHDRAWN
    assert not scene.hub.state.open_calls()


def test_a_call_goes_with_its_table_to_the_spare_that_takes_over(scene: Scene) -> None:
    scene.stations["north"].station.take(CALLING)
    scene.run(1)
    [call] = scene.hub.state.open_calls()
    scene.act(bench.take_call(scene.hub.state, ANNA, call.id), ANNA)
    scene.act(bench.take_over(scene.hub.state, scene.hub.archive, ANNA, "north", "spare"), ANNA)
    scene.run(2)
    [moved] = scene.hub.state.open_calls()
    assert (moved.id, moved.station, moved.steps) == (call.id, "spare", scene.hub.state.calls[call.id].steps)
    assert troubles(scene, "spare") & CALLS == {"judge-coming"}
    scene.act(bench.resolve(scene.hub.state, ANNA, call.id, Outcome.REPAIRED), ANNA)
    assert not scene.hub.state.open_calls()
    assert not troubles(scene, "spare") & CALLS


def test_a_player_calls_from_the_page_once(scene: Scene) -> None:
    scene.act(bench.raise_call(scene.hub.state, PIA, "north", Reason.DISPUTE, "it was my turn"), PIA)
    [call] = scene.hub.state.open_calls()
    assert (call.reason, call.words) == (Reason.DISPUTE, "it was my turn")
    with pytest.raises(Refused, match="already"):
        bench.raise_call(scene.hub.state, PIA, "north", Reason.DISPUTE)


@pytest.mark.parametrize(
    ("who", "sentence"),
    [("organiser", "Organisateur vient à cette table."), ("Olga, organiser", "Olga vient à cette table.")],
)
def test_who_comes_is_told_by_name_or_else_by_what_they_are(who: str, sentence: str) -> None:
    (coming,) = told_of_call("taken", who)
    assert coming.words("fr").sentence == sentence
