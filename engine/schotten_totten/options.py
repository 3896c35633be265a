"""The rule options of one game, from the words in a record's head and back.

Knows which variants there are. Unknown words are refused with what was expected, never ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar

from engine.rules import BadRecord
from engine.schotten_totten.cards import Player
from engine.schotten_totten.claims import Proof

T = TypeVar("T")


class SecondJoker(Enum):
    """Whether a Joker may be laid by one whose first Joker has left the border (ST-512)."""

    ALLOWED = "allowed"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Rules:
    """What the players agreed on before they began; `first` None: whoever lays the first card began (ST-103)."""

    tactics: bool = False
    expert: bool = False
    proof: Proof = Proof.CLAN
    second_joker: SecondJoker = SecondJoker.ALLOWED
    first: Player | None = None

    @property
    def hand(self) -> int:
        """How many cards each player is dealt and draws up to (ST-103, ST-501)."""
        return 7 if self.tactics else 6

    @property
    def drawable(self) -> int:
        """How many cards are left to draw once both hands are dealt."""
        return (64 if self.tactics else 54) - 2 * self.hand

    def __str__(self) -> str:
        words = [
            *(["tactics"] if self.tactics else []),
            *(["expert"] if self.expert else []),
            *([f"proof={self.proof.value}"] if self.proof is not Proof.CLAN else []),
            *([f"second-joker={self.second_joker.value}"] if self.second_joker is not SecondJoker.ALLOWED else []),
            *([f"first={self.first}"] if self.first is not None else []),
        ]
        return " ".join(words) or "base"


KEYS = ("rules", "variant", "tactics", "expert", "proof", "second-joker", "first")

_YES = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}
_ALONE = {
    "base": (),
    "": (),
    "tactics": ("tactics",),
    "tactic": ("tactics",),
    "expert": ("expert",),
    "experts": ("expert",),
}


def parse_rules(head: Mapping[str, str]) -> Rules:
    """The options that a record's head sets, such as `rules: tactics expert proof=tactics`; raises BadRecord.

    Each option may also stand on a line of its own (`expert: yes`). Keys that are no options are not looked at.
    """
    rules = Rules()
    for key in KEYS:
        if key not in head:
            continue
        settings = _words(head[key]) if key in ("rules", "variant") else [(key, head[key].strip())]
        for name, value in settings:
            rules = _with(rules, name, value)
    return rules


def _words(text: str) -> list[tuple[str, str]]:
    settings = []
    spelled = re.sub(r"\s*[:=]\s*", "=", re.sub(r"[{}\"']", " ", text))
    for word in re.split(r"[\s,;+]+", spelled.strip()):
        name, equals, value = word.partition("=")
        if equals:
            settings.append((name, value))
        elif name.lower() in _ALONE:
            settings += [(option, "yes") for option in _ALONE[name.lower()]]
        else:
            raise BadRecord(
                f"rules: expected base, tactics, expert, proof=clan|tactics, second-joker=allowed|never or "
                f"first=A|B, found {word!r}"
            )
    return settings


def _with(rules: Rules, name: str, value: str) -> Rules:
    match name.lower():
        case "tactics" | "tactic":
            return replace(rules, tactics=_one_of(name, value, _YES.__getitem__, "yes or no"))
        case "expert" | "experts":
            return replace(rules, expert=_one_of(name, value, _YES.__getitem__, "yes or no"))
        case "proof":
            return replace(rules, proof=_one_of(name, value, Proof, "clan or tactics"))
        case "second-joker":
            return replace(rules, second_joker=_one_of(name, value, SecondJoker, "allowed or never"))
        case "first":
            return replace(rules, first=_one_of(name, value.upper(), Player, "A or B") if value else None)
        case _:
            raise BadRecord(f"rules: expected one of {', '.join(KEYS[2:])}, found {name!r}")


def _one_of(name: str, value: str, find: Callable[[str], T], expected: str) -> T:
    try:
        return find(value if value in ("A", "B") else value.lower())
    except (KeyError, ValueError):
        raise BadRecord(f"{name}: expected {expected}, found {value!r}") from None
