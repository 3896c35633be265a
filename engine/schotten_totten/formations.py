"""Formations: what a complete side is worth, and what its wild cards stand for.

Knows the order of formations. How a side comes to its best formation is found in `strongest`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import total_ordering

from engine.schotten_totten.cards import Colour, Tactic


class Kind(Enum):
    """The kinds of formation, of three cards or of four in a Mud Fight, strongest first."""

    COLOR_RUN = "color-run"
    THREE_OF_A_KIND = "three-of-a-kind"
    COLOR = "color"
    RUN = "run"
    SUM = "sum"


_RANK = {kind: rank for rank, kind in enumerate(reversed(Kind))}


@total_ordering
@dataclass(frozen=True, slots=True)
class Formation:
    """A kind and the sum of strengths; the kind decides, then the sum."""

    kind: Kind
    sum: int

    def __lt__(self, other: Formation) -> bool:
        return (_RANK[self.kind], self.sum) < (_RANK[other.kind], other.sum)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a wild card stands for. `colour` is None where any colour makes the same formation."""

    wild: Tactic
    colour: Colour | None
    strength: int

    def __str__(self) -> str:
        return f"{self.wild}={self.colour or ''}{self.strength}"
