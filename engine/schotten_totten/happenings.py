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
    ruses = _ruses(position, come, moves, stale)
    by_a_ruse = {(act.card, act.origin, act.target) for choices in ruses for act in choices}
    exchanged = _exchanges(come, gone)
    laid = [lying for lying in come if not _is_ruse(lying)]
    return Happening(
        plays=(*ruses, *(choices for card, spot in laid if (choices := _laid(position, card, spot)))),
        claims=tuple(
            StoneClaimed(Player(tile.target), tile.stone, tile.origin) for tile in part.tiles if _is_claim(tile.target)
        ),
        irregular=(
            *exchanged,
            *(_out_of_place(card, spot) for card, spot in laid if not _laid(position, card, spot)),
            *(CardMoved(*move) for move in moves if move not in by_a_ruse),
            *(CardRemoved(card, spot) for card, spot in gone),
            *(StoneMoved(tile.stone, tile.origin, tile.target) for tile in part.tiles if not _is_claim(tile.target)),
        ),
    )


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


def _ruses(position: Position, come: list[Lying], moves: list[Move], stale: list[Move]) -> list[tuple[RusePlayed, ...]]:
    """The ruses beside the decks, each with the card that it has moved, just now or before it was shown."""
    plays: list[tuple[RusePlayed, ...]] = []
    free = list(moves)
    begun = position.ruse_begun
    if begun is not None and (move := _moved_by(position, begun, free)) is not None:
        plays.append((RusePlayed(position.turn, begun, *move),))
        free.remove(move)
    for ruse in [Tactic(str(card)) for card, spot in come if _is_ruse((card, spot))]:
        move = _moved_by(position, ruse, free) or _moved_by(position, ruse, stale)
        plays.append(_by_either(position, ruse, move))
        if move in free:
            free.remove(move)
    return plays


def _is_ruse(lying: Lying) -> bool:
    return lying[1] == DISCARD and lying[0] in RUSES


def _moved_by(position: Position, ruse: Tactic, moves: list[Move]) -> Move | None:
    """The card that this ruse has moved: one that it may move, else one that it may in another turn, else one that it
    looks to have moved."""
    alike = [move for move in moves if _looks_like(ruse, move)]
    fitting = [move for move in alike if any(judge(position, act).legal for act in _by_either(position, ruse, move))]
    ways = (*fitting, *(move for move in alike if _is_meant_for(ruse, move)), *alike)
    return next(iter(ways), None)


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


def _is_meant_for(ruse: Tactic, move: Move) -> bool:
    """Whether the ruse lets somebody do this: a Strategist keeps a card on its side, a Traitor does not."""
    _, origin, target = move
    is_kept = not isinstance(target, Side) or (isinstance(origin, Side) and origin.player is target.player)
    return is_kept is not (ruse is Tactic.TRAITOR)


def _by_either(position: Position, ruse: Tactic, move: Move | None) -> tuple[RusePlayed, ...]:
    """Nobody sees who laid a card beside the decks; the likeliest is the one whose card comes next."""
    likeliest = position.to_play
    effect = move or (None, None, None)
    return tuple(RusePlayed(player, ruse, *effect) for player in (likeliest, likeliest.opponent))


def _exchanges(come: list[Lying], gone: list[Lying]) -> list[Fact]:
    """Cards that lie, or backs that show, where another card lay; both are taken out of the lists."""
    facts: list[Fact] = []
    for card, spot in list(come):
        was = next((other for other, place in gone if place == spot and not isinstance(other, Hidden)), None)
        if was is not None and not _is_ruse((card, spot)):
            come.remove((card, spot))
            gone.remove((was, spot))
            facts.append(CardTurned(was, spot) if isinstance(card, Hidden) else CardSwapped(spot, was, card))
    return facts


def _laid(position: Position, card: Card | Hidden, spot: Spot) -> tuple[Act, ...]:
    """The laying of a card that somebody may have made; a combat mode by either."""
    if isinstance(card, Hidden):
        return ()
    if isinstance(spot, Side):
        return (CardLaid(spot.player, card, spot),)
    if isinstance(spot, Top) and card in COMBAT_MODES:
        likeliest = position.to_play
        return tuple(CardLaid(player, card, spot) for player in (likeliest, likeliest.opponent))
    return ()


def _out_of_place(card: Card | Hidden, spot: Spot) -> Fact:
    """A card that no turn contains: a back, or a face where nobody's side is."""
    if isinstance(card, Hidden) and isinstance(spot, Side):
        return HiddenCardLaid(spot.player, spot)
    return CardAppeared(card, spot)


def _is_claim(target: Tile) -> bool:
    return target in (Tile.A, Tile.B)
