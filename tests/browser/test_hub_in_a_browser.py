"""The hub's page in a real browser: an event run by hand, calls on every judge's page, phone, projector, axe-core."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from firmware.commands import CallJudge, Tell
from firmware.event.facts import Reason
from firmware.event.roles import Role
from firmware.event.rounds.facts import EventOpened, PlayerEntered, Style, TableSet
from firmware.event.rounds.next_round import next_round
from tests.browser.conftest import Open
from tests.browser.test_page_in_a_browser import complaints_of_axe
from tests.browser.visitor import Visitor
from tests.firmware.event.hub_page import HubPage, hub_page
from tests.firmware.event.visiting import gone, lay, until

pytestmark = pytest.mark.browser

NAMES = ("Anna Bell", "Bert Cairns", "Carla Douglas", "Duncan Elliot", "Eilidh Fraser", "Fionn Graham", "Greta Hume")


@pytest.fixture
def event(tmp_path: Path) -> Iterator[HubPage]:
    """Seven players, three tables, two of them with a station; the first round is being played."""
    with hub_page(tmp_path, ("oak", "elm")) as page:
        page.tell(EventOpened("Borders Cup", Style.SWISS, 7))
        page.tell(*(PlayerEntered(n, name, "Kelso" if n % 3 else "") for n, name in enumerate(NAMES, 1)))
        page.tell(TableSet(1, "oak"), TableSet(2, "elm"), TableSet(3))
        page.tell(next_round(page.office.tournament))
        page.do(lambda: page.office.start(1, 40, "Olga"))
        yield page


class HubVisitor(Visitor):
    """Somebody at the hub's page, with a badge if a role is said."""

    def __init__(self, browser: Any, page: HubPage, view: str = "hall", role: Role | None = None, **badge: Any) -> None:
        self.browser = browser
        self.address = page.address
        browser.get("about:blank")
        browser.get_log("browser")
        browser.get(page.address)
        browser.delete_all_cookies()
        browser.execute_script("localStorage.clear(); sessionStorage.clear()")
        browser.get(f"{page.address}#{view if role is None else 'hall'}")
        browser.refresh()
        self.until(lambda: self.body("shown"), "the page shows the event")
        if role is not None:
            self.enter(page.badge(role, badge.get("name", role.word.title()), badge.get("player")), role)
            self.go(view)

    def enter(self, code: str, role: Role) -> None:
        self.click("#who")
        self.one("#code").send_keys(code)
        self.click("#enter")
        self.until(lambda: self.body("role") == role.key, "the badge is taken")

    def go(self, view: str) -> None:
        self.browser.execute_script("location.hash = arguments[0]", view)
        self.until(lambda: self.body("view") == view.split("/")[0], f"{view} is open")

    def fill(self, form: str, **values: str) -> None:
        """Opens a form, fills it in and sends it."""
        self.click(f"#{form} > summary")
        for name, value in values.items():
            self.browser.execute_script(
                "document.querySelector(arguments[0]).value = arguments[1]", f'#{form} [name="{name}"]', value
            )
        self.click(f"#{form} button[type=submit]")

    def condition(self, key: str) -> str:
        script = "return document.querySelector(arguments[0])?.dataset.condition ?? ''"
        return str(self.browser.execute_script(script, f'.cell[data-key="{key}"]'))


def test_an_event_is_opened_filled_paired_started_and_its_results_entered(browsers: Open, tmp_path: Path) -> None:
    with hub_page(tmp_path) as page:
        olga = HubVisitor(browsers(), page, "people", Role.ORGANISER, name="Olga")
        olga.one("#open-event [name=name]").send_keys("Borders Cup")
        olga.click("#open-event button[type=submit]")
        olga.until(lambda: olga.all("#list-players"), "players can be entered")
        olga.fill("list-players", list="name,number\nAnna,1\nBert,x\n")
        olga.until(lambda: "line 3, column number" in olga.text("#list-players .refusal"), "the mistake is named")
        olga.click("#list-players > summary")
        olga.go("round")
        olga.fill("pair")
        olga.until(lambda: "two players" in olga.text("#pair .refusal"), "the form says why not, and stays")
        olga.go("people")
        olga.fill("list-players", list="name\nAnna\nBert\nCarla\n")
        olga.until(lambda: len(page.office.tournament.players) == 3, "three players are in")
        olga.go("round")
        olga.click("#pair button[type=submit]")
        olga.until(lambda: olga.all("#start"), "the round is paired")
        olga.fill("start", minutes="25")
        olga.until(lambda: olga.all("#result-1"), "the round runs")
        assert olga.until(lambda: olga.text("#head-clock"), "the clock runs").startswith(("24:", "25:00"))
        olga.fill("result-1", winner="B", stones_a="3", stones_b="5")
        olga.until(lambda: page.office.tournament.rounds[0].is_over, "the result is in")
        olga.go("standings")
        olga.until(lambda: olga.text(".standings tbody .points") == "5", "the standings follow")
        assert olga.complaints() == []


def test_a_call_is_on_every_judges_page_within_two_seconds_and_alarms_once(browsers: Open, event: HubPage) -> None:
    jana = HubVisitor(browsers(), event, "hall", Role.JUDGE, name="Jana")
    hugh = HubVisitor(browsers(360, 740, phone=True), event, "standings", Role.HEAD_JUDGE, name="Hugh")
    began_s = time.monotonic()
    assert (jana.condition("1"), hugh.body("view")) == ("playing", "standings")
    busy_s = time.monotonic() - began_s  # what asking two browsers takes by itself; next to nothing on a free machine
    event.do(lambda: event.tables["oak"].obey(CallJudge(Reason.DISPUTE, "two cards at once")))
    began_s = time.monotonic()
    for judge in (jana, hugh):
        judge.until(lambda judge=judge: judge.has("#alarm", "shown"), "the alarm is shown")  # type: ignore[misc]
    assert time.monotonic() - began_s < 2 + 20 * busy_s
    assert "dispute" in jana.text("#alarm")
    jana.until(lambda: jana.condition("1") == "call", "the table is marked")
    jana.go("calls")
    jana.until(lambda: "two cards at once" in jana.text("#calls"), "the words are there")
    jana.click("[data-take]")
    hugh.go("calls")
    hugh.until(lambda: "Jana" in hugh.text("#calls"), "everybody sees who has taken it")
    call = jana.browser.execute_script("return document.querySelector('#calls > li').dataset.call")
    jana.browser.execute_script("const real = Date.now; Date.now = () => real() + 400_000")  # minutes later
    jana.browser.execute_script("document.querySelector('#calls details:last-of-type > summary').click()")
    proposed = "return Number(document.querySelector('#calls [name=extension_s]').value)"
    jana.until(lambda: jana.browser.execute_script(proposed) >= 420, "the time until now is proposed")
    jana.click('#calls details[id^="resolve"] button[type=submit]')
    jana.until(lambda: not jana.all("#calls > li"), "it is closed")
    assert call
    assert jana.browser.execute_script("return document.getElementById('alarm').dataset.count") == "1"
    added = dict(event.office.tournament.rounds[0].timer.added_s)
    assert added.get(1, 0) % 30 == 0
    assert added.get(1, 0) >= 420


def test_an_escalated_call_is_for_the_head_judge_alone(browsers: Open, event: HubPage) -> None:
    jana = HubVisitor(browsers(), event, "calls", Role.JUDGE, name="Jana")
    hugh = HubVisitor(browsers(360, 740, phone=True), event, "calls", Role.HEAD_JUDGE, name="Hugh")
    event.do(lambda: event.tables["oak"].obey(CallJudge(Reason.DISPUTE, "two cards at once")))
    hugh.until(lambda: hugh.all("#calls [data-take]"), "the call is there")
    assert not hugh.all('#calls details[id^="escalate"]')
    jana.until(lambda: jana.all('#calls details[id^="escalate"]'), "a judge may pass it on")
    jana.click('#calls details[id^="escalate"] > summary')
    jana.click('#calls details[id^="escalate"] button[type=submit]')
    jana.until(lambda: jana.all('#calls > li[data-stage="escalated"]'), "it is passed on")
    assert not jana.all("#calls > li button, #calls > li details")
    hugh.until(lambda: hugh.all('#calls > li[data-stage="escalated"]'), "the head judge sees it")
    hugh.click("#calls [data-take]")
    hugh.until(lambda: hugh.all('#calls > li[data-stage="taken"]'), "and takes it")
    jana.until(lambda: jana.all('#calls > li[data-stage="taken"]'), "which everybody sees")
    assert not jana.all("#calls > li button, #calls > li details")
    hugh.click('#calls details[id^="resolve"] > summary')
    hugh.click('#calls details[id^="resolve"] button[type=submit]')
    jana.until(lambda: not jana.all("#calls > li"), "and closes it")
    assert jana.complaints() == hugh.complaints() == []


def test_whoever_took_a_call_reads_in_their_language_that_the_table_has_settled_it(
    browsers: Open, event: HubPage
) -> None:
    hugh = HubVisitor(browsers(360, 740, "fr", phone=True), event, "calls", Role.HEAD_JUDGE, name="Hugh")
    event.do(lambda: event.tables["oak"].obey(CallJudge(Reason.UNREADABLE, who="station")))
    hugh.until(lambda: hugh.all("#calls [data-take]"), "the call is there")
    hugh.click("#calls [data-take]")
    hugh.until(lambda: "Hugh, arbitre principal" in hugh.text("#calls"), "who took it")
    assert not hugh.all("#calls .settled")
    event.do(lambda: event.tables["oak"].obey(CallJudge(Reason.UNREADABLE, who="station", withdraw=True)))
    hugh.until(lambda: hugh.all("#calls .settled"), "the table says that it is settled")
    assert hugh.all('#calls details[id^="resolve"]')  # and he closes it
    assert hugh.complaints() == []


def test_a_judge_overrules_on_the_tables_page_and_the_head_judge_reverses_it(browsers: Open, event: HubPage) -> None:
    oak = event.tables["oak"]
    for line in ("A g5@3", "B r4@3"):
        event.do(partial(oak.obey, Tell(line, "camera")))
    hugh = HubVisitor(browsers(), event, "table/1", Role.HEAD_JUDGE, name="Hugh")
    hugh.until(lambda: hugh.all('#view-table .piece[data-code="r4"]'), "the board is live")
    hugh.fill("rule-2", ground="misread", words="it was r5")
    hugh.until(lambda: not oak.station.state.referee.told[1].counts, "the ruling reached the station")
    hugh.until(lambda: "it was r5" in hugh.text(".orders"), "the ruling is listed")
    hugh.until(lambda: hugh.all('.orders details[id^="reverse"]'), "it can be reversed")
    hugh.click('.orders details[id^="reverse"] > summary')
    hugh.one('.orders details[id^="reverse"] [name=words]').send_keys("seen again")
    hugh.click('.orders details[id^="reverse"] button[type=submit]')
    hugh.until(lambda: oak.station.state.referee.told[1].counts, "it counts again")
    assert hugh.complaints() == []


def test_a_judge_who_opens_the_table_of_a_broken_station_is_offered_the_spare_that_came(
    browsers: Open, tmp_path: Path
) -> None:
    with hub_page(tmp_path, ("oak", "spare")) as page:
        page.tell(EventOpened("Borders Cup", Style.SWISS, 7))
        page.tell(PlayerEntered(1, "Anna"), PlayerEntered(2, "Bert"), TableSet(1, "oak"))
        page.tell(next_round(page.office.tournament))
        page.do(lambda: page.office.start(1, 40, "Olga"))
        until(lambda: page.tables["oak"].station.state.number == 2)
        page.do(lambda: lay(page.tables["oak"], "A g5@3", "B r1@3"))
        for name in ("oak", "spare"):
            page.do(partial(gone, page, name))
        judge = HubVisitor(browsers(), page, "table/1", Role.JUDGE)
        judge.until(lambda: "No spare station" in judge.text(".judging"), "nobody is there who could")
        page.exchange.cut.discard("spare")
        judge.until(lambda: judge.all("#take-over"), "the spare came")
        judge.click("#take-over summary")
        judge.click("#take-over button")
        spare = page.tables["spare"].station
        judge.until(lambda: len(spare.state.referee.told) == 2, "it has the game")


def test_a_player_finds_their_table_and_calls_a_judge_from_a_phone(browsers: Open, event: HubPage) -> None:
    pairing = event.office.tournament.rounds[0].at(3)
    phone = browsers(360, 740, phone=True)
    player = HubVisitor(phone, event, "mine", Role.PLAYER, name=NAMES[pairing.a - 1], player=pairing.a)
    player.until(lambda: "Table 3" in player.text(".own-table"), "the table is named")
    player.fill("call-judge", words="a question")
    player.until(lambda: "called" in player.text(".mine .said"), "somebody comes")
    [call] = event.hub.state.open_calls()
    assert (call.station, call.words) == ("table 3", "a question")
    assert complaints_of_axe(phone) == []


@pytest.mark.parametrize("view", ["hall", "table/1", "calls", "round", "standings", "people", "projector"])
def test_no_view_of_the_hub_is_wider_than_its_screen_and_axe_finds_nothing(
    browsers: Open, event: HubPage, view: str
) -> None:
    event.do(lambda: event.tables["elm"].obey(CallJudge(Reason.DISPUTE, "whose turn?")))
    event.do(lambda: event.tables["oak"].obey(Tell("A g5@3", "camera")))
    for browser in (browsers(360, 740, phone=True), browsers(1920, 1080)):
        olga = HubVisitor(browser, event, view, Role.ORGANISER, name="Olga")
        olga.until(lambda olga=olga: olga.text(f"#view-{view.split('/')[0]}"), "there is something to see")  # type: ignore[misc]
        assert browser.execute_script("return document.documentElement.scrollWidth - innerWidth") <= 0
        assert complaints_of_axe(browser) == []
        assert olga.complaints() == []


def test_dark_colours_of_the_hub_have_contrast_as_well(browsers: Open, event: HubPage) -> None:
    event.do(lambda: event.tables["elm"].obey(CallJudge(Reason.DISPUTE)))
    visitor = HubVisitor(browsers(), event, "hall")
    visitor.click("#theme")
    visitor.click("#theme")
    visitor.until(lambda: visitor.condition("2") == "call", "the call is there")
    assert complaints_of_axe(visitor.browser) == []


def test_the_page_says_that_the_broker_is_away_until_it_is_back(browsers: Open, event: HubPage) -> None:
    visitor = HubVisitor(browsers(), event)
    assert visitor.text("#lost") == ""
    event.do(event.exchange.kill)
    visitor.until(lambda: "broker cannot be reached" in visitor.text("#lost"), "it is said")
    event.do(lambda: setattr(event.exchange, "is_up", True))
    visitor.until(lambda: visitor.text("#lost") == "", "it is back")


@pytest.mark.parametrize(("language", "word"), [("en", "Tables"), ("fr", "Tables"), ("es", "Mesas")])
def test_the_hub_speaks_the_visitors_language_and_can_be_switched(
    browsers: Open, event: HubPage, language: str, word: str
) -> None:
    visitor = HubVisitor(browsers(language=language), event)
    assert visitor.browser.execute_script("return document.documentElement.lang") == language
    assert visitor.text('nav [data-view="hall"]') == word
    other = "fr" if language != "fr" else "es"
    visitor.choose("#language", other)
    there = {"fr": "Classement", "es": "Clasificación"}[other]
    visitor.until(lambda: visitor.text('nav [data-view="standings"]') == there, "the switch works")


def test_five_hundred_tables_fit_on_one_page_in_three_densities(browsers: Open, tmp_path: Path) -> None:
    with hub_page(tmp_path) as page:
        page.tell(EventOpened("Great Cup", Style.SWISS, 3))
        page.tell(*(PlayerEntered(n, f"Player {n}") for n in range(1, 1001)))
        page.tell(*(TableSet(n) for n in range(1, 501)))
        page.tell(next_round(page.office.tournament))
        visitor = HubVisitor(browsers(1920, 1080), page)
        visitor.until(lambda: len(visitor.all(".cell")) == 500, "all tables are there")
        assert visitor.browser.execute_script("return document.querySelector('.hall').dataset.density") == "small"
        height = visitor.browser.execute_script("return document.documentElement.scrollHeight - innerHeight")
        assert height <= 40, "500 tables on one screen"
        for density in ("medium", "large"):
            visitor.click(f'[data-density="{density}"]')
            visitor.until(lambda: len(visitor.all(".cell .pair .name")) == 1000, "names are shown")
            assert visitor.browser.execute_script("return document.documentElement.scrollWidth - innerWidth") <= 0
        visitor.one("#search").send_keys("Player 77")
        visitor.until(lambda: len(visitor.all(".cell")) < 20, "the search narrows")


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_a_phones_head_has_two_rows_in_every_language(browsers: Open, event: HubPage, language: str) -> None:
    olga = HubVisitor(browsers(390, 844, phone=True), event, "hall", Role.ORGANISER, name="Olga")
    olga.choose("#language", language)
    olga.until(lambda: olga.browser.execute_script("return document.documentElement.lang") == language, "it speaks so")
    assert olga.box("header")[3] < 115
    shown = olga.browser.execute_script("return document.getElementById('language').selectedOptions[0].label")
    assert shown == language.upper()


def test_a_small_event_fills_the_wall_with_names_and_scores(browsers: Open, event: HubPage) -> None:
    wall = HubVisitor(browsers(1920, 1080), event, "projector")
    wall.until(lambda: wall.all(".hall.projected.named"), "the tables have their turn")
    assert {name.text for name in wall.all(".projected.named .name")} >= {"Anna Bell"}
    assert wall.box(".projected.named .cell")[2] > 300
