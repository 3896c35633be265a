"""Finding the deck that a station reads with: an enrolled one by name, or the project's own drawing.

The drawn deck needs no enrolment by hand: it is made from the drawings once and kept with the others.
"""

from __future__ import annotations

from pathlib import Path

from firmware.called import card_names
from firmware.games import GAMES
from vision.deck import SUFFIX, BadDeck, Deck, enrolled, path_of

DRAWN = "drawn"
PX_PER_MM = 6.0


def find_deck(name: str, folder: Path, game: str = "schotten-totten") -> Deck:
    """The deck of this name; raises BadDeck with what to do. The drawn deck of a game is made if it is not there
    yet."""
    is_drawn = name == DRAWN
    if is_drawn:
        name = drawn_name(game)
    if name.endswith(SUFFIX) and name not in enrolled(folder):
        return of_game(Deck.load(Path(name)), game)
    if path_of(name, folder).is_file():
        return of_game(Deck.load(path_of(name, folder)), game)
    if is_drawn:
        deck = drawn_deck(game, name)
        try:
            deck.save(folder)
        except OSError as error:
            raise BadDeck(f"no deck can be kept in {folder} ({error.strerror}); --decks names another folder") from None
        return deck
    known = ", ".join((DRAWN, *(other for other in enrolled(folder) if other != DRAWN)))
    raise BadDeck(f"there is no deck {name!r} in {folder}; there are {known}. `marchwarden enroll {name}` makes it")


def of_game(deck: Deck, game: str) -> Deck:
    """The deck, unless all its cards are another game's: then no card of this one would be named; raises BadDeck."""
    own = {name for name in GAMES if not card_names(name, "en").keys().isdisjoint(deck.codes)}
    if own and game not in own:
        other = min(own)
        raise BadDeck(f"the deck {deck.name} is of {other}; name a deck of {game}, or the game with --game {other}")
    return deck


def drawn_name(game: str) -> str:
    """The name under which a game's drawn deck is kept."""
    return DRAWN if game == "schotten-totten" else f"{DRAWN}-{game}"


def drawn_deck(game: str = "schotten-totten", name: str = DRAWN, px_per_mm: float = PX_PER_MM) -> Deck:
    """The deck of the project's own drawing, enrolled from its pictures."""
    from firmware.printing.deck import deck_of
    from vision.enrol import Enrolment

    drawn = deck_of(game)
    enrolment = Enrolment(name, are_whole=True)
    for code in drawn.enrolled:
        enrolment.take(code, drawn.draw(code, px_per_mm))
    return enrolment.deck()
