"""A whole photograph: every place of the table with the cards that lie there, or why they cannot be named.

Wires the stages: rectified plan, tiles, piles peeled over all zones at once, colours settled over all cards together,
doubts named. A card is named only if its drawing and its colour are each alike enough
and clearly ahead of every rival; one card read in two places is named in neither unless one reading is plainly better.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.blame import blamed
from vision.colour import SURELY
from vision.cover import CELL_MM, NOTHING, Cover, find_cover
from vision.deck import Deck
from vision.frame import Picture
from vision.identify import Verdict
from vision.layout import Layout, Point
from vision.match import points_at
from vision.observation import Observation, Reading, TileReading, Why, is_fan
from vision.peel import ALIKE, COVERED, STRIP, STRIP_ALIKE, Peeler, View, is_ahead
from vision.pile import Found, Lain, Pile, corners
from vision.places import Area, areas
from vision.plan import FULL, Plan
from vision.quality import Fault
from vision.rectify import Rectifier, Window
from vision.remains import Stretch, leftovers, prints
from vision.tiles import TileReader
from vision.windows import windows
from vision.zones import Zone, grid, zones_of

_AROUND_MM = 40.0  # a card may lie so far off its place, and its shadow farther
_RIM_MM = 3.5  # around a card that was found, where its shadow and sleeve still show
_TILE_RIM_MM = 8.0  # tiles are no cards, however far off their place they lie
_TILE_SEEN, _TILE_SHADE_MM = 0.6, 1.5  # a tile that hides what lies below it, and its rim
_SHADE_AHEAD, _BY_CHANCE, _OFF = 0.25, 0.8, 0.11  # margin of a colour that is named, and more with noise; how far off
_PALE, _GLEAM = 0.5, 2.0  # contrast of ink in a gleam, and how much surer a paler colour must be
_STRANGE, _SOILED = 1.8, 10.0  # times the usual off are colours with a finger among them; how much surer they must be
_HELD = 0.25


@dataclass(slots=True, eq=False)
class _Part:
    """A part of the table while it is read: its plan, its piles, and what of each is unexplained."""

    plan: Plan
    piles: list[Pile]
    spare: dict[str, list[Stretch]] = field(default_factory=dict)


class Reader:
    """Reads photographs of one layout with one deck."""

    def __init__(self, deck: Deck, layout: Layout) -> None:
        self.deck, self.layout = deck, layout
        self.zones = zones_of(layout)
        self._grids = {zone.name: grid(zone) for zone in self.zones}
        self._peeler = Peeler(deck)
        self._tiles = TileReader(layout, deck.tiles_bgr)
        self._areas = areas(layout)
        self._beside = {tile.code: _touching(tile.code, self._areas) for tile in layout.tiles}
        # Cards of neighbouring places may lie over each other: neither can be read without the other.
        self._crossing = {
            name: _touching(name, self._areas, 0.0) - self._beside.keys() for name in self._areas.keys() - self._beside
        }
        self._corners = corners(deck.card_mm)
        self._tile_places = [
            np.array(centre) + corners(layout.tile_mm) for tile in layout.tiles for _, centre in tile.spots
        ]
        self._lying: dict[str, list[Lain]] = {}  # what each zone was last seen to hold, the topmost first
        self._tiles_seen: dict[str, TileReading] = {}  # and where each tile was last seen to lie

    def read(self, frame_bgr: Picture, rectifier: Rectifier, places: Collection[str] | None = None) -> Observation:
        """Every place of the layout, or only some: fans, spots and tile codes."""
        started = time.perf_counter()
        asked, places = places, self._with_crossing(places)
        wanted = [zone for zone in self.zones if places is None or _wants(zone, places)]
        if places is None or self._peeler.view.rectifier is not rectifier:
            self._peeler.view = View(rectifier)
            self._lying, self._tiles_seen = {}, {}
        tiles = self._tiles_near(frame_bgr, rectifier, places, asked)
        if asked is not None and not wanted:
            return replace(Observation({}, tiles).only(asked), elapsed_ms=(time.perf_counter() - started) * 1000)
        lain = _outlines(rectifier, tiles)
        parts = [self._part(frame_bgr, rectifier, *part, tiles, lain) for part in self._windows(places, wanted)]
        for part in parts:
            self._peeler.peel(part.plan, part.piles)
            self._look_closer(part)
            part.spare = self._spare(part, lain)
        piles = [pile for part in parts for pile in part.piles]
        cover = NOTHING
        if any(stretches for part in parts for stretches in part.spare.values()):
            known = self._known(piles, lain) + self._unasked(places)
            table = parts[0].plan.table_bgr if places is None else rectifier.table(frame_bgr, FULL)
            cover = find_cover(table, self.layout, known)
            for part in parts:
                self._look_again(part, lain, cover)
        told = iter(self._peeler.settled([found.sight for pile in piles for found in pile.found], self._others(piles)))
        cards: dict[str, tuple[Reading, ...]] = {}
        for part in parts:
            for pile in part.piles:
                verdicts = [next(told) for _ in pile.found]
                self._lying[pile.zone.name] = list(map(_lain, pile.found, verdicts))
                readings = [(f, self._reading(f, v, rectifier)) for f, v in zip(pile.found, verdicts, strict=True)]
                left = [stretch.middle for stretch in part.spare[pile.zone.name]]
                cards |= self._placed(pile, readings, pile.strangers + left, cover)
        ordered = {place: cards[place] for place in self._places() if place in cards}
        observation = blamed(Observation(_once(ordered), tiles), frame_bgr, rectifier, self.layout)
        if asked is not None:
            observation = observation.only(asked)
        return replace(observation, elapsed_ms=(time.perf_counter() - started) * 1000)

    def _windows(self, places: Collection[str] | None, wanted: list[Zone]) -> list[tuple[Window, list[Zone]]]:
        """The parts of the table that the cards of some places take up, with what may lie around them."""
        if places is None:
            width, height = (round(side) for side in self.layout.size_mm)
            return [((0, 0, width, height), wanted)]
        outlines = {
            name: np.concatenate([area.outline_mm() for area in self._areas[name]])
            for name in places
            if name not in self._beside
        }
        found = windows(outlines, _AROUND_MM, self.layout.size_mm)
        return [(window, [zone for zone in wanted if _wants(zone, names)]) for window, names in found.items()]

    def _part(
        self,
        frame_bgr: Picture,
        rectifier: Rectifier,
        window: Window,
        zones: list[Zone],
        tiles: dict[str, TileReading],
        lain: dict[str, NDArray[np.floating]],
    ) -> _Part:
        """A part of the table before anything is found in it but tiles."""
        plan = Plan.of(rectifier.table(frame_bgr, FULL, window), window[:2])
        for code, outline in lain.items():
            if tiles[code].confidence > _TILE_SEEN:
                plan.hide(outline, _TILE_SHADE_MM)
        before = self._lying
        piles = [
            Pile(zone, self._grids[zone.name], self.deck.card_mm, before=[*before.get(zone.name, ())]) for zone in zones
        ]
        return _Part(plan, piles)

    def _with_crossing(self, places: Collection[str] | None) -> Collection[str] | None:
        """Some places, and those whose cards may lie over theirs."""
        if places is None:
            return None
        return {*places, *(other for name in places for other in self._crossing.get(name, ()))}

    def _tiles_near(
        self,
        frame_bgr: Picture,
        rectifier: Rectifier,
        places: Collection[str] | None,
        asked: Collection[str] | None,
    ) -> dict[str, TileReading]:
        """The tiles among some places, and those that may lie beside the cards of the others: a tile that nobody asked
        about lies where it lay."""
        if places is None or asked is None:
            near, known = None, {}
        else:
            near = {code for code, beside in self._beside.items() if not beside.isdisjoint(places)}
            known = {code: tile for code, tile in self._tiles_seen.items() if code in near and code not in asked}
            near -= known.keys()
        seen = self._tiles.read(frame_bgr, rectifier, (), near)
        self._tiles_seen |= seen
        return known | seen

    def _unasked(self, places: Collection[str] | None) -> list[NDArray[np.floating]]:
        """The outlines of places that are not read: whatever lies there is not for this look to explain."""
        if places is None:
            return []
        return [area.outline_mm() for name, parts in self._areas.items() if name not in places for area in parts]

    def _look_closer(self, part: _Part) -> None:
        """Fans that may go on in a strip too narrow to be missed, once more."""
        going_on = [pile for pile in part.piles if pile.goes_on(part.plan) and pile.closer(part.plan, [], False)]
        for pile in going_on:
            pile.done = False
        self._peeler.peel(part.plan, going_on)

    def _look_again(self, part: _Part, lain: dict[str, NDArray[np.floating]], cover: Cover) -> None:
        """Piles that were not explained, once more: with hands left out, beside their place, below a foreign card."""
        hidden = cover.hands  # what else covers the table may be a card that was not found yet
        for attempt in (Pile.closer, Pile.aside, Pile.covered, Pile.under_a_stranger):
            unread = [
                pile
                for pile in part.piles
                if part.spare[pile.zone.name]
                and not pile.is_full
                and attempt(pile, part.plan, part.spare[pile.zone.name], bool(hidden.any()))
            ]
            if unread:
                for pile in unread:
                    pile.done = False
                if attempt in (Pile.covered, Pile.under_a_stranger):
                    part.plan.leave_out(hidden, CELL_MM)
                self._peeler.peel(part.plan, unread)
                part.spare = self._spare(part, lain)

    def _spare(self, part: _Part, lain: dict[str, NDArray[np.floating]]) -> dict[str, list[Stretch]]:
        """What is printed in each zone and was not explained."""
        printed = prints(part.plan, self._explained(part.piles, lain))
        return {pile.zone.name: leftovers(part.plan, printed, pile.zone, self.deck.card_mm) for pile in part.piles}

    def _explained(
        self, piles: list[Pile], lain: dict[str, NDArray[np.floating]]
    ) -> list[tuple[NDArray[np.floating], float]]:
        """Outlines within which print is no riddle, each with its rim: what was found, and all places of tiles."""
        places = [(outline, _TILE_RIM_MM) for outline in self._tile_places]
        strangers = [(pile.stranger_mm(v), _RIM_MM) for pile in piles for v in pile.strangers]
        return [(outline, _RIM_MM) for outline in self._known(piles, lain)] + places + strangers

    def _reading(self, found: Found, verdict: Verdict, rectifier: Rectifier) -> Reading:
        """The card's name, or why it has none."""
        code = self.deck.codes[verdict.face]
        seen = rectifier.to_px(points_at(found.pose[None], self._corners)[0].astype(np.float64))
        outline: tuple[Point, ...] = tuple((float(x), float(y)) for x, y in seen)
        why = self._doubt(found, verdict)
        turned = abs((found.pose[2] + 180) % 360 - 180)
        return Reading(
            None if why else code,
            why,
            round(max(0.0, verdict.likeness), 4),
            round(float(np.clip(verdict.margin, 0.0, 1.0)), 4),
            outline,
            bool(turned > 90),
        )

    def _doubt(self, found: Found, verdict: Verdict) -> Why | None:
        if self._peeler.is_back(found.sight):
            return Why.FACE_DOWN
        if found.sight.shown < COVERED:
            return Why.COVERED
        if verdict.likeness < (STRIP_ALIKE if found.sight.shown < STRIP else ALIKE):
            return Why.FOREIGN
        if not is_ahead(found.sight):
            return Why.ALIKE
        if verdict.shade is None:
            return None if self._peeler.is_alone(found.sight) else Why.COVERED
        shade = verdict.shade
        if shade.is_grey:
            return Why.COLOURLESS
        enough = _SHADE_AHEAD + _BY_CHANCE * shade.noise / max(shade.margin, 0.01)
        manner = self._peeler.view.manner
        strange = 0.0 if manner is None else max(0.0, shade.off - _STRANGE * manner.off)
        if shade.margin < enough + _SOILED * strange:
            return Why.ALIKE
        pale = max(0.0, _PALE - found.sight.contrast)
        if shade.margin < enough + _GLEAM * pale:
            return Why.GLARE
        return Why.FOREIGN if shade.off > _OFF else None

    def _placed(
        self, pile: Pile, found: list[tuple[Found, Reading]], spare: list[float], cover: Cover
    ) -> dict[str, tuple[Reading, ...]]:
        """Readings by place in the order of laying: from the Stone outwards, or towards it if the topmost is nearest.

        What was not explained joins them unread.
        """
        zone = pile.zone
        along = [(pile.along(card), reading) for card, reading in found]
        if is_fan(zone.name):
            towards_stone = len(along) > 1 and along[0][0] == min(v for v, _ in along)
            along += [(v, Reading(None, self._unread(zone, v, cover))) for v in spare]
            in_order = sorted(along, key=lambda pair: pair[0], reverse=towards_stone)
            return {zone.name: tuple(reading for _, reading in in_order)}
        spots = [spot for spot in self.layout.spots if spot.place.startswith(zone.name)]
        placed: dict[str, tuple[Reading, ...]] = {spot.place: () for spot in spots}
        for card, reading in found:
            nearest = min(spots, key=lambda spot: float(np.hypot(*(card.pose[:2] - spot.centre_mm))))
            placed[nearest.place] += (reading,)
        empty = [place for place, readings in placed.items() if not readings]
        if spare and empty:
            placed[empty[0]] = (Reading(None, self._unread(zone, 0.0, cover)),)
        return placed

    def _unread(self, zone: Zone, v: float, cover: Cover) -> Why:
        middle = zone.table_mm(np.array([[(zone.low[0] + zone.high[0]) / 2, v]]))
        share, fault = cover.share(middle + self._corners * 0.6)
        if share < _HELD:
            return Why.FOREIGN
        return Why.HAND if fault == Fault.HAND else Why.OBJECT

    def _known(self, piles: list[Pile], lain: dict[str, NDArray[np.floating]]) -> list[NDArray[np.floating]]:
        """The corners of everything that was found on the table, now or before."""
        found = {pile.zone.name: [card.pose for card in pile.found] for pile in piles}
        before = {name: [card.pose for card in cards] for name, cards in self._lying.items()}
        poses = [pose for each in (before | found).values() for pose in each]
        return [*points_at(np.array(poses).reshape(-1, 5), self._corners), *lain.values()]

    def _others(self, piles: list[Pile]) -> set[int]:
        """Faces that surely lie where this look does not reach."""
        looked_at = {pile.zone.name for pile in piles}
        lying = [card for name, cards in self._lying.items() if name not in looked_at for card in cards]
        return {card.face for card in lying if card.face is not None}

    def _places(self) -> list[str]:
        return [fan.place for fan in self.layout.fans] + [spot.place for spot in self.layout.spots]


def _outlines(rectifier: Rectifier, tiles: dict[str, TileReading]) -> dict[str, NDArray[np.floating]]:
    """The corners of the tiles that were found, on the table."""
    found = {code: tile.corners_px for code, tile in tiles.items() if tile.corners_px}
    return dict(zip(found, rectifier.to_mm(list(found.values())), strict=True)) if found else {}


def _lain(found: Found, verdict: Verdict) -> Lain:
    is_sure = min(verdict.likeness, verdict.margin) > SURELY
    return Lain(found.pose, found.sight.family, verdict.face if is_sure else None)


def _touching(code: str, areas_: dict[str, tuple[Area, ...]], gap_mm: float = 20.0) -> set[str]:
    """The places so near to one that what lies there may be in each other's way."""
    return {
        name for name, parts in areas_.items() for one in parts for other in areas_[code] if one.is_near(other, gap_mm)
    }


def _wants(zone: Zone, places: Collection[str]) -> bool:
    return any(place == zone.name or place.startswith(f"{zone.name}") for place in places)


def _once(cards: dict[str, tuple[Reading, ...]]) -> dict[str, tuple[Reading, ...]]:
    """There is one copy of each card: where one was read twice, only a much better reading stands."""
    seen: dict[str, list[Reading]] = {}
    for readings in cards.values():
        for reading in readings:
            if reading.code is not None:
                seen.setdefault(reading.code, []).append(reading)
    doubted = set()
    for readings_of in seen.values():
        ranked = sorted(readings_of, key=lambda reading: -reading.margin * reading.confidence)
        if len(ranked) > 1:
            plain = ranked[0].margin > ranked[1].margin + 0.3
            doubted |= {id(reading) for reading in ranked[1 if plain else 0 :]}
    return {
        place: tuple(
            replace(reading, code=None, why=Why.TWICE) if id(reading) in doubted else reading for reading in readings
        )
        for place, readings in cards.items()
    }
