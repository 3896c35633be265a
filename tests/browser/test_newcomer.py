"""What a newcomer does first on the page of a simulated station: sees a cheat caught, tries the buttons."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import Open
from tests.browser.visitor import Visitor
from tests.firmware.page_station import PageStation, page_station

pytestmark = pytest.mark.browser


@pytest.fixture
def station(tmp_path: Path) -> Iterator[PageStation]:
    with page_station(tmp_path) as running:
        yield running


def test_a_cheat_is_caught_with_one_click(browsers: Open, station: PageStation) -> None:
    station.hold("A", "g5")
    visitor = Visitor(browsers(), station.address, "play")
    visitor.lay("g5", 3, "A")
    visitor.wait_for_verdict("A g5@3")
    visitor.browser.execute_script("localStorage.clear()")
    visitor.browser.refresh()
    visitor.click("#cheat")
    visitor.until(lambda: visitor.all("#panel .verdicts .foul .rule"), "the foul is named with its rule")
    assert not visitor.one("#welcome").is_displayed()
    assert visitor.complaints() == []


def test_the_buttons_of_the_page_can_be_tried(browsers: Open, station: PageStation) -> None:
    visitor = Visitor(browsers(), station.address, "setup")
    visitor.log_in(station.front.pin)
    visitor.click("#try-buttons")
    visitor.click('#view-setup .push[data-button="undo"]')
    visitor.until(lambda: "undo" in visitor.text(".tried"), "the button is told")
