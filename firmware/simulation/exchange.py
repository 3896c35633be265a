"""A broker without a network: as unreliable as a real one may be, from a seed, in no time at all.

It keeps retained messages and last wills and lets nobody write under another's name, as mosquitto does with our
configuration; it loses, doubles and delays messages as it is told to, and forgets everything when it is killed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from firmware.event.documents import encoded
from firmware.event.topics import HUB, PROTOCOL, parse
from firmware.faults import PartFault


@dataclass
class Exchange:
    """The broker itself. `lost`, `doubled` and `delayed` are how likely each is to happen to a message."""

    random: Random = field(default_factory=lambda: Random(0))
    lost: float = 0.0
    doubled: float = 0.0
    delayed: float = 0.0
    is_up: bool = True
    cut: set[str] = field(default_factory=set)  # who cannot reach it
    denied: int = 0

    def __post_init__(self) -> None:
        self.retained: dict[str, bytes] = {}
        self.lines: list[ExchangeBroker] = []

    def kill(self) -> None:
        """As when its power is cut: all connections break, and what it had in memory is gone."""
        self.is_up = False
        self.retained.clear()
        for line in list(self.lines):
            line.broken()

    def drop(self, user: str) -> None:
        """Breaks the connections of one user; the broker says what they left as their will."""
        for line in [line for line in self.lines if line.user == user]:
            line.broken()
            if line.will is not None and self.is_up:
                self.carry(line.user, line.will[0], encoded(line.will[1]), retain=True)

    def carry(self, user: str, topic: str, payload: bytes, *, retain: bool) -> None:
        if not _may_write(user, topic):
            self.denied += 1
            raise PartFault("broker", f"the broker denies what {user} writes: Not authorized")
        if retain:
            self.retained[topic] = payload
        for line in list(self.lines):
            if line.hears(topic):
                self._deliver(line, topic, payload)

    def _deliver(self, line: ExchangeBroker, topic: str, payload: bytes) -> None:
        chance = self.random.random()
        if chance < self.lost:
            return
        for _ in range(2 if self.random.random() < self.doubled else 1):
            at = len(line.inbox)
            if self.random.random() < self.delayed:
                at = self.random.randint(0, at)
            line.inbox.insert(at, (topic, payload))


class ExchangeBroker:
    """One connection to the exchange; a Broker like the real one."""

    def __init__(
        self,
        exchange: Exchange,
        user: str,
        subscriptions: tuple[str, ...],
        will: tuple[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self.user = user
        self.will = will
        self.inbox: list[tuple[str, bytes]] = []
        self._exchange = exchange
        self._subscriptions = subscriptions

    def open(self) -> None:
        if not self._exchange.is_up or self.user in self._exchange.cut:
            raise PartFault("broker", "no broker answers")
        self.broken()
        self._exchange.lines.append(self)
        self.inbox = [(topic, payload) for topic, payload in self._exchange.retained.items() if self.hears(topic)]

    def publish(self, topic: str, document: Mapping[str, Any], *, retain: bool) -> None:
        self._check()
        self._exchange.carry(self.user, topic, encoded(document), retain=retain)

    def received(self, wait_s: float) -> tuple[tuple[str, bytes], ...]:
        self._check()
        messages, self.inbox = tuple(self.inbox), []
        return messages

    def close(self) -> None:
        self.broken()

    def broken(self) -> None:
        if self in self._exchange.lines:
            self._exchange.lines.remove(self)
        self.inbox = []

    def hears(self, topic: str) -> bool:
        return any(_matches(pattern.split("/"), topic.split("/")) for pattern in self._subscriptions)

    def _check(self) -> None:
        if self not in self._exchange.lines or self.user in self._exchange.cut:
            self.broken()
            raise PartFault("broker", "the connection to the broker broke")


def _may_write(user: str, topic: str) -> bool:
    address = parse(topic)
    if user == HUB:
        return address is not None or topic == PROTOCOL
    return address is not None and user == address.station and address.about[:3] not in ("ack", "cmd")


def _matches(pattern: list[str], topic: list[str]) -> bool:
    return len(pattern) == len(topic) and all(one in ("+", other) for one, other in zip(pattern, topic, strict=True))
