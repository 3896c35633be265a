"""Where cards may lie of which something hides a part: right angles of straight edges tell the rest.

Two of them at the ends of one side tell a card of a known shape. Beside a card that was found one is enough: the cards
of a picture are of one size and lie on one table.

Knows edges and planes; knows no deck.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture, as_grey
from vision.layout import Size
from vision.outlines import LEAST_PX, WORK_PX, Quad
from vision.scene import Plane, through

Array = NDArray[np.float64]

LEAST_MM = 7.0  # of an edge that may be a card's
MOST = 150  # edges round one card
REACH = 3.0  # as many times a card's height round a card its plane tells of others
BEYOND_MM, WITHIN_MM = 7.0, 3.0  # how far from the ends of two edges their corner may lie: corners are round
SQUARE = 0.15  # cosine of what is still a right angle,
SKEWED = 0.3  # and seen from the side
BEYOND_PX, WITHIN_PX = 14.0, 5.0  # the same in a picture of WORK_PX
MOST_SIDES, MOST_CORNERS = 350, 700  # edges of a picture, the longest first, and right angles of theirs
STRAIGHT, SAME_WAY = 0.997, 0.97  # cosines: of a side from corner to corner, and of the edges that leave it


def edges_of(picture: Picture) -> Array:
    """The straight edges of a picture: edges × two ends × 2."""
    scale = min(1.0, WORK_PX / max(picture.shape[:2]))
    grey = as_grey(picture)
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else grey
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(small)[0]
    ends = np.zeros((0, 2, 2)) if found is None else np.asarray(found, np.float64).reshape(-1, 2, 2)
    return np.asarray((ends + 0.5) / scale - 0.5)


def sided(edges: Array, aspect: float) -> list[Quad]:
    """Outlines of which two right angles show a whole side; `aspect` is the width to the height of a card."""
    length = np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1)
    scale = float(np.abs(edges).max(initial=1.0)) / WORK_PX
    order = np.argsort(-length)[:MOST_SIDES]
    order = order[length[order] > LEAST_PX / 2 * scale]
    corners, ways = _right_angles(edges[order], BEYOND_PX * scale, WITHIN_PX * scale, SKEWED)
    corners, ways = corners[:MOST_CORNERS], ways[:MOST_CORNERS]
    # Each right angle twice: either of its edges may be the whole side.
    corners, side, other = np.tile(corners, (2, 1)), *(np.concatenate([ways[:, k], ways[:, 1 - k]]) for k in (0, 1))
    gap = corners[None] - corners[:, None]
    away = np.linalg.norm(gap, axis=2)
    facing = (side @ side.T < -STRAIGHT) & (other @ other.T > SAME_WAY) & (away > LEAST_PX * scale)
    facing &= np.einsum("abk,ak->ab", gap, side) > STRAIGHT * away
    quads: dict[tuple[int, ...], Quad] = {}
    for one, two in zip(*np.nonzero(np.triu(facing)), strict=True):
        way = (other[one] + other[two]) / np.linalg.norm(other[one] + other[two])
        for tall in (away[one, two] * aspect, away[one, two] / aspect):
            quad = np.array([corners[one], corners[two], corners[two] + tall * way, corners[one] + tall * way])
            key = np.round(np.array([*quad.mean(axis=0), tall]) / (0.04 * tall)).astype(int)
            quads.setdefault((*key.tolist(), int(tall > away[one, two])), _clockwise(quad))
    return list(quads.values())


def beside(edges: Array, planes: list[Plane], card_mm: Size) -> list[Quad]:
    """Outlines that right angles of edges near some cards may belong to, and those of cards laid against these, whose
    edges need not show."""
    middles = np.array([through(plane, np.zeros((1, 2)))[0] for plane in planes])
    away = np.linalg.norm(edges.mean(axis=1)[:, None] - middles, axis=2)
    nearest = away.argmin(axis=1)
    quads: list[Quad] = []
    for n, plane in enumerate(planes):
        back = np.asarray(np.linalg.inv(plane), np.float64)
        mine = through(back, edges[nearest == n].reshape(-1, 2)).reshape(-1, 2, 2).astype(np.float64)
        told = [*_told(mine, card_mm), *_against(card_mm)]
        quads += [through(plane, quad).astype(np.float64) for quad in told]
    return quads


def _against(card_mm: Size) -> list[Quad]:
    """The four cards that lie against one whose centre is at the origin, as it lies."""
    size = np.array(card_mm)
    own = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size / 2
    return [own + np.array(way) * size for way in ((-1, 0), (1, 0), (0, -1), (0, 1))]


def _told(edges_mm: Array, card_mm: Size) -> list[Quad]:
    """The cards, in the plane of one whose centre is at the origin, that right angles tell; each about once."""
    length = np.linalg.norm(edges_mm[:, 1] - edges_mm[:, 0], axis=1)
    near = (np.abs(edges_mm).max(axis=(1, 2)) < REACH * card_mm[1]) & (length > LEAST_MM)
    order = np.argsort(-length[near])[:MOST]
    corners, ways = _right_angles(edges_mm[near][order], BEYOND_MM, WITHIN_MM, SQUARE)
    quads: dict[tuple[int, ...], Quad] = {}
    for corner, way in zip(corners, ways, strict=True):
        middle_way = (way[0] + way[1]) / np.linalg.norm(way[0] + way[1])
        across = np.array([-middle_way[1], middle_way[0]])
        sign = 1.0 if float(across @ way[1]) > 0 else -1.0
        u, v = ((middle_way - side * sign * across) / np.sqrt(2) for side in (1, -1))
        for wide, tall in (card_mm, card_mm[::-1]):
            quad = np.array([corner, corner + wide * u, corner + wide * u + tall * v, corner + tall * v])
            long = u if wide > tall else v
            turn = np.degrees(np.arctan2(long[1], long[0])) % 180
            x, y = quad.mean(axis=0)
            quads.setdefault((round(x / 3), round(y / 3), round(turn / 5) % 36), quad[:: int(sign)])
    return list(quads.values())


def _clockwise(quad: Quad) -> Quad:
    (ax, ay), (bx, by) = quad[1] - quad[0], quad[2] - quad[1]
    return quad if ax * by > ay * bx else quad[::-1]


def _right_angles(edges: Array, beyond: float, within: float, skewed: float) -> tuple[Array, Array]:
    """Where two edges meet at a right angle, near one end of each, and the ways in which they lead from there."""
    start, along = edges[:, 0], edges[:, 1] - edges[:, 0]
    length = np.linalg.norm(along, axis=1)
    along = along / np.maximum(length, 1e-9)[:, None]
    one, other = np.triu_indices(len(edges), 1)
    square = np.abs((along[one] * along[other]).sum(axis=1)) < skewed
    one, other = one[square], other[square]
    gap = start[other] - start[one]
    cross = along[one, 0] * along[other, 1] - along[one, 1] * along[other, 0]
    first = (gap[:, 0] * along[other, 1] - gap[:, 1] * along[other, 0]) / cross
    second = (gap[:, 0] * along[one, 1] - gap[:, 1] * along[one, 0]) / cross
    ways, ends = [], np.ones(len(one), bool)
    for edge, at in ((one, first), (other, second)):
        at_start = (at > -beyond) & (at < within)
        at_end = (at < length[edge] + beyond) & (at > length[edge] - within)
        ends &= at_start | at_end
        ways.append(along[edge] * np.where(at_start, 1.0, -1.0)[:, None])
    corners = start[one] + first[:, None] * along[one]
    return corners[ends], np.stack(ways, axis=1)[ends]
