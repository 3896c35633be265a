"""An event in one program, for tests of its page: hub, page and stations without cameras, over a broker in memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from firmware.clocks import SystemClock
from firmware.event.page.front import Front, open_front
from firmware.event.roles import Role
from firmware.simulation.exchange import Exchange
from tests.firmware.event.scene import SceneStation, hub_at, over


class HubPage:
    """The hub in a thread of its own, with its page and its tables."""

    def __init__(self, folder: Path, tables: tuple[str, ...] = ()) -> None:
        self.exchange = Exchange()
        self.clock = SystemClock()
        self.log: list[str] = []
        self.hub = hub_at(folder, make=over(self.exchange), log=self.log)
        self.front: Front = open_front(self.hub, folder, self.clock, port=0, log=self.log.append)
        self.tables = {name: SceneStation(name, folder, make=over(self.exchange)) for name in tables}
        for table in self.tables.values():
            table.station.begin({"rules": "base"})
        self.afterwards: list[Callable[[], None]] = []  # what is to be closed before the page stops
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)

    @property
    def address(self) -> str:
        return self.front.address

    @property
    def office(self) -> Any:
        return self.front.services.office

    def do(self, errand: Callable[[], Any]) -> Any:
        """Something done in the hub's thread, where the tables are too."""
        return self.hub.errand(errand).result(60)

    def tell(self, *facts: Any, who: str = "Olga") -> None:
        self.do(lambda: self.office.tell(facts, who))

    def badge(self, role: Role, name: str, player: int | None = None) -> str:
        return self.front.services.badges.give(role, name, player)

    def start(self) -> None:
        self.front.start()
        self._thread.start()

    def stop(self) -> None:
        for close in self.afterwards:
            close()
        self._stopping.set()
        self._thread.join(5)
        self.front.stop()
        for table in self.tables.values():
            table.close()
        self.hub.close()

    def _work(self) -> None:
        while not self._stopping.is_set():
            for table in self.tables.values():
                table.round()
            self.hub.step(0.0)
            self.front.tick()
            time.sleep(0.01)


@contextmanager
def hub_page(folder: Path, tables: tuple[str, ...] = ()) -> Iterator[HubPage]:
    page = HubPage(folder, tables)
    page.start()
    try:
        yield page
    finally:
        page.stop()
