"""A whole photograph: every place of the table with the cards that lie there, or why they cannot be named."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.colour import Palette
from vision.deck import Deck
from vision.frame import Picture
from vision.identify import Identifier, Sight, settled
from vision.layout import Layout
from vision.match import Floats, Poses, Templates, correlate, points_at
from vision.peel import Plan, Searcher, Zone, grid, zones_of
from vision.rectify import Rectifier


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A card on the table."""

    pose: NDArray[np.float64]
    sight: Sight
    shown: float


@dataclass(slots=True)
class _Pile:
    zone: Zone
    poses: Poses
    found: list[Found] = field(default_factory=list)
    done: bool = False
    last: Found | None = None


class Reader:
    """Reads photographs of one layout with one deck."""

    def __init__(self, deck: Deck, layout: Layout) -> None:
        self.deck, self.layout = deck, layout
        self.zones = zones_of(layout)
        self._grids = {zone.name: grid(zone) for zone in self.zones}
        self._searcher = Searcher(Templates.of(deck, 0.5), Templates.of(deck, 1.0))
        self._identifier = Identifier(Templates.of(deck, 2.0), Palette(self._searcher.fine))
        half = np.array(deck.card_mm) / 2
        self._corners = (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half).astype(np.float32)

    def plan(self, frame_bgr: Picture, rectifier: Rectifier) -> Plan:
        width, height = self.layout.size_mm
        table = rectifier.warp(frame_bgr, (width / 2, height / 2), (width, height), 0.0, 1.0)
        return Plan.of(table.astype(np.float32) / 255)

    def piles(self, frame_bgr: Picture, rectifier: Rectifier, zones: Iterable[Zone]) -> list[_Pile]:
        plan = self.plan(frame_bgr, rectifier)
        piles = [_Pile(zone, self._grids[zone.name]) for zone in zones]
        while active := [pile for pile in piles if not pile.done]:
            self._round(frame_bgr, rectifier, plan, active)
        return piles

    def _round(self, frame: Picture, rectifier: Rectifier, plan: Plan, piles: list[_Pile]) -> None:
        owners, faces, poses = [], [], []
        for n, pile in enumerate(piles):
            for face, pose in self._guesses(plan, pile):
                owners.append(n)
                faces.append(face)
                poses.append(pose)
        for pile in piles:
            pile.done = True
        if not owners:
            return
        owner, face, pose = np.array(owners), np.array(faces), np.array(poses)
        pose, _ = self._searcher.refine(plan, pose, face)
        patches, masks = self._searcher.seen(plan, pose)
        scores = correlate(patches, masks, self._searcher.fine.ink)
        points = masks.sum(axis=1)
        face = scores.argmax(axis=1)
        rank = scores.max(axis=1) * points / (points + 250)
        keep = np.concatenate(
            [np.flatnonzero(owner == n)[np.argsort(-rank[owner == n])[:2]] for n in range(len(piles))]
        )
        owner, face, pose, rank = owner[keep], face[keep], pose[keep], rank[keep]
        pose = self._identifier.refine(frame, rectifier, plan, pose, face, 3)
        patches, masks = self._identifier.look(frame, rectifier, plan, pose)
        sights = self._identifier.judge(patches, masks, face)
        shown = masks.mean(axis=1)
        for n, pile in enumerate(piles):
            mine = np.flatnonzero(owner == n)
            if not len(mine):
                continue
            best = max(mine, key=lambda i: sights[i].likeness * shown[i] / (shown[i] + 0.05))
            found = Found(pose[best], sights[best], float(shown[best]))
            pile.last = found
            if found.sight.likeness > 0.6:
                pile.found.append(found)
                plan.hide(points_at(found.pose[None], self._corners)[0])
                pile.done = len(pile.found) > pile.zone.capacity
        return

    def _guesses(self, plan: Plan, pile: _Pile) -> list[tuple[int, NDArray[np.float64]]]:
        poses = pile.poses
        masked = bool(pile.found)
        if masked:
            free = self._searcher.shown(plan, poses)
            poses = poses[(free > 0.06) & (free < 0.85)]
            if not len(poses):
                return []
        scores, _ = self._searcher.search(plan, poses, masked)
        best = scores.max(axis=0)
        count = len(self._searcher.coarse.members)
        guesses = []
        for family in np.argsort(-best)[:4]:
            if best[family] < max(0.25, 0.6 * best.max()):
                break
            pose = poses[scores[:, family].argmax()].copy()
            if family >= count:
                pose[2] += 180
            guesses.append((self._searcher.coarse.members[family % count][0], pose))
        return guesses
