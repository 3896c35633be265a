"""What is true only at the moment: which stations are there, and what their tables look like. Frozen.

It comes from retained messages, so a hub that starts again has it at once; it is in no journal and decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware.event.wire import Glimpse, Picture, Status


@dataclass(frozen=True, slots=True)
class Presence:
    """A station as it was last heard of. `since` is when it came or went, by the hub's clock."""

    station: str
    boot: str = ""
    online: bool = False
    since: str = ""
    version: str = ""
    glimpse: Glimpse | None = None
    picture: Picture | None = None

    def after_status(self, status: Status, now: str) -> Presence:
        """The broker's word that an earlier start of the station died says nothing about the present one."""
        if not status.online and status.boot != self.boot and self.boot:
            return self
        since = self.since if status.online == self.online and self.since else now
        glimpse = self.glimpse if self.glimpse is not None and self.glimpse.boot == status.boot else None
        version = status.version or self.version
        return Presence(self.station, status.boot, status.online, since, version, glimpse, self.picture)

    def after_glimpse(self, glimpse: Glimpse) -> Presence:
        """An older look of the same start is no news."""
        before = self.glimpse
        if before is not None and before.boot == glimpse.boot and before.number >= glimpse.number:
            return self
        return replace(self, glimpse=glimpse)
