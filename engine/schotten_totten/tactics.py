"""Tactic cards: when one may be played at all, and whether what a ruse did fits the ruse (ST-501 to ST-537)."""

from __future__ import annotations

from engine.schotten_totten.cards import Card, ClanCard, Player, Tactic, is_joker
from engine.schotten_totten.facts import RusePlayed
from engine.schotten_totten.fouls import Breach, foul
from engine.schotten_totten.options import SecondJoker
from engine.schotten_totten.position import Position
from engine.schotten_totten.spots import Discard, Side, Spot, Top
from engine.verdicts import Foul


def tactic_fouls(position: Position, player: Player, card: Card) -> list[Foul]:
    """What is wrong with playing this Tactic card now, wherever it goes."""
    if isinstance(card, ClanCard):
        return []
    fouls = []
    if not position.rules.tactics:
        fouls.append(foul(Breach.NO_TACTICS, player=player, card=card))
    mine, theirs = position.known(player).tactics_played, position.known(player.opponent).tactics_played
    if position.rules.tactics and mine > theirs:
        fouls.append(foul(Breach.TACTIC_LIMIT, player=player, card=card, mine=mine, theirs=theirs))
    if is_joker(card) and _has_had_a_joker(position, player):
        fouls.append(foul(Breach.SECOND_JOKER, player=player, card=card))
    return fouls


def _has_had_a_joker(position: Position, player: Player) -> bool:
    if position.rules.second_joker is SecondJoker.NEVER and position.known(player).jokers_played:
        return True
    return any(is_joker(card) for stone in position.stones for card in stone.side(player))


def ruse_fouls(position: Position, fact: RusePlayed) -> list[Foul]:
    """What is wrong with what the ruse did. A ruse that was only shown has done nothing yet."""
    if fact.card is None or fact.origin is None:
        return []
    match fact.ruse:
        case Tactic.STRATEGIST:
            return [*_taken(position, fact, fact.player, Breach.STRATEGIST_CARD), *_strategist_target(position, fact)]
        case Tactic.BANSHEE:
            return _taken(position, fact, fact.player.opponent, Breach.BANSHEE_CARD)
        case Tactic.TRAITOR:
            fouls = _taken(position, fact, fact.player.opponent, Breach.TRAITOR_CARD)
            if not isinstance(fact.card, ClanCard):
                fouls.append(foul(Breach.TRAITOR_TACTIC, player=fact.player, card=fact.card))
            return [*fouls, *_target(position, fact, Breach.TRAITOR_TARGET)]
        case _:
            return []


def _taken(position: Position, fact: RusePlayed, robbed: Player, breach: Breach) -> list[Foul]:
    """The card must lie where it was taken from, on the right side of a Stone that nobody has claimed."""
    card, origin = fact.card, fact.origin
    match origin:
        case Top(stone):
            return [foul(Breach.MODE_STAYS, player=fact.player, card=card, stone=stone)]
        case Side(stone, owner) if owner is robbed and card in position.stone(stone).side(owner):
            claimed = position.stone(stone).owner is not None
            return [foul(Breach.RUSE_FROM_CLAIMED, player=fact.player, ruse=fact.ruse, stone=stone)] if claimed else []
        case _:
            return [foul(breach, player=fact.player, card=card, place=origin)]


def _strategist_target(position: Position, fact: RusePlayed) -> list[Foul]:
    match fact.target, fact.origin:
        case Discard(), _:
            return []
        case Side(there, _), Side(here, _) if there == here:
            return [foul(Breach.STRATEGIST_TARGET, player=fact.player, card=fact.card, place=fact.target)]
        case _:
            return _target(position, fact, Breach.STRATEGIST_TARGET)


def _target(position: Position, fact: RusePlayed, breach: Breach) -> list[Foul]:
    """The card must come to the player's own side of a Stone that nobody has claimed and that has room for it."""
    target: Spot | None = fact.target
    if not isinstance(target, Side) or target.player is not fact.player:
        return [foul(breach, player=fact.player, card=fact.card, place=target)]
    stone = position.stone(target.stone)
    fouls = []
    if stone.owner is not None:
        fouls.append(foul(Breach.RUSE_ONTO_CLAIMED, player=fact.player, ruse=fact.ruse, stone=target.stone))
    if stone.is_complete(target.player):
        fouls.append(
            foul(Breach.RUSE_ONTO_FULL, player=fact.player, ruse=fact.ruse, stone=target.stone, limit=stone.required)
        )
    return fouls
