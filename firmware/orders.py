"""Which orders of an event's hub this station has carried out: each counts once, however often it is sent.

The journal is the memory: an order's number stands in the name of whoever gave it. Knows numbers; knows no game.
"""

from __future__ import annotations

from firmware.commands import order_in
from firmware.journal import Journal


class Orders:
    """The numbers of all orders that stand in a journal, read when they are first asked for."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._numbers: set[str] | None = None

    def is_known(self, number: str) -> bool:
        return number in self._known()

    def remember(self, who: str) -> None:
        """Somebody has acted; if it was by an order, it is known from now on."""
        number = order_in(who)
        if number is not None:
            self._known().add(number)

    def _known(self) -> set[str]:
        if self._numbers is None:
            self._numbers = {number for entry in self._journal.entries() if (number := order_in(entry.who)) is not None}
        return self._numbers
