"""Reading a table on which cards lie anywhere: every card found is named as everywhere, then given to its place.

Cards may lie upright, upside down, sideways, face down, a little over one another (`seek` finds them). Tokens are known
by the markers printed on them. A card is named only if its drawing is alike enough and clearly ahead of every rival
and its colours are right; what is not certain is left unread. Knows places, pixels and faces; knows no rule.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.blame import blamed
from vision.cover import Cover, Mask, find_cover
from vision.deck import Deck
from vision.frame import Picture
from vision.gleam import blinding
from vision.identify import Identifier, Verdict
from vision.layout import Layout, Point
from vision.mat_lines import MatLines
from vision.observation import Observation, Reading, TileReading, Why
from vision.overlaid import Overlaid
from vision.pile import Found, corners
from vision.places import Place, where_cards_lie
from vision.plan import FULL, MARGIN, Plan
from vision.quality import Fault
from vision.rectify import Rectifier
from vision.remains import is_shade
from vision.remembered import MISSING, Lain, Remembered, Tokens
from vision.seek import NEAR_MM, SCRAP_MM2, Seeker
from vision.tokens import closer_look, find_tokens

_AHEAD = 0.6  # margin of a drawing that is named
_OFF = 0.13  # how far off its colours may be, of 1
_ASKEW_DEG = 33.0  # turned farther than this from upright and sideways, nobody can say which it is
_HELD, _REACHED_OVER = 0.25, 0.08  # share of a card, or of a place, that something covers
_HEAP = 1.25  # of a card's size that a heap takes up with what slid off it
_LOOK_MM = 40  # between two closer looks at something large


@dataclass(frozen=True, slots=True)
class _Scrap:
    """Something in a place that was not found to be a card of the deck, and where a token could lie on it."""

    place: str
    why: Why
    at_mm: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class _Look:
    """What a look over the table found: cards with their verdicts, what is left over, the middles of cards on which
    something lies, what covers the table, and where a gleam blinded the camera."""

    named: list[tuple[Found, Verdict]]
    left: list[_Scrap]
    overlaid_mm: list[Point]
    cover: Cover
    blinded: Mask

    @property
    def unnamed_mm(self) -> list[Point]:
        """Where a token may lie that was not seen."""
        return [*(at for scrap in self.left for at in scrap.at_mm), *self.overlaid_mm]

    @property
    def is_plain(self) -> bool:
        """Whether nothing lies on anything that could hide a token from the closest look."""
        return not self.overlaid_mm and all(scrap.why is Why.FOREIGN for scrap in self.left)


class AreaReader:
    """Reads photographs of one layout with one deck."""

    def __init__(self, deck: Deck, layout: Layout) -> None:
        self.deck, self.layout = deck, layout
        self._seeker = Seeker(deck, layout)
        self._identifiers = lru_cache(maxsize=2)(self._identifier)
        self._overlaid = Overlaid(deck)
        self._mat_lines = MatLines(layout)
        self._places = where_cards_lie(layout)
        self._backs = {deck.codes.index(code) for code in deck.backs}
        self._view: Rectifier | None = None
        self._last = Remembered(layout, self._places)

    def _identifier(self, soft_mm: float) -> Identifier:
        """The faces as a lens this soft would show them. No two count as one drawing in several colours: cards of a
        clan may share all but their numbers."""
        each = replace(self.deck, alike=tuple(range(len(self.deck.codes))))
        return Identifier(each, soft_mm)

    def read(self, frame_bgr: Picture, rectifier: Rectifier, places: Collection[str] | None = None) -> Observation:
        """Every place of the layout, or only some: spots and regions. Tokens are always looked for."""
        started = time.perf_counter()
        wanted = [place for name, place in self._places.items() if places is None or name in places]
        if places is None or self._view is not rectifier:
            self._view, self._last = rectifier, Remembered(self.layout, self._places)
        table = rectifier.table(frame_bgr, FULL)
        tokens = find_tokens(frame_bgr, rectifier, self.layout)
        tokens |= self._expected(table, tokens)
        ignored = self._ignored(rectifier)
        look = self._look(table, wanted, [*tokens.values(), *ignored])
        closely = closer_look(table, self.layout, look.unnamed_mm)
        if closely.found.keys() - tokens.keys():
            tokens = closely.found | tokens
            look = self._look(table, wanted, [*tokens.values(), *ignored])
        read = [(card, self._reading(card, verdict, rectifier)) for card, verdict in look.named]
        lain = [Lain(reading, self._seeker.outline(card), self._last.at(card.pose[:2]).name) for card, reading in read]
        self._last.seen({place.name for place in wanted}, lain, (scrap.place for scrap in look.left), tokens)
        cards = self._placed(wanted, read)
        for scrap in look.left:
            if not (self._places[scrap.place].is_heap and cards[scrap.place]):  # what slid off below the topmost
                cards[scrap.place] = (*cards[scrap.place], Reading(None, scrap.why))
        tiles = self._tiles(tokens, rectifier, look, is_certain=not closely.doubtful_mm)
        ordered = {name: tuple(sorted(readings, key=_order)) for name, readings in cards.items()}
        observation = blamed(Observation(_once(ordered), tiles), frame_bgr, rectifier, self.layout)
        return replace(observation, elapsed_ms=(time.perf_counter() - started) * 1000)

    def _look(self, table: Picture, wanted: Sequence[Place], no_cards: Sequence[NDArray[np.float64]]) -> _Look:
        """All cards between and below what is no card, and what is left over."""
        plan = Plan.of(table)
        ground = [place.area for place in wanted]
        hiding: list[NDArray[np.floating]] = [*no_cards, *self._unasked(wanted)]
        found, eye = self._seeker.cards(plan, self._identifiers, ground, hiding)
        known: list[NDArray[np.floating]] = [*hiding, *(self._seeker.outline(card) for card in found)]
        cover = self._mat_lines.without_light(find_cover(table, self.layout, known), table)
        verdicts = eye.settled([card.sight for card in found], None)[0] if eye else []
        named = list(zip(found, verdicts, strict=True))
        left = self._left_over(self._seeker.unexplained(plan, ground, known), wanted, cover)
        overlaid = [_point(card.pose[:2]) for card, verdict in named if self._is_overlaid(card, verdict)]
        outlines = [np.asarray(outline, np.float64) for outline in known]
        return _Look(named, left, overlaid, cover, blinding(table, cover.hands.shape, outlines))

    def _is_overlaid(self, card: Found, verdict: Verdict) -> bool:
        """Whether something that nobody could tell seems to lie on a card, whatever that card is."""
        return verdict.face not in self._backs and self._overlaid.is_on(card.sight, verdict.face)

    def _expected(self, table: Picture, seen: Collection[str]) -> Tokens:
        """Tokens that were not seen, looked for more closely where they belong and where they lay."""
        spots = [at for tile in self.layout.tiles if tile.code not in seen for _, at in tile.spots]
        spots += [_point(outline.mean(axis=0)) for code, outline in self._last.tokens.items() if code not in seen]
        return closer_look(table, self.layout, spots).found

    def _ignored(self, rectifier: Rectifier) -> list[NDArray[np.float64]]:
        """Outlines within which nothing is read: closed heaps with what slid off them, and the markers, wherever they
        lie."""
        closed = [heap for heap in self.layout.heaps if not heap.is_open]
        heaps = [np.array(heap.centre_mm) + corners(self.layout.card_mm) * _HEAP for heap in closed]
        middles = [(marker.mean(axis=0), marker) for marker in rectifier.markers_mm.values()]
        markers = [middle + (marker - middle) * 1.35 for middle, marker in middles]
        return [np.asarray(outline, np.float64) for outline in heaps + markers]

    def _unasked(self, wanted: Sequence[Place]) -> list[NDArray[np.floating]]:
        """Outlines of the places that nobody asked for, and of their cards, which may reach over their edges."""
        names = {place.name for place in wanted}
        unasked = [place for name, place in self._places.items() if name not in names]
        cards = [card.outline_mm for card in self._last.cards if card.place not in names]
        return [*(place.area.outline_mm() for place in unasked), *cards]

    def _reading(self, found: Found, verdict: Verdict, rectifier: Rectifier) -> Reading:
        """The card's name, or why it has none; how it lies is told when its place is known."""
        corners = rectifier.to_px(self._seeker.outline(found).astype(np.float64))
        why = self._doubt(found, verdict)
        return Reading(
            None if why else self.deck.codes[verdict.face],
            why,
            round(max(0.0, verdict.likeness), 4),
            round(float(np.clip(verdict.margin, 0.0, 1.0)), 4),
            tuple((float(x), float(y)) for x, y in corners),
        )

    def _doubt(self, found: Found, verdict: Verdict) -> Why | None:
        if found.sight.margin < _AHEAD:
            return Why.ALIKE
        if verdict.face in self._backs:
            return Why.FACE_DOWN
        if verdict.shade is None:
            return Why.COVERED
        return Why.FOREIGN if verdict.shade.off > _OFF else None

    def _placed(self, wanted: Sequence[Place], read: Sequence[tuple[Found, Reading]]) -> dict[str, tuple[Reading, ...]]:
        """Readings by place, each told how it lies there."""
        placed: dict[str, tuple[Reading, ...]] = {place.name: () for place in wanted}
        for card, reading in read:
            nearest = self._last.at(card.pose[:2])
            away = nearest.away_mm(card.pose[:2])
            if nearest.name in placed and away < NEAR_MM:
                if nearest.is_heap and placed[nearest.name]:
                    continue  # the topmost was found first
                lying = _lying(reading, card.pose[2] - nearest.rotation)
                placed[nearest.name] += (replace(lying, code=None, why=Why.OUTSIDE) if away > 0 else lying,)
        return placed

    def _left_over(self, printed: NDArray[np.bool_], wanted: Sequence[Place], cover: Cover) -> list[_Scrap]:
        """What lies in a place and was not found to be a card of the deck."""
        count, labels, stats, centres = cv2.connectedComponentsWithStats(printed.astype(np.uint8))
        left = []
        for n in range(1, count):
            area = int(stats[n, cv2.CC_STAT_AREA])
            middle = centres[n] - MARGIN + 0.5
            nearest = min(wanted, key=lambda place: place.away_mm(middle))
            if area <= 2 * SCRAP_MM2 or nearest.away_mm(middle) >= NEAR_MM or is_shade(labels == n, cover):
                continue
            share, fault = cover.share(middle + self._seeker.corners_mm * 0.5)
            why = _over(fault) if share > _HELD else Why.FOREIGN
            rows, columns = np.nonzero((labels == n)[MARGIN::_LOOK_MM, MARGIN::_LOOK_MM])
            spread = [(float(x * _LOOK_MM), float(y * _LOOK_MM)) for x, y in zip(columns, rows, strict=True)]
            left.append(_Scrap(nearest.name, why, (_point(middle), *spread)))
        for place in wanted:
            share, fault = cover.share(place.area.outline_mm())
            if share > _REACHED_OVER and all(scrap.place != place.name for scrap in left):
                left.append(_Scrap(place.name, _over(fault), ()))
        return left

    def _tiles(self, tokens: Tokens, rectifier: Rectifier, look: _Look, *, is_certain: bool) -> dict[str, TileReading]:
        """Where every token lies: a tile at one of its spots, another on a card or in a place. One that was not seen
        lies nowhere if nothing in view could be it or hide it; else nobody knows."""
        masks = (look.cover.hands, look.cover.objects | look.blinded)
        hand, something = (self._last.hides_tokens(mask) for mask in masks)
        unseen = TileReading(None, Why.HAND) if hand else TileReading(None, Why.COVERED)
        if not hand and not something and look.is_plain and is_certain:
            unseen = TileReading(MISSING)
        spots = {tile.code: tile.spots for tile in self.layout.tiles}
        tiles = {}
        for token in self.layout.tokens:
            outline = tokens.get(token.code)
            if outline is None:
                is_unasked = (
                    token.code in self._last.tokens and token.code not in spots
                )  # it lay where nobody looked now
                tiles[token.code] = TileReading(None, Why.UNCERTAIN) if is_unasked else unseen
                continue
            corners = tuple((float(x), float(y)) for x, y in rectifier.to_px(outline))
            middle = outline.mean(axis=0)
            is_tile = token.code in spots
            at = self._last.spot(middle, spots[token.code]) if is_tile else self._last.below(middle)
            tiles[token.code] = TileReading(at, None if at else Why.UNCERTAIN, 1.0, 1.0, corners)
        return tiles


def _point(at: NDArray[np.floating]) -> Point:
    return float(at[0]), float(at[1])


def _over(fault: Fault | None) -> Why:
    return Why.HAND if fault == Fault.HAND else Why.OBJECT


def _lying(reading: Reading, turned_deg: float) -> Reading:
    """How a card lies, seen by its place's owner; askew it could be either way."""
    quarter = round(turned_deg / 90)
    if abs(turned_deg - 90 * quarter) > _ASKEW_DEG and reading.code is not None:
        return replace(reading, code=None, why=Why.UNCERTAIN)
    if reading.code is None:
        return reading
    return replace(reading, sideways=bool(quarter % 2), upside_down=quarter % 4 == 2)


def _order(reading: Reading) -> tuple[str, str, bool]:
    """No order is told by lying anywhere; one and the same is told every time."""
    return reading.code or "~", str(reading.why), reading.sideways


def _once(cards: dict[str, tuple[Reading, ...]]) -> dict[str, tuple[Reading, ...]]:
    """There is one copy of each card: where one was read twice, nobody knows which it is."""
    codes = [reading.code for readings in cards.values() for reading in readings if reading.code is not None]
    twice = {code for code in codes if codes.count(code) > 1}
    return {
        name: tuple(
            replace(reading, code=None, why=Why.TWICE) if reading.code in twice else reading for reading in readings
        )
        for name, readings in cards.items()
    }
