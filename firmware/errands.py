"""Errands: things that others want done in the thread that owns a state. Knows futures and a queue, nothing else."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import TypeVar

T = TypeVar("T")


class Errands:
    """`errand` is called from any thread, `work` from the owner's own, once a round."""

    def __init__(self) -> None:
        self._errands: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def errand(self, do: Callable[[], T]) -> Future[T]:
        """Has something done in the owner's thread; what it returns or raises comes back through the future."""
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

    def work(self) -> None:
        """Does all errands that wait."""
        while True:
            try:
                run = self._errands.get_nowait()
            except Empty:
                return
            run()
