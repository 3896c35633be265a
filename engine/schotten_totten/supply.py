"""What may still come to a side: Clan cards as bit masks, and elite troops.

Knows nothing of why a card may still come; `claims` decides that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.schotten_totten.cards import Card, ClanCard, Colour, Tactic

COLOURS = tuple(Colour)
_PLACE = {colour: place for place, colour in enumerate(COLOURS)}


@dataclass(frozen=True, slots=True)
class Supply:
    """A set of Clan cards held twice, by colour and by strength, and elite troops of which each may come.

    `by_colour[place of the colour]` has bit s set for each card of strength s; `by_strength[s]` has bit p set for
    each colour at place p. Bit 0 of the first and entry 0 of the second are unused.
    """

    by_colour: tuple[int, ...]
    by_strength: tuple[int, ...]
    elite: tuple[Tactic, ...] = ()

    @classmethod
    def of(cls, clan: Iterable[ClanCard], elite: Iterable[Tactic] = ()) -> Supply:
        by_colour, by_strength = [0] * len(COLOURS), [0] * 10
        for card in clan:
            place = _PLACE[card.colour]
            by_colour[place] |= 1 << card.strength
            by_strength[card.strength] |= 1 << place
        return cls(tuple(by_colour), tuple(by_strength), tuple(elite))

    @property
    def clan(self) -> tuple[ClanCard, ...]:
        """The Clan cards, in the order of the deck."""
        return tuple(
            ClanCard(colour, strength)
            for colour, strengths in zip(COLOURS, self.by_colour, strict=True)
            for strength in range(1, 10)
            if strengths >> strength & 1
        )

    def __contains__(self, card: Card) -> bool:
        if isinstance(card, ClanCard):
            return bool(self.by_colour[_PLACE[card.colour]] >> card.strength & 1)
        return card in self.elite


NOTHING = Supply.of(())
