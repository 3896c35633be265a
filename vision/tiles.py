"""Where each tile lies: at which of its places its picture is seen, and whether the others show the bare mat.

Knows the tiles' pictures (or, for a deck without them, only that something as large as a tile lies there). A tile is
named where its picture is found, and missing only where the mat itself is seen at all of its places: whatever hides a
place hides the answer. Knows no rule about where a tile ought to be.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import PackedMap, Picture, packed, sample_packed
from vision.layout import Layout, Point, Size
from vision.observation import TileReading, Why
from vision.rectify import Rectifier

Floats = NDArray[np.float32]

_REACH_MM = 9.0  # how far off its place a tile may lie
_INSET_MM = 3.0  # the rim of a picture is not compared: prints are cut differently
_TURNS = (0.0, -6.0, 6.0)
_FINE_TURN = 1.5
_COARSE, _FINE = 0.5, 1.0  # pixels a millimetre
_SHADE_MM = 15.0  # light that changes over more than this is shade
_MAYBE, _SEEN, _PART_SEEN, _SURE = 0.3, 0.52, 0.62, 0.8
_CLEAR = 0.12  # by how much the best place must beat the others
_BLOCKS = (4, 2)
_QUIET, _TINT = 0.035, 0.045  # the most texture and tint of a block that may still be the bare mat
_ALL_BARE, _MOSTLY_BARE, _HARDLY_BARE = 8, 5, 2  # of eight blocks


@dataclass(frozen=True, slots=True, order=True)
class _Hit:
    score: float
    offset_mm: Point = (0.0, 0.0)
    turn: float = 0.0


class TileReader:
    """Reads the tiles of one layout with the pictures of one deck."""

    def __init__(self, layout: Layout, tiles_bgr: Mapping[str, Picture]) -> None:
        self._layout = layout
        self._size: Size = (layout.tile_mm[0] + 2 * _REACH_MM, layout.tile_mm[1] + 2 * _REACH_MM)
        self._places = [(tile.code, name, at) for tile in layout.tiles for name, at in tile.spots]
        self._flat = {code: _flat(image, layout.tile_mm) for code, image in tiles_bgr.items()}
        self._template = lru_cache(maxsize=1024)(self._templated)
        self._maps = lru_cache(maxsize=2)(self._map)

    def read(
        self,
        frame_bgr: Picture,
        rectifier: Rectifier,
        held: Collection[tuple[str, str]] = (),
        only: Collection[str] | None = None,
    ) -> dict[str, TileReading]:
        """Every tile, or `only` some. `held` are the places (tile, spot) that a hand or an object covers."""
        if only is not None and not any(tile.code in only for tile in self._layout.tiles):
            return {}
        patches = self._patches(frame_bgr, rectifier)
        bare = _bare_blocks(patches, self._layout.tile_mm)
        readings = {}
        for tile in self._layout.tiles:
            if only is not None and tile.code not in only:
                continue
            mine = {name: n for n, (code, name, _) in enumerate(self._places) if code == tile.code}
            covered = {name for name in mine if (tile.code, name) in held}
            blocks = {name: _bareness(bare[n]) for name, n in mine.items()}
            hits = self._hits(tile.code, {name: patches[n] for name, n in mine.items()}, blocks)
            at, why, confidence, margin = _decided(hits, blocks, covered, bool(self._flat))
            corners: tuple[Point, ...] = ()
            if at is not None and at != "missing":
                corners = self._corners(rectifier, dict(tile.spots)[at], hits[at])
            readings[tile.code] = TileReading(at, why, confidence, margin, corners)
        return readings

    def _hits(self, code: str, patches: Mapping[str, Floats], bare: Mapping[str, int]) -> dict[str, _Hit]:
        """How well each place shows this tile; another tile's picture counts where its own is nowhere."""
        if not self._flat:
            return {name: _Hit(0.0) for name in patches}
        looked = {name: _evened(patch) for name, patch in patches.items() if bare[name] < _ALL_BARE}
        hits = {name: self._hit(code, patch) for name, patch in looked.items()}
        if looked and max(hit.score for hit in hits.values()) < _SEEN:
            for name, patch in looked.items():
                if bare[name] < _HARDLY_BARE:
                    others = [self._hit(other, patch) for other in self._flat if other != code]
                    hits[name] = max(hits[name], *others)
        return {name: hits.get(name, _Hit(0.0)) for name in patches}

    def _hit(self, code: str, patch: Floats) -> _Hit:
        """The tile's picture in a patch: first roughly, either way up, then closely."""
        if code not in self._flat:
            return _Hit(0.0)
        small = cv2.resize(patch, None, fx=_COARSE / _FINE, fy=_COARSE / _FINE, interpolation=cv2.INTER_AREA)
        rough = _Hit(-1.0)
        for turn in (half + turn for half in (0.0, 180.0) for turn in _TURNS):
            rough = max(rough, _matched(cast(Floats, small), self._template(code, turn, _COARSE), turn, _COARSE))
            if rough.score > _SURE:
                break
        if rough.score < _MAYBE:
            return rough
        best = _Hit(-1.0)
        for turn in (rough.turn + step * _FINE_TURN for step in (0, -2, 2, -1, 1, -3, 3)):
            best = max(best, _matched(patch, self._template(code, turn, _FINE), turn))
            if best.score > _SURE:
                break
        return best if best.score >= _SEEN else max(best, self._part(code, patch, best))

    def _part(self, code: str, patch: Floats, whole: _Hit) -> _Hit:
        """A half of the tile seen well: the other may lie under a card or a hand."""
        template = self._template(code, whole.turn, _FINE)
        height, width = template.shape
        halves = (
            template[: height // 2 + 2],
            template[height // 2 - 2 :],
            template[:, : width // 2],
            template[:, width // 2 :],
        )
        best = max(_matched(patch, half, whole.turn) for half in halves)
        # A half must fit better than a whole to count as much.
        return _Hit(best.score - (_PART_SEEN - _SEEN), whole.offset_mm, whole.turn)

    def _templated(self, code: str, turn: float, px_per_mm: float) -> Floats:
        """A tile's picture turned clockwise, evened, without its rim."""
        flat = self._flat[code]
        width, height = (round(side * px_per_mm) for side in self._layout.tile_mm)
        middle = ((flat.shape[1] - 1) / 2, (flat.shape[0] - 1) / 2)
        move = cv2.getRotationMatrix2D(middle, -turn, px_per_mm / (2 * _FINE))
        move[:, 2] += np.array([(width - 1) / 2 - middle[0], (height - 1) / 2 - middle[1]])
        turned = cv2.warpAffine(flat, move, (width, height), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
        rim = round(_INSET_MM * px_per_mm)
        return np.ascontiguousarray(_evened(cast(Floats, turned), px_per_mm)[rim:-rim, rim:-rim])

    def _corners(self, rectifier: Rectifier, at: Point, hit: _Hit) -> tuple[Point, ...]:
        half = np.array(self._layout.tile_mm) / 2
        turn = np.radians(hit.turn)
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ spin.T + at + np.array(hit.offset_mm)
        return tuple((float(x), float(y)) for x, y in rectifier.to_px(corners))

    def _patches(self, frame_bgr: Picture, rectifier: Rectifier) -> Floats:
        """All places at _FINE pixels a millimetre."""
        width, height = (round(side * _FINE) for side in self._size)
        tall = sample_packed(frame_bgr, self._maps(rectifier))
        small = cv2.resize(tall, (width, height * len(self._places)), interpolation=cv2.INTER_AREA)
        return small.reshape(len(self._places), height, width, 3).astype(np.float32)

    def _map(self, rectifier: Rectifier) -> PackedMap:
        middle = (self._layout.size_mm[0] / 2, self._layout.size_mm[1] / 2)
        finer = max(1, round(rectifier.px_per_mm(middle) / _FINE))
        width, height = (round(side * _FINE) / _FINE for side in self._size)
        maps = [rectifier.pixel_map(at, (width, height), 0.0, _FINE * finer) for _, _, at in self._places]
        return packed(np.concatenate(maps))


def _decided(
    hits: Mapping[str, _Hit], bare: Mapping[str, int], covered: Collection[str], has_pictures: bool
) -> tuple[str | None, Why | None, float, float]:
    """Where the tile is, why that is not certain, and by which score and margin."""
    ranked = sorted(hits, key=lambda name: -hits[name].score)
    best, second = ranked[0], ranked[1]
    score, margin = hits[best].score, hits[best].score - max(0.0, hits[second].score)
    absent = [name for name in hits if bare[name] >= _MOSTLY_BARE and name not in covered]
    if has_pictures and score >= _SEEN:
        if margin < _CLEAR:
            return None, Why.ALIKE, score, margin
        return best, None, score, margin
    if len(absent) == len(hits):
        quiet = min(bare.values()) / (_BLOCKS[0] * _BLOCKS[1])
        return "missing", None, quiet, quiet - score
    hidden = [name for name in hits if name not in absent]
    if not has_pictures and len(hidden) == 1 and not covered and bare[hidden[0]] < _HARDLY_BARE:
        return hidden[0], None, 0.5, 0.5
    return None, Why.HAND if covered else Why.COVERED if has_pictures else Why.UNCERTAIN, score, margin


def _matched(patch: Floats, template: Floats, turn: float, px_per_mm: float = _FINE) -> _Hit:
    scores = cv2.matchTemplate(patch, template, cv2.TM_CCOEFF_NORMED)
    _, score, _, (x, y) = cv2.minMaxLoc(scores)
    offset = ((x - (scores.shape[1] - 1) / 2) / px_per_mm, (y - (scores.shape[0] - 1) / 2) / px_per_mm)
    return _Hit(float(score), offset, turn)


def _evened(patch_bgr: Floats, px_per_mm: float = _FINE) -> Floats:
    """Grey without shade: each point relative to the tone and the contrast around it."""
    grey = cv2.cvtColor(patch_bgr, cv2.COLOR_BGR2GRAY) if patch_bgr.ndim == 3 else patch_bgr
    window = (round(_SHADE_MM * px_per_mm) // 2 * 2 + 1,) * 2
    above = grey - cv2.blur(grey, window)
    contrast = cv2.blur(above * above, window)
    return cast(Floats, above / np.sqrt(contrast + 9.0))


def _flat(image_bgr: Picture, size_mm: Size) -> Floats:
    """A tile's picture in grey, twice as fine as it is compared, as soft as a camera shows it."""
    width, height = (round(side * 2 * _FINE) for side in size_mm)
    small = cv2.resize(image_bgr, (width, height), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return cast(Floats, cv2.GaussianBlur(grey, (0, 0), 1.2 * _FINE))


def _bare_blocks(patches: Floats, size_mm: Size) -> NDArray[np.bool_]:
    """For each place, which blocks of it show the bare mat: quiet, and of the tint that most quiet blocks have."""
    columns, rows = _BLOCKS
    width, height = (round(side * _FINE) // count for side, count in zip(size_mm, _BLOCKS, strict=True))
    used = (rows * height, columns * width)
    top, left = ((side - count) // 2 for side, count in zip(patches.shape[1:3], used, strict=True))
    inner = patches[:, top : top + rows * height, left : left + columns * width]
    grey = cv2.cvtColor(inner.reshape(-1, inner.shape[2], 3), cv2.COLOR_BGR2GRAY).reshape(inner.shape[:3])
    soft = np.stack([cv2.blur(picture, (9, 9)) for picture in grey])
    texture = _averaged(np.abs(grey - soft), width, height)[..., 0]
    colour = _averaged(inner, width, height) + 4.0
    texture = texture / colour.mean(axis=2)
    # The mat is as quiet everywhere; how quiet depends on the light and the camera's noise.
    quiet = texture < min(_QUIET, 1.7 * float(np.quantile(texture, 0.3)) + 0.003)
    tint = np.log(colour[..., (0, 2)] / colour[..., 1:2])
    if quiet.sum() < 4:
        return np.zeros_like(quiet)
    usual = np.median(tint[quiet], axis=0)
    return cast(NDArray[np.bool_], quiet & (np.abs(tint - usual).max(axis=2) < _TINT))


def _bareness(blocks: NDArray[np.bool_]) -> int:
    """How many blocks of a place are bare; all of one row are as good as most: no tile lies so far off its place, and a
    fourth card reaches over the other row."""
    rows = blocks.reshape(_BLOCKS[::-1]).all(axis=1)
    return max(int(blocks.sum()), _MOSTLY_BARE if rows.any() else 0)


def _averaged(pictures: Floats, width: int, height: int) -> Floats:
    """The mean of each block, one picture a row."""
    count, tall, wide = pictures.shape[:3]
    size = (wide // width, count * tall // height)
    small = cv2.resize(pictures.reshape(count * tall, wide, -1), size, interpolation=cv2.INTER_AREA)
    return cast(Floats, small.reshape(count, -1, pictures.shape[3] if pictures.ndim == 4 else 1))
