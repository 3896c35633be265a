"""The strongest formation that a side has, or could still have with what may come to it.

One search serves both: a complete side is the case in which nothing is missing. Each kind of formation is settled by
looking at strengths as bits, never by trying cards one after the other, so the time does not grow with the number of
missing cards. A wild card may equal any card, be it on the table, on its own side or elsewhere: it takes nothing from
the supply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, islice, product

from engine.schotten_totten.cards import STRENGTHS, Card, ClanCard, Colour, Tactic, wild_strengths
from engine.schotten_totten.formations import Formation, Kind, Reading
from engine.schotten_totten.supply import COLOURS, NOTHING, Supply


@dataclass(frozen=True, slots=True)
class Completion:
    """A formation, the cards added to reach it (none to a complete side), and what the wild cards stand for."""

    formation: Formation
    added: tuple[Card, ...] = ()
    readings: tuple[Reading, ...] = ()


@dataclass(frozen=True, slots=True)
class _Plan:
    """A way to make a formation: the sum reached, the Clan cards added, the strength of each wild card."""

    sum: int
    added: tuple[ClanCard, ...]
    wild: tuple[int, ...]
    colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class _Muster:
    """A side once its elite troops are chosen: the Clan cards that lie there, all wild cards, and what must come."""

    size: int
    lying_sum: int
    strengths: int
    windows: tuple[int, ...]  # the runs, as bits, that a side with these strengths may still become
    colours: tuple[int, ...]  # places of the colours that a side of one colour may still have
    wild: tuple[Tactic, ...]
    brought: tuple[Tactic, ...]
    missing: int
    supply: Supply


def best_formation(cards: tuple[Card, ...], required: int, *, sum_only: bool = False) -> Completion | None:
    """The best reading of a side; None while it is incomplete.

    A judge may have let a card too many stand: then the best of those that the Stone asks for count.
    """
    if len(cards) < required:
        return None
    readings = (strongest(hand, required, NOTHING, sum_only=sum_only) for hand in combinations(cards, required))
    return max((reading for reading in readings if reading), key=lambda reading: reading.formation, default=None)


def strongest(lying: tuple[Card, ...], required: int, supply: Supply, *, sum_only: bool = False) -> Completion | None:
    """The strongest formation of `required` cards that this side can reach from the supply; None if it cannot."""
    musters = tuple(_musters(lying, required, supply))
    for kind, plan_for in _PLANS.items():
        if sum_only and kind is not Kind.SUM:
            continue
        plans = [(plan, muster) for muster in musters if (plan := plan_for(muster)) is not None]
        if plans:
            # max keeps the first of equals, and the musters begin with the fewest elite troops.
            plan, muster = max(plans, key=lambda found: found[0].sum)
            return _completion(kind, plan, muster)
    return None


def _completion(kind: Kind, plan: _Plan, muster: _Muster) -> Completion:
    readings = tuple(
        Reading(wild, plan.colour, strength) for wild, strength in zip(muster.wild, plan.wild, strict=True)
    )
    return Completion(Formation(kind, plan.sum), (*sorted(plan.added), *muster.brought), readings)


def _musters(lying: tuple[Card, ...], required: int, supply: Supply) -> Iterator[_Muster]:
    """The side with each choice of elite troops that may come, the fewest first."""
    clan = [card for card in lying if isinstance(card, ClanCard)]
    wild = tuple(card for card in lying if isinstance(card, Tactic))
    places = {COLOURS.index(card.colour) for card in clan} or range(len(COLOURS))
    strengths = _bits(card.strength for card in clan)
    colours = tuple(places) if not clan or len(places) == 1 else ()
    windows = _windows(required, strengths) if strengths.bit_count() == len(clan) else ()
    missing = required - len(lying)
    for count in range(min(missing, len(supply.elite)) + 1):
        for brought in combinations(supply.elite, count):
            yield _Muster(
                size=required,
                lying_sum=sum(card.strength for card in clan),
                strengths=strengths,
                windows=windows,
                colours=colours,
                wild=wild + brought,
                brought=brought,
                missing=missing - count,
                supply=supply,
            )


def _color_run(muster: _Muster) -> _Plan | None:
    for window in muster.windows:
        for place in muster.colours:
            if (filled := _fill(window, muster, muster.supply.by_colour[place])) is not None:
                come, stand = filled
                colour = COLOURS[place]
                added = tuple(ClanCard(colour, strength) for strength in _strengths(come))
                return _Plan(sum(_strengths(window)), added, stand, colour)
    return None


def _three_of_a_kind(muster: _Muster) -> _Plan | None:
    for strength in _alike(muster.wild, muster.strengths):
        colours = muster.supply.by_strength[strength]
        if colours.bit_count() >= muster.missing:
            added = tuple(islice(_cards_of(strength, colours), muster.missing))
            return _Plan(muster.size * strength, added, (strength,) * len(muster.wild))
    return None


def _color(muster: _Muster) -> _Plan | None:
    wild = _at_their_highest(muster.wild)
    plans = []
    for place in muster.colours:
        come = _strengths(muster.supply.by_colour[place])[: muster.missing]
        if len(come) == muster.missing:
            added = tuple(ClanCard(COLOURS[place], strength) for strength in come)
            plans.append(_Plan(muster.lying_sum + sum(wild) + sum(come), added, wild, COLOURS[place]))
    return max(plans, key=lambda plan: plan.sum, default=None)


def _run(muster: _Muster) -> _Plan | None:
    by_strength = muster.supply.by_strength
    available = _bits(strength for strength in STRENGTHS if by_strength[strength])
    for window in muster.windows:
        if (filled := _fill(window, muster, available)) is not None:
            come, stand = filled
            added = tuple(next(_cards_of(strength, by_strength[strength])) for strength in _strengths(come))
            return _Plan(sum(_strengths(window)), added, stand)
    return None


def _sum(muster: _Muster) -> _Plan | None:
    wild = _at_their_highest(muster.wild)
    by_strength = muster.supply.by_strength
    cards = (card for strength in reversed(STRENGTHS) for card in _cards_of(strength, by_strength[strength]))
    added = tuple(islice(cards, muster.missing))
    if len(added) < muster.missing:
        return None
    return _Plan(muster.lying_sum + sum(wild) + sum(card.strength for card in added), added, wild)


# Strongest kind first. A plan may happen to be of a stronger kind than the one it was made for, but then the stronger
# kind was possible and has been found before.
_PLANS: dict[Kind, Callable[[_Muster], _Plan | None]] = {
    Kind.COLOR_RUN: _color_run,
    Kind.THREE_OF_A_KIND: _three_of_a_kind,
    Kind.COLOR: _color,
    Kind.RUN: _run,
    Kind.SUM: _sum,
}


def _fill(window: int, muster: _Muster, available: int) -> tuple[int, tuple[int, ...]] | None:
    """How a run of these strengths comes about: the strengths that must come, and what each wild card stands for."""
    vacant = window & ~muster.strengths
    for stood_for, stand in _stands(muster.wild, window):
        if not stood_for & ~vacant and not vacant & ~stood_for & ~available:
            return vacant & ~stood_for, stand
    return None


@cache
def _stands(wild: tuple[Tactic, ...], window: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Every way in which wild cards can stand for different strengths of a run: as bits, and one by one."""
    choices = ([strength for strength in wild_strengths(card) if window >> strength & 1] for card in wild)
    stands = {_bits(stand): stand for stand in product(*choices) if len(set(stand)) == len(wild)}
    return tuple(stands.items())


@cache
def _alike(wild: tuple[Tactic, ...], strengths: int) -> tuple[int, ...]:
    """The strengths that all of these cards can have at once, highest first."""
    return tuple(
        strength
        for strength in reversed(STRENGTHS)
        if not strengths & ~(1 << strength) and all(strength in wild_strengths(card) for card in wild)
    )


@cache
def _windows(size: int, strengths: int) -> tuple[int, ...]:
    """The runs of so many successive strengths that hold all of these, as bits, highest first."""
    runs = (_bits(range(low, low + size)) for low in range(10 - size, 0, -1))
    return tuple(run for run in runs if not strengths & ~run)


@cache
def _strengths(bits: int) -> tuple[int, ...]:
    """The strengths in a mask, highest first."""
    return tuple(strength for strength in reversed(STRENGTHS) if bits >> strength & 1)


@cache
def _at_their_highest(wild: tuple[Tactic, ...]) -> tuple[int, ...]:
    return tuple(max(wild_strengths(card)) for card in wild)


def _cards_of(strength: int, colours: int) -> Iterator[ClanCard]:
    return (ClanCard(colour, strength) for place, colour in enumerate(COLOURS) if colours >> place & 1)


def _bits(strengths: Iterable[int]) -> int:
    bits = 0
    for strength in strengths:
        bits |= 1 << strength
    return bits
