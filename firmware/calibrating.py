"""Calibrating: measures frames against the mat, says what is in the way, and ends when enough of them are good.

Knows vision and words; knows no rule and no device. What is kept of it is in `calibration`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from firmware.gestures import Press
from firmware.ports import Button, Frame
from firmware.state import Saying, saying
from firmware.tables import OtherMat, table_in
from vision.frame import Picture, as_grey
from vision.layout import Layout
from vision.quality import Glance, blur_notes, blur_px, light_notes
from vision.rectify import NoTable, Rectifier

LEAST_PX_PER_MM = 1.2  # what the index of a card needs: a whole mat on 720 rows has a little more
MOST_ERROR_MM = 1.5
GOOD_FRAMES = 10  # in a row; automatics need about a second to settle


@runtime_checkable
class SelfSetting(Protocol):
    """A camera whose automatics can be asked what they settled on, by the names of the driver's own settings, and which
    can be told to stay there from its next frame on; None gives a setting back to the automatics."""

    def settled(self) -> Mapping[str, Any]: ...

    def lock(self, settings: Mapping[str, Any]) -> None: ...


@dataclass(frozen=True, slots=True)
class Measurement:
    """How well one frame shows the table. Lengths in millimetres, `blur_px` as the sigma of an edge."""

    px_per_mm: float
    error_mm: float
    worst_mm: float
    blur_px: float
    brightness: float
    markers: tuple[int, int]
    turned_deg: int
    lens: tuple[float, float]

    def document(self) -> dict[str, Any]:
        return asdict(self)


class Calibrating:
    """Goes on until enough frames in a row are good; the pause button ends it without a result."""

    def __init__(
        self, layout: Layout, camera: SelfSetting | None = None, frames: int = GOOD_FRAMES, wait_s: float = 120.0
    ) -> None:
        self._layout = layout
        self._camera = camera
        self._frames = frames
        self._wait_s = wait_s
        self._until_s: float | None = None
        self._good: list[Measurement] = []
        self.is_over = False
        self.trouble: Saying | None = None
        self.result: Measurement | None = None
        self.locked: dict[str, Any] = {}

    def look(self, frame: Frame, presses: tuple[Press, ...]) -> Saying:
        self._until_s = self._until_s if self._until_s is not None else frame.taken_s + self._wait_s
        measured, troubles = measure(frame.pixels_bgr, self._layout)
        if troubles or measured is None:
            self._good.clear()
            self.trouble = troubles[0]
            stopped = any(press.button is Button.PAUSE for press in presses)
            self.is_over = stopped or frame.taken_s > self._until_s
            return self.trouble
        self.trouble = None
        self._good.append(measured)
        if len(self._good) < self._frames:
            return saying("calibrating", number=len(self._good), count=self._frames)
        self.is_over = True
        # The one in the middle by its error: no single lucky or unlucky frame counts.
        self.result = sorted(self._good, key=lambda one: one.error_mm)[len(self._good) // 2]
        self.locked = dict(self._camera.settled()) if self._camera is not None else {}
        return saying("calibrated", what=f"{self.result.error_mm:.2f}")


def measure(frame_bgr: Picture, layout: Layout) -> tuple[Measurement | None, tuple[Saying, ...]]:
    """How well this frame shows the table, and everything that is in the way, the gravest first."""
    troubles = [saying(note.what) for note in light_notes(Glance.at(frame_bgr))]
    try:
        table = table_in(frame_bgr, layout)
    except OtherMat:
        return None, (*troubles, saying("other-mat"))
    except NoTable:
        return None, (*troubles, saying("no-mat"))
    if table.is_mirrored:
        return None, (*troubles, saying("mirrored"))
    found = _measured(frame_bgr, table, layout)
    if table.fit.hidden:
        troubles.append(saying("corner-hidden"))
    troubles += [saying(note.what) for note in blur_notes(found.blur_px)]
    if found.px_per_mm < LEAST_PX_PER_MM:
        troubles.append(saying("too-far"))
    if found.error_mm > MOST_ERROR_MM:
        troubles.append(saying("mat-not-flat"))
    return found, tuple(troubles)


def _measured(frame_bgr: Picture, table: Rectifier, layout: Layout) -> Measurement:
    width, height = layout.size_mm
    corners = [(x, y) for x in (0.0, width) for y in (0.0, height)]
    middle = as_grey(table.warp(frame_bgr, (width / 2, height / 2), (width * 0.8, height * 0.8), px_per_mm=0.25))
    fit = table.fit
    return Measurement(
        px_per_mm=round(min(table.px_per_mm(corner) for corner in corners), 2),
        error_mm=round(fit.rms_mm, 3),
        worst_mm=round(fit.worst_mm, 3),
        blur_px=round(blur_px(frame_bgr, table), 2),
        brightness=round(float(np.mean(middle)), 1),
        markers=(len(fit.seen), len(layout.markers)),
        turned_deg=table.turned_deg,
        lens=(round(table.lens.k1, 5), round(table.lens.k2, 5)),
    )
