"""A whole event in processes on this machine, killed at random: no entry lost, none counted twice, standings true."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from engine.schotten_totten.options import Rules
from firmware.clocks import SystemClock
from firmware.event.archive import Archive, Stored, checked
from firmware.event.audit import audit
from firmware.event.house import admit, init
from firmware.event.rounds.facts import (
    EventOpened,
    Fact,
    Pairing,
    PlayerEntered,
    RoundStarted,
    Style,
    TableSet,
    decode,
    encode,
)
from firmware.event.rounds.next_round import next_round
from firmware.event.rounds.standings import standings
from firmware.event.rounds.tournament import fold
from firmware.event.state import EventState, folded
from firmware.event.topics import HUB
from firmware.journal import Kind, Line, Reader, connect
from firmware.simulation.players import play_game
from tests.firmware.event.mosquitto import Mosquitto, free_port

pytestmark = pytest.mark.broker
WIN = 5
AT = "2026-03-01T09:00:00.000+00:00"


def truth(seed: int) -> tuple[str | None, dict[str, int]]:
    """Who wins the game of a seed, and the Stones held at its end: from the players alone, without any station."""
    for step in play_game(Rules(), Random(seed)):
        last = step.after
    stones = Counter(str(stone.owner) for stone in last.position.stones if stone.owner is not None)
    victory = last.position.victory
    return (None if victory is None else str(victory.winner)), {player: stones[player] for player in "AB"}


def points(winner: str | None, stones: dict[str, int]) -> dict[str, int]:
    return {player: WIN if player == winner else stones[player] for player in "AB"}


def opened(stations: list[str]) -> list[Fact]:
    """An event with a station at every table, whose first round has begun."""
    facts: list[Fact] = [EventOpened("Borders Cup", Style.SWISS, 7)]
    facts += [PlayerEntered(number, f"Player {number}") for number in range(1, 2 * len(stations) + 1)]
    facts += [TableSet(table, station) for table, station in enumerate(stations, 1)]
    return [*facts, next_round(fold((fact, AT, "Olga") for fact in facts)), RoundStarted(1, 600)]


@dataclass
class Event:
    """Broker, hub and tables as processes."""

    folder: Path
    stations: int
    each: int  # stations in one process
    games: int
    every_s: float
    random: Random
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    kills: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.house = init(self.folder / "event", ("localhost",), free_port())
        names = [f"t{number:03}" for number in range(self.stations)]
        facts = opened(names)
        archive = Archive(self.house.archive, SystemClock())
        archive.add([Line(Kind.FACT, encode(fact), "Olga") for fact in facts])
        archive.close()
        self.tournament = fold((fact, AT, "Olga") for fact in facts)
        self.seeds = {name: [n * self.games + game for game in range(self.games)] for n, name in enumerate(names)}
        self.plans = [self._plan(names[at : at + self.each]) for at in range(0, len(names), self.each)]
        self.broker = Mosquitto(self.folder, self.house.configuration.read_text(), port=self.house.port)

    def _plan(self, names: list[str]) -> Path:
        settings = {}
        for name in names:
            password, _ = admit(self.house, name)
            file = self.folder / f"{name}.password"
            file.write_text(password)
            settings[name] = {
                "host": "localhost",
                "port": self.house.port,
                "station": name,
                "password_file": str(file),
                "ca_file": str(self.house.authority),
            }
        plan = self.folder / f"{names[0]}.json"
        document = {
            "folder": str(self.folder),
            "settings": settings,
            "seeds": {name: self.seeds[name] for name in names},
            "heads": {name: self._head(name) for name in names},
            "every_s": self.every_s,
            "done": str(plan.with_suffix(".done")),
        }
        plan.write_text(json.dumps(document))
        return plan

    def _pairing(self, station: str) -> Pairing:
        [table] = [table for table, name in self.tournament.tables.items() if name == station]
        found = self.tournament.rounds[0].at(table)
        assert found is not None
        return found

    def _head(self, station: str) -> dict[str, str]:
        """The game of the round at this station, as an organiser's order would name it."""
        a, b = map(self.tournament.name_of, self._pairing(station).players)
        return {"rules": "base", "player A": a, "player B": b, "round": "1"}

    def start(self, name: str) -> None:
        program = (
            ["firmware", "event", "run", "--no-broker", "--folder", str(self.house.folder)]
            if name == "hub"
            else ["tests.firmware.event.tables", name]
        )
        with (self.folder / f"{Path(name).stem}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen([sys.executable, "-m", *program], stdout=log, stderr=log)

    def start_all(self) -> None:
        self.broker.start()
        for name in ("hub", *map(str, self.plans)):
            self.start(name)

    def kill_one(self) -> None:
        """kill -9 of the broker, the hub or a process of tables, and a new start."""
        what = self.random.choice(("broker", "hub", "tables"))
        self.kills[what] += 1
        if what == "broker":
            self.broker.kill()
            self.broker.start()
            return
        name = "hub" if what == "hub" else str(self.random.choice(self.plans))
        self.processes[name].kill()
        self.processes[name].wait()
        self.start(name)

    def is_done(self) -> bool:
        for name, process in self.processes.items():
            assert process.poll() is None, (name, (self.folder / f"{Path(name).stem}.log").read_text()[-2000:])
        return all(plan.with_suffix(".done").exists() for plan in self.plans)

    def stop(self) -> None:
        for process in self.processes.values():
            process.kill()
            process.wait()
        self.broker.kill()

    def proved(self) -> None:
        """No entry lost, none twice, and everybody stands as they played."""
        archive = self.house.archive
        stored = [one for one, _ in checked(connect(archive), archive)]
        for name in self.seeds:
            copy = [one.entry for one in stored if one.station == name]
            assert copy == list(Reader(self.folder / f"{name}.db").entries()), name
        state = folded(EventState(), stored)
        for name, seeds in self.seeds.items():
            games = sorted(
                (game for game in state.games.values() if game.station == name), key=lambda game: game.number
            )
            assert len(games) == len(seeds), name
            standing, true = Counter[str](), Counter[str]()
            for game, seed in zip(games, seeds, strict=True):
                winner, stones = truth(seed)
                true.update(points(winner, stones))
                assert game.winner == winner, (name, seed)
                if game.is_over:
                    standing.update(points(game.winner, dict(game.score)))
                else:
                    standing.update(points(None, stones))  # nobody could do anything any more
            assert standing == true, name
        self._standings_are_true(stored)
        assert audit(archive).wrong == []

    def _standings_are_true(self, stored: list[Stored]) -> None:
        """The hub has entered the round's game of every table once, with the points that were played for."""
        facts = [(decode(one.entry.line), one.entry.at, one.entry.who) for one in stored if one.station == HUB]
        tournament = fold(facts)
        [played] = tournament.rounds
        true: dict[int, int] = {}
        for name, seeds in self.seeds.items():
            pairing, (winner, stones) = self._pairing(name), truth(seeds[0])
            entered = played.entries.get(pairing.table or 0, ())
            assert [(one.result.winner, one.who) for one in entered] == ([(winner, "station")] if winner else []), name
            scored = points(winner, stones) if winner else dict.fromkeys("AB", 0)  # left for a judge to enter
            true |= dict(zip(pairing.players, (scored["A"], scored["B"]), strict=True))
        assert {line.player.number: line.points for line in standings(tournament)} == true


def run(event: Event, kills: int, every_s: float, within_s: float) -> None:
    try:
        event.start_all()
        end = time.monotonic() + within_s
        for _ in range(kills):
            time.sleep(every_s * (0.5 + event.random.random()))
            event.kill_one()
        while not event.is_done():
            assert time.monotonic() < end, f"not done after {within_s} s; {dict(event.kills)}"
            time.sleep(0.5)
    finally:
        event.stop()
    event.proved()


def test_a_small_event_survives_kills_of_broker_hub_and_stations(tmp_path: Path) -> None:
    run(Event(tmp_path, stations=4, each=2, games=1, every_s=0.02, random=Random(1)), 4, 0.8, within_s=120)


@pytest.mark.long
def test_two_hundred_stations_play_through_a_hundred_and_fifty_kills(tmp_path: Path) -> None:
    run(Event(tmp_path, stations=200, each=10, games=2, every_s=2.0, random=Random(7)), 150, 2.0, within_s=3600)
