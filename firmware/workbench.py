"""The parts of a station outside of a game: one screen after another, frames, and whatever is pressed meanwhile.

For setting up: calibrating, enrolling, trying parts. A display or a set of buttons that does not answer is named and
done without, so that each part can be set up with whatever else there is. Knows ports; knows no device and no game.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Protocol

from firmware.faults import NoMoreFrames, PartFault
from firmware.gestures import Fingers, Press
from firmware.messages.told import told
from firmware.ports import Buttons, Camera, Canvas, Clock, Display, Frame
from firmware.screen import draw
from firmware.signals import Screen, Tone
from firmware.state import Saying


class Guided(Protocol):
    """Something that goes on frame by frame: it looks, says what to show next, and knows when it is over."""

    is_over: bool

    def look(self, frame: Frame, presses: tuple[Press, ...]) -> Saying: ...


class Workbench:
    """Parts in use. `tell` gets a line for whoever sits at a terminal."""

    def __init__(
        self,
        displays: tuple[Display, ...],
        buttons: Buttons | None,
        clock: Clock,
        language: str,
        tell: Callable[[str], None],
    ) -> None:
        self._clock = clock
        self._language = language
        self._tell = tell
        self._fingers = Fingers()
        self._said: Saying | None = None
        self._displays = [(display, canvas) for display in displays if (canvas := self._opened(display)) is not None]
        self._buttons = buttons if buttons is not None and self._feels(buttons) else None

    def say(self, said: Saying, tone: Tone = Tone.CALM) -> None:
        """Shows it on every display, and tells it when it is new."""
        if said == self._said:
            return
        self._said = said
        words = said.words(self._language)
        self.show(Screen(words.headline, words.detail, tone))
        self._tell(words.sentence)

    def show(self, screen: Screen) -> None:
        for display, canvas in list(self._displays):
            try:
                display.show(draw(screen, canvas))
            except PartFault as fault:
                self._tell(told(str(fault), self._language))
                self._displays.remove((display, canvas))

    def presses(self) -> tuple[Press, ...]:
        """What was pressed since it was last asked."""
        if self._buttons is None:
            return ()
        try:
            self._fingers, found = self._fingers.after(self._buttons.edges())
        except PartFault as fault:
            self._tell(told(str(fault), self._language))
            self._buttons = None
            return ()
        return found

    def guide(self, guided: Guided, pictures: Iterable[Frame]) -> bool:
        """Goes through it with these pictures; False when they ended before it was over. Raises PartFault."""
        for frame in pictures:
            self.say(guided.look(frame, self.presses()))
            if guided.is_over:
                return True
        return False

    def close(self) -> None:
        """Gives the parts back. The last screen stays where a display keeps it."""
        for part in (*(display for display, _ in self._displays), self._buttons):
            if part is not None:
                part.close()

    def _opened(self, display: Display) -> Canvas | None:
        try:
            return display.open()
        except PartFault as fault:
            self._tell(told(str(fault), self._language))
            return None

    def _feels(self, buttons: Buttons) -> bool:
        try:
            buttons.open()
        except PartFault as fault:
            self._tell(told(str(fault), self._language))
            return False
        return True


def frames(camera: Camera) -> Generator[Frame]:
    """The pictures of a camera, until it has no more or nobody wants them; raises PartFault."""
    camera.open()
    try:
        while True:
            yield camera.read()
    except NoMoreFrames:
        return
    finally:
        camera.close()
