"""Trying the parts out: every lamp in each of its lights, a display filled to its edges; then back to the game.

Only the devices rehearse: the game goes on, and what it has to say is sent whole afterwards. Called from the station's
thread.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.rules import Sign
from firmware.loop import Kept
from firmware.ports import Clock
from firmware.signals import Lamp, Screen, Signals, Tone

STEP_S = 1.5
LAMPS = (Lamp(Sign.CLAIMED, 0), Lamp(Sign.CLAIMED, 1), Lamp(Sign.UNREADABLE), Lamp(Sign.PUT_RIGHT), Lamp(Sign.DARK))
PARTS = ("display", "lamps")


class Rehearsal:
    """Shows a few signals on one kind of output, one after the other."""

    def __init__(self, outputs: Sequence[Kept], clock: Clock, count: int, words: str) -> None:
        self._outputs = outputs
        self._clock = clock
        self._count = count
        self._words = words
        self._part = ""
        self._steps: list[Signals] = []
        self._next_s = 0.0

    def begin(self, part: str) -> None:
        """From now on, one step after the other."""
        tones = (Tone.FOUL, Tone.WARNING, Tone.GOOD) if part == "display" else (Tone.CALM,) * len(LAMPS)
        lamps = LAMPS[: len(tones)]
        self._part, self._next_s = part, self._clock.monotonic_s()
        self._steps = [
            Signals(Screen(self._words, "ABC 123 ÁÉÑ ç", tone, lamps=row, lines=(self._words,) * 3), row, self._words)
            for tone, row in ((tone, (lamp,) * self._count) for tone, lamp in zip(tones, lamps, strict=True))
        ]

    def tick(self, newest: Signals) -> None:
        """The next step when it is time, and in the end what the game says."""
        if not self._part or self._clock.monotonic_s() < self._next_s:
            return
        shown = self._steps.pop(0) if self._steps else newest
        self._next_s = self._clock.monotonic_s() + STEP_S
        for output in self._outputs:
            if output.name == self._part:
                output.send(shown)
        if shown is newest:
            self._part = ""
