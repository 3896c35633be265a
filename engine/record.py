"""A game record: a head of `key: value` lines, then one event a line, that a person can write by hand.

Both ways: `parse_record(write_record(record), …) == record`. An event is a fact of the game or an act about it (undo,
pause, resume, ruling, correction, result). Knows no game: a game reads and writes its own facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Generic

from engine.notation import Scanner
from engine.referee import Act, Corrected, Decided, Paused, Reopened, Resumed, Ruled, Undone
from engine.rules import BadRecord, F, Fact
from engine.table import Player

HEAD_KEYS = (
    *("game", "players", "player", *(f"player {seat}" for seat in "ABCDE"), "rules", "date"),
    *("event", "place", "round", "rounds", "table", "result", "station"),
)
LONGEST = 200_000  # lines; a longer text is no game


@dataclass(frozen=True, slots=True)
class Record(Generic[F]):
    """What was agreed on and all that was told. `lines` are the entries' places in the text that was read."""

    head: Mapping[str, str]
    entries: tuple[F | Act | Corrected[F], ...]
    lines: tuple[int, ...] = field(default=(), compare=False)


def read_head(text: str, known: tuple[str, ...] = HEAD_KEYS) -> dict[str, str]:
    """The `key: value` lines at the top; raises BadRecord. A key that looks like a slip of the pen is refused."""
    head: dict[str, str] = {}
    for number, line in _lines(text):
        parts = _head_line(line)
        if parts is None:
            break
        written, value = parts
        key = next((other for other in known if other.lower() == written.lower()), written)
        if key in head:
            raise BadRecord(f"line {number}: {key!r} is set twice; expected each key once")
        close = get_close_matches(key, known, n=1, cutoff=0.8)
        if key not in known and close:
            raise BadRecord(f"line {number}: unknown key {key!r}; did you mean {close[0]!r}?")
        head[key] = value
    return head


def parse_record(text: str, parse: Callable[[str], F], known: tuple[str, ...] = HEAD_KEYS) -> Record[F]:
    """The record that a text holds; `parse` reads the game's facts. Raises BadRecord with line and column."""
    head = read_head(text, known)
    entries: list[F | Act | Corrected[F]] = []
    lines: list[int] = []
    in_head = True
    for number, line in _lines(text):
        in_head = in_head and _head_line(line) is not None
        if in_head:
            continue
        try:
            entries.append(parse_entry(line, parse))
        except BadRecord as error:
            raise BadRecord(f"line {number}, {error}") from None
        lines.append(number)
    return Record(head, tuple(entries), tuple(lines))


def check_acts(record: Record[F], players: Collection[str]) -> None:
    """Raises BadRecord where an act of a record that was read reaches back to nothing that was told, or names a winner
    who does not play."""
    facts: set[int] = set()
    for number, (entry, line) in enumerate(zip(record.entries, record.lines, strict=True), start=1):
        match entry:
            case Ruled(about) | Corrected(about):
                if about not in facts:
                    raise BadRecord(
                        f"line {line}: entry {about} is no event before this line; expected the number of one"
                    )
            case Decided(winner):
                if winner is not None and winner not in players:
                    raise BadRecord(
                        f"line {line}: {winner!r} does not play; expected one of {', '.join(players)}, or draw"
                    )
            case Undone() | Paused() | Resumed() | Reopened():
                pass
            case _:
                facts.add(number)


def write_record(record: Record[F]) -> str:
    """The record as text."""
    head = [f"{key}: {' '.join(value.replace('#', ' ').split())}" for key, value in record.head.items()]
    gap = [""] if head and record.entries else []
    return "".join(f"{line}\n" for line in (*head, *gap, *(entry_line(entry) for entry in record.entries)))


def entry_line(entry: Fact | Act | Corrected[F]) -> str:
    """The line that tells this entry."""
    match entry:
        case Undone():
            return "undo"
        case Paused():
            return "pause"
        case Resumed():
            return "resume"
        case Ruled(number, stands, by, reason):
            return f"ruling {number} {'stands' if stands else 'void'} by {_words(by)}: {_words(reason)}"
        case Decided(winner, by, reason):
            return f"result {'draw' if winner is None else winner} by {_words(by)}: {_words(reason)}"
        case Reopened(by, reason):
            return f"reopened by {_words(by)}: {_words(reason)}"
        case Corrected(number, fact, by):
            return f"correction {number} by {_words(by)}: {fact}"
        case fact:
            return str(fact)


def parse_entry(line: str, parse: Callable[[str], F]) -> F | Act | Corrected[F]:
    """The entry that a line tells; raises BadRecord with the column."""
    scanner = Scanner(line.rstrip())
    scanner.find(r"\s*")
    match scanner.word():
        case "undo" | "pause" | "resume" as word:
            scanner.find(word)
            scanner.end()
            return Undone() if word == "undo" else Paused() if word == "pause" else Resumed()
        case "ruling":
            number = _number(scanner, r"ruling\s*")
            stands = scanner.take(r"\s+(stands|void)\b", "stands or void").strip() == "stands"
            return Ruled(number, stands, _by(scanner), _rest(scanner))
        case "result":
            scanner.find(r"result\s*")
            winner = scanner.take(r"\w+\b", "the winner, or draw")
            return Decided(None if winner == "draw" else Player(winner), _by(scanner), _rest(scanner))
        case "reopened":
            scanner.find("reopened")
            return Reopened(_by(scanner), _rest(scanner))
        case "correction":
            number = _number(scanner, r"correction\s*")
            by = _by(scanner)
            # The fact is read in its place, so that an error in it names the right column.
            return Corrected(number, parse(" " * scanner.at + scanner.line[scanner.at :]), by)
        case _:
            return parse(line)


def _number(scanner: Scanner, verb: str) -> int:
    scanner.find(verb)
    return int(scanner.take(r"[1-9][0-9]{0,8}\b", "the number of an entry"))


def _by(scanner: Scanner) -> str:
    scanner.take(r"\s+by\s+", "by and a name")
    by = scanner.take(r"[^:]+", "a name")
    scanner.take(r":\s?", ": and the reason")
    return by.strip()


def _rest(scanner: Scanner) -> str:
    return (scanner.find(r".*") or "").strip()


def _words(text: str) -> str:
    """Free words on one line, without the signs that mean something in a record."""
    return " ".join(re.sub(r"[#:]", " ", text).split()) or "-"


def _head_line(line: str) -> tuple[str, str] | None:
    match = re.match(r"\s*([A-Za-z][\w -]*?)\s*:\s*(.*)$", line)
    if match is None or re.match(r"\s*(ruling|result|correction)\s+\S+.*\sby\s|\s*reopened\s+by\s", line):
        return None
    return match.group(1), match.group(2).strip()


def _lines(text: str) -> list[tuple[int, str]]:
    """The lines that say something, by their number; a # starts a comment."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if number > LONGEST:
            raise BadRecord(f"line {number}: expected at most {LONGEST} lines, found more")
        said = line.split("#", 1)[0].rstrip()
        if said.strip():
            found.append((number, said))
    return found
