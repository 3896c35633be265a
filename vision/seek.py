"""Finding cards that lie anywhere: print that nothing explains is covered with cards until none is left.

Every round tries the poses at which a card would lie on print wherever it shows, refines the best of each neighbourhood
and looks at them in the full frame; what is found hides what lies below it in the next round. Knows millimetres,
templates and masks; whether a card's name is certain is for `areas`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.align import Landmarks, compared, sharp, smooth
from vision.deck import Deck
from vision.identify import Identifier, Sight, softness
from vision.layout import Layout
from vision.match import Floats, Poses, Templates, points_at, poses_of
from vision.pile import Found, corners
from vision.places import Area
from vision.plan import FINE, MARGIN, Plan
from vision.remains import prints
from vision.search import Searcher, evidence

NEAR_MM = 26.0  # how far outside of its place the middle of a card is looked for
SCRAP_MM2 = 260.0  # less print than this is no card's
_STEP_MM, _TURNS = 4.5, (-7.0, 0.0, 7.0)
_BUSY_MM = 9  # print within this of print is one piece
_BUSY = 0.72  # share of a card's points, of those that show, that lie on print
_LEAST_BUSY = 0.1  # and of all its points
_RIM_LEFT_OUT_MM = 8
_DENSE = 0.16  # of a neighbourhood that is print
_REACH_MM = 20  # around a place, where its cards may reach over its edge
_GUESSES, _LEAST_GUESSES = 2.2, 4  # places tried for each card's worth of print, and for all of them
_SAME_MM = 14.0  # two guesses this near are at the same card
_HOPELESS = 0.5
_ROUNDS = 8
_IN_VAIN = 2  # rounds in which nothing was found, before a look is given up
_RIM_MM = 3.0  # around a card that was found, where its shadow and sleeve still show
_ALIKE, _AGREES = 0.70, 0.25  # of a whole card, and of its worst stretch
_STRIP, _STRIP_ALIKE = 0.3, 0.78  # a card that shows less than this must be more alike
_COVERED = 0.12  # one that shows less than this cannot be told from a rim
_OVERLAP = 0.06  # share of a card that may lie under another found in the same round

Outlines = Sequence[NDArray[np.floating]]


class Seeker:
    """Finds the cards of one deck on one table."""

    def __init__(self, deck: Deck, layout: Layout) -> None:
        self.corners_mm = corners(deck.card_mm)
        self._deck = deck
        self._searcher = Searcher(deck)
        self._fine = Templates.of(deck, FINE)
        self._family = {face: n for n, members in enumerate(self._fine.members) for face in members}
        self._afar = Landmarks.of(self._searcher.coarse, 2, 1)
        self._close = Landmarks.of(self._fine, 4, 3)
        self._area_mm2 = np.float32(deck.card_mm[0] * deck.card_mm[1])
        self._grid = _Grid.over(layout)
        self._near = lru_cache(maxsize=8)(self._near_to)

    def outline(self, card: Found) -> Floats:
        """The corners of a card on the table."""
        return np.asarray(points_at(card.pose[None], self.corners_mm)[0], np.float32)

    def cards(
        self, plan: Plan, eyes: Callable[[float], Identifier], wanted: Sequence[Area], known: Outlines
    ) -> tuple[list[Found], Identifier | None]:
        """Every card that can be found in or near some parts of the table, the topmost of a heap first, and the eye
        that saw them, as soft as the photograph. `known` are outlines of what is no card, or nobody asked for, and
        hides what lies below it."""
        for outline in known:
            plan.hide(outline, 1.0)
        everywhere = (slice(None), slice(None))
        plan.settle([everywhere])
        eye = None
        found: list[Found] = []
        failed: list[Poses] = []  # looked at in vain since the last card was found
        near = self._near(tuple(wanted))
        for _ in range(_ROUNDS):
            printed = self.unexplained(plan, wanted, [*known, *(self.outline(card) for card in found)])
            if not printed.any():
                break
            likely = _away_from(failed, self._grid.poses(near & self._busy(plan, printed)))
            most = _LEAST_GUESSES + round(_GUESSES * float(printed.sum()) / float(self._area_mm2))
            there, scores = self._candidates(plan, likely, most, masked=bool(found))
            if not len(there):
                break
            if eye is None:
                eye = eyes(softness(self._deck, plan, there, scores.argmax(axis=1).tolist()))
            fresh = self._seen(plan, eye, there, scores)
            failed = [] if fresh else [*failed, there]  # the likeliest may lie below one that is less likely
            if len(failed) > _IN_VAIN:
                break
            for card in fresh:
                plan.hide(self.outline(card))
            plan.settle([everywhere])
            found += fresh
        return found, eye

    def unexplained(self, plan: Plan, wanted: Sequence[Area], outlines: Outlines) -> NDArray[np.bool_]:
        """Where print is outside of all outlines, in pieces as large as a card could show."""
        printed = prints(plan, [(outline, _RIM_MM) for outline in outlines])
        asked = np.zeros(printed.shape, np.uint8)
        for area in wanted:
            (left, top), (right, bottom) = np.round(plan.px(area.outline_mm()[[0, 2]])).astype(int)
            asked[max(top - _REACH_MM, 0) : bottom + _REACH_MM, max(left - _REACH_MM, 0) : right + _REACH_MM] = 1
        asked[:MARGIN], asked[-MARGIN:], asked[:, :MARGIN], asked[:, -MARGIN:] = 0, 0, 0, 0  # beyond the mat
        printed *= asked
        dense = cv2.blur(printed, (7, 7)) > _DENSE
        closed = cv2.morphologyEx(dense.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((_BUSY_MM, _BUSY_MM), np.uint8))
        _, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
        large = stats[:, cv2.CC_STAT_AREA] > SCRAP_MM2
        large[0] = False
        return np.asarray(large[labels])

    def _near_to(self, wanted: tuple[Area, ...]) -> NDArray[np.bool_]:
        """Where on the grid a card's middle is in or near some parts of the table."""
        near = np.zeros((len(self._grid.x_mm), len(self._grid.y_mm), 1), bool)
        for area in wanted:
            across, down = (
                np.abs(at - middle) - size / 2 < NEAR_MM
                for at, middle, size in zip(
                    (self._grid.x_mm, self._grid.y_mm), area.middle_mm, area.size_mm, strict=True
                )
            )
            near[..., 0] |= np.outer(across, down)
        return near

    def _busy(self, plan: Plan, printed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Where on the grid a card would lie on print wherever it shows, and on enough of it. A card a little askew is
        taken for a straight one: its rim is left out anyway."""
        grid = self._grid
        columns, rows = (
            np.round(plan.px(np.column_stack([at, at]))[:, axis]).astype(np.intp)
            for axis, at in enumerate((grid.x_mm, grid.y_mm))
        )
        busy = np.zeros((len(columns), len(rows), len(grid.turns_deg)), bool)
        for sideways in (False, True):
            width, height = (round(side) - _RIM_LEFT_OUT_MM for side in self._deck.card_mm)
            window = (height, width) if sideways else (width, height)
            # Few at once, and in place: each of these is as large as the plan.
            covered = np.asarray(cv2.blur(printed * plan.free, window), np.float32)
            good = covered >= _LEAST_BUSY
            shown = np.asarray(cv2.blur(plan.free, window), np.float32)
            shown *= _BUSY
            good &= covered >= shown
            busy[..., grid.is_sideways == sideways] = good[rows[None], columns[:, None]][..., None]
        return busy

    def _candidates(self, plan: Plan, poses: Poses, most: int, *, masked: bool) -> tuple[Poses, Floats]:
        """Poses worth a closer look, the best first, and how alike every face is to what lies there."""
        none = np.empty((0, 5)), np.empty((0, len(self._fine.ink)), np.float32)
        guesses = (self._searcher.parts if masked else self._searcher.whole)(plan, poses, most) if len(poses) else []
        if not guesses:
            return none
        pose = np.stack([guess.pose for guess in guesses])
        family = np.array([guess.family for guess in guesses])
        pose = self._afar.fitted(smooth(plan), pose, family, 3, stretch=False)
        pose = self._close.fitted(sharp(plan), pose, family, 3, stretch=False)
        pose, scores, shown_mm2 = compared(plan, self._fine, self._fine.ink, pose)
        rank = evidence(scores.max(axis=1), shown_mm2)
        keep = _apart(pose, rank, scores.max(axis=1) > _HOPELESS)
        if not len(keep):
            return none
        family = np.array([self._family[face] for face in scores[keep].argmax(axis=1)], np.intp)
        return self._close.fitted(sharp(plan), pose[keep], family, 3, stretch=True), scores[keep]

    def _seen(self, plan: Plan, eye: Identifier, poses: Poses, scores: Floats) -> list[Found]:
        """The cards that are found next, none of them over another."""
        seen = [Found(pose, eye.sight(plan, pose, score)) for pose, score in zip(poses, scores, strict=True)]
        worth = [self._worth(found.sight) for found in seen]
        outlines = [self.outline(found) for found in seen]
        cards: list[int] = []
        for n in np.argsort(-np.array(worth)):
            if self._is_there(seen[n]) and all(not self._overlap(outlines[n], outlines[other]) for other in cards):
                cards.append(int(n))
        return [seen[n] for n in cards]

    def _worth(self, sight: Sight) -> float:
        return float(evidence(np.array(sight.likeness, np.float32), sight.shown * self._area_mm2))

    def _overlap(self, one: Floats, other: Floats) -> bool:
        shared, _ = cv2.intersectConvexConvex(one, other)
        return bool(shared > _OVERLAP * self._area_mm2)

    def _is_there(self, found: Found) -> bool:
        """Whether a drawing is alike enough to be believed to lie there at all."""
        sight = found.sight
        if sight.shown < _COVERED or sight.agreement < _AGREES:
            return False
        return sight.likeness > (_STRIP_ALIKE if sight.shown < _STRIP else _ALIKE)


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """Poses all over the table, upright and sideways; the other two ways are tried with them. A hundred thousand of
    them: kept as the places and turns that they are made of (places across × places down × turns)."""

    x_mm: NDArray[np.float64]
    y_mm: NDArray[np.float64]
    turns_deg: NDArray[np.float64]

    @classmethod
    def over(cls, layout: Layout) -> _Grid:
        x, y = (np.arange(20.0, side - 20.0, _STEP_MM) for side in layout.size_mm)
        return cls(x, y, np.array([quarter + turn for quarter in (0.0, 90.0) for turn in _TURNS]))

    @property
    def is_sideways(self) -> NDArray[np.bool_]:
        return np.asarray(np.round(self.turns_deg / 90) % 2 == 1)

    def poses(self, chosen: NDArray[np.bool_]) -> Poses:
        """Some of them, by where they are on the grid."""
        across, down, turned = np.nonzero(chosen)
        return poses_of(np.column_stack([self.x_mm[across], self.y_mm[down]]), self.turns_deg[turned])


def _away_from(failed: Sequence[Poses], poses: Poses) -> Poses:
    """The poses that are not at a card which was looked at in vain."""
    for pose in (pose for several in failed for pose in several):
        poses = poses[np.abs(poses[:, :2] - pose[:2]).max(axis=1) >= _SAME_MM]
    return poses


def _apart(poses: Poses, rank: Floats, good: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The best of each neighbourhood."""
    kept: list[int] = []
    for n in np.argsort(-rank):
        near = [k for k in kept if np.hypot(*(poses[n, :2] - poses[k, :2])) < _SAME_MM]
        if good[n] and not near:
            kept.append(int(n))
    return np.array(kept, np.intp)
