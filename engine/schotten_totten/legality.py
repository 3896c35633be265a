"""The law: every rule that a fact breaks, in the position in which it happened.

Judging never fails: whatever happened has happened, and every fact has a verdict. Knows nothing of words.
"""

from __future__ import annotations

from typing import assert_never

from engine.schotten_totten.cards import COMBAT_MODES, RUSES, STONES, Card, Player
from engine.schotten_totten.claims import Finding, judge_claim, supply_for
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
from engine.schotten_totten.fouls import REFUSED, Breach, foul
from engine.schotten_totten.irregularities import (
    CardAppeared,
    CardMoved,
    CardPutRight,
    CardRemoved,
    CardSwapped,
    CardTurned,
    Irregularity,
    StoneMoved,
    StonePutRight,
)
from engine.schotten_totten.position import Position
from engine.schotten_totten.spots import DISCARD, Discard, Hidden, Side, Spot, Tile, Top
from engine.schotten_totten.tactics import ruse_fouls, tactic_fouls
from engine.verdicts import Foul, Verdict


def judge(position: Position, fact: Fact) -> Verdict:
    """Every rule that this fact breaks, each with its id."""
    if isinstance(fact, StoneClaimed):
        finding = find_claim(position, fact.player, fact.stone)
        return Verdict((*_moment_to_claim(position, fact), *_refusal(fact, finding)), finding)
    if isinstance(fact, Irregularity) and position.victory is not None:
        return Verdict()  # once the round is won, the players collect the cards
    return Verdict(tuple(_fouls(position, fact)))


def find_claim(position: Position, player: Player, stone: int) -> Finding:
    """Whether this player could claim this Stone, were it their moment to claim."""
    supply = supply_for(player.opponent, position.stones, position.discard, position.rules.proof)
    return judge_claim(position.stone(stone), player, supply)


def _fouls(position: Position, fact: Fact) -> list[Foul]:
    match fact:
        case CardLaid(player, card, spot):
            return [*moment_to_play(position, player), *_laying(position, player, card, spot)]
        case CardsLaid(player, cards):
            at_once = foul(Breach.CARDS_AT_ONCE, player=player, cards=" ".join(str(card) for card, _ in cards))
            each = [breach for card, spot in cards for breach in _laying(position, player, card, spot)]
            return _once([at_once, *moment_to_play(position, player), *each])
        case HiddenCardLaid(player, spot):
            hidden = foul(Breach.FACE_DOWN, player=player, place=spot)
            return [*moment_to_play(position, player), hidden, *_room(position, player, spot)]
        case RusePlayed():
            return _ruse(position, fact)
        case Passed(player):
            return moment_to_play(position, player) or _must_play(position, player)
        case TurnEnded(player):
            return _turn_end(position, player)
        case StoneClaimed():
            return []
        case CardRemoved(card, spot):
            return _removed(position, card, spot)
        case CardMoved(card, origin, target):
            return _moved(position, card, origin, target)
        case CardSwapped(spot, gone, come):
            return _swapped(position, spot, gone, come)
        case CardTurned(_, spot):
            return [foul(Breach.FACE_DOWN, place=spot)]
        case CardAppeared(card, spot):
            return _appeared(position, card, spot)
        case CardPutRight(card, origin, target):
            return _put_right(position, card, origin, target)
        case StonePutRight(stone, origin, Tile.MISSING) if origin is not position.tile(stone):
            return []
        case StoneMoved(stone, _, onto) | StonePutRight(stone, _, onto):
            return _tile_moved(position, stone, onto)
        case _:
            assert_never(fact)


def moment_to_play(position: Position, player: Player) -> list[Foul]:
    """Whether this player may play a card now (ST-201, ST-202): the card of the next player ends a turn (ST-210)."""
    if position.victory is not None:
        return [foul(Breach.GAME_OVER, player=position.victory.winner)]
    if position.ruse_begun is not None and position.turn is player:
        return [foul(Breach.RUSE_UNFINISHED, player=player, ruse=position.ruse_begun)]
    if position.to_play is player or position.anyone_may_begin:
        return []
    if position.turn is player:
        return [foul(Breach.SECOND_CARD, player=player)]
    return [foul(Breach.OUT_OF_TURN, player=player, turn=position.to_play)]


def _moment_to_claim(position: Position, fact: StoneClaimed) -> list[Foul]:
    """Base: once the card is played, until the opponent plays. Expert: before one's own card (ST-301, ST-601)."""
    player, own = fact.player, position.turn is fact.player
    if position.victory is not None:
        return [foul(Breach.GAME_OVER, player=position.victory.winner)]
    if position.ruse_begun is not None and own:
        return [foul(Breach.RUSE_UNFINISHED, player=player, ruse=position.ruse_begun)]
    if not position.rules.expert:
        if own and position.has_played:
            return []
        return [foul(Breach.CLAIM_TOO_EARLY if own else Breach.CLAIM_TOO_LATE, player=player, stone=fact.stone)]
    if own is not position.has_played:
        return []
    return [
        foul(Breach.EXPERT_CLAIM_TOO_LATE if own else Breach.EXPERT_CLAIM_TOO_EARLY, player=player, stone=fact.stone)
    ]


def _refusal(fact: StoneClaimed, finding: Finding) -> list[Foul]:
    if finding.allowed:
        return []
    cards = " ".join(str(card) for card in finding.counterexample)
    return [foul(REFUSED[finding.why], player=fact.player, stone=fact.stone, **({"cards": cards} if cards else {}))]


def _laying(position: Position, player: Player, card: Card, spot: Spot) -> list[Foul]:
    """What is wrong with this card in this place, whoever's turn it is."""
    fouls = tactic_fouls(position, player, card)
    if (lies_at := position.where(card)) is not None:
        fouls.append(foul(Breach.DUPLICATE, card=card, place=lies_at))
    if card in RUSES:
        fouls.append(foul(Breach.RUSE_MISPLACED, player=player, card=card))
    elif card in COMBAT_MODES:
        if not isinstance(spot, Top):
            fouls.append(foul(Breach.MODE_MISPLACED, player=player, card=card))
        elif position.stone(spot.stone).owner is not None:
            fouls.append(foul(Breach.MODE_ON_CLAIMED, player=player, card=card, stone=spot.stone))
    else:
        fouls += _room(position, player, spot)
    return fouls


def _room(position: Position, player: Player, spot: Spot) -> list[Foul]:
    """Whether a card that fights may be laid here by this player (ST-204 to ST-206)."""
    match spot:
        case Discard():
            return [foul(Breach.DISCARDED, player=player)]
        case Top(number):
            return [foul(Breach.NOT_BESIDE_THE_STONE, player=player, stone=number)]
        case Side(number, side):
            stone = position.stone(number)
            fouls = []
            if side is not player:
                fouls.append(foul(Breach.OPPONENTS_SIDE, player=player, stone=number))
            if stone.owner is not None:
                fouls.append(foul(Breach.STONE_CLAIMED, player=player, stone=number))
            if stone.is_complete(side):
                fouls.append(foul(Breach.SIDE_FULL, player=player, stone=number, limit=stone.required))
            return fouls


def _ruse(position: Position, fact: RusePlayed) -> list[Foul]:
    if position.ruse_begun is fact.ruse and position.turn is fact.player and fact.card is not None:
        return ruse_fouls(position, fact)  # the card was shown before and judged then
    fouls = [*moment_to_play(position, fact.player), *tactic_fouls(position, fact.player, fact.ruse)]
    if (lies_at := position.where(fact.ruse)) is not None:
        fouls.append(foul(Breach.DUPLICATE, card=fact.ruse, place=lies_at))
    return [*fouls, *ruse_fouls(position, fact)]


def _must_play(position: Position, player: Player) -> list[Foul]:
    """Passing is for those who cannot lay a Clan card; of a hidden hand only what is certain is judged (ST-209)."""
    has_room = any(position.is_open(player, number) for number in STONES)
    if position.victory is None and has_room and position.certain_clan_cards(player) > 0:
        return [foul(Breach.MUST_PLAY, player=player)]
    return []


def _turn_end(position: Position, player: Player) -> list[Foul]:
    if position.victory is None and position.turn is player and position.has_played:
        return []
    return moment_to_play(position, player) or _must_play(position, player)


def _removed(position: Position, card: Card | Hidden, spot: Spot) -> list[Foul]:
    if card is Hidden.CARD or position.where(card) != spot or withdraws_ruse(position, card, spot):
        return []
    return [foul(Breach.CARD_REMOVED, card=card, place=spot)]


def withdraws_ruse(position: Position, card: Card | Hidden, spot: Spot) -> bool:
    """Whether a ruse that was shown, and has done nothing yet, goes back to the hand."""
    return spot == DISCARD and card is position.ruse_begun


def _moved(position: Position, card: Card | Hidden, origin: Spot, target: Spot) -> list[Foul]:
    if card is Hidden.CARD:
        return [foul(Breach.FACE_DOWN, place=target)]
    if position.where(card) == target:
        return []
    return [foul(Breach.CARD_MOVED, card=card, place=position.where(card) or origin)]


def _swapped(position: Position, spot: Spot, gone: Card, come: Card) -> list[Foul]:
    if position.where(come) == spot and position.where(gone) != spot:
        return []
    fouls = [foul(Breach.CARD_SWAPPED, card=gone, come=come, place=spot)]
    if (lies_at := position.where(come)) is not None:
        fouls.append(foul(Breach.DUPLICATE, card=come, place=lies_at))
    return fouls


def _appeared(position: Position, card: Card | Hidden, spot: Spot) -> list[Foul]:
    if card is Hidden.CARD:
        return [foul(Breach.FACE_DOWN, place=spot)]
    lies_at = position.where(card)
    if lies_at == spot:
        return []
    if lies_at is not None:
        return [foul(Breach.DUPLICATE, card=card, place=lies_at)]
    return [*moment_to_play(position, position.to_play), *_laying(position, position.to_play, card, spot)]


def _put_right(position: Position, card: Card | Hidden, origin: Spot | None, target: Spot | None) -> list[Foul]:
    """Nothing is wrong if the card now lies where it counts, or has left a place where it did not."""
    if target is not None:
        return _moved(position, card, origin or target, target)
    return [] if origin is None else _removed(position, card, origin)


def _tile_moved(position: Position, stone: int, target: Tile) -> list[Foul]:
    if target is position.tile(stone):
        return []
    match target:
        case Tile.MISSING:
            return [foul(Breach.STONE_MISSING, stone=stone)]
        case Tile.BORDER:
            return [foul(Breach.STONE_GIVEN_BACK, player=position.tile(stone), stone=stone)]
        case Tile.A | Tile.B:
            return [foul(Breach.STONE_MISPLACED, player=target, stone=stone)]


def _once(fouls: list[Foul]) -> list[Foul]:
    return list(dict.fromkeys(fouls))
