"""The places of a Schotten Totten table: a side of a Stone, the Stone itself, the discard row, and a tile's places.

Knows names only: `3A` and `3B` are the sides of Stone 3, `3M` is on top of it, where combat modes lie; the tile
`stone3` lies at `3border`, `3claimedA` or `3claimedB`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum

from engine.schotten_totten.cards import ALL_CARDS, COMBAT_MODES, STONES, Card, Player
from engine.table import UNKNOWN, Change, Code, Piece, Place


class Hidden(Enum):
    """A card of which only the back can be seen."""

    CARD = "?"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Side:
    """One player's side of a Stone."""

    stone: int
    player: Player

    def __str__(self) -> str:
        return f"{self.stone}{self.player}"


@dataclass(frozen=True, slots=True)
class Top:
    """On the Stone itself, where a combat mode lies."""

    stone: int

    def __str__(self) -> str:
        return f"{self.stone}M"


@dataclass(frozen=True, slots=True)
class Discard:
    """The face-up row beside the decks."""

    def __str__(self) -> str:
        return "discard"


DISCARD = Discard()
Spot = Side | Top | Discard


class Tile(StrEnum):
    """Where a Stone tile may lie."""

    BORDER = "border"
    A = "A"
    B = "B"
    MISSING = "missing"


SPOTS: tuple[Spot, ...] = (
    *(Side(stone, player) for stone in STONES for player in Player),
    *(Top(stone) for stone in STONES),
    DISCARD,
)
_PLACE_OF: dict[Spot, Place] = {spot: Place(str(spot)) for spot in SPOTS}
_SPOT_AT: dict[Place, Spot] = {place: spot for spot, place in _PLACE_OF.items()}
_PIECE_OF: dict[Card | Hidden, Piece] = {
    Hidden.CARD: Piece(UNKNOWN, face_up=False),
    **{card: Piece(Code(str(card))) for card in ALL_CARDS},
}


def place_of(spot: Spot) -> Place:
    return _PLACE_OF[spot]


def spot_at(place: Place) -> Spot | None:
    """The spot with this name; None for a tile's place or one that this table has not."""
    return _SPOT_AT.get(place)


def proper_spot(card: Card, stone: int, player: Player) -> Spot:
    """Where a card belongs that this player lays at this Stone."""
    return Top(stone) if card in COMBAT_MODES else Side(stone, player)


def tile_place(stone: int, tile: Tile) -> Place | None:
    match tile:
        case Tile.BORDER:
            return Place(f"{stone}border")
        case Tile.MISSING:
            return None
        case Tile.A | Tile.B:
            return Place(f"{stone}claimed{tile}")


_TILE_AT: dict[Place, tuple[int, Tile]] = {
    place: (stone, tile) for stone in STONES for tile in Tile if (place := tile_place(stone, tile)) is not None
}


def tile_at(place: Place | None) -> Tile:
    """Which of a tile's places this is."""
    return Tile.MISSING if place is None or place not in _TILE_AT else _TILE_AT[place][1]


def tile_piece(stone: int) -> Piece:
    return Piece(Code(f"stone{stone}"))


def card_piece(card: Card | Hidden) -> Piece:
    return _PIECE_OF[card]


def card_change(card: Card | Hidden, origin: Spot | None, target: Spot | None) -> Change:
    return Change(
        card_piece(card),
        None if origin is None else place_of(origin),
        None if target is None else place_of(target),
    )


def tile_change(stone: int, origin: Tile, target: Tile) -> Change:
    return Change(tile_piece(stone), tile_place(stone, origin), tile_place(stone, target))
