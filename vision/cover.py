"""What lies over the table that is neither mat nor card: hands, sleeves, cups, phones.

A pixel is the mat's if it has the mat's tint and about the brightness that the mat has around there; it is explained
if a card or tile that was read lies there. What is left, in one large piece, covers the places below it. A hand comes
from outside; skin is only a hint, so that gloves and sleeves of any colour count alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.frame import Array, Picture
from vision.layout import Layout, Size
from vision.quality import Fault

Floats = NDArray[np.float32]
Mask = NDArray[np.uint8]

CELL_MM = 4.0
_TINT = 0.07  # log ratios to green, beside the mat's
_SHADE, _SHINE = 0.30, 1.45  # darkest and brightest that the mat is in shade and light, of its usual tone there
_PALE, _SHARP = 1.2, 0.1  # cloth that is paler than the mat, and the step of tone that tells it from a soft gleam
_BIN = 0.03  # of tints that count as one
_LEAST_MM2 = 900.0  # smaller pieces are rims of cards
_WHOLE = 0.7  # of a card's size: a straight piece that large is a card, whatever its tint
_NEAR_MM = 6.0  # a card's rim and its shadow belong to the card


@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """Pieces of something over the table, as masks of CELL_MM cells, all cells that have not the mat's tint, and those
    that what was read takes up with its rim."""

    hands: Mask
    objects: Mask
    tinted: Mask
    known: Mask

    def share(self, polygon_mm: ArrayLike) -> tuple[float, Fault | None]:
        """How much of a place is covered, and by what."""
        place = drawn(self.hands.shape, [np.asarray(polygon_mm, dtype=np.float64)])
        area = max(1, int(place.sum()))
        by_hand, by_object = (float((place & mask).sum()) / area for mask in (self.hands, self.objects))
        if by_hand == by_object == 0.0:
            return 0.0, None
        return max(by_hand, by_object), Fault.HAND if by_hand >= by_object else Fault.OBJECT


NOTHING = Cover(*[np.zeros((1, 1), np.uint8)] * 4)


def find_cover(table_bgr: Picture, layout: Layout, explained_mm: Iterable[ArrayLike] = ()) -> Cover:
    """The cover of a table seen from straight above, given the outlines of what was read on it."""
    columns, rows = (round(side / CELL_MM) for side in layout.size_mm)
    small = cv2.resize(table_bgr, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.float32) + 10.0
    tint = np.log(small[..., (0, 2)] / small[..., 1:2])
    tone = np.log(small.mean(axis=2))
    known = drawn((rows, columns), [np.asarray(outline, dtype=np.float64) for outline in explained_mm], _NEAR_MM)
    known |= drawn((rows, columns), [_square(marker.centre_mm, marker.size_mm) for marker in layout.markers], 8.0)
    ground = _ground_tint(tint, tone, known)
    off = np.abs(tint - ground).max(axis=2)
    usual = _usual_tone(tone, (off < _TINT) & (known == 0))
    foreign = (off > _TINT) | (tone < usual + np.log(_SHADE)) | (tone > usual + np.log(_SHINE))
    foreign |= _pale_cloth(tone, usual, known)
    left = (foreign & (known == 0)).astype(np.uint8)
    left = cast(Mask, cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
    hands, objects = _sorted(left, tint - ground, layout.card_mm)
    return Cover(hands, objects, (off > _TINT).astype(np.uint8), known)


def _ground_tint(tint: Floats, tone: Floats, known: Mask) -> Floats:
    """The tint of the mat: the commonest among cells that are as their neighbours are."""
    rough = np.abs(tone - cv2.blur(tone, (3, 3)))
    quiet = (rough < np.quantile(rough, 0.5)) & (known == 0)
    cells = tint[quiet] if quiet.sum() >= 20 else tint.reshape(-1, 2)
    steps = np.clip(np.round(cells / _BIN) + 50, 0, 100).astype(int)
    commonest = int(np.bincount(steps[:, 0] * 101 + steps[:, 1]).argmax())
    centre = (np.array(divmod(commonest, 101)) - 50) * _BIN
    near = np.abs(cells - centre).max(axis=1) < 1.5 * _BIN
    return cast(Floats, np.median(cells[near], axis=0))


def _usual_tone(tone: Floats, mat: NDArray[np.bool_]) -> Floats:
    """How bright the mat is everywhere: a smooth surface through what is surely mat."""
    rows, columns = tone.shape
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
    surface = np.full_like(tone, np.median(tone[mat]) if mat.any() else np.median(tone))
    coarse = (slice(None, None, 3), slice(None, None, 3))
    for _ in range(3):
        keep = mat[coarse] & (np.abs(tone - surface)[coarse] < 0.6)
        if keep.sum() < 30:
            break
        weights, *_ = np.linalg.lstsq(terms[coarse][keep], tone[coarse][keep], rcond=None)
        surface = (terms @ weights).astype(np.float32)
    return surface


def _pale_cloth(tone: Floats, usual: Floats, known: Mask) -> NDArray[np.bool_]:
    """Pieces paler than the mat with a sharp outline; a gleam of a lamp is as pale but fades."""
    cross = np.ones((3, 3), np.uint8)
    pale = ((tone > usual + np.log(_PALE)) & (known == 0)).astype(np.uint8)
    sharp = cv2.morphologyEx(tone, cv2.MORPH_GRADIENT, cross) > _SHARP
    outline = (cv2.dilate(pale, cross) - pale > 0) & (cv2.dilate(known, cross) == 0)
    count, labels = cv2.connectedComponents(pale, connectivity=8)
    around = cv2.dilate(labels.astype(np.float32), cross).astype(np.intp)
    rim = np.bincount(around[outline], minlength=count)
    sharp_rim = np.bincount(around[outline & sharp], minlength=count)
    is_cloth = sharp_rim > 0.6 * np.maximum(rim, 8)
    is_cloth[0] = False
    return is_cloth[labels]


def _sorted(left: Mask, tint: Floats, card_mm: Size) -> tuple[Mask, Mask]:
    """Pieces told apart: what reaches in from outside or has the tint of skin is a hand; cards nobody could read and
    scraps are neither."""
    hands, objects = np.zeros_like(left), np.zeros_like(left)
    skin = (tint[..., 1] > 0.10) & (tint[..., 0] < -0.03)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(left, connectivity=8)
    rows, columns = left.shape
    for piece in range(1, count):
        x, y, width, height, area = (int(value) for value in stats[piece])
        if area * CELL_MM**2 < _LEAST_MM2:
            continue
        mask = labels == piece
        reaches_in = x <= 1 or y <= 1 or x + width >= columns - 1 or y + height >= rows - 1
        comes_in = reaches_in and area * CELL_MM**2 > 2 * _LEAST_MM2
        is_card = _is_card(mask, card_mm)
        is_whole = is_card and area * CELL_MM**2 > _WHOLE * card_mm[0] * card_mm[1]
        if comes_in or (skin[mask].mean() > 0.5 and not is_whole):  # cards of other games may have the tint of skin
            hands[mask] = 1
        elif not is_card:
            objects[mask] = 1
    return hands, objects


def _is_card(mask: NDArray[np.bool_], card_mm: Size) -> bool:
    """A piece as large and as straight as a card."""
    points = np.argwhere(mask)[:, ::-1].astype(np.float32)
    _, size, _ = cv2.minAreaRect(points)
    short, long = sorted((side + 1) * CELL_MM for side in size)
    straight = (cv2.contourArea(cv2.convexHull(points)) + len(points) ** 0.5) / max(size[0] * size[1], 1.0)
    return straight > 0.86 and short < 1.25 * min(card_mm) and long < 1.25 * max(card_mm)


def _square(centre: tuple[float, float], size_mm: float) -> Array:
    return np.asarray(centre) + size_mm / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])


def drawn(shape: tuple[int, ...], outlines_mm: Iterable[Array], wider_mm: float = 0.0) -> Mask:
    """The cells within some outlines, each a little wider."""
    mask = np.zeros(shape[:2], np.uint8)
    for outline in outlines_mm:
        middle = outline.mean(axis=0)
        away = outline - middle
        grown = middle + away * (1 + wider_mm / max(float(np.linalg.norm(away, axis=1).mean()), 1.0))
        cv2.fillConvexPoly(mask, np.round(grown / CELL_MM - 0.5).astype(np.int32), 1)
    return mask
