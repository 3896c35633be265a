"""The desk between the page and the station: errands go over it, and are done in the thread that owns the state.

Knows futures and a queue; knows neither game nor browser.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import TypeVar

from firmware.commands import Command
from firmware.station import Station

T = TypeVar("T")


class Desk:
    """`errand` and `ask` are called from any thread, `work` from the station's own, once a round."""

    def __init__(self, station: Station) -> None:
        self.station = station
        self._errands: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def errand(self, do: Callable[[], T]) -> Future[T]:
        """Has something done in the station's thread; what it returns or raises comes back through the future."""
        promised: Future[T] = Future()

        def run() -> None:
            if not promised.set_running_or_notify_cancel():
                return
            try:
                promised.set_result(do())
            except Exception as error:
                promised.set_exception(error)

        self._errands.put(run)
        return promised

    def ask(self, command: Command) -> Future[str | None]:
        """Asks something of the station; the answer is why it cannot be done, or None."""
        return self.errand(lambda: self.station.take(command))

    def work(self) -> None:
        """Does all errands that wait."""
        while True:
            try:
                run = self._errands.get_nowait()
            except Empty:
                return
            run()
