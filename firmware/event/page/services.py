"""What the hub's page stands on, handed to whoever answers requests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from firmware.event.house import House
from firmware.event.page.badges import Badges
from firmware.event.page.office import Office
from firmware.ports import Clock
from firmware.web.files import File
from firmware.web.noticeboard import Noticeboard


@dataclass(frozen=True)
class Services:
    """What the hub's page stands on. `secure` says that it is served encrypted."""

    office: Office
    board: Noticeboard
    badges: Badges
    file: Callable[[str], File | None]  # by the path at which the page asks for it
    clock: Clock
    house: House | None = None  # whose door stations can be let in at
    language: str = "en"
    secure: bool = False
