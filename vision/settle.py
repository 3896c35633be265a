"""From readings of single frames to what the table shows: agreement over frames, place by place.

A place settles when so many frames in a row agree. What a hand covers keeps its last settled reading while other
places go on. What cannot be read is said only after it lasted, and a place that keeps changing its mind becomes
uncertain, never one of its minds. Pure: the time is a number given with each observation. Knows no rule: legality never
settles a reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Generic, TypeVar

from vision.observation import Observation, Reading, TileReading, Why

Cards = tuple[Reading, ...]
Seen = TypeVar("Seen", Cards, TileReading)


@dataclass(frozen=True, slots=True)
class Settled:
    """The table as it stands, the places that changed by this frame, and since when each shows what it shows."""

    observation: Observation
    changed: frozenset[str]
    since_s: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Place(Generic[Seen]):
    """One place: what it settled on, and what it may be changing to."""

    settled: Seen | None = None
    since_s: float = 0.0
    rival: Seen | None = None
    votes: int = 0
    rival_since_s: float = 0.0
    doubted_since_s: float | None = None


@dataclass(frozen=True, slots=True)
class Settler:
    """Feed it observations in order; it answers when the settled table changed."""

    frames: int = 3
    patience_s: float = 1.0  # how long something must be unreadable before that is said
    doubt_s: float = 5.0  # how long a place may change its mind
    _cards: Mapping[str, _Place[Cards]] = field(default_factory=lambda: MappingProxyType({}))
    _tiles: Mapping[str, _Place[TileReading]] = field(default_factory=lambda: MappingProxyType({}))
    _held: frozenset[str] = frozenset()

    @classmethod
    def for_stills(cls) -> Settler:
        """Every picture counts at once."""
        return cls(frames=1, patience_s=0.0)

    def feed(self, observation: Observation, at_s: float) -> tuple[Settler, Settled | None]:
        """The settler after this frame, and the table if it or what is held changed and every place is settled."""
        held = observation.held
        cards = {
            place: self._next(self._cards.get(place, _Place()), seen, place in held, at_s)
            for place, seen in observation.cards.items()
        }
        tiles = {
            code: self._next(self._tiles.get(code, _Place()), tile, code in held, at_s)
            for code, tile in observation.tiles.items()
        }
        after = replace(self, _cards=MappingProxyType(cards), _tiles=MappingProxyType(tiles), _held=held)
        changed = frozenset(
            [place for place, state in cards.items() if _is_news(state, self._cards.get(place))]
            + [code for code, state in tiles.items() if _is_news(state, self._tiles.get(code))]
        )
        is_new = bool(changed) or held != self._held
        return after, after._told(observation, changed) if is_new and after._is_complete() else None

    def is_in_flux(self, at_s: float) -> bool:
        """Whether a place has begun to show something else and may settle on it soon.

        What changed elsewhere at the same time should wait: a card that left one place may be about to be seen in
        another.
        """
        cards = any(self._may_settle(place, at_s) for place in self._cards.values())
        return cards or any(self._may_settle(place, at_s) for place in self._tiles.values())

    def _may_settle(self, place: _Place[Cards] | _Place[TileReading], at_s: float) -> bool:
        """Whether a place is about to show something else; one that has no end of changing its mind is not."""
        since_s = place.doubted_since_s
        if place.settled is None or since_s is None or at_s - since_s >= self.doubt_s:
            return False
        return at_s - max(since_s, place.rival_since_s) < self.patience_s

    def _is_complete(self) -> bool:
        cards = all(state.settled is not None for state in self._cards.values())
        return cards and all(state.settled is not None for state in self._tiles.values())

    def _told(self, observation: Observation, changed: frozenset[str]) -> Settled:
        table = replace(
            observation,
            cards={place: state.settled for place, state in self._cards.items() if state.settled is not None},
            tiles={code: state.settled for code, state in self._tiles.items() if state.settled is not None},
        )
        since = {place: state.since_s for place, state in self._cards.items()}
        since |= {code: state.since_s for code, state in self._tiles.items()}
        return Settled(table, changed, MappingProxyType(since))

    def _next(self, place: _Place[Seen], seen: Seen, is_held: bool, at_s: float) -> _Place[Seen]:
        if seen is place.settled and place.rival is None:
            return place  # nobody looked there anew
        if is_held and place.settled is not None:
            # Frames from before and after a hand are not one run of agreement.
            return replace(place, rival=None, votes=0, doubted_since_s=None)
        if place.settled is not None and _value(seen) == _value(place.settled):
            return replace(place, settled=seen, rival=None, votes=0, doubted_since_s=None)
        agrees = place.rival is not None and _value(seen) == _value(place.rival)
        votes = place.votes + 1 if agrees else 1
        first_s = place.rival_since_s if agrees else at_s
        doubted_s = at_s if place.doubted_since_s is None else place.doubted_since_s
        if votes >= self.frames and (_is_read(seen) or at_s - first_s >= self.patience_s):
            return _Place(settled=seen, since_s=first_s)
        if at_s - doubted_s >= self.doubt_s and not _is_doubtful(place.settled):
            return _Place(settled=_doubtful(seen), since_s=doubted_s)
        return replace(place, rival=seen, votes=votes, rival_since_s=first_s, doubted_since_s=doubted_s)


Value = tuple[tuple[str | None, Why | None, bool], ...]


def _value(seen: Cards | TileReading) -> Value:
    """What is said, without how sure or where exactly."""
    if isinstance(seen, TileReading):
        return ((seen.at, seen.why, False),)
    return tuple((card.code, card.why, card.sideways) for card in seen)


def _shows(place: _Place[Cards] | _Place[TileReading] | None) -> Value | None:
    return None if place is None or place.settled is None else _value(place.settled)


def _is_news(now: _Place[Seen], then: _Place[Seen] | None) -> bool:
    return now is not then and _shows(now) != _shows(then)


def _is_read(seen: Cards | TileReading) -> bool:
    return all(name is not None for name, _, _ in _value(seen))


def _is_doubtful(seen: Cards | TileReading | None) -> bool:
    return seen is not None and any(why is Why.UNCERTAIN for _, why, _ in _value(seen))


def _doubtful(seen: Seen) -> Seen:
    if isinstance(seen, TileReading):
        return replace(seen, at=None, why=Why.UNCERTAIN)
    return tuple(replace(card, code=None, why=Why.UNCERTAIN) for card in seen) or (Reading(None, Why.UNCERTAIN),)
