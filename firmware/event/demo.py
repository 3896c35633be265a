"""A simulated event to look at: hub, page and tables in one program, over a real broker where mosquitto is installed.

Tables are stations with journal and courier, without a camera: computer players tell them what happens, quarrel now and
then and call a judge. The last table has no station; somebody has to enter its results. Nothing else is simulated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from engine.schotten_totten.options import Rules
from firmware.assemble import make_courier
from firmware.clocks import SystemClock
from firmware.commands import CallJudge, Command, Tell
from firmware.drivers import make_broker
from firmware.event import bench, house, topics
from firmware.event.archive import Archive
from firmware.event.broker import Mosquitto, is_taken, program
from firmware.event.facts import Outcome, Reason
from firmware.event.hub import Hub
from firmware.event.page.front import Front, open_front
from firmware.event.roles import Person, Role
from firmware.event.rounds.facts import EventOpened, How, PlayerEntered, Result, ResultEntered, Style, TableSet
from firmware.event.rounds.next_round import next_round
from firmware.faults import PartFault
from firmware.games import refereed
from firmware.journal import Journal
from firmware.ledger import Snapshot
from firmware.ports import Broker, Clock
from firmware.simulation.exchange import Exchange, ExchangeBroker
from firmware.simulation.players import play_game
from firmware.station import Manner, Station
from hardware_config.settings import MqttBroker

FIRST = "Anna Bert Carla Duncan Eilidh Fionn Greta Hamish Iñaki Jeanne Katarzyna Liam Moira Niamh Olaf Priya"
LAST = "Bell Cairns Douglas Elliot Fraser Graham Hume Innes Jardine Kerr Lennox Maxwell Nisbet Ogilvie Pringle Ross"
QUARREL = 0.006  # how likely a move is to end in one
BY_HAND_S = 60.0  # how long a table without a station takes, at most
BETWEEN_S = 10.0  # rounds
LEFT_ALONE_S = 45.0  # until the judge of the demo sees to a call
MINUTES = 20
WHO = "demo"

MakeBroker = Callable[..., Broker]


@dataclass(frozen=True, slots=True)
class Plan:
    """How large the event is, how long, and how fast."""

    tables: int = 8
    rounds: int = 4
    pace_s: float = 1.5
    seed: int = 1


class Table:
    """One station, and the two who play at it."""

    def __init__(self, name: str, folder: Path, settings: MqttBroker, make: MakeBroker, plan: Plan) -> None:
        clock: Clock = SystemClock()
        self._random = Random(f"{plan.seed}/{name}")
        self._pace_s = plan.pace_s
        self._clock = clock
        self._journal = Journal(folder / f"{name}.db", clock)
        self.station = Station(refereed("schotten-totten"), self._journal, clock, Manner(in_event=True))
        self._courier = make_courier(settings, self.station, folder / f"{name}.db", clock, self._obey, make)
        self.station.subscribe(self._keep)
        self.station.begin({"rules": "base"})
        self._lines: Iterator[str] = iter(())
        self._next_s = 0.0
        self._is_open = False

    def step(self, calls_open: bool) -> None:
        """Plays on, if it is time, and sends on."""
        try:
            if not self._is_open:
                self._courier.open()
                self._is_open = True
            self._courier.show(self._signals)
        except PartFault:
            self._is_open = False
        if not calls_open and self._clock.monotonic_s() >= self._next_s:
            self._next_s = self._clock.monotonic_s() + self._pace_s * self._random.uniform(0.5, 1.5)
            self._move()

    def close(self) -> None:
        self._courier.close()
        self._journal.close()

    def _move(self) -> None:
        line = next(self._lines, None)
        if line is None or self.station.state.referee.paused:
            return
        self.station.take(Tell(line, "camera"))
        if self._random.random() < QUARREL:
            self.station.take(CallJudge(Reason.DISPUTE, "whose turn was it?"))

    def _obey(self, command: Command) -> None:
        number = self.station.state.number
        self.station.take(command)
        if self.station.state.number != number:  # a new game was ordered
            game = play_game(Rules(), Random(self._random.getrandbits(32)))
            self._lines = (str(step.fact) for step in game)

    def _keep(self, snapshot: Snapshot) -> None:
        self._signals = snapshot.signals


class Demo:
    """Everything together. `step` is called again and again."""

    def __init__(self, folder: Path, plan: Plan, port: int, *, mosquitto: bool, log: Callable[[str], None]) -> None:
        self._plan = plan
        self._clock = SystemClock()
        self._random = Random(plan.seed)
        home, make, hub_settings, table_settings = _brokers(folder, mosquitto)
        self.broker = "in memory" if home is None else "mosquitto, with TLS and passwords"
        names = [f"table-{n}" for n in range(1, plan.tables + 1)]
        stations = names if plan.tables < 3 else names[:-1]
        broker = make(hub_settings, topics.HUB, topics.of_hub())
        self.hub = Hub(Archive(folder / "event.db", self._clock), broker, self._clock, log)
        self.front: Front = open_front(self.hub, folder, self._clock, port=port, log=log)
        self.codes = {
            role.word: self.front.services.badges.give(role, name)
            for role, name in ((Role.ORGANISER, "Olga"), (Role.JUDGE, "Jana"), (Role.HEAD_JUDGE, "Hugh"))
        }
        self._open(names, stations)
        self._tables = {name: Table(name, folder, table_settings(name), make, plan) for name in stations}
        self._mosquitto = None if home is None else Mosquitto(home, self._clock)
        self._since_s: float | None = None
        self.front.start()

    def step(self) -> None:
        if self._mosquitto is not None:
            self._mosquitto.tend()
        called = {call.station for call in self.hub.state.open_calls()}
        for name, table in self._tables.items():
            table.step(name in called)
        self.hub.step(0.02)
        self.front.tick()
        self._go_on()
        self._judge()
        self._clock.sleep(0.02)

    def close(self) -> None:
        self.front.stop()
        for table in self._tables.values():
            table.close()
        self.hub.close()
        if self._mosquitto is not None:
            self._mosquitto.stop()

    @property
    def office(self) -> Any:
        return self.front.services.office

    def _open(self, names: list[str], stations: list[str]) -> None:
        if self.office.tournament.opened is not None:
            return  # an event that was kept goes on
        players = [PlayerEntered(n, name) for n, name in enumerate(_names(2 * self._plan.tables, self._random), 1)]
        tables = [TableSet(n, name if name in stations else None) for n, name in enumerate(names, 1)]
        self.office.tell([EventOpened("Borders Cup", Style.SWISS, self._plan.seed, MINUTES), *players, *tables], WHO)

    def _go_on(self) -> None:
        """The organiser of the demo: pairs, starts, and enters what tables without a station say."""
        tournament, now_s = self.office.tournament, self._clock.monotonic_s()
        current = tournament.round
        if current is None or current.is_over:
            if self._since_s is None:
                self._since_s = now_s
            is_due = current is None or now_s - self._since_s > min(BETWEEN_S, 20 * self._plan.pace_s)
            if len(tournament.rounds) < self._plan.rounds and is_due and self._all_there():
                self.office.tell([next_round(tournament)], WHO)
                self.office.start(len(self.office.tournament.rounds), MINUTES, WHO)
                self._since_s = now_s
            return
        if now_s - (self._since_s or now_s) > min(BY_HAND_S, 40 * self._plan.pace_s):
            for table in current.waiting:
                if tournament.tables.get(table) is None:
                    won = self._random.choice((3, 4, 5))
                    result = Result("A", (won, self._random.randrange(5)), How.PLAYED)
                    self.office.tell([ResultEntered(current.number, table, result)], WHO)
        if not current.waiting:
            self._since_s = None

    def _judge(self) -> None:
        """A judge of the demo sees to calls that nobody has taken for a while."""
        now = self._clock.now()
        for call in self.hub.state.open_calls():
            if call.judge is None and call.stood_still(now).total_seconds() > min(LEFT_ALONE_S, 60 * self._plan.pace_s):
                judge = Person("Demo", Role.JUDGE)
                taken = bench.take_call(self.hub.state, judge, call.id)
                self.hub.write(taken, judge.signature)
                resolved = bench.resolve(self.hub.state, judge, call.id, Outcome.EXPLAINED, "it was the other's turn")
                self.hub.write(resolved, judge.signature)

    def _all_there(self) -> bool:
        return all(name in self.hub.live and self.hub.live[name].online for name in self._tables)


def _names(count: int, random: Random) -> list[str]:
    """So many different names."""
    names = [f"{first} {last}" for last in LAST.split() for first in FIRST.split()]
    random.shuffle(names)
    return [f"{names[n % len(names)]}{' ' + str(n // len(names) + 1) if n >= len(names) else ''}" for n in range(count)]


def _brokers(
    folder: Path, wanted: bool
) -> tuple[house.House | None, MakeBroker, MqttBroker, Callable[[str], MqttBroker]]:
    """A real broker with everything that `event init` makes, or one in memory."""
    try:
        program()
        is_there = wanted
    except PartFault:
        is_there = False
    if not is_there:
        exchange = Exchange()

        def make(_: MqttBroker, user: str, subscriptions: tuple[str, ...], will: Any = None) -> Broker:
            return ExchangeBroker(exchange, user, subscriptions, will)

        plain = MqttBroker(host="127.0.0.1", station="not-used")
        return None, make, plain, lambda name: plain.model_copy(update={"station": name})
    port = next(number for number in range(18830, 18930) if not is_taken(number))
    home = house.House(folder) if (folder / "mosquitto.conf").exists() else house.init(folder, ("localhost",), port)

    def settings(name: str) -> MqttBroker:
        password, _ = house.admit(home, name)
        secret = folder / f"{name}.password"
        house.write_secret(secret, password.encode())
        return MqttBroker(
            host="127.0.0.1", port=home.port, station=name, ca_file=str(home.authority), password_file=str(secret)
        )

    return home, make_broker, home.hub_settings(), settings
