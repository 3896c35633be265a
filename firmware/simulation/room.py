"""The room around a virtual table: what a visitor may do to table, light and camera, whatever is played there.

Nothing here is told to the referee. What a visitor does lies on the table, and the camera has to see it. Who holds
which cards is each game's own affair. Called from the station's thread alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from random import Random
from typing import Any, Protocol

from firmware.simulation.camera import Camera as Mounting
from firmware.simulation.light import Light
from firmware.simulation.open_table import OpenTable
from firmware.simulation.scene import Hand

DIMMEST = 0.02
CROOKED_DEG = 24.0
BUMP_DEG = 1.5
REACH = {"A": (160.0, -40.0), "B": (-160.0, 40.0)}  # where a wrist is beyond the mat, and how far the fingers reach


class Rig(Protocol):
    """The simulated camera over the table."""

    light: Light
    mounting: Mounting
    unplugged: bool

    def bump(self, by_deg: float = 1.0) -> None: ...


class NotThere(ValueError):
    """What was to be moved is not where it should be; says where not, by a name of the page's words."""


class Room(ABC):
    """One table with a camera over it. `revision` grows with every change that can be seen on the page."""

    def __init__(self, table: OpenTable, rig: Rig, rules: str, seed: int) -> None:
        self.table = table
        self.rig = rig
        self.random = Random(seed)
        self.revision = 0
        self._exposure = rig.mounting.sensor.exposure
        self.deal(rules)

    @abstractmethod
    def deal(self, rules: str) -> None:
        """Shuffles, deals, and clears the table."""

    @abstractmethod
    def take(self, code: str, player: str) -> None:
        """A piece comes off the table, or out of another hand, to this player."""

    @abstractmethod
    def draw(self, player: str, deck: str) -> None:
        """The top card of a deck into a hand."""

    @abstractmethod
    def _let_go(self, code: str) -> None:
        """Takes it out of whichever hand or pocket holds it; raises NotThere."""

    @abstractmethod
    def _holdings(self) -> dict[str, Any]:
        """`hands` by player, `decks` by name, and what is `pocketed`, as the page shows them to those who play."""

    def put(self, code: str, x_mm: float, y_mm: float, *, crooked: bool) -> None:
        """A piece from a hand or from the table comes to lie here."""
        lying = self.table.find(code)
        if lying is None:
            self._let_go(code)
        face_up = lying is None or lying.face_up
        if crooked:
            turn = self.random.uniform(-CROOKED_DEG, CROOKED_DEG)
            upright = self.table.rotation_at((x_mm, y_mm))
            self.table.put(code, (x_mm, y_mm), turn + upright, face_up=face_up)
        else:
            self.table.put_tidily(code, (x_mm, y_mm), face_up=face_up)
        self.revision += 1

    def turn_over(self, code: str) -> None:
        if self.table.find(code) is None:
            raise NotThere("not-on-table")
        self.table.turn_over(code)
        self.revision += 1

    def turn(self, code: str, by_deg: float) -> None:
        if self.table.find(code) is None:
            raise NotThere("not-on-table")
        self.table.turn(code, max(-180.0, min(180.0, by_deg)))
        self.revision += 1

    def reach_in(self, over_mm: tuple[float, float] | None, player: str = "A") -> None:
        """A hand over the table, from this player's edge to here; None takes it away."""
        if over_mm is None:
            self.table.hands = ()
        else:
            beyond, short = REACH[player]
            edge = self.table.layout.size_mm[1] if player == "A" else 0.0
            wrist = (over_mm[0] + 30.0, edge + beyond)
            self.table.hands = (Hand(wrist, (over_mm[0], over_mm[1] + short)),)
        self.revision += 1

    def dim(self, light: float) -> None:
        """How much light there is, from 0 (hardly any) to 1 (as it was)."""
        share = DIMMEST + (1 - DIMMEST) * max(0.0, min(1.0, light)) ** 2
        mounting = self.rig.mounting
        self.rig.mounting = replace(mounting, sensor=replace(mounting.sensor, exposure=self._exposure * share))
        self.revision += 1

    def bump(self) -> None:
        """Somebody knocks against the camera."""
        self.rig.bump(self.random.choice((-1, 1)) * BUMP_DEG)

    def unplug(self, *, out: bool) -> None:
        self.rig.unplugged = out
        self.revision += 1

    def document(self) -> dict[str, Any]:
        """All of it as the page shows it to those who play."""
        return {
            "pieces": [
                {
                    "code": one.code,
                    "shown": one.shown,
                    "x": round(one.centre_mm[0], 1),
                    "y": round(one.centre_mm[1], 1),
                    "turn": round(one.turn_deg, 1),
                    "place": one.place,
                }
                for one in (*self.table.heaped()[-1:], *self.table.lying)
            ],
            **self._holdings(),
            "hand_in_view": [list(hand.tip_mm) for hand in self.table.hands],
            "light": self.rig.mounting.sensor.exposure / self._exposure,
            "unplugged": self.rig.unplugged,
        }
