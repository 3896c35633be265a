"""What the doctor finds, and the words for it. Knows no check."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib import resources
from typing import Any

from firmware.messages.told import told


class State(Enum):
    """Good, worth knowing, or in the way of refereeing."""

    GOOD = "good"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found out; `name` is what the catalogue calls it."""

    state: State
    name: str
    about: tuple[tuple[str, str | int], ...] = ()

    def says(self, language: str) -> str:
        return self._words("says", language)

    def mend(self, language: str) -> str:
        """What to do about it; empty when there is nothing to do."""
        return self._words("mend", language)

    def _words(self, part: str, language: str) -> str:
        about = {name: told(one, language) if isinstance(one, str) else one for name, one in self.about}
        return str(catalogue(language)["findings"][self.name].get(part, "")).format(**about)

    def document(self, check: str, language: str) -> dict[str, str]:
        says, mend = self.says(language), self.mend(language)
        return {"check": check, "state": self.state.value, "name": self.name, "says": says, "mend": mend}


def good(name: str, /, **about: str | int) -> Finding:
    return Finding(State.GOOD, name, tuple(sorted(about.items())))


def warning(name: str, /, **about: str | int) -> Finding:
    return Finding(State.WARNING, name, tuple(sorted(about.items())))


def wrong(name: str, /, **about: str | int) -> Finding:
    return Finding(State.WRONG, name, tuple(sorted(about.items())))


@cache
def catalogue(language: str) -> dict[str, Any]:
    """All words of one language."""
    text = resources.files("firmware.doctor").joinpath(f"words/{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def title(check: str, language: str) -> str:
    """What a check is called."""
    return str(catalogue(language)["checks"][check])
