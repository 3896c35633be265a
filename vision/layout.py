"""Where things belong on the printed mat, in millimetres.

Origin at the mat's top left as the camera sees it, y downwards, player A at the bottom. All points are centres; a
rotation is in degrees, 0 for a card whose top points up. Knows places and sizes; knows no rule and no pixel. Here are
the words in which every table is told, and the table of Schotten Totten; others have modules of their own.

The vertical plan of the Schotten Totten mat, from B's edge to A's edge: claimed tile, fan of up to four cards, Stone,
two combat-mode places lying sideways, fan, claimed tile. Nothing that lies in its place hides another place.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

Point = tuple[float, float]
Size = tuple[float, float]

STONES = range(1, 10)
FAN_CAPACITY = 4
DISCARD_PLACES = 6  # four ruses, one victim of the Banshee, one card discarded by the Strategist


@dataclass(frozen=True, slots=True)
class Fan:
    """A row of overlapping cards; each next one lies `step_mm` further and on top. Place `1A` holds `1A1`, `1A2` …"""

    place: str
    first_mm: Point
    step_mm: Point
    rotation: int
    capacity: int


@dataclass(frozen=True, slots=True)
class Spot:
    """A place for one card: `1M1`, `1M2` on the first Stone, `D1` … in the discard row."""

    place: str
    centre_mm: Point
    rotation: int


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the table in which cards lie anywhere. `rotation` is that of a card that lies upright for its owner;
    a quarter turn from it, a card lies sideways."""

    place: str
    middle_mm: Point
    size_mm: Size
    rotation: int


@dataclass(frozen=True, slots=True)
class Heap:
    """A place for a heap of cards: nothing of it is read, or the card on top if that lies open."""

    place: str
    centre_mm: Point
    rotation: int
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Token:
    """A small piece that may lie anywhere, also on a card; it is known by the marker printed on it."""

    code: str
    marker: int
    size_mm: float


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile and the places where it may lie, by name: `border`, `A`, `B`."""

    code: str
    spots: tuple[tuple[str, Point], ...]


@dataclass(frozen=True, slots=True)
class Marker:
    """An ArUco marker of the dictionary 4X4_50, its first corner at the top left."""

    id: int
    centre_mm: Point
    size_mm: float


@dataclass(frozen=True, slots=True)
class Layout:
    """One game's table."""

    game: str
    size_mm: Size
    card_mm: Size
    tile_mm: Size
    fans: tuple[Fan, ...]
    spots: tuple[Spot, ...]
    tiles: tuple[Tile, ...]
    markers: tuple[Marker, ...]
    regions: tuple[Region, ...] = ()
    heaps: tuple[Heap, ...] = ()
    tokens: tuple[Token, ...] = ()


@cache
def schotten_totten() -> Layout:
    """The mat of Schotten Totten: nine columns between two rows of markers, the discard row at the right."""
    columns = {stone: 66.0 + 68.0 * (stone - 1) for stone in STONES}
    border_y, first_b_y, first_a_y = 218.0, 156.0, 356.0
    fans = tuple(
        Fan(f"{stone}{side}", (x, first_y), (0.0, step_y), rotation, FAN_CAPACITY)
        for stone, x in columns.items()
        for side, first_y, step_y, rotation in (("A", first_a_y, 24.0, 0), ("B", first_b_y, -24.0, 180))
    )
    modes = tuple(Spot(f"{stone}M{n}", (x, y), 90) for stone, x in columns.items() for n, y in ((1, 266.0), (2, 284.0)))
    discard = tuple(Spot(f"D{n}", (676.0, 46.5 + 84.0 * (n - 1)), 0) for n in range(1, DISCARD_PLACES + 1))
    tiles = tuple(
        Tile(f"stone{stone}", (("border", (x, border_y)), ("A", (x, 489.0)), ("B", (x, 24.0))))
        for stone, x in columns.items()
    )
    markers = tuple(
        Marker(4 * side + row, (x, 18.0 + 159.0 * row), 24.0)
        for side, x in enumerate((16.0, 720.0))
        for row in range(4)
    )
    return Layout(
        game="schotten-totten",
        size_mm=(736.0, 513.0),
        card_mm=(56.0, 80.0),
        tile_mm=(64.0, 36.5),
        fans=fans,
        spots=modes + discard,
        tiles=tiles,
        markers=markers,
    )


def as_document(layout: Layout) -> dict[str, Any]:
    """The geometry of Schotten Totten as other programs read it (`marchwarden table --json`)."""
    fans = {fan.place: fan for fan in layout.fans}
    spots = {spot.place: spot for spot in layout.spots}
    columns = []
    for stone, tile in zip(STONES, layout.tiles, strict=True):
        tile_at = dict(tile.spots)
        modes = [spots[f"{stone}M{n}"] for n in (1, 2)]
        columns.append(
            {
                "stone": stone,
                "stone_mm": list(tile_at["border"]),
                **{
                    side: {
                        "first_mm": list(fans[f"{stone}{side}"].first_mm),
                        "step_mm": list(fans[f"{stone}{side}"].step_mm),
                        "rotation": fans[f"{stone}{side}"].rotation,
                        "claimed_mm": list(tile_at[side]),
                    }
                    for side in ("A", "B")
                },
                "modes_mm": [list(mode.centre_mm) for mode in modes],
                "modes_rotation": modes[0].rotation,
            }
        )
    discard = [spot for spot in layout.spots if spot.place.startswith("D")]
    return {
        "game": layout.game,
        "size_mm": list(layout.size_mm),
        "card_mm": list(layout.card_mm),
        "stone_mm": list(layout.tile_mm),
        "columns": columns,
        "discard_mm": [list(spot.centre_mm) for spot in discard],
        "discard_rotation": discard[0].rotation,
    }
