"""The deck file that ships with the rules: which cards Lords of Scotland has, with their strengths and ranks."""

from __future__ import annotations

from functools import cache

from engine.lords_of_scotland.cards import BadDeck, Deck, read_deck
from firmware.cli import BadInput
from seeds import FOLDER


@cache
def lords_of_scotland_deck() -> Deck:
    """The deck as the file says; raises BadInput where it was corrected wrongly."""
    path = FOLDER / "decks" / "lords_of_scotland.toml"
    try:
        return read_deck(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(
            "cannot read {path}: {why}; expected the deck file of Lords of Scotland", path=path, why=error.strerror
        ) from None
    except (BadDeck, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: {error}") from None
