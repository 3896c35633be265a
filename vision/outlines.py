"""Where cards may lie in a picture without a mat: four-cornered outlines.

No single way finds a white card on a white cloth and a dark one on wood, so a few kinds of edges and tones are tried
and everything that could be a card is kept; what it shows is for `scan` to judge. Right angles are in `angles`.
Knows outlines; knows no deck.
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

WORK_PX = 1024  # outlines are looked for at this size; a card's corners are put right later
LEAST_PX = 24.0  # shortest side of an outline at that size
ENOUGH = 3  # outlines of about the same place and size
ASPECT = (0.42, 1.0)  # of the short to the long side, with perspective


def outlines(picture: Picture) -> list[Quad]:
    """Outlines of all that could be cards, in the picture's own pixels, the picture's own rim first, then the largest,
    each about once."""
    scale = min(1.0, WORK_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    small = np.asarray(small, np.uint8)
    seen: Counter[tuple[int, ...]] = Counter()
    quads = [quad for mask in _masks(small) for quad in _quads(mask, seen)]
    height, width = small.shape[:2]
    # A scan or a close photograph may show nothing but the card.
    quads.append(np.array([[0, 0], [width, 0], [width, height], [0, height]], float) - 0.5)
    quads.sort(key=lambda quad: -_area(quad))
    return [(quad + 0.5) / scale - 0.5 for quad in _distinct(np.array(quads))]


def frames_of(faces_bgr: Picture, card_mm: tuple[float, float], most: int) -> list[NDArray[np.float32]]:
    """The frames drawn on many cards of a deck, in a card's own millimetres: where the cut does not stand out from the
    ground, these still do."""
    found: list[Quad] = []
    height, width = faces_bgr.shape[1:3]
    mm = np.array([card_mm[0] / width, card_mm[1] / height])
    for face in faces_bgr[:: max(len(faces_bgr) // 24, 1)]:
        for quad in outlines(np.asarray(face, np.uint8))[1:]:
            sides = np.ptp(quad, axis=0)
            box = _area(quad) > 0.95 * sides[0] * sides[1]
            if box and _area(quad) > 0.3 * width * height:
                found.append(np.sort((quad + 0.5) * mm - np.array(card_mm) / 2, axis=0)[[0, -1]])
    counted: list[tuple[int, Quad]] = []
    while found:
        near = [n for n, frame in enumerate(found) if np.abs(frame - found[0]).max() < 0.8]
        counted.append((len(near), np.mean([found[n] for n in near], axis=0)))
        found = [frame for n, frame in enumerate(found) if n not in near]
    counted.sort(key=lambda pair: -pair[0])
    return [
        np.array([[x, y], [right, y], [right, bottom], [x, bottom]], np.float32)
        for count, ((x, y), (right, bottom)) in counted[:most]
        if count >= 3
    ]


def _masks(picture: Picture) -> Iterator[Picture]:
    """Black and white pictures in which a card may stand out from what is round it."""
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.uint8)
    faint = cv2.Canny(soft, 20, 60)
    strong = cv2.Canny(soft, 40, 120)
    yield _without_specks(np.asarray(faint, np.uint8))
    yield _without_specks(np.asarray(cv2.dilate(strong, np.ones((3, 3), np.uint8)), np.uint8))
    lab = cv2.cvtColor(soft, cv2.COLOR_BGR2LAB)
    yield _without_specks(np.asarray((_apart(lab) > 36).astype(np.uint8) * 255, np.uint8))
    block = max(min(picture.shape[:2]) // 8, 2) | 1
    raised = cv2.adaptiveThreshold(lab[..., 0], 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, -6)
    yield _without_specks(np.asarray(raised, np.uint8))


def _without_specks(mask: Picture) -> Picture:
    """Only what is large enough to be part of a card's outline: a patterned cloth has thousands of specks."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8, ltype=cv2.CV_32S)
    large = stats[:, cv2.CC_STAT_WIDTH] + stats[:, cv2.CC_STAT_HEIGHT] > 1.6 * LEAST_PX
    large[0] = False
    return np.asarray(np.where(large, 255, 0).astype(np.uint8)[labels], np.uint8)


def _apart(lab: NDArray[Any]) -> Picture:
    """How far each pixel's colour is from that of the picture's rim, where usually no card lies."""
    rim = np.concatenate([strip.reshape(-1, 3) for strip in (lab[:6], lab[-6:], lab[:, :6], lab[:, -6:])])
    away = cv2.absdiff(lab, np.array([*np.median(rim, axis=0), 0.0]))
    lightness, one, other = cv2.split(away)
    return np.asarray(cv2.max(lightness, cv2.add(one, other)), np.uint8)


def _quads(mask: Picture, seen: Counter[tuple[int, ...]]) -> Iterator[Quad]:
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        if len(contour) < 3 * LEAST_PX:
            continue
        _, _, wide, tall = cv2.boundingRect(contour)
        if min(wide, tall) < LEAST_PX:
            continue
        hull = cv2.convexHull(contour)
        centre, sides, _ = cv2.minAreaRect(hull)
        area = float(cv2.contourArea(hull))
        if min(sides) < LEAST_PX:
            continue
        full = area >= 0.7 * sides[0] * sides[1] and len(contour) <= 5 * sum(sides)
        quad = None
        if full:
            box = (round(centre[0] / 4), round(centre[1] / 4), round(float(np.sqrt(area)) / 6))
            seen[box] += 1
            if seen[box] > ENOUGH:
                continue
            quad = _four_sides(hull, contour)
        if quad is not None and _card_like(quad):
            yield quad


def _four_sides(hull: NDArray[Any], contour: NDArray[Any]) -> Quad | None:
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
    across = np.array([-along[1], along[0]])
    ways, offs = (points - start) @ along, (points - start) @ across
    near = (ways > 0.15 * length) & (ways < 0.85 * length) & (np.abs(offs) < max(2.0, 0.03 * length))
    ways, offs = ways[near], offs[near]
    if len(ways) < 0.3 * length:
        return None
    for _ in range(2):
        # A straight line through the points, then again through those that lie near it.
        mean_way, mean_off = float(ways.mean()), float(offs.mean())
        spread = float(np.square(ways - mean_way).sum())
        slope = float(((ways - mean_way) * (offs - mean_off)).sum()) / max(spread, 1e-6)
        base = mean_off - slope * mean_way
        close = np.abs(offs - slope * ways - base) < 1.5
        if close.sum() < 0.3 * length:
            break
        ways, offs = ways[close], offs[close]
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


def _card_like(quad: Quad) -> bool:
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    across, along = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    short, long = min(across, along), max(across, along)
    even = min(sides[0] / sides[2], sides[2] / sides[0], sides[1] / sides[3], sides[3] / sides[1])
    return bool(short >= LEAST_PX and ASPECT[0] <= short / long <= ASPECT[1] and even > 0.6)


def _clockwise(quad: Quad) -> Quad:
    """Corners clockwise as seen (y downwards), the first one nearest the top left."""
    (ax, ay), (bx, by) = quad[1] - quad[0], quad[2] - quad[1]
    quad = quad if ax * by - ay * bx > 0 else quad[::-1]
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
