"""The desk between the page and the station: errands go over it, and are done in the thread that owns the state."""

from __future__ import annotations

from concurrent.futures import Future

from firmware.commands import Command
from firmware.errands import Errands
from firmware.state import Saying
from firmware.station import Station


class Desk(Errands):
    """`errand` and `ask` are called from any thread, `work` from the station's own, once a round."""

    def __init__(self, station: Station) -> None:
        super().__init__()
        self.station = station

    def ask(self, command: Command) -> Future[Saying | None]:
        """Asks something of the station; the answer is why it cannot be done, or None."""
        return self.errand(lambda: self.station.take(command))
