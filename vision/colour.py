"""Which colour of a drawing: cards that share their drawing are told apart by the points where they differ.

What all members of a family have in common, paper first of all, shows the light that falls on this very card, and over
all cards of a photograph how its camera and this print render colours. Seen through both, the points that differ say
which member it is. Pictures are softened first, so that neither a blurred lens nor a camera that stores colour
coarsely turns a pale ink into another one. Knows faces and pixels only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.match import Floats, Templates
from vision.shade import DOUBTFUL, OPPONENT, Array, Shade, View

_SOFT_MM = 1.0
_COMMON = 0.05  # members that differ by less than this, of 1, agree at a point
_DIFFERENT = 0.10
_INKED = 0.2  # how far from its paper's colour a point is inked
_MOST_COMMON, _MOST_DIFFERENT = 160, 320  # so many points tell the light, and the colour, as well as all
_LIT = 30  # points that a family has in common, at least, tell the light
_PLAIN = 0.25  # margin of a colour that tells how its ink is rendered
_LOOSE, _STIFF = 0.3, 40.0  # how much a rendering sticks to plain colours: always, and shared by all cards
_MANY = 8  # cards that tell how a photograph renders colours
_AROUND_MM, _FAITH = 13.0, 0.1  # whose light a point stands in; how much the whole card counts for
_USUAL, _SPREAD = 0.9, 0.2  # how strong thin ink looks in photographs beside its scan
_VIVID, _FAINTEST = 0.35, 0.4  # strength of colours in a photograph that shows any; of a drawing that tells of a gleam
_PAPER = 90  # percentile of what a family has in common that is its paper
# As bright as a picture can be; the share of a card that is; cards that tell what it hides.
_CLIPPED, _WASHED, _OTHERS = 0.985, 0.2, 3
_BORROWED = 0.6  # what a margin counts for in the light of other cards
_SAME = 0.08  # how much that differs from card to card in one photograph


@dataclass(frozen=True, slots=True, eq=False)
class Tint:
    """The colours of one card as seen and as enrolled (points × 3): where all members of its family agree, and where
    they differ (members × points × 3). `at` are the places of the points on the card, -1 to 1; `contrast` is how strong
    its ink looks beside the enrolled one's, and `paper` the colour of what is not inked. Too few common points to tell
    its light are none: a strip may show nothing but its colour."""

    members: tuple[int, ...]
    common: Array
    common_face: Array
    common_at: Array
    patch: Array
    faces: Array
    at: Array
    contrast: float
    paper: Array

    @property
    def is_lit(self) -> bool:
        """Whether it tells by itself which light falls on it."""
        return len(self.common) > 0


@dataclass(frozen=True, slots=True, eq=False)
class Rendering:
    """How camera and print turn enrolled colours into seen ones: a matrix for 1, blue, green, red, their products."""

    matrix: Array

    def of(self, colours: Array) -> Array:
        return colours if self is PLAIN else np.asarray(_mixed(colours) @ self.matrix[1:] + self.matrix[0])


def _mixed(colours: Array) -> Array:
    """Blue, green, red, their squares and the products of any two: inks are not rendered paler by one measure."""
    return np.concatenate([colours, colours * colours, colours * colours[..., (1, 2, 0)]], axis=-1)


PLAIN = Rendering(np.eye(10, 3, -1))


class Palette:
    """The colours of every family at a pixel a millimetre."""

    def __init__(self, templates: Templates) -> None:
        self._faces = np.stack(
            [softened(face.astype(np.float32), templates.inside, templates) for face in templates.colours]
        )
        self._members = templates.members
        self._at = (templates.grid_mm / np.abs(templates.grid_mm).max()).astype(np.float64)
        self._templates = templates
        self._spread = [self._differences(members) for members in templates.members]
        self._mean = np.stack([self._faces[list(members)].mean(axis=0) for members in templates.members])

    def _differences(self, members: tuple[int, ...]) -> Floats:
        """How much the members of a family differ at each point. A card that is alone differs from its own paper: it
        has no rival of the same drawing, but its colours must be right."""
        faces = self._faces[list(members)]
        if len(members) > 1:
            return np.asarray(np.ptp(faces, axis=0).max(axis=-1), np.float32)
        away = np.abs(faces[0] - np.median(faces[0], axis=0)).max(axis=-1)
        return np.asarray(np.where(away > _INKED, away, 0.0), np.float32)

    def tint(self, patch: Floats, mask: Floats, family: int, contrast: float = 1.0) -> Tint | None:
        """What a patch (points × 3) shows of its family's colours; None when it shows too little of them."""
        members = self._members[family]
        width = self._templates.size[0]
        rows = np.flatnonzero(mask.reshape(-1, width).any(axis=1))
        if not len(rows):
            return None
        part = slice(int(rows[0]) * width, (int(rows[-1]) + 1) * width)  # what a strip hides needs no look
        patch, mask, at = patch[part], mask[part], self._at[part]
        seen = mask > 0
        spread = self._spread[family][part]
        agreed = seen if len(members) == 1 else seen & (spread < _COMMON)
        common, differ = np.flatnonzero(agreed), np.flatnonzero(seen & (spread > _DIFFERENT))
        if len(differ) < 6:
            return None
        is_lit = len(common) >= _LIT
        common = common[:: -(-len(common) // _MOST_COMMON)] if is_lit else common[:0]
        differ = differ[:: -(-len(differ) // _MOST_DIFFERENT)]
        mean = self._mean[family, part]
        soft, points = softened(patch, mask, self._templates), np.concatenate([common, differ])
        flat = self._flat(soft, mean, agreed.astype(np.float32), points) if is_lit else soft[points]
        even = np.asarray(flat, np.float64)
        return Tint(
            members,
            even[: len(common)],
            mean[common].astype(np.float64),
            at[common],
            even[len(common) :],
            self._faces[np.array(members)[:, None], part.start + differ].astype(np.float64),
            at[differ],
            contrast,
            np.percentile(mean[common] if is_lit else self._mean[family], _PAPER, axis=0).astype(np.float64),
        )

    def _flat(self, patch: Floats, face: Floats, agreed: Floats, points: NDArray[np.intp]) -> Floats:
        """Points of a patch without shadow edges and gleams: lit everywhere as the common points around there say."""
        width = self._templates.size[0]
        size = (round(_AROUND_MM * self._templates.px_per_mm) | 1,) * 2
        wanted = face * agreed[:, None]
        seen, known = patch * wanted, face * wanted
        one = np.ones(len(patch), np.float32)
        overall = one @ seen / np.maximum(one @ known, 1e-6)
        around_seen, around_known = (
            cv2.blur(each.reshape(-1, width, 3), size).reshape(-1, 3) for each in (seen, known)
        )
        light = (around_seen[points] + _FAITH * overall) / (around_known[points] + _FAITH)
        return np.asarray(patch[points] * (overall / np.maximum(light, 1e-3)), np.float32)


def rendering_of(tints: Sequence[Tint], plain: Sequence[tuple[Tint, Shade]] = ()) -> Rendering:
    """How this photograph renders colours, judged by what its cards have in common with their families and, once some
    are told, by these as a whole."""
    if not tints:
        return PLAIN
    lights = _lights(tints, PLAIN)
    pairs = [
        _dim(tint.common, tint.common_face, tint.common_at, light)
        for tint, light in zip(tints, lights, strict=True)
        if tint.is_lit
    ]
    for tint, shade in plain:
        light = lights[next(n for n, each in enumerate(tints) if each is tint)]
        few = slice(None, None, 4)
        pairs.append(_dim(tint.patch[few], tint.faces[tint.members.index(shade.member), few], tint.at[few], light))
    faces, seen = (np.concatenate(each) for each in zip(*pairs, strict=True))
    basis = np.column_stack([np.ones(len(faces)), _mixed(faces)])
    # With few cards the rendering stays near to plain.
    stiff = (_LOOSE + _STIFF / len(tints)) * np.eye(10)
    weights = np.ones(len(faces))
    matrix = PLAIN.matrix
    for _ in range(3):
        weighted = basis * weights[:, None]
        matrix = np.linalg.solve(weighted.T @ basis + stiff, weighted.T @ seen + stiff @ PLAIN.matrix)
        misfit = np.square(seen - basis @ matrix).sum(axis=1)
        weights = 1.0 / (1.0 + misfit / (4 * np.median(misfit) + 1e-6))
    return Rendering(matrix)


def _dim(colours: Array, face: Array, at: Array, light: Array) -> tuple[Array, Array]:
    """A face, and its colours in plain light, where they are not as bright as a picture can be."""
    dim = (colours < _CLIPPED).all(axis=1)
    return face[dim], _balanced(colours[dim], at[dim], light)


@dataclass(frozen=True, slots=True, eq=False)
class Manner:
    """How a camera shows a print: its rendering, how strong thin ink looks, how far one card may differ, and how far
    off colours are as a rule."""

    rendering: Rendering
    usual: float
    spread: float
    off: float = 0.0


def shades(tints: Sequence[Tint | None], known: Manner | None = None) -> tuple[list[Shade | None], Manner | None]:
    """The best member for each card of a photograph, judged together, and the manner in which it was taken.

    A few cards tell little of that: then a manner known from before stands. None is known until many were seen.
    """
    tints = _told_by_their_light(tints)
    present = [tint for tint in tints if tint is not None]
    if known and len(present) < _MANY:
        views = _views(present, known.rendering)
        return _if_vivid(present, views, _told(tints, views, known)), known
    rendering = rendering_of(present)
    views = _views(present, rendering)
    manner = Manner(rendering, *_strength(views))
    told = _told(tints, views, manner)
    if any(shade is not None and shade.margin < DOUBTFUL for shade in told):
        # Those whose colour is plain show how this print and this camera render the very inks that are in doubt.
        plain = [(tint, shade) for tint, shade in zip(tints, told, strict=True) if tint and shade and _is_plain(shade)]
        if len(plain) >= _MANY:
            rendering = rendering_of(present, plain)
            views = _views(present, rendering)
            manner = Manner(rendering, *_strength(views))
            told = _told(tints, views, manner)
    if len(present) < _MANY:
        return _if_vivid(present, views, told), None
    return _if_vivid(present, views, told), replace(manner, off=float(np.median([each.off for each in told if each])))


def _told_by_their_light(tints: Sequence[Tint | None]) -> list[Tint | None]:
    """Cards that tell their light, or have enough others beside them that do."""
    lit = sum(tint is not None and tint.is_lit for tint in tints)
    return [tint if tint is not None and (tint.is_lit or lit >= _OTHERS) else None for tint in tints]


def _if_vivid(present: Sequence[Tint], views: Sequence[View], told: list[Shade | None]) -> list[Shade | None]:
    """Shades, marked in a photograph that shows no colours: lightness alone does not tell them apart. What a gleam
    takes from a card's colours it takes from its drawing as well."""
    seen = []
    for tint, view, shade in zip(present, views, (shade for shade in told if shade), strict=True):
        if len(tint.members) > 1:
            own = (tint.faces[tint.members.index(shade.member)] @ OPPONENT.T)[:, 1:]
            strength = (view.patch.reshape(-1, 3)[:, 1:] * own).sum() / max(float(np.square(own).sum()), 1e-9)
            seen.append(float(strength) / np.clip(tint.contrast, _FAINTEST, 1.0))
    if not seen or float(np.median(seen)) > _VIVID:
        return told
    return [shade and replace(shade, is_grey=shade.member != shade.rival) for shade in told]


def _is_plain(shade: Shade) -> bool:
    return shade.member != shade.rival and shade.margin > _PLAIN


def _views(tints: Sequence[Tint], rendering: Rendering) -> list[View]:
    lights = _lights(tints, rendering)
    return [
        View.of(
            tint.members,
            _balanced(tint.patch, tint.at, light),
            rendering.of(tint.faces),
            rendering.of(tint.paper),
            tint.contrast,
        )
        for tint, light in zip(tints, lights, strict=True)
    ]


def _told(tints: Sequence[Tint | None], views: Sequence[View], manner: Manner) -> list[Shade | None]:
    shown = iter(views)
    told = [None if tint is None else next(shown).shade(manner.usual, manner.spread) for tint in tints]
    # In borrowed light a colour must be surer.
    return [
        replace(shade, margin=_BORROWED * shade.margin) if shade and tint and not tint.is_lit else shade
        for tint, shade in zip(tints, told, strict=True)
    ]


def _lights(tints: Sequence[Tint], rendering: Rendering) -> Array:
    """Gain, its growth along x and y, and veil, for each card and channel: what turns its face into the patch. Cards
    that do not tell it themselves lie in the light of the others."""
    if not tints:
        return np.empty((0, 3, 4))
    lit = np.array([tint.is_lit for tint in tints])
    if not lit.all():
        lights = np.empty((len(tints), 3, 4))
        lights[lit] = _lights([tint for tint in tints if tint.is_lit], rendering)
        lights[~lit] = np.median(lights[lit], axis=0) * np.array([1.0, 0.0, 0.0, 1.0])
        return lights
    most = max(len(tint.common) for tint in tints)
    seen, face, at = (np.zeros((len(tints), most, width)) for width in (3, 3, 2))
    weights = np.zeros((len(tints), most))
    for n, tint in enumerate(tints):
        count = len(tint.common)
        seen[n, :count], face[n, :count], at[n, :count] = tint.common, rendering.of(tint.common_face), tint.common_at
        weights[n, :count] = 1.0
    there = weights > 0
    half = (there.sum(axis=1, keepdims=True) - 1) // 2  # of its points, at least one, fit no worse than its usual one
    seen, face = seen.transpose(0, 2, 1), face.transpose(0, 2, 1)  # cards, channels, points
    basis = np.stack([face, face * at[:, None, :, 0], face * at[:, None, :, 1], np.ones_like(face)], axis=3)
    # Without much ink in view a veil cannot be told from the gain: then there is none.
    stiff = np.diag([0.0, 0.02, 0.02, 0.05]) * there.sum(axis=1)[:, None, None, None]
    for _ in range(2):
        weighted = basis.transpose(0, 1, 3, 2) * weights[:, None, None, :]
        light = np.linalg.solve(weighted @ basis + stiff, weighted @ seen[..., None])
        misfit = np.square(seen - (basis @ light)[..., 0]).sum(axis=1)
        usual = np.take_along_axis(np.sort(np.where(there, misfit, np.inf), axis=1), half, axis=1)
        weights = np.where(there, 1.0 / (1.0 + misfit / (4 * usual + 1e-6)), 0.0)
    return _unclipped(np.asarray(light[..., 0]), [tint.common for tint in tints])


def _unclipped(lights: Array, seen: Sequence[Array]) -> Array:
    """Lights of cards whose paper is as bright in some channels as a picture can be, so that nobody sees how bright it
    is: the cast of other cards tells it by the channel that is the least bright. All such channels of a card, or none:
    one alone would change its hue."""
    clipped = np.stack([(colours > _CLIPPED).mean(axis=0) > _WASHED for colours in seen])
    gains = np.maximum(lights[..., 0], 1e-3)
    for card in np.flatnonzero(clipped.any(axis=1) & ~clipped.all(axis=1)):
        least = int(np.where(clipped[card], np.inf, gains[card]).argmin())
        channels = np.flatnonzero(clipped[card])
        others = [~clipped[:, channel] & ~clipped[:, least] for channel in channels]
        if min(each.sum() for each in others) >= _OTHERS:
            for channel, those in zip(channels, others, strict=True):
                cast = float(np.median(gains[those, channel] / gains[those, least]))
                lights[card, channel] = max(cast, gains[card, channel] / gains[card, least]) * lights[card, least]
    return lights


def _balanced(colours: Array, at: Array, light: Array) -> Array:
    """Colours as they would look in plain light."""
    gain = light[:, 0] + at[:, :1] * light[:, 1] + at[:, 1:] * light[:, 2]
    return np.asarray((colours - light[:, 3]) / np.maximum(gain, 0.02))


def _strength(all_views: Sequence[View]) -> tuple[float, float]:
    """How strong thin ink looks in this photograph, judged by all its cards, and how far one card may differ."""
    views = [view for view in all_views if len(view.members) > 1]
    tried = np.arange(0.3, 1.41, 0.05)
    doubt = np.square((tried - _USUAL) / _SPREAD) / 2
    for view in views:
        misfits, scale = view.errors(tried)
        errors = misfits.min(axis=1) / max(scale, 1e-6)
        doubt += np.minimum((errors - errors.min()) / 0.01, 4.0)
    return float(tried[doubt.argmin()]), _SAME if len(views) > 4 else _SPREAD / 2


def softened(colours: Floats, mask: Floats, templates: Templates) -> Floats:
    """Colours blurred within the mask only."""
    width = templates.size[0]
    sigma = _SOFT_MM * templates.px_per_mm
    picture = np.concatenate([colours * mask[:, None], mask[:, None]], axis=1).reshape(-1, width, 4)
    blurred = cv2.GaussianBlur(picture, (0, 0), sigma).reshape(-1, 4)
    return np.asarray(blurred[:, :3] / np.maximum(blurred[:, 3:], 1e-3), np.float32)
