"""Whatever is said on the network by whoever may say something there: refused, logged, and of no effect on others.

Garbage, true messages with something in them changed, and true messages said again, out of turn or under another topic.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware.commands import CallJudge
from firmware.event import topics
from firmware.event.audit import audit
from firmware.event.facts import Reason
from firmware.simulation.exchange import Exchange
from tests.firmware.event.scene import Scene, rebuilt

ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    2**63,
    10**400,
    1.5,
    float("nan"),
    "",
    "x" * 300,
    "\ud800",
    "\x00",
    [],
    [[]],
    {},
)


class Overheard(Exchange):
    """An exchange that remembers what was said, and by whom."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.said: list[tuple[str, str, bytes]] = []

    def carry(self, user: str, topic: str, payload: bytes, *, retain: bool) -> None:
        self.said.append((user, topic, payload))
        super().carry(user, topic, payload, retain=retain)


def spoilt(random: Random, payload: bytes) -> bytes:
    """A message with something in it changed, or none at all."""
    match random.randrange(5):
        case 0:
            return random.randbytes(random.randrange(200))
        case 1:
            at = random.randrange(len(payload) + 1)
            return payload[:at] + random.randbytes(random.randrange(4)) + payload[at + random.randrange(8) :]
        case 2:
            return payload
        case _:
            document = json.loads(payload or b"{}")
            inside: Any = document
            while isinstance(inside, dict | list) and inside and random.random() < 0.8:
                key = random.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
                if not isinstance(inside[key], dict | list) or random.random() < 0.3:
                    inside[key] = random.choice(ODD)
                    break
                inside = inside[key]
            return json.dumps(document).encode()


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    made = Scene(tmp_path, "north", "south", exchange=Overheard())
    yield made
    made.close()


def heard(scene: Scene) -> list[tuple[str, str, bytes]]:
    assert isinstance(scene.exchange, Overheard)
    return list(scene.exchange.said)


@pytest.mark.parametrize("seed", range(2))
def test_what_a_station_says_wrongly_touches_no_other(scene: Scene, tmp_path: Path, seed: int) -> None:
    random, north, south = Random(seed), scene.stations["north"], scene.stations["south"]
    north.play(1, most=30)
    south.play(2, most=10)
    south.station.take(CallJudge(Reason.DISPUTE, "whose turn?"))
    scene.run(5)
    scene.exchange.cut.add("south")  # its program is another's now, who knows all that it ever said
    scene.exchange.drop("south")
    before = scene.hub.state
    own = [one for one in heard(scene) if one[0] == "south"]
    for _ in range(300):
        _, topic, payload = random.choice(own)
        if random.random() < 0.2:
            topic = random.choice(own)[1]
        scene.exchange.carry("south", topic, spoilt(random, payload), retain=random.random() < 0.3)
        if random.random() < 0.2:
            scene.run(0.5)
    north.play(3, most=12)
    scene.run(60)

    assert [stored.entry for stored in scene.hub.archive.entries("north")] == list(north.journal.entries())
    assert [stored.entry for stored in scene.hub.archive.entries("south")] == list(south.journal.entries())
    assert scene.hub.state.calls == before.calls
    assert scene.hub.live["north"].online
    assert {station for station, count in scene.hub.refusals.counts.items() if count} == {"south"}
    assert rebuilt(scene.hub) == scene.hub.state
    scene.exchange.cut.clear()
    scene.run(30)
    assert scene.is_delivered()
    assert audit(tmp_path / "event.db").wrong == []


@pytest.mark.parametrize("seed", range(2))
def test_what_is_said_wrongly_to_a_station_changes_nothing_at_its_table(scene: Scene, seed: int) -> None:
    random, north = Random(seed), scene.stations["north"]
    scene.stations.pop("south").close()
    scene.hub.step(0.0)
    scene.hub.tell_all(topics.ROUND, {"round": 1, "left_s": 600.0, "runs": True, "added": {"north": 30}})
    north.play(1, most=30)
    scene.run(5)
    spoken = [(topic, payload) for _, topic, payload in heard(scene) if "north" in topic or topic == topics.ROUND]
    told = north.station.state.referee.told
    for _ in range(300):
        topic, payload = random.choice(spoken)
        wrong = spoilt(random, payload)
        if wrong == payload and topic == topics.claim("north"):
            continue  # one that is well said is a second station of this name
        for line in list(scene.exchange.lines):
            if line.hears(topic):
                line.inbox.append((random.choice((topic, topics.order("north", "x.1"))), wrong))
        scene.run(0.25)
    scene.run(60)

    assert north.station.state.referee.told == told
    north.play(2, most=5)
    scene.run(60)
    assert scene.is_delivered()
