"""The public position: exactly what a camera and two honest players know. Hands are known by their size alone.

Knows how cards come to lie and how sides come to be complete. Knows neither which act is allowed nor who did it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.schotten_totten.cards import COMBAT_MODES, STONES, Card, ClanCard, Player, Tactic, is_elite
from engine.schotten_totten.options import Rules
from engine.schotten_totten.score import Victory, victory
from engine.schotten_totten.spots import (
    DISCARD,
    Discard,
    Side,
    Spot,
    Tile,
    Top,
    card_piece,
    place_of,
    tile_piece,
    tile_place,
)
from engine.schotten_totten.stones import Stone
from engine.table import Piece, Place, Table

FAN = 4  # no side ever holds more cards than this, whatever a judge lets stand


@dataclass(frozen=True, slots=True)
class Known:
    """What is public about one player beyond the table.

    Everybody can count a hand: it is dealt, each card played leaves it, each draw refills it. Of a hand of Clan and
    Tactic cards, `clan` are certainly Clan cards: those that were dealt and cannot have been played or put back.
    """

    hand: int
    clan: int
    tactics_played: int = 0
    jokers_played: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """What counts. `has_played` tells the two moments of a turn apart: before the card, and after it."""

    rules: Rules
    stones: tuple[Stone, ...]
    turn: Player
    a: Known
    b: Known
    drawable: int
    has_played: bool = False
    ruse_begun: Tactic | None = None
    discard: tuple[Card, ...] = ()

    def known(self, player: Player) -> Known:
        return self.a if player is Player.A else self.b

    def stone(self, number: int) -> Stone:
        return self.stones[number - 1]

    @property
    def victory(self) -> Victory | None:
        return victory(self.stones)

    @property
    def to_play(self) -> Player:
        """Whose card comes next: a player who has played only claims until the other lays a card."""
        return self.turn.opponent if self.has_played else self.turn

    @property
    def anyone_may_begin(self) -> bool:
        """Whether nothing was played yet and nobody agreed on who begins."""
        untouched = not self.has_played and self.ruse_begun is None and self.drawable == self.rules.drawable
        return untouched and self.rules.first is None

    def where(self, card: Card) -> Spot | None:
        """Where the card lies."""
        for number, stone in enumerate(self.stones, start=1):
            if card in stone.a:
                return Side(number, Player.A)
            if card in stone.b:
                return Side(number, Player.B)
            if card in stone.modes:
                return Top(number)
        return DISCARD if card in self.discard else None

    def tile(self, number: int) -> Tile:
        owner = self.stone(number).owner
        return Tile.BORDER if owner is None else Tile(owner)

    def is_open(self, player: Player, number: int) -> bool:
        """Whether this player's side of the Stone takes one more card."""
        stone = self.stone(number)
        return stone.owner is None and not stone.is_complete(player)

    def certain_clan_cards(self, player: Player) -> int:
        """How many Clan cards this hand holds at the least, by what everybody can count (ST-209)."""
        known = self.known(player)
        if not self.rules.tactics:
            return known.hand
        unseen_tactics = sum(self.where(card) is None for card in Tactic)
        return max(known.clan, known.hand - unseen_tactics, 0)


def opening_position(rules: Rules) -> Position:
    """Nine bare Stones, both hands dealt."""
    dealt = Known(rules.hand, rules.hand)
    return Position(rules, tuple(Stone() for _ in STONES), rules.first or Player.A, dealt, dealt, rules.drawable)


def with_known(position: Position, player: Player, known: Known) -> Position:
    return replace(position, a=known) if player is Player.A else replace(position, b=known)


def with_stone(position: Position, number: int, stone: Stone) -> Position:
    stones = position.stones
    return replace(position, stones=(*stones[: number - 1], stone, *stones[number:]))


def can_lie(position: Position, card: Card, spot: Spot) -> bool:
    """Whether the game has a meaning for this card there: no judge can make a ruse fight or a colour a mode."""
    match spot:
        case Side(stone, player):
            room = len(position.stone(stone).side(player)) < FAN
            return room and (isinstance(card, ClanCard) or is_elite(card))
        case Top():
            return card in COMBAT_MODES
        case Discard():
            return True


def lifted(position: Position, card: Card) -> Position:
    """The position without this card; a side that is no longer complete has not completed first (ST-306)."""
    match position.where(card):
        case None:
            return position
        case Discard():
            return replace(position, discard=tuple(other for other in position.discard if other != card))
        case Top(number):
            stone = position.stone(number)
            modes = tuple(mode for mode in stone.modes if mode != card)
            return with_stone(position, number, _recompleted(replace(stone, modes=modes)))
        case Side(number, player):
            stone = position.stone(number)
            rest = tuple(other for other in stone.side(player) if other != card)
            return with_stone(position, number, _recompleted(_with_side(stone, player, rest)))


def laid(position: Position, card: Card, spot: Spot) -> Position:
    """The position with this card there and nowhere else; unchanged where it can have no meaning."""
    before, position = position, lifted(position, card)
    if not can_lie(position, card, spot):
        return before
    match spot:
        case Discard():
            return replace(position, discard=(*position.discard, card))
        case Top(number):
            stone = position.stone(number)
            # A Mud Fight makes every side incomplete again, so that nobody has completed first (ST-522).
            return with_stone(position, number, _recompleted(replace(stone, modes=(*stone.modes, Tactic(str(card))))))
        case Side(number, player):
            stone = position.stone(number)
            fuller = _with_side(stone, player, (*stone.side(player), card))
            return with_stone(position, number, _recompleted(fuller, player))


def table_of(position: Position) -> Table:
    """The table as it ought to lie."""
    places: dict[Place, list[Piece]] = {place_of(DISCARD): [card_piece(card) for card in position.discard]}
    for number, stone in zip(STONES, position.stones, strict=True):
        for player in Player:
            places[place_of(Side(number, player))] = [card_piece(card) for card in stone.side(player)]
        places[place_of(Top(number))] = [card_piece(mode) for mode in stone.modes]
        border = tile_place(number, position.tile(number))
        if border is not None:
            places[border] = [tile_piece(number)]
    return Table.of(places)


def _with_side(stone: Stone, player: Player, side: tuple[Card, ...]) -> Stone:
    return replace(stone, a=side) if player is Player.A else replace(stone, b=side)


def _recompleted(stone: Stone, laid_by: Player | None = None) -> Stone:
    """The Stone with its first completer as it is now: whoever was first and still is complete, else whoever is; the
    one who has just laid a card was not first if the other is complete too."""
    complete = [player for player in Player if stone.is_complete(player)]
    if stone.completed_first in complete:
        return stone
    if len(complete) == 2 and laid_by is not None:
        complete.remove(laid_by)
    return replace(stone, completed_first=complete[0] if len(complete) == 1 else None)
