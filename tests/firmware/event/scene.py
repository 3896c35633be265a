"""An event on one machine: stations that play whole games without a camera, couriers and a hub."""

from __future__ import annotations

from pathlib import Path
from random import Random

from engine.schotten_totten.options import Rules
from firmware.clocks import SystemClock
from firmware.commands import Command, Tell
from firmware.drivers.broker_mqtt import Driver
from firmware.event import topics
from firmware.event.archive import Archive
from firmware.event.courier import Courier
from firmware.event.hub import Hub
from firmware.event.state import EventState
from firmware.event.wire import Order, Status
from firmware.games import refereed
from firmware.journal import Journal
from firmware.ports import Clock
from firmware.simulation.players import play_game
from firmware.station import Snapshot, Station
from hardware_config.settings import MqttBroker


class SceneStation:
    """A station with its courier, without a camera: what it is told is what happened."""

    def __init__(self, name: str, folder: Path, port: int, clock: Clock | None = None) -> None:
        self.name = name
        self.clock = clock or SystemClock()
        self.path = folder / f"{name}.db"
        self.journal = Journal(self.path, self.clock)
        self.station = Station(refereed("schotten-totten"), self.journal, self.clock)
        self.orders: list[Order] = []
        settings = MqttBroker(host="127.0.0.1", port=port, station=name)
        gone = topics.status(name), Status("", False).document()
        broker = Driver(settings, name, topics.of_station(name), gone)
        self.courier = Courier(name, broker, self.path, self.clock, self.orders.append)
        self.station.subscribe(self.courier.note)
        self.station.subscribe(self._keep)

    def _keep(self, snapshot: Snapshot) -> None:
        self.signals = snapshot.signals

    def play(self, seed: int) -> str | None:
        """A whole game; the winner."""
        self.station.begin({"rules": "base"})
        for step in play_game(Rules(), Random(seed)):
            self.station.take(Tell(str(step.fact), "camera"))
        return self.station.state.summary.winner

    def take(self, command: Command) -> str | None:
        return self.station.take(command)

    def close(self) -> None:
        self.courier.close()
        self.journal.close()


def hub_at(folder: Path, port: int, log: list[str] | None = None) -> Hub:
    clock = SystemClock()
    settings = MqttBroker(host="127.0.0.1", port=port, station="not-used")
    said = [] if log is None else log
    broker = Driver(settings, topics.HUB, topics.of_hub())
    return Hub(Archive(folder / "event.db", clock), broker, clock, said.append)


def rebuilt(hub: Hub) -> EventState:
    """The read model, folded anew from what is stored."""
    from firmware.event.state import folded

    return folded(EventState(), hub.archive.entries())
