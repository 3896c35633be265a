"""Who may do what at an event: spectator, player, judge, head judge, organiser, each more than the one before."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Role(IntEnum):
    SPECTATOR = 0
    PLAYER = 1
    JUDGE = 2
    HEAD_JUDGE = 3
    ORGANISER = 4

    @property
    def word(self) -> str:
        return self.name.lower().replace("_", " ")

    @property
    def key(self) -> str:
        """The name in files and on the page."""
        return self.name.lower().replace("_", "-")

    @classmethod
    def of(cls, key: str) -> Role:
        """The role of this name; KeyError if there is none."""
        return cls[key.upper().replace("-", "_")]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the hub. `signature` is what stands in the journal beside what they do."""

    name: str
    role: Role

    @property
    def signature(self) -> str:
        return self.name if self.name == self.role.word else f"{self.name}, {self.role.word}"


def name_in(signature: str) -> str:
    """The name alone, for a table whose language may be another."""
    name, _, role = signature.rpartition(", ")
    return name if role in {one.word for one in Role} else signature
