"""What a judge decides at the hub is stronger than the camera: it stays, frame after frame, and over a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.assemble import make_courier
from firmware.commands import Command, Correct, Rule
from firmware.event import bench
from firmware.event.roles import Person, Role
from firmware.event.state import EventState, folded
from firmware.retell import replayed
from firmware.simulation.deeds import deeds
from firmware.simulation.exchange import Exchange
from hardware_config.settings import MqttBroker
from tests.firmware.event.scene import hub_at, over
from tests.firmware.simulated import simulated

ANNA = Person("Anna", Role.JUDGE)
FRAME_S = 0.1


@pytest.mark.parametrize("what", ["does not count", "misread"])
def test_what_a_judge_decides_at_the_hub_stays_whatever_the_camera_sees(tmp_path: Path, what: str) -> None:
    exchange = Exchange()
    _, loop, table = simulated(tmp_path)
    clock, station = loop.clock, loop.station
    hub = hub_at(tmp_path, clock=clock, make=over(exchange))
    settings = MqttBroker(host="127.0.0.1", station="north")
    courier = make_courier(settings, station, tmp_path / "journal.db", clock, loop.commands.put, over(exchange))
    courier.open()

    def look(seconds: float) -> None:
        until_s = clock.monotonic_s() + seconds
        while clock.monotonic_s() < until_s:
            clock.sleep(FRAME_S)
            loop.step()
            courier.show(None)  # type: ignore[arg-type]  # what is on the screen does not matter to it
            hub.step(0.0)

    look(2)
    for deed in list(deeds("base", 3, None))[:4]:
        table.apply(deed.changes)
        look(3)
    told = station.state.referee.told[-1]
    assert told.counts
    player, _, rest = str(told.fact).partition(" ")
    laid = " ".join(str(one.fact) for one in station.state.referee.told)
    unseen = next(f"{colour}9" for colour in "rygbpo" if f"{colour}9" not in laid)
    commands: dict[str, Command] = {
        "does not count": Rule(told.number, False, "Anna", "out of turn"),
        "misread": Correct(told.number, f"{player} {unseen}@{rest.partition('@')[2]}", "Anna"),
    }
    hub.write(bench.order(hub.state, hub.archive, ANNA, "north", commands[what]), ANNA.signature)
    look(3)

    decided = station.state.referee.told[told.number - 1]
    assert decided.counts == (what == "misread")
    assert str(decided.fact) == (str(told.fact) if what == "does not count" else f"{player} {unseen}@{rest[-1]}")
    entries = len(station.state.referee.entries)
    look(120)  # the camera sees the same cards all the while
    assert station.state.referee.told[told.number - 1] == decided
    assert len(station.state.referee.entries) == entries
    copy = [stored.entry for stored in hub.archive.entries("north")]
    assert replayed(station.refereed, copy)[1].told[told.number - 1] == decided
    assert folded(EventState(), hub.archive.entries()) == hub.state
    courier.close()
    hub.close()
