"""The cards of Schotten Totten around a virtual table: two hands, the decks, and Stones in pockets.

What is held in a hand nobody sees. Called from the station's thread alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engine.schotten_totten.cards import Card, Player, Tactic, parse_card
from engine.schotten_totten.options import parse_rules
from engine.schotten_totten.play import Play
from engine.schotten_totten.position import Position
from firmware.simulation.players import drawn, shuffled
from firmware.simulation.room import NotThere, Room


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


class Playroom(Room):
    """One table with its cards."""

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

    def draw(self, player: str, deck: str) -> None:
        """The top card of a deck into a hand."""
        pile = self.held.clan if deck == "clan" else self.held.tactic
        if not pile:
            raise NotThere("deck-empty")
        held = replace(self.held, clan=pile[:-1]) if deck == "clan" else replace(self.held, tactic=pile[:-1])
        self.held = held.with_hand(player, (*held.hand(player), pile[-1]))
        self.revision += 1

    def refill(self, position: Position, player: str) -> None:
        """The hand drawn up again after a turn, as an honest player does (ST-208)."""
        play = self.as_play(position)
        if play.is_short(Player(player)):
            self.keep(drawn(play, Player(player), self.random))

    def _holdings(self) -> dict[str, Any]:
        return {
            "hands": {player: sorted((str(card) for card in self.held.hand(player)), key=_rank) for player in "AB"},
            "decks": {"clan": len(self.held.clan), "tactic": len(self.held.tactic)},
            "pocketed": list(self.pocketed()),
        }

    def _let_go(self, code: str) -> None:
        """Takes it out of whichever hand or pocket holds it."""
        if code in self.pocketed():
            return
        card = parse_card(code)
        if card not in (*self.held.hand_a, *self.held.hand_b):
            raise NotThere("in-no-hand")
        self.held = self.held.without(card)


def _rank(code: str) -> tuple[bool, str]:
    """Clan cards by colour and strength, Tactic cards after them."""
    return code in set(Tactic), code
