"""The loop: frames, buttons and commands go in, one after the other; the station decides; the parts show it.

gather, decide, apply, in one thread that owns the state. Parts that hang or are gone are only named here; keeping them
going is for their keepers. The watchdog is fed from here and only while frames can still come.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Protocol

from firmware.commands import Command, Pressed
from firmware.faults import NoMoreFrames, PartFault
from firmware.feel import Feeler
from firmware.gestures import Press
from firmware.keep import Output
from firmware.ledger import Snapshot
from firmware.notify import Supervisor
from firmware.ports import Camera, Clock, Frame
from firmware.signals import Signals
from firmware.stages import Stages
from firmware.state import Saying, StationState, saying
from firmware.station import Sighting, Station

WAIT_S = 0.1
FED_S = 20.0  # where no watchdog says how often
FED_LEAST_S, SLOWEST_ROUNDS, WARM = 30.0, 8, 20  # a watchdog waits for so many of the slowest rounds, after some frames
SLOW_FPS, SLOW_FOR_S = 3.0, 10.0


class Eye(Protocol):
    """Makes sightings of frames: reads them, settles them, and says what is wrong with the view."""

    def look(self, frame: Frame) -> Sighting: ...


class Watched(Protocol):
    """A camera as the loop sees it: `watch.Watcher`, or a `DirectCamera`. By `due_s` it has to show that it lives."""

    is_over: bool
    is_stuck: bool
    due_s: float

    def next(self, timeout_s: float) -> Frame | None: ...

    def fault(self) -> str | None: ...


class Kept(Protocol):
    """An output as the loop sees it: `keep.Keeper`, or a `DirectOutput`. `name` is display, lamps or broker."""

    name: str

    def send(self, signals: Signals) -> None: ...

    def fault(self) -> str | None: ...


class DirectCamera:
    """A camera read in the loop's own thread: a simulation or a recording, frame by frame and none left out."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._is_open = False
        self._fault: str | None = None
        self.is_over = False
        self.is_stuck = False
        self.due_s = math.inf  # whoever reads it in this thread is held up by it as well

    def next(self, timeout_s: float) -> Frame | None:
        try:
            if not self._is_open:
                self._camera.open()
                self._is_open = True
            frame = self._camera.read()
        except NoMoreFrames:
            self.is_over = True
            return None
        except PartFault as fault:
            self._fault, self._is_open = str(fault), False
            return None
        self._fault = None
        return frame

    def fault(self) -> str | None:
        return self._fault


class DirectOutput:
    """An output used in the loop's own thread."""

    def __init__(self, name: str, output: Output) -> None:
        self.name = name
        self._output = output
        self._is_open = False
        self._fault: str | None = None

    def send(self, signals: Signals) -> None:
        try:
            if not self._is_open:
                self._output.open()
                self._is_open = True
            self._output.show(signals)
            self._fault = None
        except PartFault as fault:
            self._fault, self._is_open = str(fault), False

    def fault(self) -> str | None:
        return self._fault


@dataclass
class Loop:
    """Everything that a station consists of, at work."""

    station: Station
    eye: Eye
    camera: Watched
    outputs: tuple[Kept, ...]
    clock: Clock
    buttons: Feeler | None = None
    supervisor: Supervisor = field(default_factory=Supervisor)
    checks: Callable[[], Iterable[tuple[str, Saying | None]]] = lambda: ()
    commands: SimpleQueue[Command] = field(default_factory=SimpleQueue)
    remember: Callable[[Frame, StationState], None] = lambda frame, state: None
    takes: Callable[[Press], bool] = lambda press: False  # somebody who wants a press before the game gets it
    idle_s: float = 600.0  # after so long without a change somebody is asked whether they still play

    def __post_init__(self) -> None:
        self._fed_s = 0.0
        self._shortened_s: float | None = None  # what the watchdog waits for by now, if it was told
        self._slowest_s, self._looked = 0.0, 0
        self._checked_s = -math.inf
        self._changed_s = self.clock.monotonic_s()
        self._frames_s: list[float] = []
        self.stages_ms: dict[str, float] = {}  # of the last frame, after the eye was done with it
        self.station.subscribe(self._show)

    def step(self) -> bool:
        """One round; False when a recording is over."""
        began_s = self.clock.monotonic_s()
        self._obey()
        self._feel()
        frame = self.camera.next(WAIT_S)
        if frame is not None:
            self._note_rate(frame.taken_s)
            sighting, watch = self.eye.look(frame), Stages()
            self.station.see(sighting)
            watch.end("judge")
            self.remember(frame, self.station.state)
            watch.end("keep")
            self.stages_ms = watch.ms
            self._looked += 1
        self._report()
        self._slowest_s = max(self._slowest_s, self.clock.monotonic_s() - began_s)
        self._feed()
        return not self.camera.is_over

    def _show(self, snapshot: Snapshot) -> None:
        if snapshot.events or snapshot.began:
            self._changed_s = self.clock.monotonic_s()
        for output in self.outputs:
            output.send(snapshot.signals)

    def _obey(self) -> None:
        while True:
            try:
                command = self.commands.get_nowait()
            except Empty:
                return
            self._changed_s = self.clock.monotonic_s()
            self.station.take(command)

    def _feel(self) -> None:
        for press in () if self.buttons is None else self.buttons.presses():
            if not self.takes(press):
                self.commands.put(Pressed(press))

    def _note_rate(self, taken_s: float) -> None:
        self._frames_s = [at_s for at_s in self._frames_s if taken_s - at_s <= SLOW_FOR_S] + [taken_s]

    def _report(self) -> None:
        """Names what is wrong with the parts, on whatever is left."""
        report, now_s = self.station.report, self.clock.monotonic_s()
        fault = self.camera.fault()
        report("camera-hangs", saying("camera-hangs") if now_s >= self.camera.due_s else None)
        report("camera-stuck", saying("camera-stuck") if self.camera.is_stuck else None)
        report("camera-lost", saying("camera-lost", why=fault) if fault and not self.camera.is_stuck else None)
        for name in ("display", "lamps", "broker"):
            faults = [fault for output in self.outputs if output.name == name and (fault := output.fault())]
            report(f"{name}-lost", saying(f"{name}-lost", why=faults[0]) if faults else None)
        lost, stuck = (self.buttons.fault(), self.buttons.stuck()) if self.buttons is not None else (None, ())
        report("buttons-lost", saying("buttons-lost", why=lost) if lost else None)
        report("button-stuck", saying("button-stuck", button=stuck[0].value) if stuck else None)
        is_idle = now_s - self._changed_s > self.idle_s and not self.station.state.is_over
        report("still-playing", saying("still-playing") if is_idle else None)
        report("slow-camera", saying("slow-camera") if self._is_slow() else None)
        if now_s - self._checked_s >= SLOW_FOR_S:
            self._checked_s = now_s
            for name, trouble in self.checks():
                report(name, trouble)

    def _is_slow(self) -> bool:
        times_s = self._frames_s
        long_enough = len(times_s) > 1 and times_s[-1] - times_s[0] > SLOW_FOR_S * 0.8
        return long_enough and (len(times_s) - 1) / (times_s[-1] - times_s[0]) < SLOW_FPS

    def _feed(self) -> None:
        """The watchdog is fed while the camera is not overdue; one whose driver hangs needs a restart."""
        now_s = self.clock.monotonic_s()
        every_s = (self._shortened_s or self.supervisor.watchdog_s or FED_S) / 4
        if now_s - self._fed_s >= every_s and now_s < self.camera.due_s:
            self._fed_s = now_s
            status = f"game {self.station.state.number}, frame {self.station.state.frame}"
            self.supervisor.alive(status, self._patience_s())

    def _patience_s(self) -> float | None:
        """How long the watchdog shall wait from now on, if that changes. It begins patiently, since nobody knows how
        slow this machine is; once some frames were looked at, the loop does."""
        most_s = self.supervisor.watchdog_s
        if most_s is None or self._looked < WARM:
            return None
        before_s, wanted_s = self._shortened_s or most_s, max(FED_LEAST_S, SLOWEST_ROUNDS * self._slowest_s)
        self._shortened_s = min(most_s, wanted_s)
        return None if self._shortened_s == before_s else self._shortened_s
