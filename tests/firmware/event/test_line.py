"""The line to the broker: what goes over it, and what is said when it breaks."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware.drivers import broker_mqtt
from firmware.drivers.broker_mqtt import Driver
from firmware.event import topics
from firmware.event.house import init
from firmware.faults import PartFault
from hardware_config.settings import MqttBroker
from tests.firmware.event.mosquitto import Mosquitto, free_port

Messages = list[tuple[str, bytes]]


def at(port: int) -> MqttBroker:
    return MqttBroker(host="127.0.0.1", port=port, station="not-used", keepalive_s=2)


def heard(line: Driver, count: int, within_s: float = 20.0) -> Messages:
    found: Messages = []
    end_s = time.monotonic() + within_s
    while len(found) < count:
        assert time.monotonic() < end_s, f"{len(found)} of {count} came"
        found.extend(line.received(0.05))
    return found


@pytest.mark.broker
def test_messages_of_every_size_arrive_whole_and_in_order_both_ways(mosquitto: Mosquitto) -> None:
    station = Driver(at(mosquitto.port), "north", (topics.ack("north"),))
    station.open()
    hub = Driver(at(mosquitto.port), topics.HUB, topics.of_hub())
    sizes = [0, 1, 100, 127, 128, 16_300, 16_400, 100_000] * 3
    for size in sizes:
        station.publish(topics.entries("north"), {"x": "é" * (size // 2)}, retain=False)
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
def test_a_line_that_nobody_speaks_on_stays_open(mosquitto: Mosquitto) -> None:
    hub = Driver(at(mosquitto.port), topics.HUB, topics.of_hub())
    hub.open()
    end_s = time.monotonic() + 4.0  # twice as long as the broker waits
    while time.monotonic() < end_s:
        assert hub.received(0.1) == ()
    hub.close()


@pytest.mark.broker
def test_who_has_the_wrong_password_is_told_so(tmp_path: Path) -> None:
    house = init(tmp_path / "event", ("localhost",), free_port())
    broker = Mosquitto(tmp_path, house.configuration.read_text(), port=house.port)
    broker.start()
    (tmp_path / "wrong").write_text("guess")
    settings = house.hub_settings().model_copy(update={"password_file": str(tmp_path / "wrong")})
    with pytest.raises(PartFault, match="lets nobody in as hub: Not authorized"):
        Driver(settings, topics.HUB, topics.of_hub()).open()
    broker.kill()


@pytest.mark.broker
def test_a_broker_that_dies_is_a_fault_and_can_be_opened_again(mosquitto: Mosquitto) -> None:
    hub = Driver(at(mosquitto.port), topics.HUB, topics.of_hub())
    with pytest.raises(PartFault, match="is not connected"):
        hub.received(0.0)
    hub.open()
    mosquitto.kill()
    with pytest.raises(PartFault, match="broke off; check network"):
        heard(hub, 1)
    with pytest.raises(PartFault, match="no broker answers"):
        hub.open()
    mosquitto.start()
    hub.open()
    assert hub.received(0.0) == ()
    hub.close()


@pytest.mark.broker
def test_a_broker_that_falls_silent_is_a_fault(mosquitto: Mosquitto) -> None:
    hub = Driver(at(mosquitto.port), topics.HUB, topics.of_hub())
    hub.open()
    with mosquitto.frozen(), pytest.raises(PartFault, match="broke off; check network"):
        heard(hub, 1)
    hub.open()
    hub.close()


@pytest.fixture
def stranger() -> Iterator[Callable[[bytes], int]]:
    """Something that listens and says these bytes to whoever comes."""
    door = socket.create_server(("127.0.0.1", 0))

    def listen(words: bytes) -> int:
        def say() -> None:
            line, _ = door.accept()
            with line:
                line.sendall(words)
                time.sleep(1.0)

        threading.Thread(target=say, daemon=True).start()
        return int(door.getsockname()[1])

    yield listen
    door.close()


@pytest.mark.parametrize(
    ("words", "why"),
    [(b"", "does not answer"), (b"HTTP/1.1 400", "does not answer"), (b"\x30\xff\xff\xff\x7f", "broke")],
)
def test_what_is_no_broker_is_a_fault(
    stranger: Callable[[bytes], int], monkeypatch: pytest.MonkeyPatch, words: bytes, why: str
) -> None:
    monkeypatch.setattr(broker_mqtt, "ANSWER_S", 0.3)
    hub = Driver(at(stranger(words)), topics.HUB, topics.of_hub())
    with pytest.raises(PartFault, match=why):
        hub.open()
    hub.close()
