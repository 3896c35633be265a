"""Whose name it is: two stations that call themselves the same must not both write under it. Pure.

Whoever comes claims the name and waits a moment; whoever has it says so, and then the other keeps away. Two that come
at once are told apart by their boots. A rival with the very same journal is a copy of this station: that is a matter
for a judge. Knows claims and how late it is; knows no broker.
"""

from __future__ import annotations

from firmware.event.wire import Claim

CLAIM_S = 1.0  # how long an objection is waited for
RIVAL_S = 30.0  # after so long without a word the rival is gone


class Tenure:
    """The claim of one start of a station to its name. `holds` is set once nobody objected."""

    def __init__(self, boot: str) -> None:
        self._boot = boot
        self._book = ""
        self._claimed_s = 0.0
        self._rival: Claim | None = None
        self._rival_s = 0.0
        self.holds = False

    @property
    def claim(self) -> Claim:
        return Claim(self._boot, self._book, self.holds)

    @property
    def rival(self) -> Claim | None:
        """Whoever else wants the name, or has it."""
        return self._rival

    @property
    def is_copy(self) -> bool:
        """Whether the rival has this station's own journal."""
        return self._rival is not None and self._rival.book == self._book != ""

    @property
    def is_lost(self) -> bool:
        """Whether the name is the rival's: it has it already, or both came at once and its boot comes first."""
        rival = self._rival
        if rival is None or self.holds:
            return False
        return rival.holds or rival.boot < self._boot

    def begin(self, book: str, now_s: float) -> None:
        """Claims the name anew."""
        self._book, self._claimed_s, self._rival, self.holds = book, now_s, None, False

    def hear(self, claim: Claim, now_s: float) -> None:
        """Somebody claims the name. Of two that both hold it, one gives it up."""
        if claim.boot != self._boot:
            self._rival, self._rival_s = claim, now_s
            self.holds = self.holds and not (claim.holds and claim.boot < self._boot)

    def settle(self, now_s: float) -> None:
        """The name is this station's when nobody has objected for a while; a rival that fell silent is forgotten."""
        if self._rival is not None and now_s - self._rival_s > RIVAL_S:
            self._rival = None
        if not self.is_lost and now_s - self._claimed_s >= CLAIM_S:
            self.holds = True
