"""What a cheat looks for at the table: a hand, an open side, cards that lie there."""

from __future__ import annotations

from collections.abc import Iterator

from engine.schotten_totten.cards import STONES, Card, ClanCard, Player
from engine.schotten_totten.facts import Fact
from engine.schotten_totten.fouls import Breach
from engine.schotten_totten.play import Play
from engine.schotten_totten.position import Position
from engine.schotten_totten.spots import Side

Tricks = Iterator[tuple[Fact, Breach]]


def clan_in_hand(play: Play, player: Player) -> list[Card]:
    return [card for card in play.hand(player) if isinstance(card, ClanCard)]


def open_sides(position: Position, player: Player) -> list[Side]:
    return [Side(number, player) for number in STONES if position.is_open(player, number)]


def lying_on_sides(position: Position, *, claimed: bool) -> list[tuple[Card, Side]]:
    return [
        (card, Side(number, player))
        for number, stone in zip(STONES, position.stones, strict=True)
        if (stone.owner is not None) is claimed
        for player in Player
        for card in stone.side(player)
    ]
