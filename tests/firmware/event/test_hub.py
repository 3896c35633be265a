"""A station's journal reaches the hub whole and once, whatever breaks on the way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from firmware.commands import Tell
from firmware.simulation.exchange import Exchange
from tests.firmware.event.mosquitto import Mosquitto
from tests.firmware.event.scene import Scene, SceneStation, hub_at, rebuilt, until


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    made = Scene(tmp_path, "north", "south")
    yield made
    made.close()


@pytest.mark.broker
def test_a_whole_game_reaches_the_read_model_through_a_real_broker(tmp_path: Path, mosquitto: Mosquitto) -> None:
    hub = hub_at(tmp_path, port=mosquitto.port)
    station = SceneStation("north", tmp_path, port=mosquitto.port)
    winner = station.play(seed=1)

    until(lambda: bool(hub.state.results()), hub, station)

    [game] = hub.state.results()
    assert (game.station, game.winner, game.is_over) == ("north", winner, True)
    copy = [stored.entry for stored in hub.archive.entries("north")]
    assert copy == list(station.journal.entries())
    assert rebuilt(hub) == hub.state
    until(lambda: station.courier.acknowledged == copy[-1].seq, hub, station)
    until(lambda: hub.live["north"].glimpse is not None, hub, station)
    glimpse = hub.live["north"].glimpse
    assert glimpse is not None
    assert glimpse.over
    station.close()
    until(lambda: not hub.live["north"].online, hub)
    hub.close()


@pytest.mark.broker
def test_nothing_is_lost_when_broker_hub_and_station_are_killed_in_turn(tmp_path: Path, mosquitto: Mosquitto) -> None:
    hub = hub_at(tmp_path, port=mosquitto.port)
    station = SceneStation("north", tmp_path, port=mosquitto.port)
    station.play(seed=2, most=10)
    until(lambda: "north" in hub.state.stations, hub, station)
    mosquitto.kill()
    station.station.take(Tell("A pass", "camera"))
    station.round()
    hub.step(0.01)
    assert hub.fault is not None
    mosquitto.start()
    hub.archive.close()  # the hub dies with what it had only in memory
    hub = hub_at(tmp_path, port=mosquitto.port)
    station.journal.close()  # and so does the station
    station = SceneStation("north", tmp_path, port=mosquitto.port)
    assert station.station.resume()

    own = list(station.journal.entries())
    until(lambda: station.courier.acknowledged == len(own), hub, station)

    assert [stored.entry for stored in hub.archive.entries("north")] == own
    assert rebuilt(hub) == hub.state
    station.close()
    hub.close()


@pytest.mark.fault("message-twice-or-late")
def test_entries_lost_doubled_and_out_of_order_arrive_once_and_in_order(tmp_path: Path) -> None:
    exchange = Exchange(Random(5), lost=0.3, doubled=0.3, delayed=0.5)
    scene = Scene(tmp_path, "north", "south", exchange=exchange)
    for seed, station in enumerate(scene.stations.values()):
        station.play(seed, most=40)
        scene.run(5)
    scene.run(120)

    assert scene.is_delivered()
    assert rebuilt(scene.hub) == scene.hub.state
    scene.close()


@pytest.mark.fault("link-lost")
def test_a_station_cut_off_for_eight_hours_brings_all_it_has_when_it_is_back(scene: Scene) -> None:
    north = scene.stations["north"]
    north.play(1, most=5)
    scene.run(10)
    scene.exchange.cut.add("north")
    scene.exchange.drop("north")
    for seed in range(4):
        scene.clock.sleep(2 * 3600)
        north.play(seed, most=30)
        scene.round()
    assert not scene.hub.live["north"].online
    assert not scene.is_delivered()
    scene.exchange.cut.clear()

    scene.run(10)

    assert scene.is_delivered()
    assert scene.hub.live["north"].online


def test_a_hub_that_lost_its_archive_gets_everything_again(scene: Scene, tmp_path: Path) -> None:
    north = scene.stations["north"]
    north.play(1, most=20)
    scene.run(10)
    scene.hub.archive.close()
    for path in tmp_path.glob("event.db*"):
        path.unlink()
    scene.exchange.drop("hub")
    scene.hub = scene._hub()

    scene.run(20)

    assert scene.is_delivered()


@pytest.mark.parametrize("seed", range(3))
def test_random_breaks_lose_nothing_and_count_nothing_twice(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    scene = Scene(tmp_path, "north", "south", exchange=Exchange(random, lost=0.1, doubled=0.1, delayed=0.2))
    for game in range(40):
        name = random.choice(("north", "south"))
        scene.stations[name].play(game, most=random.randint(1, 6))
        scene.run(random.choice((0.25, 1.0, 3.0)))
        match random.randrange(5):
            case 0:
                scene.exchange.kill()
                scene.run(1)
                scene.exchange.is_up = True
            case 1:
                scene.restart_hub()
            case 2:
                scene.restart(name)
            case 3:
                scene.exchange.drop(name)
            case _:
                pass
    scene.exchange.lost = 0.0
    scene.run(60)

    assert scene.is_delivered()
    assert rebuilt(scene.hub) == scene.hub.state
    assert sum(record.facts for record in scene.hub.state.stations.values()) == sum(
        entry.kind.value == "fact" for station in scene.stations.values() for entry in station.journal.entries()
    )
    scene.close()
