"""What can happen on a Schotten Totten table, allowed or not. `str(fact)` is its line in a record.

Knows what each act does to the table that lies there. Knows no rule: whether it was allowed is for `legality` to say.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.schotten_totten.cards import Card, Player, Tactic
from engine.schotten_totten.irregularities import Irregularity
from engine.schotten_totten.spots import (
    DISCARD,
    Discard,
    Hidden,
    Side,
    Spot,
    Tile,
    card_change,
    proper_spot,
    tile_change,
)
from engine.table import Change


@dataclass(frozen=True, slots=True)
class CardLaid:
    """A player laid a card; `spot` is anywhere, the opponent's side included."""

    player: Player
    card: Card
    spot: Spot

    def changes(self) -> tuple[Change, ...]:
        return (card_change(self.card, None, self.spot),)

    def __str__(self) -> str:
        return f"{self.player} {_laid(self.player, self.card, self.spot)}"


@dataclass(frozen=True, slots=True)
class CardsLaid:
    """A player laid several cards at once, so that nobody can say which of them was the move."""

    player: Player
    cards: tuple[tuple[Card, Spot], ...]

    def changes(self) -> tuple[Change, ...]:
        return tuple(card_change(card, None, spot) for card, spot in self.cards)

    def __str__(self) -> str:
        return f"{self.player} " + " + ".join(_laid(self.player, card, spot) for card, spot in self.cards)


@dataclass(frozen=True, slots=True)
class HiddenCardLaid:
    """A player laid a card face down."""

    player: Player
    spot: Spot

    def changes(self) -> tuple[Change, ...]:
        return (card_change(Hidden.CARD, None, self.spot),)

    def __str__(self) -> str:
        return f"{self.player} {Hidden.CARD}@{_short(self.spot, self.player)}"


@dataclass(frozen=True, slots=True)
class RusePlayed:
    """A player laid a ruse beside the decks and did what it says: the whole turn is one fact.

    Without a card it is the Recruiter, or a ruse that was shown and whose act is still to come.
    """

    player: Player
    ruse: Tactic
    card: Card | None = None
    origin: Spot | None = None
    target: Spot | None = None

    def changes(self) -> tuple[Change, ...]:
        shown = card_change(self.ruse, None, DISCARD)
        return (shown,) if self.card is None else (shown, card_change(self.card, self.origin, self.target))

    def __str__(self) -> str:
        head = f"{self.player} {self.ruse}"
        if self.card is None or self.origin is None:
            return head
        robbed = self.player if self.ruse is Tactic.STRATEGIST else self.player.opponent
        line = f"{head} {self.card}@{_short(self.origin, robbed)}"
        if self.target is None or self.ruse is Tactic.BANSHEE:
            return line
        return f"{line}>{_short(self.target, self.player)}"


@dataclass(frozen=True, slots=True)
class StoneClaimed:
    """A player took a Stone's tile to their side; `origin` is where it lay, None if the claim was only spoken."""

    player: Player
    stone: int
    origin: Tile | None = Tile.BORDER

    def changes(self) -> tuple[Change, ...]:
        return () if self.origin is None else (tile_change(self.stone, self.origin, Tile(self.player)),)

    def __str__(self) -> str:
        line = f"{self.player} claim {self.stone}"
        if self.origin is None:
            return f"{line} by word"
        return line if self.origin is Tile.BORDER else f"{line} from {self.origin}"


@dataclass(frozen=True, slots=True)
class Passed:
    """A player played no card."""

    player: Player

    def changes(self) -> tuple[Change, ...]:
        return ()

    def __str__(self) -> str:
        return f"{self.player} pass"


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A player said that their turn is over, by the button or in words."""

    player: Player

    def changes(self) -> tuple[Change, ...]:
        return ()

    def __str__(self) -> str:
        return f"{self.player} end"


Act = CardLaid | CardsLaid | HiddenCardLaid | RusePlayed | StoneClaimed | Passed | TurnEnded
Fact = Act | Irregularity


def _laid(player: Player, card: Card, spot: Spot) -> str:
    if isinstance(spot, Discard) or spot != proper_spot(card, spot.stone, player):
        return f"{card}@{spot}"
    return f"{card}@{spot.stone}"


def _short(spot: Spot, player: Player) -> str:
    """The Stone's number alone when the side goes without saying."""
    return str(spot.stone) if isinstance(spot, Side) and spot.player is player else str(spot)
