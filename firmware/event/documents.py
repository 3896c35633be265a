"""Documents that go over the wire: JSON both ways, and fields of which nothing is taken as it is.

Every document comes from somebody else, perhaps somebody hostile: every length is bounded, every number has its limits.
Knows no message.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

LARGEST = 128 * 1024  # bytes of a message; the broker refuses larger ones too
LONGEST_WORD = 200
LARGEST_NUMBER = 1 << 53  # that every reader of JSON keeps whole


class BadMessage(ValueError):
    """Somebody sent what is no message of ours; says what is wrong with it."""


def encoded(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def decoded(payload: bytes) -> dict[str, Any]:
    """The document of a message; raises BadMessage."""
    if len(payload) > LARGEST:
        raise BadMessage(f"{len(payload)} bytes, at most {LARGEST} are read")
    try:
        document = json.loads(payload.decode())
        if b"\\u" in payload:  # half a letter can be written so, and be kept nowhere
            encoded({"": document})
    except (ValueError, RecursionError):  # no letters, no JSON, or too deep
        raise BadMessage("this is no JSON") from None
    if not isinstance(document, dict):
        raise BadMessage("expected one JSON object")
    return document


def is_time(seconds: Any) -> bool:
    """Whether these are seconds of some days at the most; what is no number is beyond that too."""
    return isinstance(seconds, int | float) and not isinstance(seconds, bool) and abs(seconds) <= 1e6


def word(document: Mapping[str, Any], key: str, default: str | None = None, longest: int = LONGEST_WORD) -> str:
    """A text of this length at the most; raises BadMessage."""
    value = document.get(key, default)
    if not isinstance(value, str) or len(value) > longest:
        raise BadMessage(f"{key}: expected at most {longest} characters")
    return value


def maybe(document: Mapping[str, Any], key: str) -> str | None:
    """A text, or nothing; raises BadMessage."""
    return None if document.get(key) is None else word(document, key)


def number(document: Mapping[str, Any], key: str) -> int:
    """A count, 0 where there is none; raises BadMessage."""
    value = document.get(key, 0)
    if not is_count(value):
        raise BadMessage(f"{key}: expected a number")
    return int(value)


def is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LARGEST_NUMBER
