"""The hub: what stations send becomes stored entries, a read model, and acknowledgements. One thread owns it.

gather, decide, apply: what has come is stored in one commit, folded in, acknowledged, and shown to whoever subscribed.
When it is more than one round can take the rest waits in the backlog, where calls go first. What a judge does comes as
an errand, is an entry of the hub's own journal first, and goes to the station as an order until its journal answers.
Whatever is not as it should be is refused, counted and logged, and has no effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from types import MappingProxyType
from typing import Any

from firmware.errands import Errands
from firmware.event import topics, wire
from firmware.event.archive import Accepted, Archive, Stored
from firmware.event.backlog import CALL, Backlog
from firmware.event.documents import BadMessage
from firmware.event.facts import Fact, encode
from firmware.event.live import Presence
from firmware.event.refusals import STRANGER, Budget, Refusals
from firmware.event.state import EventState, OrderState, folded
from firmware.event.wire import Ack, Order, Parcel
from firmware.faults import PartFault
from firmware.journal import Kind, Line
from firmware.ports import Broker, Clock

WAIT_S = 0.05
AT_ONCE = 1 << 18  # bytes of entries in one commit: a round of the loop stays well below a second
ACK_EVERY_S = 2.0  # a station that sends much is acknowledged all at once
# What is read of one station, what of it is new, and how often it calls before the log names it. A station writes an
# entry in ten seconds; one that was away for days has some ten thousand.
MESSAGES_A_SECOND, MESSAGES_AT_ONCE, A_MESSAGE = 40.0, 400.0, 1 << 14  # bytes: a longer one counts for more
ENTRIES_A_SECOND, ENTRIES_AT_ONCE = 10.0, 30_000.0
CALLS_A_SECOND, CALLS_AT_ONCE = 1 / 60, 10.0
AGAIN_S = 5.0  # an order that was not answered is sent again
PAUSES_S = (0.2, 1.0, 2.0, 5.0)  # before the broker is tried again
STEADY_S = 3.0  # a connection that lasted so long was one
QUIETLY = 2  # times that it is tried first: a broker that is started with the hub needs a moment


@dataclass(frozen=True)
class Update:
    """What subscribers get: the read model, who is there, and the entries that came just now. Numbers have no gap.
    `behind` is how many messages have come that are not in it yet."""

    number: int
    state: EventState
    live: Mapping[str, Presence]
    stored: tuple[Stored, ...] = ()
    behind: int = 0


Subscriber = Callable[[Update], None]


class Hub(Errands):
    """`step` is called in one thread, again and again; `errand` and `subscribe` as errands are."""

    def __init__(self, archive: Archive, broker: Broker, clock: Clock, log: Callable[[str], None]) -> None:
        super().__init__()
        self.archive = archive
        self.state = folded(EventState(), archive.entries())
        self.live: dict[str, Presence] = {}
        self.fault: str | None = "not connected yet"
        self.refusals = Refusals(clock, log)
        self._messages = Budget(clock, MESSAGES_A_SECOND, MESSAGES_AT_ONCE)
        self._entries = Budget(clock, ENTRIES_A_SECOND, ENTRIES_AT_ONCE)
        self._calls = Budget(clock, CALLS_A_SECOND, CALLS_AT_ONCE)
        self._backlog = Backlog()
        self._broker = broker
        self._clock = clock
        self._log = log
        self._subscribers: list[Subscriber] = []
        self._updates = 0
        self._is_news = False
        self._owed: dict[str, str] = {}  # the book to acknowledge, by station: only the last word is kept for it anyway
        self._acked_s: dict[str, float] = {}
        self._sent_s: dict[tuple[str, str], float] = {}
        self._failures = 0
        self._try_at_s = self._connected_s = clock.monotonic_s()

    def subscribe(self, subscriber: Subscriber) -> None:
        self._subscribers.append(subscriber)

    def step(self, wait_s: float = WAIT_S) -> None:
        """One round. The event goes on without the broker: judges can act, and orders wait."""
        try:
            self._connect()
            if self.fault is None and not self._backlog.is_full:
                self._sort(self._broker.received(0.0 if self._backlog else wait_s))
        except PartFault as fault:
            self._lost(fault)
        self.take(list(self._opened(self._backlog.take(AT_ONCE))))
        self.work()
        if self.fault is None:
            try:
                self._acknowledge()
                self._send_orders()
            except PartFault as fault:
                self._lost(fault)
        else:
            self._clock.sleep(wait_s)
        if self._is_news:
            self._show(())

    def take(self, parcels: Sequence[tuple[str, Parcel]]) -> Accepted:
        """Stores what continues a journal, folds it in, and owes its station an acknowledgement."""
        accepted = self.archive.accept(parcels)
        for refusal in accepted.refused:
            self.refusals.note(refusal.station, refusal.why)
        for stored in accepted.stored:
            if stored.entry.kind is Kind.NOTE and CALL in stored.entry.line and not self._calls.allows(stored.station):
                self.refusals.note(stored.station, "calls a judge again and again; it is one call of a kind")
        self._owed.update((station, parcel.book) for station, parcel in parcels)
        self._adopt(accepted.stored)
        return accepted

    def write(self, facts: Iterable[Fact], who: str) -> tuple[Stored, ...]:
        """Writes facts to the hub's own journal, then folds them in; in the hub's thread only."""
        return self.write_lines((encode(fact) for fact in facts), who)

    def write_lines(self, lines: Iterable[str], who: str) -> tuple[Stored, ...]:
        """The same for facts that are lines already, such as those of the rounds."""
        stored = self.archive.add([Line(Kind.FACT, line, who) for line in lines])
        self._adopt(stored)
        return stored

    def tell_all(self, topic: str, document: Mapping[str, Any]) -> None:
        """Something for every station, kept for those that come later; said again after a break by whoever says it."""
        if self.fault is None:
            self._broker.publish(topic, document, retain=True)

    def close(self) -> None:
        self._broker.close()
        self.archive.close()

    def _connect(self) -> None:
        if self.fault is None or self._clock.monotonic_s() < self._try_at_s:
            return
        self._broker.open()
        spoken = {"protocol": topics.PROTOCOL_NUMBER, "version": version("marchwarden")}
        self._broker.publish(topics.PROTOCOL, spoken, retain=True)
        self.fault, self._connected_s, self._is_news = None, self._clock.monotonic_s(), True
        self._sent_s.clear()
        self._acked_s.clear()
        self._owed.update((record.name, record.book) for record in self.state.stations.values())

    def _lost(self, fault: PartFault) -> None:
        now_s, was_there = self._clock.monotonic_s(), self.fault is None
        if was_there and now_s - self._connected_s >= STEADY_S:
            self._failures = 0
        if (was_there and not self._failures) or self._failures == QUIETLY:
            self._log(str(fault))  # one that denies what the hub writes breaks off again and again
        self.fault, self._is_news = str(fault), True
        self._try_at_s = now_s + PAUSES_S[min(self._failures, len(PAUSES_S) - 1)]
        self._failures += 1
        self._broker.close()

    def _sort(self, messages: Iterable[tuple[str, bytes]]) -> None:
        """Entries join the backlog; the other messages take effect here."""
        for topic, payload in messages:
            address = topics.parse(topic)
            if address is None or address.station == topics.HUB:
                self.refusals.note(STRANGER, "a message under no station's name")
            elif not self._messages.allows(address.station, 1 + len(payload) / A_MESSAGE):
                self.refusals.note(address.station, "too many messages at once; what it holds will come again")
            elif address.about == "ev":
                self._backlog.add(address.station, payload)
            else:
                try:
                    self._note(address, payload)
                except BadMessage as error:
                    self.refusals.note(address.station, f"{address.about}: {error}")

    def _opened(self, messages: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, Parcel]]:
        """The parcels in some messages."""
        for station, payload in messages:
            try:
                parcel = wire.parcel(payload)
            except BadMessage as error:
                self.refusals.note(station, f"ev: {error}")
                continue
            ahead = parcel.entries[-1].seq - self.archive.head(station, parcel.book).seq
            if self._entries.allows(station, max(0, min(ahead, len(parcel.entries)))):
                yield station, parcel
            else:
                self.refusals.note(station, "more entries than any table writes; what it holds will be taken slowly")

    def _note(self, address: topics.Address, payload: bytes) -> None:
        station = address.station
        before = self.live.get(station, Presence(station))
        if not payload:  # a retained message was taken back: the station left the event
            after = Presence(station)
        elif address.about == "status":
            status = wire.status(payload)
            after = before.after_status(status, self._now())
            if status.online and status.book:
                self._owed[station] = status.book
                self._sent_s = {key: at_s for key, at_s in self._sent_s.items() if key[0] != station}
        elif address.about == "picture":
            after = replace(before, picture=wire.picture(payload))
        else:
            after = before.after_glimpse(wire.glimpse(payload))
        if after != before:
            self.live[station] = after
            self._is_news = True

    def _adopt(self, stored: tuple[Stored, ...]) -> None:
        if stored:
            self.state = folded(self.state, stored)
            self._show(stored)

    def _show(self, stored: tuple[Stored, ...]) -> None:
        self._updates += 1
        self._is_news = False
        update = Update(self._updates, self.state, MappingProxyType(dict(self.live)), stored, len(self._backlog))
        for subscriber in self._subscribers:
            subscriber(update)

    def _acknowledge(self) -> None:
        """Says how far the hub has each journal that came up; what could not be said is said after the next opening."""
        now_s = self._clock.monotonic_s()
        for station, book in list(self._owed.items()):
            if now_s - self._acked_s.get(station, -ACK_EVERY_S) < ACK_EVERY_S:
                continue
            head = self.archive.head(station, book)
            ack = Ack(book, head.seq, head.hash if head.seq else "")
            self._broker.publish(topics.ack(station), ack.document(), retain=True)
            self._acked_s[station] = now_s
            del self._owed[station]

    def _send_orders(self) -> None:
        now_s = self._clock.monotonic_s()
        for order in self.state.waiting():
            station = order.given.station
            presence = self.live.get(station)
            key = station, order.number
            if presence is None or not presence.online or now_s - self._sent_s.get(key, -AGAIN_S) < AGAIN_S:
                continue
            self._sent_s[key] = now_s
            self._broker.publish(topics.order(station, order.number), _order(order).document(), retain=False)

    def _now(self) -> str:
        return self._clock.now().isoformat(timespec="milliseconds")


def _order(order: OrderState) -> Order:
    given = order.given
    return Order(order.number, given.book, given.game, order.by, given.command)
