"""A station's journal reaches the hub through a real broker, whole and once."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.event.hub import Hub
from firmware.faults import PartFault
from tests.firmware.event.mosquitto import Mosquitto
from tests.firmware.event.scene import SceneStation, hub_at, rebuilt

pytestmark = pytest.mark.broker


def until(done: Callable[[], bool], hub: Hub, *stations: SceneStation, within_s: float = 20.0) -> None:
    """Rounds of hub and couriers until something is so. A courier whose broker is gone is opened again."""
    end = time.monotonic() + within_s
    while not done():
        assert time.monotonic() < end, "it never came to be so"
        hub.step(0.01)
        for station in stations:
            try:
                station.courier.show(station.signals)
            except PartFault:
                try:
                    station.courier.open()
                except PartFault:
                    time.sleep(0.05)


def test_a_whole_game_reaches_the_read_model_entry_by_entry(tmp_path: Path, mosquitto: Mosquitto) -> None:
    hub = hub_at(tmp_path, mosquitto.port)
    station = SceneStation("north", tmp_path, mosquitto.port)
    winner = station.play(seed=1)
    station.courier.open()

    until(lambda: "north" in hub.state.stations and bool(hub.state.results()), hub, station)

    [game] = hub.state.results()
    assert (game.station, game.winner, game.is_over) == ("north", winner, True)
    copy = [stored.entry for stored in hub.archive.entries("north")]
    assert copy == list(station.journal.entries())
    assert rebuilt(hub) == hub.state
    until(lambda: station.courier.acknowledged == copy[-1].seq, hub, station)
    until(lambda: hub.live["north"].glimpse is not None, hub, station)
    presence = hub.live["north"]
    assert presence.online
    assert presence.glimpse is not None
    assert presence.glimpse.over
    station.close()
    until(lambda: not hub.live["north"].online, hub)
    hub.close()
