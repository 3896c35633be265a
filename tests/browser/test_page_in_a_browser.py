"""The page in a real browser: a game dragged by hand, fouls and claims, the PIN, languages, a phone, and axe-core."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from firmware.calibration import Calibration
from tests.browser.conftest import Open
from tests.browser.visitor import Visitor
from tests.firmware.page_station import PageStation, page_station

pytestmark = pytest.mark.browser


@pytest.fixture
def station(tmp_path: Path) -> Iterator[PageStation]:
    with page_station(tmp_path) as running:
        yield running


def complaints_of_axe(browser: Any) -> list[str]:
    """What axe-core finds wrong with the page as it is now."""
    source = resources.files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")
    browser.execute_cdp_cmd("Runtime.evaluate", {"expression": source})  # the page's own policy lets no script in
    found = browser.execute_async_script(
        """const done = arguments[arguments.length - 1];
        axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']}).then(
          ({violations}) => done(violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target)}`)))"""
    )
    return list(found)


def test_a_game_is_dragged_to_its_end(browsers: Open, station: PageStation) -> None:
    visitor = Visitor(browsers(), station.address, "play")
    for stone, (mine, theirs) in enumerate(
        ((("r7", "r8", "r9"), ("y1", "b2", "p4")), (("g7", "g8", "g9"), ("y2", "b1", "p3")),
         (("b7", "b8", "b9"), ("y3", "o1", "p1"))), 1):  # fmt: skip
        for n in range(3):
            station.hold("A", mine[n])
            station.hold("B", theirs[n])
            visitor.lay(mine[n], stone, "A")
            visitor.wait_for_verdict(f"A {mine[n]}@{stone}")
            if n < 2:
                visitor.lay(theirs[n], stone, "B")
                visitor.wait_for_verdict(f"B {theirs[n]}@{stone}")
        visitor.claim(stone, "A")
        assert visitor.wait_for_verdict(f"A claim {stone}")
        if stone < 3:
            visitor.lay(theirs[2], stone + 5, "B")
            visitor.wait_for_verdict(f"B {theirs[2]}@{stone + 5}")
    visitor.until(lambda: visitor.all("#view-play .side.won[data-player=A]"), "A has won")
    assert station.station.state.summary.won_by == "three-adjacent"
    assert visitor.complaints() == []


def test_a_foul_is_named_with_its_rule_and_an_arrow_and_goes_when_it_is_put_right(
    browsers: Open, station: PageStation
) -> None:
    station.hold("A", "g5")
    station.hold("B", "r1")
    visitor = Visitor(browsers(), station.address, "play")
    visitor.lay("r1", 4, "B")  # with B's card on the table, B was first: then B lays again
    visitor.wait_for_verdict("B r1@4")
    station.hold("B", "r2")
    visitor.lay("r2", 4, "B")
    visitor.until(lambda: visitor.all("#panel .verdicts .foul .rule"), "a rule is named")
    visitor.until(lambda: visitor.all("#view-play .arrows > *"), "an arrow shows the way")
    assert visitor.text("#panel .said")
    visitor.drag_between(visitor.spot(270, 100), hand_of(visitor, "B"))
    visitor.until(lambda: not visitor.all("#view-play .arrows > *"), "nothing is left to put right")


def hand_of(visitor: Visitor, player: str) -> tuple[int, int]:
    box = visitor.browser.execute_script(
        """const box = document.querySelector(arguments[0]).getBoundingClientRect();
        return [box.right - 40, box.y + box.height / 2]""",
        f'.hand[data-player="{player}"]',
    )
    return round(box[0]), round(box[1])


def test_a_claim_without_proof_is_refused_with_the_cards_that_would_beat_it(
    browsers: Open, station: PageStation
) -> None:
    visitor = Visitor(browsers(), station.address, "play")
    for n, code in enumerate(("g1", "g2", "g3")):
        station.hold("A", code)
        visitor.lay(code, 1, "A")
        visitor.wait_for_verdict(f"A {code}@1")
        if n < 2:
            station.hold("B", f"r{n + 1}")
            visitor.lay(f"r{n + 1}", 2, "B")
            visitor.wait_for_verdict(f"B r{n + 1}@2")
    visitor.claim(1, "A")
    assert not visitor.wait_for_verdict("A claim 1")
    named = visitor.browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map((card) => card.alt)",
        '#panel li[data-line="A claim 1"] .cards img',
    )
    assert len(named) == 3
    assert all(named)


def test_a_card_can_be_laid_with_the_keyboard_alone(browsers: Open, station: PageStation) -> None:
    station.hold("A", "p9")
    visitor = Visitor(browsers(), station.address, "play")
    visitor.one('.in-hand[data-code="p9"]').send_keys(Keys.ENTER)
    visitor.one('.zone[data-place="6A"]').send_keys(Keys.ENTER)
    visitor.wait_for_verdict("A p9@6")
    stone = visitor.one('#view-play .piece[data-code="stone1"]')
    stone.send_keys(Keys.ARROW_LEFT)
    visitor.browser.execute_script("document.querySelector('#view-play .piece[data-code=stone1]').focus()")
    visitor.browser.switch_to.active_element.send_keys(Keys.ENTER)
    visitor.one('.zone[data-place="stone1:A"]').send_keys(Keys.ENTER)
    assert not visitor.wait_for_verdict("A claim 1")


def test_the_buttons_undo_and_pause(browsers: Open, station: PageStation) -> None:
    station.hold("A", "p9")
    visitor = Visitor(browsers(), station.address, "play")
    visitor.lay("p9", 6, "A")
    visitor.wait_for_verdict("A p9@6")
    visitor.click('.push[data-button="pause"]')
    visitor.until(lambda: station.station.state.referee.paused, "the game is paused")
    visitor.click('.push[data-button="pause"]')
    visitor.until(lambda: not station.station.state.referee.paused, "the game goes on")
    visitor.click('.push[data-button="undo"]')
    visitor.until(lambda: visitor.all("#panel .list.wrong li"), "the card has to be taken back")


def test_trouble_for_the_camera_is_said_in_words(browsers: Open, station: PageStation) -> None:
    visitor = Visitor(browsers(), station.address, "play")
    visitor.browser.execute_script(
        "const l = document.querySelector('#light'); l.value = 0; l.dispatchEvent(new Event('change'))"
    )
    visitor.until(lambda: "light" in visitor.text("#panel .said"), "it is too dark")
    visitor.browser.execute_script(
        "const l = document.querySelector('#light'); l.value = 100; l.dispatchEvent(new Event('change'))"
    )
    visitor.until(lambda: "light" not in visitor.text("#panel .said"), "there is light again")


def test_computer_players_play_by_themselves_and_a_cheat_is_caught(browsers: Open, station: PageStation) -> None:
    visitor = Visitor(browsers(), station.address, "play")
    visitor.choose("#seat-A", "computer")
    visitor.choose("#seat-B", "computer")
    visitor.until(lambda: len(station.station.state.referee.told) >= 4, "four moves")
    visitor.choose("#cheats", "moved-card")
    visitor.until(lambda: any(not one.counts for one in station.station.state.referee.told), "the cheat was caught")
    assert visitor.until(lambda: visitor.all("#panel .verdicts .foul .rule"), "its rule is named")


def test_the_pin_is_asked_for_refused_and_locked(browsers: Open, station: PageStation) -> None:
    visitor = Visitor(browsers(), station.address, "judge")
    visitor.click("#judge-log-in")
    visitor.one("#name").send_keys("Anna")
    for _ in range(3):
        visitor.one("#pin").send_keys("000000" if station.front.pin != "000000" else "111111")
        visitor.click("#enter")
        visitor.until(lambda: "not the PIN" in visitor.text(".refusal"), "the PIN is refused")
        visitor.until(lambda: visitor.value("#pin") == "", "the field is empty")
    visitor.one("#pin").send_keys(station.front.pin)
    visitor.click("#enter")
    visitor.until(lambda: "seconds" in visitor.text(".refusal"), "even the right PIN is locked out now")
    assert station.front.pin not in visitor.browser.current_url


def test_a_judge_corrects_a_card_and_lets_a_foul_stand(browsers: Open, station: PageStation) -> None:
    station.hold("A", "g6")
    visitor = Visitor(browsers(), station.address, "play")
    visitor.lay("g6", 3, "A")
    visitor.wait_for_verdict("A g6@3")
    visitor.browser.execute_script("location.hash = 'judge'")
    visitor.log_in(station.front.pin)
    visitor.click("#ask-correct-1 summary")
    visitor.click('#ask-correct-1 .pick[data-code="g5"]')
    assert visitor.value("#line-1") == "A g5@3"
    visitor.one("#line-1").send_keys(Keys.ENTER)
    visitor.until(lambda: str(station.station.state.referee.told[0].fact) == "A g5@3", "the card was corrected")
    visitor.click("#ask-overrule-1 summary")
    visitor.one("#reason-overrule-1").send_keys("took it back in time", Keys.ENTER)
    visitor.until(lambda: not station.station.state.referee.told[0].counts, "it does not count")
    assert station.station.state.referee.told[0].ruling.by == "Anna"


def test_whoever_ends_a_game_chooses_a_player_by_name(browsers: Open, station: PageStation) -> None:
    station.do(lambda: station.station.begin({"rules": "base", "player A": "Anna Bell"}))
    visitor = Visitor(browsers(), station.address, "judge")
    visitor.log_in(station.front.pin)
    visitor.click("#ask-end summary")
    assert [option.text for option in visitor.all("#ask-end option")] == ["A · Anna Bell", "B", "draw"]


def test_calibrating_leads_through_what_is_in_the_way_and_can_be_stopped(browsers: Open, station: PageStation) -> None:
    visitor = Visitor(browsers(), station.address, "setup")
    visitor.log_in(station.front.pin)
    visitor.click("#calibrate")
    visitor.until(lambda: "mat" in visitor.text(".guide .said"), "the mat is not in view")
    assert complaints_of_axe(visitor.browser) == []
    visitor.click("#guide-stop")
    visitor.until(lambda: "Stopped" in visitor.text(".guide .said"), "it was stopped")
    visitor.until(lambda: not station.front.services.peephole.guided.is_on, "the game is judged again")  # type: ignore[union-attr]


def test_the_mats_corners_are_shown_by_hand_with_pointer_and_keys(
    browsers: Open, station: PageStation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARCHWARDEN_CALIBRATION", str(tmp_path / "calibration.json"))
    visitor = Visitor(browsers(), station.address, "camera")
    visitor.log_in(station.front.pin)
    visitor.click("#view-camera .corners-begin")
    left, top, width, height = visitor.box("#view-camera .frame-box")
    x, y, across, down = visitor.box('#view-camera .corner[data-corner="2"]')
    to = (round(left + 0.7 * width), round(top + 0.6 * height))
    visitor.drag_between((round(x + across / 2), round(y + down / 2)), to)
    visitor.one('#view-camera .corner[data-corner="0"]').send_keys(Keys.ARROW_RIGHT, Keys.SHIFT, Keys.ARROW_DOWN)
    assert "10" in str(visitor.one('#view-camera .corner[data-corner="0"]').get_attribute("aria-label"))
    assert complaints_of_axe(visitor.browser) == []
    for _ in range(2):
        visitor.click("#view-camera .corners-round")
    visitor.click("#view-camera .corners-use")
    kept = visitor.until(lambda: Calibration.load(tmp_path / "calibration.json"), "the corners are kept")
    assert kept.corners[2] == pytest.approx((0.082, 0.1)), "A sits on the other side"
    assert kept.corners[0] == pytest.approx((0.7, 0.6), abs=0.02)
    visitor.click("#view-camera .corners-begin")
    visitor.click("#view-camera .corners-forget")
    path = tmp_path / "calibration.json"
    visitor.until(lambda: (kept := Calibration.load(path)) and kept.corners == (), "the markers count again")
    assert visitor.complaints() == []


def test_a_played_game_can_be_stepped_through_and_taken_away(browsers: Open, station: PageStation) -> None:
    station.hold("A", "g6")
    visitor = Visitor(browsers(), station.address, "play")
    visitor.lay("g6", 3, "A")
    visitor.wait_for_verdict("A g6@3")
    visitor.browser.execute_script("location.hash = 'history'")
    visitor.click("#view-history table a")
    visitor.until(lambda: visitor.all('#view-history .piece[data-code="g6"]'), "the last move is shown")
    visitor.click("#step-back")
    visitor.until(lambda: not visitor.all('#view-history .piece[data-code="g6"]'), "one step back it is not there")
    links = [link.get_attribute("href").split("?")[0] for link in visitor.all("#view-history .choices a")]
    assert [link.rpartition(".")[2] for link in links] == ["record", "json", "pdf"]


@pytest.mark.parametrize(("language", "play"), [("en", "Play"), ("fr", "Jouer"), ("es", "Jugar")])
def test_the_page_speaks_the_browsers_language_and_has_a_switch(
    browsers: Open, station: PageStation, language: str, play: str
) -> None:
    visitor = Visitor(browsers(language=language), station.address, "play")
    assert visitor.browser.execute_script("return document.documentElement.lang") == language
    assert visitor.text("nav a") == play
    other, there = ("fr", "Jouer") if language != "fr" else ("es", "Jugar")
    visitor.choose("#language", other)
    visitor.until(lambda: visitor.text("nav a") == there, "the switch works")


@pytest.mark.parametrize("view", ["play", "table", "camera", "judge", "history", "setup"])
def test_no_view_is_wider_than_a_phone_and_axe_finds_nothing(browsers: Open, station: PageStation, view: str) -> None:
    for browser in (browsers(360, 740, phone=True), browsers()):
        visitor = Visitor(browser, station.address, view)
        wide = visitor.browser.execute_script("return document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0
        assert complaints_of_axe(visitor.browser) == []
        assert visitor.complaints() == []


def test_dark_colours_have_contrast_as_well(browsers: Open, station: PageStation) -> None:
    visitor = Visitor(browsers(), station.address, "play")
    visitor.click("#theme")
    visitor.click("#theme")
    assert visitor.browser.execute_script("return document.documentElement.dataset.theme") == "dark"
    assert complaints_of_axe(visitor.browser) == []
