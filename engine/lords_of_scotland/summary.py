"""What every screen needs to know of a position, and what only this game's screens show."""

from __future__ import annotations

from engine.lords_of_scotland.course import at_rest
from engine.lords_of_scotland.position import Position, Stage
from engine.lords_of_scotland.skirmish import armies, next_taker, winner
from engine.rules import Mark, Sign, Summary
from engine.table import Player


def summary(position: Position) -> Summary:
    """Lamps stand for players: whoever takes a supporter next, whose army leads, and who is level at the top."""
    position = at_rest(position)
    won = winner(position) if position.stage is Stage.OVER else None
    return Summary(
        turn=whose_moment(position),
        marks=tuple(Mark(player, _sign(position, player)) for player in position.players),
        score=tuple((player, position.points(player)) for player in position.players),
        winner=won,
        won_by=_won_by(position, won) if won is not None else None,
    )


def whose_moment(position: Position) -> Player | None:
    """Who acts next. While a power may still be used that is its player, though the next one may act already."""
    match position.stage:
        case Stage.FIGHTING:
            return position.on_turn
        case Stage.SHARING:
            return None if position.hidden else next_taker(position)
        case _:
            return None


def _sign(position: Position, player: Player) -> Sign:
    if position.stage is Stage.SHARING and player == whose_moment(position):
        return Sign.OFFERED
    if position.stage not in (Stage.FIGHTING, Stage.SHARING) or not position.army(player):
        return Sign.DARK
    strengths = {army.player: army.strength for army in armies(position) if position.army(army.player)}
    best = max(strengths.values())
    if strengths[player] < best:
        return Sign.DARK
    if list(strengths.values()).count(best) > 1:
        return Sign.TIE
    return Sign.HELD


def _won_by(position: Position, won: Player) -> str:
    level = [player for player in position.players if position.points(player) == position.points(won)]
    return "better-place" if len(level) > 1 else "most-points"
