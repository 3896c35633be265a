"""What the station asks of the world around it: one small Protocol a kind of part, and the values that pass through.

Knows no device. A driver is whatever fits one of these; `firmware/drivers/README.md` shows how to write one. Every
method may take as long as the device takes, and raises `PartFault` when the device is not there or gives up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from PIL import Image

    Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of the table. `taken_s` is the monotonic clock; `source` names a file where there is one."""

    number: int
    pixels_bgr: Pixels
    taken_s: float
    source: str = ""


@dataclass(frozen=True, slots=True)
class Canvas:
    """What a display can show: its size in pixels, and whether it has colours or only on and off."""

    width: int
    height: int
    colours: bool = False


class Light(Enum):
    """What one bi-colour lamp can do."""

    OFF = "off"
    GREEN = "green"
    RED = "red"
    AMBER = "amber"


class Button(Enum):
    """The buttons of a station, by what they are for."""

    TURN = "turn"
    CLAIM = "claim"
    UNDO = "undo"
    PAUSE = "pause"


@dataclass(frozen=True, slots=True)
class Edge:
    """A button went down or came up; `at_s` is the monotonic clock."""

    button: Button
    down: bool
    at_s: float


class Camera(Protocol):
    """Gives pictures of the table, one after the other."""

    def open(self) -> None: ...

    def read(self) -> Frame:
        """The next picture; raises `NoMoreFrames` at the end of a recording."""
        ...

    def close(self) -> None: ...


class Display(Protocol):
    """Shows a whole picture at a time."""

    def open(self) -> Canvas: ...

    def show(self, picture: Image.Image) -> None: ...

    def close(self) -> None: ...


class Lamps(Protocol):
    """A row of lamps. `open` says how many there are; `show` sets all of them at once."""

    def open(self) -> int: ...

    def show(self, lights: Sequence[Light]) -> None: ...

    def close(self) -> None: ...


class Buttons(Protocol):
    """Buttons as they go down and up. `edges` gives what happened since it was last asked."""

    def open(self) -> None: ...

    def edges(self) -> tuple[Edge, ...]: ...

    def close(self) -> None: ...


class Clock(Protocol):
    """Time. The monotonic clock measures, the other one only dates; order comes from numbers, never from time."""

    def monotonic_s(self) -> float: ...

    def now(self) -> datetime: ...

    def sleep(self, seconds: float) -> None: ...


class Broker(Protocol):
    """Carries messages between stations and an event's hub. What it takes may still be lost: only an answer of the
    other side says that something arrived. After a fault it is closed and opened again."""

    def open(self) -> None: ...

    def publish(self, topic: str, document: Mapping[str, Any], *, retain: bool) -> None: ...

    def received(self, wait_s: float) -> tuple[tuple[str, bytes], ...]:
        """What came since it was last asked: topic and payload. Waits so long for the first one."""
        ...

    def close(self) -> None: ...
