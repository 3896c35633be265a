"""What happened, in order, for good: SQLite with a write-ahead log that is synced at every commit.

An entry is written before anything of it is shown; when the commit fails there is no entry and may be no verdict.
Every entry carries the hash of the one before, so that none can be changed or taken out unseen. Knows entries and
their chain; knows no game: facts and acts are lines of a record.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import quote

from firmware.faults import JournalBusy, JournalDamaged, JournalFault, JournalFull, JournalUnwritable
from firmware.ports import Clock

ROW = (int, int, str, str, str, str, str)  # a damaged file may hold something else all the same
GENESIS = hashlib.sha256(b"marchwarden journal 1").hexdigest()
SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    seq INTEGER PRIMARY KEY, game INTEGER NOT NULL, kind TEXT NOT NULL, line TEXT NOT NULL,
    who TEXT NOT NULL, at TEXT NOT NULL, hash TEXT NOT NULL
) STRICT
"""
COLUMNS = "seq, game, kind, line, who, at, hash"


class Kind(StrEnum):
    """What an entry is: a game's head, a fact, an act about the game, its end, or a note about the station."""

    BEGIN = "begin"
    FACT = "fact"
    ACT = "act"
    END = "end"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Line:
    """What is to be written: by whom and what; number, date and hash come with the writing."""

    kind: Kind
    text: str
    who: str = "camera"


@dataclass(frozen=True, slots=True)
class Entry:
    """One row. `seq` numbers all of them without a gap; `game` is the number of the game it belongs to, 0 for none."""

    seq: int
    game: int
    kind: Kind
    line: str
    who: str
    at: str
    hash: str

    def document(self) -> dict[str, Any]:
        return asdict(self)


_quoted = json.encoder.encode_basestring  # as JSON has it, letters as they are


def chained(previous: str, seq: int, game: int, kind: str, line: str, who: str, at: str) -> str:
    """The hash of an entry that follows the one with the hash `previous`."""
    text = f"[{_quoted(previous)},{seq},{game},{_quoted(kind)},{_quoted(line)},{_quoted(who)},{_quoted(at)}]"
    return hashlib.sha256(text.encode()).hexdigest()  # of the compact JSON list of them


class Reader:
    """Looks at a journal, also while a station writes to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = connect(path)

    def entries(self, game: int | None = None) -> Iterator[Entry]:
        return _entries(self._db, self.path, game)

    def following(self, seq: int, most: int) -> tuple[Entry, ...]:
        """The entries after this one, so many at the most."""
        return tuple(_rows(self._db, self.path, "WHERE seq > ? ORDER BY seq LIMIT ?", (seq, most)))

    def verify(self) -> str:
        """The hash of the last entry; raises JournalDamaged at the first entry that is not what was written."""
        return verify(self._db, self.path)

    def close(self) -> None:
        self._db.close()


class Journal:
    """The one writer. Opening it takes a lock that the operating system gives back however the program ends."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self.path = path
        self._clock = clock
        self._lock = locked(path)
        try:
            self._db = connect(path, SCHEMA)
            self._head = verify(self._db, path)
            self._seq = int(_only(self._db, "SELECT COALESCE(MAX(seq), 0) FROM entries"))
            self._file = _identity(path)
        except JournalFault:
            unlock(self._lock)
            raise

    def append(self, game: int, lines: Iterable[Line]) -> tuple[Entry, ...]:
        """Writes all of the lines or none; when it returns they are on the disk."""
        if _identity(self.path) != self._file:  # SQLite would go on writing to a file that nobody finds again
            raise JournalUnwritable(f"{self.path} is gone or another file; put it back, or start the station again")
        entries: list[Entry] = []
        head, seq = self._head, self._seq
        at = self._clock.now().isoformat(timespec="milliseconds")
        for line in lines:
            seq += 1
            head = chained(head, seq, game, line.kind, line.text, line.who, at)
            entries.append(Entry(seq, game, line.kind, line.text, line.who, at, head))
        try:
            with self._db:
                self._db.executemany(
                    f"INSERT INTO entries ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    [(e.seq, e.game, e.kind, e.line, e.who, e.at, e.hash) for e in entries],
                )
        except sqlite3.Error as error:
            raise fault(error, self.path) from error
        self._head, self._seq = head, seq
        return tuple(entries)

    def begin(self, head: Mapping[str, str], who: str = "station", lines: Iterable[Line] = ()) -> int:
        """Begins a game with this record head and what was told of it elsewhere; returns its number."""
        number = self.last_game() + 1
        self.append(number, [Line(Kind.BEGIN, json.dumps(dict(head), ensure_ascii=False), who), *lines])
        return number

    def last_game(self) -> int:
        """The number of the last game, 0 when there was none."""
        return int(_only(self._db, "SELECT COALESCE(MAX(game), 0) FROM entries"))

    def open_game(self) -> int | None:
        """The number of the last game if it has no end."""
        number = self.last_game()
        return number if number and is_open(self.entries(number)) else None

    def entries(self, game: int | None = None) -> Iterator[Entry]:
        return _entries(self._db, self.path, game)

    def close(self) -> None:
        self._db.close()
        unlock(self._lock)


def is_open(game: Iterable[Entry]) -> bool:
    """Whether the game of these entries has no end; an act after the end opens it again."""
    return [entry.kind for entry in game if entry.kind is not Kind.NOTE][-1:] != [Kind.END]


def verify(db: sqlite3.Connection, path: Path) -> str:
    """Follows the chain from the first entry to the last; returns the last hash."""
    head = GENESIS
    for expected, entry in enumerate(_entries(db, path, None), start=1):
        if entry.seq != expected:
            raise JournalDamaged(f"{path}: entry {expected} is missing; the file is kept as it is, call a judge")
        head = chained(head, entry.seq, entry.game, entry.kind, entry.line, entry.who, entry.at)
        if entry.hash != head:
            raise JournalDamaged(
                f"{path}: entry {entry.seq} of {entry.at} is not what was written; it is kept as it is, call a judge"
            )
    return head


def set_aside(path: Path) -> Path:
    """Moves a damaged journal out of the way, whole, so that a new one can begin; returns where it lies now. One that a
    station writes to stays."""
    lock = locked(path)
    try:
        numbers = range(1, 10_000)
        target = next(path.with_name(f"{path.name}.aside-{n}") for n in numbers if not _aside(path, n).exists())
        for suffix in ("", "-wal", "-shm"):
            source = path.with_name(path.name + suffix)
            if source.exists():
                source.rename(target.with_name(target.name + suffix))
        return target
    except OSError as error:
        raise JournalUnwritable(f"{path.parent} cannot be written ({error.strerror}); check the storage") from error
    finally:
        unlock(lock)


def _aside(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.aside-{number}")


def connect(path: Path, schema: str | None = None) -> sqlite3.Connection:
    """A store for writing, with this schema and synced at every commit; one only for reading without it."""
    try:
        if schema is None and not path.is_file():
            raise JournalUnwritable(f"there is no journal {path}")
        if schema is None:
            return _for_reading(path)
        db = _opened(path, "mode=rwc")
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        with db:
            db.execute(schema)
        return db
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise fault(error, path) from error
    except PermissionError as error:
        raise JournalUnwritable(f"{path} cannot be read ({error.strerror}); check the storage") from error


def _for_reading(path: Path) -> sqlite3.Connection:
    """SQLite makes files beside a write-ahead log even to read it; a full or a read-only disk takes none. Where nothing
    waits in the log it can be done without."""
    db = _opened(path, "mode=ro")
    log = path.with_name(path.name + "-wal")
    try:
        db.execute("PRAGMA schema_version")
    except sqlite3.Error as error:
        takes_none = _kind(error) in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR)
        if takes_none and not (log.exists() and log.stat().st_size):
            db.close()
            return _opened(path, "mode=ro&immutable=1")
    return db


def _opened(path: Path, how: str) -> sqlite3.Connection:
    address = f"file:{quote(os.fsencode(path))}?{how}"  # a name may hold # ? and %
    return sqlite3.connect(address, uri=True, check_same_thread=False)


def _entries(db: sqlite3.Connection, path: Path, game: int | None) -> Iterator[Entry]:
    if game is None:
        return _rows(db, path, "ORDER BY seq", ())
    return _rows(db, path, "WHERE game = ? ORDER BY seq", (game,))


def _rows(db: sqlite3.Connection, path: Path, which: str, values: tuple[int, ...]) -> Iterator[Entry]:
    try:
        with closing(db.execute(f"SELECT {COLUMNS} FROM entries {which}", values)) as rows:
            for row in rows:
                if tuple(map(type, row)) != ROW:
                    raise JournalDamaged(f"{path}: entry {row[0]} is not what was written; it is kept as it is")
                seq, number, kind, line, who, at, found = row
                yield Entry(seq, number, Kind(kind), line, who, at, found)
    except ValueError as error:
        raise JournalDamaged(f"{path}: an entry is of no known kind ({error}); the file is kept as it is") from error
    except sqlite3.Error as error:
        raise fault(error, path) from error


def _only(db: sqlite3.Connection, query: str) -> Any:
    return db.execute(query).fetchone()[0]


def locked(path: Path, whose: str = "station") -> int:
    """Takes the lock of a store; only one writer may have it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o660)
    except OSError as error:
        raise JournalUnwritable(f"{path.parent} cannot be written ({error.strerror}); check the storage") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise JournalBusy(f"another {whose} writes to {path}; stop it first") from error
    return lock


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file lies there, if any."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def unlock(lock: int) -> None:
    os.close(lock)


def fault(error: sqlite3.Error | UnicodeDecodeError, path: Path) -> JournalFault:
    """SQLite's error as one of ours. Of a damaged name it says what is no text."""
    code = _kind(error)
    if code == sqlite3.SQLITE_FULL or getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_IOERR_SHMSIZE:
        return JournalFull(f"no room is left for {path}; make room on the disk")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalBusy(f"another program has locked {path}; stop it")
    is_no_text = isinstance(error, UnicodeDecodeError) or str(error).startswith("Could not decode")  # as Python says it
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or is_no_text:
        return JournalDamaged(f"{path} is damaged ({error}); the file is kept as it is, call a judge")
    if code == sqlite3.SQLITE_ERROR:  # it lacks our table, or a column of it
        return JournalUnwritable(f"{path} is no journal of games ({error}); name another file")
    return JournalUnwritable(f"{path} cannot be used ({error}); check the storage")


def _kind(error: Exception) -> int:
    """What kind of error it is: the low byte of SQLite's code; the rest says more."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
