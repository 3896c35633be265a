"""The room around a virtual table: two hands of cards, the decks, and what a visitor may do to table, light and camera.

Nothing here is told to the referee. What a visitor does lies on the table, and the camera has to see it; what is held
in a hand nobody sees. Called from the station's thread alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any, Protocol

from engine.schotten_totten.cards import Card, Player, Tactic, parse_card
from engine.schotten_totten.options import parse_rules
from engine.schotten_totten.play import Play
from engine.schotten_totten.position import Position
from firmware.simulation.camera import Camera as Mounting
from firmware.simulation.light import Light
from firmware.simulation.open_table import OpenTable
from firmware.simulation.players import drawn, shuffled
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
    """What was to be moved is neither on the table nor in a hand; says what."""


@dataclass(frozen=True, slots=True)
class Held:
    """What nobody sees: the hands and the decks, top card last."""

    hand_a: tuple[Card, ...]
    hand_b: tuple[Card, ...]
    clan: tuple[Card, ...]
    tactic: tuple[Card, ...]

    @classmethod
    def of(cls, play: Play) -> Held:
        return cls(play.hand_a, play.hand_b, play.clan, play.tactic)

    def hand(self, player: str) -> tuple[Card, ...]:
        return self.hand_a if player == "A" else self.hand_b

    def with_hand(self, player: str, hand: tuple[Card, ...]) -> Held:
        return replace(self, hand_a=hand) if player == "A" else replace(self, hand_b=hand)

    def without(self, card: Card) -> Held:
        """Wherever it is held, it is there no more."""
        return Held(*(tuple(one for one in cards if one != card) for cards in (
            self.hand_a, self.hand_b, self.clan, self.tactic)))  # fmt: skip


class Playroom:
    """One table with its cards. `revision` grows with every change that can be seen on the page."""

    def __init__(self, table: OpenTable, rig: Rig, rules: str, seed: int) -> None:
        self.table = table
        self.rig = rig
        self.random = Random(seed)
        self.revision = 0
        self._exposure = rig.mounting.sensor.exposure
        self.deal(rules)

    def deal(self, rules: str) -> None:
        """Shuffles, deals, and clears the table."""
        self.rules = parse_rules({"rules": rules})
        self.held = Held.of(shuffled(self.rules, self.random))
        self.table.clear()
        self.revision += 1

    def as_play(self, position: Position) -> Play:
        """The whole game, as only the room knows it, in the light of what the referee holds to count."""
        held = self.held
        return Play(position, held.hand_a, held.hand_b, held.clan, held.tactic)

    def keep(self, play: Play) -> None:
        self.held = Held.of(play)
        self.revision += 1

    def put(self, code: str, x_mm: float, y_mm: float, *, crooked: bool) -> None:
        """A piece from a hand or from the table comes to lie here."""
        lying = self.table.find(code)
        if lying is None:
            self._let_go(code)
        face_up = lying is None or lying.face_up
        if crooked:
            turn = self.random.uniform(-CROOKED_DEG, CROOKED_DEG)
            self.table.put(code, (x_mm, y_mm), turn + (180.0 if y_mm < 218 else 0.0), face_up=face_up)
        else:
            self.table.put_tidily(code, (x_mm, y_mm), face_up=face_up)
        self.revision += 1

    def take(self, code: str, player: str) -> None:
        """A card comes off the table, or out of the other hand, into this hand; a Stone goes into a pocket."""
        if not self.table.remove(code):
            self._let_go(code)
        if not code.startswith("stone"):
            card = parse_card(code)
            self.held = self.held.without(card).with_hand(player, (*self.held.without(card).hand(player), card))
        self.revision += 1

    def pocketed(self) -> tuple[str, ...]:
        """The Stones that lie nowhere on the table."""
        return tuple(tile.code for tile in self.table.layout.tiles if self.table.find(tile.code) is None)

    def turn_over(self, code: str) -> None:
        if self.table.find(code) is None:
            raise NotThere(f"{code} does not lie on the table")
        self.table.turn_over(code)
        self.revision += 1

    def turn(self, code: str, by_deg: float) -> None:
        if self.table.find(code) is None:
            raise NotThere(f"{code} does not lie on the table")
        self.table.turn(code, max(-180.0, min(180.0, by_deg)))
        self.revision += 1

    def draw(self, player: str, deck: str) -> None:
        """The top card of a deck into a hand."""
        pile = self.held.clan if deck == "clan" else self.held.tactic
        if not pile:
            raise NotThere(f"the {deck} deck is empty")
        held = replace(self.held, clan=pile[:-1]) if deck == "clan" else replace(self.held, tactic=pile[:-1])
        self.held = held.with_hand(player, (*held.hand(player), pile[-1]))
        self.revision += 1

    def refill(self, position: Position, player: str) -> None:
        """The hand drawn up again after a turn, as an honest player does (ST-208)."""
        play = self.as_play(position)
        if play.is_short(Player(player)):
            self.keep(drawn(play, Player(player), self.random))

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
                for one in self.table.lying
            ],
            "hands": {player: sorted((str(card) for card in self.held.hand(player)), key=_rank) for player in "AB"},
            "decks": {"clan": len(self.held.clan), "tactic": len(self.held.tactic)},
            "pocketed": list(self.pocketed()),
            "hand_in_view": [list(hand.tip_mm) for hand in self.table.hands],
            "light": self.rig.mounting.sensor.exposure / self._exposure,
            "unplugged": self.rig.unplugged,
        }

    def _let_go(self, code: str) -> None:
        """Takes it out of whichever hand or pocket holds it."""
        if code in self.pocketed():
            return
        card = parse_card(code)
        if card not in (*self.held.hand_a, *self.held.hand_b):
            raise NotThere(f"{code} is in no hand")
        self.held = self.held.without(card)


def _rank(code: str) -> tuple[bool, str]:
    """Clan cards by colour and strength, Tactic cards after them."""
    return code in set(Tactic), code
