"""A station at an event: it shows the round's clock, sends its picture, and referees on without a hub."""

from __future__ import annotations

import getpass
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from firmware.cli import marchwarden
from firmware.clocks import SystemClock
from firmware.drivers.broker_mqtt import Driver
from firmware.event import documents, topics
from firmware.event.broker import Mosquitto as KeptMosquitto
from firmware.event.discovery import announcements
from firmware.event.house import admit, init
from firmware.faults import PartFault
from firmware.keep import Keeper
from firmware.ports import Frame
from hardware_config.load import BadProfile, check
from tests.firmware.event.mosquitto import free_port
from tests.firmware.event.scene import Scene, SceneStation, hub_at, until
from tests.firmware.event.secured import Secured, secured_in, writes
from tests.firmware.event.test_hostile import secured

__all__ = ["secured"]  # a fixture


def test_the_hub_sees_the_table_as_the_camera_saw_it_last(tmp_path: Path) -> None:
    scene = Scene(tmp_path, "north")
    north = scene.stations["north"]
    north.play(1, most=2)
    north.courier.see(Frame(7, np.full((1080, 1920, 3), 90, np.uint8), 0.0), north.station.state)
    scene.run(2)

    picture = scene.hub.live["north"].picture
    assert picture is not None
    assert picture.frame == 7
    assert picture.jpeg.startswith(b"\xff\xd8")
    assert len(documents.encoded(picture.document())) < documents.LARGEST
    scene.close()


@pytest.mark.fault("broker-down")
def test_a_station_without_a_hub_says_so_and_goes_on(tmp_path: Path) -> None:
    station = SceneStation("north", tmp_path, port=free_port())
    station.play(1, most=2)
    keeper = Keeper("broker", station.courier, SystemClock())
    keeper.start()
    keeper.send(station.signals)
    end = time.monotonic() + 10
    while keeper.fault() is None and time.monotonic() < end:
        time.sleep(0.02)
    assert "no broker answers" in str(keeper.fault())
    assert station.play(2) is not None
    keeper.stop()
    station.journal.close()


def test_nothing_of_the_broker_is_imported_without_one_in_the_profile() -> None:
    program = (
        "import sys, firmware.assemble, firmware.cli.run, firmware.web.house;"
        "print([name for name in sys.modules if name.split('.')[0] in ('paho', 'cryptography', 'segno')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.broker
def test_home_assistant_is_told_of_the_table_where_the_profile_says_so(secured: Secured) -> None:
    settings = secured.settings("north").model_copy(update={"discovery": True})
    station = SceneStation("north", secured.folder, settings=settings)
    secured.broker.start()
    station.play(1, most=3)
    until(lambda: station.courier.acknowledged == 4, secured.hub, station)  # and no write was denied
    told = announcements("north", "1")
    assert all(topic.startswith("homeassistant/") and topic.endswith("/config") for topic in told)
    assert len({document["unique_id"] for document in told.values()}) == len(told) == 6
    station.close()


@pytest.mark.broker
@pytest.mark.parametrize("certificates", [False, True], ids=["password", "certificate"])
def test_home_assistant_hears_what_is_announced_to_it_and_writes_nothing(tmp_path: Path, certificates: bool) -> None:
    with secured_in(tmp_path, certificates=certificates) as hall:
        listens(hall)


def listens(hall: Secured) -> None:
    asked = ["event", "home-assistant", "--json", "--folder", str(hall.house.folder)]
    given = json.loads(CliRunner().invoke(marchwarden, asked).stdout)
    (hall.folder / "password").write_text(given["password"])
    files = {"certificate_file": given.get("certificate", ""), "key_file": given.get("key", "")}
    own = hall.house.hub_settings().model_copy(update={"password_file": str(hall.folder / "password"), **files})
    assert hall.house.stations() == ()
    station = SceneStation("north", hall.folder, settings=hall.settings("north").model_copy(update={"discovery": True}))
    hall.broker.start()
    home = Driver(own, given["user"], ("homeassistant/#", topics.table("+"), topics.entries("+")))
    home.open()
    station.play(1, most=3)
    until(lambda: station.courier.acknowledged == 4, hall.hub, station)
    heard = dict(home.received(0.5))
    assert json.loads(heard[topics.table("north")])["game"] == 1
    assert heard.keys() - {topics.table("north")} == set(announcements("north", "1"))
    home.publish(topics.table("north"), {}, retain=False)
    with pytest.raises(PartFault, match="denies what home-assistant writes"):
        until(lambda: bool(home.received(0.1)), hall.hub)
    home.close()
    station.close()


@pytest.mark.broker
def test_a_folder_that_the_broker_cannot_reach_is_a_fault_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 0)
    (tmp_path / "closed").mkdir(mode=0o700)
    house = init(tmp_path / "closed" / "event", ("localhost",), free_port())
    with pytest.raises(PartFault, match=r"closed to mosquitto.*--folder"):
        KeptMosquitto(house, SystemClock()).tend()


@pytest.mark.broker
def test_whom_the_broker_denies_is_named_and_new_stations_come_in_while_it_runs(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    house = init(tmp_path / "event", ("localhost",), free_port())
    with house.configuration.open("a") as configuration:
        configuration.write(f"user {getpass.getuser()}\n")  # the folder of a test is for its user alone
    heard: list[tuple[str, str, int]] = []
    said: list[str] = []
    broker = KeptMosquitto(house, SystemClock(), lambda *denied: heard.append(denied), said.append)
    broker.tend()
    request.addfinalizer(broker.stop)
    hub = hub_at(tmp_path, settings=house.hub_settings())
    until(lambda: hub.fault is None, hub)
    password, _ = admit(house, "south")
    (tmp_path / "south").write_text(password)
    settings = house.hub_settings().model_copy(update={"password_file": str(tmp_path / "south")})
    time.sleep(2.1)
    broker.tend()  # has it read the passwords again
    time.sleep(0.3)
    [answer] = writes(settings, "south", topics.entries("north"), b"{}", called="north-0 (p5, c1, k60, u'north')")
    end = time.monotonic() + 10
    while not heard and time.monotonic() < end:
        time.sleep(0.05)
    assert str(answer) == "Not authorized"
    assert heard == [("south", "the broker denied PUBLISH marchwarden/v1/north/ev", 1)]
    hub.close()


def test_a_flood_of_denials_is_told_as_one_under_the_name_that_was_let_in(tmp_path: Path) -> None:
    heard: list[tuple[str, str, int]] = []
    said: list[str] = []
    broker = KeptMosquitto(init(tmp_path, ("localhost",)), SystemClock(), lambda *one: heard.append(one), said.append)
    came = b"1: New client connected from 127.0.0.1:4 as north-1 (d0, 'x' (p5, c1, k60, u'south')."
    denied = b"2: Denied PUBLISH from north-1 (d0, 'x' (d0, q0, r0, m0, 'marchwarden/v1/north/ev', ... (9 bytes))"
    stranger = b"3: Denied PUBLISH from north-2 (d0, q0, r0, m0, 'a/b', ... (9 bytes))"
    broker._hear(b"\n".join((came, *1000 * (denied,), stranger, b"4: Error: no space left")))
    broker._hear(b"5: Sending PUBLISH to hub-1 (d0, q0, r0, m0, 'marchwarden/v1/north/ev', ... (9 bytes))")

    assert [(who, times) for who, _, times in sorted(heard)] == [("", 1), ("south", 1000)]
    assert said == ["mosquitto: Error: no space left"]


@pytest.mark.parametrize(
    ("broker", "mistake"),
    [
        ({"host": "hub.local", "station": "north"}, "ca_file"),
        ({"host": "127.0.0.1", "station": "hub"}, "hub's own name"),
        ({"host": "127.0.0.1", "station": "Nord Tisch"}, "broker.station"),
        ({"host": "127.0.0.1", "station": "north", "key_file": "k"}, "belong together"),
        ({"host": "127.0.0.1", "station": "north", "pasword_file": "k"}, "password_file"),
    ],
)
def test_a_broker_that_cannot_be_meant_so_is_a_mistake_of_the_profile(broker: dict[str, str], mistake: str) -> None:
    with pytest.raises(BadProfile, match=mistake):
        check({"name": "test", "broker": broker}, "test")
