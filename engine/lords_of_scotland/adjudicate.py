"""The answer to a skirmish position: who stands where and why, who takes supporters, whose power is blocked by whom.

Knows how to say it as a document; the order itself comes from `skirmish`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.lords_of_scotland.position import Position, Stage
from engine.lords_of_scotland.powers import blocker
from engine.lords_of_scotland.skirmish import Standing, next_taker, ranking, winner
from engine.lords_of_scotland.words import no_ally_words, not_final_words, standing_words
from engine.table import Player


def adjudicate(position: Position, language: str) -> dict[str, Any]:
    """The ranking of the armies with reasons. `final` is false while allies lie face down: they do not count yet."""
    standings = ranking(position)
    return {
        "ranking": [
            _standing(standing, said)
            for standing, said in zip(standings, standing_words(standings, language), strict=True)
        ],
        "without_ally": [player for player in position.players if not position.army(player)],
        "final": not position.hidden,
        "next_to_take": None if position.hidden else next_taker(position),
        "powers": [
            {"card": ally.code, "player": player, "blocked_by": blocking.code if blocking else None}
            for player, ally in position.face_up()
            for blocking in [blocker(position, ally.code)]
        ],
        "points": {player: position.points(player) for player in position.players},
        "winner": _winner(position, standings),
    }


def adjudicated_words(position: Position, language: str) -> list[str]:
    """The ranking in sentences, and whether it will stay so."""
    lines = standing_words(ranking(position), language)
    lines += [no_ally_words(player, language) for player in position.players if not position.army(player)]
    return [*lines, not_final_words(language)] if position.hidden else lines


def _winner(position: Position, standings: tuple[Standing, ...]) -> Player | None:
    """Only when everybody has taken their supporters can the game have been won. Until then the places are still those
    of the skirmish before."""
    if position.stage is not Stage.OVER and (position.hidden or next_taker(position) is not None):
        return None
    told = position.places if position.stage in (Stage.SETTING_OUT, Stage.OVER) else ()
    return winner(replace(position, places=told or tuple(standing.army.player for standing in standings)))


def _standing(standing: Standing, said: str) -> dict[str, Any]:
    army = standing.army
    return {
        "place": standing.place,
        "player": army.player,
        "sum": army.sum,
        "doubled": army.doubled,
        "strength": army.strength,
        "rank": army.rank,
        "hidden": army.hidden,
        "takes": standing.takes,
        "why": standing.why.value,
        "words": said,
    }
