"""What counts after a fact that stands: by right, or because a judge let it stand.

Total: whatever the fact, there is a position after it, and in it each card lies in one place at the most.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from engine.schotten_totten.cards import Card, ClanCard, Player, Tactic, is_joker
from engine.schotten_totten.facts import (
    CardLaid,
    CardsLaid,
    Fact,
    HiddenCardLaid,
    Passed,
    RusePlayed,
    StoneClaimed,
    TurnEnded,
)
from engine.schotten_totten.irregularities import (
    CardAppeared,
    CardMoved,
    CardPutRight,
    CardRemoved,
    CardSwapped,
    CardTurned,
    StoneMoved,
    StonePutRight,
)
from engine.schotten_totten.position import Position, laid, lifted, with_known, with_stone
from engine.schotten_totten.spots import DISCARD, Hidden, Spot, Tile


def applied(position: Position, fact: Fact) -> Position:
    """The position once this fact stands. Only acts of players make history; an irregular fact that was nothing but
    putting right leaves everything as it was."""
    match fact:
        case CardLaid(player, card, spot):
            return _turn_taken(_played(laid(position, card, spot), player, card), player)
        case CardsLaid(player, cards):
            for card, spot in cards:
                position = _played(laid(position, card, spot), player, card)
            return _turn_taken(position, player)
        case HiddenCardLaid(player, _):
            return _turn_taken(_drawn(_spent(position, player, 1, 0), player, 1), player)
        case RusePlayed():
            return _ruse(position, fact)
        case StoneClaimed(player, stone, _):
            return _claimed(position, player, stone)
        case Passed(player):
            return _turn_taken(position, player)
        case TurnEnded(player):
            return replace(position, turn=player.opponent, has_played=False, ruse_begun=None)
        case CardRemoved(card, spot):
            return _removed(position, card, spot)
        case CardMoved(card, _, target):
            return position if card is Hidden.CARD or position.where(card) == target else laid(position, card, target)
        case CardAppeared(card, target):
            return position if card is Hidden.CARD or position.where(card) == target else laid(position, card, target)
        case CardSwapped(spot, gone, come):
            return position if position.where(come) == spot else laid(lifted(position, gone), come, spot)
        case StoneMoved(stone, _, target):
            return _tile_stands(position, stone, target)
        case CardTurned() | CardPutRight() | StonePutRight():
            return position
        case _:
            assert_never(fact)


def _turn_taken(position: Position, player: Player) -> Position:
    return replace(position, turn=player, has_played=True, ruse_begun=None)


def _played(position: Position, player: Player, card: Card) -> Position:
    """The card has left the hand, and one was drawn for it (ST-208)."""
    position = _spent(position, player, 1, int(isinstance(card, ClanCard)))
    return _drawn(_counted(position, player, card), player, 1)


def _counted(position: Position, player: Player, card: Card) -> Position:
    if isinstance(card, ClanCard):
        return position
    known = position.known(player)
    jokers = known.jokers_played + is_joker(card)
    return with_known(position, player, replace(known, tactics_played=known.tactics_played + 1, jokers_played=jokers))


def _spent(position: Position, player: Player, cards: int, clan: int) -> Position:
    known = position.known(player)
    return with_known(position, player, replace(known, hand=max(known.hand - cards, 0), clan=max(known.clan - clan, 0)))


def _drawn(position: Position, player: Player, cards: int) -> Position:
    """Draws cannot be seen, but they are due, and how many are left is known to all."""
    known, drawn = position.known(player), min(cards, position.drawable)
    position = replace(position, drawable=position.drawable - drawn)
    return with_known(position, player, replace(known, hand=known.hand + drawn))


def _ruse(position: Position, fact: RusePlayed) -> Position:
    player, begun = fact.player, position.ruse_begun is fact.ruse and position.turn is fact.player
    if not begun:
        position = _counted(laid(position, fact.ruse, DISCARD), player, fact.ruse)
    if fact.ruse is Tactic.RECRUITER:
        return _turn_taken(_recruited(position, player), player)
    if fact.card is None or fact.target is None:
        return replace(position, turn=player, has_played=False, ruse_begun=fact.ruse)
    position = laid(position, fact.card, fact.target)
    return _turn_taken(_drawn(_spent(position, player, 1, 0), player, 1), player)


def _recruited(position: Position, player: Player) -> Position:
    """Three cards drawn, two put back, and a hand that is short refilled by one (ST-531). The two may be Clan cards."""
    position = _drawn(_spent(position, player, 1, 0), player, 3)
    put_back = min(2, position.known(player).hand)
    position = replace(_spent(position, player, put_back, put_back), drawable=position.drawable + put_back)
    short = position.known(player).hand < position.rules.hand
    return _drawn(position, player, 1) if short else position


def _claimed(position: Position, player: Player, number: int) -> Position:
    position = with_stone(position, number, replace(position.stone(number), owner=player))
    # An Expert claims before playing: the claim itself begins the turn once the opponent has played (ST-601).
    begins = position.rules.expert and position.has_played and position.turn is player.opponent
    return replace(position, turn=player, has_played=False) if begins else position


def _removed(position: Position, card: Card | Hidden, spot: Spot) -> Position:
    if card is Hidden.CARD or position.where(card) != spot:
        return position
    if spot == DISCARD and card is position.ruse_begun:
        known = position.known(position.turn)
        withdrawn = replace(known, tactics_played=known.tactics_played - 1)
        return replace(with_known(lifted(position, card), position.turn, withdrawn), ruse_begun=None)
    return lifted(position, card)


def _tile_stands(position: Position, number: int, target: Tile) -> Position:
    match target:
        case Tile.MISSING:
            return position
        case Tile.BORDER:
            owner = None
        case Tile.A | Tile.B:
            owner = Player(target)
    return with_stone(position, number, replace(position.stone(number), owner=owner))
