"""An event on one machine: stations that play whole games without a camera, couriers and a hub.

Through a real mosquitto, or through a simulated exchange in simulated time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

from engine.schotten_totten.options import Rules
from firmware.assemble import make_courier
from firmware.clocks import SimulatedClock, SystemClock
from firmware.commands import Command, Tell
from firmware.drivers import make_broker
from firmware.event import topics
from firmware.event.archive import Archive
from firmware.event.facts import Fact
from firmware.event.hub import Hub
from firmware.event.roles import Person, Role
from firmware.event.state import EventState, folded
from firmware.faults import PartFault
from firmware.games import refereed
from firmware.journal import Journal, Kind
from firmware.ledger import Snapshot
from firmware.ports import Broker, Clock
from firmware.signals import Screen, Signals
from firmware.simulation.exchange import Exchange, ExchangeBroker
from firmware.simulation.players import play_game
from firmware.state import Saying
from firmware.station import Manner, Station
from hardware_config.settings import MqttBroker

ANNA = Person("Anna", Role.JUDGE)
HENRI = Person("Henri", Role.HEAD_JUDGE)
PIA = Person("Pia", Role.PLAYER)

MakeBroker = Callable[..., Broker]


def over(exchange: Exchange) -> MakeBroker:
    """Brokers of a simulated exchange."""

    def make(_: MqttBroker, user: str, subscriptions: tuple[str, ...], will: Any = None) -> Broker:
        return ExchangeBroker(exchange, user, subscriptions, will)

    return make


class SceneStation:
    """A station with its courier, without a camera: what it is told is what happened."""

    def __init__(
        self,
        name: str,
        folder: Path,
        *,
        port: int = 1,
        clock: Clock | None = None,
        make: MakeBroker = make_broker,
        settings: MqttBroker | None = None,
    ) -> None:
        self.name = name
        self.clock = clock or SystemClock()
        self.path = folder / f"{name}.db"
        self.journal = Journal(self.path, self.clock)
        self.station = Station(refereed("schotten-totten"), self.journal, self.clock, Manner(in_event=True))
        self.answers: list[Saying | None] = []
        self.signals = Signals(Screen("", ""), (), "")
        chosen = settings or MqttBroker(host="127.0.0.1", port=port, station=name)
        self.courier = make_courier(chosen, self.station, self.path, self.clock, self.obey, make)
        self.station.subscribe(self._keep)
        self._is_open = False

    def _keep(self, snapshot: Snapshot) -> None:
        self.signals = snapshot.signals

    def play(self, seed: int, head: Mapping[str, str] | None = None, *, most: int = 10_000) -> str | None:
        """A game, to its end or for so many facts; the winner."""
        self.station.begin(dict(head or {"rules": "base"}))
        for _, step in zip(range(most), play_game(Rules(), Random(seed)), strict=False):
            self.station.take(Tell(str(step.fact), "camera"))
        return self.station.state.summary.winner

    def obey(self, command: Command) -> None:
        self.answers.append(self.station.take(command))

    def round(self) -> bool:
        """One round of the courier, as its keeper would have it; False while the broker cannot be reached."""
        try:
            if not self._is_open:
                self.courier.open()
                self._is_open = True
            self.courier.show(self.signals)
        except PartFault:
            self._is_open = False
        return self._is_open

    def close(self) -> None:
        self.courier.close()
        self.journal.close()


def hub_at(
    folder: Path,
    *,
    port: int = 1,
    clock: Clock | None = None,
    make: MakeBroker = make_broker,
    log: list[str] | None = None,
    settings: MqttBroker | None = None,
) -> Hub:
    chosen = settings or MqttBroker(host="127.0.0.1", port=port, station="not-used")
    time_ = clock or SystemClock()
    said: list[str] = [] if log is None else log
    return Hub(Archive(folder / "event.db", time_), make(chosen, topics.HUB, topics.of_hub()), time_, said.append)


def until(done: Callable[[], bool], hub: Hub, *stations: SceneStation, within_s: float = 30.0) -> None:
    """Rounds of hub and couriers in real time until something is so."""
    end = time.monotonic() + within_s
    while not done():
        assert time.monotonic() < end, "it never came to be so"
        hub.step(0.01)
        for station in stations:
            if not station.round():
                time.sleep(0.02)


def rebuilt(hub: Hub) -> EventState:
    """The read model, folded anew from what is stored."""
    return folded(EventState(), hub.archive.entries())


class Scene:
    """Hub and stations on a simulated exchange, in simulated time."""

    def __init__(self, folder: Path, *names: str, exchange: Exchange | None = None) -> None:
        self.folder = folder
        self.clock = SimulatedClock()
        self.exchange = exchange or Exchange()
        self.log: list[str] = []
        self.hub = self._hub()
        self.stations = {name: self.added(name) for name in names}

    def _hub(self) -> Hub:
        return hub_at(self.folder, clock=self.clock, make=over(self.exchange), log=self.log)

    def added(self, name: str) -> SceneStation:
        return SceneStation(name, self.folder, clock=self.clock, make=over(self.exchange))

    def run(self, seconds: float = 10.0, step_s: float = 0.25) -> None:
        for _ in range(round(seconds / step_s)):
            self.round(step_s)

    def round(self, step_s: float = 0.25) -> None:
        self.clock.sleep(step_s)
        for station in self.stations.values():
            station.round()
        self.hub.step(0.0)

    def act(self, facts: tuple[Fact, ...], person: Person) -> None:
        """Somebody acts at the hub, and the world gets time to answer."""
        self.hub.write(facts, person.signature)
        self.run(3)

    def restart_hub(self) -> None:
        """As after kill -9: nothing of it is left but its archive."""
        self.exchange.drop(topics.HUB)
        self.hub.archive.close()
        self.hub = self._hub()

    def restart(self, name: str) -> None:
        self.exchange.drop(name)
        self.stations[name].journal.close()
        station = self.stations[name] = self.added(name)
        if not station.station.resume():
            station.station.begin({"rules": "base"})

    def is_delivered(self) -> bool:
        """Whether the hub has every entry of every journal, and the stations know it."""
        for name, station in self.stations.items():
            own = list(station.journal.entries())
            copy = [stored.entry for stored in self.hub.archive.entries(name)]
            if copy != own or (own and station.courier.acknowledged != own[-1].seq):
                return False
        return True

    def close(self) -> None:
        for station in self.stations.values():
            station.close()
        self.hub.close()


def troubles(scene: Scene, name: str = "north") -> set[str]:
    return {trouble.name for trouble in scene.stations[name].station.state.troubles}


def notes(scene: Scene, name: str = "north") -> list[str]:
    return [entry.line for entry in scene.stations[name].journal.entries() if entry.kind is Kind.NOTE]
