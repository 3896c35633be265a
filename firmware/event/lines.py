"""Facts as lines of JSON, both ways: what a fact is called stands first, its fields follow under their own names.

Knows dataclasses and JSON; which facts there are, and what their fields may hold, whoever has them says.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Generic, TypeVar, cast

F = TypeVar("F")


class BadLine(ValueError):
    """A line that is none of these facts."""


class Lines(Generic[F]):
    """A family of facts by their names; `value` makes a field of what JSON has, and raises ValueError or TypeError."""

    def __init__(self, kinds: Mapping[str, type[Any]], value: Callable[[str, Any], Any]) -> None:
        self._kinds = kinds
        self._names = {kind: name for name, kind in kinds.items()}
        self._value = value

    def encode(self, fact: F) -> str:
        """The fact as one line of JSON."""
        document = {"what": self._names[type(fact)], **asdict(cast(Any, fact))}
        return json.dumps(document, ensure_ascii=False, separators=(",", ":"))

    def decode(self, line: str) -> F:
        """The fact of a line; raises BadLine."""
        if not line.startswith('{"what":'):
            raise BadLine(f"no fact of an event: {line[:120]}")
        try:
            document = json.loads(line)
            kind = self._kinds[document.pop("what")]
            return cast(F, kind(**{key: self._value(key, value) for key, value in document.items()}))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadLine(f"no fact of an event: {line[:120]} ({error})") from error
