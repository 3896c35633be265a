"""What lies on a table: pieces in places, and how one table differs from another.

Knows that a piece has a code, a face and a direction, and that a card exists once. Knows no game: what the places are
called and what may lie there is each game's own affair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NewType

Code = NewType("Code", str)
Place = NewType("Place", str)
Player = NewType("Player", str)

UNKNOWN = Code("?")  # a card lying face down: it is there, and that is all that is known


@dataclass(frozen=True, slots=True, order=True)
class Piece:
    """A card or a tile as it lies."""

    code: Code
    face_up: bool = True
    sideways: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A piece came from somewhere to somewhere; None is off the table (a hand, a deck, a pocket)."""

    piece: Piece
    origin: Place | None
    target: Place | None


@dataclass(frozen=True, slots=True)
class Table:
    """Pieces in places. The order within a place does not count: history, not the picture, tells who came first."""

    contents: tuple[tuple[Place, tuple[Piece, ...]], ...] = ()

    @classmethod
    def of(cls, places: Mapping[Place, Iterable[Piece]]) -> Table:
        sorted_places = ((place, tuple(sorted(pieces))) for place, pieces in places.items())
        return cls(tuple(sorted((place, pieces) for place, pieces in sorted_places if pieces)))

    def at(self, place: Place) -> tuple[Piece, ...]:
        return dict(self.contents).get(place, ())

    def places_of(self, code: Code) -> tuple[Place, ...]:
        return tuple(place for place, piece in self if piece.code == code)

    def after(self, changes: Iterable[Change]) -> Table:
        """The table once these changes happened. Total: taking what is not there, or laying a known card where it
        already lies, changes nothing."""
        places = {place: list(pieces) for place, pieces in self.contents}
        for change in changes:
            if change.origin is not None:
                there = places.get(change.origin, [])
                lying = next((piece for piece in there if piece.code == change.piece.code), None)
                if lying is not None:
                    there.remove(lying)
            if change.target is not None:
                there = places.setdefault(change.target, [])
                if change.piece.code == UNKNOWN or change.piece not in there:
                    there.append(change.piece)
        return Table.of(places)

    def __iter__(self) -> Iterator[tuple[Place, Piece]]:
        return ((place, piece) for place, pieces in self.contents for piece in pieces)

    def __len__(self) -> int:
        return sum(len(pieces) for _, pieces in self.contents)


def gone(before: Table, after: Table) -> list[tuple[Place, Piece]]:
    """What lies on one table and not on the other, in order."""
    kept = dict(after.contents)
    changed = [(place, lying) for place, lying in before.contents if kept.get(place) != lying]
    missing = ((place, Counter(lying) - Counter(kept.get(place, ()))) for place, lying in changed)
    return [(place, piece) for place, pieces in missing for piece in sorted(pieces.elements())]


def changes(before: Table, after: Table) -> tuple[Change, ...]:
    """The fewest changes that turn one table into the other; a card that went and came is one that moved."""
    departed, arrived = gone(before, after), gone(after, before)
    found: list[Change] = []
    for place, piece in arrived:
        source = next((entry for entry in departed if entry[1].code == piece.code), None)
        if source is not None:
            departed.remove(source)
        found.append(Change(piece, source[0] if source else None, place))
    return (*found, *(Change(piece, place, None) for place, piece in departed))
