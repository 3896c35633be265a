"""What was done, as far as the table tells: cards laid, Stones taken, ruses with the card they moved, and the rest.

Puts differences of the table together to acts. Asks the law only which of several moved cards a ruse has moved.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.schotten_totten.cards import COMBAT_MODES, RUSES, Card, Player, Tactic
from engine.schotten_totten.differences import Lying, Unexplained
from engine.schotten_totten.facts import Act, CardLaid, Fact, HiddenCardLaid, RusePlayed, StoneClaimed
from engine.schotten_totten.irregularities import (
    CardAppeared,
    CardMoved,
    CardRemoved,
    CardSwapped,
    CardTurned,
    StoneMoved,
)
from engine.schotten_totten.legality import judge
from engine.schotten_totten.position import Position
from engine.schotten_totten.spots import DISCARD, Discard, Hidden, Side, Spot, Tile, Top

Move = tuple[Card, Spot, Spot]


@dataclass(frozen=True, slots=True)
class Happening:
    """Plays, each with everyone who may have made it, the likeliest first; claims; and what is part of no turn."""

    plays: tuple[tuple[Act, ...], ...]
    claims: tuple[StoneClaimed, ...]
    irregular: tuple[Fact, ...]


def happening(position: Position, part: Unexplained, whole: Unexplained) -> Happening:
    """What was done so that this part of the differences came about; a ruse may need the others to be understood."""
    moves, come = _moves(part.come, whole)
    gone = [lying for lying in part.gone if lying[0] not in {card for card, _, _ in moves}]
    stale = [move for move in _moves(whole.come, whole)[0] if move not in moves]
    plays: list[tuple[Act, ...]] = []
    irregular: list[Fact] = []

    if position.ruse_begun is not None and (move := _moved_by(position, position.ruse_begun, moves)) is not None:
        plays.append((RusePlayed(position.turn, position.ruse_begun, *move),))
        moves.remove(move)
    for ruse in [card for card, spot in come if spot == DISCARD and card in RUSES]:
        move = _moved_by(position, Tactic(str(ruse)), moves) or _moved_by(position, Tactic(str(ruse)), stale)
        plays.append(_by_either(position, Tactic(str(ruse)), move))
        if move in moves:
            moves.remove(move)
    for card, spot in come:
        if spot == DISCARD and card in RUSES:
            continue
        swapped = next((lying for lying in gone if lying[1] == spot), None)
        if swapped is not None and not isinstance(swapped[0], Hidden):
            gone.remove(swapped)
            irregular.append(_replaced(swapped[0], card, spot))
        elif isinstance(card, Hidden):
            irregular.append(_hidden(spot))
        else:
            plays += _laid(position, card, spot)
            irregular += _appeared(card, spot)
    irregular += [CardMoved(*move) for move in moves]
    irregular += [CardRemoved(card, spot) for card, spot in gone]
    claims = [
        StoneClaimed(Player(tile.target), tile.stone, tile.origin) for tile in part.tiles if _is_claim(tile.target)
    ]
    irregular += [StoneMoved(tile.stone, tile.origin, tile.target) for tile in part.tiles if not _is_claim(tile.target)]
    return Happening(tuple(plays), tuple(claims), tuple(irregular))


def _moves(come: tuple[Lying, ...], whole: Unexplained) -> tuple[list[Move], list[Lying]]:
    """Cards that lie elsewhere than they ought to, with where they ought to lie; and those that came from outside."""
    origins = dict(whole.gone)
    moves: list[Move] = []
    from_outside: list[Lying] = []
    for card, spot in come:
        if isinstance(card, Hidden) or (origin := origins.pop(card, None)) is None:
            from_outside.append((card, spot))
        else:
            moves.append((card, origin, spot))
    return moves, from_outside


def _moved_by(position: Position, ruse: Tactic, moves: list[Move]) -> Move | None:
    """The card that this ruse has moved: one that it may move, else one that it looks to have moved."""
    alike = [move for move in moves if _looks_like(ruse, move)]
    fitting = (move for move in alike if any(judge(position, act).legal for act in _by_either(position, ruse, move)))
    return next(fitting, alike[0] if alike else None)


def _looks_like(ruse: Tactic, move: Move) -> bool:
    match ruse:
        case Tactic.BANSHEE:
            return isinstance(move[2], Discard)
        case Tactic.TRAITOR:
            return isinstance(move[2], Side)
        case Tactic.STRATEGIST:
            return not isinstance(move[2], Top)
        case _:
            return False


def _by_either(position: Position, ruse: Tactic, move: Move | None) -> tuple[RusePlayed, ...]:
    """Nobody sees who laid a card beside the decks; the likeliest is the one whose card comes next."""
    likeliest = position.to_play
    effect = move or (None, None, None)
    return tuple(RusePlayed(player, ruse, *effect) for player in (likeliest, likeliest.opponent))


def _laid(position: Position, card: Card, spot: Spot) -> list[tuple[Act, ...]]:
    match spot:
        case Side(_, player):
            return [(CardLaid(player, card, spot),)]
        case Top() if card in COMBAT_MODES:
            likeliest = position.to_play
            return [tuple(CardLaid(player, card, spot) for player in (likeliest, likeliest.opponent))]
        case _:
            return []


def _appeared(card: Card, spot: Spot) -> list[Fact]:
    """A card that belongs to nobody's side and is no mode on a Stone."""
    known = isinstance(spot, Side) or (isinstance(spot, Top) and card in COMBAT_MODES)
    return [] if known else [CardAppeared(card, spot)]


def _replaced(gone: Card, come: Card | Hidden, spot: Spot) -> Fact:
    return CardTurned(gone, spot) if isinstance(come, Hidden) else CardSwapped(spot, gone, come)


def _hidden(spot: Spot) -> Fact:
    return HiddenCardLaid(spot.player, spot) if isinstance(spot, Side) else CardAppeared(Hidden.CARD, spot)


def _is_claim(target: Tile) -> bool:
    return target in (Tile.A, Tile.B)
