"""The names under which stations and hub write to each other. A station may write only below its own name.

marchwarden/v1/<station>/status   retained, last will: there or gone            station → hub
marchwarden/v1/<station>/table    retained: what the table looks like just now  station → hub
marchwarden/v1/<station>/picture  retained: what its camera saw last            station → hub
marchwarden/v1/<station>/ev       entries of its journal, in order              station → hub
marchwarden/v1/<station>/ack      retained: up to which entry the hub has them  hub → station
marchwarden/v1/<station>/cmd/<id> an order: what a judge asks of the table      hub → station
marchwarden/v1/<station>/claim    who wants this name, and who has it           station → whoever calls itself the same
marchwarden/v1/hub/round          retained: the clock of the round              hub → all stations
marchwarden/protocol              retained: which language is spoken here       hub → all, in this and any later one
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

PROTOCOL_NUMBER = 1
ROOT = f"marchwarden/v{PROTOCOL_NUMBER}"
PROTOCOL = "marchwarden/protocol"
HUB = "hub"
DOOR = "door"
HOME_ASSISTANT = "home-assistant"
_STATION = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


def is_station(name: str) -> bool:
    """Whether a station may be called so: a short word of small letters, digits and hyphens that nobody else has."""
    return name not in (HUB, DOOR, HOME_ASSISTANT) and _STATION.fullmatch(name) is not None


def status(station: str) -> str:
    return f"{ROOT}/{station}/status"


def table(station: str) -> str:
    return f"{ROOT}/{station}/table"


def picture(station: str) -> str:
    return f"{ROOT}/{station}/picture"


def entries(station: str) -> str:
    return f"{ROOT}/{station}/ev"


def ack(station: str) -> str:
    return f"{ROOT}/{station}/ack"


def claim(station: str) -> str:
    return f"{ROOT}/{station}/claim"


def order(station: str, number: str) -> str:
    return f"{ROOT}/{station}/cmd/{number}"


def door(mark: str) -> str:
    """Where the hub leaves the invitation of a station that showed its code."""
    return f"{ROOT}/{HUB}/door/{mark}"


ROUND = f"{ROOT}/{HUB}/round"


def of_hub() -> tuple[str, ...]:
    """What the hub listens to."""
    return status("+"), table("+"), picture("+"), entries("+")


def of_station(station: str) -> tuple[str, ...]:
    """What a station listens to."""
    return ack(station), order(station, "+"), claim(station), status(station), ROUND, PROTOCOL


@dataclass(frozen=True, slots=True)
class Address:
    """A topic taken apart: whose it is and what it is about (`ev`, `ack`, `cmd/17` …)."""

    station: str
    about: str


@lru_cache(maxsize=16384)  # a hub hears the same ones again and again
def parse(topic: str) -> Address | None:
    """The address of a topic of ours; None for any other."""
    start, _, rest = topic.partition(f"{ROOT}/")
    station, _, about = rest.partition("/")
    if start or not about or not (station == HUB or is_station(station)):
        return None
    return Address(station, about)
