"""Where cards may lie in a picture without a mat: four-cornered outlines, found in several ways.

No single threshold finds a white card on a white cloth and a dark one on wood, so edges and several tones are tried
and everything that could be a card is kept; what it shows is for `scan` to judge. Knows outlines; knows no deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture

Quad = NDArray[np.float64]  # four corners, clockwise as seen
Floats = NDArray[np.float64]

WORK_PX = 1600  # outlines are looked for at this size; a card's corners are put right later
LEAST_PX = 36.0  # shortest side of an outline at that size
ENOUGH = 3  # outlines of about the same place and size
ASPECT = (0.42, 1.0)  # of the short to the long side, with perspective


def outlines(picture: Picture) -> list[Quad]:
    """Outlines of all that could be cards, in the picture's own pixels, the largest first, each about once."""
    scale = min(1.0, WORK_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    small = np.asarray(small, np.uint8)
    seen: Counter[tuple[int, ...]] = Counter()
    quads = [quad for mask in _masks(small) for quad in _quads(mask, seen)]
    height, width = small.shape[:2]
    # A scan or a close photograph may show nothing but the card.
    quads.append(np.array([[0, 0], [width, 0], [width, height], [0, height]], float) - 0.5)
    quads.sort(key=lambda quad: -_area(quad))
    distinct = _distinct(np.array(quads))
    return [(quad + 0.5) / scale - 0.5 for quad in distinct]


def _masks(picture: Picture) -> Iterator[Picture]:
    """Black and white pictures in which a card may stand out from what is round it."""
    soft = cv2.GaussianBlur(picture, (0, 0), 1.0)
    lab = cv2.cvtColor(soft, cv2.COLOR_BGR2LAB)
    slopes = [cv2.magnitude(*(cv2.Scharr(plane, cv2.CV_32F, dx, 1 - dx) for dx in (1, 0))) for plane in cv2.split(lab)]
    slope = np.maximum(slopes[0], 1.5 * np.maximum(slopes[1], slopes[2]))
    typical = float(np.median(slope[::4, ::4])) + 1.0
    for times in (3.0, 6.0, 12.0):
        edges = (slope > max(times * typical, 60.0)).astype(np.uint8) * 255
        yield np.asarray(edges, np.uint8)
        yield np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)
    blue, green, red = cv2.split(soft)
    paper = cv2.min(cv2.min(blue, green), red)  # white paper is what is bright in every channel
    colourful = cv2.subtract(cv2.max(cv2.max(blue, green), red), paper)
    apart = _apart(lab)
    for tone in (lab[..., 0], paper, colourful, apart):
        yield np.asarray(cv2.threshold(tone, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1], np.uint8)
    for least in (90, 130, 170, 210):
        mask = (paper > least).astype(np.uint8) * 255
        yield np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)
    for least in (18, 36):
        yield np.asarray((apart > least).astype(np.uint8) * 255, np.uint8)
    block = max(min(picture.shape[:2]) // 6, 2) | 1
    for tone in (lab[..., 0], paper):
        raised = cv2.adaptiveThreshold(tone, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, -6)
        yield np.asarray(raised, np.uint8)


def _apart(lab: NDArray[Any]) -> Picture:
    """How far each pixel's colour is from that of the picture's rim, where usually no card lies."""
    rim = np.concatenate([strip.reshape(-1, 3) for strip in (lab[:6], lab[-6:], lab[:, :6], lab[:, -6:])])
    away = cv2.absdiff(lab, np.array([*np.median(rim, axis=0), 0.0]))
    lightness, *colours = cv2.split(away)
    return np.asarray(cv2.add(cv2.add(colours[0], colours[1]), lightness), np.uint8)


def _quads(mask: Picture, seen: Counter[tuple[int, ...]]) -> Iterator[Quad]:
    """The outlines of one mask; `seen` counts boxes over all masks, as most of them show the same outline again."""
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    for each in contours:
        if len(each) < 3 * LEAST_PX:
            continue
        contour = np.asarray(each, np.int32)
        hull = np.asarray(cv2.convexHull(contour), np.int32)
        area, (centre, sides, _) = cv2.contourArea(hull), cv2.minAreaRect(hull)
        # Ragged shapes fill little of the box round them or wind far about: most of a picture ends here.
        if min(sides) < LEAST_PX or area < 0.7 * sides[0] * sides[1] or len(contour) > 4 * sum(sides):
            continue
        box = (round(centre[0] / 4), round(centre[1] / 4), round(float(np.sqrt(area)) / 6))
        seen[box] += 1
        if seen[box] > ENOUGH:
            continue
        quad = _four_sides(hull, contour)
        if quad is not None and _card_like(quad):
            yield quad
        else:
            yield from _three_corners(contour)


def _four_sides(hull: NDArray[np.int32], contour: NDArray[np.int32]) -> Quad | None:
    """The four straight sides of an outline; its rounded corners are where the sides would meet."""
    around = cv2.arcLength(hull, True)
    for share in (0.02, 0.035, 0.05, 0.08):
        corners = cv2.approxPolyDP(hull, share * around, True)[:, 0].astype(float)
        if len(corners) <= 4:
            break
    if len(corners) != 4:
        box = cv2.minAreaRect(hull)
        if cv2.contourArea(hull) < 0.86 * box[1][0] * box[1][1]:
            return None
        corners = cv2.boxPoints(box).astype(float)
    points = contour[:, 0].astype(float)
    lines = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        line = _side(points, start, end)
        if line is None:
            return None
        lines.append(line)
    quad = np.array([_meet(lines[n - 1], lines[n]) for n in range(4)])
    if not np.isfinite(quad).all() or not cv2.isContourConvex(quad.astype(np.float32)):
        return None
    share = _area(quad) / max(cv2.contourArea(hull), 1.0)
    return _clockwise(quad) if 0.93 < share < 1.15 else None


def _side(points: Floats, start: Floats, end: Floats) -> tuple[Floats, Floats] | None:
    """The line along one side, from the points near its middle."""
    along = end - start
    length = float(np.linalg.norm(along))
    if length < LEAST_PX / 2:
        return None
    along = along / length
    way = (points - start) @ along
    off = np.abs((points - start) @ np.array([-along[1], along[0]]))
    near = points[(way > 0.15 * length) & (way < 0.85 * length) & (off < max(2.0, 0.03 * length))]
    if len(near) < 0.3 * length:
        return None
    across = np.array([-along[1], along[0]])
    for _ in range(2):
        # A straight line through the points, then again through those that lie near it.
        ways, offs = (near - start) @ along, (near - start) @ across
        mean_way, mean_off = float(ways.mean()), float(offs.mean())
        spread = float(np.square(ways - mean_way).sum())
        slope = float(((ways - mean_way) * (offs - mean_off)).sum()) / max(spread, 1e-6)
        base = mean_off - slope * mean_way
        close = np.abs(offs - slope * ways - base) < 1.5
        if close.sum() < 0.3 * length:
            break
        near = near[close]
    direction = along + slope * across
    return np.asarray(start + base * across), np.asarray(direction / np.linalg.norm(direction))


def _meet(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats:
    """Where two lines cross, far away if they hardly do."""
    (p, d), (q, e) = one, other
    across = d[0] * e[1] - d[1] * e[0]
    if abs(across) < 0.2:
        return np.array([np.inf, np.inf])
    way = ((q[0] - p[0]) * e[1] - (q[1] - p[1]) * e[0]) / across
    return np.asarray(p + way * d)


def _three_corners(contour: NDArray[np.int32]) -> Iterator[Quad]:
    """Outlines of a card of which another one hides a corner: three right angles in a row tell the fourth."""
    around = cv2.arcLength(contour, True)
    polygon = cv2.approxPolyDP(contour, 0.015 * around, True)[:, 0].astype(float)
    count = len(polygon)
    if not 5 <= count <= 14:
        return
    for n in range(count):
        before, a, b, c, after = (polygon[(n + k) % count] for k in range(5))
        if all(_is_right(*corner) for corner in ((before, a, b), (a, b, c), (b, c, after))):
            quad = _clockwise(np.array([a, b, c, a + c - b]))
            if _card_like(quad):
                yield quad


def _is_right(before: Floats, corner: Floats, after: Floats) -> bool:
    one, other = before - corner, after - corner
    lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
    return lengths > 0 and abs(float(one @ other)) < 0.3 * lengths


def _card_like(quad: Quad) -> bool:
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    across, along = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    short, long = min(across, along), max(across, along)
    even = min(sides[0] / sides[2], sides[2] / sides[0], sides[1] / sides[3], sides[3] / sides[1])
    return bool(short >= LEAST_PX and ASPECT[0] <= short / long <= ASPECT[1] and even > 0.6)


def _clockwise(quad: Quad) -> Quad:
    """Corners clockwise as seen (y downwards), the first one nearest the top left."""
    turn = np.cross(np.append(quad[1] - quad[0], 0), np.append(quad[2] - quad[1], 0))[2]
    quad = quad if turn > 0 else quad[::-1]
    return np.roll(quad, -int(quad.sum(axis=1).argmin()), axis=0)


def _area(quad: Quad) -> float:
    return float(cv2.contourArea(quad.astype(np.float32)))


def _distinct(quads: Floats) -> list[Quad]:
    """Each outline about once: the same is what agrees to a fortieth of its size, whichever corner comes first."""
    turned = np.stack([np.roll(quads, k, axis=1) for k in range(4)], axis=1)
    kept: list[int] = []
    for n, quad in enumerate(quads):
        near = 0.025 * np.sqrt(_area(quad)) + 0.5
        if not kept or np.abs(turned[kept] - quad).max(axis=(2, 3)).min() > near:
            kept.append(n)
    return [quads[n] for n in kept]
