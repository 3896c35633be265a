"""How long the stages of one piece of work take, one after the other."""

from __future__ import annotations

from time import perf_counter


class Stages:
    """Milliseconds by stage; each one ends where the next begins."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}
        self._began_s = perf_counter()

    def end(self, name: str) -> None:
        now_s = perf_counter()
        self.ms[name] = 1000 * (now_s - self._began_s)
        self._began_s = now_s
