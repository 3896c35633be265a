"""A small display list: shapes in millimetres, x to the right, y downwards.

Four kinds are enough: a path, words, a group that moves (and may clip) what it holds, and the drawing itself; all
else here builds paths. Knows no paper, no pixel and no file; `raster`, `pdf` and `svg` bring a drawing to those.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypedDict, Unpack

Point = tuple[float, float]
Size = tuple[float, float]
Matrix = tuple[float, float, float, float, float, float]  # a b c d e f, as SVG writes it: x' = a·x + c·y + e
Step = tuple[Literal["M", "L", "C", "Z"], tuple[float, ...]]
Font = Literal["plain", "bold", "italic"]
Anchor = Literal["start", "middle", "end"]

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
ROUND = 0.5522847498  # how far the handles of a cubic reach to draw a quarter of a circle


class Look(TypedDict, total=False):
    """How a path is painted: colours as `#rrggbb`, the pen's width in millimetres."""

    fill: str | None
    stroke: str | None
    pen: float
    opacity: float


@dataclass(frozen=True, slots=True)
class Path:
    """Lines and cubic curves. Overlapping parts are filled even-odd; strokes have round ends and joints."""

    steps: tuple[Step, ...]
    fill: str | None = None
    stroke: str | None = None
    pen: float = 0.0
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Text:
    """Words on a base line that starts, is centred or ends at `at`; `size` is the height of the type in millimetres."""

    at: Point
    words: str
    size: float
    fill: str = "#000000"
    font: Font = "plain"
    anchor: Anchor = "start"


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes moved together and, if `clip` is given (in the group's own measure), cut off at its edge."""

    items: tuple[Shape, ...]
    matrix: Matrix = IDENTITY
    clip: Path | None = None


Shape = Path | Text | Group


@dataclass(frozen=True, slots=True)
class Drawing:
    """A sheet of a given size with its shapes, the first at the bottom."""

    size_mm: Size
    items: tuple[Shape, ...]


def path(steps: str, **look: Unpack[Look]) -> Path:
    """A path from the absolute commands M, L, C and Z of an SVG path."""
    parsed: list[Step] = []
    for command, numbers in re.findall(r"([MLCZ])([^MLCZ]*)", steps):
        values = tuple(float(number) for number in re.findall(r"-?\d*\.?\d+", numbers))
        match command:
            case "Z":
                parsed.append(("Z", ()))
            case "C":
                parsed += [("C", values[n : n + 6]) for n in range(0, len(values), 6)]
            case "M":
                parsed.append(("M", values))
            case _:
                parsed += [("L", values[n : n + 2]) for n in range(0, len(values), 2)]
    return replace(Path(tuple(parsed)), **look)


def polygon(points: Iterable[Point], **look: Unpack[Look]) -> Path:
    """A closed shape with straight sides."""
    return line(points, closed=True, **look)


def line(points: Iterable[Point], *, closed: bool = False, **look: Unpack[Look]) -> Path:
    """Straight pieces from point to point."""
    steps: list[Step] = [("L" if n else "M", point) for n, point in enumerate(points)]
    if closed:
        steps.append(("Z", ()))
    return replace(Path(tuple(steps)), **look)


def rect(x: float, y: float, width: float, height: float, **look: Unpack[Look]) -> Path:
    """A rectangle by its top left corner and size."""
    return polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], **look)


def rounded(x: float, y: float, width: float, height: float, radius: float, **look: Unpack[Look]) -> Path:
    """A rectangle with round corners."""
    r, k = radius, radius * (1 - ROUND)
    right, bottom = x + width, y + height
    steps: tuple[Step, ...] = (
        ("M", (x + r, y)),
        ("L", (right - r, y)),
        ("C", (right - k, y, right, y + k, right, y + r)),
        ("L", (right, bottom - r)),
        ("C", (right, bottom - k, right - k, bottom, right - r, bottom)),
        ("L", (x + r, bottom)),
        ("C", (x + k, bottom, x, bottom - k, x, bottom - r)),
        ("L", (x, y + r)),
        ("C", (x, y + k, x + k, y, x + r, y)),
        ("Z", ()),
    )
    return replace(Path(steps), **look)


def ellipse(x: float, y: float, rx: float, ry: float, **look: Unpack[Look]) -> Path:
    """An ellipse by its centre and radii."""
    kx, ky = rx * ROUND, ry * ROUND
    steps: tuple[Step, ...] = (
        ("M", (x + rx, y)),
        ("C", (x + rx, y + ky, x + kx, y + ry, x, y + ry)),
        ("C", (x - kx, y + ry, x - rx, y + ky, x - rx, y)),
        ("C", (x - rx, y - ky, x - kx, y - ry, x, y - ry)),
        ("C", (x + kx, y - ry, x + rx, y - ky, x + rx, y)),
        ("Z", ()),
    )
    return replace(Path(steps), **look)


def circle(x: float, y: float, radius: float, **look: Unpack[Look]) -> Path:
    """A circle by its centre and radius."""
    return ellipse(x, y, radius, radius, **look)


def star(x: float, y: float, outer: float, inner: float, rays: int, **look: Unpack[Look]) -> Path:
    """A star with its first ray pointing up."""
    return polygon(
        [
            (x + radius * math.sin(n * math.pi / rays), y - radius * math.cos(n * math.pi / rays))
            for n in range(2 * rays)
            for radius in ((inner if n % 2 else outer),)
        ],
        **look,
    )


def spiral(x: float, y: float, radius: float, turns: float, start_deg: float = 0.0, **look: Unpack[Look]) -> Path:
    """A spiral from the centre outwards, anticlockwise; it ends at `start_deg` (0 is to the right)."""
    count = max(8, round(24 * turns))
    end = math.radians(start_deg)
    points = []
    for n in range(count + 1):
        share = n / count
        angle = end + (1 - share) * turns * 2 * math.pi
        points.append((x + radius * share * math.cos(angle), y + radius * share * math.sin(angle)))
    return line(points, **look)


def combined(paths: Sequence[Path]) -> Path:
    """One path of several, with the look of the first: an inner one becomes a hole."""
    return replace(paths[0], steps=tuple(step for one in paths for step in one.steps))


def placed(
    items: Iterable[Shape], at: Point = (0.0, 0.0), *, turn: float = 0.0, scale: float = 1.0, clip: Path | None = None
) -> Group:
    """Shapes scaled, then turned clockwise by `turn` degrees, then with their origin moved to `at`."""
    cos, sin = scale * math.cos(math.radians(turn)), scale * math.sin(math.radians(turn))
    return Group(tuple(items), (cos, sin, -sin, cos, *at), clip)


def mirrored(items: Iterable[Shape]) -> Group:
    """Shapes with left and right exchanged about x = 0."""
    return Group(tuple(items), (-1.0, 0.0, 0.0, 1.0, 0.0, 0.0))


def after(outer: Matrix, inner: Matrix) -> Matrix:
    """The matrix that applies `inner` first and `outer` then."""
    a, b, c, d, e, f = outer
    p, q, r, s, t, u = inner
    return (
        a * p + c * q,
        b * p + d * q,
        a * r + c * s,
        b * r + d * s,
        a * t + c * u + e,
        b * t + d * u + f,
    )
