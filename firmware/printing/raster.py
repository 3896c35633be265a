"""Draws a display list in pixels: supersampled, and in bands so that a large mat needs little memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from firmware.printing.fonts import font_file
from firmware.printing.shapes import Drawing, Group, Matrix, Path, Shape, Text, after

Pixels = npt.NDArray[np.uint8]
Outline = npt.NDArray[np.float64]  # points in pixels of the supersampled sheet
Corner = tuple[int, int]

FRACTION_BITS = 4
BAND_ROWS = 4096  # supersampled rows painted at once
CURVE_PIECES = 12


@dataclass(frozen=True, slots=True)
class Area:
    """Outlines to fill with a colour."""

    outlines: tuple[Outline, ...]
    bgr: tuple[int, int, int]
    opacity: float


@dataclass(frozen=True, slots=True)
class Strokes:
    """Outlines to follow with a round pen."""

    outlines: tuple[Outline, ...]
    closed: tuple[bool, ...]
    thickness: int
    bgr: tuple[int, int, int]
    opacity: float


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The coverage of written words and the matrix that brings it to the sheet."""

    coverage: Pixels
    matrix: Matrix
    bgr: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Clipped:
    """Paint that shows only inside the outlines."""

    outlines: tuple[Outline, ...]
    paint: tuple[Paint, ...]


Paint = Area | Strokes | Glyphs | Clipped


def to_pixels(drawing: Drawing, px_per_mm: float, background: str = "#ffffff") -> Pixels:
    """The drawing as BGR pixels, exactly its size in millimetres times `px_per_mm`, rounded."""
    width, height = (max(1, round(mm * px_per_mm)) for mm in drawing.size_mm)
    factor = min(6, max(2, math.ceil(24 / px_per_mm)))
    scale_x, scale_y = width * factor / drawing.size_mm[0], height * factor / drawing.size_mm[1]
    paint = _prepare(drawing.items, (scale_x, 0.0, 0.0, scale_y, 0.0, 0.0))
    extents = [_rows(one) for one in paint]
    image = np.empty((height, width, 3), np.uint8)
    rows = max(1, BAND_ROWS // factor // max(1, width * factor // 4096))
    for top in range(0, height, rows):
        count = min(rows, height - top)
        band: Pixels = np.empty((count * factor, width * factor, 3), np.uint8)
        cv2.rectangle(band, (0, 0), (width * factor, count * factor), bgr(background), cv2.FILLED)
        first, last = top * factor, (top + count) * factor
        met = [one for one, (low, high) in zip(paint, extents, strict=True) if low <= last and high >= first]
        _paint(band, met, (0, first))
        image[top : top + count] = cv2.resize(band, (width, count), interpolation=cv2.INTER_AREA)
    return image


def to_png(pixels: Pixels, px_per_mm: float) -> bytes:
    """BGR pixels as a PNG file that knows its scale, so that it too prints at its true size."""
    file = BytesIO()
    dots_per_inch = px_per_mm * 25.4
    height, width = pixels.shape[:2]
    picture = Image.frombuffer("RGB", (width, height), np.ascontiguousarray(pixels), "raw", "BGR", 0, 1)
    picture.save(file, "PNG", dpi=(dots_per_inch, dots_per_inch))
    return file.getvalue()


def bgr(colour: str) -> tuple[int, int, int]:
    """`#rrggbb` in OpenCV's order."""
    return int(colour[5:7], 16), int(colour[3:5], 16), int(colour[1:3], 16)


def _prepare(items: Sequence[Shape], matrix: Matrix) -> tuple[Paint, ...]:
    paint: list[Paint] = []
    for item in items:
        match item:
            case Path():
                paint.extend(_prepare_path(item, matrix))
            case Text():
                paint.append(_prepare_text(item, matrix))
            case Group(items=inside, matrix=own, clip=clip):
                inner = after(matrix, own)
                prepared = _prepare(inside, inner)
                if clip is None:
                    paint.extend(prepared)
                else:
                    paint.append(Clipped(_outlines(clip, inner)[0], prepared))
    return tuple(paint)


def _prepare_path(item: Path, matrix: Matrix) -> list[Paint]:
    outlines, closed = _outlines(item, matrix)
    paint: list[Paint] = []
    if item.fill is not None:
        paint.append(Area(outlines, bgr(item.fill), item.opacity))
    if item.stroke is not None:
        scale = math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
        thickness = max(1, round(item.pen * scale))
        paint.append(Strokes(outlines, closed, thickness, bgr(item.stroke), item.opacity))
    return paint


def _outlines(item: Path, matrix: Matrix) -> tuple[tuple[Outline, ...], tuple[bool, ...]]:
    a, b, c, d, e, f = matrix
    found: list[list[tuple[float, float]]] = []
    closed: list[bool] = []
    for kind, numbers in item.steps:
        if kind == "M":
            found.append([(numbers[0], numbers[1])])
            closed.append(False)
        elif kind == "L":
            found[-1].append((numbers[0], numbers[1]))
        elif kind == "C":
            found[-1].extend(_curve(found[-1][-1], numbers))
        else:
            closed[-1] = True
    turned = []
    for points in found:
        flat = np.array(points, np.float64)
        turned.append(np.column_stack([a * flat[:, 0] + c * flat[:, 1] + e, b * flat[:, 0] + d * flat[:, 1] + f]))
    return tuple(turned), tuple(closed)


def _curve(start: tuple[float, float], numbers: tuple[float, ...]) -> list[tuple[float, float]]:
    x1, y1, x2, y2, x3, y3 = numbers
    points = []
    for n in range(1, CURVE_PIECES + 1):
        t = n / CURVE_PIECES
        u = 1 - t
        w0, w1, w2, w3 = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
        points.append((w0 * start[0] + w1 * x1 + w2 * x2 + w3 * x3, w0 * start[1] + w1 * y1 + w2 * y2 + w3 * y3))
    return points


def _prepare_text(item: Text, matrix: Matrix) -> Glyphs:
    scale = math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
    size = max(1.0, item.size * scale)
    font = ImageFont.truetype(str(font_file(item.font)), size)
    length = font.getlength(item.words)
    ascent, descent = font.getmetrics()
    picture = Image.new("L", (math.ceil(length) + 4, ascent + descent + 4))
    ImageDraw.Draw(picture).text((2, 2), item.words, font=font, fill=255)
    shift = {"start": 0.0, "middle": length / 2, "end": length}[item.anchor]
    unit = item.size / size
    place: Matrix = (unit, 0.0, 0.0, unit, item.at[0] - unit * (2 + shift), item.at[1] - unit * (2 + ascent))
    return Glyphs(np.asarray(picture, np.uint8), after(matrix, place), bgr(item.fill))


def _rows(paint: Paint) -> tuple[float, float]:
    """The first and the last row that some paint can touch."""
    match paint:
        case Glyphs(matrix=(_, b, _, d, _, f), coverage=coverage):
            rows, columns = coverage.shape
            ends = [x * b + y * d + f for x in (0, columns) for y in (0, rows)]
            return min(ends) - 2, max(ends) + 2
        case Strokes(thickness=thickness):
            margin = thickness + 2
        case _:
            margin = 2
    heights = np.concatenate(paint.outlines)[:, 1]
    return float(heights.min()) - margin, float(heights.max()) + margin


def _paint(sheet: Pixels, paint: Sequence[Paint], origin: Corner) -> None:
    """Paints on a part of the whole, whose first pixel lies at `origin`."""
    for one in paint:
        match one:
            case Area():
                _fill(sheet, one, origin)
            case Strokes():
                _stroke(sheet, one, origin)
            case Glyphs():
                _write(sheet, one, origin)
            case Clipped():
                _paint_clipped(sheet, one, origin)


def _fixed(outline: Outline, origin: Corner) -> npt.NDArray[np.int32]:
    # OpenCV's whole numbers are the centres of pixels, ours their top left corners.
    shifted = (outline - (origin[0] + 0.5, origin[1] + 0.5)) * (1 << FRACTION_BITS)
    return np.round(shifted).astype(np.int32)


def _window(sheet: Pixels, outlines: Sequence[Outline], origin: Corner, margin: int) -> tuple[Pixels, Corner]:
    """The part of the sheet that the outlines can touch, perhaps empty, and where its first pixel lies."""
    points = np.concatenate(outlines)
    low, high = points.min(axis=0) - origin, points.max(axis=0) - origin
    left, top = (max(0, math.floor(value) - margin) for value in low)
    right, bottom = (max(0, math.ceil(value) + margin) for value in high)
    return sheet[top:bottom, left:right], (origin[0] + left, origin[1] + top)


def _fill(sheet: Pixels, area: Area, origin: Corner) -> None:
    upright = len(area.outlines) == 1 and _is_upright(area.outlines[0])
    # OpenCV fills a polygon with its rim, half a pixel too far; what must be exact, as markers must, is upright.
    outlines = [np.round(area.outlines[0])] if upright else area.outlines
    part, corner = _window(sheet, outlines, origin, 0 if upright else 1)
    if part.size == 0:
        return
    target = part if area.opacity >= 1 else part.copy()
    if upright:
        cv2.rectangle(target, (0, 0), (target.shape[1], target.shape[0]), area.bgr, cv2.FILLED)
    else:
        cv2.fillPoly(target, [_fixed(outline, corner) for outline in outlines], area.bgr, shift=FRACTION_BITS)
    _mix(part, target, area.opacity)


def _is_upright(outline: Outline) -> bool:
    """Whether the outline is a rectangle with level and plumb sides."""
    if len(outline) != 4:
        return False
    level = np.abs(np.diff(outline, axis=0, append=outline[:1])) < 1e-6
    return bool((level.sum(axis=1) == 1).all() and (level[0] != level[1]).all())


def _stroke(sheet: Pixels, strokes: Strokes, origin: Corner) -> None:
    part, corner = _window(sheet, strokes.outlines, origin, strokes.thickness + 1)
    if part.size == 0:
        return
    target = part if strokes.opacity >= 1 else part.copy()
    for outline, closed in zip(strokes.outlines, strokes.closed, strict=True):
        points = _fixed(outline, corner)
        cv2.polylines(target, [points], closed, strokes.bgr, strokes.thickness, shift=FRACTION_BITS)
    _mix(part, target, strokes.opacity)


def _mix(below: Pixels, above: Pixels, opacity: float) -> None:
    if above is not below:
        below[:] = cv2.addWeighted(above, opacity, below, 1 - opacity, 0.0)


def _write(sheet: Pixels, glyphs: Glyphs, origin: Corner) -> None:
    a, b, c, d, e, f = glyphs.matrix
    rows, columns = glyphs.coverage.shape
    corners = np.array([(x * a + y * c + e, x * b + y * d + f) for x in (0, columns) for y in (0, rows)])
    part, (left, top) = _window(sheet, [corners], origin, 1)
    if part.size == 0:
        return
    move = np.array([[a, c, e - left], [b, d, f - top]])
    cover = cv2.warpAffine(glyphs.coverage, move, part.shape[1::-1], flags=cv2.INTER_LINEAR)
    share = cover[:, :, None].astype(np.float32) / 255
    part[:] = np.round(part * (1 - share) + np.array(glyphs.bgr, np.float32) * share).astype(np.uint8)


def _paint_clipped(sheet: Pixels, clipped: Clipped, origin: Corner) -> None:
    part, corner = _window(sheet, clipped.outlines, origin, 1)
    if part.size == 0:
        return
    painted = part.copy()
    _paint(painted, clipped.paint, corner)
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillPoly(mask, [_fixed(outline, corner) for outline in clipped.outlines], 255, shift=FRACTION_BITS)
    cv2.copyTo(painted, mask, part)
