"""The journal as an outbox: which entries the hub has, which were sent, and which go next.

What was not acknowledged is sent again, after a while and after every opening, and more and more patiently, so that no
hub drowns in the same. Knows the journal and how late it is; knows no broker.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from firmware.event.archive import book_of
from firmware.event.documents import LARGEST
from firmware.event.wire import Ack, Parcel
from firmware.faults import JournalFault, PartFault
from firmware.journal import Entry, Reader

AGAIN_S, LATEST_AGAIN_S = 5.0, 40.0  # without an answer; twice as long each time
ANSWER_S = 1.0  # how long the hub's last word is waited for after an opening
PARCEL = 100  # entries
AHEAD = 10 * PARCEL  # entries sent beyond what was acknowledged
BYTES = LARGEST // 2


class Outbox:
    """Of one journal. `book` names it, and is empty while it has no entry."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._reader: Reader | None = None
        self._sent: int | None = None  # None until the hub has said how far it is, or was waited for
        self._heard_s, self._again_s = 0.0, AGAIN_S
        self.book = ""
        self.acknowledged = 0

    def open(self, now_s: float) -> None:
        """Begins anew: what the hub has is what it says from now on."""
        self._sent, self.acknowledged = None, 0
        self._heard_s, self._again_s = now_s, AGAIN_S
        self.book = self._named()

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def hear(self, ack: Ack, now_s: float) -> None:
        """The hub says how far it has a journal; raises PartFault when it is not this one that it has."""
        if ack.book != self.book:
            return  # about a journal that was set aside
        if ack.seq:
            found = self._entries(ack.seq - 1, 1)
            if not found or found[0].hash != ack.hash:
                raise PartFault("broker", f"the hub has another entry {ack.seq} than this journal; call the organiser")
        if ack.seq < self.acknowledged or self._sent is None:  # a hub that forgot, or its first word after an opening
            self._sent = ack.seq
        if ack.seq > self.acknowledged:
            self._heard_s, self._again_s = now_s, AGAIN_S
        self.acknowledged = ack.seq

    def due(self, now_s: float) -> Iterator[Parcel]:
        """What goes to the hub now; a parcel counts as sent once the next one is asked for."""
        if not self.book:
            self.book = self._named()
        if self._sent is None:
            if now_s - self._heard_s < ANSWER_S:
                return
            self._sent = 0
        if self._sent > self.acknowledged and now_s - self._heard_s > self._again_s:
            self._sent, self._heard_s = self.acknowledged, now_s
            self._again_s = min(2 * self._again_s, LATEST_AGAIN_S)
        while self._sent - self.acknowledged < AHEAD and (entries := self._entries(self._sent, PARCEL)):
            if self._sent == self.acknowledged:
                self._heard_s = now_s
            parcel = Parcel(self.book, _light(entries))
            yield parcel
            self._sent = parcel.entries[-1].seq

    def _named(self) -> str:
        first = self._entries(0, 1)
        return book_of(first[0]) if first else ""

    def _entries(self, after: int, most: int) -> tuple[Entry, ...]:
        try:
            if self._reader is None:
                self._reader = Reader(self._journal)
            return self._reader.following(after, most)
        except JournalFault as fault:
            raise PartFault("broker", f"the journal cannot be sent: {fault}") from fault


def _light(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """As many of the entries as one message may carry, at least one."""
    weight, count = 0, 0
    for entry in entries:
        weight += len(entry.line.encode()) + len(entry.who.encode()) + 200
        if count and weight > BYTES:
            break
        count += 1
    return entries[:count]
