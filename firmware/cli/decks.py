"""Where decks live and how commands find them: `--decks DIR`, `MARCHWARDEN_DECKS`, or the user's own data folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from firmware import folders
from firmware.cli import BadInput
from firmware.decks import DRAWN, find_deck, of_game
from vision.deck import BadDeck, Deck, enrolled, path_of


def decks_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option that says where decks live."""
    return click.option(
        "--decks",
        "folder",
        envvar="MARCHWARDEN_DECKS",
        type=click.Path(path_type=Path, file_okay=False),
        default=None,
        help="The folder of decks [default: your own data folder; or MARCHWARDEN_DECKS].",
    )(command)


def decks_folder(given: Path | None) -> Path:
    """The folder of decks: as given, or the user's own."""
    return given if given is not None else folders.decks()


def load_deck(name: str, given: Path | None, game: str | None = None) -> Deck:
    """A deck by its name, or by the path of its file, of any game unless one is named; our own drawing is made if it is
    not there yet."""
    folder = decks_folder(given)
    try:
        if name == DRAWN:
            return find_deck(name, folder, game) if game else find_deck(name, folder)
        is_file = name.endswith(".npz") and name not in enrolled(folder)
        path = Path(name) if is_file else path_of(name, folder)
        if not path.exists():
            known = ", ".join((DRAWN, *(one for one in enrolled(folder) if one != DRAWN)))
            raise BadInput(
                "no deck {name!r} in {folder} (enrolled: {known}): make it with `marchwarden enroll`",
                name=name,
                folder=folder,
                known=known,
            )
        deck = Deck.load(path)
        return deck if game is None else of_game(deck, game)
    except BadDeck as fault:
        raise BadInput(str(fault)) from None
