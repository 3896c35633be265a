"""The fields of a JSON object, each asked for by name and kind; a wrong one is refused in a sentence."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

WHOLE = "the document"


class BadDocument(ValueError):
    """A document that is no position. The message is a sentence that says what, where and what was expected."""


@dataclass(frozen=True, slots=True)
class Fields:
    """A JSON object and where it stands in the document."""

    where: str
    values: Mapping[str, object]

    @classmethod
    def of(cls, value: object, where: str, known: Collection[str]) -> Fields:
        """Keys beyond the known ones are somebody's own notes, unless they look like a slip of the pen."""
        if not isinstance(value, dict):
            raise BadDocument(f"{where} is {show(value)}; expected an object with {', '.join(known)}")
        for key in value:
            close = get_close_matches(key.strip().lower(), [name.lower() for name in known], n=1, cutoff=0.8)
            if key not in known and close:
                meant = next(name for name in known if name.lower() == close[0])
                raise BadDocument(f"{where} has the unknown key {show(key)}; did you mean {meant!r}?")
        return cls(where, value)

    def get(self, key: str, unless: object) -> object:
        return self.values.get(key, unless)

    def called(self, key: str) -> str:
        """A key as messages name it: with where it stands, unless that is the document itself."""
        return key if self.where == WHOLE else f"{self.where}, {key}"

    def number(self, key: str, unless: int, least: int, most: int) -> int:
        value = self.get(key, unless)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise BadDocument(f"{self.called(key)} is {show(value)}; expected a number from {least} to {most}")
        return value

    def flag(self, key: str, unless: bool) -> bool:
        value = self.get(key, unless)
        if not isinstance(value, bool):
            raise BadDocument(f"{self.called(key)} is {show(value)}; expected true or false")
        return value

    def one_of(self, key: str, allowed: Collection[str], unless: str) -> str:
        value = self.get(key, unless)
        if not isinstance(value, str) or value not in allowed:
            raise BadDocument(f"{self.called(key)} is {show(value)}; expected one of {', '.join(allowed)}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.get(key, [])
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise BadDocument(f"{self.called(key)} is {show(value)}; expected a list of codes such as 'scott7'")
        return tuple(value)


def keys_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object of a JSON text; of a key that stands twice nobody knows which was meant."""
    whole: dict[str, object] = {}
    for key, value in pairs:
        if key in whole:
            raise BadDocument(f"the key {show(key)} stands twice in one object; give it once")
        whole[key] = value
    return whole


def show(value: object) -> str:
    """The value as the document wrote it, in short."""
    if isinstance(value, dict):
        return "an object"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}…"
