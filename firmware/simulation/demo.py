"""Computer players at the simulated station: deeds on the virtual table, and the truth to compare verdicts with.

Everything goes through the simulated camera, vision and engine; this module only moves cards and counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from firmware.commands import NewGame, Tell
from firmware.ledger import Snapshot
from firmware.loop import Loop
from firmware.ports import Clock
from firmware.simulation.deed import Deed
from firmware.simulation.open_table import OpenTable
from firmware.simulation.plays import SIMULATED, PlayedTable
from firmware.state import Judged
from vision.observation import Why

FRAME_S = 0.1  # simulated time between two frames
LONGEST = 80  # frames until a deed must have been judged: more than any patience
ASKED = 20  # frames after which a player does as the station asks and lays down anew what cannot be read


@dataclass
class Tally:
    """What happened over all games, and every difference from the truth."""

    games: int = 0
    frames: int = 0
    deeds: int = 0
    legal: int = 0
    fouls: int = 0
    cheats: int = 0
    straightened: int = 0
    wrong: list[str] = field(default_factory=list)


class Demo:
    """Plays games on the table under the loop's eye."""

    def __init__(self, loop: Loop, table: PlayedTable, clock: Clock, after: Callable[[], None] = lambda: None) -> None:
        self.tally = Tally()
        self._loop = loop
        self._table = table
        self._clock = clock
        self._after = after
        self._events: list[Judged] = []
        loop.station.subscribe(self._note)

    def play(self, rules: str, seed: int, cheats: str | None = None) -> None:
        """One game from the deal to its end."""
        done = SIMULATED[self._table.layout.game].deeds(rules, seed, cheats)
        self.follow(rules, done, f"game {self.tally.games + 1} (seed {seed})")

    def follow(self, rules: str, done: Iterable[Deed], where: str) -> None:
        """A game of these deeds, or as much of one as they are."""
        self._table.clear()
        state = self._loop.station.state
        if state.referee.told or dict(state.head).get("rules") != rules:  # else this one has not begun yet
            self._loop.commands.put(NewGame((("rules", rules),), "simulation"))
        self._settle()
        for number, deed in enumerate(done, start=1):
            self._do(deed, f"{where}, deed {number}")
            self._after()
        self.tally.games += 1

    def _do(self, deed: Deed, where: str) -> None:
        """Brings a deed about and waits until it was judged, or until it never will be."""
        self._events.clear()
        if isinstance(self._table, OpenTable):
            self._table.discarded = deed.discarded
        if deed.changes:
            self._table.apply(deed.changes)
        elif not deed.rights:
            self._loop.commands.put(Tell(str(deed.fact), "simulation"))
        told = 0
        for frame in range(LONGEST):
            if frame % ASKED == ASKED - 1 and deed.breach is None:
                self._straighten()
            self._step()
            if len(self._events) == told and (self._events or self._is_shown(deed)):
                break
            told = len(self._events)
        self._compare(deed, where)

    def _is_shown(self, deed: Deed) -> bool:
        """Whether a foul that makes no event was named all the same: a card that shows its back."""
        return deed.breach is not None and deed.is_named((), self._whys())

    def _straighten(self) -> None:
        for one in self._loop.station.state.unread:
            self.tally.straightened += 1
            self._table.straighten(one.place)

    def _compare(self, deed: Deed, where: str) -> None:
        self.tally.deeds += 1
        facts = [str(event.told.fact) for event in self._events]
        fouls = [foul.kind for event in self._events for foul in event.told.verdict.fouls]
        self.tally.legal += sum(event.told.verdict.legal for event in self._events)
        self.tally.fouls += sum(not event.told.verdict.legal for event in self._events)
        if deed.rights:
            if fouls:
                self.tally.wrong.append(f"{where}: put right, but judged {fouls} for {facts}")
        elif deed.breach is not None:
            self.tally.cheats += 1
            if not deed.is_named(fouls, self._whys()):
                self.tally.wrong.append(f"{where}: {deed.fact} is {deed.breach.value}, but judged {fouls} for {facts}")
        elif facts != [str(deed.fact)] or fouls:
            self.tally.wrong.append(f"{where}: {deed.fact} was done, but told {facts} with {fouls}")

    def _whys(self) -> set[Why]:
        """Why the station asks for cards just now."""
        return {one.why for one in self._loop.station.state.unread}

    def _settle(self) -> None:
        for _ in range(4):
            self._step()

    def _step(self) -> None:
        self._loop.step()
        self._clock.sleep(FRAME_S)
        self.tally.frames += 1

    def _note(self, snapshot: Snapshot) -> None:
        self._events.extend(snapshot.events)
