"""`marchwarden table`: where things belong on the mat, for people and for other programs."""

from __future__ import annotations

import json
from collections.abc import Callable

import click

from firmware.cli import BadInput
from vision.layout import Layout, as_document, schotten_totten

GAMES: dict[str, Callable[[], Layout]] = {"schotten-totten": schotten_totten}


def layout_of(game: str) -> Layout:
    """The table of a game by its name."""
    if game not in GAMES:
        raise BadInput(f"there is no table for the game “{game}”; --game takes {' or '.join(GAMES)}.")
    return GAMES[game]()


@click.command(name="table")
@click.option("--game", default="schotten-totten", show_default=True, metavar="GAME", help="Whose table.")
@click.option("--json", "as_json", is_flag=True, help="Print the geometry as one JSON document.")
def command(game: str, as_json: bool) -> None:
    """Show the table's geometry: where Stones, cards and markers lie on the mat, in millimetres."""
    layout = layout_of(game)
    click.echo(json.dumps(as_document(layout)) if as_json else summary(layout))


def summary(layout: Layout) -> str:
    """The geometry as a person reads it."""
    lines = [
        f"{layout.game}: a mat of {_size(layout.size_mm)} mm, player A at the lower edge",
        "all places are centres in millimetres from the upper left corner, as the camera sees it",
        "",
        f"cards {_size(layout.card_mm)} mm, Stones {_size(layout.tile_mm)} mm",
        "",
        f"{'tile':<8}{'border':>14}{'claimed by A':>16}{'claimed by B':>16}",
    ]
    for tile in layout.tiles:
        at = dict(tile.spots)
        lines.append(f"{tile.code:<8}{_point(at['border']):>14}{_point(at['A']):>16}{_point(at['B']):>16}")
    lines += ["", f"{'side':<8}{'first card':>14}{'each next':>16}{'turned':>16}"]
    lines += [
        f"{fan.place:<8}{_point(fan.first_mm):>14}{_point(fan.step_mm):>16}{f'{fan.rotation}°':>16}"
        for fan in layout.fans
    ]
    lines += ["", f"{'place':<8}{'card':>14}{'turned':>16}"]
    lines += [f"{spot.place:<8}{_point(spot.centre_mm):>14}{f'{spot.rotation}°':>16}" for spot in layout.spots]
    lines += ["", f"{'marker':<8}{'centre':>14}{'size':>16}"]
    lines += [f"{marker.id:<8}{_point(marker.centre_mm):>14}{f'{marker.size_mm:g}':>16}" for marker in layout.markers]
    return "\n".join(lines)


def _size(size: tuple[float, float]) -> str:
    return f"{size[0]:g} × {size[1]:g}"


def _point(point: tuple[float, float]) -> str:
    return f"{point[0]:g}, {point[1]:g}"
