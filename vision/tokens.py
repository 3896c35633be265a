"""Finding tokens: small pieces that lie anywhere, also on cards, known by the marker printed on each.

A marker that is found must be as large as its token's and look as printed, white edge included: the drawing of a card
may resemble one. Where a token may lie and none was found, a closer look is taken that needs no edges. Knows markers;
knows no place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.frame import Array, Picture, as_grey, sample
from vision.layout import Layout, Point, Token
from vision.markers import MODULES, find, pattern
from vision.match import Floats, correlate
from vision.plan import FULL
from vision.rectify import Rectifier

_SIZE = 0.15  # how far a marker's side may be off
_LIKE = 0.72  # correlation of a marker with its print
# In a closer look, in hard light, tokens have more than 0.78 of their frame, 0.84 of all and 0.29 ahead of every other
# marker inside; what is no token hardly ever more than 0.7 of both (a court card 0.75), and never 0.2 ahead.
_FRAMED, _CLOSELY_LIKE, _AHEAD = 0.7, 0.79, 0.24
_PERHAPS_LIKE, _PERHAPS_AHEAD = 0.71, 0.07  # what is less is no token, whatever else it is
_MODULE_PX = 6
_REACH_MM, _RIM_MM = 30.0, 15.0  # of a closer look: how far from a point a marker's middle may be; and its own reach
_TURN_DEG = 9  # between two turns of a frame that is looked for
_APART_MM = 6  # between two places that may be a marker's
_CORNERS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
_STEPS = [np.array([(x, y, turn) for x in (-way, 0, way) for y in (-way, 0, way) for turn in (-lean, 0, lean)])
          for way, lean in ((0.8, 4.0), (0.4, 2.0))]  # fmt: skip

Pose = tuple[float, float, float]  # x and y in millimetres, clockwise turn in degrees


def find_tokens(frame_bgr: Picture, rectifier: Rectifier, layout: Layout) -> dict[str, Array]:
    """The outlines of tokens in millimetres, by code: top left, top right, bottom right, bottom left. One quick look:
    most tokens lie nowhere, and where one may lie unseen there is time for a closer look."""
    grey = as_grey(frame_bgr)
    tokens = {token.marker: token for token in layout.tokens}
    outlines = {}
    for marker, corners in find(grey, frozenset(tokens), quick=True).items():
        corners_mm = rectifier.to_mm(corners)
        if _is_square(corners_mm, tokens[marker].size_mm) and _likeness(grey, corners, marker) > _LIKE:
            outlines[tokens[marker].code] = _outline(corners_mm, layout)
    return outlines


def _is_square(corners_mm: Array, size_mm: float) -> bool:
    sides = np.linalg.norm(corners_mm - np.roll(corners_mm, -1, axis=0), axis=1)
    return bool((np.abs(sides / size_mm - 1) < _SIZE).all())


def _likeness(grey: Picture, corners: Array, marker: int) -> float:
    """How much a marker looks as it was printed, its white edge included."""
    printed = pattern(marker, _MODULE_PX).astype(np.float32)
    low, high = _MODULE_PX - 0.5, _MODULE_PX * (MODULES + 1) - 0.5
    square = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    upright = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    size = (printed.shape[1], printed.shape[0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(grey, upright, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return float(np.corrcoef(seen.ravel().astype(np.float32), printed.ravel())[0, 1])


@dataclass(frozen=True, slots=True)
class CloserLook:
    """The outlines of tokens that were found, by code, and where something may be one and nobody can say."""

    found: dict[str, Array]
    doubtful_mm: tuple[Point, ...] = ()


def closer_look(table_bgr: Picture, layout: Layout, around_mm: Iterable[Point]) -> CloserLook:
    """Tokens around some points of the table, seen from straight above and FULL fine, compared with the very pictures
    of their markers: found in shade, in a gleam and blurred, where edges fail."""
    grey = as_grey(table_bgr)
    found: dict[str, Array] = {}
    doubtful: list[Point] = []
    for at in around_mm:
        for token, (x, y, turn) in _compared(_window(grey, at), layout.tokens):
            middle = (at[0] + x, at[1] + y)
            if token is None:
                doubtful.append(middle)
            else:
                found[token.code] = _outline(_CORNERS * token.size_mm / 2 @ _steer(turn).T + middle, layout)
    return CloserLook(found, tuple(doubtful))


def _window(grey: Picture, at_mm: Point) -> Floats:
    """What lies around a point, the point in its middle."""
    reach = round((_REACH_MM + _RIM_MM) * FULL)
    column, row = (round(side * FULL) for side in at_mm)
    left, top = max(0, reach - column), max(0, reach - row)
    part = grey[max(0, row - reach) : row + reach, max(0, column - reach) : column + reach]
    right, bottom = 2 * reach - left - part.shape[1], 2 * reach - top - part.shape[0]
    return np.asarray(cv2.copyMakeBorder(part, top, bottom, left, right, cv2.BORDER_REPLICATE), np.float32)


def _compared(window: Floats, tokens: Sequence[Token]) -> Iterator[tuple[Token | None, Pose]]:
    """The tokens whose markers a window shows, each with its pose about the window's middle; None where there may be
    one."""
    soft = np.asarray(cv2.blur(window, (3, 3)), np.float32)
    faces = np.concatenate([_faces(token.marker) for token in tokens])
    for guess in _frames(soft):
        pose, patch = np.array(guess), np.empty((1, faces.shape[1]), np.float32)
        for step in _STEPS:
            poses = pose + step
            patches = _patches(soft, poses, tokens[0].size_mm)
            best = int(correlate(patches, None, faces).max(axis=1).argmax())
            pose, patch = poses[best], patches[best : best + 1]
        alike = correlate(patch, None, faces)[0]
        told = correlate(patch[:, _INSIDE], None, faces[:, _INSIDE])[0].reshape(-1, 4)
        number, quarter = divmod(int(told.argmax()), 4)
        ahead = float(told[number, quarter] - np.delete(told, number, axis=0).max())
        if alike.max() > _PERHAPS_LIKE and ahead > _PERHAPS_AHEAD:
            is_certain = alike.max() > _CLOSELY_LIKE and ahead > _AHEAD
            lies = float(pose[0]), float(pose[1]), float(pose[2] + 90 * quarter)
            yield tokens[number] if is_certain else None, lies


def _frames(soft: Floats) -> Iterator[Pose]:
    """The places, from a window's middle, that look most like the black frame of a marker on its white ground."""
    small = np.asarray(cv2.resize(soft, None, fx=1 / FULL, fy=1 / FULL, interpolation=cv2.INTER_AREA), np.float32)
    scores = np.stack(
        [cv2.matchTemplate(small, frame, cv2.TM_CCOEFF_NORMED, mask=mask) for frame, mask in _turned_frames()]
    )
    scores[~np.isfinite(scores)] = -1.0
    middle = (np.array(scores.shape[1:]) - 1) / 2
    while scores.max() > _FRAMED:
        turn, row, column = np.unravel_index(int(scores.argmax()), scores.shape)
        yield float(column - middle[1]), float(row - middle[0]), float(turn * _TURN_DEG)
        near = slice(max(0, row - _APART_MM), row + _APART_MM), slice(max(0, column - _APART_MM), column + _APART_MM)
        scores[:, *near] = -1.0


@cache
def _turned_frames() -> tuple[tuple[Floats, Floats], ...]:
    """The frame that all markers share, at every turn up to a quarter, a pixel a millimetre, and where it counts."""
    module, size = 2.5, 29
    x, y = np.meshgrid(*[np.arange(size) - (size - 1) / 2] * 2)
    frames = []
    for turn in range(0, 90, _TURN_DEG):
        own = np.stack([x, y], axis=-1) @ _steer(turn)  # each pixel in the marker's own frame
        away = np.abs(own).max(axis=-1) / module
        white = np.asarray(away > MODULES / 2, np.float32)
        counts = (away > MODULES / 2 - 1) & (away < MODULES / 2 + 1)
        frames.append((white, np.asarray(counts, np.float32)))
    return tuple(frames)


_SAMPLES = 2 * (MODULES + 2)  # along a side of a marker and its white edge
_INSIDE = np.flatnonzero(np.pad(np.ones((_SAMPLES - 8, _SAMPLES - 8)), 4).ravel())  # what tells markers apart


@cache
def _faces(marker: int) -> Floats:
    """A marker with its white edge, upright and at the three other quarter turns, flat."""
    printed = pattern(marker, 2).astype(np.float32)
    return np.stack([np.rot90(printed, -quarter).ravel() for quarter in range(4)])


def _patches(soft: Floats, poses: Array, size_mm: float) -> Floats:
    """What a window shows at each pose where a marker with its white edge would lie (poses × points)."""
    side = ((np.arange(_SAMPLES) + 0.5) / 2 - (MODULES + 2) / 2) * size_mm / MODULES
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    steer = np.stack([_steer(turn) for turn in poses[:, 2]])
    at = np.einsum("pij,gj->pgi", steer, grid) + poses[:, None, :2]
    points = at * FULL + (np.array(soft.shape[::-1]) - 1) / 2
    return np.asarray(sample(soft, points.astype(np.float32), cv2.BORDER_REPLICATE), np.float32)


def _steer(turn_deg: float) -> Array:
    turn = np.radians(turn_deg)
    return np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])


def _outline(corners_mm: Array, layout: Layout) -> Array:
    """The whole token: its marker stands at the left, as far from the left edge as from the upper one."""
    width, height = layout.tile_mm
    along, down = (corners_mm[n] - corners_mm[0] for n in (1, 3))
    along, down = (way / max(float(np.linalg.norm(way)), 1e-6) for way in (along, down))
    middle = corners_mm.mean(axis=0) + along * (width - height) / 2
    frame = _CORNERS * np.array([width, height]) / 2
    return np.asarray(middle + frame[:, :1] * along + frame[:, 1:] * down)
