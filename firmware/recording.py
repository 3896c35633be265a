"""Refereeing a recording: every event as it is settled, as other programs read it.

The same station as at a live table, on a journal that nobody keeps. Since a recording is watched and not played, a foul
is told as soon as it has settled. Whoever lays the first card is the first player, unless the rules say otherwise.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware.clocks import SimulatedClock
from firmware.commands import Pressed
from firmware.games import Refereed
from firmware.gestures import Press
from firmware.journal import Journal, Line
from firmware.ledger import Snapshot
from firmware.ports import Button, Frame
from firmware.state import Judged, StationState
from firmware.station import Manner, Station

if TYPE_CHECKING:
    from firmware.loop import Eye

Event = dict[str, Any]


class Recording:
    """A station that watches frames and answers with events."""

    def __init__(
        self, game: Refereed, eye: Eye, rules: Mapping[str, str], language: str = "en", told: Sequence[Line] = ()
    ) -> None:
        """`told` is what had happened in this game before the recording begins."""
        self._folder = tempfile.TemporaryDirectory(prefix="marchwarden-")
        self._journal = Journal(Path(self._folder.name) / "journal.db", SimulatedClock())
        self._language = language
        self._eye = eye
        self._seq = 0
        self.has_seen = False  # whether the table was in view at all
        self._events: list[Event] = []
        self.station = Station(game, self._journal, SimulatedClock(), Manner(language, patience_s=0.0, asks=False))
        if told:
            self._journal.append(self._journal.begin({"game": game.game.name, **rules}), told)
            self.station.resume()
            self.station.take(Pressed(Press(Button.TURN)))  # the first picture is judged as it lies
        else:
            self.station.begin(rules)
        self.station.subscribe(self._note)

    @property
    def is_over(self) -> bool:
        return self.station.state.is_over

    def watch(self, frame: Frame) -> Iterator[Event]:
        """The events that this frame settles. A recording may be taken from anywhere: no bump stops the judging."""
        sighting = replace(self._eye.look(frame), moved=False)
        self.has_seen = self.has_seen or sighting.observation is not None
        self.station.see(sighting)
        events, self._events = self._events, []
        yield from events

    def finish(self) -> Iterator[Event]:
        """The events that still waited for something to become readable when the recording ended."""
        if not self.is_over:
            self.station.finish()
        events, self._events = self._events, []
        yield from events

    def close(self) -> None:
        self._journal.close()
        self._folder.cleanup()

    def _note(self, snapshot: Snapshot) -> None:
        state = snapshot.state
        for judged in snapshot.events:
            self._events.append(self._numbered(state, event_of(state, judged, self._language)))
        if snapshot.ended:
            summary = state.summary
            end = {"event": "end", "winner": summary.winner, "by": summary.won_by}
            self._events.append(self._numbered(state, end))

    def _numbered(self, state: StationState, event: Event) -> Event:
        self._seq += 1
        return {"seq": self._seq, "frame": state.frame, **event}


def event_of(state: StationState, judged: Judged, language: str) -> Event:
    """A fact with its verdict, as the event of a stream; the same words as a record that is replayed."""
    from firmware.cli.replay import judged as as_event

    return as_event(replace(state.referee, position=judged.before), judged.told, language)
