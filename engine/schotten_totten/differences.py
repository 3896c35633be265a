"""How the table that is seen differs from the one that counts and from the one already told of.

Knows pieces and places only. A difference is *new* if it has not been told of, *stale* if it has and still lies
there, *righted* if it was told of and has gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from engine.schotten_totten.cards import STONES, Card, parse_card
from engine.schotten_totten.irregularities import CardPutRight, StonePutRight
from engine.schotten_totten.position import Position, table_of
from engine.schotten_totten.spots import Hidden, Spot, Tile, spot_at, tile_at, tile_piece
from engine.table import UNKNOWN, Table

Lying = tuple[Card | Hidden, Spot]
Cards = Counter[Lying]

_STONE_OF = {tile_piece(stone).code: stone for stone in STONES}


@dataclass(frozen=True, slots=True)
class TileMove:
    """A Stone's tile and where it lay and lies."""

    stone: int
    origin: Tile
    target: Tile


@dataclass(frozen=True, slots=True)
class Unexplained:
    """Cards that have come to lie where they do not count, cards that are gone from where they do, and tiles."""

    come: tuple[Lying, ...]
    gone: tuple[Lying, ...]
    tiles: tuple[TileMove, ...]

    def __bool__(self) -> bool:
        return bool(self.come or self.gone or self.tiles)


@dataclass(frozen=True, slots=True)
class Differences:
    """All that distinguishes what is seen: `new` since the last telling, `whole` from what counts."""

    righted: tuple[CardPutRight | StonePutRight, ...]
    new: Unexplained
    whole: Unexplained


def find_differences(position: Position, told: Table, seen: Table) -> Differences:
    right, before, now = _cards(table_of(position)), _cards(told), _cards(seen)
    come_before, come_now = before - right, now - right
    gone_before, gone_now = right - before, right - now
    told_tiles, seen_tiles = _tiles(told), _tiles(seen)
    tiles = []
    for stone in STONES:
        lies = _one(seen_tiles[stone])
        tiles.append((stone, position.tile(stone), _one(told_tiles[stone], lies), lies))
    return Differences(
        righted=(
            *_righted(come_before - come_now, gone_before - gone_now),
            *(
                StonePutRight(stone, other, Tile.MISSING)
                for stone, _, was, _ in tiles
                for other in told_tiles[stone] - {was}
            ),
            *(StonePutRight(stone, was, now) for stone, right, was, now in tiles if was is not now is right),
        ),
        new=Unexplained(
            _listed(come_now - come_before),
            _listed(gone_now - gone_before),
            tuple(TileMove(stone, was, now) for stone, right, was, now in tiles if was is not now is not right),
        ),
        whole=Unexplained(
            _listed(come_now),
            _listed(gone_now),
            tuple(
                TileMove(stone, was if was is not now else right, now)
                for stone, right, was, now in tiles
                if now is not right
            ),
        ),
    )


def _righted(left: Cards, back: Cards) -> Iterable[CardPutRight]:
    """What left a place where it did not count, together with where it went back to."""
    waiting = _listed(left)
    for card, spot in _listed(back):
        origin = next((other for other in waiting if other[0] == card), None)
        if origin is not None:
            waiting = tuple(other for other in waiting if other is not origin)
        yield CardPutRight(card, origin[1] if origin else None, spot)
    for card, spot in waiting:
        yield CardPutRight(card, spot, None)


def _cards(table: Table) -> Cards:
    return Counter(
        (Hidden.CARD if piece.code == UNKNOWN else parse_card(piece.code), spot)
        for place, piece in table
        if (spot := spot_at(place)) is not None
    )


def _tiles(table: Table) -> dict[int, set[Tile]]:
    """Where each tile lies. A tile is one piece; whoever told of it in two places was wrong about one of them."""
    found: dict[int, set[Tile]] = {stone: set() for stone in STONES}
    for place, piece in table:
        if (stone := _STONE_OF.get(piece.code)) is not None:
            found[stone].add(tile_at(place))
    return found


def _one(places: set[Tile], rather: Tile = Tile.MISSING) -> Tile:
    """Of several places rather this one."""
    return rather if rather in places else min(places, default=Tile.MISSING)


def _listed(cards: Cards) -> tuple[Lying, ...]:
    """In an order that depends on nothing but the cards."""
    return tuple(sorted(cards.elements(), key=str))
