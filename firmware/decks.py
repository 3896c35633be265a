"""Finding the deck that a station reads with: an enrolled one by name, or the project's own drawing.

The drawn deck needs no enrolment by hand: it is made from the drawings once and kept with the others.
"""

from __future__ import annotations

from pathlib import Path

from vision.deck import SUFFIX, BadDeck, Deck, enrolled, path_of

DRAWN = "drawn"
PX_PER_MM = 6.0


def find_deck(name: str, folder: Path) -> Deck:
    """The deck of this name; raises BadDeck with what to do. The drawn deck is made if it is not there yet."""
    if name.endswith(SUFFIX):
        return Deck.load(Path(name))
    if path_of(name, folder).is_file():
        return Deck.load(path_of(name, folder))
    if name == DRAWN:
        deck = drawn_deck()
        deck.save(folder)
        return deck
    known = ", ".join((DRAWN, *(other for other in enrolled(folder) if other != DRAWN)))
    raise BadDeck(f"there is no deck {name!r} in {folder}; there are {known}. `marchwarden enroll {name}` makes it")


def drawn_deck() -> Deck:
    """The deck of the project's own drawing, enrolled from its pictures."""
    from engine.schotten_totten.cards import ALL_CARDS, STONES
    from firmware.printing.deck import draw
    from vision.enrol import Enrolment

    enrolment = Enrolment(DRAWN)
    codes = [*(str(card) for card in ALL_CARDS), *(f"stone{stone}" for stone in STONES), "back", "tactic-back"]
    for code in codes:
        enrolment.take(code, draw(code, PX_PER_MM))
    return enrolment.deck()
