"""An event as `event init` secures it: a real mosquitto so configured, a hub, and stations that were invited."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from firmware.event.house import House, admit, init
from firmware.event.hub import Hub
from firmware.event.invitation import Invitation, accept, parse
from hardware_config.load import load
from hardware_config.settings import MqttBroker
from tests.firmware.event.mosquitto import Mosquitto, free_port
from tests.firmware.event.scene import SceneStation, hub_at


@dataclass
class Secured:
    house: House
    broker: Mosquitto
    folder: Path
    log: list[str]
    hub: Hub

    def settings(self, station: str) -> MqttBroker:
        """A station that was invited and joined."""
        password, signed = admit(self.house, station)
        pem = self.house.authority.read_text()
        certificate, key = (signed.certificate_pem.decode(), signed.key_pem.decode()) if signed else ("", "")
        invitation = Invitation("localhost", self.house.port, station, password, pem, certificate, key)
        overrides = self.folder / station / "hardware.toml"
        overrides.parent.mkdir()
        overrides.write_text('language = "fr"\n[page]\nport = 0\n')
        accept(parse(str(invitation)), overrides)
        joined = load("simulated", overrides).profile
        assert (joined.language, joined.page.port) == ("fr", 0)
        return self.settings_of(station)

    def settings_of(self, station: str) -> MqttBroker:
        """Those of a station that has joined."""
        joined = load("simulated", self.folder / station / "hardware.toml").profile.broker
        assert joined is not None
        return joined

    def station(self, name: str) -> SceneStation:
        return SceneStation(name, self.folder, settings=self.settings(name))


@contextmanager
def secured_in(folder: Path, *, certificates: bool) -> Iterator[Secured]:
    house = init(folder / "event", ("localhost",), free_port(), certificates=certificates)
    broker = Mosquitto(folder, house.configuration.read_text(), port=house.port)
    log: list[str] = []
    secured = Secured(house, broker, folder, log, hub_at(folder, settings=house.hub_settings(), log=log))
    try:
        yield secured
    finally:
        secured.hub.close()
        broker.kill()


def writes(settings: MqttBroker, user: str, topic: str, payload: bytes, times: int = 1, called: str = "") -> list[Any]:
    """What the broker answers to somebody who has a password and writes this, whatever the connection is called."""
    answers: list[Any] = []
    client = Client(
        CallbackAPIVersion.VERSION2, called or user, protocol=MQTTProtocolVersion.MQTTv5, reconnect_on_failure=False
    )
    client.username_pw_set(user, Path(settings.password_file).read_text())
    client.tls_set(settings.ca_file)
    client.max_inflight_messages_set(5000)
    client.on_publish = lambda client, _, mid, code, more: answers.append(code)
    client.connect(settings.host, settings.port)
    client.loop_start()
    for _ in range(times):
        client.publish(topic, payload, qos=1)
    end = time.monotonic() + 20
    while len(answers) < times and time.monotonic() < end:
        time.sleep(0.01)
    client.disconnect()
    client.loop_stop()
    return answers
