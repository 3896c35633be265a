"""A list that people watch: what is in it, in which order, and since when. Who watches gets only what is new to them.

Knows documents under keys; knows neither tables nor calls.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from firmware.web.answers import compact

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Shown(Generic[T]):
    """Something of the list as it was written, and the number of the showing in which it last changed."""

    what: T
    since: int
    text: str


@dataclass
class Listing(Generic[T]):
    """Things by key. `number` counts its showings; each thing is written once as long as it stays what it is."""

    number: int = 0
    _shown: dict[str, _Shown[T]] = field(default_factory=dict)
    _ordered: int = 0  # the showing in which something came, went or moved

    def show(self, things: Iterable[tuple[str, T]], document: Callable[[T], object]) -> None:
        """What the list is now, in order."""
        self.number += 1
        before, self._shown = self._shown, {}
        for key, what in things:
            old = before.get(key)
            if old is None or old.what != what:
                old = _Shown(what, self.number, compact(document(what)))
            self._shown[key] = old
        if list(before) != list(self._shown):
            self._ordered = self.number

    def get(self, key: str) -> T | None:
        shown = self._shown.get(key)
        return None if shown is None else shown.what

    def since(self, number: int) -> str | None:
        """What changed after this showing, as JSON; everything for 0, None for nothing."""
        fresh = [one.text for one in self._shown.values() if one.since > number]
        is_ordered = not number or self._ordered > number
        if not fresh and not is_ordered:
            return None
        order = json.dumps(list(self._shown), ensure_ascii=False) if is_ordered else "null"
        return f'{{"order":{order},"rows":[{",".join(fresh)}]}}'
