"""What everybody may read: the newest snapshot of each kind, pushed to all who watch.

The station's thread pins, the page's thread reads. A reader that is slow skips what is old and gets the newest whole;
one that comes back after a break gets it at once. Pinning costs the station a lock and a wake-up, whoever watches.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

BEAT_S = 15.0  # a sign of life, so that proxies and phones keep the line open


@dataclass(frozen=True, slots=True)
class Notice:
    """Something pinned: its kind, its number and what it says."""

    kind: str
    number: int
    content: Any


class Noticeboard:
    """One notice a kind, the newest."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._notices: dict[str, Notice] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed: asyncio.Event | None = None
        self._closed = False

    def pin(self, kind: str, content: Any) -> None:
        """From any thread."""
        with self._lock:
            before = self._notices.get(kind)
            self._notices[kind] = Notice(kind, 1 if before is None else before.number + 1, content)
        self._wake()

    def newest(self, kind: str) -> Notice | None:
        with self._lock:
            return self._notices.get(kind)

    def attend(self) -> None:
        """Called once in the page's event loop, before anybody follows."""
        self._loop, self._changed = asyncio.get_running_loop(), asyncio.Event()

    def close(self) -> None:
        """Sends everybody home."""
        self._closed = True
        self._wake()

    async def follow(self, kinds: tuple[str, ...]) -> AsyncIterator[Notice | None]:
        """Each newest notice of these kinds, first those that hang already; None is a sign of life."""
        seen: dict[str, int] = {}
        while not self._closed:
            changed = self._changed
            if changed is None:
                raise RuntimeError("the noticeboard is not attended yet")
            fresh = [notice for kind in kinds if (notice := self.newest(kind)) and notice.number != seen.get(kind)]
            for notice in fresh:
                seen[notice.kind] = notice.number
                yield notice
            if fresh:
                continue
            try:
                await asyncio.wait_for(changed.wait(), BEAT_S)
            except TimeoutError:
                yield None

    def _wake(self) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._ring)

    def _ring(self) -> None:
        """Wakes everybody who waits now; who comes later waits for the next ring."""
        changed, self._changed = self._changed, asyncio.Event()
        if changed is not None:
            changed.set()
