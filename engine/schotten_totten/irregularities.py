"""Irregular things that happen to cards and tiles, and putting them right. Nobody can say who did them.

Knows what each does to the table that lies there. Knows no rule: a card that was put right is one that somebody says
was put right, and `legality` looks whether it was.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.schotten_totten.cards import Card
from engine.schotten_totten.spots import Hidden, Spot, Tile, card_change, tile_change
from engine.table import Change

OFF = "off"  # how a record spells a place that is not on the table


class _Nobodys:
    """A fact of which the camera cannot tell whose it is."""

    __slots__ = ()

    @property
    def player(self) -> None:
        return None


@dataclass(frozen=True, slots=True)
class CardRemoved(_Nobodys):
    """A card that lay on the table is gone."""

    card: Card | Hidden
    spot: Spot

    def changes(self) -> tuple[Change, ...]:
        return (card_change(self.card, self.spot, None),)

    def __str__(self) -> str:
        return f"removed {self.card}@{self.spot}"


@dataclass(frozen=True, slots=True)
class CardMoved(_Nobodys):
    """A card lies elsewhere than it did."""

    card: Card | Hidden
    origin: Spot
    target: Spot

    def changes(self) -> tuple[Change, ...]:
        return (card_change(self.card, self.origin, self.target),)

    def __str__(self) -> str:
        return f"moved {self.card}@{self.origin}>{self.target}"


@dataclass(frozen=True, slots=True)
class CardSwapped(_Nobodys):
    """Where one card lay there lies another now, which came from off the table."""

    spot: Spot
    gone: Card
    come: Card

    def changes(self) -> tuple[Change, ...]:
        return (card_change(self.gone, self.spot, None), card_change(self.come, None, self.spot))

    def __str__(self) -> str:
        return f"swapped {self.gone}@{self.spot} for {self.come}"


@dataclass(frozen=True, slots=True)
class CardTurned(_Nobodys):
    """A card that lay face up shows its back."""

    card: Card
    spot: Spot

    def changes(self) -> tuple[Change, ...]:
        return (card_change(self.card, self.spot, None), card_change(Hidden.CARD, None, self.spot))

    def __str__(self) -> str:
        return f"turned {self.card}@{self.spot}"


@dataclass(frozen=True, slots=True)
class CardAppeared(_Nobodys):
    """A card came to lie where nobody's side is: nobody can say who laid it."""

    card: Card | Hidden
    spot: Spot

    def changes(self) -> tuple[Change, ...]:
        return (card_change(self.card, None, self.spot),)

    def __str__(self) -> str:
        return f"appeared {self.card}@{self.spot}"


@dataclass(frozen=True, slots=True)
class StoneMoved(_Nobodys):
    """A Stone's tile was moved, and not to claim it."""

    stone: int
    origin: Tile
    target: Tile

    def changes(self) -> tuple[Change, ...]:
        return (tile_change(self.stone, self.origin, self.target),)

    def __str__(self) -> str:
        return f"stone {self.stone} {self.origin}>{self.target}"


@dataclass(frozen=True, slots=True)
class CardPutRight(_Nobodys):
    """A card was put back where it belongs, or taken back from where it does not; None is off the table."""

    card: Card | Hidden
    origin: Spot | None
    target: Spot | None

    def changes(self) -> tuple[Change, ...]:
        return (card_change(self.card, self.origin, self.target),)

    def __str__(self) -> str:
        return f"righted {self.card}@{self.origin or OFF}>{self.target or OFF}"


@dataclass(frozen=True, slots=True)
class StonePutRight(_Nobodys):
    """A Stone's tile was put back where it belongs."""

    stone: int
    origin: Tile
    target: Tile

    def changes(self) -> tuple[Change, ...]:
        return (tile_change(self.stone, self.origin, self.target),)

    def __str__(self) -> str:
        return f"righted stone {self.stone} {self.origin}>{self.target}"


Irregularity = (
    CardRemoved | CardMoved | CardSwapped | CardTurned | CardAppeared | StoneMoved | CardPutRight | StonePutRight
)
