"""Ways to cheat with Tactic cards: too many of them, in the wrong place, or ruses that do what they may not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.schotten_totten.cards import (
    COMBAT_MODES,
    ELITE_TROOPS,
    JOKERS,
    RUSES,
    STONES,
    Card,
    ClanCard,
    Player,
    Tactic,
)
from engine.schotten_totten.facts import CardLaid, RusePlayed
from engine.schotten_totten.fouls import Breach
from engine.schotten_totten.play import Play
from engine.schotten_totten.position import Position
from engine.schotten_totten.spots import DISCARD, Side, Top
from engine.schotten_totten.tactics import tactic_fouls
from firmware.simulation.tricks import Tricks, lying_on_sides, open_sides


def tactic_in_base_game(play: Play) -> Tricks:
    player = play.position.to_play
    if not play.position.rules.tactics:
        for side in open_sides(play.position, player):
            yield CardLaid(player, Tactic.SPY, side), Breach.NO_TACTICS


def _unseen(position: Position, cards: Sequence[Card]) -> list[Card]:
    return [card for card in cards if position.where(card) is None] if position.rules.tactics else []


def _playable(position: Position, player: Player, cards: Sequence[Card]) -> list[Card]:
    """Tactic cards with which nothing is wrong but what the cheat does."""
    return [card for card in _unseen(position, cards) if not tactic_fouls(position, player, card)]


def tactic_too_many(play: Play) -> Tricks:
    position, player = play.position, play.position.to_play
    if position.known(player).tactics_played > position.known(player.opponent).tactics_played:
        for card in _unseen(position, (Tactic.SPY, Tactic.SHIELD_BEARER)):
            for side in open_sides(position, player):
                yield CardLaid(player, card, side), Breach.TACTIC_LIMIT


def second_joker(play: Play) -> Tricks:
    position, player = play.position, play.position.to_play
    within_limit = position.known(player).tactics_played <= position.known(player.opponent).tactics_played
    lying = any(card in JOKERS for stone in position.stones for card in stone.side(player))
    for card in _unseen(position, JOKERS) if within_limit and lying else []:
        for side in open_sides(position, player):
            yield CardLaid(player, card, side), Breach.SECOND_JOKER


def mode_on_claimed(play: Play) -> Tricks:
    position, player = play.position, play.position.to_play
    for card in _playable(position, player, COMBAT_MODES):
        for number in STONES:
            if position.stone(number).owner is not None:
                yield CardLaid(player, card, Top(number)), Breach.MODE_ON_CLAIMED


def mode_on_a_side(play: Play) -> Tricks:
    position, player = play.position, play.position.to_play
    for card in _playable(position, player, COMBAT_MODES):
        for side in open_sides(position, player):
            yield CardLaid(player, card, side), Breach.MODE_MISPLACED


def ruse_on_a_side(play: Play) -> Tricks:
    position, player = play.position, play.position.to_play
    for card in _playable(position, player, RUSES):
        for side in open_sides(position, player):
            yield CardLaid(player, card, side), Breach.RUSE_MISPLACED


def ruse_takes_mode(play: Play) -> Tricks:
    position, player = play.position, play.position.to_play
    for ruse in _playable(position, player, (Tactic.BANSHEE, Tactic.STRATEGIST)):
        for number, stone in zip(STONES, position.stones, strict=True):
            for mode in stone.modes:
                yield RusePlayed(player, Tactic(str(ruse)), mode, Top(number), DISCARD), Breach.MODE_STAYS


def banshee_abused(play: Play) -> Tricks:
    position, player = play.position, play.position.to_play
    for _ in _playable(position, player, (Tactic.BANSHEE,)):
        for card, side in lying_on_sides(position, claimed=False):
            if side.player is player:
                yield RusePlayed(player, Tactic.BANSHEE, card, side, DISCARD), Breach.BANSHEE_CARD
        for card, side in lying_on_sides(position, claimed=True):
            if side.player is not player:
                yield RusePlayed(player, Tactic.BANSHEE, card, side, DISCARD), Breach.RUSE_FROM_CLAIMED


def traitor_abused(play: Play) -> Tricks:
    position, player = play.position, play.position.to_play
    room = open_sides(position, player)
    for _ in _playable(position, player, (Tactic.TRAITOR,)):
        for card, side in lying_on_sides(position, claimed=False):
            theirs = side.player is not player
            for target in room:
                played = RusePlayed(player, Tactic.TRAITOR, card, side, target)
                if theirs and card in ELITE_TROOPS:
                    yield played, Breach.TRAITOR_TACTIC
                elif not theirs and isinstance(card, ClanCard) and side != target:
                    yield played, Breach.TRAITOR_CARD
            if theirs and isinstance(card, ClanCard):
                yield from _onto_bad_targets(position, player, Tactic.TRAITOR, card, side)


def strategist_abused(play: Play) -> Tricks:
    position, player = play.position, play.position.to_play
    for _ in _playable(position, player, (Tactic.STRATEGIST,)):
        for card, side in lying_on_sides(position, claimed=False):
            if side.player is player:
                yield from _onto_bad_targets(position, player, Tactic.STRATEGIST, card, side)
            else:
                played = RusePlayed(player, Tactic.STRATEGIST, card, side, DISCARD)
                yield played, Breach.STRATEGIST_CARD
        for card, side in lying_on_sides(position, claimed=True):
            if side.player is player:
                played = RusePlayed(player, Tactic.STRATEGIST, card, side, DISCARD)
                yield played, Breach.RUSE_FROM_CLAIMED


def _onto_bad_targets(position: Position, player: Player, ruse: Tactic, card: Card, side: Side) -> Tricks:
    for number, stone in zip(STONES, position.stones, strict=True):
        target = Side(number, player)
        full, claimed = stone.is_complete(player), stone.owner is not None
        if full is not claimed and target.stone != side.stone:
            yield (
                RusePlayed(player, ruse, card, side, target),
                Breach.RUSE_ONTO_FULL if full else Breach.RUSE_ONTO_CLAIMED,
            )


TACTIC_CHEATS: dict[str, Callable[[Play], Tricks]] = {
    "tactic-in-base-game": tactic_in_base_game,
    "tactic-too-many": tactic_too_many,
    "second-joker": second_joker,
    "mode-on-claimed": mode_on_claimed,
    "mode-on-a-side": mode_on_a_side,
    "ruse-on-a-side": ruse_on_a_side,
    "ruse-takes-mode": ruse_takes_mode,
    "banshee-abused": banshee_abused,
    "traitor-abused": traitor_abused,
    "strategist-abused": strategist_abused,
}
