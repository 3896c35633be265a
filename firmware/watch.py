"""Watches a camera: hands on its newest picture, opens it again when it fails or repeats itself, and says when it is
due, which is what a watchdog goes by.

A camera that waits to be tried again is never overdue; one whose driver hangs is, since nothing but a restart of the
program can end that. Knows no device.
"""

from __future__ import annotations

import threading
import time

from firmware.faults import NoMoreFrames, PartFault
from firmware.keep import PAUSES_S, SLOW_S
from firmware.ports import Camera, Clock, Frame

OPENS_S = 120.0  # on a small Pi a driver takes half a minute to load and to open its camera
HANGS_S = 10.0  # a camera in use whose driver has not come back for so long never will
STUCK_S = 2.0  # the same picture for longer than this is no picture
SAMPLED_ROWS = 8  # a real sensor never gives the same noise twice: a few rows are enough to tell


class Repeats:
    """Notices a camera that gives the same picture again and again."""

    def __init__(self) -> None:
        self._last: bytes | None = None
        self._since_s = 0.0

    def is_stuck(self, frame: Frame) -> bool:
        rows = frame.pixels_bgr[:: max(1, frame.pixels_bgr.shape[0] // SAMPLED_ROWS)].tobytes()
        if rows != self._last:
            self._last, self._since_s = rows, frame.taken_s
        return frame.taken_s - self._since_s > STUCK_S


class Watcher:
    """Reads a camera in its own thread."""

    def __init__(self, camera: Camera, clock: Clock, pauses_s: tuple[float, ...] = PAUSES_S) -> None:
        self._camera = camera
        self._clock = clock
        self._pauses_s = pauses_s
        self._changed = threading.Condition()
        self._newest: Frame | None = None
        self._stopping = False
        self._fault: str | None = None
        self._failures = 0
        self.is_stuck = False
        self.is_over = False
        self.due_s = clock.monotonic_s() + OPENS_S
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def next(self, timeout_s: float) -> Frame | None:
        """The newest picture not yet taken, or None when none came for so long."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or self.is_over, timeout=timeout_s)
            frame, self._newest = self._newest, None
            return frame

    def fault(self) -> str | None:
        return self._fault

    def stop(self) -> None:
        self._stopping = True
        self._thread.join(timeout=SLOW_S)

    def _run(self) -> None:
        while not self._stopping and not self.is_over:
            try:
                self.due_s = self._clock.monotonic_s() + OPENS_S
                self._camera.open()
                self._read_until_stopped()
            except NoMoreFrames:
                with self._changed:
                    self.is_over = True
                    self._changed.notify_all()
            except PartFault as fault:
                self._fault = str(fault)
                self._close()
                self._wait(self._pauses_s[min(self._failures, len(self._pauses_s) - 1)])
                self._failures += 1
            else:
                self._close()

    def _read_until_stopped(self) -> None:
        repeats = Repeats()
        while not self._stopping:
            frame = self._camera.read()
            self.due_s = self._clock.monotonic_s() + HANGS_S
            self.is_stuck = repeats.is_stuck(frame)
            if self.is_stuck:
                raise PartFault("camera", "the camera repeats one picture; it is started again")
            self._failures, self._fault = 0, None
            with self._changed:
                self._newest = frame
                self._changed.notify_all()

    def _close(self) -> None:
        try:
            self._camera.close()
        except PartFault as fault:
            self._fault = str(fault)

    def _wait(self, seconds: float) -> None:
        """A pause in which it is not overdue, so that a watchdog can tell waiting from hanging."""
        end_s = time.monotonic() + seconds
        while not self._stopping and time.monotonic() < end_s:
            self.due_s = self._clock.monotonic_s() + HANGS_S
            time.sleep(0.02)
