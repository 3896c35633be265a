"""Reading a line from left to right, and saying where and why it cannot be read.

Knows columns and expectations; knows no game. A game's parser asks for one thing after another.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.rules import BadRecord


@dataclass(slots=True)
class Scanner:
    """A line and how far it has been read."""

    line: str
    at: int = 0

    def find(self, pattern: str) -> str | None:
        """What the pattern matches here, which is then read; None, and nothing is read, if it does not match."""
        match = re.compile(pattern).match(self.line, self.at)
        if match is None:
            return None
        self.at = match.end()
        return match.group()

    def take(self, pattern: str, expected: str) -> str:
        """What the pattern matches here; anything else is an error that says what was expected."""
        found = self.find(pattern)
        if found is None:
            raise self.error(expected)
        return found

    def word(self) -> str:
        """The next word, without reading it."""
        match = re.compile(r"\S+").match(self.line, self.at)
        return match.group() if match else ""

    def end(self) -> None:
        """Nothing but blanks may follow."""
        self.find(r"\s*")
        if self.at < len(self.line):
            raise self.error("the end of the line")

    def error(self, expected: str, at: int | None = None) -> BadRecord:
        column = self.at if at is None else at
        match = re.compile(r"\S{1,24}").match(self.line, column)
        found = repr(match.group()) if match else "the end of the line" if column >= len(self.line) else "a blank"
        return BadRecord(f"column {column + 1}: expected {expected}, found {found}")
