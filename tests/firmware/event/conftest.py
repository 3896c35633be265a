"""A broker for the tests that need one, and a small event with its page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.event.rounds.facts import EventOpened, PlayerEntered, Style, TableSet
from firmware.event.rounds.next_round import next_round
from tests.firmware.event.hub_page import HubPage, hub_page
from tests.firmware.event.mosquitto import Mosquitto
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
