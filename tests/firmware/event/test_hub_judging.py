"""Judges at the hub's page: calls, a table's board and picture, rulings and their reversal, spares, names."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import numpy as np
import pytest

from engine.schotten_totten.options import Rules
from firmware.commands import Pressed
from firmware.event.audit import audit
from firmware.event.page.rows import Condition
from firmware.event.roles import Role
from firmware.event.rounds.facts import (
    TableSet,
)
from firmware.gestures import Press
from firmware.ports import Button, Frame
from firmware.present import present
from firmware.simulation.players import play_game
from tests.firmware.event.hub_page import HubPage
from tests.firmware.event.visiting import Visitor, gone, lay, play_on, until


def test_a_call_goes_from_open_to_resolved_and_is_shown_to_judges_at_once(event: HubPage) -> None:
    olga, jana = Visitor(event, Role.ORGANISER, "Olga"), Visitor(event, Role.JUDGE, "Jana")
    olga.act("start", minutes=40)
    anna = Visitor(event, Role.PLAYER, "Anna Bell", player=1)
    assert anna.act("call", reason="dispute", words="she laid two").status_code == 200
    assert anna.act("call").json()["refused"] == "called-already"
    began_s = time.monotonic()
    Visitor(event).shown()
    busy_s = time.monotonic() - began_s  # what a look takes by itself
    began_s = time.monotonic()
    [call] = jana.shown(until="calls")["calls"]["rows"]
    assert time.monotonic() - began_s < 2 + 10 * busy_s
    assert (call["reason"], call["words"], call["stage"]) == ("dispute", "she laid two", "open")
    assert anna.shown(until="my-call")["my-call"]["stage"] == "open"
    assert anna.act("take", call=call["id"]).status_code == 403
    assert jana.act("take", call=call["id"]).status_code == 200
    assert jana.act("take", call=call["id"]).json()["refused"] == "taken-already"
    assert jana.act("escalate", call=call["id"], words="I know her").status_code == 200
    hugh = Visitor(event, Role.HEAD_JUDGE, "Hugh")
    for act in ("take", "escalate", "resolve"):
        assert jana.act(act, call=call["id"], outcome="explained").json()["refused"] == "head-judge-only"
    assert hugh.act("take", call=call["id"]).status_code == 200
    assert jana.act("resolve", call=call["id"], outcome="explained").json()["refused"] == "head-judge-only"
    assert hugh.act("resolve", call=call["id"], outcome="explained", extension_s="long").status_code == 400
    answer = hugh.act("resolve", call=call["id"], outcome="explained", words="one card a turn", extension_s=90)
    assert answer.status_code == 200
    [call] = jana.shown(until="calls")["calls"]["rows"]
    assert [step["stage"] for step in call["steps"]] == ["open", "taken", "escalated", "taken", "resolved"]
    timer = event.office.tournament.rounds[0].timer
    assert dict(timer.added_s) == {call["table"]: 90}
    assert jana.act("resolve", call=call["id"], outcome="explained").json()["refused"] == "call-closed"


def test_a_table_in_a_call_is_told_by_its_row_and_its_clock_stands(event: HubPage) -> None:
    Visitor(event, Role.ORGANISER, "Olga").act("start", minutes=40)
    Visitor(event, Role.JUDGE, "Jana").act("call", key="3")
    row = Visitor(event).rows()["3"]
    assert (row["condition"], row["call"]) == (Condition.CALL, "open")
    assert row["since"]


def begun(event: HubPage) -> tuple[Visitor, Visitor, Visitor]:
    """An organiser, a judge and a head judge in a round whose games have begun."""
    olga, jana, hugh = (
        Visitor(event, role, name)
        for role, name in ((Role.ORGANISER, "Olga"), (Role.JUDGE, "Jana"), (Role.HEAD_JUDGE, "Hugh"))
    )
    olga.act("start", minutes=40)
    until(lambda: event.tables["oak"].station.state.number == 2)
    return olga, jana, hugh


def test_a_judge_overrules_at_the_hub_and_the_head_judge_reverses_it(event: HubPage) -> None:
    olga, jana, hugh = begun(event)
    oak = event.tables["oak"]
    event.do(lambda: lay(oak, "A g5@3", "B r4@3"))
    until(lambda: jana.shown("/tables/1/events", "table")["table"]["board"]["verdicts"])
    ruled = {"key": "1", "number": 2, "stands": "no", "ground": "misread", "words": "it was r5"}
    assert olga.act("rule", **{**ruled, "ground": "whim"}).status_code == 400
    assert jana.act("rule", **ruled).status_code == 200
    until(lambda: not oak.station.state.referee.told[1].counts)
    table = jana.shown("/tables/1/events", "table")["table"]
    until(lambda: jana.shown("/tables/1/events", "table")["table"]["orders"][0]["done"])
    [order] = [one for one in table["orders"] if one["command"]["do"] == "rule"]
    assert (order["by"], order["ground"], order["words"], order["before"]) == (
        "Jana, judge",
        "misread",
        "it was r5",
        "B r4@3: counts",
    )
    assert jana.act("reverse", order=order["number"]).status_code == 403
    assert hugh.act("reverse", order=order["number"], words="seen on video").status_code == 200
    until(lambda: oak.station.state.referee.told[1].counts)
    assert hugh.act("reverse", order=order["number"], words="?").json()["refused"] == "cannot-reverse"
    assert hugh.act("reverse", order="nothing", words="?").status_code == 409


def test_a_result_that_the_head_judge_takes_back_counts_no_more_until_the_game_ends(
    event: HubPage, tmp_path: Path
) -> None:
    olga, jana, hugh = begun(event)
    oak = event.tables["oak"]
    facts = [str(step.fact) for step in play_game(Rules(), Random(5))]
    event.do(lambda: lay(oak, *facts[:20]))
    jana.act("decide", key="1", winner="A", ground="conceded", words="B left")
    until(lambda: event.office.tournament.rounds[0].result(1) is not None)
    for table in (2, 3):
        olga.act("result", round=1, table=table, winner="B", stones_a=2, stones_b=5, how="played")
    assert event.office.tournament.rounds[0].is_over
    [order] = [one.number for one in event.hub.state.orders.values() if one.given.command["do"] == "decide"]
    until(lambda: event.hub.state.orders[order].done)
    assert hugh.act("reverse", order=order, words="B was in the corridor").status_code == 200

    until(lambda: event.office.tournament.rounds[0].waiting == (1,))
    assert olga.act("pair").json()["refused"] == "round-open"
    pairing = event.office.tournament.rounds[0].at(1)
    [line] = [line for line in Visitor(event).shown()["standings"] if line["number"] == pairing.a]
    assert (line["points"], line["games"]) == (0, 0)
    until(lambda: Visitor(event).rows()["1"]["condition"] == Condition.PLAYING)
    assert audit(tmp_path / "event.db").wrong == []
    event.do(lambda: lay(oak, *facts[20:]))
    until(lambda: event.office.tournament.rounds[0].is_over)
    entries = event.office.tournament.rounds[0].entries[1]
    assert [one.result.how for one in entries] == ["decided", "reopened", "played"]
    assert entries[-1].result.winner == oak.station.state.summary.winner
    assert audit(tmp_path / "event.db").wrong == []
    assert olga.http.get("/take-away/results.csv").status_code == 200


def test_spectators_see_a_tables_board_but_not_what_judges_said(event: HubPage) -> None:
    Visitor(event, Role.ORGANISER, "Olga").act("start", minutes=40)
    oak = event.tables["oak"]
    until(lambda: oak.station.state.number == 2)
    event.do(lambda: lay(oak, "A g5@3"))
    until(lambda: (Visitor(event).shown("/tables/1/events", "table")["table"]["board"] or {}).get("verdicts"))
    table = Visitor(event).shown("/tables/1/events", "table")["table"]
    assert "g5" in {piece["code"] for piece in table["board"]["pieces"]}
    assert set(table) == {"row", "board", "game"}
    record = Visitor(event).http.get("/tables/1/game.txt").text
    assert "A g5@3" in record


def test_judges_see_what_the_camera_of_a_table_saw_last_and_nobody_else_does(event: HubPage) -> None:
    oak, frame = event.tables["oak"], Frame(1, np.full((720, 1280, 3), 90, np.uint8), 0.0)
    event.do(lambda: oak.courier.see(frame, oak.station.state))
    until(lambda: event.hub.live["oak"].picture is not None)
    jana = Visitor(event, Role.JUDGE, "Jana")
    until(lambda: jana.shown("/tables/1/events", "table")["table"]["picture"])
    answer = jana.http.get("/tables/1/picture.jpg")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/jpeg")
    assert answer.content.startswith(b"\xff\xd8\xff")
    assert jana.http.get("/tables/2/picture.jpg").status_code == 404
    assert Visitor(event).http.get("/tables/1/picture.jpg").status_code == 404
    assert "picture" not in Visitor(event).shown("/tables/1/events", "table")["table"]


def test_a_station_that_is_gone_is_told_by_its_row(event: HubPage) -> None:
    event.do(lambda: gone(event, "elm"))
    until(lambda: Visitor(event).rows()["2"]["condition"] == Condition.GONE)


def test_a_spare_goes_on_with_the_game_of_a_table_whose_station_broke_and_its_result_counts(event: HubPage) -> None:
    olga = Visitor(event, Role.ORGANISER, "Olga")
    event.tell(TableSet(2), TableSet(9, "elm"))
    olga.act("start", minutes=40)
    oak, elm = event.tables["oak"], event.tables["elm"]
    until(lambda: oak.station.state.number == 2)
    facts = [str(step.fact) for step in play_game(Rules(), Random(5))]
    event.do(lambda: lay(oak, *facts[:20]))
    until(lambda: event.hub.state.stations["oak"].facts == 20)
    event.do(lambda: gone(event, "oak"))
    assert olga.act("take-over", key="1", spare="nobody").json()["refused"] == "no-take-over"
    assert event.office.tournament.tables[1] == "oak"
    assert olga.act("take-over", key="1", spare="elm").status_code == 200
    until(lambda: len(elm.station.state.referee.told) == 20)
    assert (event.office.tournament.tables[1], event.office.tournament.tables[9]) == ("elm", None)
    event.do(lambda: elm.obey(Pressed(Press(Button.TURN))))
    event.do(lambda: lay(elm, *facts[20:]))
    until(lambda: 1 in event.office.tournament.rounds[0].entries)
    assert event.office.tournament.rounds[0].entries[1][-1].game.startswith("elm/")


def test_a_judge_says_whose_game_it_is_that_was_begun_under_other_names_and_its_result_counts(event: HubPage) -> None:
    olga, jana = Visitor(event, Role.ORGANISER, "Olga"), Visitor(event, Role.JUDGE, "Jana")
    oak = event.tables["oak"]
    assert jana.act("name-players", key="9").json()["refused"] == "no-game-here"
    event.do(lambda: gone(event, "oak"))
    olga.act("start", minutes=40)
    facts = [str(step.fact) for step in play_game(Rules(), Random(5))]
    event.do(lambda: oak.station.begin({"rules": "base", "player A": "Zoe", "player B": "Yann"}))
    event.do(lambda: lay(oak, *facts[:20]))
    event.do(event.exchange.cut.clear)
    until(lambda: Visitor(event).rows()["1"]["condition"] == Condition.WRONG)
    until(lambda: "CHECK NAMES" in present(oak.station.state, oak.station.refereed, "en").screen.lines)

    named = {"key": "1", "seats": "swapped", "ground": "wrong-player", "words": "both agree"}
    assert Visitor(event, Role.PLAYER, "Pia", 1).act("name-players", **named).status_code == 403
    assert jana.act("name-players", **named).status_code == 200
    pairing = event.office.tournament.rounds[0].at(1)
    until(lambda: oak.station.state.name_of("A") == event.office.tournament.name_of(pairing.b))
    event.do(lambda: lay(oak, *facts[20:]))
    winner = oak.station.state.summary.winner
    until(lambda: 1 in event.office.tournament.rounds[0].entries)
    assert event.office.tournament.rounds[0].result(1).winner == ("B" if winner == "A" else "A")


@pytest.mark.parametrize("late", ["names", "table"])
def test_a_result_counts_also_when_its_players_or_its_table_are_known_only_after_the_end(
    event: HubPage, late: str
) -> None:
    olga, oak = Visitor(event, Role.ORGANISER, "Olga"), event.tables["oak"]
    if late == "table":
        event.tell(TableSet(1))  # the list left its station out
    olga.act("start", minutes=40)
    pairing, name = event.office.tournament.rounds[0].at(1), event.office.tournament.name_of
    named = {"player A": name(pairing.a), "player B": name(pairing.b), "round": "1"}
    event.do(lambda: oak.station.begin({"rules": "base"} | (named if late == "table" else {})))
    winner = event.do(lambda: play_on(oak, 5))
    until(lambda: event.hub.state.results())
    assert event.office.tournament.rounds[0].entries == {}
    if late == "table":
        assert olga.act("table", table=1, station="oak").status_code == 200
    else:
        assert olga.act("name-players", key="1", ground="wrong-player").status_code == 200
    until(lambda: 1 in event.office.tournament.rounds[0].entries)
    assert event.office.tournament.rounds[0].result(1).winner == winner
