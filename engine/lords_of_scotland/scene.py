"""Two tables and what counts: which pieces are gone from where, which have come. Knows no act of the game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine.lords_of_scotland.cards import Clan, clan_of
from engine.lords_of_scotland.course import pass_turn
from engine.lords_of_scotland.places import Lying, face
from engine.lords_of_scotland.position import Position
from engine.table import UNKNOWN, Code, Piece, Place, Table, gone


@dataclass(frozen=True)
class Scene:
    """What counts, what was told of, and what is seen: which pieces are gone from where, which have come."""

    position: Position
    told: Table
    seen: Table

    @cached_property
    def gone(self) -> list[tuple[Place, Piece]]:
        return gone(self.told, self.seen)

    @cached_property
    def come(self) -> list[tuple[Place, Piece]]:
        return gone(self.seen, self.told)

    @cached_property
    def now(self) -> Position:
        """The position once the turn is passed on, if it is over."""
        return pass_turn(self.position) if self.position.is_turn_over else self.position

    def is_new(self, code: Code) -> bool:
        """The card came from off the table, or may have."""
        return code == UNKNOWN or not self.told.places_of(code)

    def has_left(self, code: Code) -> bool:
        """The card went off the table, or may have."""
        return code == UNKNOWN or not self.seen.places_of(code)

    def come_to(self, place: Place) -> list[Code]:
        """The cards that came to a place, however they lie; cards face down only as they ought to."""
        return [piece.code for where, piece in self.come if where == place and self._is_card(piece)]

    def gone_from(self, place: Place) -> list[Code]:
        return [piece.code for where, piece in self.gone if where == place and self._is_card(piece)]

    def _is_card(self, piece: Piece) -> bool:
        return piece == face(UNKNOWN) or piece.code in self.position.deck

    def lying(self, table: Table, place: Place, code: Code) -> Lying:
        """How a card of an army lies, its token included."""
        pieces = table.at(place)
        token = next((clan for clan in Clan if Piece(Code(f"{code}!{clan.value}")) in pieces), None)
        sideways = any(piece.code == code and piece.sideways for piece in pieces)
        return Lying(code, token or clan_of(code)) if sideways else Lying(code)
