"""One zone while it is peeled: what was found in it so far, and where to look next.

Knows millimetres, poses and what the plan still shows; does not know how a card is found or named.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.identify import Sight
from vision.layout import Size
from vision.match import Floats, Poses
from vision.observation import is_fan
from vision.plan import Plan
from vision.remains import Stretch
from vision.search import Ledge
from vision.zones import CLOSE_TURNS, Zone, grid

_LEAST_STEP_MM, _MOST_STEP_MM = 5.0, 46.0
_USUAL_STEP_MM, _ROOM_MM = 22.0, 34.0  # of a fan; of print that may be more than one card's
_GUESSES, _CLOSE_GUESSES, _CLOSE_MM = 4, 8, 2.8  # places tried at a time; when looked at again, and how close
_STRIP_MM2, _ASLANT_MM = 100.0, 8.0  # print of a strip, at least; what of a card's width another turned one may miss
_ASIDE_MM = 33.0  # how far beside its fan a card is looked for: farther, it is nearer to the next one


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A card on the table: where, and what it looks like."""

    pose: NDArray[np.float64]
    sight: Sight


class Lain(NamedTuple):
    """A card that was found a look ago: where, of which drawing, and its face if that was beyond doubt."""

    pose: NDArray[np.float64]
    family: int
    face: int | None = None


@dataclass(slots=True)
class Pile:
    """One zone while it is peeled, the topmost card first."""

    zone: Zone
    poses: Poses
    card_mm: Size
    found: list[Found] = field(default_factory=list)
    strangers: list[float] = field(default_factory=list)  # where foreign cards lie along the zone
    done: bool = False
    masked: bool = False  # something hides parts of it, or it is looked at again: no short cuts
    most: int = _GUESSES
    before: list[Lain] = field(default_factory=list)  # what lay there a look ago, the topmost first

    @property
    def is_full(self) -> bool:
        """No more cards are looked for: one too many in a fan is worth knowing, elsewhere there is no room."""
        return len(self.found) >= self.zone.capacity + is_fan(self.zone.name)

    def along(self, found: Found) -> float:
        """Where along the zone a card lies."""
        return float(self.zone.own(found.pose[None, :2])[0, 1])

    def outline_mm(self) -> NDArray[np.float64]:
        """Two corners of all that a card of this zone may cover."""
        half = np.array(self.card_mm) / 2
        return self.zone.table_mm(np.array([np.array(self.zone.low) - half, np.array(self.zone.high) + half]))

    def core_mm(self) -> NDArray[np.float64]:
        """Two corners of what the topmost card of a spot must cover, however far off it lies; else of all of it."""
        if is_fan(self.zone.name) or self.found:
            return self.outline_mm()
        half = np.array(self.card_mm) / 2
        return self.zone.table_mm(np.array([np.array(self.zone.high) - half, np.array(self.zone.low) + half]))

    def ledges(self, plan: Plan) -> list[Ledge]:
        """On which sides of what was found the next card may show."""
        places = [self.along(card) for card in self.found]
        half_u, half_v = np.array(self.card_mm) / 2
        ledges = []
        for side, along in ((-1, min(places)), (1, max(places))):
            rim = along + side * half_v
            beyond = np.array(
                [[self.zone.low[0] - half_u, rim], [self.zone.high[0] + half_u, rim + side * _MOST_STEP_MM]]
            )
            if plan.has_print(self.zone.table_mm(beyond)):
                ledges.append(Ledge(self.zone, along, side))
        return ledges

    def goes_on(self, plan: Plan) -> bool:
        """Whether so much stands out right beside the last card of a fan, on either side, that another may lie there
        of which only a strip shows."""
        if not self.found or self.is_full or not is_fan(self.zone.name):
            return False
        own = self.zone.own(np.array([card.pose[:2] for card in self.found]))
        across, half = self.card_mm[0] / 2 - _ASLANT_MM, self.card_mm[1] / 2
        for side, last in ((-1, own[own[:, 1].argmin()]), (1, own[own[:, 1].argmax()])):
            rim = last[1] + side * half
            corners = np.array([[last[0] - across, rim], [last[0] + across, rim + side * _USUAL_STEP_MM]])
            if plan.printed_mm2(self.zone.table_mm(corners), 3) > _STRIP_MM2:
                return True
        return False

    def beside(self, poses: Poses) -> NDArray[np.bool_]:
        """Poses at which a card would show a strip beside those found already."""
        if not self.found:
            return np.ones(len(poses), np.bool_)
        away = np.hypot(*(poses[:, None, :2] - np.array([card.pose[:2] for card in self.found])).transpose(2, 0, 1))
        nearest = away.min(axis=1)
        return np.asarray((nearest > _LEAST_STEP_MM) & (nearest < _MOST_STEP_MM))

    def closer(self, plan: Plan, spare: list[Stretch], is_covered: bool) -> bool:
        """A narrow strip may hide between the poses that were tried, unless it was looked for already."""
        was_closer = self.most == _CLOSE_GUESSES
        self.poses = grid(self.zone, _CLOSE_MM, CLOSE_TURNS)
        self.most = _CLOSE_GUESSES
        self.masked = True
        return not was_closer

    def aside(self, plan: Plan, spare: list[Stretch], is_covered: bool) -> bool:
        """A fan of which nothing was found may lie half outside its place."""
        if self.found or not is_fan(self.zone.name):
            return False
        zone = replace(self.zone, low=(-_ASIDE_MM, self.zone.low[1]), high=(_ASIDE_MM, self.zone.high[1]))
        self.poses = grid(zone)
        return True

    def covered(self, plan: Plan, spare: list[Stretch], is_covered: bool) -> bool:
        """Worth a second look if something covers part of the table."""
        self.masked |= is_covered
        return is_covered

    def under_a_stranger(self, plan: Plan, spare: list[Stretch], is_covered: bool) -> bool:
        """What nothing explains is taken for a foreign card, with others below it if there is room for them."""
        if not is_fan(self.zone.name):
            return False
        longest = max(spare, key=lambda stretch: stretch.high - stretch.low)
        inner = min((self.along(card) for card in self.found), default=None)
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
        outline = corners((self.card_mm[0] + 8.0, self.card_mm[1] + 4.0)) + np.array([0.0, v])
        return self.zone.table_mm(outline.astype(np.float64))


def corners(size_mm: Size) -> Floats:
    """The corners of a thing about its centre: top left, top right, bottom right, bottom left."""
    return np.asarray(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size_mm) / 2, np.float32)
