"""Which face explains what shows of a card, and whether each part of it belongs to that face.

A face seen in some light is its colours times a gain that may grow across the card, plus a veil, for each channel. The
face that leaves the least unexplained, once seen in that light, is the card's. Then every spot of the card is asked by
itself: is it nearer to what another enrolled face shows there (the index of one card, the pips of another), and does it
show anything that the named face does not? A card that nobody enrolled shares most of its drawing with one that was,
but never all of its spots. Knows faces and pixels; needs no family of drawings.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import FACE_PX_PER_MM, Deck
from vision.frame import sample
from vision.match import Floats, Templates, colours_of

PX_PER_MM = 1.5  # of faces compared
SOFT_MM = 0.45  # neither lens nor camera shows colours finer than this
RIM_MM = 2.0  # within the cut: what was softened with the ground beside the card tells nothing
SPOT_MM = 6.0  # about the size of an index
SPARSE = 2  # of the points compared, every so manyth row and column tells faces apart
PLAIN = 2.0  # times what is just told apart: a spot that tells two faces apart by itself
TELLING = 0.07  # faces that differ by less than this in a spot, of 1, are not told apart there
STIFF = 0.03  # how little the light changes across a card
VEIL = 0.10  # how little of it is reflected by a shining surface
LIKENESS = 0.8  # share of a card that its face must explain to be looked at closely
CANDIDATES, NEARLY = 5, 0.06  # faces tried in their own light: those about as alike as the likest
DETAIL_PX_PER_MM = 2.0
NOISE = 0.045  # what a camera adds to a spot, of 1
SLACK_MM = 0.16  # how far a detail may lie from where its face has it
CONTRAST = 0.12  # share by which ink may be stronger or paler than enrolled
STRANGE, STRANGE_IF_BUSY = 2.7, 3.9  # how much more than usual a spot may show that its face does not
PLAIN_STEEP, BUSY = 0.03, 0.5  # a face is busy if this share of it is steeper than that, per millimetre
TELLING_TINT = 0.06  # cards of one drawing that differ by more than this in a spot are told apart by its colour
TINT, TINT_OF_OWN = 0.26, 0.9  # greatest difference of colour of any spot, and beside the colour that tells cards apart
OTHER_COLOUR, STRAYED = 0.45, 0.42  # angle between two colours of a deck, and how far from one to the other is too far
PALE = 0.05  # a spot with less colour than this has none
LEVEL_MM, LEVEL = 13.0, 0.02  # light is evened over this far, and only where there is enough to tell it from
CONTRASTS, VEILS = (0.7, 1.4), (-0.08, 0.25)
BOW_MM, BOWED_MM = 9.0, 0.6  # how far a part of a card as large as this may be shifted
SOFTER_MM = (0.0, 0.35, 0.6, 0.9, 1.3)  # than the faces as they are compared
BLURS_MM = (0.25, 0.4, 0.6, 0.85, 1.15)


@dataclass(frozen=True, slots=True)
class Explanation:
    """The face that explains a card best. `likeness` is the share of the card explained; `margin` is 1 when it is
    exactly this face and 0 half-way to `rival`, `spot` the same for the one spot that is nearest to another face;
    `strange` is what the worst spot shows beyond its face, and `tint` how far the worst spot's colour is off, both 1
    where no card of the deck would be so. `told` is at least 1 if some spot that
    can be seen sets the face apart from every other one."""

    face: int
    rival: int
    likeness: float
    margin: float
    spot: float
    strange: float
    tint: float
    told: float = 0.0


class Explainer:
    """Explains cards with the faces of one deck."""

    def __init__(self, deck: Deck) -> None:
        templates = Templates.of(deck, PX_PER_MM)
        self._deck, self._t = deck, templates
        self.size = templates.size
        self._mask = _within(templates.grid_mm, deck.card_mm, RIM_MM)
        self._faces = np.stack([self._softened(face) for face in colours_of(deck, PX_PER_MM)])
        self._bare = _bare(self._faces * self._mask[:, None])
        self._softer = lru_cache(maxsize=len(SOFTER_MM))(self._blurred)
        self._place = (templates.grid_mm / np.abs(templates.grid_mm).max(axis=0)).astype(np.float32)
        self._detailed = lru_cache(maxsize=48)(self._drawn)
        self._detail_size = tuple(round(side * DETAIL_PX_PER_MM) for side in deck.card_mm)

    def explain(self, patch: Floats, free: Floats | None = None) -> Explanation:
        """The face of a patch (points × 3, 0 to 1) of `size`, of which `free` shows."""
        seen = self._softened(patch)
        mask = self._mask if free is None else self._mask * free
        alike = self._alike(seen, None if free is None else mask)
        likest = [face for face in np.argsort(-alike)[:CANDIDATES] if alike[face] > alike.max() - NEARLY]
        best, light, error = -1, np.zeros((4, 3), np.float32), np.inf
        for face in likest:
            tried = self._light(seen, self._faces[face], mask)
            left = (seen - self._lit(self._faces[face], tried)) * mask[:, None]
            if (missed := float(np.square(left).sum())) < error:
                best, light, error = int(face), tried, missed
        about = (seen - (seen * mask[:, None]).sum(axis=0) / mask.sum()) * mask[:, None]
        likeness = float(np.sqrt(max(1 - error / max(float(np.square(about).sum()), 1e-6), 0.0)))
        if likeness < LIKENESS:
            return Explanation(best, best, likeness, margin=-1.0, spot=-np.inf, strange=np.inf, tint=np.inf)
        own = self._faces[best]
        width, height = self._t.size
        shape = (height, width, 3)
        plain = _laid_over(
            self._unlit(seen, light).reshape(shape), own.reshape(shape), mask.reshape(shape[:2]), self._t.px_per_mm
        )
        faces = self._softer(self._softness(plain, own.reshape(shape), mask.reshape(shape[:2])))
        own = faces[:, :, best]
        some = _sparse(mask.reshape(shape[:2]))
        off = (_sparse(plain) - own) * some[:, None]
        # Between the named face and every other one, point by point: how far they are apart, and how far the card is
        # on the way from the one to the other.
        apart = (own[:, :, None] - faces) * some[:, None, None]
        energy = np.einsum("pcn,pcn->pn", apart, apart)
        shared = np.einsum("pcn,pc->pn", apart, off)
        shares = 1 + shared.sum(axis=0) / np.maximum(energy.sum(axis=0), 1e-6)
        shares[best] = np.inf
        rival = int(shares.argmin())
        spot, told = self._spots(shared, energy, best)
        return Explanation(
            face=best,
            rival=rival,
            likeness=likeness,
            margin=float(2 * shares[rival] - 1) if len(shares) > 1 else 1.0,
            spot=spot,
            strange=0.0,
            tint=0.0,
            told=told,
        )

    def _alike(self, seen: Floats, mask: Floats | None) -> Floats:
        """Correlation of every face with a patch, over what a mask shows of it."""
        if mask is None:
            return np.asarray(self._bare @ _bare((seen * self._mask[:, None])[None])[0])
        few = np.flatnonzero(mask > 0)[::3]
        return np.asarray(_bare(self._faces[:, few]) @ _bare(seen[None, few])[0])

    def _softness(self, plain: Floats, own: Floats, mask: Floats) -> float:
        """How much softer than its face a card looks."""
        left = [
            float((_summed(np.square(plain - _soft(own, more * self._t.px_per_mm))) * mask).sum()) for more in SOFTER_MM
        ]
        return SOFTER_MM[int(np.argmin(left))]

    def _blurred(self, softer_mm: float) -> Floats:
        """All faces that much softer: sparse points × channels × faces."""
        width, height = self._t.size
        faces = (_soft(face.reshape(height, width, 3), softer_mm * self._t.px_per_mm) for face in self._faces)
        return np.ascontiguousarray(np.stack([_sparse(face) for face in faces], axis=-1))

    def _spots(self, shared: Floats, energy: Floats, best: int) -> tuple[float, float]:
        """The least share, as a margin, of any spot against any face that shows something else there; and how plainly
        some spot tells the best face from the one that is told least."""
        columns = -(-self._t.size[0] // SPARSE)
        side = round(SPOT_MM * self._t.px_per_mm / SPARSE) | 1
        shared, energy = (_boxed(values.reshape(-1, columns, values.shape[1]), side) for values in (shared, energy))
        least = 3 * (TELLING * side) ** 2
        share = np.where(energy > least, 1 + shared / np.maximum(energy, 1e-6), 1.0)
        plainest = energy.max(axis=(0, 1)) / (PLAIN * least)
        plainest[best] = np.inf
        return float(2 * share.min() - 1), float(plainest.min())

    def detail(self, patch: Floats, face: int, free: Floats | None = None) -> tuple[float, float]:
        """How strange the worst spot of a patch at DETAIL_PX_PER_MM, of which `free` shows, is beside a face, and how
        far its colour is off."""
        width, height = self._detail_size
        picture = np.ascontiguousarray(patch.reshape(height, width, 3), np.float32)
        grid = _grid((width, height))
        mask = _within(grid * self._deck.card_mm, self._deck.card_mm, RIM_MM)
        mask = mask if free is None else mask * free
        own = self._detailed(face, BLURS_MM[1])
        light = _fitted(picture.reshape(-1, 3), own.reshape(-1, 3), grid * 2, mask)
        plain = _without(picture.reshape(-1, 3), light, grid * 2).reshape(height, width, 3)
        open_ = mask.reshape(height, width)
        least = np.inf
        for blur in BLURS_MM:
            softer = self._detailed(face, blur)
            left = float((_summed(np.square(plain - softer)) * open_).sum())
            if left > least:
                break
            least, own = left, softer
        return self._strangeness(_laid_over(plain, own, open_, DETAIL_PX_PER_MM), own, open_, face)

    def _strangeness(self, plain: Floats, own: Floats, mask: Floats, face: int) -> tuple[float, float]:
        side = round(SPOT_MM * 0.7 * DETAIL_PX_PER_MM)
        weights = _boxed(mask, side) + 1e-3
        ink, drawn = (_mean(colours) for colours in (plain, own))
        dx, dy = cv2.Sobel(drawn, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(drawn, cv2.CV_32F, 0, 1, scale=1 / 8)
        steep = np.asarray((np.square(dx) + np.square(dy)) * DETAIL_PX_PER_MM**2, np.float32)
        mean = _boxed(drawn * mask, side) / weights
        varied = np.maximum(_boxed(np.square(drawn) * mask, side) / weights - np.square(mean), 0)
        left = _boxed(np.square(ink - drawn) * mask, side) / weights
        usual = NOISE**2 + SLACK_MM**2 * _boxed(steep * mask, side) / weights + CONTRAST**2 * varied
        whole = weights > 0.6 * side**2
        strange = float(np.sqrt((left / usual)[whole].max())) if whole.any() else np.inf
        limit = STRANGE if float((steep > PLAIN_STEEP**2).mean()) < BUSY else STRANGE_IF_BUSY
        seen, meant = (_colour(colours, mask, side) / weights[..., None] for colours in (plain, own))
        off = np.linalg.norm(seen - meant, axis=2)
        tint = off / TINT
        # Where cards of the same drawing differ in colour, the colour must be this card's, be it ever so pale.
        others = [other for other in self._members(face) if other != face]
        if others:
            alike = [_colour(self._detailed(other, BLURS_MM[1]), mask, side) / weights[..., None] for other in others]
            telling = np.median([np.linalg.norm(other - meant, axis=2) for other in alike], axis=0) > TELLING_TINT
            nearest = off / (TINT_OF_OWN * (PALE + np.linalg.norm(meant, axis=2)))
            tint = np.where(telling, np.maximum(tint, nearest), tint)
            tint = np.maximum(tint, self._strayed(seen, meant, telling & whole, face))
        return strange / limit, float(tint[whole].max()) if whole.any() else np.inf

    def _strayed(self, seen: Floats, meant: Floats, telling: NDArray[np.bool_], face: int) -> float:
        """How far the colour that tells cards apart is on its way to another colour of the deck: the yellow card that
        nobody enrolled is as yellow as those that somebody did."""
        if not telling.any():
            return 0.0
        own, shown = (colours[telling].mean(axis=0) for colours in (meant, seen))
        if np.linalg.norm(own) < PALE:
            return 0.0  # black, grey and white have no colour to stray from
        turned = _angle(own, shown)
        where = cv2.resize(telling.astype(np.float32), self._t.size, interpolation=cv2.INTER_AREA).ravel()
        hues = _hue(np.einsum("p,npc->nc", where / where.sum(), self._faces))
        known = hues[(np.array(self._deck.alike) != self._deck.alike[face]) & (np.linalg.norm(hues, axis=1) > PALE)]
        ways = [turned / (turned + _angle(hue, shown) + 1e-6) for hue in known if _angle(own, hue) > OTHER_COLOUR]
        return max(ways, default=0.0) / STRAYED

    def _members(self, face: int) -> list[int]:
        family = self._deck.alike[face]
        return [n for n, other in enumerate(self._deck.alike) if other == family]

    def _drawn(self, face: int, blur_mm: float) -> Floats:
        soft = cv2.GaussianBlur(self._deck.faces_bgr[face], (0, 0), blur_mm * FACE_PX_PER_MM)
        small = cv2.resize(soft, self._detail_size, interpolation=cv2.INTER_LINEAR)
        return np.asarray(small, np.float32) / np.float32(255)

    def _softened(self, colours: Floats) -> Floats:
        width, height = self._t.size
        picture = np.ascontiguousarray(colours, np.float32).reshape(height, width, 3)
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), SOFT_MM * self._t.px_per_mm), np.float32).reshape(-1, 3)

    def _light(self, seen: Floats, face: Floats, mask: Floats) -> Floats:
        return _fitted(seen, face, self._place, mask)

    def _lit(self, face: Floats, light: Floats) -> Floats:
        gain = light[0] + self._place[:, :1] * light[1] + self._place[:, 1:] * light[2]
        return np.asarray(face * gain + light[3], np.float32)

    def _unlit(self, seen: Floats, light: Floats) -> Floats:
        return _without(seen, light, self._place)


def _fitted(seen: Floats, face: Floats, place: Floats, mask: Floats) -> Floats:
    """The light (gain, its growth across and along, veil; by channel) in which a face looks most like a patch."""
    few = slice(None, None, max(len(seen) // 900, 1))
    seen, face, place, mask = seen[few], face[few], place[few], mask[few]
    count = float(mask.sum())
    stiff = count * np.diag([1e-4, STIFF, STIFF, VEIL])
    weights = mask
    basis = np.stack([face, face * place[:, :1], face * place[:, 1:], np.ones_like(face)]).transpose(2, 0, 1)
    for _ in range(2):
        weighted = basis * weights  # channels × terms × points
        normal = weighted @ basis.transpose(0, 2, 1) + stiff
        light = np.linalg.solve(normal, weighted @ seen.T[:, :, None])[..., 0].T.astype(np.float32)
        gain = light[0] + place[:, :1] * light[1] + place[:, 1:] * light[2]
        left = np.square(seen - face * gain - light[3]).sum(axis=1)
        usual = float((left * mask).sum()) / max(count, 1.0) + 1e-4
        weights = mask / (1 + left / usual)
    return light


def _without(seen: Floats, light: Floats, place: Floats) -> Floats:
    gain = light[0] + place[:, :1] * light[1] + place[:, 1:] * light[2]
    return np.asarray((seen - light[3]) / np.maximum(gain, 0.08), np.float32)


def _laid_over(plain: Floats, own: Floats, mask: Floats, px_per_mm: float) -> Floats:
    """A card in its face's light brought nearer to the face where light and paper are not even: a shadow's edge, a
    sheen, a card that is bowed. What is drawn there stays what it is."""
    side = round(LEVEL_MM * px_per_mm)
    count = 3 * _boxed(mask, side) + 1e-3
    summed = [_boxed(_summed(values) * mask, side) for values in (own, plain, own * own, own * plain)]
    mean_o, mean_p, mean_oo, mean_op = (values / count for values in summed)
    contrast = np.clip((mean_op - mean_o * mean_p + LEVEL) / (mean_oo - mean_o**2 + LEVEL), *CONTRASTS)
    veil = np.clip(mean_p - contrast * mean_o, *VEILS)
    plain = (plain - veil[..., None]) / contrast[..., None]
    ink, face = _mean(plain), _mean(own)
    across = cv2.Sobel(face, cv2.CV_32F, 1, 0, scale=1 / 8) * mask
    down = cv2.Sobel(face, cv2.CV_32F, 0, 1, scale=1 / 8) * mask
    side = round(BOW_MM * px_per_mm)
    xx, yy, xy, xe, ye = (
        _boxed(values, side)
        for values in (across**2, down**2, across * down, across * (face - ink), down * (face - ink))
    )
    still = 0.002 * side**2 / px_per_mm**2
    xx, yy = xx + still, yy + still
    area = xx * yy - xy**2
    most = BOWED_MM * px_per_mm
    x, y = (np.clip(way / area, -most, most) for way in (yy * xe - xy * ye, xx * ye - xy * xe))
    height, width = mask.shape
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1) + np.stack([x, y], axis=-1)
    return np.asarray(sample(plain, grid.astype(np.float32), cv2.BORDER_REPLICATE), np.float32)


def _angle(one: Floats, other: Floats) -> float:
    lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(np.arccos(np.clip(float(one @ other) / max(lengths, 1e-9), -1.0, 1.0)))


def _soft(picture: Floats, sigma_px: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_px), np.float32) if sigma_px else picture


def _within(grid_mm: Floats, size_mm: tuple[float, float], rim_mm: float) -> Floats:
    within = (np.abs(grid_mm) <= np.array(size_mm, np.float32) / 2 - rim_mm).all(axis=1)
    return np.asarray(within.astype(np.float32))


def _sparse(picture: Floats) -> Floats:
    """The points of a picture in every second row and column, one after another."""
    few = picture[::SPARSE, ::SPARSE]
    return np.ascontiguousarray(few.reshape(-1, *few.shape[2:]))


def _grid(size: tuple[int, int]) -> Floats:
    x, y = ((np.arange(side) + 0.5) / side - 0.5 for side in size)
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2).astype(np.float32)


def _bare(faces: Floats) -> Floats:
    """Faces without the light: each channel about its mean, all channels together of length one."""
    bare = faces - faces.mean(axis=1, keepdims=True)
    bare = bare / np.maximum(np.linalg.norm(bare, axis=1, keepdims=True), 1e-6)
    flat = bare.reshape(len(bare), -1)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6), np.float32)


def _boxed(values: NDArray[np.float32], side: int) -> Floats:
    """The sum of values over a square round each point."""
    if values.ndim == 3 and values.shape[2] > 64:  # OpenCV takes few channels more
        return np.concatenate([_boxed(part, side) for part in np.array_split(values, 2, axis=2)], axis=2)
    summed = cv2.boxFilter(
        np.ascontiguousarray(values), cv2.CV_32F, (side, side), normalize=False, borderType=cv2.BORDER_CONSTANT
    )
    return np.asarray(summed, np.float32)


def _colour(colours: Floats, mask: Floats, side: int) -> Floats:
    """The colour of each spot, without its lightness, times the points in it."""
    return _boxed(_hue(colours) * mask[..., None], side)


def _hue(colours: Floats) -> Floats:
    return np.asarray(colours - _mean(colours)[..., None], np.float32)


def _summed(colours: Floats) -> Floats:
    """The sum over the three channels: far quicker than a sum along so short an axis."""
    return np.asarray(colours[..., 0] + colours[..., 1] + colours[..., 2], np.float32)


def _mean(colours: Floats) -> Floats:
    return np.asarray(_summed(colours) / 3, np.float32)
