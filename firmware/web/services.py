"""What the page stands on, handed to whoever answers requests."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.games import Refereed
from firmware.web.choosing import Choosing
from firmware.web.desk import Desk
from firmware.web.document import Describer
from firmware.web.files import Files
from firmware.web.login import Login
from firmware.web.noticeboard import Noticeboard
from firmware.web.peephole import Peephole
from firmware.web.rehearsal import Rehearsal
from hardware_config.profile import Profile

if TYPE_CHECKING:
    from firmware.web.visitors import Visitors


@dataclass(frozen=True)
class Services:
    """What the page stands on."""

    station: str
    profile: Profile
    refereed: Refereed
    journal: Path
    desk: Desk
    board: Noticeboard
    describer: Describer
    login: Login
    files: Files
    peephole: Peephole | None = None
    visitors: Visitors | None = None
    rehearsal: Rehearsal | None = None
    choosing: Choosing | None = None
