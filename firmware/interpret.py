"""From what a frame showed to the table as the engine knows it: labels become pieces in places.

Physics decides and legality never does: a place that is covered, or holds a card that cannot be named, keeps what was
told of it; a card is in one place at a time, and one that shows on a pile is in none; and while anything is hidden,
nothing else is said to be gone. A card that cannot be named where one more lies than before is fresh: somebody has done
something, and nobody knows what yet. Knows places and pieces; knows no rule.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from engine.table import UNKNOWN, Change, Code, Piece, Place, Table
from vision.observation import Observation, Reading, Why


class Places(Protocol):
    """How one game's table calls the places that vision sees, and what people call them."""

    def of_card(self, place: str) -> Place:
        """The engine's place for a fan or spot of the layout."""
        ...

    def of_tile(self, code: str, spot: str) -> Place | None:
        """The engine's place for a tile at one of its spots; None when it is off the table."""
        ...

    def is_pile(self, place: str) -> bool:
        """Whether the topmost of a pile shows there, whose cards have left the table."""
        ...

    def card(self, reading: Reading) -> Piece | None:
        """The card that was read; None for one that has no name."""
        ...

    def tile(self, code: str, spot: str) -> Piece:
        """The piece that a tile is at one of its spots."""
        ...

    def unseen(self, code: str, told: Table, seen: Table) -> tuple[tuple[Place, Piece], ...]:
        """What is still believed of a tile that cannot be seen, with its place; nothing when it does not matter."""
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
    lost: frozenset[str] = frozenset()  # tiles that could not be read: by now they may lie elsewhere
    left: frozenset[Place] = frozenset()  # a piece has gone from there, perhaps to where nothing can be seen

    @property
    def is_whole(self) -> bool:
        """Whether every place could be read."""
        return not self.unread and not self.held


HOLDING = (Why.HAND, Why.OBJECT, Why.MOVING)  # something is over the place: what was known of it stays
SAID_ANYWAY = (Why.FACE_DOWN, Why.TWICE)  # of a card that is known as well: somebody has to do something about it
NOWHERE = Place("")  # of a tile that was off the table

Corrections = Mapping[tuple[Place, Code], Code]  # what a person said a misread card really is, by place and reading


@dataclass
class _Heap:
    """What was seen at one place of the engine: named pieces, and cards without a name."""

    named: list[Piece] = field(default_factory=list)
    nameless: list[Unread] = field(default_factory=list)
    is_held: bool = False


def interpret(observation: Observation, told: Table, places: Places, corrections: Corrections) -> Seen:
    """The table that the frame shows, in the light of what was told before about places that it does not show."""
    heaps = _heaps(observation, places, corrections)
    hidden_tiles = _place_tiles(observation, places, heaps)
    clear = [(place, heap) for place, heap in heaps.items() if not heap.is_held]
    certain = dict.fromkeys(_piled(observation, places, corrections), NOWHERE)
    certain |= {piece.code: place for place, heap in clear for piece in heap.named if piece.code != UNKNOWN}
    contents: dict[Place, list[Piece]] = {}
    unread: list[Unread] = []
    fresh: set[Place] = set()
    for place, heap in heaps.items():
        known = _still_unseen(told.at(place), heap, certain)
        if heap.is_held:
            contents[place] = [piece for piece in told.at(place) if piece.code not in certain]
            if len(heap.nameless) > (Counter(contents[place]) - Counter(heap.named)).total():
                fresh.add(place)  # what could not be named before it was covered is not forgotten below a hand
        elif len(heap.nameless) > len(known):
            fresh.add(place)
            contents[place] = [piece for piece in told.at(place) if certain.get(piece.code, place) == place]
        elif heap.nameless:  # as many as are known to lie there: those they are, whatever hides their names
            contents[place] = heap.named + known
        else:
            contents[place] = heap.named
        unread += [one for one in heap.nameless if place in fresh or one.why in SAID_ANYWAY]
    believed = {name: places.unseen(name, told, Table.of(contents)) for name in hidden_tiles}
    for place, piece in dict.fromkeys(each for pieces in believed.values() for each in pieces):
        contents.setdefault(place, []).append(piece)
    lost = [name for name, pieces in believed.items() if pieces and name not in observation.held]
    unread += [Unread(name, observation.tiles[name].why or Why.UNCERTAIN) for name in lost]
    held = {name for name in observation.held if not places.is_pile(name)} | {
        place for place, heap in heaps.items() if heap.is_held
    }
    # A piece of its own may hide others; what lies on a card hides that card at most.
    hiding = any(piece.code == name for name, pieces in believed.items() for _, piece in pieces)
    is_whole = not fresh and not held and not hiding
    gone = {} if is_whole else _gone(told, contents, certain)
    for place, pieces in gone.items():  # they may be just where something is hidden: they are not said to be gone
        contents.setdefault(place, []).extend(pieces)
    table = Table.of({place: pieces for place, pieces in contents.items() if place != NOWHERE})
    return Seen(table, tuple(unread), frozenset(held), frozenset(fresh), frozenset(lost), frozenset(gone))


def _heaps(observation: Observation, places: Places, corrections: Corrections) -> dict[Place, _Heap]:
    heaps: dict[Place, _Heap] = defaultdict(_Heap)
    for name, readings in observation.cards.items():
        if places.is_pile(name):
            continue
        place = places.of_card(name)
        heap = heaps[place]
        heap.is_held = heap.is_held or name in observation.held
        for reading in readings:
            heap.is_held = heap.is_held or reading.why in HOLDING
            piece = places.card(reading)
            if piece is None:
                heap.nameless.append(Unread(name, reading.why or Why.UNCERTAIN))
            else:
                heap.named.append(replace(piece, code=corrections.get((place, piece.code), piece.code)))
    for heap in heaps.values():
        if heap.is_held:
            heap.nameless = [one for one in heap.nameless if one.why not in HOLDING]
    return heaps


def _piled(observation: Observation, places: Places, corrections: Corrections) -> list[Code]:
    """The cards that show on piles: wherever they lay, there they are no more."""
    shown = [
        (places.of_card(name), places.card(reading))
        for name, readings in observation.cards.items()
        if places.is_pile(name) and name not in observation.held
        for reading in readings
    ]
    return [
        corrections.get((place, piece.code), piece.code)
        for place, piece in shown
        if piece is not None and piece.code != UNKNOWN
    ]


def _place_tiles(observation: Observation, places: Places, heaps: dict[Place, _Heap]) -> list[str]:
    """Lays the tiles that were seen; returns those that were not, and may lie where they lay."""
    hidden = []
    for name, tile in observation.tiles.items():
        if name in observation.held or tile.at is None:
            hidden.append(name)
        elif (spot := places.of_tile(name, tile.at)) is not None:
            heaps.setdefault(spot, _Heap()).named.append(places.tile(name, tile.at))
    return hidden


def _still_unseen(told: tuple[Piece, ...], heap: _Heap, certain: Mapping[Code, Place]) -> list[Piece]:
    """What was told of a place and is seen nowhere; of cards face down as many as are not seen there."""
    down = sum(piece.code == UNKNOWN for piece in heap.named)
    hidden = [piece for piece in told if piece.code == UNKNOWN][down:]
    return [piece for piece in told if piece.code != UNKNOWN and piece.code not in certain] + hidden


def where_it_lay(code: str, told: Table) -> tuple[tuple[Place, Piece], ...]:
    """A tile that cannot be seen is where it lay; one that was off the table stays nowhere."""
    return ((next(iter(told.places_of(Code(code))), NOWHERE), Piece(Code(code))),)


def _gone(
    told: Table, contents: Mapping[Place, list[Piece]], certain: Mapping[Code, Place]
) -> dict[Place, list[Piece]]:
    """Pieces that are nowhere to be seen, by the places where they lay."""
    seen = {piece.code for pieces in contents.values() for piece in pieces} | certain.keys()
    gone = {}
    for place, pieces in told.contents:
        there = contents.get(place, [])
        named = [piece for piece in pieces if piece.code != UNKNOWN and piece.code not in seen]
        # Face down they are all alike: some are missing where fewer lie than did, and not where they were turned up.
        down = Counter(piece for piece in pieces if piece.code == UNKNOWN) - Counter(there)
        gone[place] = named + list(down.elements())[: max(0, len(pieces) - len(there) - len(named))]
    return {place: pieces for place, pieces in gone.items() if pieces}


def resolved(before: Table, fresh: frozenset[Place], told: Table, now: Table) -> Table:
    """A table seen before, with what has become of its fresh places since: the card that could not be named then."""
    places = {place: list(pieces) for place, pieces in before.contents}
    elsewhere = {piece.code for place, piece in before if place not in fresh}
    for place in fresh:
        new = Counter(now.at(place)) - Counter(told.at(place))
        come = [piece for piece in new.elements() if piece.code not in elsewhere - {UNKNOWN}]
        places[place] = [*told.at(place), *come]
    return Table.of(places)


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
