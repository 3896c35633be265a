"""`marchwarden read`: photographs of the table to labels, one document a line."""

from __future__ import annotations

import json
from pathlib import Path

import click
import cv2
import numpy as np

from firmware.cli import BadInput, SeveralBadInputs
from firmware.cli.decks import decks_option, load_deck
from firmware.cli.speech import said
from firmware.cli.table import table_of
from firmware.pictures import SUFFIXES, read_picture, why_none, write_picture
from firmware.tables import OtherMat, TableReader, table_in
from vision.frame import Picture
from vision.layout import Layout
from vision.observation import Observation, Reading, Why, where
from vision.rectify import NoTable

_NAMED, _UNREAD = (70, 160, 40), (40, 40, 220)


@click.command(name="read")
@click.argument("images", nargs=-1, required=True, type=click.Path(readable=False, path_type=Path))
@click.option("--deck", required=True, help="The enrolled deck that lies on the table.")
@decks_option
@click.option("--game", default="schotten-totten", show_default=True, metavar="GAME", help="Whose table.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document for each image.")
@click.option("--picture", type=click.Path(path_type=Path), help="Draw the reading of the last image into this file.")
def command(
    images: tuple[Path, ...], deck: str, folder: Path | None, game: str, as_json: bool, picture: Path | None
) -> None:
    """Read photographs of the table: which card lies where, and what cannot be told."""
    cv2.setNumThreads(1)
    if picture is not None and picture.suffix.lower() not in SUFFIXES:
        raise BadInput("--picture {file} is no picture; name a .jpg or .png file", file=picture)
    table = table_of(game)
    layout = table.layout()
    reader = table.reader(load_deck(deck, folder, game), layout)
    faults: list[BadInput] = []
    for image in images:
        try:
            frame, observation = _read(reader, layout, image)
        except BadInput as fault:
            faults.append(fault)
            continue
        document = table.reading(observation, str(image))
        click.echo(json.dumps(document) if as_json else _words(image, observation, layout))
        if picture is not None:
            write_picture(picture, drawn(frame, observation))
    if faults:
        raise SeveralBadInputs(faults)


def _read(reader: TableReader, layout: Layout, image: Path) -> tuple[Picture, Observation]:
    frame = read_picture(image)
    if frame is None:
        sentence = "{image} {what}: give a whole JPEG or PNG photograph of the table."
        raise BadInput(sentence, image=image, what=why_none(image))
    if int(np.percentile(frame[::8, ::8], 99)) < 24:
        raise BadInput("{image} is black: uncover the lens or turn on the light.", image=image)
    try:
        rectifier = table_in(frame, layout)
    except OtherMat as mat:
        raise BadInput(
            "{image} shows the mat of {other}: read it with --game {other}.", image=image, other=mat.game
        ) from None
    except NoTable as fault:
        raise BadInput("{image}: {fault}.", image=image, fault=fault) from None
    return frame, reader.read(frame, rectifier)


def _words(image: Path, observation: Observation, layout: Layout) -> str:
    """The reading as a person would say it."""
    lines = [f"{image} ({observation.elapsed_ms:.0f} ms)"]
    return "\n".join(lines + (_regions(observation) if layout.regions else _stones(observation)))


def _regions(observation: Observation) -> list[str]:
    """Every place with what lies there: `code!` lies sideways, `?` face down."""
    lines = []
    for place, readings in observation.cards.items():
        named = [f"{card.code}{'!' if card.sideways else ''}" for card in readings if card.code is not None]
        down = ["?" for card in readings if card.why is Why.FACE_DOWN]
        lines.append(f"  {place:<12}{' '.join(named + down) or '–'}")
    lines += [f"  {code:<12}{tile.at}" for code, tile in observation.tiles.items() if tile.at not in (None, "missing")]
    return lines + [
        f"  {place}: {said(str(reading.why))}"
        for place, readings in observation.cards.items()
        for reading in readings
        if reading.code is None and reading.why is not Why.FACE_DOWN
    ]


def _stones(observation: Observation) -> list[str]:
    lines = []
    for stone, (code, tile) in enumerate(observation.tiles.items(), 1):
        sides = "  ".join(f"{side}: {_side(observation, f'{stone}{side}'):<24}" for side in "AB")
        modes = " ".join(_side(observation, f"{stone}M{n}") for n in (1, 2)).strip()
        lines.append(f"  {code}  {tile.at or '?':<8}{sides}{modes}".rstrip())
    discard = [_side(observation, place) for place in observation.cards if place.startswith("D")]
    lines.append(said("  discard: {cards}", cards=" ".join(filter(None, discard)) or "–"))
    lines += [
        f"  {where(place, index)}: {said(str(reading.why))}"
        for place, readings in observation.cards.items()
        for index, reading in enumerate(readings)
        if reading.code is None
    ]
    return lines


def _side(observation: Observation, place: str) -> str:
    return " ".join(reading.code or "?" for reading in observation.cards.get(place, ()))


def drawn(frame: Picture, observation: Observation) -> Picture:
    """The photograph with every reading drawn over it."""
    picture = frame.copy()
    for readings in observation.cards.values():
        for reading in readings:
            _draw(picture, reading)
    return picture


def _draw(picture: Picture, reading: Reading) -> None:
    if not reading.corners_px:
        return
    outline = np.round(np.array(reading.corners_px)).astype(np.int32)
    colour = _NAMED if reading.code else _UNREAD
    cv2.polylines(picture, [outline], True, colour, 2, cv2.LINE_AA)
    x, y = outline.mean(axis=0).astype(int)
    cv2.putText(picture, reading.code or "?", (x - 20, y), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (255, 255, 255), 5)
    cv2.putText(picture, reading.code or "?", (x - 20, y), cv2.FONT_HERSHEY_SIMPLEX, 0.9, colour, 2)
