"""The rule options of one game, from the words in a record's head and back.

Knows which variants there are. Unknown words are refused with what was expected, never ignored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.lords_of_scotland.position import SEATS
from engine.rules import BadRecord
from engine.table import Player

KEYS = ("rules", "seats", "bruce", "initiative")

_YES = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}
_EXPECTED = "base, bruce, seats=2 to seats=5 or initiative=A to initiative=E"


@dataclass(frozen=True, slots=True)
class Rules:
    """What the players agreed on: how many play, whether the two Bruce are in, who holds the initiative first."""

    seats: int = 2
    bruce: bool = False
    initiative: Player = SEATS[0]

    @property
    def players(self) -> tuple[Player, ...]:
        return SEATS[: self.seats]

    def __str__(self) -> str:
        words = [
            f"seats={self.seats}",
            *(["bruce"] if self.bruce else []),
            *([f"initiative={self.initiative}"] if self.initiative != SEATS[0] else []),
        ]
        return " ".join(words)


def parse_rules(head: Mapping[str, str], unless: Rules | None = None) -> Rules:
    """The options that a record's head sets, such as `rules: seats=3 bruce initiative=B`; raises BadRecord.

    Each option may also stand on a line of its own (`seats: 3`). Keys that are no options are not looked at; what no
    key sets is as in `unless`.
    """
    rules = unless or Rules()
    for key in KEYS:
        if key not in head:
            continue
        for name, value in _words(head[key]) if key == "rules" else [(key, head[key].strip())]:
            rules = _with(rules, name, value)
    if rules.initiative not in rules.players:
        raise BadRecord(f"initiative: expected one of {', '.join(rules.players)}, found {rules.initiative!r}")
    return rules


def _words(text: str) -> list[tuple[str, str]]:
    settings = []
    for word in re.split(r"[\s,;+]+", text.strip()):
        name, equals, value = word.partition("=")
        if equals:
            settings.append((name, value))
        elif name.lower() == "bruce":
            settings.append(("bruce", "yes"))
        elif name.lower() not in ("base", ""):
            raise BadRecord(f"rules: expected {_EXPECTED}, found {word!r}")
    return settings


def _with(rules: Rules, name: str, value: str) -> Rules:
    match name.lower():
        case "seats":
            if value not in ("2", "3", "4", "5"):
                raise BadRecord(f"seats: expected 2, 3, 4 or 5, found {value!r}")
            return replace(rules, seats=int(value))
        case "bruce":
            if value.lower() not in _YES:
                raise BadRecord(f"bruce: expected yes or no, found {value!r}")
            return replace(rules, bruce=_YES[value.lower()])
        case "initiative":
            if value.upper() not in SEATS:
                raise BadRecord(f"initiative: expected A, B, C, D or E, found {value!r}")
            return replace(rules, initiative=Player(value.upper()))
        case _:
            raise BadRecord(f"rules: expected {_EXPECTED}, found {name!r}")
