"""A broker for the tests that need one, a small event with its page, and one in simulated time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.event.rounds.facts import EventOpened, PlayerEntered, Style, TableSet
from firmware.event.rounds.next_round import next_round
from tests.firmware.event.hub_page import HubPage, hub_page
from tests.firmware.event.mosquitto import Mosquitto
from tests.firmware.event.scene import Scene, rebuilt
from tests.firmware.event.visiting import NAMES, until


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker without passwords, for this machine alone."""
    broker = Mosquitto(tmp_path)
    broker.start()
    yield broker
    broker.kill()


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


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """A table in mid-game and a spare, in simulated time; all that happens can be folded again."""
    made = Scene(tmp_path, "north", "spare")
    made.stations["north"].play(1, most=12)
    made.stations["spare"].station.begin({"rules": "base"})
    made.run(3)
    yield made
    assert rebuilt(made.hub) == made.hub.state
    made.close()
