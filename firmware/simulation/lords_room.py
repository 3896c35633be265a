"""The cards of Lords of Scotland around a virtual table: hands, the deck, the discard, supporters won.

A card that lies face down on the table is a card all the same: the room knows which, as its owner does. Called from the
station's thread alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import dist
from typing import Any

from engine.lords_of_scotland.effects import Draw
from engine.lords_of_scotland.facts import Cleared, Dealt, Engaged, Recruited, Revealed, Taken, Turned, Used
from engine.lords_of_scotland.hands import FullGame, Step, shuffled
from engine.lords_of_scotland.hands import deal as dealt
from engine.lords_of_scotland.options import parse_rules
from engine.lords_of_scotland.places import SLOTS, SUPPORTERS, army_of, recruit_at
from engine.lords_of_scotland.position import Position
from engine.table import UNKNOWN, Change, Code, Place, Player
from firmware.card_list import lords_of_scotland_deck
from firmware.simulation.open_table import NEAR_MM, Lying
from firmware.simulation.room import NotThere, Room


@dataclass(frozen=True, slots=True)
class Kept:
    """Where every card was at one moment."""

    lying: tuple[Lying, ...]
    hands: dict[str, tuple[Code, ...]]
    deck: tuple[Code, ...]
    discard: tuple[Code, ...]
    won: dict[str, tuple[Code, ...]]


class LordsRoom(Room):
    """One table with its cards. What lies there is on the table; everything else is here."""

    deck: tuple[Code, ...]

    @property
    def discard(self) -> tuple[Code, ...]:
        """The discard, the topmost last: it lies open on the table."""
        return tuple(Code(code) for code in self.table.discarded)

    @discard.setter
    def discard(self, cards: tuple[Code, ...]) -> None:
        self.table.discarded = tuple(str(card) for card in cards)

    def deal(self, rules: str) -> None:
        agreed = parse_rules({"rules": rules})
        game = dealt(lords_of_scotland_deck(), agreed, self.random.randrange(1_000_000))
        self.players = agreed.players
        self.hands: dict[str, tuple[Code, ...]] = {str(player): cards for player, cards in game.hands}
        self.deck, self.discard = game.deck, ()
        self.won: dict[str, tuple[Code, ...]] = {str(player): () for player in agreed.players}
        self._shuffles = 1
        self.table.clear()
        self.revision += 1

    def as_game(self, position: Position) -> FullGame:
        """The whole game, as only the room knows it, in the light of what the referee holds to count."""
        hidden = [one for one in self.table.lying if not one.face_up]
        armies = {army_of(player): player for player in position.players}
        slots = {recruit_at(slot): slot for slot in SLOTS}
        return FullGame(
            position,
            tuple((Player(player), cards) for player, cards in self.hands.items()),
            self._stocked(),
            seed=0,
            discard=self.discard,
            face_down=tuple((armies[one.place], Code(one.code)) for one in hidden if one.place in armies),
            below=tuple((slots[one.place], Code(one.code)) for one in hidden if one.place in slots),
        )

    def keep(self) -> Kept:
        """All of it as it is now."""
        return Kept(self.table.lying, dict(self.hands), self.deck, self.discard, dict(self.won))

    def restore(self, kept: Kept) -> None:
        """All of it as it was."""
        self.table.restore(kept.lying)
        self.hands, self.won = dict(kept.hands), dict(kept.won)
        self.deck, self.discard = kept.deck, kept.discard
        self.revision += 1

    def do(self, step: Step) -> tuple[Change, ...]:
        """Brings a step about on the table; returns the changes that a camera should see."""
        fact = step.fact
        self.revision += 1
        match fact:
            case Turned(_, _, code) | Revealed(_, code):
                self.table.turn_over(str(code))
            case Recruited(player, slot, code):
                self._hold(player, self._lift(code, recruit_at(slot)))
            case Dealt(code, place):
                self._lay(self._drawn(), place, face_up=code != UNKNOWN, sideways=place == SUPPORTERS)
            case Engaged(player, code):
                card = code if step.secret is None else step.secret
                self.hands[player] = tuple(held for held in self.hands[player] if held != card)
                self._lay(card, army_of(player), face_up=code != UNKNOWN)
            case Taken(player, code):
                self.won[player] = (*self.won[player], self._lift(code, SUPPORTERS))
            case Cleared(place, lying):
                self.discard = (*self.discard, self._lift(lying.code, place))
                self._put_away(str(lying.code))
            case Used(player, _, Draw()):
                self._hold(player, self._drawn())
            case _:
                self._moved(fact.changes(), step.secret)
        return fact.changes()

    def put(self, code: str, x_mm: float, y_mm: float, *, crooked: bool) -> None:
        """As everywhere; a card laid on the discard lies on top of it."""
        super().put(code, x_mm, y_mm, crooked=crooked)
        on_top = any(heap.is_open and dist(heap.centre_mm, (x_mm, y_mm)) <= NEAR_MM for heap in self.table.layout.heaps)
        if on_top and code in lords_of_scotland_deck():
            self.table.remove(code)
            self.discard = (*self.discard, Code(code))

    def take(self, code: str, player: str) -> None:
        lying = self.table.find(code)
        if lying is None:
            self._let_go(code)
        self.table.remove(code)
        if code != "initiative" and "!" not in code:
            if lying is not None and lying.place == SUPPORTERS:
                self.won[player] = (*self.won[player], Code(code))
            else:
                self._hold(player, Code(code))
        self.revision += 1

    def draw(self, player: str, deck: str) -> None:
        if not self._stocked():
            raise NotThere("deck-empty")
        self._hold(player, self._drawn())
        self.revision += 1

    def _let_go(self, code: str) -> None:
        holder = next((player for player, cards in self.hands.items() if code in cards), None)
        if holder is not None:
            self.hands[holder] = tuple(card for card in self.hands[holder] if card != code)
        elif code in self.discard:
            self.discard = tuple(card for card in self.discard if card != code)
        elif code != "initiative":
            raise NotThere("in-no-hand")

    def _holdings(self) -> dict[str, Any]:
        return {
            "hands": {player: list(cards) for player, cards in self.hands.items()},
            "decks": {"draw": len(self.deck)},
            "pocketed": [tile.code for tile in self.table.layout.tiles if self.table.find(tile.code) is None],
            "won": {player: list(cards) for player, cards in self.won.items()},
        }

    def _moved(self, changes: tuple[Change, ...], secret: Code | None) -> None:
        """Pieces from place to place, or off the table onto the discard."""
        for change in changes:
            piece, code = change.piece, change.piece.code
            if code == UNKNOWN or code in lords_of_scotland_deck():
                real = secret if code == UNKNOWN and secret is not None else code
                face_up = code != UNKNOWN
                if change.origin is not None:
                    real = self._lift(real, change.origin)
                if change.target is None:
                    self.discard = (*self.discard, real)
                else:
                    self._lay(real, change.target, face_up=face_up, sideways=piece.sideways)
            else:
                self.table.apply([change])

    def _lay(self, code: Code, place: Place, *, face_up: bool, sideways: bool = False) -> None:
        self.table.lay(str(code), place, face_up=face_up, sideways=sideways)

    def _lift(self, code: Code, place: Place) -> Code:
        """Takes a card off a place; of one that is not known any that lies face down there."""
        here = [one for one in self.table.lying if one.place == place]
        wanted = [one for one in here if one.code == code or (code == UNKNOWN and not one.face_up)]
        if not wanted:
            return code
        self.table.remove(wanted[0].code)
        return Code(wanted[0].code)

    def _put_away(self, code: str) -> None:
        """The token on a card goes back into the box with it."""
        for one in self.table.lying:
            if one.token and one.code.startswith(f"{code}!"):
                self.table.remove(one.code)

    def _hold(self, player: str, code: Code) -> None:
        self.hands[player] = tuple(sorted((*self.hands[player], code)))

    def _drawn(self) -> Code:
        top, *rest = self._stocked()
        self.deck = tuple(rest)
        return top

    def _stocked(self) -> tuple[Code, ...]:
        """The deck, made anew from the discard when it has run out (LS-109)."""
        if not self.deck and self.discard:
            self.deck = shuffled(self.discard, self.random.randrange(1_000_000), self._shuffles)
            self.discard, self._shuffles = (), self._shuffles + 1
        return self.deck
