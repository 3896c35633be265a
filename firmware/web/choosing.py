"""Another game or another deck for the table, chosen on the page: the eye for it is made while the old one still looks,
then station and page are put together anew around it.

Knows profiles and eyes; who puts things together asks for `wanted`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from firmware import folders
from firmware.assemble import make_eye
from firmware.calibration import BadCalibration, Calibration
from firmware.chosen_table import ChosenTable
from firmware.games import refereed
from firmware.loop import Eye
from hardware_config.profile import Profile
from vision.deck import BadDeck, enrolled


@dataclass(frozen=True, slots=True)
class Wanted:
    """A table to be made: its profile, an eye that can read it, and the head of its first game."""

    profile: Profile
    eye: Eye
    head: Mapping[str, str]


@dataclass
class Choosing:
    """What the table could be. `prepare` may take seconds and is called from any thread; `wanted` is set when it went
    well, and the station's own thread looks at it once a round."""

    profile: Profile
    decks: Path
    make: Callable[[Profile], Eye] | None = None
    wanted: Wanted | None = field(default=None, init=False)

    @property
    def known_decks(self) -> tuple[str, ...]:
        """The project's own drawing, which every game has, and what was enrolled."""
        return ("drawn", *(name for name in enrolled(self.decks) if not name.startswith("drawn")))

    def prepare(self, chosen: ChosenTable, head: Mapping[str, str]) -> str | None:
        """Makes the eye for another table; says why not, by a name of the page's words."""
        profile = chosen.laid_over(self.profile)
        try:
            eye = self._eye(profile) if self.make is None else self.make(profile)
            chosen.save(folders.chosen_table())
        except BadDeck:
            return "other-deck"
        except OSError:
            return "not-saved"
        self.wanted = Wanted(profile, eye, dict(head))
        return None

    def _eye(self, profile: Profile) -> Eye:
        try:
            calibration = Calibration.load(folders.calibration())
        except BadCalibration:
            calibration = None
        return make_eye(profile, refereed(profile.table.game), self.decks, calibration=calibration)
