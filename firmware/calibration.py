"""What calibration keeps: how a camera sees this table, and what its automatics had settled on when all was well.

Locking exposure, colours and focus keeps them from wandering when a hand comes in. Knows files and profiles; how it is
measured is in `calibrating`.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from hardware_config.profile import Profile

FORMAT = 1


class BadCalibration(Exception):
    """A calibration that cannot be used."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is kept. `locked` are settings of the camera's driver; `corners` are the mat's four corners as a person
    showed them, from B's left round clockwise, in shares of the picture's width and height."""

    at: str
    driver: str
    size: tuple[int, int]
    px_per_mm: float
    error_mm: float
    blur_px: float
    lens: tuple[float, float]
    locked: dict[str, Any] = field(default_factory=dict)
    corners: tuple[tuple[float, float], ...] = ()

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
            return TypeAdapter(cls).validate_python(document)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except PermissionError:
            raise  # it may well make sense
        except ValidationError as error:
            wrong = error.errors()[0]
            why = f"{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}"
            raise BadCalibration(f"{path} makes no sense ({why}): run `marchwarden calibrate` again") from None
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise BadCalibration(f"{path} makes no sense ({error}): run `marchwarden calibrate` again") from None

    def fits(self, profile: Profile) -> bool:
        """Whether this was made with the camera of the profile."""
        camera = profile.camera
        return camera.driver == self.driver and getattr(camera, "size", None) == self.size

    def laid_over(self, profile: Profile) -> Profile:
        """The profile with the camera locked; unchanged when this was made with another camera."""
        camera = profile.camera
        if not self.fits(profile):
            return profile
        free = {name: value for name, value in self.locked.items() if getattr(camera, name, 0) is None}
        try:
            locked = type(camera).model_validate(camera.model_dump() | free)
        except ValidationError as error:
            raise BadCalibration(f"the calibration does not fit the camera ({error.errors()[0]['msg']})") from None
        return profile.model_copy(update={"camera": locked})
