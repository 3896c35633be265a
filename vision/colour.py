"""Which colour of a drawing: cards that share their drawing are told apart by the points where they differ.

What all members of a family have in common, paper first of all, shows the light that falls on this very card, and over
all cards of a photograph how its camera and this print render colours. Seen through both, the points that differ say
which member it is. Knows colours only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.shade import DOUBTFUL, OPPONENT, Array, Shade, View
from vision.tint import CLIPPED, Tint

_PLAIN = 0.25  # margin of a colour that tells how its ink is rendered
_LOOSE, _STIFF = 0.3, 40.0  # how much a rendering sticks to plain colours: always, and shared by all cards
_MANY = 8  # cards that tell how a photograph renders colours
_USUAL, _SPREAD = 0.9, 0.2  # how strong thin ink looks in photographs beside its scan
_VIVID, _FAINTEST = 0.35, 0.4  # strength of colours in a photograph that shows any; of a drawing that tells of a gleam
_INK, _TELLING = (0.25, 0.8), 8  # how bright ink is that tells how bright its paper is; how many points of it do
_CREDIT = 0.6  # what it tells counts for so much: a camera that bends tones makes ink look brighter as well
_OTHERS = 3  # cards that tell what light one stands in that does not show it
_UNSEEN, _UNSEEN_IN_A_GLEAM = 0.02, 0.05  # how much brighter or darker paper may be in a channel that is washed out
_GLEAMS = 0.6  # contrast of ink in a gleam
_BORROWED, _ON_BLACK = 0.6, 0.4  # what a margin counts for in the light of other cards, and in what black paper shows
SURELY = 0.6  # margin of a card that surely lies there, so that no other is the same
_SAME = 0.08  # how much that differs from card to card in one photograph


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


def rendering_of(tints: Sequence[Tint], plain: Sequence[tuple[Tint, Shade]] = ()) -> Rendering:
    """How this photograph renders colours, judged by what its cards have in common with their families and, once some
    are told, by these as a whole."""
    if not tints:
        return PLAIN
    lights, _ = _lights(tints, PLAIN)
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
    dim = (colours < CLIPPED).all(axis=1)
    return face[dim], _balanced(colours[dim], at[dim], light)


@dataclass(frozen=True, slots=True, eq=False)
class Manner:
    """How a camera shows a print: its rendering, how strong thin ink looks, how far one card may differ, how far off
    colours are as a rule, and how much brighter than it can show each channel is."""

    rendering: Rendering
    usual: float
    spread: float
    off: float = 0.0
    beyond: tuple[float, ...] = (0.0, 0.0, 0.0)


def shades(
    tints: Sequence[Tint | None], known: Manner | None = None, elsewhere: Set[int] = frozenset()
) -> tuple[list[Shade | None], Manner | None]:
    """The best member for each card of a photograph, judged together, and the manner in which it was taken.

    A few cards tell little of that: then a manner known from before stands. None is known until many were seen.
    `elsewhere` are faces that surely lie where this look does not reach.
    """
    tints = _told_by_their_light(tints)
    present = [tint for tint in tints if tint is not None]
    if known and len(present) < _MANY:
        views = _views(present, known.rendering)
        return _if_vivid(present, views, _told(tints, views, known, elsewhere)), known
    rendering = rendering_of(present)
    views = _views(present, rendering)
    beyond = _beyond(present)
    manner = Manner(rendering, *_strength(views), beyond=beyond)
    told = _told(tints, views, manner, elsewhere)
    if any(shade is not None and shade.margin < DOUBTFUL for shade in told):
        # Those whose colour is plain show how this print and this camera render the very inks that are in doubt.
        plain = [(tint, shade) for tint, shade in zip(tints, told, strict=True) if tint and shade and _is_plain(shade)]
        if len(plain) >= _MANY:
            rendering = rendering_of(present, plain)
            views = _views(present, rendering)
            manner = Manner(rendering, *_strength(views), beyond=beyond)
            told = _told(tints, views, manner, elsewhere)
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
    lights, raised = _lights(tints, rendering)
    return [
        View.of(
            tint.members,
            _balanced(tint.patch, tint.at, light),
            rendering.of(tint.faces),
            rendering.of(tint.paper),
            tint.contrast,
            _believed(tint, by),
        )
        for tint, light, by in zip(tints, lights, raised, strict=True)
    ]


def _told(
    tints: Sequence[Tint | None], views: Sequence[View], manner: Manner, elsewhere: Set[int]
) -> list[Shade | None]:
    """The shade of each card: those in doubt that show their light a second time, knowing which cards surely lie
    elsewhere."""
    shown = iter(views)
    pairs = [(tint, next(shown)) if tint else None for tint in tints]
    told = [pair and _shade(*pair, manner) for pair in pairs]
    times = Counter(
        shade.member for tint, shade in zip(tints, told, strict=True) if tint and shade and _is_surely(tint, shade)
    )
    there = elsewhere | {member for member, count in times.items() if count == 1}
    return [
        _shade(*pair, manner, there - {shade.member})
        if pair and shade and shade.margin < DOUBTFUL and not pair[0].washed.any()
        else shade
        for pair, shade in zip(pairs, told, strict=True)
    ]


def _is_surely(tint: Tint, shade: Shade) -> bool:
    return tint.is_sure and shade.margin > SURELY


def _shade(tint: Tint, view: View, manner: Manner, elsewhere: Set[int] = frozenset()) -> Shade:
    """The best member for a card. Nobody sees how bright its paper is in a channel that is washed out, least of all in
    a gleam: whatever it is within reason, the same member must fit best; and in borrowed light, or what black paper
    tells of it, a colour must be surer. Paper brighter than a picture shows it makes ink look too bright in that
    channel, and green like yellow; paper that is not as bright as the cast of other cards would have it makes yellow
    look green."""
    shade = view.shade(manner.usual, manner.spread, elsewhere)
    unseen = _UNSEEN_IN_A_GLEAM if tint.contrast < _GLEAMS else _UNSEEN
    for channel, sign in product(np.flatnonzero(tint.washed), (-1, 1)):
        within = max(unseen, manner.beyond[channel] if sign < 0 else view.believed[channel] - 1)
        other = view.relit(1 + sign * within * np.eye(3)[channel]).shade(manner.usual, manner.spread, elsewhere)
        margin = other.margin if other.member == shade.member else 0.0
        shade = replace(shade, margin=min(shade.margin, margin))
    believed = _ON_BLACK if tint.is_black else 1.0 if tint.is_lit else _BORROWED
    return replace(shade, margin=believed * shade.margin)


def _beyond(tints: Sequence[Tint]) -> tuple[float, ...]:
    """How much brighter than it looks the paper of cards is in each channel that washes it out, at least: so much
    brighter does ink look beside it than it does in the channel in which it looks the least bright."""
    if not any(tint.washed.any() for tint in tints):
        return (0.0, 0.0, 0.0)
    ratios = np.stack([_ink_beside_paper(tint) for tint in tints])
    known = [ratio[~np.isnan(ratio)] for ratio in ratios.T]
    if min(map(len, known)) < _OTHERS:
        return (0.0, 0.0, 0.0)
    usual = np.array([np.median(ratio) for ratio in known])
    return tuple((usual / max(float(usual.min()), 1e-3) - 1).tolist())


def _ink_beside_paper(tint: Tint) -> Array:
    """How much brighter, beside its enrolled face, a card's ink looks than its paper; nan where not told."""
    ratios = np.full(3, np.nan)
    for channel, (seen, face) in enumerate(zip(tint.common.T, tint.common_face.T, strict=True)):
        paper, ink = face > _INK[1], (face > _INK[0]) & (face < _INK[1])
        if paper.any() and ink.sum() >= _TELLING:
            ratios[channel] = np.median(seen[ink] / face[ink]) / max(np.median(seen[paper] / face[paper]), 1e-3)
    return ratios


def _believed(tint: Tint, raised: Array) -> tuple[float, ...]:
    """How much brighter a card's paper is taken to be than its own ink tells, by channel."""
    if (raised <= 1).all():
        return (1.0, 1.0, 1.0)
    ratios = _ink_beside_paper(tint)
    told = np.ones(3) if np.isnan(ratios).any() else 1 + _CREDIT * (ratios / max(float(ratios.min()), 1e-3) - 1)
    return tuple((raised / np.clip(told, 1.0, np.maximum(raised, 1.0))).tolist())


def _lights(tints: Sequence[Tint], rendering: Rendering) -> tuple[Array, Array]:
    """Gain, its growth along x and y, and veil, for each card and channel: what turns its face into the patch; and how
    much brighter than it looks each is taken to be. Cards that do not tell it themselves lie in the light of others."""
    if not tints:
        return np.empty((0, 3, 4)), np.empty((0, 3))
    lit = np.array([tint.is_lit for tint in tints])
    if not lit.all():
        lights, raised = np.empty((len(tints), 3, 4)), np.ones((len(tints), 3))
        lights[lit], raised[lit] = _lights([tint for tint in tints if tint.is_lit], rendering)
        lights[~lit] = np.median(lights[lit], axis=0) * np.array([1.0, 0.0, 0.0, 1.0])
        return lights, raised
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
    seen_lights = np.asarray(light[..., 0])
    lights = _unclipped(seen_lights.copy(), np.stack([tint.washed for tint in tints]))
    return lights, lights[..., 0] / np.maximum(seen_lights[..., 0], 1e-3)


def _unclipped(lights: Array, clipped: NDArray[np.bool_]) -> Array:
    """Lights of cards whose paper is as bright in some channels as a picture can be, so that nobody sees how bright it
    is: the cast of other cards tells it by the channel that is the least bright. All such channels of a card, or none:
    one alone would change its hue."""
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
