"""A whole photograph: every place of the table with the cards that lie there, or why they cannot be named.

Wires the stages: rectified plan, rounds of `search`, `align` and `identify` over all zones at once, colours settled
over all cards together, doubts named, tiles. A card is named only if its drawing and its colour are each alike enough
and clearly ahead of every rival; one card read in two places is named in neither unless one reading is plainly better.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.align import Landmarks, compared, sharp, smooth
from vision.blame import blamed
from vision.colour import Manner
from vision.cover import CELL_MM, Cover, find_cover
from vision.deck import Deck
from vision.frame import Picture
from vision.identify import Identifier, Sight, Verdict, softness
from vision.layout import Layout, Point
from vision.match import Floats, Poses, Templates, points_at
from vision.observation import Observation, Reading, TileReading, Why, is_fan
from vision.pile import Found, Pile, corners
from vision.places import areas
from vision.plan import FINE, FULL, Plan
from vision.quality import Fault
from vision.rectify import Rectifier
from vision.remains import Stretch, leftovers, prints
from vision.search import Guess, Searcher, evidence
from vision.tiles import TileReader
from vision.zones import Zone, grid, zones_of

_RIM_MM = 3.5  # around a card that was found, where its shadow and sleeve still show
_TILE_RIM_MM = 8.0  # tiles are no cards, however far off their place they lie
_TILE_SEEN, _TILE_SHADE_MM = 0.6, 1.5  # a tile that hides what lies below it, and its rim
_ALIKE, _AHEAD = 0.70, 0.60  # likeness and margin of a drawing that is named
_SHADE_AHEAD, _BY_CHANCE, _OFF = 0.2, 0.8, 0.11  # margin of a colour that is named, and more with noise; how far off
_STRIP, _STRIP_ALIKE = 0.2, 0.75  # a card that shows less than this must be more alike
_HOPELESS, _FAR_BEHIND, _CANDIDATES = 0.45, 0.7, 6  # likeness and worth of guesses that get no closer look; how many do
_PLAINLY_ALIKE, _PLAINLY_AHEAD, _BEHIND = 0.86, 0.85, 0.95  # of a card that only an equal could challenge
_SAME_MM = 2.0
_HALF_ALIKE, _FEELS, _FELT = 0.45, 6, np.diag([1.2, 1.2, 2.0, 0.0, 0.0])[:3]  # a pose felt out: from where, how far
_FITS = 0.88  # likeness of a face that lies where it should
_NUDGES = np.array(
    [(x, y, turn, 0.0, 0.0) for x in (-3, -1.5, 0, 1.5, 3) for y in (-1.5, 0, 1.5) for turn in (-3, 0, 3)], np.float64
)  # on either side
_AGREES = 0.25  # of a card's worst stretch
_COVERED, _BACK_SHOWN = 0.08, 0.16  # a card that shows less than this cannot be told from a rim
_HELD = 0.25
_WHITE, _WASHED = 0.97, 0.15  # a tone that the camera cannot tell from a brighter one; the share of it that is a gleam


@dataclass(slots=True, eq=False)
class View:
    """What is known of a camera's pictures from the last look at the whole table: how soft they are, and how they show
    colours."""

    rectifier: Rectifier | None = None
    soft_mm: float | None = None
    manner: Manner | None = None


class Reader:
    """Reads photographs of one layout with one deck."""

    def __init__(self, deck: Deck, layout: Layout) -> None:
        self.deck, self.layout = deck, layout
        self.zones = zones_of(layout)
        self._grids = {zone.name: grid(zone) for zone in self.zones}
        self._searcher = Searcher(deck)
        self._fine = Templates.of(deck, FINE)
        self._afar = Landmarks.of(self._searcher.coarse, 2, 1)
        self._near = Landmarks.of(self._fine, 4, 3)
        self._identifiers = lru_cache(maxsize=2)(lambda soft_mm: Identifier(deck, soft_mm))
        self._view = View()
        self._tiles = TileReader(layout, deck.tiles_bgr)
        self._areas = areas(layout)
        self._backs = {n for n, members in enumerate(self._fine.members) if deck.codes[members[0]] in deck.backs}
        self._corners = corners(deck.card_mm)
        self._area_mm2 = np.float32(deck.card_mm[0] * deck.card_mm[1])

    def read(self, frame_bgr: Picture, rectifier: Rectifier, places: Collection[str] | None = None) -> Observation:
        """Every place of the layout, or only some: fans, spots and tile codes."""
        started = time.perf_counter()
        wanted = [zone for zone in self.zones if places is None or _wants(zone, places)]
        width, height = self.layout.size_mm
        table = rectifier.warp(frame_bgr, (width / 2, height / 2), (width, height), 0.0, FULL)
        plan = Plan.of(table, self.layout.size_mm)
        tiles = self._tiles.read(frame_bgr, rectifier, (), places)
        for tile in tiles.values():
            if tile.corners_px and tile.confidence > _TILE_SEEN:
                plan.hide(rectifier.to_mm(tile.corners_px), _TILE_SHADE_MM)
        piles = [Pile(zone, self._grids[zone.name], self.deck.card_mm) for zone in wanted]
        if places is None or self._view.rectifier is not rectifier:
            self._view = View(rectifier)
        self._rounds(plan, piles, rectifier)
        known = self._outlines(rectifier, piles, tiles) + self._unasked(places)
        cover = find_cover(table, self.layout, known)
        spare = self._look_again(plan, piles, rectifier, tiles, cover)
        verdicts = iter(self._settled([found.sight for pile in piles for found in pile.found]))
        cards: dict[str, tuple[Reading, ...]] = {}
        for pile in piles:
            readings = [(found, self._reading(found, next(verdicts), rectifier)) for found in pile.found]
            left = [stretch.middle for stretch in spare[pile.zone.name]]
            cards |= self._placed(pile, readings, pile.strangers + left, cover)
        ordered = {place: cards[place] for place in self._places() if place in cards}
        observation = blamed(Observation(_once(ordered), tiles), frame_bgr, rectifier, self.layout)
        return replace(observation, elapsed_ms=(time.perf_counter() - started) * 1000)

    def _unasked(self, places: Collection[str] | None) -> list[NDArray[np.floating]]:
        """The outlines of places that are not read: whatever lies there is not for this look to explain."""
        if places is None:
            return []
        return [area.outline_mm() for name, parts in self._areas.items() if name not in places for area in parts]

    def _settled(self, sights: Sequence[Sight]) -> list[Verdict]:
        if self._view.soft_mm is None:
            return []
        verdicts, self._view.manner = self._identifiers(self._view.soft_mm).settled(sights, self._view.manner)
        return verdicts

    def _rounds(self, plan: Plan, piles: list[Pile], rectifier: Rectifier) -> None:
        while active := [pile for pile in piles if not pile.done]:
            plan.settle([plan.box(pile.outline_mm()) for pile in active if plan.is_hidden(pile.outline_mm())])
            self._round(plan, active, rectifier)

    def _look_again(
        self, plan: Plan, piles: list[Pile], rectifier: Rectifier, tiles: dict[str, TileReading], cover: Cover
    ) -> dict[str, list[Stretch]]:
        """Piles that were not explained, once more: with hands left out, beside their place, below a foreign card.

        Returns what is still unexplained of each."""
        hidden = cover.hands  # what else covers the table may be a card that was not found yet
        spare = self._spare(plan, piles, rectifier, tiles)
        for attempt in (Pile.closer, Pile.aside, Pile.covered, Pile.under_a_stranger):
            unread = [
                pile
                for pile in piles
                if spare[pile.zone.name]
                and not pile.is_full
                and attempt(pile, plan, spare[pile.zone.name], bool(hidden.any()))
            ]
            if unread:
                for pile in unread:
                    pile.done = False
                if attempt in (Pile.covered, Pile.under_a_stranger):
                    plan.leave_out(hidden, CELL_MM)
                self._rounds(plan, unread, rectifier)
                spare = self._spare(plan, piles, rectifier, tiles)
        return spare

    def _spare(
        self, plan: Plan, piles: list[Pile], rectifier: Rectifier, tiles: dict[str, TileReading]
    ) -> dict[str, list[Stretch]]:
        """What is printed in each zone and was not explained."""
        printed = prints(plan, self._explained(rectifier, piles, tiles))
        return {pile.zone.name: leftovers(plan, printed, pile.zone, self.deck.card_mm) for pile in piles}

    def _explained(
        self, rectifier: Rectifier, piles: list[Pile], tiles: dict[str, TileReading]
    ) -> list[tuple[NDArray[np.floating], float]]:
        """Outlines within which print is no riddle, each with its rim: what was found, and all places of tiles."""
        spots = [centre for tile in self.layout.tiles for _, centre in tile.spots]
        places = [(np.array(centre) + corners(self.layout.tile_mm), _TILE_RIM_MM) for centre in spots]
        strangers = [(pile.stranger_mm(v), _RIM_MM) for pile in piles for v in pile.strangers]
        return [(outline, _RIM_MM) for outline in self._outlines(rectifier, piles, tiles)] + places + strangers

    def _round(self, plan: Plan, piles: list[Pile], rectifier: Rectifier) -> None:
        """One more card in every pile that has one."""
        guesses = self._guesses(plan, piles)
        for pile in piles:
            pile.done = True
        if not guesses:
            return
        owner = np.array([n for n, _ in guesses])
        poses = np.stack([guess.pose for _, guess in guesses])
        faces = np.array([guess.family for _, guess in guesses])
        poses = self._afar.fitted(smooth(plan), poses, faces, 3, stretch=False)
        poses = self._near.fitted(sharp(plan), poses, faces, 3, stretch=False)
        poses, scores, shown_mm2 = compared(plan, self._fine, self._fine.families, poses)
        owner = np.concatenate([owner, owner])
        likeness = scores.max(axis=1)
        rank = np.where(likeness > _HOPELESS, evidence(likeness, shown_mm2), 0.0)
        keep = np.concatenate([_best(owner == n, rank, _CANDIDATES) for n in range(len(piles))])
        if not len(keep):
            return
        owner, rank, scores, faces = owner[keep], rank[keep], scores[keep], scores[keep].argmax(axis=1)
        likeness = likeness[keep]
        fits = np.array([likeness[owner == n].max() > _FITS for n in owner])
        poses = self._nudged(plan, poses[keep], faces, np.flatnonzero(~fits))
        poses = self._near.fitted(sharp(plan), poses, faces, 3, stretch=True)
        if self._view.soft_mm is None:
            likely = np.argsort(-rank)
            first = [self._fine.members[family][0] for family in faces[likely]]
            self._view.soft_mm = softness(self.deck, plan, poses[likely], first)
        for n, pile in enumerate(piles):
            mine = np.flatnonzero(owner == n)
            found = self._first(plan, poses[mine], scores[mine], rank[mine])
            if found is not None:
                pile.found.append(found)
                pile.done = pile.is_full
        for pile in piles:
            if not pile.done:
                plan.hide(points_at(pile.found[-1].pose[None], self._corners)[0])

    def _nudged(self, plan: Plan, poses: Poses, faces: NDArray[np.intp], poor: NDArray[np.intp]) -> Poses:
        """Poses at which nothing fits well yet, moved to where close by it fits best: steps downhill do not lead from
        one digit's stroke to the next."""
        if not len(poor):
            return poses
        tried = (poses[poor, None] + _NUDGES[None]).reshape(-1, 5)
        scores = self._near.alike(sharp(plan), tried, np.repeat(faces[poor], len(_NUDGES))).reshape(len(poor), -1)
        nudged = poses.copy()
        nudged[poor] += _NUDGES[scores.argmax(axis=1)]
        return nudged

    def _first(self, plan: Plan, poses: Poses, scores: Floats, rank: Floats) -> Found | None:
        """The best card among candidates, the likeliest first; those far behind one that lies there get no look."""
        assert self._view.soft_mm is not None
        eye = self._identifiers(self._view.soft_mm)
        best, most = None, 0.0
        looked: list[tuple[NDArray[np.float64], bool]] = []
        for pose, score, prior in zip(poses, scores, rank, strict=True):
            if best is not None and prior < rank[0] * (_BEHIND if _is_plain(best) else _FAR_BEHIND):
                break
            if any(_is_same(pose, other, plain) for other, plain in looked):
                continue
            found = Found(pose, eye.sight(plan, pose, score))
            if best is None and found.sight.likeness > _HALF_ALIKE and not self._could_be_named(found):
                found = _felt_out(plan, eye, found, score)
            looked.append((pose, _is_plain(found)))
            worth = float(evidence(np.array(found.sight.likeness, np.float32), found.sight.shown * self._area_mm2))
            if worth > most and self._is_there(found):
                best, most = found, worth
        return best

    def _could_be_named(self, found: Found) -> bool:
        return self._is_there(found) and found.sight.margin > _AHEAD

    def _is_there(self, found: Found) -> bool:
        """Whether a drawing is alike enough to be believed to lie there at all."""
        sight = found.sight
        if sight.family in self._backs and sight.shown < _BACK_SHOWN:
            return False  # the rim of a back is like any rim
        if sight.shown < _COVERED:
            return False
        if sight.agreement < _AGREES:
            return False  # something else lies on it
        return sight.likeness > (_STRIP_ALIKE if sight.shown < _STRIP else _ALIKE)

    def _guesses(self, plan: Plan, piles: list[Pile]) -> list[tuple[int, Guess]]:
        """Faces and poses worth a closer look, with the number of their pile."""
        guesses: list[tuple[int, Guess]] = []
        ledges = []
        for n, pile in enumerate(piles):
            if pile.found and not pile.masked and is_fan(pile.zone.name):
                ledges += [(n, ledge) for ledge in pile.ledges(plan)]
                continue
            if not plan.has_print(pile.core_mm()):
                continue
            poses = pile.poses[pile.beside(pile.poses)]
            poses = poses[plan.busy(poses)]
            if len(poses):
                look = self._searcher.parts if pile.masked or plan.is_hidden(pile.core_mm()) else self._searcher.whole
                guesses += [(n, guess) for guess in look(plan, poses, pile.most)]
        strips = self._searcher.strips(plan, [ledge for _, ledge in ledges], 4)
        return guesses + [(n, guess) for (n, _), found in zip(ledges, strips, strict=True) for guess in found]

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
        if found.sight.family in self._backs:
            return Why.FACE_DOWN
        if found.sight.shown < _COVERED:
            return Why.COVERED
        if verdict.likeness < (_STRIP_ALIKE if found.sight.shown < _STRIP else _ALIKE):
            return Why.FOREIGN
        if found.sight.margin < _AHEAD:
            return Why.ALIKE
        if verdict.shade is None:
            return None if len(self._fine.members[found.sight.family]) == 1 else Why.COVERED
        shade = verdict.shade
        if shade.margin < _SHADE_AHEAD + _BY_CHANCE * shade.noise / max(shade.margin, 0.01):
            return Why.ALIKE
        if shade.margin < _PLAINLY_AHEAD and _washed_out(found) > _WASHED:
            return Why.GLARE  # in a gleam every ink looks like the palest
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


def _felt_out(plan: Plan, eye: Identifier, found: Found, likeness: Floats) -> Found:
    """A card that is only half alike, moved a little at a time to where its evened face fits best: shade and the rim of
    the card above pull at a pose as much as a few thin strokes do."""
    step = _FELT
    for _ in range(_FEELS):
        tried = [found.pose + sign * each for each in step for sign in (-1.0, 1.0)]
        better = max((Found(pose, eye.sight(plan, pose, likeness)) for pose in tried), key=lambda f: f.sight.likeness)
        if better.sight.likeness > found.sight.likeness:
            found = better
        else:
            step = step / 2
    return found


def _washed_out(found: Found) -> float:
    """The share of what shows of a card that is white through and through."""
    shown = found.sight.colours[found.sight.free > 0]
    return float((shown.min(axis=1) > _WHITE).mean()) if len(shown) else 0.0


def _is_plain(found: Found) -> bool:
    """A card about which there is no doubt, as far as its drawing goes."""
    return found.sight.likeness > _PLAINLY_ALIKE and found.sight.margin > _PLAINLY_AHEAD


def _is_same(pose: NDArray[np.float64], other: NDArray[np.float64], either_way: bool) -> bool:
    """Whether two poses are one place on the table, the same way up or either way."""
    turned = abs((pose[2] - other[2] + 180) % 360 - 180)
    return bool(np.hypot(*(pose[:2] - other[:2])) < _SAME_MM and (either_way or turned < 90))


def _best(mine: NDArray[np.bool_], rank: NDArray[np.floating], count: int) -> NDArray[np.intp]:
    """The best few of those marked that are worth anything."""
    own = np.flatnonzero(mine & (rank > 0))
    return np.asarray(own[np.argsort(-rank[own])[:count]])


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
