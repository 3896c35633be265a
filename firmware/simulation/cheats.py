"""Ways to cheat at Schotten Totten, by name: each makes one irregular fact, and says which breach it is.

Every cheat breaks one rule and no other, so that it can be told whether the referee names it and invents nothing. What
the position does not offer just now (a claimed Stone, a Joker laid) cannot be abused; then the cheat finds nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from engine.schotten_totten.cards import STONES, ClanCard, Player
from engine.schotten_totten.claims import Why
from engine.schotten_totten.facts import CardLaid, CardsLaid, Fact, HiddenCardLaid, Passed, StoneClaimed
from engine.schotten_totten.fouls import Breach
from engine.schotten_totten.irregularities import (
    CardAppeared,
    CardMoved,
    CardRemoved,
    CardSwapped,
    CardTurned,
    StoneMoved,
)
from engine.schotten_totten.legality import find_claim
from engine.schotten_totten.play import Play
from engine.schotten_totten.position import Position
from engine.schotten_totten.spots import DISCARD, Side, Tile, Top
from firmware.simulation.tactic_cheats import TACTIC_CHEATS
from firmware.simulation.tricks import Tricks, clan_in_hand, lying_on_sides, open_sides


@dataclass(frozen=True, slots=True)
class Foulplay:
    """A fact that is a foul, and the one breach that it is."""

    fact: Fact
    breach: Breach


def cheat(name: str, play: Play, random: Random) -> Foulplay | None:
    """One way of cheating by this name now; None if there is none."""
    if play.position.victory is not None:
        return None
    tricks = list(CHEATS[name](play))
    return Foulplay(*random.choice(tricks)) if tricks else None


def _layings(play: Play, player: Player, sides: Sequence[Side | Top], breach: Breach) -> Tricks:
    for card in clan_in_hand(play, player):
        for side in sides:
            yield CardLaid(player, card, side), breach


def out_of_turn(play: Play) -> Tricks:
    player = play.position.turn.opponent
    if not play.position.has_played and not play.position.anyone_may_begin:
        yield from _layings(play, player, open_sides(play.position, player), Breach.OUT_OF_TURN)


def second_card(play: Play) -> Tricks:
    player = play.position.turn
    if play.position.has_played:
        yield from _layings(play, player, open_sides(play.position, player), Breach.SECOND_CARD)


def two_at_once(play: Play) -> Tricks:
    player = play.position.to_play
    cards, sides = clan_in_hand(play, player), open_sides(play.position, player)
    for first, second in itertools.pairwise(cards):
        for here, there in itertools.pairwise(sides):
            yield CardsLaid(player, ((first, here), (second, there))), Breach.CARDS_AT_ONCE


def full_side(play: Play) -> Tricks:
    player, position = play.position.to_play, play.position
    full = [
        Side(number, player)
        for number in STONES
        if position.stone(number).owner is None and position.stone(number).is_complete(player)
    ]
    yield from _layings(play, player, full, Breach.SIDE_FULL)


def claimed_stone(play: Play) -> Tricks:
    player, position = play.position.to_play, play.position
    claimed = [
        Side(number, player)
        for number in STONES
        if position.stone(number).owner is not None and not position.stone(number).is_complete(player)
    ]
    yield from _layings(play, player, claimed, Breach.STONE_CLAIMED)


def wrong_side(play: Play) -> Tricks:
    player = play.position.to_play
    if play.position.anyone_may_begin:  # on the other side it would be the other player's first card
        return
    yield from _layings(play, player, open_sides(play.position, player.opponent), Breach.OPPONENTS_SIDE)


def on_the_stone(play: Play) -> Tricks:
    player = play.position.to_play
    yield from _layings(play, player, [Top(number) for number in STONES], Breach.NOT_BESIDE_THE_STONE)


def moved_card(play: Play) -> Tricks:
    for card, side in lying_on_sides(play.position, claimed=False):
        for other in open_sides(play.position, side.player):
            if other != side:
                yield CardMoved(card, side, other), Breach.CARD_MOVED


def removed_card(play: Play) -> Tricks:
    for card, side in lying_on_sides(play.position, claimed=False):
        yield CardRemoved(card, side), Breach.CARD_REMOVED


def swapped_card(play: Play) -> Tricks:
    for card, side in lying_on_sides(play.position, claimed=False):
        for other in clan_in_hand(play, side.player):
            yield CardSwapped(side, card, other), Breach.CARD_SWAPPED


def turned_card(play: Play) -> Tricks:
    for card, side in lying_on_sides(play.position, claimed=False):
        yield CardTurned(card, side), Breach.FACE_DOWN


def face_down(play: Play) -> Tricks:
    player = play.position.to_play
    for side in open_sides(play.position, player):
        yield HiddenCardLaid(player, side), Breach.FACE_DOWN


def second_copy(play: Play) -> Tricks:
    player = play.position.to_play
    for card, lies_at in lying_on_sides(play.position, claimed=False):
        for side in open_sides(play.position, player):
            if side != lies_at and isinstance(card, ClanCard):
                yield CardLaid(player, card, side), Breach.DUPLICATE


def pass_though_able(play: Play) -> Tricks:
    player, position = play.position.to_play, play.position
    if position.certain_clan_cards(player) and open_sides(position, player):
        yield Passed(player), Breach.MUST_PLAY


def discard_a_card(play: Play) -> Tricks:
    player = play.position.to_play
    for card in clan_in_hand(play, player):
        yield CardAppeared(card, DISCARD), Breach.DISCARDED


def claim_out_of_time(play: Play) -> Tricks:
    position = play.position
    for player in Player:
        own = position.turn is player
        if position.rules.expert and own is position.has_played:
            breach = Breach.EXPERT_CLAIM_TOO_LATE if own else Breach.EXPERT_CLAIM_TOO_EARLY
        elif not position.rules.expert and not (own and position.has_played):
            breach = Breach.CLAIM_TOO_EARLY if own else Breach.CLAIM_TOO_LATE
        else:
            continue
        for number in STONES:
            if find_claim(position, player, number).allowed:
                yield StoneClaimed(player, number), breach


def _claims_refused(why: Why, breach: Breach) -> Callable[[Play], Tricks]:
    def trick(play: Play) -> Tricks:
        position = play.position
        player = _claimant(position)
        if player is not None:
            for number in STONES:
                if find_claim(position, player, number).why is why:
                    lies = position.tile(number)
                    if lies is not Tile(player):
                        yield StoneClaimed(player, number, lies), breach

    return trick


def _claimant(position: Position) -> Player | None:
    """Whose moment to claim it is."""
    if position.rules.expert:
        return position.to_play
    return position.turn if position.has_played else None


def give_a_stone_back(play: Play) -> Tricks:
    for number in STONES:
        if (tile := play.position.tile(number)) is not Tile.BORDER:
            yield StoneMoved(number, tile, Tile.BORDER), Breach.STONE_GIVEN_BACK


def pocket_a_stone(play: Play) -> Tricks:
    for number in STONES:
        yield StoneMoved(number, play.position.tile(number), Tile.MISSING), Breach.STONE_MISSING


CHEATS: dict[str, Callable[[Play], Tricks]] = {
    "out-of-turn": out_of_turn,
    "second-card": second_card,
    "two-at-once": two_at_once,
    "full-side": full_side,
    "claimed-stone": claimed_stone,
    "wrong-side": wrong_side,
    "on-the-stone": on_the_stone,
    "moved-card": moved_card,
    "removed-card": removed_card,
    "swapped-card": swapped_card,
    "turned-card": turned_card,
    "face-down": face_down,
    "second-copy": second_copy,
    "pass-though-able": pass_though_able,
    "discard-a-card": discard_a_card,
    "claim-out-of-time": claim_out_of_time,
    "claim-incomplete": _claims_refused(Why.INCOMPLETE, Breach.CLAIM_INCOMPLETE),
    "claim-weaker": _claims_refused(Why.WEAKER, Breach.CLAIM_WEAKER),
    "claim-tie-second": _claims_refused(Why.TIE_COMPLETED_SECOND, Breach.CLAIM_TIE_SECOND),
    "claim-unproven": _claims_refused(Why.COULD_BE_BEATEN, Breach.CLAIM_COULD_BE_BEATEN),
    "claim-again": _claims_refused(Why.ALREADY_CLAIMED, Breach.ALREADY_CLAIMED),
    "give-a-stone-back": give_a_stone_back,
    "pocket-a-stone": pocket_a_stone,
    **TACTIC_CHEATS,
}
