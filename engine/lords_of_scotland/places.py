"""The places on the table and how cards lie there.

Knows names and faces. Knows no rule, and not what was done with a card.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.lords_of_scotland.cards import Clan, clan_of
from engine.table import UNKNOWN, Change, Code, Piece, Place, Player

SUPPORTERS = Place("supporters")
INITIATIVE = Code("initiative")
SLOTS = range(1, 6)


def army_of(player: Player) -> Place:
    return Place(f"army{player}")


def recruit_at(slot: int) -> Place:
    return Place(f"recruit{slot}")


def seat_of(player: Player) -> Place:
    """Where the initiative token lies while this player holds it."""
    return Place(f"initiative{player}")


def face(code: Code, sideways: bool = False) -> Piece:
    """A card as it lies: one whose code is not known lies face down."""
    return Piece(code, face_up=code != UNKNOWN, sideways=sideways)


@dataclass(frozen=True, slots=True)
class Lying:
    """An ally as it lies: upright, or sideways with the end-of-skirmish power that was activated. A Scott that copied
    one carries that clan's power token."""

    code: Code
    active: Clan | None = None

    def __str__(self) -> str:
        if self.active is None:
            return self.code
        return f"{self.code}!" if self.active is clan_of(self.code) else f"{self.code}!{self.active.value}"

    def pieces(self) -> tuple[Piece, ...]:
        card = face(self.code, sideways=self.active is not None)
        return (card, *(Piece(token) for token in self.tokens()))

    def tokens(self) -> tuple[Code, ...]:
        """The token on the card, named after the card it lies on: there are several of each clan."""
        return (Code(str(self)),) if self.active is not None and self.active is not clan_of(self.code) else ()

    def moved(self, origin: Place | None, target: Place | None) -> tuple[Change, ...]:
        return tuple(Change(piece, origin, target) for piece in self.pieces())
