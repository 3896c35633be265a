"""An event on one machine: stations that play whole games without a camera, couriers and a hub."""

from __future__ import annotations

from pathlib import Path
from random import Random

from engine.schotten_totten.options import Rules
from firmware.assemble import make_courier
from firmware.clocks import SystemClock
from firmware.commands import Command, Tell
from firmware.drivers.broker_mqtt import Driver
from firmware.event import topics
from firmware.event.archive import Archive
from firmware.event.hub import Hub
from firmware.event.state import EventState
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
        self.answers: list[str | None] = []
        settings = MqttBroker(host="127.0.0.1", port=port, station=name)
        self.courier = make_courier(settings, self.station, self.path, self.clock, self.obey)
        self.station.subscribe(self._keep)

    def _keep(self, snapshot: Snapshot) -> None:
        self.signals = snapshot.signals

    def play(self, seed: int) -> str | None:
        """A whole game; the winner."""
        self.station.begin({"rules": "base"})
        for step in play_game(Rules(), Random(seed)):
            self.station.take(Tell(str(step.fact), "camera"))
        return self.station.state.summary.winner

    def obey(self, command: Command) -> None:
        self.answers.append(self.station.take(command))

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
