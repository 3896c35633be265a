"""What goes over the wire: frozen messages and their documents, both ways. What cannot be understood is a BadMessage.

Knows no topic and no broker.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any

from firmware.event.documents import (
    LARGEST,
    LARGEST_NUMBER,
    LONGEST_WORD,
    BadMessage,
    decoded,
    is_count,
    is_time,
    maybe,
    number,
    word,
)
from firmware.journal import Entry, Kind

MOST_ENTRIES = 200  # of one parcel
LONGEST_LINE = 8192
BOOK_LETTERS = 16
_ROW = (int, int, str, str, str, str, str)
_KINDS = {kind.value: kind for kind in Kind}


@dataclass(frozen=True, slots=True)
class Parcel:
    """Entries of one journal that follow one another. `book` names the journal."""

    book: str
    entries: tuple[Entry, ...]

    def document(self) -> dict[str, Any]:
        rows = [[e.seq, e.game, e.kind, e.line, e.who, e.at, e.hash] for e in self.entries]
        return {"book": self.book, "entries": rows}


@dataclass(frozen=True, slots=True)
class Ack:
    """The hub has this journal up to this entry, whose hash is `hash`; 0 and no hash for none of it."""

    book: str
    seq: int = 0
    hash: str = ""

    def document(self) -> dict[str, Any]:
        return {"book": self.book, "seq": self.seq, "hash": self.hash}


@dataclass(frozen=True, slots=True)
class Status:
    """A station is there or gone. `boot` names one start of its program; the broker says it is gone when it dies."""

    boot: str
    online: bool
    book: str = ""
    version: str = ""

    def document(self) -> dict[str, Any]:
        return {"boot": self.boot, "online": self.online, "book": self.book, "version": self.version}


@dataclass(frozen=True, slots=True)
class Claim:
    """A start of a station wants the name that it was given; `holds` says that it has it already."""

    boot: str
    book: str = ""
    holds: bool = False

    def document(self) -> dict[str, Any]:
        return {"boot": self.boot, "book": self.book, "holds": self.holds}


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What the table looks like just now, beside what its journal says. `number` grows within a boot."""

    boot: str
    number: int
    game: int = 0
    turn: str | None = None
    score: tuple[tuple[str, int], ...] = ()
    over: bool = False
    winner: str | None = None
    paused: bool = False
    comparing: bool = False
    tone: str = "calm"
    headline: str = ""
    sentence: str = ""
    troubles: tuple[str, ...] = ()
    unread: int = 0
    put_right: int = 0

    def document(self) -> dict[str, Any]:
        names = self.__dataclass_fields__
        return {name: getattr(self, name) for name in names} | {"score": dict(self.score)}


@dataclass(frozen=True, slots=True)
class Picture:
    """The table as the camera saw it last, small enough for a message."""

    frame: int
    at: str
    jpeg: bytes

    def document(self) -> dict[str, Any]:
        return {"frame": self.frame, "at": self.at, "jpeg": base64.b64encode(self.jpeg).decode()}


@dataclass(frozen=True, slots=True)
class Order:
    """What a judge asks of a station, under a number that is used once. `game` is the game it is meant for, in the
    journal `book`; 0 for whichever is on the table."""

    number: str
    book: str
    game: int
    who: str
    command: Mapping[str, Any] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "book": self.book,
            "game": self.game,
            "who": self.who,
            "command": dict(self.command),
        }


@dataclass(frozen=True, slots=True)
class RoundClock:
    """What is left of the round at the moment of sending, by the hub's clock; `runs` is False while it stands, and
    `added_s` is what single stations have more. No round, no `left_s`."""

    round: int = 0
    left_s: float | None = None
    runs: bool = False
    added_s: tuple[tuple[str, int], ...] = ()

    def document(self) -> dict[str, Any]:
        return {"round": self.round, "left_s": self.left_s, "runs": self.runs, "added": dict(self.added_s)}


def parcel(payload: bytes) -> Parcel:
    document = decoded(payload)
    rows = document.get("entries")
    if not isinstance(rows, list) or not 0 < len(rows) <= MOST_ENTRIES:
        raise BadMessage(f"entries: expected 1 to {MOST_ENTRIES} of them")
    entries = tuple(map(entry, rows))
    if any(after.seq != before.seq + 1 for before, after in pairwise(entries)):
        raise BadMessage("entries: expected them to follow one another")
    return Parcel(word(document, "book"), entries)


def ack(payload: bytes) -> Ack:
    document = decoded(payload)
    return Ack(word(document, "book"), number(document, "seq"), word(document, "hash"))


def status(payload: bytes) -> Status:
    document = decoded(payload)
    online = document.get("online")
    if not isinstance(online, bool):
        raise BadMessage("online: expected true or false")
    return Status(word(document, "boot"), online, word(document, "book", ""), word(document, "version", ""))


def claim(payload: bytes) -> Claim:
    document = decoded(payload)
    return Claim(word(document, "boot"), word(document, "book", ""), document.get("holds") is True)


def protocol(payload: bytes) -> int:
    """The number of the language that the hub speaks."""
    return number(decoded(payload), "protocol")


def glimpse(payload: bytes) -> Glimpse:
    document = decoded(payload)
    score = document.get("score", {})
    troubles = document.get("troubles", [])
    if not isinstance(score, dict) or len(score) > 9 or not all(map(is_count, score.values())):
        raise BadMessage("score: expected points by player")
    if not isinstance(troubles, list) or len(troubles) > 99 or not all(isinstance(one, str) for one in troubles):
        raise BadMessage("troubles: expected a list of names")
    return Glimpse(
        boot=word(document, "boot"),
        number=number(document, "number"),
        game=number(document, "game"),
        turn=maybe(document, "turn"),
        score=tuple((str(player)[:8], points) for player, points in score.items()),
        over=document.get("over") is True,
        winner=maybe(document, "winner"),
        paused=document.get("paused") is True,
        comparing=document.get("comparing") is True,
        tone=word(document, "tone", "calm"),
        headline=word(document, "headline", ""),
        sentence=word(document, "sentence", "", 1000),
        troubles=tuple(one[:LONGEST_WORD] for one in troubles),
        unread=number(document, "unread"),
        put_right=number(document, "put_right"),
    )


def picture(payload: bytes) -> Picture:
    document = decoded(payload)
    try:
        jpeg = base64.b64decode(word(document, "jpeg", longest=LARGEST), validate=True)
    except ValueError:
        raise BadMessage("jpeg: expected base64") from None
    if not jpeg.startswith(b"\xff\xd8\xff"):
        raise BadMessage("jpeg: this is no JPEG")
    return Picture(number(document, "frame"), word(document, "at"), jpeg)


def round_clock(payload: bytes) -> RoundClock:
    document = decoded(payload)
    left_s, added = document.get("left_s"), document.get("added", {})
    if left_s is not None and not is_time(left_s):
        raise BadMessage("left_s: expected seconds")
    if not isinstance(added, dict) or not all(isinstance(one, int) and is_time(one) for one in added.values()):
        raise BadMessage("added: expected seconds by station")
    return RoundClock(number(document, "round"), left_s, document.get("runs") is True, tuple(sorted(added.items())))


def order(payload: bytes) -> Order:
    document = decoded(payload)
    command = document.get("command")
    if not isinstance(command, dict):
        raise BadMessage("command: expected an object")
    order_number, book, who = (word(document, key) for key in ("number", "book", "who"))
    return Order(order_number, book, number(document, "game"), who, command)


def entry(row: Any) -> Entry:
    """The entry of one row of a parcel; raises BadMessage."""
    if not isinstance(row, list) or tuple(map(type, row)) != _ROW:
        raise BadMessage("an entry: expected number, game, kind, line, who, date and hash")
    seq, game, kind, line, who, at, digest = row
    if not (0 < seq < LARGEST_NUMBER and 0 <= game < LARGEST_NUMBER):
        raise BadMessage(f"an entry: number {seq} of game {game} cannot be")
    if len(line) > LONGEST_LINE or len(who) > LONGEST_WORD or len(at) > LONGEST_WORD or len(digest) > LONGEST_WORD:
        raise BadMessage(f"entry {seq} is longer than any of ours")
    known = _KINDS.get(kind)
    try:
        if known is None or datetime.fromisoformat(at).tzinfo is None:
            raise ValueError(at)
    except ValueError:
        raise BadMessage(f"entry {seq} is of no known kind, or has no date") from None
    return Entry(seq, game, known, line, who, at, digest)
