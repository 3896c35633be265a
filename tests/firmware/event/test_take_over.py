"""How long a table waits when its station breaks in mid-game: from the last sign of life to a spare that goes on.

In simulated time, with everything that takes time on the way: the broker's patience with a station that fell silent,
the hub's page, the order, the spare's journal, and its camera, which has to agree for as many frames as it always must.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.assemble import make_courier
from firmware.commands import Tell
from firmware.event import bench
from firmware.event.roles import Person, Role
from firmware.simulation.deeds import deeds
from firmware.simulation.exchange import Exchange
from hardware_config.settings import MqttBroker
from tests.firmware.event.scene import SceneStation, hub_at, over
from tests.firmware.simulated import simulated

TWO_MINUTES_S = 120.0
FRAME_S = 0.1
JUDGE_WALKS_S = 60.0  # to the table, with the spare under the arm
ANNA = Person("Anna", Role.JUDGE)


@pytest.mark.parametrize("facts", [6, 20], ids=["early", "late"])
def test_a_spare_goes_on_within_two_minutes_of_the_last_sign_of_life(tmp_path: Path, facts: int) -> None:
    exchange, broken_in = Exchange(), tmp_path / "broken"
    broken_in.mkdir()
    _, loop, table = simulated(tmp_path)
    clock = loop.clock
    hub = hub_at(tmp_path, clock=clock, make=over(exchange))
    settings = MqttBroker(host="127.0.0.1", station="spare")
    courier = make_courier(settings, loop.station, tmp_path / "journal.db", clock, loop.commands.put, over(exchange))
    broken = SceneStation("north", broken_in, clock=clock, make=over(exchange))
    played = list(deeds("base", 3, None))[:facts]
    broken.station.begin({"rules": "base"})
    courier.open()

    def rounds(seconds: float, *, silent: bool = False) -> None:
        until_s = clock.monotonic_s() + seconds
        while clock.monotonic_s() < until_s:
            clock.sleep(FRAME_S)
            loop.step()
            courier.show(None)  # type: ignore[arg-type]  # what is on the screen does not matter to it
            if not silent:
                broken.round()
            hub.step(0.0)

    for deed in played:
        broken.station.take(Tell(str(deed.fact), "camera"))
    rounds(5)
    assert hub.state.stations["north"].seq == len(list(broken.journal.entries()))

    silent_s = clock.monotonic_s()  # its power is cut; the broker waits one and a half times as long as was agreed
    rounds(1.5 * settings.keepalive_s, silent=True)
    exchange.drop("north")
    rounds(1, silent=True)
    assert not hub.live["north"].online
    noticed_s = clock.monotonic_s() - silent_s
    clock.sleep(JUDGE_WALKS_S)
    for deed in played:  # the spare's camera stands over the same table now, and sees a game that it knows nothing of
        table.apply(deed.changes)
    rounds(2, silent=True)
    own = loop.station.state.number
    hub.write(bench.take_over(hub.state, hub.archive, ANNA, "north", "spare"), ANNA.signature)
    while loop.station.state.number == own or loop.station.state.comparing:
        rounds(0.1, silent=True)
        assert clock.monotonic_s() - silent_s < TWO_MINUTES_S

    took_s = clock.monotonic_s() - silent_s
    assert loop.station.state.referee.position == broken.station.state.referee.position
    assert noticed_s <= 20.0
    assert took_s - noticed_s - JUDGE_WALKS_S <= 10.0  # what the machines take once the judge is there
    courier.close()
    hub.close()
    broken.close()
