"""Takes out of a text what is nobody's business: people's names, addresses in the network, PINs, home folders.

The same name becomes the same stand-in everywhere, so that what happened can still be followed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

_ADDRESSES = (
    (re.compile(r"\b(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}\b"), "<mac>"),
    (re.compile(r"\b(?!127\.0\.0\.1\b|0\.0\.0\.0\b)(?:\d{1,3}\.){3}\d{1,3}\b"), "<address>"),
    (re.compile(r"\b(?:[0-9a-fA-F]{1,4}:)+:(?:[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4})*\b)?"), "<address>"),
    (re.compile(r"\b(?:[0-9a-fA-F]{1,4}:){3,7}[0-9a-fA-F]{1,4}\b"), "<address>"),
    (re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+"), "<mail>"),
)
_SECRETS = (
    re.compile(r"(?i)\b(pin\s*[=:]?\s*)\d{3} ?\d{3,5}\b"),
    re.compile(r"(?i)\b((?:password|token|secret|cookie|key)\"?\s*[=:]\s*\"?)[\w.~+/-]{6,}"),
)
_HOMES = re.compile(r"/home/[^/\s\"']+|/root\b")
KNOWN = frozenset({"A", "B", "C", "D", "E", "camera", "station", "players", "judge"})


class Redactor:
    """Knows whose names to take out; `names` are as they stand in a game's head or beside an entry."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        people = sorted({name for name in names if name and name not in KNOWN}, key=lambda name: (-len(name), name))
        self._people = {said: f"person-{n}" for n, name in enumerate(people, 1) for said in _spellings(name)}
        spelt = "|".join(rf"(?<!\w){re.escape(said)}(?!\w)" for said in self._people)
        self._pattern = re.compile(spelt) if people else None

    def text(self, text: str) -> str:
        if self._pattern is not None:
            text = self._pattern.sub(lambda found: self._people[found.group()], text)
        for pattern in _SECRETS:
            text = pattern.sub(r"\1<secret>", text)
        for pattern, stand_in in _ADDRESSES:
            text = pattern.sub(stand_in, text)
        return _HOMES.sub("~", text.replace(str(Path.home()), "~"))


def _spellings(name: str) -> set[str]:
    """A name as it stands in a text, in JSON, and in JSON within JSON."""
    quoted = json.dumps(name, ensure_ascii=False)[1:-1]
    return {name, quoted, json.dumps(quoted, ensure_ascii=False)[1:-1]}
