"""The network may be hostile: strangers, stations that pass for others, garbage, floods. Refused, logged, no effect.

Through a real mosquitto with the configuration that `event init` writes.
"""

from __future__ import annotations

import getpass
import json
import os
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.clocks import SimulatedClock, SystemClock
from firmware.doctor.site import Machine
from firmware.drivers.broker_mqtt import Driver
from firmware.event import door, topics
from firmware.event.broker import Mosquitto as KeptMosquitto
from firmware.event.facts import OrderGiven
from firmware.event.house import Porter, admit, init, leave_at_door
from firmware.event.hub import MESSAGES_AT_ONCE
from firmware.event.invitation import leave
from firmware.event.joining import at_the_door
from firmware.event.running import Running, Wishes
from firmware.faults import PartFault
from hardware_config.load import load
from hardware_config.settings import MqttBroker
from tests.firmware.event.mosquitto import Mosquitto, free_port
from tests.firmware.event.scene import SceneStation, hub_at, until
from tests.firmware.event.secured import Secured, secured_in, writes

pytestmark = pytest.mark.broker


@pytest.fixture
def secured(tmp_path: Path) -> Iterator[Secured]:
    with secured_in(tmp_path, certificates=False) as secured:
        yield secured


def takes_part(secured: Secured) -> None:
    station = secured.station("north")
    secured.broker.start()
    station.play(1, most=10)
    until(lambda: station.courier.acknowledged == 11, secured.hub, station)
    assert secured.hub.live["north"].online
    station.close()


def test_an_invited_station_takes_part_over_tls_with_its_password(secured: Secured) -> None:
    takes_part(secured)


def test_an_invited_station_takes_part_over_tls_with_its_certificate(tmp_path: Path) -> None:
    with secured_in(tmp_path, certificates=True) as secured:
        takes_part(secured)


def test_nobody_comes_in_with_a_wrong_password_an_old_invitation_or_none(secured: Secured) -> None:
    settings = secured.settings("north")
    (secured.folder / "old").write_text("guess")
    secured.broker.start()
    for wrong in ("old", ""):
        file = str(secured.folder / wrong) if wrong else ""
        stranger = Driver(settings.model_copy(update={"password_file": file}), "north", ())
        with pytest.raises(PartFault, match="lets nobody in"):
            stranger.open()
        stranger.close()
    assert "not authorised" in secured.broker.log.read_text()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho leaves the socket to be collected
@pytest.mark.parametrize("certificates", [False, True], ids=["password", "certificate"])
def test_a_station_of_another_event_is_not_let_in_and_its_doctor_says_so(tmp_path: Path, certificates: bool) -> None:
    with (
        secured_in(tmp_path / "here", certificates=certificates) as here,
        secured_in(tmp_path / "there", certificates=certificates) as there,
    ):
        north, foreign = here.settings("north"), there.settings("north")
        here.broker.start()
        moved = foreign.model_copy(update={"port": north.port, "ca_file": north.ca_file})
        assert Machine().lets_in(north)
        assert not Machine().lets_in(moved)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho leaves the socket to be collected
@pytest.mark.parametrize("certificates", [False, True], ids=["password", "certificate"])
def test_whoever_had_a_name_that_is_given_away_again_is_out(tmp_path: Path, certificates: bool) -> None:
    house = init(tmp_path / "event", ("localhost",), free_port(), certificates=certificates)
    with house.configuration.open("a") as configuration:
        configuration.write(f"user {getpass.getuser()}\n")  # the folder of a test is for its user alone
    clock = SimulatedClock()
    kept = KeptMosquitto(house, clock)
    hub = hub_at(tmp_path, settings=house.hub_settings())
    secured = Secured(house, Mosquitto(tmp_path), tmp_path, [], hub)
    first = secured.settings("north").model_dump()
    (tmp_path / "north").rename(tmp_path / "former")
    moved = {key: str(value).replace("/north/", "/former/") if "file" in key else value for key, value in first.items()}
    former = SceneStation("north", tmp_path / "former", settings=MqttBroker.model_validate(moved))
    kept.tend()
    former.play(1, most=4)
    until(lambda: former.courier.acknowledged == 5, hub, former)

    new = SceneStation("north", tmp_path / "north", settings=secured.settings("north"))
    new.play(2, most=8)

    def both() -> bool:
        clock.sleep(2.1)
        kept.tend()
        former.round()
        return new.courier.acknowledged == 9

    until(both, hub, new)
    for _ in range(20):
        hub.step(0.01)
        assert not former.round()
    for station in (former, new):
        station.close()
    hub.close()
    kept.stop()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho leaves the socket to be collected
def test_a_broker_with_another_authority_is_not_trusted(secured: Secured, tmp_path: Path) -> None:
    settings = secured.settings("north")
    other = init(tmp_path / "other", ("localhost",))
    secured.broker.start()
    station = Driver(settings.model_copy(update={"ca_file": str(other.authority)}), "north", ())
    with pytest.raises(PartFault, match="certificate"):
        station.open()
    station.close()


@pytest.mark.fault("publish-forged")
@pytest.mark.parametrize("topic", ["ev", "status", "table", "ack", "cmd/x.1"])
def test_a_station_cannot_write_under_anothers_name_nor_as_the_hub(secured: Secured, topic: str) -> None:
    south = secured.settings("south")
    station = secured.station("north")
    secured.broker.start()
    station.play(1, most=5)
    until(lambda: station.courier.acknowledged == 6, secured.hub, station)
    before = secured.hub.state, dict(secured.hub.live)

    payload = json.dumps({"boot": "x", "online": False, "number": "x.1", "command": {"do": "undo"}}).encode()
    [answer] = writes(south, "south", f"{topics.ROOT}/north/{topic}", payload)
    for _ in range(20):
        secured.hub.step(0.01)
        station.round()

    assert str(answer) == "Not authorized"
    assert (secured.hub.state, secured.hub.live) == before
    assert station.answers == []
    station.close()


def test_a_station_can_neither_listen_to_others_nor_answer_its_own_acknowledgements(secured: Secured) -> None:
    south, north = secured.settings("south"), secured.station("north")
    secured.broker.start()
    [answer] = writes(south, "south", topics.ack("south"), b"{}")
    assert str(answer) == "Not authorized"
    listener = Driver(south, "south", (topics.entries("north"), topics.order("north", "+"), topics.ack("north"), "#"))
    listener.open()
    heard: set[str] = set()
    north.play(1, most=5)
    until(lambda: north.courier.acknowledged == 6, secured.hub, north)
    secured.hub.write((OrderGiven("north", "", 0, {"do": "announce", "words": "the judge comes"}),), "Anna")
    until(lambda: not secured.hub.state.waiting(), secured.hub, north)
    secured.hub.tell_all(topics.ROUND, {"round": 1})

    def is_told() -> bool:
        heard.update(topic for topic, _ in listener.received(0.1))
        return topics.ROUND in heard

    until(is_told, secured.hub, north)
    assert heard <= {topics.ROUND, topics.PROTOCOL}
    listener.close()
    north.close()


def test_strangers_cannot_fill_the_log(tmp_path: Path) -> None:
    house = init(tmp_path / "event", ("localhost",), free_port())
    with house.configuration.open("a") as configuration:
        configuration.write(f"user {getpass.getuser()}\n")
    (tmp_path / "south").write_text(admit(house, "south")[0])
    (tmp_path / "guess").write_text("guess")
    said: list[str] = []
    event = Running(house, SystemClock(), Wishes(page_host="127.0.0.1", page_port=0), said.append)
    stopping = threading.Event()
    thread = threading.Thread(target=event.run, args=(stopping.is_set,), daemon=True)
    thread.start()
    wait_until(lambda: event.hub.fault is None)
    own = house.hub_settings()
    trusting = ssl.create_default_context(cafile=own.ca_file)
    for _ in range(10):
        with socket.create_connection((own.host, own.port)) as line:
            line.sendall(os.urandom(50))
        with trusting.wrap_socket(socket.create_connection((own.host, own.port)), server_hostname="localhost") as line:
            line.sendall(os.urandom(50))
        guessing = Driver(own.model_copy(update={"password_file": str(tmp_path / "guess")}), "north", ())
        with pytest.raises(PartFault, match="Not authorized"):
            guessing.open()
        guessing.close()
        inside = Driver(own.model_copy(update={"password_file": str(tmp_path / "south")}), "south", ())
        inside.open()
        inside.publish(topics.entries("north"), {}, retain=False)  # under another name each time
        with pytest.raises(PartFault, match="denies what south writes"):
            wait_until(lambda inside=inside: inside.received(0.1))  # type: ignore[misc]
        inside.close()
    # A line that is closed before mosquitto looks at it is not even refused.
    wait_until(lambda: event.hub.refusals.counts["stranger"] >= 20 and event.hub.refusals.counts["south"] >= 10)
    stopping.set()
    thread.join()
    for name in ("stranger", "south"):
        assert len([line for line in said if f"refused from {name}" in line]) in (1, 2, 3)
    assert not [line for line in said if line.startswith("mosquitto: ") and "run as root" not in line]


def wait_until(true: Callable[[], Any], within_s: float = 30.0) -> None:
    end_s = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < end_s, "it never came to be so"
        time.sleep(0.02)


def test_garbage_and_floods_are_refused_and_logged_and_others_go_on(secured: Secured) -> None:
    south = secured.settings("south")
    station = secured.station("north")
    secured.broker.start()
    until(lambda: secured.hub.fault is None, secured.hub)
    garbage = b'{"book": [' + b"x" * 300
    writes(south, "south", topics.entries("south"), garbage)
    until(lambda: secured.hub.refusals.counts["south"] == 1, secured.hub)
    flood = int(MESSAGES_AT_ONCE) + 300
    answers = writes(south, "south", topics.entries("south"), garbage, times=flood)
    assert len(answers) == flood
    station.play(1, most=20)
    until(lambda: station.courier.acknowledged == 21, secured.hub, station)
    until(lambda: secured.hub.refusals.counts["south"] >= flood, secured.hub, station)

    assert "south" not in secured.hub.state.stations
    lines = [line for line in secured.log if "south" in line]
    assert 1 <= len(lines) <= 4  # a flood does not fill the log
    assert "no JSON" in lines[0]
    station.close()


def test_a_replayed_order_does_nothing_a_second_time(secured: Secured) -> None:
    from firmware.commands import Undo
    from firmware.event import bench
    from firmware.event.roles import Person, Role

    anna = Person("Anna", Role.JUDGE)
    station = secured.station("north")
    secured.broker.start()
    station.play(1, most=8)
    until(lambda: station.courier.acknowledged == 9, secured.hub, station)
    secured.hub.write(bench.order(secured.hub.state, secured.hub.archive, anna, "north", Undo("Anna")), "Anna")
    until(lambda: not secured.hub.state.waiting(), secured.hub, station)
    [order] = secured.hub.state.orders.values()
    told = len(station.station.state.referee.entries)

    hub_settings = secured.house.hub_settings()
    document = {"number": order.number, "book": order.given.book, "game": 1, "who": "Anna", "command": {"do": "undo"}}
    writes(hub_settings, "hub", topics.order("north", order.number), json.dumps(document).encode(), times=3)
    secured.hub.fault = "replaced"  # whoever replays it has pushed the hub out; it comes back
    until(lambda: len(station.answers) >= 4, secured.hub, station)

    assert len(station.station.state.referee.entries) == told
    station.close()


@pytest.mark.parametrize("certificates", [False, True], ids=["password", "certificate"])
def test_a_station_comes_in_by_the_code_on_its_display(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, certificates: bool
) -> None:
    monkeypatch.setenv("MARCHWARDEN_HARDWARE", str(tmp_path / "none.toml"))
    with secured_in(tmp_path, certificates=certificates) as secured:
        comes_in(secured)


def comes_in(secured: Secured) -> None:
    secured.broker.start()
    porter = Porter(secured.house, secured.hub.tell_all, SystemClock())
    shown: list[str] = []
    found: list[str] = []
    looking = threading.Thread(
        target=lambda: found.append(at_the_door("localhost", secured.house.port, "simulated", shown.append, 60.0))
    )
    looking.start()
    until(lambda: bool(shown), secured.hub)
    code = door.as_code(shown[0].lower())
    wrong = door.sealed(door.new_code(), "the invitation of a hub that never saw the display")
    leave_at_door(secured.house, door.mark_of(code), wrong)
    until(lambda: secured.hub.fault is None, secured.hub)
    porter.tend()
    secured.hub.step(0.1)
    assert not found
    leave_at_door(secured.house, door.mark_of(code), door.sealed(code, "welcome"))
    Porter(secured.house, secured.hub.tell_all, SystemClock()).tend()
    until(lambda: not looking.is_alive(), secured.hub)
    assert found == ["welcome"]


@pytest.mark.parametrize("certificates", [False, True], ids=["password", "certificate"])
def test_mosquitto_has_nothing_to_say_against_what_init_wrote(tmp_path: Path, certificates: bool) -> None:
    with secured_in(tmp_path, certificates=certificates) as secured:
        secured.settings("north")
        secured.broker.start()
        until(lambda: " running" in secured.broker.log.read_text(), secured.hub)
        said = secured.broker.log.read_text().partition(" running")[0]  # after that it speaks of who knocks
        odd = [line for line in said.splitlines() if any(word in line for word in ("arning", "Note:", "rror"))]
        assert [line for line in odd if "run as root" not in line] == []  # as the test does
        assert all(path.stat().st_mode & 0o077 == 0 for path in secured.house.folder.iterdir())


def test_who_stands_at_the_door_can_do_nothing_else(secured: Secured) -> None:
    (secured.folder / "door-password").write_text("door")
    settings = secured.house.hub_settings()
    standing = settings.model_copy(update={"password_file": str(secured.folder / "door-password")})
    secured.broker.start()
    until(lambda: secured.hub.fault is None, secured.hub)
    own = (topics.entries("door"), topics.status("door"), "homeassistant/sensor/door/x/config")
    for topic in (topics.ROUND, topics.entries("north"), topics.door("x"), *own):
        assert [str(answer) for answer in writes(standing, "door", topic, b"{}")] == ["Not authorized"]


def test_no_secret_stands_in_a_log_or_in_the_settings(secured: Secured) -> None:
    settings = secured.settings("north")
    password = Path(settings.password_file).read_text()
    secured.broker.start()
    station = SceneStation("north", secured.folder, settings=settings)
    station.play(1, most=3)
    until(lambda: station.courier.acknowledged == 4, secured.hub, station)
    station.close()
    spoken = secured.broker.log.read_text() + "".join(secured.log) + repr(settings)
    assert password not in spoken
    assert password not in secured.house.passwords.read_text()
    overrides = secured.folder / "north" / "hardware.toml"
    assert password not in overrides.read_text()
    assert leave(overrides)
    assert load("simulated", overrides).profile.broker is None
