"""The hub's store: a copy of every station's journal, entry by entry with its hash chain, and the hub's own.

SQLite with a write-ahead log that is synced at every commit. An entry is taken only when it continues the chain of its
journal; one that is there already is no news, one that comes too early is left for later, one that contradicts what is
there is refused. Entries are kept in the order in which they came, under a second chain of seals over all of them, so
that the read model can be folded from them again and none can be changed, moved or taken out unseen.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.event.topics import HUB
from firmware.event.wire import BOOK_LETTERS, Parcel
from firmware.faults import JournalDamaged, JournalFault, JournalUnwritable
from firmware.journal import GENESIS, Entry, Kind, Line, chained, connect, fault, locked, unlock
from firmware.ports import Clock

ROW = (int, str, str, str, int, int, *6 * (str,))  # a damaged file may hold something else all the same
SEAL = hashlib.sha256(b"marchwarden event 1").hexdigest()
SCHEMA = """
CREATE TABLE IF NOT EXISTS archive (
    arrival INTEGER PRIMARY KEY, received TEXT NOT NULL, station TEXT NOT NULL, book TEXT NOT NULL,
    seq INTEGER NOT NULL, game INTEGER NOT NULL, kind TEXT NOT NULL, line TEXT NOT NULL,
    who TEXT NOT NULL, at TEXT NOT NULL, hash TEXT NOT NULL, seal TEXT NOT NULL,
    UNIQUE (station, book, seq)
) STRICT
"""
COLUMNS = "arrival, received, station, book, seq, game, kind, line, who, at, hash, seal"

Fresh = dict[tuple[str, str, int], Entry]  # by station, book and number


@dataclass(frozen=True, slots=True)
class Stored:
    """An entry as the hub has it: from which station and journal, as which one it came, and when by the hub's clock."""

    arrival: int
    received: str
    station: str
    book: str
    entry: Entry


@dataclass(frozen=True, slots=True)
class Head:
    """The last entry of a journal."""

    seq: int = 0
    hash: str = GENESIS


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something that a station sent was not taken."""

    station: str
    why: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of some parcels."""

    stored: tuple[Stored, ...] = ()
    refused: tuple[Refusal, ...] = ()


def book_of(first: Entry) -> str:
    """The name of the journal that begins with this entry."""
    return first.hash[:BOOK_LETTERS]


def sealed(previous: str, received: str, station: str, book: str, digest: str) -> str:
    """The seal of an entry that came after the one with the seal `previous`."""
    return hashlib.sha256(f"{previous} {received} {station} {book} {digest}".encode()).hexdigest()


class Archive:
    """The one writer of an event's store. The hub's own journal is one of the books in it."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self.path = path
        self._clock = clock
        self._lock = locked(path, "hub of this event")
        try:
            _reserve(path)
            self._db = connect(path, SCHEMA)
            self._heads: dict[tuple[str, str], Head] = {}
            self._arrival, self._seal = 0, SEAL
            for stored, seal in checked(self._db, path):
                self._arrival, self._seal = stored.arrival, seal
                self._heads[stored.station, stored.book] = Head(stored.entry.seq, stored.entry.hash)
        except JournalFault:
            unlock(self._lock)
            raise

    @property
    def event(self) -> str:
        """The name of the hub's own journal; empty before its first entry."""
        return next((book for station, book in self._heads if station == HUB), "")

    def head(self, station: str, book: str) -> Head:
        """How far the hub has this journal."""
        return self._heads.get((station, book), Head())

    def heads(self) -> dict[tuple[str, str], Head]:
        """How far the hub has each journal, by station and book."""
        return dict(self._heads)

    def entries(self, station: str | None = None, book: str | None = None, game: int | None = None) -> Iterator[Stored]:
        """What is kept, in the order in which it came; of one station, journal or game if they are named."""
        for stored, _ in _rows(self._db, self.path, station=station, book=book, game=game):
            yield stored

    def add(self, lines: Iterable[Line]) -> tuple[Stored, ...]:
        """Writes to the hub's own journal; when it returns they are on the disk."""
        at = self._now()
        book = self.event
        head = self.head(HUB, book)
        entries = []
        for line in lines:
            digest = chained(head.hash, head.seq + 1, 0, line.kind, line.text, line.who, at)
            entries.append(Entry(head.seq + 1, 0, line.kind, line.text, line.who, at, digest))
            book, head = book or book_of(entries[0]), Head(head.seq + 1, digest)
        return self._write({(HUB, book, entry.seq): entry for entry in entries}, {(HUB, book): head})

    def accept(self, parcels: Iterable[tuple[str, Parcel]]) -> Accepted:
        """Takes what continues a journal, all of it in one commit; when it returns it is on the disk."""
        heads: dict[tuple[str, str], Head] = {}
        fresh: Fresh = {}
        refused: list[Refusal] = []
        for station, parcel in parcels:
            key = station, parcel.book
            head = heads.get(key) or self.head(*key)
            known = self._known(station, parcel)
            for entry in parcel.entries:
                if entry.seq == head.seq + 1:
                    why = _not_next(head, parcel.book, entry)
                    if why is not None:
                        refused.append(Refusal(station, why))
                        break
                    head = Head(entry.seq, entry.hash)
                    fresh[station, parcel.book, entry.seq] = entry
                elif entry.seq <= head.seq:
                    first = known.get(entry.seq) or fresh[station, parcel.book, entry.seq].hash
                    if first != entry.hash:
                        why = f"entry {entry.seq} of {parcel.book} is not the one it sent first"
                        refused.append(Refusal(station, why))
                        break
            heads[key] = head
        return Accepted(self._write(fresh, heads), tuple(refused))

    def close(self) -> None:
        self._db.close()
        unlock(self._lock)

    def _now(self) -> str:
        return self._clock.now().isoformat(timespec="milliseconds")

    def _known(self, station: str, parcel: Parcel) -> dict[int, str]:
        """The hashes of those entries of a parcel that are on the disk already, by number."""
        first, last = parcel.entries[0].seq, parcel.entries[-1].seq
        if first > self.head(station, parcel.book).seq:
            return {}
        query = "SELECT seq, hash FROM archive WHERE station = ? AND book = ? AND seq BETWEEN ? AND ?"
        return dict(self._db.execute(query, (station, parcel.book, first, last)))

    def _write(self, fresh: Fresh, heads: Mapping[tuple[str, str], Head]) -> tuple[Stored, ...]:
        """Writes entries with which journals come as far as these heads."""
        if not fresh:
            return ()
        arrival, seal, now = self._arrival, self._seal, self._now()
        stored, rows = [], []
        for (station, book, _), e in fresh.items():
            arrival, seal = arrival + 1, sealed(seal, now, station, book, e.hash)
            stored.append(Stored(arrival, now, station, book, e))
            rows.append((arrival, now, station, book, e.seq, e.game, e.kind, e.line, e.who, e.at, e.hash, seal))
        try:
            with self._db:
                self._db.executemany(f"INSERT INTO archive ({COLUMNS}) VALUES ({','.join('?' * 12)})", rows)
        except sqlite3.Error as error:
            raise fault(error, self.path) from error
        self._arrival, self._seal = arrival, seal
        self._heads.update((key, head) for key, head in heads.items() if head.seq)
        return tuple(stored)


def _reserve(path: Path) -> None:
    """A file for its owner alone, as SQLite makes those beside it: names, and what judges said."""
    try:
        path.touch(mode=0o600)
    except OSError as error:
        raise JournalUnwritable(f"{path} cannot be written ({error.strerror}); check the storage") from error


def _not_next(head: Head, book: str, entry: Entry) -> str | None:
    """Why this entry cannot be the one after the head."""
    digest = chained(head.hash, entry.seq, entry.game, entry.kind, entry.line, entry.who, entry.at)
    if digest != entry.hash:
        return f"entry {entry.seq} of {book} does not continue its chain"
    if entry.seq == 1 and book_of(entry) != book:
        return f"a journal called {book} cannot begin so"
    return None


def checked(db: sqlite3.Connection, path: Path) -> Iterator[tuple[Stored, str]]:
    """Every entry with its seal, in order; raises JournalDamaged at the first that is not what was written."""
    heads: dict[tuple[str, str], Head] = {}
    seal = SEAL
    for expected, (stored, found) in enumerate(_rows(db, path), start=1):
        entry, key = stored.entry, (stored.station, stored.book)
        where = f"{path}: entry {entry.seq} of {stored.station} ({stored.book}), arrival {stored.arrival}"
        head = heads.get(key, Head())
        seal = sealed(seal, stored.received, stored.station, stored.book, entry.hash)
        if stored.arrival != expected or entry.seq != head.seq + 1:
            raise JournalDamaged(f"{where} does not follow the one before it: entries are missing")
        why = _not_next(head, stored.book, entry)
        if why is not None or found != seal:
            raise JournalDamaged(f"{where} is not what was written at {entry.at} ({why or 'its seal is broken'})")
        heads[key] = Head(entry.seq, entry.hash)
        yield stored, seal


def _rows(db: sqlite3.Connection, path: Path, **wanted: Any) -> Iterator[tuple[Stored, str]]:
    given = {column: value for column, value in wanted.items() if value is not None}
    clause = f" WHERE {' AND '.join(f'{column} = ?' for column in given)}" if given else ""
    query = f"SELECT {COLUMNS} FROM archive{clause} ORDER BY arrival"
    try:
        with closing(db.execute(query, tuple(given.values()))) as rows:
            for row in rows:
                if tuple(map(type, row)) != ROW:
                    raise JournalDamaged(f"{path}: arrival {row[0]} is not what was written; it is kept as it is")
                arrival, received, station, book, seq, game, kind, line, who, at, digest, seal = row
                entry = Entry(seq, game, Kind(kind), line, who, at, digest)
                yield Stored(arrival, received, station, book, entry), seal
    except ValueError as error:
        raise JournalDamaged(f"{path}: an entry is of no known kind ({error}); the file is kept as it is") from error
    except sqlite3.Error as error:
        raise fault(error, path) from error
