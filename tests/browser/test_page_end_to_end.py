"""The whole way: a card dragged in a browser, photographed, read, settled, judged, and shown in that browser."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from firmware.assemble import make_eye, make_parts
from firmware.games import refereed
from firmware.simulation.manners import Manners
from firmware.web.simulated import simulated_front
from hardware_config.profile import PageSettings, Profile
from tests.browser import visitor as visiting
from tests.browser.conftest import Open
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.long]

VISITORS = Manners(seats=(("A", False), ("B", False)))


def test_a_dragged_card_is_photographed_read_and_judged(
    browsers: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visiting, "PATIENCE_S", 120.0)  # frames are photographs here
    profile = Profile(name="test", page=PageSettings(port=0))
    eye = make_eye(profile, refereed("schotten-totten"), tmp_path)
    front = simulated_front(profile, tmp_path / "journal.db", make_parts(profile), eye, 1, VISITORS)
    station, stopping = front.services.desk.station, threading.Event()

    def work() -> None:
        while not stopping.is_set():
            front.assembled.loop.step()
            front.tick()

    front.assembled.start()
    front.start()
    station.begin({"rules": "base"})
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        visitor = Visitor(browsers(), front.address, "play")
        mine, theirs, again = (
            visitor.browser.execute_script(
                """const cards = document.querySelectorAll(`.hand[data-player=${arguments[0]}] .in-hand`);
                return cards[arguments[1]].dataset.code""",
                player,
                n,
            )
            for player, n in (("A", 0), ("B", 0), ("B", 1))
        )
        visitor.lay(mine, 3, "A")
        assert visitor.wait_for_verdict(f"A {mine}@3")
        visitor.lay(theirs, 3, "B")
        assert visitor.wait_for_verdict(f"B {theirs}@3")
        visitor.lay(again, 5, "B")  # a second card in the same turn
        visitor.until(lambda: visitor.all("#panel .verdicts .foul .rule"), "the foul is named")
    finally:
        stopping.set()
        thread.join(30)
        front.stop()
        front.assembled.stop()
