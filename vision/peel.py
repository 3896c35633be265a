"""Peeling piles: card by card from the topmost down, all piles of a table in step.

Every round guesses where one more card of each pile may lie (`search`), brings the guesses to fit (`align`) and looks
closely at the likeliest (`identify`); what is found hides what lies below it. Knows piles, poses and drawings; whether
a card is named, and by which colour, is for `read`.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.align import Landmarks, compared, sharp, smooth
from vision.colour import Manner
from vision.deck import Deck
from vision.identify import Identifier, Sight, Verdict, softness
from vision.match import Floats, Poses, Templates, points_at
from vision.observation import is_fan
from vision.pile import Found, Pile, corners
from vision.plan import FINE, Plan
from vision.rectify import Rectifier
from vision.search import Guess, Searcher, evidence

ALIKE, AHEAD = 0.70, 0.60  # likeness and margin of a drawing that is named
STRIP, STRIP_ALIKE, _THINNER = 0.2, 0.75, 1.5  # a card that shows less than this must be more alike, and surer
COVERED, _BACK_SHOWN = 0.08, 0.16  # a card that shows less than this cannot be told from a rim
PLAINLY_ALIKE, PLAINLY_AHEAD, _BEHIND = 0.86, 0.85, 0.95  # of a card that only an equal could challenge
_AGREES = 0.25  # of a card's worst stretch
_HOPELESS, _FAR_BEHIND, _CANDIDATES = 0.45, 0.7, 6  # likeness and worth of guesses that get no closer look; how many do
_SAME_MM = 2.0
_HALF_ALIKE, _HOPELESS_STILL = 0.45, 0.6  # from where on a doubtful card is tried, and what is no card after that
_FEELS, _FELT = 6, np.diag([1.2, 1.2, 2.0, 0.0, 0.0])[:3]  # a pose felt out: how often, how far
_ENOUGH, _TRIED = 150, 4  # of a fair trial: points that are compared, and closer looks
# Contrast of ink beside the enrolled one's that is odd; likeness by which a strip is ahead of others after their trial.
_PALER, _EQUAL = 0.8, 0.03
_FITS = 0.88  # likeness of a face that lies where it should
_NUDGES = np.array(
    [(x, y, turn, 0.0, 0.0) for x in (-3, -1.5, 0, 1.5, 3) for y in (-1.5, 0, 1.5) for turn in (-3, 0, 3)], np.float64
)  # on either side


@dataclass(slots=True, eq=False)
class View:
    """What is known of a camera's pictures from the last look at the whole table: how soft they are, and how they show
    colours."""

    rectifier: Rectifier | None = None
    soft_mm: float | None = None
    manner: Manner | None = None


@dataclass(slots=True, eq=False)
class _Contest:
    """The candidates for the next card of a pile, the likeliest first: the best so far, and where was looked."""

    likeliest: float
    best: Found | None = None
    worth: float = 0.0
    looked: list[tuple[NDArray[np.float64], bool]] = field(default_factory=list)

    def is_open(self, rank: float) -> bool:
        """Whether a candidate of this rank gets a look: not if it is far behind one that lies there."""
        return self.best is None or rank >= self.likeliest * (_BEHIND if is_plain(self.best) else _FAR_BEHIND)


class Peeler:
    """Finds the cards of one deck, pile by pile, and tells their drawings and colours."""

    def __init__(self, deck: Deck) -> None:
        self.view = View()
        self._deck = deck
        self._searcher = Searcher(deck)
        self._fine = Templates.of(deck, FINE)
        self._afar = Landmarks.of(self._searcher.coarse, 2, 1)
        self._near = Landmarks.of(self._fine, 4, 2)
        self._identifiers = lru_cache(maxsize=2)(lambda soft_mm: Identifier(deck, soft_mm))
        self._backs = {n for n, members in enumerate(self._fine.members) if deck.codes[members[0]] in deck.backs}
        self._corners = corners(deck.card_mm)
        self._area_mm2 = np.float32(deck.card_mm[0] * deck.card_mm[1])

    def is_back(self, sight: Sight) -> bool:
        """Whether a drawing is what a card shows face down."""
        return sight.family in self._backs

    def is_alone(self, sight: Sight) -> bool:
        """Whether a drawing is of one card only, so that no colour needs telling."""
        return len(self._fine.members[sight.family]) == 1

    def settled(self, sights: Sequence[Sight], elsewhere: Set[int]) -> list[Verdict]:
        """Drawings and colours of all cards together; some faces surely lie elsewhere."""
        if self.view.soft_mm is None:
            return []
        eye = self._identifiers(self.view.soft_mm)
        verdicts, self.view.manner = eye.settled(sights, self.view.manner, elsewhere)
        return verdicts

    def peel(self, plan: Plan, piles: list[Pile]) -> None:
        """All cards of some piles."""
        while active := [pile for pile in piles if not pile.done]:
            plan.settle([plan.box(pile.outline_mm()) for pile in active if plan.is_hidden(pile.outline_mm())])
            if changed := self._without_known(plan, active):
                self._round(plan, changed)

    def _without_known(self, plan: Plan, piles: list[Pile]) -> list[Pile]:
        """Takes the next card of each pile that lies plainly where it lay before; piles that are left need a search.

        Only where to look comes from before: what lies there is told anew, among all drawings.
        """
        known = [pile for pile in piles if pile.before and not pile.masked]
        if not known or self.view.soft_mm is None:
            return piles
        eye = self._identifiers(self.view.soft_mm)
        faces = np.array([pile.before[0].family for pile in known])
        poses = np.stack([pile.before[0].pose for pile in known])
        poses = self._near.fitted(sharp(plan), poses, faces, 2, stretch=True)
        _, scores, _ = compared(plan, self._fine, self._fine.families, poses, either_way=False)
        taken: set[str] = set()
        for pile, pose, score in zip(known, poses, scores, strict=True):
            found = Found(pose, eye.sight(plan, pose, score))
            if is_plain(found) and self._is_there(found):
                pile.before.pop(0)
                self._take(plan, pile, found)
                taken.add(pile.zone.name)
        return [pile for pile in piles if pile.zone.name not in taken]

    def _take(self, plan: Plan, pile: Pile, found: Found) -> None:
        """One more card of a pile, and what it covers, be it of the place beside."""
        pile.found.append(found)
        pile.before = [one for one in pile.before if not _is_same(one.pose, found.pose, either_way=True)]
        pile.done = pile.is_full
        plan.hide(points_at(found.pose[None], self._corners)[0])

    def _round(self, plan: Plan, piles: list[Pile]) -> None:
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
        contests = [_Contest(float(rank[owner == n].max(initial=0.0))) for n in range(len(piles))]
        _, firsts = np.unique(owner, return_index=True)  # most piles need no second look
        for wave in (firsts, np.setdiff1d(np.arange(len(owner)), firsts)):
            wave = wave[[contests[owner[n]].is_open(rank[n]) for n in wave]]
            if len(wave):
                fitted = self._near.fitted(sharp(plan), poses[wave], faces[wave], 3, stretch=True)
                self._judge_softness(plan, fitted, faces[wave], rank[wave])
                for n, pose in zip(wave, fitted, strict=True):
                    self._look(plan, contests[owner[n]], pose, scores[n], float(rank[n]))
        for pile, contest in zip(piles, contests, strict=True):
            if contest.best is not None:
                self._take(plan, pile, contest.best)

    def _judge_softness(self, plan: Plan, poses: Poses, faces: NDArray[np.intp], rank: Floats) -> None:
        """The first cards of a photograph tell how soft it is."""
        if self.view.soft_mm is None:
            likely = np.argsort(-rank)
            first = [self._fine.members[family][0] for family in faces[likely]]
            self.view.soft_mm = softness(self._deck, plan, poses[likely], first)

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

    def _look(self, plan: Plan, contest: _Contest, pose: NDArray[np.float64], score: Floats, rank: float) -> None:
        """A close look at one candidate, unless a better one lies there already."""
        if not contest.is_open(rank) or any(_is_same(pose, other, plain) for other, plain in contest.looked):
            return
        assert self.view.soft_mm is not None
        eye = self._identifiers(self.view.soft_mm)
        found = Found(pose, eye.sight(plan, pose, score))
        hopeless = False
        in_doubt = not is_plain(found) or self._may_be_shifted(found.sight)
        if contest.best is None and in_doubt and self._is_worth_a_trial(found.sight):
            found = self._tried(plan, eye, found)
            hopeless = found.sight.likeness < _HOPELESS_STILL
        contest.looked.append((pose, hopeless or is_plain(found)))
        worth = float(evidence(np.array(found.sight.likeness, np.float32), found.sight.shown * self._area_mm2))
        if worth > contest.worth and self._is_there(found):
            contest.best, contest.worth = found, worth

    def _tried(self, plan: Plan, eye: Identifier, found: Found) -> Found:
        """A card in doubt, after every drawing had a fair trial at its place: either way up, and wherever close by it
        fits best."""
        free = found.sight.free.reshape(self._fine.size[::-1])
        families = np.arange(len(self._fine.members))
        poses, scores = [], []
        for turn, shown in ((0.0, free), (180.0, np.ascontiguousarray(free[::-1, ::-1]))):
            points = self._near.shown(shown, _ENOUGH)
            tried = found.pose + np.array([0, 0, turn, 0, 0]) + _NUDGES
            nudged = points.alike(sharp(plan), np.tile(tried, (len(families), 1)), np.repeat(families, len(tried)))
            best = tried[nudged.reshape(len(families), -1).argmax(axis=1)]
            poses.append(points.fitted(sharp(plan), best, families, 3, stretch=True))
            scores.append(points.alike(sharp(plan), poses[-1], families))
        likeness = np.maximum(*scores)
        likeliest = np.argsort(-np.concatenate(scores))[:_TRIED]
        looks = [Found(pose, eye.sight(plan, pose, likeness)) for pose in np.concatenate(poses)[likeliest]]
        best = max((found, *looks), key=lambda each: each.sight.likeness)
        if not self._could_be_named(best):
            best = _felt_out(plan, eye, best, likeness)
        others = [each.sight.likeness for each in looks if each.sight.family != best.sight.family]
        if best.sight.shown < STRIP and best.sight.likeness - max(others, default=0.0) < _EQUAL:
            return replace(best, sight=replace(best.sight, margin=0.0))  # another fits as well, a little farther along
        return best

    def _could_be_named(self, found: Found) -> bool:
        return self._is_there(found) and is_ahead(found.sight)

    def _is_worth_a_trial(self, sight: Sight) -> bool:
        """Whether a drawing may turn out to be a card."""
        return sight.likeness > _HALF_ALIKE and not self._is_sliver(sight)

    def _may_be_shifted(self, sight: Sight) -> bool:
        """Whether a strip may be another drawing's, a little farther along: the same index on two cards. The colours
        of most drawings tell that; of a single card's only how strong its ink looks."""
        is_odd = not _PALER < sight.contrast < 1 / _PALER
        return is_odd and sight.shown < STRIP and self.is_alone(sight) and not self.is_back(sight)

    def _is_sliver(self, sight: Sight) -> bool:
        """Whether so little shows that it could never be believed: the rim of a back is like any rim."""
        return sight.shown < (_BACK_SHOWN if self.is_back(sight) else COVERED)

    def _is_there(self, found: Found) -> bool:
        """Whether a drawing is alike enough to be believed to lie there at all."""
        sight = found.sight
        if self._is_sliver(sight):
            return False
        if sight.agreement < _AGREES:
            return False  # something else lies on it
        return sight.likeness > (STRIP_ALIKE if sight.shown < STRIP else ALIKE)

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


def _felt_out(plan: Plan, eye: Identifier, found: Found, likeness: Floats) -> Found:
    """A card that is only half alike, moved a little at a time to where its evened face fits best: shade and the rim of
    the card above pull at a pose as much as a few thin strokes do."""
    pose, best, step = found.pose, found.sight.likeness, _FELT
    for _ in range(_FEELS):
        tried = [pose + sign * each for each in step for sign in (-1.0, 1.0)]
        scores = [eye.likeness(plan, each, found.sight.family) for each in tried]
        if max(scores) > best:
            best = max(scores)
            pose = tried[scores.index(best)]
        else:
            step = step / 2
    return Found(pose, eye.sight(plan, pose, likeness))


def is_ahead(sight: Sight) -> bool:
    """Whether a drawing is far enough from every other: the less of it shows, the surer it must be."""
    thin = max(0.0, STRIP - sight.shown)
    return sight.margin > AHEAD and (thin == 0.0 or sight.likeness * min(1.0, sight.margin) > AHEAD + _THINNER * thin)


def is_plain(found: Found) -> bool:
    """A card about which there is no doubt, as far as its drawing goes."""
    return found.sight.likeness > PLAINLY_ALIKE and found.sight.margin > PLAINLY_AHEAD


def _is_same(pose: NDArray[np.float64], other: NDArray[np.float64], either_way: bool) -> bool:
    """Whether two poses are one place on the table, the same way up or either way."""
    turned = abs((pose[2] - other[2] + 180) % 360 - 180)
    return bool(np.hypot(*(pose[:2] - other[:2])) < _SAME_MM and (either_way or turned < 90))


def _best(mine: NDArray[np.bool_], rank: NDArray[np.floating], count: int) -> NDArray[np.intp]:
    """The best few of those marked that are worth anything."""
    own = np.flatnonzero(mine & (rank > 0))
    return np.asarray(own[np.argsort(-rank[own])[:count]])
