"""The hub's page over HTTP: what everybody sees, who may do what, and that every act is an entry of the journal."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import numpy as np
import pytest

from engine.schotten_totten.options import Rules
from firmware.commands import Pressed, Tell
from firmware.event import topics
from firmware.event.audit import audit
from firmware.event.page.badges import MAY, Badges
from firmware.event.page.rows import Condition
from firmware.event.roles import Role
from firmware.event.rounds.facts import (
    EventOpened,
    PlayerEntered,
    Result,
    ResultEntered,
    Style,
    TableSet,
    decode,
)
from firmware.event.rounds.next_round import next_round
from firmware.event.words import vocabulary
from firmware.faults import PartFault
from firmware.gestures import Press
from firmware.ports import Button, Frame
from firmware.simulation.players import play_game
from firmware.web.login import Locked
from tests.firmware.event.hub_page import HubPage, hub_page
from tests.firmware.event.scene import SceneStation

SIGN = {"x-marchwarden": "page"}
NAMES = ("Anna Bell", "Bert Cairns", "Carla Douglas", "Duncan Elliot", "Eilidh Fraser", "Fionn Graham")


@pytest.fixture
def event(tmp_path: Path) -> Iterator[HubPage]:
    """Six players at three tables, two of them with a station; the first round is paired."""
    with hub_page(tmp_path, ("oak", "elm")) as page:
        page.tell(EventOpened("Borders Cup", Style.SWISS, 7))
        page.tell(*(PlayerEntered(n, name) for n, name in enumerate(NAMES, 1)))
        page.tell(TableSet(1, "oak"), TableSet(2, "elm"), TableSet(3))
        page.tell(next_round(page.office.tournament))
        until(lambda: set(page.hub.live) == {"oak", "elm"})
        yield page


def until(true: Callable[[], Any], seconds: float = 60) -> None:
    end_s = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end_s, "it did not happen in time"
        time.sleep(0.02)


def play_on(table: SceneStation, seed: int) -> str | None:
    """The game that is on the table, to its end."""
    for step in play_game(Rules(), Random(seed)):
        table.obey(Tell(str(step.fact), "camera"))
    return table.station.state.summary.winner


def lay(table: SceneStation, *lines: str) -> None:
    for line in lines:
        table.obey(Tell(line, "camera"))


def gone(event: HubPage, name: str) -> None:
    event.exchange.cut.add(name)
    event.exchange.drop(name)


class Visitor:
    """One browser: its session, its token, and what it was shown last."""

    def __init__(self, page: HubPage, role: Role | None = None, name: str = "", player: int | None = None) -> None:
        self.http = httpx.Client(base_url=page.address, timeout=60, headers=SIGN)
        page.afterwards.append(self.http.close)
        self.token: dict[str, str] = {}
        if role is not None:
            code = page.badge(role, name or role.key, player)
            assert self.http.post("/login", json={"code": code}).status_code == 200
            self.token = {"x-token": self.http.get("/hello").json()["token"]}

    def act(self, act: str, **asked: Any) -> httpx.Response:
        return self.http.post("/act", json={"act": act, **asked}, headers=self.token)

    def shown(self, path: str = "/events", until: str = "hall") -> dict[str, Any]:
        """Everything that a stream begins with, until this kind."""
        found: dict[str, Any] = {}
        with self.http.stream("GET", path) as answer:
            assert answer.status_code == 200
            name = ""
            for line in answer.iter_lines():
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    found[name] = json.loads(line.removeprefix("data: "))
                    if name == until:
                        return found
        raise AssertionError("the stream ended")

    def rows(self) -> dict[str, Any]:
        return {row["key"]: row for row in self.shown()["hall"]["rows"]}


def test_everybody_sees_tables_round_and_standings_but_no_calls(event: HubPage) -> None:
    shown = Visitor(event).shown()
    assert set(shown) == {"event", "round", "standings", "hall"}
    assert shown["hall"]["order"] == ["1", "2", "3"]
    assert shown["event"]["name"] == "Borders Cup"
    assert len(shown["standings"]) == 6
    assert {row["condition"] for row in shown["hall"]["rows"]} == {"waiting"}


def test_a_round_is_started_played_by_stations_and_by_hand_and_paired_again(event: HubPage) -> None:
    olga = Visitor(event, Role.ORGANISER, "Olga")
    assert olga.act("start", minutes=40).status_code == 200
    until(lambda: event.tables["oak"].station.state.number == 2)
    head = dict(event.tables["oak"].station.state.head)
    pairing = event.office.tournament.rounds[0].at(1)
    assert (head["round"], head["player A"]) == ("1", event.office.tournament.name_of(pairing.a))
    winner = event.do(lambda: play_on(event.tables["oak"], 3))
    event.do(lambda: play_on(event.tables["elm"], 4))
    until(lambda: event.office.tournament.rounds[0].waiting == (3,))
    entered = event.office.tournament.rounds[0].entries[1][-1]
    score = {str(seat): stones for seat, stones in event.tables["oak"].station.state.summary.score}
    assert (entered.result.winner, entered.result.stones, entered.who) == (winner, (score["A"], score["B"]), "station")
    assert olga.act("pair").json()["refused"] == "round-open"
    assert olga.act("result", round=1, table=3, winner="B", stones_a=2, stones_b=5, how="played").status_code == 200
    assert olga.act("pair").status_code == 200
    assert len(event.office.tournament.rounds) == 2
    assert Visitor(event).rows()["3"]["condition"] == "waiting"


def test_a_result_of_a_station_is_entered_once_and_what_a_judge_entered_stays(event: HubPage) -> None:
    olga = Visitor(event, Role.ORGANISER, "Olga")
    olga.act("start", minutes=40)
    until(lambda: event.tables["oak"].station.state.number == 2)
    event.do(lambda: play_on(event.tables["oak"], 3))
    until(lambda: 1 in event.office.tournament.rounds[0].entries)
    jana = Visitor(event, Role.JUDGE, "Jana")
    corrected = {"round": 1, "table": 1, "winner": "A", "stones_a": 4, "stones_b": 2, "how": "decided"}
    assert jana.act("result", **corrected).json()["refused"] == "needs-reason"
    assert jana.act("result", **corrected, reason="a card was misread").status_code == 200
    event.do(lambda: event.office._collect())
    entries = event.office.tournament.rounds[0].entries[1]
    assert [one.who for one in entries] == ["station", "Jana, judge"]


def test_a_ruling_after_the_end_changes_the_result_and_the_audit_finds_all_of_it_in_order(
    event: HubPage, tmp_path: Path
) -> None:
    olga, jana = Visitor(event, Role.ORGANISER, "Olga"), Visitor(event, Role.JUDGE, "Jana")
    olga.act("give-badge", role="judge", name="Jean")
    olga.act("start", minutes=40)
    oak = event.tables["oak"]
    until(lambda: oak.station.state.number == 2)
    winner = event.do(lambda: play_on(oak, 3))
    until(lambda: 1 in event.office.tournament.rounds[0].entries)
    other = "B" if winner == "A" else "A"
    assert jana.act("decide", key="1", winner=other, ground="conduct", words="he cheated").status_code == 200
    until(lambda: len(event.office.tournament.rounds[0].entries[1]) == 2)
    first, second = event.office.tournament.rounds[0].entries[1]
    assert (first.result.winner, second.result.winner, second.result.how) == (winner, other, "decided")
    assert second.game == first.game
    assert audit(tmp_path / "event.db").wrong == []
    false = Result("A" if other == "B" else "B", (5, 0))
    event.tell(ResultEntered(1, 1, false, "forged", second.game), who="somebody")
    [doubt] = audit(tmp_path / "event.db").wrong
    assert "round 1, table 1" in doubt


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
    [call] = jana.shown(until="calls")["calls"]
    assert time.monotonic() - began_s < 2 + 10 * busy_s
    assert (call["reason"], call["words"], call["stage"]) == ("dispute", "she laid two", "open")
    assert anna.shown(until="my-call")["my-call"]["stage"] == "open"
    assert anna.act("take", call=call["id"]).status_code == 403
    assert jana.act("take", call=call["id"]).status_code == 200
    assert jana.act("take", call=call["id"]).json()["refused"] == "taken-already"
    assert jana.act("escalate", call=call["id"], words="I know her").status_code == 200
    hugh = Visitor(event, Role.HEAD_JUDGE, "Hugh")
    assert hugh.act("take", call=call["id"]).status_code == 200
    answer = hugh.act("resolve", call=call["id"], outcome="explained", words="one card a turn", extension_s=90)
    assert answer.status_code == 200
    [call] = jana.shown(until="calls")["calls"]
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


def test_a_judge_overrules_at_the_hub_and_the_head_judge_reverses_it(event: HubPage) -> None:
    olga, jana, hugh = (
        Visitor(event, role, name)
        for role, name in ((Role.ORGANISER, "Olga"), (Role.JUDGE, "Jana"), (Role.HEAD_JUDGE, "Hugh"))
    )
    olga.act("start", minutes=40)
    oak = event.tables["oak"]
    until(lambda: oak.station.state.number == 2)
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
    assert hugh.act("reverse", order="nothing", words="?").status_code == 409


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
    until(lambda: event.hub.state.games[event.hub.state.stations["oak"].game].facts == 20)
    event.do(lambda: gone(event, "oak"))
    assert olga.act("take-over", key="1", spare="nobody").status_code == 409
    assert event.office.tournament.tables[1] == "oak"
    assert olga.act("take-over", key="1", spare="elm").status_code == 200
    until(lambda: len(elm.station.state.referee.told) == 20)
    assert (event.office.tournament.tables[1], event.office.tournament.tables[9]) == ("elm", None)
    event.do(lambda: elm.obey(Pressed(Press(Button.TURN))))
    event.do(lambda: lay(elm, *facts[20:]))
    until(lambda: 1 in event.office.tournament.rounds[0].entries)
    assert event.office.tournament.rounds[0].entries[1][-1].game.startswith("elm/")


def test_the_clock_of_the_round_goes_to_the_stations(event: HubPage) -> None:
    olga = Visitor(event, Role.ORGANISER, "Olga")
    olga.act("start", minutes=40)
    oak = event.tables["oak"]
    until(lambda: oak.station.state.clock == "40'")
    assert oak.signals.screen.clock == "40'"
    assert olga.act("stop-clock").status_code == 200
    until(lambda: oak.station.state.clock == "=40'")
    assert olga.act("time", seconds=120).status_code == 200
    until(lambda: oak.station.state.clock == "=42'")
    assert olga.act("time", seconds=300, table=1).status_code == 200
    until(lambda: oak.station.state.clock == "=47'")
    assert event.tables["elm"].station.state.clock == "=42'"
    assert olga.act("run-clock").status_code == 200
    until(lambda: oak.station.state.clock == "47'")


def test_an_organiser_opens_an_event_enters_lists_and_gives_badges(tmp_path: Path) -> None:
    with hub_page(tmp_path) as page:
        olga = Visitor(page, Role.ORGANISER, "Olga")
        opened = {"name": "Cup", "style": "swiss", "minutes": 30, "seed": 5, "variant": "tactic"}
        assert olga.act("players", list="name\nAnna\n").json()["refused"] == "not-opened"
        assert olga.act("open", **opened).status_code == 200
        bad = olga.act("players", list="name,number\nAnna,x\nAnna,2\n", lang="fr").json()
        assert bad["refused"] == "bad-list"
        assert bad["mistakes"][0] == "ligne 2, colonne number : « x » : attendu un nombre entier de 1 à 99999"
        assert page.office.tournament.players == {}
        many = "name\n" + "".join(f"Player {n}\n" for n in range(1, 1001))
        assert olga.act("players", list=many).status_code == 200
        assert olga.act("tables", list="table,station\n1,oak\n1,elm\n").json()["refused"] == "bad-list"
        assert olga.act("player", name="Late Lena", club="Kelso").status_code == 200
        assert olga.act("leave", number=3).status_code == 200
        assert len(page.office.tournament.playing()) == 1000
        given = olga.act("give-badge", role="judge", name="Jana").json()
        assert Visitor(page).http.post("/login", json={"code": given["code"]}).status_code == 200
        assert Visitor(page).http.post("/login", json={"code": given["code"]}).status_code == 403, "good for one log-in"
        lines = [stored.entry.line for stored in page.do(lambda: list(page.hub.archive.entries(topics.HUB)))]
        assert given["code"] not in " ".join(lines)
        assert any("badge-given" in line and "Jana" in line for line in lines)


def test_every_change_is_an_entry_with_its_name_and_the_fold_of_them_is_the_tournament(event: HubPage) -> None:
    olga = Visitor(event, Role.ORGANISER, "Olga")
    olga.act("start", minutes=40)
    olga.act("result", round=1, table=3, winner="A", stones_a=5, stones_b=1, how="played")
    entries = [stored.entry for stored in event.do(lambda: list(event.hub.archive.entries(topics.HUB)))]
    assert entries[-1].who == "Olga, organiser"
    assert decode(entries[-1].line)
    from firmware.event.page.office import Office

    again = event.do(lambda: Office(event.hub, event.clock, lambda moment: None, event.log.append)).tournament
    assert again == event.office.tournament


@pytest.mark.parametrize("role", [None, Role.PLAYER, Role.JUDGE, Role.HEAD_JUDGE])
def test_nobody_does_what_their_badge_does_not_allow(event: HubPage, role: Role | None) -> None:
    visitor = Visitor(event, role, "Somebody", 1 if role is Role.PLAYER else None)
    acts: dict[str, dict[str, Any]] = {
        "start": {"minutes": 1},
        "pair": {},
        "player": {"name": "X"},
        "give-badge": {"role": "judge", "name": "X"},
    }
    for act, asked in acts.items():
        assert visitor.act(act, **asked).status_code == 403, act
    if role in (None, Role.PLAYER):
        assert (
            visitor.act("result", round=1, table=1, winner="A", stones_a=5, stones_b=0, how="played").status_code == 403
        )
        assert visitor.http.get("/take-away/event.json").status_code == 404
    assert event.office.tournament.rounds[0].timer is None


def test_an_act_needs_the_sessions_token_and_the_pages_own_sign(event: HubPage) -> None:
    olga = Visitor(event, Role.ORGANISER, "Olga")
    body = {"act": "start", "minutes": 40}
    assert olga.http.post("/act", json=body).status_code == 403
    assert olga.http.post("/act", json=body, headers={"x-token": "0" * 64}).status_code == 403
    foreign = {**olga.token, "origin": "http://evil.example", "sec-fetch-site": "cross-site"}
    assert olga.http.post("/act", json=body, headers=foreign).status_code == 403
    bare = httpx.post(f"{event.address}act", json=body, cookies=dict(olga.http.cookies), headers=olga.token)
    assert bare.status_code == 403
    assert olga.http.get("/", headers={"host": "evil.example"}).status_code == 421
    assert event.office.tournament.rounds[0].timer is None


def test_a_withdrawn_badge_ends_its_session_and_its_stream(event: HubPage) -> None:
    olga, jana = Visitor(event, Role.ORGANISER, "Olga"), Visitor(event, Role.JUDGE, "Jana")
    badge = next(one for one in event.front.services.badges.all() if one.name == "Jana")
    with jana.http.stream("GET", "/events") as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: calls"
        assert olga.act("withdraw-badge", badge=badge.id).status_code == 200
        assert sum(1 for _ in lines) < 1000, "the stream ends"
    assert jana.act("call", key="1").status_code == 403
    assert "calls" not in jana.shown()


def test_pages_are_served_with_a_strict_policy_and_nothing_secret_in_any_address(event: HubPage) -> None:
    olga = Visitor(event, Role.ORGANISER, "Olga")
    answer = olga.http.get("/")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "hub.js" in answer.text
    cookie = next(iter(olga.http.cookies.jar))
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite") == "strict"
    for name in ("../pyproject.toml", "badges.json", "event.db", "words/en.toml"):
        assert olga.http.get("/" + name).status_code == 404


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"nonsense", b'{"act": 7}', b'{"act": "nothing"}', b'{"act":"result","round":"x"}', b"[" * 9000],
)
def test_nonsense_is_refused_in_words(event: HubPage, body: bytes) -> None:
    olga = Visitor(event, Role.ORGANISER, "Olga")
    answer = olga.http.post("/act", content=body, headers={**olga.token, "content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["refused"]


def test_papers_and_lists_can_be_taken_away_and_do_not_change(event: HubPage) -> None:
    olga = Visitor(event, Role.ORGANISER, "Olga")
    for path in ("standings.csv", "standings.pdf", "results.csv", "players.csv", "event.json"):
        one, other = olga.http.get(f"/take-away/{path}"), olga.http.get(f"/take-away/{path}")
        assert one.status_code == 200, path
        assert one.content == other.content
        assert "attachment" in one.headers["content-disposition"]
    assert olga.http.get("/rounds/1/pairings.pdf?lang=es").content.startswith(b"%PDF")
    assert olga.http.get("/rounds/1/slips.pdf").status_code == 200
    assert olga.http.get("/rounds/1").json()["round"] == 1
    assert olga.http.get("/rounds/9").status_code == 404
    assert Visitor(event).http.get("/take-away/standings.csv").status_code == 200


def test_after_a_restart_everything_is_there_again_and_judges_are_still_logged_in(tmp_path: Path) -> None:
    with hub_page(tmp_path) as page:
        page.tell(EventOpened("Cup", Style.SWISS, 7), PlayerEntered(1, "Anna"), PlayerEntered(2, "Bert"))
        page.tell(next_round(page.office.tournament))
        jana = Visitor(page, Role.JUDGE, "Jana")
        cookies, before = dict(jana.http.cookies), page.office.tournament
    with hub_page(tmp_path) as page:
        assert page.office.tournament == before
        hello = httpx.get(f"{page.address}hello", cookies=cookies).json()
        assert (hello["who"], hello["role"]) == ("Jana", "judge")


def test_wrong_codes_cost_time_and_the_file_lets_nobody_in(tmp_path: Path) -> None:
    from firmware.clocks import SimulatedClock

    clock = SimulatedClock()
    badges = Badges(tmp_path / "badges.json", clock)
    code = badges.give(Role.JUDGE, "Jana")
    assert (tmp_path / "badges.json").stat().st_mode & 0o777 == 0o600
    assert code.replace("-", "") not in (tmp_path / "badges.json").read_text()
    for _ in range(3):
        assert badges.enter("22222-22222", "10.0.0.1") is None
    with pytest.raises(Locked):
        badges.enter(code, "10.0.0.1")
    cookie = badges.enter(code.lower(), "10.0.0.2")
    session = badges.session(cookie)
    assert session is not None
    assert (session.who, session.role) == ("Jana, judge", Role.JUDGE)
    assert badges.session("forged") is None
    clock.sleep(61)
    assert badges.enter(code, "10.0.0.1") is None, "a code is good for one log-in"
    (tmp_path / "badges.json").write_text("{")
    with pytest.raises(PartFault, match="move it away"):
        Badges(tmp_path / "badges.json", clock)


def test_the_organisers_unused_code_of_an_earlier_start_is_void(tmp_path: Path) -> None:
    from firmware.clocks import SimulatedClock

    badges = Badges(tmp_path / "badges.json", SimulatedClock())
    first, second = badges.open_organiser(), badges.open_organiser()
    assert badges.enter(first, "a") is None
    assert badges.enter(second, "b") is not None


def test_every_act_has_its_power_and_every_word_of_the_scripts_exists() -> None:
    import re
    from importlib import resources

    from firmware.event.page.acts import ACTS
    from firmware.web.files import page_words

    powers = {power for power, _ in ACTS.values()}
    assert powers <= frozenset().union(*MAY.values())
    known = {**page_words("en"), **vocabulary("en")}
    static = resources.files("firmware.event.page").joinpath("static")
    for file in static.iterdir():
        for name in re.findall(r'\bt\("([\w-]+)"', file.read_text("utf-8")):
            assert name in known, f"{file.name}: {name}"
