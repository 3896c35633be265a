"""`marchwarden table`: where things belong on the mat, for people and for other programs."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from firmware.cli import BadInput
from firmware.tables import TABLES, GameTable
from vision.layout import Layout


def table_of(game: str) -> GameTable:
    """The table of a game by its name."""
    if game not in TABLES:
        raise BadInput(
            "there is no table for the game “{game}”; --game takes {games}.", game=game, games=" or ".join(TABLES)
        )
    return TABLES[game]


def layout_of(game: str) -> Layout:
    """Where things lie on the table of a game."""
    return table_of(game).layout()


@click.command(name="table")
@click.option("--game", default="schotten-totten", show_default=True, metavar="GAME", help="Whose table.")
@click.option("--json", "as_json", is_flag=True, help="Print the geometry as one JSON document.")
def command(game: str, as_json: bool) -> None:
    """Show the table's geometry: where cards, tiles and markers lie on the mat, in millimetres."""
    layout = layout_of(game)
    click.echo(json.dumps(table_of(game).geometry(layout)) if as_json else summary(layout))


def summary(layout: Layout) -> str:
    """The geometry as a person reads it."""
    lines = [
        f"{layout.game}: a mat of {_size(layout.size_mm)} mm, player A at the lower edge",
        "all places are centres in millimetres from the upper left corner, as the camera sees it",
        "",
        f"cards {_size(layout.card_mm)} mm, tiles {_size(layout.tile_mm)} mm",
    ]
    names = [name for name, _ in layout.tiles[0].spots]
    lines += _rows("tile", names, [(tile.code, *(_point(at) for _, at in tile.spots)) for tile in layout.tiles])
    lines += _rows(
        "side",
        ["first card", "each next", "turned"],
        [(fan.place, _point(fan.first_mm), _point(fan.step_mm), f"{fan.rotation}°") for fan in layout.fans],
    )
    lines += _rows(
        "region",
        ["middle", "size", "turned"],
        [(each.place, _point(each.middle_mm), _size(each.size_mm), f"{each.rotation}°") for each in layout.regions],
    )
    lines += _rows(
        "place",
        ["card", "turned"],
        [(spot.place, _point(spot.centre_mm), f"{spot.rotation}°") for spot in layout.spots]
        + [(heap.place, _point(heap.centre_mm), f"{heap.rotation}°") for heap in layout.heaps],
    )
    lines += _rows(
        "marker",
        ["centre", "size"],
        [(str(marker.id), _point(marker.centre_mm), f"{marker.size_mm:g}") for marker in layout.markers],
    )
    return "\n".join(lines)


def _rows(what: str, columns: list[str], rows: Sequence[tuple[str, ...]]) -> list[str]:
    """A heading and a line for each thing; nothing where there is none."""
    if not rows:
        return []
    lines = ["", f"{what:<12}" + "".join(f"{column:>14}" for column in columns)]
    return lines + [f"{row[0]:<12}" + "".join(f"{cell:>14}" for cell in row[1:]) for row in rows]


def _size(size: tuple[float, float]) -> str:
    return f"{size[0]:g} × {size[1]:g}"


def _point(point: tuple[float, float]) -> str:
    return f"{point[0]:g}, {point[1]:g}"
