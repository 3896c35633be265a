"""A whole photograph: every place of the table with the cards that lie there, or why they cannot be named.

Wires the stages: rectified plan, rounds of `peel` and `identify` over all zones at once, colours settled over all cards
together, doubts named, tiles. A card is named only if its drawing and its colour are each alike enough and clearly
ahead of every rival; one card read in two places is named in neither unless one reading is plainly better.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.blame import blamed
from vision.colour import Palette
from vision.cover import CELL_MM, Cover, find_cover
from vision.deck import Deck
from vision.frame import Picture
from vision.identify import Identifier, Sight, Verdict, settled
from vision.layout import Layout, Point, Size
from vision.match import Floats, Poses, Templates, correlate, points_at
from vision.observation import Observation, Reading, TileReading, Why, is_fan
from vision.peel import CLOSE_TURNS, FINE, Guess, Plan, Searcher, Zone, evidence, grid, zones_of
from vision.places import areas
from vision.quality import Fault, blur_px
from vision.rectify import Rectifier
from vision.remains import Stretch, has_print, leftovers, prints
from vision.tiles import TileReader

FULL = 2.0  # pixels a millimetre of the last look
_SOFT_MM = (0.3, 0.45, 0.65, 0.95)
_PIXEL = 0.45  # what a pixel's own size adds to a blur, in pixels
_RIM_MM = 3.5  # around a card that was found, where its shadow and sleeve still show
_TILE_RIM_MM = 8.0  # tiles are no cards, however far off their place they lie
_ALIKE, _AHEAD = 0.80, 0.54  # likeness and margin of a drawing that is named
_PLAINLY_ALIKE, _PLAINLY_AHEAD = 0.92, 0.65  # one of them must be at least this
_SHADE_AHEAD, _OFF = 0.22, 0.11  # margin of a colour that is named; how far off it may be, of 1
_MISFIT, _MISFIT_MORE, _MISFIT_MOST = 0.5, 2.0, 2.2  # of a colour: the further ahead it is, the more may be left
_STRIP, _STRIP_ALIKE = 0.2, 0.86  # a card that shows less than this must be more alike
_LEAST_STEP_MM, _MOST_STEP_MM = 5.0, 46.0
_USUAL_STEP_MM, _ROOM_MM = 22.0, 34.0  # of a fan; of print that may be more than one card's
_GUESSES, _CLOSE_GUESSES, _CLOSE_MM = 5, 8, 2.8  # places tried at a time; when looked at again, and how close
_HOPELESS, _FAR_BEHIND = 0.55, 0.75  # likeness and worth of guesses that need no closer look
_ASIDE_MM = 33.0  # how far beside its fan a card is looked for: farther, it is nearer to the next one
_COVERED, _BACK_SHOWN = 0.08, 0.16  # a card that shows less than this cannot be told from a rim
_HELD = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A card on the table: where, what drawing, and the share of it that shows."""

    pose: NDArray[np.float64]
    sight: Sight
    shown: float


@dataclass(slots=True)
class Pile:
    """One zone while it is peeled."""

    zone: Zone
    poses: Poses
    card_mm: Size
    found: list[Found] = field(default_factory=list)
    strangers: list[float] = field(default_factory=list)  # where foreign cards lie along the zone
    done: bool = False
    masked: bool = False
    most: int = _GUESSES

    def covered(self, plan: Plan, spare: list[Stretch], is_covered: bool) -> bool:
        """Worth a second look if something covers part of the table."""
        self.masked |= is_covered
        return is_covered

    def closer(self, plan: Plan, spare: list[Stretch], is_covered: bool) -> bool:
        """A narrow strip may hide between the poses that were tried."""
        self.poses = grid(self.zone, _CLOSE_MM, CLOSE_TURNS)
        self.most = _CLOSE_GUESSES
        return True

    def aside(self, plan: Plan, spare: list[Stretch], is_covered: bool) -> bool:
        """A fan of which nothing was found may lie half outside its place."""
        if self.found or not is_fan(self.zone.name):
            return False
        zone = replace(self.zone, low=(-_ASIDE_MM, self.zone.low[1]), high=(_ASIDE_MM, self.zone.high[1]))
        self.poses = grid(zone)
        return True

    def under_a_stranger(self, plan: Plan, spare: list[Stretch], is_covered: bool) -> bool:
        """What nothing explains is taken for a foreign card, with others below it if there is room for them."""
        if not is_fan(self.zone.name):
            return False
        longest = max(spare, key=lambda stretch: stretch.high - stretch.low)
        inner = min((float(self.zone.own(card.pose[None, :2])[0, 1]) for card in self.found), default=None)
        if longest.high - longest.low < _ROOM_MM or (inner is not None and longest.middle > inner):
            return False
        length = longest.high - longest.low
        alone = inner is None and length < self.card_mm[1] + _LEAST_STEP_MM
        if inner is not None:
            middle = inner - _USUAL_STEP_MM
        else:
            middle = longest.middle if alone else longest.high - self.card_mm[1] / 2
        self.strangers.append(middle)
        self.masked = True
        plan.hide(self.stranger_mm(middle))
        return not alone

    def stranger_mm(self, v: float) -> NDArray[np.float64]:
        """The outline of a foreign card, as far as can be told."""
        corners = _corners((self.card_mm[0] + 8.0, self.card_mm[1] + 4.0)) + np.array([0.0, v])
        return self.zone.table_mm(corners.astype(np.float64))

    def is_full(self) -> bool:
        """No more cards are looked for: one too many in a fan is worth knowing, elsewhere there is no room."""
        return len(self.found) >= self.zone.capacity + is_fan(self.zone.name)

    def beside(self, poses: Poses) -> NDArray[np.bool_]:
        """Poses at which a card would show a strip beside those found already."""
        away = np.hypot(*(poses[:, None, :2] - np.array([card.pose[:2] for card in self.found])).transpose(2, 0, 1))
        nearest = away.min(axis=1)
        return np.asarray((nearest > _LEAST_STEP_MM) & (nearest < _MOST_STEP_MM))


class Reader:
    """Reads photographs of one layout with one deck."""

    def __init__(self, deck: Deck, layout: Layout) -> None:
        self.deck, self.layout = deck, layout
        self.zones = zones_of(layout)
        self._grids = {zone.name: grid(zone) for zone in self.zones}
        self._searcher = Searcher(deck)
        self._identifiers = lru_cache(maxsize=2)(self._identifier)
        self._tiles = TileReader(layout, deck.tiles_bgr)
        self._areas = areas(layout)
        self._backs = deck.backs
        self._corners = _corners(deck.card_mm)
        self._area_mm2 = np.float32(deck.card_mm[0] * deck.card_mm[1])

    def _identifier(self, soft_mm: float) -> Identifier:
        """The faces as a lens this soft would show them."""
        return Identifier(Templates.of(self.deck, FULL, soft_mm), Palette(Templates.of(self.deck, FINE, soft_mm)))

    def _sharpness(self, frame_bgr: Picture, rectifier: Rectifier) -> float:
        """How soft the frame is, in millimetres, to the nearest of a few steps."""
        width, height = self.layout.size_mm
        px_per_mm = rectifier.px_per_mm((width / 2, height / 2))
        soft = float(np.hypot(blur_px(frame_bgr, rectifier), _PIXEL)) / px_per_mm
        return min(_SOFT_MM, key=lambda step: abs(np.log(step / max(soft, 0.05))))

    def read(self, frame_bgr: Picture, rectifier: Rectifier, places: Collection[str] | None = None) -> Observation:
        """Every place of the layout, or only some: fans, spots and tile codes."""
        started = time.perf_counter()
        wanted = [zone for zone in self.zones if places is None or _wants(zone, places)]
        table = self._table(frame_bgr, rectifier)
        plan = Plan.of(table.astype(np.float32) / np.float32(255))
        self._eye = self._identifiers(self._sharpness(frame_bgr, rectifier))
        piles = self.piles(frame_bgr, rectifier, plan, wanted)
        tiles = self._tiles.read(frame_bgr, rectifier, (), places)
        known = self._outlines(rectifier, piles, tiles) + self._unasked(places)
        cover = find_cover(table, self.layout, known, FINE)
        self._look_again(frame_bgr, rectifier, plan, piles, tiles, cover)
        verdicts = iter(settled([found.sight for pile in piles for found in pile.found]))
        printed = prints(plan, self._explained(rectifier, piles, tiles))
        cards: dict[str, tuple[Reading, ...]] = {}
        for pile in piles:
            readings = [(found, self._reading(found, next(verdicts), rectifier)) for found in pile.found]
            left = leftovers(plan, printed, pile.zone, self.deck.card_mm)
            cards |= self._placed(pile.zone, readings, pile.strangers + [stretch.middle for stretch in left], cover)
        ordered = {place: cards[place] for place in self._places() if place in cards}
        observation = blamed(Observation(_once(ordered), tiles), frame_bgr, rectifier, self.layout)
        return replace(observation, elapsed_ms=(time.perf_counter() - started) * 1000)

    def _unasked(self, places: Collection[str] | None) -> list[NDArray[np.floating]]:
        """The outlines of places that are not read: whatever lies there is not for this look to explain."""
        if places is None:
            return []
        return [area.outline_mm() for name, parts in self._areas.items() if name not in places for area in parts]

    def piles(self, frame: Picture, rectifier: Rectifier, plan: Plan, zones: Sequence[Zone]) -> list[Pile]:
        """The cards of some zones, the topmost of each first."""
        piles = [Pile(zone, self._grids[zone.name], self.deck.card_mm) for zone in zones]
        self._rounds(frame, rectifier, plan, piles)
        return piles

    def _rounds(self, frame: Picture, rectifier: Rectifier, plan: Plan, piles: list[Pile]) -> None:
        while active := [pile for pile in piles if not pile.done]:
            self._round(frame, rectifier, plan, active)
            plan.settle()

    def _look_again(
        self,
        frame: Picture,
        rectifier: Rectifier,
        plan: Plan,
        piles: list[Pile],
        tiles: dict[str, TileReading],
        cover: Cover,
    ) -> None:
        """Piles that were not explained, once more: with hands left out, beside their place, below a foreign card."""
        hidden = cover.hands  # what else covers the table may be a card that was not found yet
        for attempt in (Pile.closer, Pile.aside, Pile.covered, Pile.under_a_stranger):
            printed = prints(plan, self._explained(rectifier, piles, tiles))
            unread = []
            for pile in piles:
                spare = leftovers(plan, printed, pile.zone, self.deck.card_mm)
                if spare and not pile.is_full() and attempt(pile, plan, spare, bool(hidden.any())):
                    pile.done = False
                    unread.append(pile)
            if unread:
                if attempt in (Pile.covered, Pile.under_a_stranger):
                    plan.leave_out(hidden, CELL_MM)
                    plan.settle()
                self._rounds(frame, rectifier, plan, unread)

    def _explained(
        self, rectifier: Rectifier, piles: list[Pile], tiles: dict[str, TileReading]
    ) -> list[tuple[NDArray[np.floating], float]]:
        """Outlines within which print is no riddle, each with its rim: what was found, and all places of tiles."""
        spots = [centre for tile in self.layout.tiles for _, centre in tile.spots]
        places = [(np.array(centre) + _corners(self.layout.tile_mm), _TILE_RIM_MM) for centre in spots]
        strangers = [(pile.stranger_mm(v), _RIM_MM) for pile in piles for v in pile.strangers]
        return [(outline, _RIM_MM) for outline in self._outlines(rectifier, piles, tiles)] + places + strangers

    def _table(self, frame_bgr: Picture, rectifier: Rectifier) -> Picture:
        width, height = self.layout.size_mm
        return rectifier.warp(frame_bgr, (width / 2, height / 2), (width, height), 0.0, FINE)

    def _round(self, frame: Picture, rectifier: Rectifier, plan: Plan, piles: list[Pile]) -> None:
        """One more card in every pile that has one."""
        guesses = [(n, guess) for n, pile in enumerate(piles) for guess in self._guesses(plan, pile)]
        for pile in piles:
            pile.done = True
        if not guesses:
            return
        owner = np.array([n for n, _ in guesses])
        face = np.array([guess.face for _, guess in guesses])
        pose = self._searcher.refine(plan, np.stack([guess.pose for _, guess in guesses]), face)
        patches, masks = self._searcher.seen(plan, pose)
        scores = correlate(patches, masks, self._searcher.fine.ink)
        face, points = scores.argmax(axis=1), masks.sum(axis=1)
        rank = evidence(scores.max(axis=1), points)
        keep = np.concatenate([_clear_best(owner == n, rank, scores.max(axis=1)) for n in range(len(piles))])
        if not len(keep):
            return
        owner, face = owner[keep], face[keep]
        pose, sights, shown = self._eye.sights(frame, rectifier, plan, pose[keep], face)
        rank = evidence(np.array([sight.likeness for sight in sights], np.float32), shown * self._area_mm2)
        seen = [Found(*each) for each in zip(pose, sights, shown.tolist(), strict=True)]
        there = np.array([self._is_there(found) for found in seen])
        for n, pile in enumerate(piles):
            for best in _best(there & (owner == n), rank, 1):
                pile.found.append(seen[best])
                plan.hide(points_at(seen[best].pose[None], self._corners)[0])
                pile.done = pile.is_full()

    def _is_there(self, found: Found) -> bool:
        """Whether a drawing is alike enough to be believed to lie there at all."""
        if self.deck.codes[found.sight.face] in self._backs and found.shown < _BACK_SHOWN:
            return False  # the rim of a back is like any rim
        if found.shown < _COVERED:
            return False
        return found.sight.likeness > (_STRIP_ALIKE if found.shown < _STRIP else _ALIKE)

    def _guesses(self, plan: Plan, pile: Pile) -> list[Guess]:
        """Faces and poses worth a closer look."""
        poses = pile.poses
        if pile.found:
            poses = poses[pile.beside(poses)]
        poses = poses[plan.busy(poses)]
        masked = pile.masked or bool(pile.found)
        if masked and not has_print(plan, pile.zone, self.deck.card_mm):
            return []
        return self._searcher.guesses(plan, poses, pile.most, masked=masked) if len(poses) else []

    def _reading(self, found: Found, verdict: Verdict, rectifier: Rectifier) -> Reading:
        """The card's name, or why it has none."""
        code = self.deck.codes[verdict.face]
        corners = rectifier.to_px(points_at(found.pose[None], self._corners)[0].astype(np.float64))
        outline: tuple[Point, ...] = tuple((float(x), float(y)) for x, y in corners)
        why = self._doubt(found, verdict, code)
        turned = abs((found.pose[2] + 180) % 360 - 180)
        return Reading(
            None if why else code,
            why,
            round(max(0.0, verdict.likeness), 4),
            round(float(np.clip(verdict.margin, 0.0, 1.0)), 4),
            outline,
            bool(turned > 90),
        )

    def _doubt(self, found: Found, verdict: Verdict, code: str) -> Why | None:
        if code in self._backs:
            return Why.FACE_DOWN
        if found.shown < _COVERED:
            return Why.COVERED
        if verdict.likeness < (_STRIP_ALIKE if found.shown < _STRIP else _ALIKE):
            return Why.FOREIGN
        if found.sight.margin < (_AHEAD if verdict.likeness > _PLAINLY_ALIKE else _PLAINLY_AHEAD):
            return Why.ALIKE
        if verdict.shade is None:
            return None if len(self._searcher.fine.members[found.sight.family]) == 1 else Why.COVERED
        if verdict.shade.margin < _SHADE_AHEAD:
            return Why.ALIKE
        if verdict.shade.off > _OFF:
            return Why.FOREIGN
        bearable = min(_MISFIT_MOST, _MISFIT + _MISFIT_MORE * verdict.shade.margin)
        return Why.UNCERTAIN if verdict.shade.misfit > bearable else None

    def _placed(
        self, zone: Zone, found: list[tuple[Found, Reading]], spare: list[float], cover: Cover
    ) -> dict[str, tuple[Reading, ...]]:
        """Readings by place in the order of laying: from the Stone outwards, or towards it if the topmost is nearest.

        What was not explained joins them unread.
        """
        along = [(float(zone.own(card.pose[None, :2])[0, 1]), reading) for card, reading in found]
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
        if spare and not found:
            placed[spots[0].place] = (Reading(None, self._unread(zone, 0.0, cover)),)
        return placed

    def _unread(self, zone: Zone, v: float, cover: Cover) -> Why:
        middle = zone.table_mm(np.array([[(zone.low[0] + zone.high[0]) / 2, v]]))
        share, fault = cover.share(middle + self._corners * 0.6)
        if share < _HELD:
            return Why.FOREIGN
        return Why.HAND if fault == Fault.HAND else Why.OBJECT

    def _outlines(
        self, rectifier: Rectifier, piles: list[Pile], tiles: dict[str, TileReading]
    ) -> list[NDArray[np.floating]]:
        """The corners of everything that was found on the table."""
        outlines: list[NDArray[np.floating]] = [
            points_at(found.pose[None], self._corners)[0] for pile in piles for found in pile.found
        ]
        return outlines + [rectifier.to_mm(tile.corners_px) for tile in tiles.values() if tile.corners_px]

    def _places(self) -> list[str]:
        return [fan.place for fan in self.layout.fans] + [spot.place for spot in self.layout.spots]


def _corners(size_mm: Size) -> Floats:
    """The corners of a thing about its centre: top left, top right, bottom right, bottom left."""
    return np.asarray(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size_mm) / 2, np.float32)


def _best(mine: NDArray[np.bool_], rank: NDArray[np.floating], count: int) -> NDArray[np.intp]:
    """The best few of those marked."""
    own = np.flatnonzero(mine)
    return np.asarray(own[np.argsort(-rank[own])[:count]])


def _clear_best(mine: NDArray[np.bool_], rank: NDArray[np.floating], likeness: Floats) -> NDArray[np.intp]:
    """The best guess, and the next if it is not far behind; none that is hopeless."""
    best = _best(mine & (likeness > _HOPELESS), rank, 2)
    return best[:1] if len(best) > 1 and rank[best[1]] < _FAR_BEHIND * rank[best[0]] else best


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
