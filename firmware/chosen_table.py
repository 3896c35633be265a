"""Which game lies on the table, where somebody has chosen another than the profile's: kept beside the games, so that a
station comes back to it after a power cut. Knows files and profiles; knows no game.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import ValidationError

from hardware_config.profile import Profile, TableSettings, table_mistakes


@dataclass(frozen=True, slots=True)
class ChosenTable:
    """A game, its variant, and the deck it is played with."""

    game: str
    variant: str
    deck: str

    def save(self, path: Path) -> None:
        """Whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(path.name + ".part")
        with unfinished.open("w", encoding="utf-8") as file:
            json.dump(asdict(self), file)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)

    @classmethod
    def load(cls, path: Path) -> ChosenTable | None:
        """What was chosen, or None: a file that makes no sense has chosen nothing, and the profile's game is played."""
        try:
            chosen = cls(**json.loads(path.read_text(encoding="utf-8")))
            table = TableSettings.model_validate(asdict(chosen))
        except (OSError, ValueError, TypeError, ValidationError):
            return None
        return None if table_mistakes(table) else chosen

    def laid_over(self, profile: Profile) -> Profile:
        return profile.model_copy(update={"table": TableSettings(**asdict(self))})
