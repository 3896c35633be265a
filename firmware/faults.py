"""What can go wrong with the world, as opposed to a foul (data) and a bug (a crash).

    Fault
    ├── PartFault            a camera, display, lamp row or set of buttons that is not there or gave up
    │   └── NoMoreFrames     a recording came to its end
    └── JournalFault         the journal cannot be trusted or written: no verdict may be shown
        ├── JournalBusy      another station writes to it
        ├── JournalFull      no room is left
        ├── JournalUnwritable  read-only or failing storage
        └── JournalDamaged   an entry is not what was written

Each message says what, where and what to do.
"""

from __future__ import annotations


class Fault(Exception):
    """Something outside the program that a person can mend."""


class PartFault(Fault):
    """A part of the station does not answer. `part` is its name in the profile: camera, display, lamps, buttons."""

    def __init__(self, part: str, message: str) -> None:
        super().__init__(message)
        self.part = part


class NoMoreFrames(PartFault):
    """The recording is over; nothing is wrong."""

    def __init__(self, source: str) -> None:
        super().__init__("camera", f"{source} has no further pictures")


class JournalFault(Fault):
    """The journal cannot be used as it is. `trouble` is the name of its words in the catalogue."""

    trouble = "storage-fault"


class JournalBusy(JournalFault):
    trouble = "journal-busy"


class JournalFull(JournalFault):
    trouble = "disk-full"


class JournalUnwritable(JournalFault):
    trouble = "storage-fault"


class JournalDamaged(JournalFault):
    trouble = "log-damaged"
