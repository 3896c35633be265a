"""The lines to the broker, the stations' and the hub's: what goes over them, and what is said when they break."""

from __future__ import annotations

import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.drivers import broker_mqtt, broker_mqtt_bulk
from firmware.drivers.broker_mqtt_bulk import LONGEST, taken_apart
from firmware.event import topics
from firmware.event.house import admit, init
from firmware.faults import PartFault
from firmware.ports import Broker
from hardware_config.settings import MqttBroker
from tests.firmware.event.mosquitto import Mosquitto, free_port

Messages = list[tuple[str, bytes]]


@pytest.fixture(params=[broker_mqtt, broker_mqtt_bulk], ids=["station", "hub"])
def line(request: pytest.FixtureRequest) -> ModuleType:
    """The module of a line; what follows holds for either."""
    found: ModuleType = request.param
    return found


def at(port: int) -> MqttBroker:
    return MqttBroker(host="127.0.0.1", port=port, station="not-used", keepalive_s=2)


def hub_of(line: ModuleType, settings: MqttBroker) -> Broker:
    made: Broker = line.Driver(settings, topics.HUB, topics.of_hub())
    return made


def heard(line: Broker, count: int, within_s: float = 20.0) -> Messages:
    found: Messages = []
    end_s = time.monotonic() + within_s
    while len(found) < count:
        assert time.monotonic() < end_s, f"{len(found)} of {count} came"
        found.extend(line.received(0.05))
    return found


def exchanged(station: Broker, hub: Broker) -> None:
    """Messages of every size arrive whole and in order, both ways."""
    sizes = [0, 1, 100, 127, 128, 16_300, 16_400, 100_000] * 3
    station.publish(topics.entries("north"), {"nobody": "listens"}, retain=False)
    station.publish(topics.table("north"), {"kept": True}, retain=True)
    station.received(0.2)
    hub.open()
    assert heard(hub, 1) == [(topics.table("north"), b'{"kept":true}')]  # what came before it listened is not for it
    for size in sizes:
        station.publish(topics.entries("north"), {"x": "é" * (size // 2)}, retain=False)
        station.received(0.0)
    lengths = [len(payload.decode()) - len('{"x":""}') for _, payload in heard(hub, len(sizes))]
    assert lengths == [size // 2 for size in sizes]
    for size in sizes:
        hub.publish(topics.ack("north"), {"x": "y" * size}, retain=False)
    hub.received(0.0)
    assert [len(payload) for _, payload in heard(station, len(sizes))] == [size + len('{"x":""}') for size in sizes]
    station.close()
    hub.close()


@pytest.mark.broker
def test_messages_of_every_size_arrive_whole_and_in_order_both_ways(mosquitto: Mosquitto, line: ModuleType) -> None:
    station = broker_mqtt.Driver(at(mosquitto.port), "north", (topics.ack("north"),))
    station.open()
    exchanged(station, hub_of(line, at(mosquitto.port)))


@pytest.mark.broker
def test_the_same_over_tls(tmp_path: Path, line: ModuleType) -> None:
    house = init(tmp_path / "event", ("localhost",), free_port())
    (tmp_path / "password").write_text(admit(house, "north")[0])
    broker = Mosquitto(tmp_path, house.configuration.read_text(), port=house.port)
    broker.start()
    own = house.hub_settings().model_copy(update={"password_file": str(tmp_path / "password")})
    station = broker_mqtt.Driver(own, "north", (topics.ack("north"),))
    station.open()
    exchanged(station, hub_of(line, house.hub_settings()))
    broker.kill()


@pytest.mark.broker
def test_what_was_heard_is_not_lost_with_what_was_denied(tmp_path: Path, line: ModuleType) -> None:
    house = init(tmp_path / "event", ("localhost",), free_port())
    (tmp_path / "password").write_text(admit(house, "north")[0])
    acl = house.folder / "acl"
    acl.write_text(acl.read_text().replace(f"topic readwrite {topics.ROOT}/#", f"topic read {topics.ROOT}/#"))
    broker = Mosquitto(tmp_path, house.configuration.read_text(), port=house.port)
    broker.start()
    own = house.hub_settings().model_copy(update={"password_file": str(tmp_path / "password")})
    station, hub = broker_mqtt.Driver(own, "north", ()), hub_of(line, house.hub_settings())
    station.open()
    hub.open()
    hub.publish(topics.ack("north"), {"denied": True}, retain=False)
    station.publish(topics.entries("north"), {"an": "entry"}, retain=False)
    time.sleep(0.5)  # until the denial and the entry have both come
    assert heard(hub, 1) == [(topics.entries("north"), b'{"an":"entry"}')]
    with pytest.raises(PartFault, match="denies what hub writes"):
        heard(hub, 1)
    station.close()
    hub.close()
    broker.kill()


@pytest.mark.broker
def test_a_line_that_nobody_speaks_on_stays_open(mosquitto: Mosquitto, line: ModuleType) -> None:
    hub = hub_of(line, at(mosquitto.port))
    hub.open()
    end_s = time.monotonic() + 4.0  # twice as long as the broker waits
    while time.monotonic() < end_s:
        assert hub.received(0.1) == ()
    hub.close()


@pytest.mark.broker
def test_who_has_the_wrong_password_is_told_so(tmp_path: Path, line: ModuleType) -> None:
    house = init(tmp_path / "event", ("localhost",), free_port())
    broker = Mosquitto(tmp_path, house.configuration.read_text(), port=house.port)
    broker.start()
    (tmp_path / "wrong").write_text("guess")
    settings = house.hub_settings().model_copy(update={"password_file": str(tmp_path / "wrong")})
    with pytest.raises(PartFault, match="lets nobody in as hub: Not authorized"):
        hub_of(line, settings).open()
    broker.kill()


@pytest.mark.broker
def test_a_broker_that_dies_is_a_fault_and_can_be_opened_again(mosquitto: Mosquitto, line: ModuleType) -> None:
    hub = hub_of(line, at(mosquitto.port))
    with pytest.raises(PartFault, match="is not connected"):
        hub.received(0.0)
    hub.open()
    mosquitto.kill()
    with pytest.raises(PartFault, match="broke off"):
        heard(hub, 1)
    with pytest.raises(PartFault, match="no broker answers"):
        hub.open()
    mosquitto.start()
    hub.open()
    assert hub.received(0.0) == ()
    hub.close()


@pytest.mark.broker
def test_a_broker_that_falls_silent_is_a_fault(mosquitto: Mosquitto, line: ModuleType) -> None:
    hub = hub_of(line, at(mosquitto.port))
    hub.open()
    with mosquitto.frozen(), pytest.raises(PartFault, match="; check network and hub"):
        heard(hub, 1)
    hub.open()
    hub.close()


@pytest.mark.broker
def test_a_line_is_served_however_many_files_are_open(mosquitto: Mosquitto, line: ModuleType) -> None:
    before, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 2000), most))
    others = [socket.socket() for _ in range(1100)]
    hub = hub_of(line, at(mosquitto.port))
    hub.open()
    assert hub.received(0.1) == ()
    hub.close()
    for other in others:
        other.close()
    resource.setrlimit(resource.RLIMIT_NOFILE, (before, most))


@pytest.mark.broker
def test_what_a_hub_is_not_allowed_to_write_is_a_fault_and_named(tmp_path: Path, line: ModuleType) -> None:
    house = init(tmp_path / "event", ("localhost",), free_port())
    acl = house.folder / "acl"
    acl.write_text(acl.read_text().replace(f"topic readwrite {topics.ROOT}/#", f"topic read {topics.ROOT}/#"))
    broker = Mosquitto(tmp_path, house.configuration.read_text(), port=house.port)
    broker.start()
    hub = hub_of(line, house.hub_settings())
    hub.open()
    hub.publish(topics.ack("north"), {"book": "x"}, retain=True)
    with pytest.raises(PartFault, match="denies what hub writes: Not authorized"):
        heard(hub, 1)
    hub.close()
    broker.kill()


@pytest.fixture
def stranger() -> Iterator[Callable[[list[bytes]], int]]:
    """Something that listens and says these words, one after another, to whoever comes."""
    door = socket.create_server(("127.0.0.1", 0))

    def listen(words: list[bytes]) -> int:
        def say() -> None:
            line, _ = door.accept()
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with line:
                for word in words:
                    line.sendall(word)
                    time.sleep(0.001)
                time.sleep(1.0)

        threading.Thread(target=say, daemon=True).start()
        return int(door.getsockname()[1])

    yield listen
    door.close()


@pytest.mark.parametrize(
    "words",
    [
        b"",
        b"HTTP/1.1 400",
        b"\x30\xff\xff\xff\x7f",  # a message of 256 MB
        b"\x20\x80\x80\x80\x80\x80\x80\x80",  # a length that never ends
        b"\x20\x00",  # an answer without a word
        b"\x20\x02\x00\x00\x90\x02\x00\x01",  # let in, and no word on what it may hear
        b"\x30\x01\x00",  # a message without a topic
        b"\x30\x03\x00\x09x",  # a topic longer than its message
        b"\x32\x05\x00\x01xyz",  # of a quality that was not asked for
    ],
)
def test_what_is_no_broker_is_a_fault(
    stranger: Callable[[list[bytes]], int], monkeypatch: pytest.MonkeyPatch, words: bytes
) -> None:
    monkeypatch.setattr(broker_mqtt_bulk, "ANSWER_S", 0.3)
    hub = hub_of(broker_mqtt_bulk, at(stranger([words])))
    with pytest.raises(PartFault, match=r"the broker at .* (does not answer|broke off|is no MQTT broker)"):
        hub.open()
    hub.close()


def said(kind: int, body: bytes) -> bytes:
    return broker_mqtt_bulk._packet(kind, body)


TALK: list[tuple[str, bytes]] = [
    (topics.entries("north"), b""),
    (topics.entries("south"), b"x" * 200),
    (topics.table("ñ"), b"y" * 20_000),
    (topics.status("north"), b"z"),
]
SPOKEN = b"".join(said(0x30, broker_mqtt_bulk._word(topic) + payload) for topic, payload in TALK)


def test_what_comes_byte_by_byte_is_what_was_said(stranger: Callable[[list[bytes]], int]) -> None:
    greeting = b"\x20\x02\x00\x00\x90\x06\x00\x01\x00\x00\x00\x00"
    start = SPOKEN[:400]
    port = stranger([*(bytes([byte]) for byte in greeting + start), SPOKEN[400:], b"\xd0\x00"])
    ear = broker_mqtt_bulk.Ear(at(port), topics.HUB, topics.of_hub())
    ear.open()
    found: Messages = []
    while len(found) < len(TALK):
        found.extend(ear.received(0.05))
    assert found == TALK
    ear.close()


def test_a_packet_may_be_cut_anywhere() -> None:
    whole = taken_apart(SPOKEN)
    assert whole == (TALK, {}, b"")
    for cut in (*range(400), *range(400, len(SPOKEN), 97)):
        first, _, rest = taken_apart(SPOKEN[:cut])
        second, _, left = taken_apart(rest + SPOKEN[cut:])
        assert (first + second, left) == (TALK, b""), cut


@given(st.lists(st.tuples(st.integers(0, 255), st.binary(max_size=300)), max_size=5), st.binary(max_size=40))
def test_whatever_comes_is_understood_waits_or_is_refused(packets: list[tuple[int, bytes]], end: bytes) -> None:
    data = b"".join(said(kind, body) for kind, body in packets) + end
    try:
        messages, answers, rest = taken_apart(data)
    except ValueError:
        return
    found: list[Any] = [*messages, *answers]
    assert len(found) <= len(data) / 2
    assert data.endswith(rest)
    assert len(rest) <= LONGEST + 4
