"""Journals that come as files: from a station that never reached the hub, or speaks another version than it does.

`marchwarden journal export` writes one, `marchwarden event bring` lays it into the event's folder, and the hub takes it
in like anything that comes over the wire: what it has already is no news, what does not fit is refused and logged.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from firmware.event import wire
from firmware.event.archive import Accepted, book_of
from firmware.event.documents import BadMessage
from firmware.event.house import House, write_secret
from firmware.event.wire import MOST_ENTRIES, Parcel
from firmware.faults import JournalFault
from firmware.journal import Entry, Reader
from firmware.ports import Clock

FOLDER = "brought"
FIELDS = ("seq", "game", "kind", "line", "who", "at", "hash")


class BadFile(ValueError):
    """A file that is no journal; says what is wrong with it and where."""


def read(path: Path) -> tuple[Entry, ...]:
    """The entries of a journal, or of what `journal export` wrote of one; raises BadFile."""
    try:
        if path.read_bytes().startswith(b"SQLite format 3"):
            reader = Reader(path)
            reader.verify()
            found = tuple(reader.entries())
        else:
            found = tuple(_entry(path, n, line) for n, line in enumerate(path.read_text("utf-8").splitlines(), 1))
    except JournalFault as error:
        raise BadFile(f"{path} is no journal: {error}") from None
    except UnicodeDecodeError:
        raise BadFile(f"{path} is no journal, nor what `marchwarden journal export` wrote of one") from None
    except OSError as error:
        raise BadFile(f"{path} cannot be read ({error.strerror})") from None
    if not found or found[0].seq != 1:
        raise BadFile(f"{path} does not begin with the first entry of a journal; export all of it, without --game")
    for one, other in pairwise(found):
        if other.seq != one.seq + 1:
            raise BadFile(f"{path} leaves out entry {one.seq + 1}; export all of it, without --game")
    return found


def _entry(path: Path, number: int, line: str) -> Entry:
    try:
        document = json.loads(line)
        return wire.entry([document[field] for field in FIELDS])
    except (ValueError, KeyError, TypeError) as error:
        why = error if isinstance(error, BadMessage) else "expected an entry, as `marchwarden journal export` writes it"
        raise BadFile(f"{path}: line {number}, {why}") from None


def lay_down(house: House, station: str, entries: tuple[Entry, ...]) -> None:
    """Leaves a journal for the hub, which takes it in when it runs."""
    folder = house.folder / FOLDER
    folder.mkdir(exist_ok=True, mode=0o700)
    lines = "".join(json.dumps(entry.document(), ensure_ascii=False) + "\n" for entry in entries)
    write_secret(folder / f"{station}.{book_of(entries[0])}", lines.encode())


class Postbox:
    """Gives the hub what was laid down. `take` is the hub's own way of taking parcels in."""

    def __init__(
        self,
        house: House,
        take: Callable[[list[tuple[str, Parcel]]], Accepted],
        clock: Clock,
        log: Callable[[str], None],
    ) -> None:
        self._folder = house.folder / FOLDER
        self._take = take
        self._clock = clock
        self._log = log
        self._next_s = clock.monotonic_s()

    def tend(self) -> None:
        if self._clock.monotonic_s() < self._next_s:
            return
        self._next_s = self._clock.monotonic_s() + 1.0
        for path in sorted(self._folder.iterdir()) if self._folder.is_dir() else ():
            station, _, rest = path.name.partition(".")
            if "." in rest:
                continue  # not whole yet
            try:
                entries = read(path)
            except BadFile as error:
                self._log(str(error))
            else:
                starts = range(0, len(entries), MOST_ENTRIES)
                accepted = self._take([(station, Parcel(rest, entries[n : n + MOST_ENTRIES])) for n in starts])
                self._log(f"{station} was brought: {len(accepted.stored)} of {len(entries)} entries are new")
            path.unlink()
