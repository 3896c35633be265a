"""Reading a live table with attention: only places that changed are read again, and none while it is still moving.

Wraps a reader and keeps what it read last. A place is read again when it differs from how it looked when it was read,
and then until so many looks in a row agree: settling on one look, repeated from memory, would be no agreement at all.
While a place also differs from the frame before, something moves there, and it is held: what was read stands. Knows
places and frames; does not know how cards are read.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from vision.change import Changes, Thumbnail
from vision.frame import Picture
from vision.layout import Layout
from vision.observation import Observation, Why
from vision.rectify import Rectifier

_HOLDING = (Why.HAND, Why.OBJECT, Why.MOVING)
_NOWHERE: frozenset[str] = frozenset()

Value = tuple[tuple[str | None, Why | None, bool], ...]


class PlaceReader(Protocol):
    """Reads every place of a frame, or only some."""

    def read(self, frame_bgr: Picture, rectifier: Rectifier, places: Collection[str] | None = None) -> Observation: ...


@dataclass(frozen=True, slots=True, eq=False)
class _Memory:
    """What was read last, how each place looked then, how the table looked a frame ago, and how many more looks each
    place needs."""

    rectifier: Rectifier
    observation: Observation
    looked: Thumbnail
    before: Thumbnail
    wanting: Mapping[str, int] = field(default_factory=dict)


class Attention:
    """A reader of live frames in order. `looks` in a row must agree before a place is left alone.

    Without `holds_moving` a place is read in the very frame that changed it, as the frames of a recording want it.
    """

    def __init__(self, reader: PlaceReader, layout: Layout, looks: int = 3, *, holds_moving: bool = True) -> None:
        self._reader = reader
        self._changes = Changes(layout)
        self._looks = looks
        self._holds_moving = holds_moving
        self._memory: _Memory | None = None
        self.reread = _NOWHERE  # the places that the last frame made it read

    def read(self, frame_bgr: Picture, rectifier: Rectifier) -> Observation:
        """The whole table, from this frame where it changed and from memory where it did not."""
        now = self._changes.thumbnail(frame_bgr, rectifier)
        memory = self._memory
        if memory is None or memory.rectifier is not rectifier:
            return self._begin(frame_bgr, rectifier, now)
        changed = self._changes.between(now, memory.looked)
        moving = self._changes.between(now, memory.before) if changed and self._holds_moving else _NOWHERE
        also = _doubled(memory.observation) if changed else _NOWHERE
        self.reread = (changed | also | memory.wanting.keys()) - moving
        observation, looked, wanting = memory.observation, memory.looked, dict(memory.wanting)
        if self.reread:
            after = _merged(observation, self._reader.read(frame_bgr, rectifier, self.reread), self.reread)
            stale = _elsewhere(after, self.reread) - moving
            if stale:  # a card that was just read lay there before: it can hardly still do
                self.reread |= stale
                after = _merged(after, self._reader.read(frame_bgr, rectifier, stale), stale)
                if _elsewhere(after, stale) & self.reread:  # it does: only a look at both can judge between them
                    after = _merged(observation, self._reader.read(frame_bgr, rectifier, self.reread), self.reread)
            wanting |= self._wanting(self.reread, observation, after, wanting)
            looked = self._changes.updated(looked, now, self.reread & changed)
            observation = after
        observation = replace(observation, held=_covered(observation) | (changed & moving))
        wanting = {place: left for place, left in wanting.items() if left > 0}
        self._memory = _Memory(rectifier, observation, looked, now, wanting)
        return observation

    def _begin(self, frame_bgr: Picture, rectifier: Rectifier, now: Thumbnail) -> Observation:
        observation = self._reader.read(frame_bgr, rectifier)
        observation = replace(observation, held=_covered(observation))
        self.reread = frozenset((*observation.cards, *observation.tiles))
        wanting = dict.fromkeys(self.reread, self._looks - 1)
        self._memory = _Memory(rectifier, observation, now, now, {} if self._looks < 2 else wanting)
        return observation

    def _wanting(
        self, places: frozenset[str], before: Observation, after: Observation, wanting: Mapping[str, int]
    ) -> dict[str, int]:
        """How many more looks each place needs: one less if it was read as before, all if it was not."""
        return {
            place: wanting.get(place, 0) - 1 if _value(after, place) == _value(before, place) else self._looks - 1
            for place in places
        }


def _value(observation: Observation, place: str) -> Value:
    tile = observation.tiles.get(place)
    if tile is not None:
        return ((tile.at, tile.why, False),)
    return tuple((card.code, card.why, card.sideways) for card in observation.cards.get(place, ()))


def _merged(old: Observation, part: Observation, places: frozenset[str]) -> Observation:
    return replace(
        part,
        cards={place: part.cards.get(place, cards) if place in places else cards for place, cards in old.cards.items()},
        tiles={code: part.tiles.get(code, tile) if code in places else tile for code, tile in old.tiles.items()},
    )


def _covered(observation: Observation) -> frozenset[str]:
    """Places that cannot be read for what lies over them."""
    cards = [place for place, cards in observation.cards.items() if any(card.why in _HOLDING for card in cards)]
    return frozenset(cards + [code for code, tile in observation.tiles.items() if tile.why in _HOLDING])


def _elsewhere(observation: Observation, read: frozenset[str]) -> frozenset[str]:
    """Places with a card from memory that was just read at another."""
    fresh = {card.code for place in read for card in observation.cards.get(place, ()) if card.code is not None}
    return frozenset(
        place
        for place, cards in observation.cards.items()
        if place not in read and any(card.code in fresh for card in cards)
    )


def _doubled(observation: Observation) -> frozenset[str]:
    """Places whose card was also read elsewhere: when anything changes, the other may have gone."""
    return frozenset(
        place for place, cards in observation.cards.items() if any(card.why is Why.TWICE for card in cards)
    )
