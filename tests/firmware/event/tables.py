"""Some tables of an event as a process of their own, to be killed: `python -m tests.firmware.event.tables PLAN.json`.

Each table plays the games of its seeds, fact by fact, into a real journal with a real courier. Started again it goes on
where its journal ends, as a station does. Ends when every game is over and the hub has acknowledged all of it.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from random import Random

from engine.schotten_totten.options import Rules
from firmware.commands import Tell
from firmware.simulation.players import play_game
from hardware_config.settings import MqttBroker
from tests.firmware.event.scene import SceneStation


def facts(seed: int) -> list[str]:
    """All that happens in the game of a seed."""
    return [str(step.fact) for step in play_game(Rules(), Random(seed))]


class Table:
    """One station, and what is to be played there."""

    def __init__(
        self, name: str, folder: Path, settings: MqttBroker, seeds: list[int], head: dict[str, str], every_s: float
    ) -> None:
        self._station = SceneStation(name, folder, settings=settings)
        self._seeds = seeds
        self._every_s = every_s
        self._next_s = time.monotonic() + every_s * Random(name).random()
        self._retry_s = 0.0
        if not self._station.station.resume() and self._game() == 0:
            self._station.station.begin(head)  # the round's; what they play after it is for fun
        self._left = self._lines()

    def _game(self) -> int:
        return max((entry.game for entry in self._station.journal.entries()), default=0)

    def _lines(self) -> Iterator[str]:
        """What is still to be told, game after game."""
        number = self._game()
        told = sum(entry.kind.value == "fact" for entry in self._station.journal.entries(number))
        first = facts(self._seeds[number - 1])
        yield from first[told:]
        for seed in self._seeds[number:]:
            self._station.station.begin({"rules": "base"})
            yield from facts(seed)

    def round(self) -> bool:
        """Plays on and sends on; True when all is over and acknowledged."""
        now_s = time.monotonic()
        if now_s >= self._next_s:
            self._next_s = now_s + self._every_s
            line = next(self._left, None)
            if line is not None:
                self._station.station.take(Tell(line, "camera"))
            else:
                self._next_s = float("inf")
        if now_s >= self._retry_s and not self._station.round():
            self._retry_s = now_s + 0.3
        if self._next_s != float("inf"):
            return False
        return self._station.courier.acknowledged == self._last

    @cached_property
    def _last(self) -> int:
        """The last entry, once nothing more is played."""
        return sum(1 for _ in self._station.journal.entries())


def main(plan: Path) -> None:
    document = json.loads(plan.read_text())
    settings = {name: MqttBroker.model_validate(one) for name, one in document["settings"].items()}
    tables = [
        Table(name, Path(document["folder"]), settings[name], seeds, document["heads"][name], document["every_s"])
        for name, seeds in document["seeds"].items()
    ]
    waiting = set(range(len(tables)))
    while waiting:
        started_s = time.monotonic()
        done = {number for number, table in enumerate(tables) if table.round()}
        waiting = set(range(len(tables))) - done
        time.sleep(max(0.01, 0.1 - (time.monotonic() - started_s)))
    Path(document["done"]).touch()
    while True:  # stays connected, as stations do
        for table in tables:
            table.round()
        time.sleep(0.2)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
