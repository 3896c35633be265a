"""From what a frame showed to the table as the engine knows it: labels become pieces in places.

Physics decides and legality never does: a place that is covered, or holds a card that cannot be named, keeps what was
told of it; a card is in one place at a time; and while anything is hidden, nothing is said to be gone. A card that
cannot be named where one more lies than before is fresh: somebody has done something, and nobody knows what yet. Knows
places and pieces; knows no rule.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from engine.table import Change, Code, Piece, Place, Table
from vision.observation import Observation, Why


class Places(Protocol):
    """How one game's table calls the places that vision sees, and what people call them."""

    def of_card(self, place: str) -> Place:
        """The engine's place for a fan or spot of the layout."""
        ...

    def of_tile(self, code: str, spot: str) -> Place | None:
        """The engine's place for a tile at one of its spots; None when it is off the table."""
        ...

    def lamp(self, place: str) -> int | None:
        """The number of the lamp (from 0) that stands for a place of either kind, if any does."""
        ...

    def label(self, place: str, language: str) -> str:
        """What a person calls the place."""
        ...


@dataclass(frozen=True, slots=True)
class Unread:
    """Something lies there that could not be named. `place` is vision's name for it."""

    place: str
    why: Why


@dataclass(frozen=True, slots=True)
class Seen:
    """A frame in the engine's words, and what could not be put into them."""

    table: Table
    unread: tuple[Unread, ...] = ()
    held: frozenset[str] = frozenset()
    fresh: frozenset[Place] = frozenset()

    @property
    def is_whole(self) -> bool:
        """Whether every place could be read."""
        return not self.unread and not self.held


Corrections = Mapping[tuple[Place, Code], Code]  # what a person said a misread card really is, by place and reading


def interpret(observation: Observation, told: Table, places: Places, corrections: Corrections) -> Seen:
    """The table that the frame shows, in the light of what was told before about places that it does not show."""
    read: dict[Place, list[Piece]] = defaultdict(list)
    kept: set[Place] = {places.of_card(place) for place in observation.held if place in observation.cards}
    unread: list[Unread] = []
    nameless: set[Place] = set()
    lying: Counter[Place] = Counter()
    for name, readings in observation.cards.items():
        place = places.of_card(name)
        lying[place] += len(readings)
        for reading in readings:
            if reading.code is None:
                kept.add(place)
                if name not in observation.held:
                    nameless.add(place)
                unread.append(Unread(name, reading.why or Why.UNCERTAIN))
            else:
                code = Code(reading.code)
                read[place].append(Piece(corrections.get((place, code), code)))
    hidden_tiles = set()
    for name, tile in observation.tiles.items():
        if name in observation.held or tile.at is None:
            hidden_tiles.add(Code(name))
            unread.append(Unread(name, tile.why or Why.UNCERTAIN))
        elif (spot := places.of_tile(name, tile.at)) is not None:
            read[spot].append(Piece(Code(name)))
    unread = [one for one in unread if one.place not in observation.held]
    table = _remembering(told, read, kept, hidden_tiles)
    fresh = frozenset(place for place in nameless if lying[place] > len(told.at(place)))
    return Seen(table, tuple(unread), observation.held, fresh)


def resolved(before: Table, fresh: frozenset[Place], told: Table, now: Table) -> Table:
    """A table seen before, with what has become of its fresh places since: the card that could not be named then."""
    places = {place: list(pieces) for place, pieces in before.contents}
    elsewhere = {piece.code for place, piece in before if place not in fresh}
    for place in fresh:
        come = [piece for piece in now.at(place) if piece not in told.at(place) and piece.code not in elsewhere]
        places[place] = [*told.at(place), *come]
    return Table.of(places)


def _remembering(told: Table, read: dict[Place, list[Piece]], kept: set[Place], hidden_tiles: set[Code]) -> Table:
    clear = {place: pieces for place, pieces in read.items() if place not in kept}
    certain = {piece.code for pieces in clear.values() for piece in pieces}
    remembered: dict[Place, list[Piece]] = defaultdict(list)
    for place, piece in told:
        # While something is hidden, a card that is nowhere to be seen may be just there.
        unseen = piece.code not in certain
        if unseen and (place in kept or piece.code in hidden_tiles or kept or hidden_tiles):
            remembered[place].append(piece)
    return Table.of({place: [*clear.get(place, []), *remembered[place]] for place in {*clear, *remembered}})


def corrections_of(pairs: Iterable[tuple[tuple[Change, ...], tuple[Change, ...]]]) -> dict[tuple[Place, Code], Code]:
    """What people said about misread cards: from the changes as they were read and as they really were."""
    found: dict[tuple[Place, Code], Code] = {}
    for misread, real in pairs:
        wrong = [(change.target, change.piece.code) for change in misread if change.target is not None]
        right = [(change.target, change.piece.code) for change in real if change.target is not None]
        for (place, code), (other_place, other) in zip(wrong, right, strict=False):
            if place == other_place and code != other:
                found[place, code] = other
    return found
