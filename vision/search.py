"""Where a card may lie: rough looks over all of a zone, for all faces at once.

The topmost card of a zone is looked for whole. Below a card that was found, the next one shows a strip beside it, at
its top if the fan runs outwards and at its foot if it runs towards the Stone. What comes out are guesses; `align`
brings them to fit and `identify` says what they are. Knows millimetres, templates and the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck
from vision.match import Floats, Poses, Templates, correlate
from vision.plan import Plan
from vision.zones import TURNS, Zone, spread, steps

ROUGH, COARSE = 0.25, 0.5  # pixels a millimetre
SOFT_MM = 1.47  # faces as soft as the plan's average
_SAME_PLACE_MM, _SAME_WAY_DEG = 5.0, 45.0
LEAST_MM2 = 300.0  # a card that shows less cannot be told from a rim
_BREADTH = 0.75  # points near to one another say much the same
_PERFECT = 0.96  # nothing can be more alike than this, whatever is left of noise
_SHIFTS_MM = np.arange(9.0, 47.0, 3.0)  # from a card to the one below it
_ACROSS_MM = 3.0
_AT_ONCE = 512  # poses that are compared with all faces together
_RIM_MM, _SLANT_MM = 1.5, 2.5  # of a strip: its card's own rim, and the slanting edge of the card above


@dataclass(frozen=True, slots=True, eq=False)
class Guess:
    """A drawing (by the number of its family) that may lie at a pose, and how much of what is free it explains."""

    family: int
    pose: NDArray[np.float64]
    worth: float


@dataclass(frozen=True, slots=True, eq=False)
class Ledge:
    """The end of a pile as found so far: the place along its zone of the card that covers the next, and on which side
    of it the next one shows (-1: nearer to the zone's origin, as a fan that runs outwards has it)."""

    zone: Zone
    along_mm: float
    side: int

    def reaches(self, shift_mm: float) -> bool:
        """Whether a card that far away would still lie in the zone."""
        along = self.along_mm + self.side * shift_mm
        return self.zone.low[1] - _ACROSS_MM <= along <= self.zone.high[1] + _ACROSS_MM


class Searcher:
    """Looks for cards on a plan with all faces of a deck."""

    def __init__(self, deck: Deck) -> None:
        self._rough = _Gallery.of(Templates.of(deck, ROUGH))
        self._level = _Level.of(self._rough.faces, self._rough.grid_mm)
        self.coarse = Templates.of(deck, COARSE, SOFT_MM)
        self._coarse = _Gallery.of(self.coarse)
        self._strips = lru_cache(maxsize=None)(self._strip_of_faces)

    def whole(self, plan: Plan, poses: Poses, most: int) -> list[Guess]:
        """Cards of which all can be seen."""

        def worth(part: Poses) -> Floats:
            return evidence(self._level.alike(self._rough.patches(plan, plan.smooth, part)), self._rough.area_mm2)

        return self._best(poses, _Worth.few_at_once(worth, poses), most)

    def parts(self, plan: Plan, poses: Poses, most: int) -> list[Guess]:
        """Cards of which only some can be seen, whatever it is that hides the rest."""
        gallery = self._coarse

        def worth(part: Poses) -> Floats:
            masks = gallery.patches(plan, plan.free, part)
            shown = np.flatnonzero(masks.any(axis=0))
            masks = masks[:, shown]
            patches = gallery.patches(plan, plan.smooth, part, shown)
            scores = correlate(patches, masks, np.ascontiguousarray(gallery.faces[:, shown]))
            return evidence(scores, masks.sum(axis=1, keepdims=True) / gallery.points_per_mm2)

        return self._best(poses, _Worth.few_at_once(worth, poses), most)

    def strips(self, plan: Plan, ledges: Sequence[Ledge], most: int) -> list[list[Guess]]:
        """Cards that show a strip beside the one above them, for many piles at once."""
        found: list[list[tuple[Poses, _Worth]]] = [[] for _ in ledges]
        for side, shift in product((-1, 1), map(float, _SHIFTS_MM)):
            mine = [n for n, ledge in enumerate(ledges) if ledge.side == side and ledge.reaches(shift)]
            if mine:
                poses = [_below(ledges[n], shift) for n in mine]
                worth = _Worth.of(self._strip(plan, np.concatenate(poses), side, shift))
                first = 0
                for n, part in zip(mine, poses, strict=True):
                    found[n].append((part, worth.at(slice(first, first + len(part)))))
                    first += len(part)
        return [
            self._best(np.concatenate([p for p, _ in each]), _Worth.joined([w for _, w in each]), most) if each else []
            for each in found
        ]

    def _strip(self, plan: Plan, poses: Poses, side: int, shift_mm: float) -> Floats:
        rows, level = self._strips(side, shift_mm)
        scores = level.alike(self._coarse.patches(plan, plan.smooth, poses, rows))
        return evidence(scores, np.float32(len(rows) / self._coarse.points_per_mm2))

    def _strip_of_faces(self, side: int, shift_mm: float) -> tuple[NDArray[np.intp], _Level]:
        """The points of a strip, and all faces there."""
        rows = self._coarse.strip(side, shift_mm)
        return rows, _Level.of(self._coarse.faces[:, rows], self._coarse.grid_mm[rows])

    def _best(self, poses: Poses, worth: _Worth, most: int) -> list[Guess]:
        """The likeliest few, no two nearly alike, each with the face that fits it best so far."""
        families = len(self._coarse.faces) // 2
        guesses = []
        for row in _apart(poses, worth.best, most):
            drawing = int(worth.drawing[row])
            turn = 180.0 if drawing >= families else 0.0
            pose = poses[row] + np.array([0, 0, turn, 0, 0])
            guesses.append(Guess(drawing % families, pose, float(worth.best[row])))
        return guesses


@dataclass(frozen=True, slots=True, eq=False)
class _Worth:
    """For each pose the drawing that fits it best, and what that is worth."""

    drawing: NDArray[np.intp]
    best: Floats

    @classmethod
    def of(cls, worth: Floats) -> _Worth:
        """From what every pose is worth to every face."""
        return cls(worth.argmax(axis=1), worth.max(axis=1))

    @classmethod
    def few_at_once(cls, worth: Callable[[Poses], Floats], poses: Poses) -> _Worth:
        """What all poses of a table show, point by point, would be a hundred megabytes."""
        return cls.joined([cls.of(worth(poses[n : n + _AT_ONCE])) for n in range(0, len(poses), _AT_ONCE)])

    @classmethod
    def joined(cls, parts: Sequence[_Worth]) -> _Worth:
        return cls(np.concatenate([part.drawing for part in parts]), np.concatenate([part.best for part in parts]))

    def at(self, rows: slice) -> _Worth:
        return _Worth(self.drawing[rows], self.best[rows])


def _below(ledge: Ledge, shift_mm: float) -> Poses:
    """Poses of cards that far from the one above them, all across their zone."""
    across, down = _across(ledge.zone)
    return across + (ledge.along_mm + ledge.side * shift_mm) * down


@lru_cache(maxsize=64)
def _across(zone: Zone) -> tuple[Poses, NDArray[np.float64]]:
    """Poses all across a zone, at its origin; and what takes a pose a millimetre along it."""
    origin, one = zone.table_mm(np.array([[0.0, 0.0], [0.0, 1.0]]))
    poses = spread(zone, steps(zone.low[0], zone.high[0], _ACROSS_MM), np.zeros(1), TURNS)
    return poses, np.array([*(one - origin), 0.0, 0.0, 0.0])


@dataclass(frozen=True, slots=True, eq=False)
class _Gallery:
    """The mean ink of every family at one scale, upright and then upside down, without the rim."""

    grid_mm: Floats
    faces: Floats
    points_per_mm2: float
    half_mm: float  # of a card's height

    @classmethod
    def of(cls, templates: Templates) -> _Gallery:
        inside = (templates.inside > 0) & _every_other(templates.size)
        upright = templates.families
        faces = np.concatenate([upright, upright[:, ::-1]])[:, inside]
        half = float(np.abs(templates.grid_mm[:, 1]).max()) + 0.5 / templates.px_per_mm
        return cls(templates.grid_mm[inside], faces, templates.px_per_mm**2 / 2, half)

    @property
    def area_mm2(self) -> np.float32:
        return np.float32(len(self.grid_mm) / self.points_per_mm2)

    def strip(self, side: int, shift_mm: float) -> NDArray[np.intp]:
        """The points that a card shows beside one that lies so much further: at its top, or at its foot."""
        from_rim = self.half_mm - side * self.grid_mm[:, 1]
        return np.flatnonzero((from_rim >= _RIM_MM) & (from_rim <= shift_mm - _SLANT_MM))

    def patches(self, plan: Plan, picture: Floats, poses: Poses, rows: NDArray[np.intp] | None = None) -> Floats:
        """What a picture of the plan shows at each pose, to the nearest pixel: poses × points."""
        width = picture.shape[1]
        flat = picture.reshape(-1)
        out = np.empty((len(poses), len(self.grid_mm) if rows is None else len(rows)), np.float32)
        base = np.round(plan.px(poses[:, :2])).astype(np.int32)
        starts = base[:, 1] * width + base[:, 0]
        for turn in np.unique(poses[:, 2]):
            offsets = _turned(self, float(turn), width)
            chosen = np.flatnonzero(poses[:, 2] == turn)
            where = starts[chosen, None] + (offsets if rows is None else offsets[rows])[None]
            out[chosen] = flat.take(where)
        return out


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """Faces without what uneven light makes of bare paper, a tone that grows across and along, all of one contrast."""

    faces: Floats
    tones: Floats  # points × 3, at right angles to one another and to every face

    @classmethod
    def of(cls, faces: Floats, grid_mm: Floats) -> _Level:
        tones = np.linalg.qr(np.column_stack([np.ones(len(grid_mm)), grid_mm]))[0].astype(np.float32)
        level = faces - faces @ tones @ tones.T
        energy = np.sqrt(np.einsum("np,np->n", level, level))[:, None]
        return cls(np.asarray(level / np.maximum(energy, 1e-6), np.float32), tones)

    def alike(self, patches: Floats) -> Floats:
        """How alike each patch, in whatever light, is to each face."""
        # The faces are level already: a patch's own tones add nothing to what it shares with them.
        spread = np.einsum("np,np->n", patches, patches) - np.square(patches @ self.tones).sum(axis=1)
        return np.asarray(patches @ self.faces.T / np.sqrt(np.maximum(spread, 1e-6))[:, None], np.float32)


@lru_cache(maxsize=128)
def _turned(gallery: _Gallery, turn: float, width: int) -> NDArray[np.int32]:
    """How far from the middle of a turned card its points are, counted in pixels of a picture so wide."""
    angle = np.radians(turn)
    steer = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    offsets = np.round(gallery.grid_mm @ steer.T).astype(np.int32)
    return np.asarray(offsets[:, 1] * width + offsets[:, 0], np.int32)


def _every_other(size: tuple[int, int]) -> NDArray[np.bool_]:
    """Half of a face's points, as the black squares of a chessboard: on a smooth plan the others add little."""
    columns, rows = size
    return np.asarray(np.add.outer(np.arange(rows), np.arange(columns)).ravel() % 2 == 0)


def evidence(likeness: Floats, area_mm2: Floats | np.float32) -> Floats:
    """What a likeness over an area is worth: the logarithm of how much less is left unexplained, for all its points.

    Evidence, not likeness: a few points correlate with anything, a whole card only with itself.
    """
    good = np.clip(likeness, 0.0, _PERFECT)
    return np.asarray(-np.log(1 - good * good) * area_mm2**_BREADTH * (area_mm2 > LEAST_MM2), np.float32)


def _apart(poses: Poses, worth: Floats, most: int) -> list[int]:
    """The best poses, no two of them in nearly the same place. From afar a card across another's place looks much like
    it, so one that lies the other way stays in question."""
    best = worth.copy()
    least = max(0.3 * float(best.max()), 1e-3)
    chosen: list[int] = []
    while len(chosen) < most and best.max() > least:
        row = int(best.argmax())
        chosen.append(row)
        same_place = np.abs(poses[:, :2] - poses[row, :2]).max(axis=1) < _SAME_PLACE_MM
        best[same_place & (np.abs(poses[:, 2] - poses[row, 2]) < _SAME_WAY_DEG)] = 0
    return chosen
