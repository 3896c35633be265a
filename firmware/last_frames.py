"""Keeps the last frames that made a difference, for a bug report: as files in a folder that lies in memory.

A frame is kept when the station made something new of it, after everything was shown; an idle table writes nothing. The
file's name says which game it belongs to, in whichever journal, and how many entries had been told by then, so that a
replay knows where to begin. Packing and writing is done beside the station's thread: the next frame does not wait for
it. Knows files and states; decides nothing.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2

from firmware.journal import Entry
from firmware.ports import Frame
from firmware.state import StationState

KEPT = 40
QUALITY = 88
LONGEST_QUEUE = 3  # frames that wait to be written; then the station waits, too
UNFINISHED = "unfinished.part"  # half a picture, of a full disk or a station that was killed, would stop a replay
MARK = 8  # letters of a game's first hash: other journals have games of the same number
_NAME = re.compile(r"(\d{8})-game(\d+)-?([0-9a-f]*)-entries(\d+)\.jpg")


@dataclass(frozen=True, slots=True)
class KeptFrame:
    """One file: its place in the order, its game with that game's mark, and how many entries it had once it was
    judged."""

    path: Path
    number: int
    game: int
    mark: str
    entries: int


class LastFrames:
    """`note` is called after each frame was judged, `close` when there will be no more. `mark_of` tells the mark of a
    game by its number."""

    def __init__(self, folder: Path, mark_of: Callable[[int], str], kept: int = KEPT) -> None:
        self._mark_of = mark_of
        self._mark = (0, "")
        self._folder: Path | None = folder
        self._kept = kept
        self._number = max((frame.number for frame in kept_in(folder)), default=0)
        self._last: object = None
        self._writer = ThreadPoolExecutor(1, "frames")
        self._waiting: deque[Future[None]] = deque()

    def note(self, frame: Frame, state: StationState) -> None:
        shown = (state.number, state.referee.entries, state.pending and state.pending.table, state.unread)
        if shown == self._last or self._folder is None:
            return
        self._last = shown
        self._number += 1
        if self._mark[0] != state.number:
            self._mark = state.number, self._mark_of(state.number)
        name = f"{self._number:08d}-game{state.number}-{self._mark[1]}-entries{len(state.referee.entries)}.jpg"
        self._waiting.append(self._writer.submit(self._write, self._folder, name, frame))
        while self._waiting and (len(self._waiting) > LONGEST_QUEUE or self._waiting[0].done()):
            self._settle(self._waiting.popleft())

    def close(self) -> None:
        """Waits until everything was written."""
        while self._waiting:
            self._settle(self._waiting.popleft())
        self._writer.shutdown()

    def _settle(self, written: Future[None]) -> None:
        try:
            written.result()
        except OSError:
            self._folder = None  # no room for a bug report is no reason to stop a game

    def _write(self, folder: Path, name: str, frame: Frame) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        encoded = cv2.imencode(".jpg", frame.pixels_bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
        unfinished = folder / UNFINISHED
        unfinished.write_bytes(encoded.tobytes())
        unfinished.replace(folder / name)
        for old in kept_in(folder)[: -self._kept]:
            old.path.unlink(missing_ok=True)


def kept_in(folder: Path) -> list[KeptFrame]:
    """The frames of a folder, the oldest first."""
    try:
        names = [(path, _NAME.fullmatch(path.name)) for path in folder.iterdir()]
    except OSError:
        return []
    found = [
        KeptFrame(path, int(name[1]), int(name[2]), name[3], int(name[4])) for path, name in names if name is not None
    ]
    return sorted(found, key=lambda frame: frame.number)


def mark(entries: Iterable[Entry]) -> str:
    """What tells a game from those of the same number in other journals; its entries in order."""
    return next((entry.hash[:MARK] for entry in entries), "")
