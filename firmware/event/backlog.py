"""Entries that have come and are not stored yet, station by station: nobody waits for another's, and calls go first.

A hub that has more to do than it can is behind; it says so, and what tables call a judge for is still seen at once.
What the backlog has no room for stays at the broker, or is sent again by the station: it was never acknowledged. Knows
messages as they came; opens none of them.
"""

from __future__ import annotations

from collections import deque

FULL = 1 << 26  # bytes
SHARE = 1 << 14  # bytes of one station before the next has its turn
CALL = "judge-called"  # stands in every message with such an entry


class Backlog:
    """Messages by station, each station's in the order in which they came."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[bytes]] = {}  # in the order of turns
        self._calling: dict[str, int] = {}  # how many of a station's messages there are until its last call
        self._bytes = 0
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def is_full(self) -> bool:
        return self._bytes >= FULL

    def add(self, station: str, payload: bytes) -> None:
        self._waiting.setdefault(station, deque()).append(payload)
        self._bytes += len(payload)
        self._count += 1
        if CALL.encode() in payload:
            self._calling[station] = len(self._waiting[station])

    def take(self, most: int) -> list[tuple[str, bytes]]:
        """About so many bytes of messages, of each station in turn; those that call a judge first, up to the call."""
        taken: list[tuple[str, bytes]] = []
        left = most
        while self._waiting and left > 0:
            station = next(iter(self._calling or self._waiting))
            before = len(taken)
            left -= self._turn(station, min(SHARE, left), taken)
            ahead = self._calling.pop(station, 0) - (len(taken) - before)
            if ahead > 0:
                self._calling[station] = ahead  # behind the others that call
        return taken

    def _turn(self, station: str, share: int, taken: list[tuple[str, bytes]]) -> int:
        """Takes a station's share, at least one message; how many bytes it was."""
        queue = self._waiting.pop(station)
        weight = 0
        while queue and weight < share:
            payload = queue.popleft()
            weight += len(payload)
            taken.append((station, payload))
            self._count -= 1
        self._bytes -= weight
        if queue:
            self._waiting[station] = queue
        return weight
