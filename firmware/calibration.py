"""Calibration: how a camera sees this table, and what its automatics have settled on, kept for the next start.

Measures a frame against the mat, says what is in the way, and locks exposure, colours and focus to what they are when
all is well, so that they do not wander when a hand comes in. Knows vision and files; knows no rule and no device.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from pydantic import ValidationError

from firmware.state import Saying, saying
from hardware_config.profile import Profile
from vision.frame import Picture, as_grey
from vision.layout import Layout
from vision.quality import Glance, blur_notes, blur_px, light_notes
from vision.rectify import NoTable, Rectifier, solve

LEAST_PX_PER_MM = 1.4  # what a card's index needs
MOST_ERROR_MM = 1.5
FORMAT = 1


class BadCalibration(Exception):
    """A calibration that cannot be used."""


@runtime_checkable
class SelfSetting(Protocol):
    """A camera whose automatics can be asked what they settled on, by the names of the driver's own settings."""

    def settled(self) -> Mapping[str, Any]: ...


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


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is kept. `locked` are settings of the camera's driver."""

    at: str
    driver: str
    size: tuple[int, int]
    px_per_mm: float
    error_mm: float
    blur_px: float
    lens: tuple[float, float]
    locked: dict[str, Any] = field(default_factory=dict)

    def save(self, path: Path) -> None:
        """Whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(path.name + ".part")
        with unfinished.open("w", encoding="utf-8") as file:
            json.dump({"format": FORMAT, **asdict(self)}, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)

    @classmethod
    def load(cls, path: Path) -> Calibration | None:
        """What was kept, or None when nothing was; raises BadCalibration for a file that makes no sense."""
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
            if document.pop("format") != FORMAT:
                raise BadCalibration(f"{path} was made by another version: run `marchwarden calibrate` again")
            kept = cls(**document)
            return replace(kept, size=_pair(kept.size), lens=_pair(kept.lens), locked=dict(kept.locked))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise BadCalibration(f"{path} makes no sense ({error}): run `marchwarden calibrate` again") from None

    def laid_over(self, profile: Profile) -> Profile:
        """The profile with the camera locked; unchanged when this was made with another camera."""
        camera = profile.camera
        if camera.driver != self.driver or getattr(camera, "size", None) != self.size:
            return profile
        free = {name: value for name, value in self.locked.items() if getattr(camera, name, 0) is None}
        try:
            locked = type(camera).model_validate(camera.model_dump() | free)
        except ValidationError as error:
            raise BadCalibration(f"the calibration does not fit the camera ({error.errors()[0]['msg']})") from None
        return profile.model_copy(update={"camera": locked})


def measure(frame_bgr: Picture, layout: Layout) -> tuple[Measurement | None, tuple[Saying, ...]]:
    """How well this frame shows the table, and everything that is in the way, the gravest first."""
    troubles = [saying(note.what) for note in light_notes(Glance.at(frame_bgr))]
    try:
        table = solve(frame_bgr, layout)
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


def _pair(values: Any) -> Any:
    first, second = values
    return (first, second)
