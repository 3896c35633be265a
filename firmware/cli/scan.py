"""`marchwarden scan`: the cards in a picture, wherever they lie."""

from __future__ import annotations

import json
from pathlib import Path

import click
import cv2

from firmware.cli import BadInput, SeveralBadInputs
from firmware.cli.decks import decks_option, load_deck
from firmware.cli.speech import said
from firmware.pictures import read_picture, why_none
from vision.scan import Scanned, Scanner, as_document, timed


@click.command(name="scan")
@click.argument("images", nargs=-1, required=True, type=click.Path(readable=False, path_type=Path))
@click.option("--deck", required=True, help="The enrolled deck whose cards are looked for.")
@decks_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document for each image.")
def command(images: tuple[Path, ...], deck: str, folder: Path | None, as_json: bool) -> None:
    """Find cards anywhere in pictures: no mat, any way round, any ground, any enrolled deck."""
    cv2.setNumThreads(1)
    scanner = Scanner(load_deck(deck, folder))
    faults: list[BadInput] = []
    for image in images:
        picture = read_picture(image)
        if picture is None:
            sentence = "{image} {what}: give a whole JPEG or PNG picture."
            faults.append(BadInput(sentence, image=image, what=why_none(image)))
            continue
        cards, elapsed_ms = timed(scanner, picture)
        document = as_document(cards, str(image), elapsed_ms)
        click.echo(json.dumps(document) if as_json else _words(image, cards))
    if faults:
        raise SeveralBadInputs(faults)


def _words(image: Path, cards: list[Scanned]) -> str:
    found = ", ".join(f"{card.code} ({card.confidence:.2f})" for card in cards)
    return f"{image}: {found or said('no card of this deck')}"
