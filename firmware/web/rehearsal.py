"""Trying the parts out: every lamp in each of its lights, a display filled to its edges, each button; then back to the
game.

Only the devices rehearse: the game goes on, and what it has to say is sent whole afterwards. Buttons that are tried do
nothing else. Called from the station's thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.rules import Sign
from firmware.gestures import Press
from firmware.loop import Kept
from firmware.ports import Button, Clock
from firmware.signals import Lamp, Screen, Signals, Tone
from firmware.state import Saying, saying

STEP_S = 1.5
LAMPS = (Lamp(Sign.HELD, 0), Lamp(Sign.HELD, 1), Lamp(Sign.UNREADABLE), Lamp(Sign.PUT_RIGHT), Lamp(Sign.DARK))
PARTS = ("display", "lamps", "buttons")
BUTTONS_S = 30.0  # how long buttons are tried, unless pause is held


class Rehearsal:
    """Shows a few signals on one kind of output, one after the other."""

    def __init__(
        self,
        outputs: Sequence[Kept],
        clock: Clock,
        count: int,
        words: str,
        language: str = "en",
        tell: Callable[[Saying], None] = lambda said: None,
    ) -> None:
        """`tell` hears of every button that is tried."""
        self._language = language
        self._tell = tell
        self._buttons_until_s = float("-inf")
        self._outputs = outputs
        self._clock = clock
        self._count = count
        self._words = words
        self._part = ""
        self._steps: list[Signals] = []
        self._next_s = 0.0

    def begin(self, part: str) -> None:
        """From now on, one step after the other."""
        if part == "buttons":
            self._buttons_until_s = self._clock.monotonic_s() + BUTTONS_S
            self._say(saying("press-button"))
            return
        tones = (Tone.FOUL, Tone.WARNING, Tone.GOOD) if part == "display" else (Tone.CALM,) * len(LAMPS)
        lamps = LAMPS[: len(tones)]
        self._part, self._next_s = part, self._clock.monotonic_s()
        self._steps = [
            Signals(Screen(self._words, "ABC 123 ÁÉÑ ç", tone, lamps=row, lines=(self._words,) * 3), row, self._words)
            for tone, row in ((tone, (lamp,) * self._count) for tone, lamp in zip(tones, lamps, strict=True))
        ]

    def take(self, press: Press) -> bool:
        """Shows a press while buttons are tried; else it is the game's."""
        if self._clock.monotonic_s() >= self._buttons_until_s:
            return False
        self._say(saying("button-held" if press.held else "button-pressed", button=press.button.value))
        if press.button is Button.PAUSE and press.held:
            self._buttons_until_s = self._clock.monotonic_s()
        return True

    def _say(self, said: Saying) -> None:
        self._tell(said)
        words = said.words(self._language)
        self._part, self._steps = "display", [Signals(Screen(words.headline, words.detail), (), words.sentence)]
        self._next_s = self._clock.monotonic_s()

    def tick(self, newest: Signals) -> None:
        """The next step when it is time, and in the end what the game says."""
        if not self._part or self._clock.monotonic_s() < self._next_s:
            return
        if not self._steps and self._clock.monotonic_s() < self._buttons_until_s:
            return  # the last button stays on the display until another is pressed
        shown = self._steps.pop(0) if self._steps else newest
        self._next_s = self._clock.monotonic_s() + STEP_S
        for output in self._outputs:
            if output.name == self._part:
                output.send(shown)
        if shown is newest:
            self._part = ""
