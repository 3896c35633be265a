"""Results of a tournament from the games of its stations: which game is a pairing's, and what it ended with. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.event.rounds.facts import How, Pairing, Result, ResultEntered
from firmware.event.rounds.tournament import Round, Tournament
from firmware.event.state import EventState, GameState

CHANGED = "the station's game has another end"


def result_of(game: GameState) -> Result:
    """What a game that is over ended with."""
    score = dict(game.score)
    stones = (score.get("A", 0), score.get("B", 0))
    if game.winner not in ("A", "B"):
        return Result(None, stones, How.DECIDED)
    how = How.DECIDED if game.won_by == "decision" else How.PLAYED
    return Result("A" if game.winner == "A" else "B", stones, how)


def results(tournament: Tournament, state: EventState) -> Iterator[ResultEntered]:
    """Results of the round's games at stations that differ from what is entered. What a person entered stays."""
    current = tournament.round
    if current is None or not current.is_started:
        return
    for pairing in current.games:
        station = tournament.tables.get(pairing.table or 0)
        if station is None or pairing.table is None:
            continue
        game = _game_of(tournament, state, station, pairing, current)
        entered = current.entries.get(pairing.table)
        if game is None or (entered is not None and not entered[-1].game):
            continue
        result = result_of(game)
        if entered is None or entered[-1].result != result:
            yield ResultEntered(current.number, pairing.table, result, "" if entered is None else CHANGED, game.id)


def _game_of(
    tournament: Tournament, state: EventState, station: str, pairing: Pairing, current: Round
) -> GameState | None:
    """The game of this pairing: begun for this round with these names, and over."""
    names = [tournament.name_of(number) for number in pairing.players]
    for game in state.results():
        head = dict(game.head)
        is_round = head.get("round") == str(current.number)
        if game.station == station and is_round and [head.get("player A"), head.get("player B")] == names:
            return game
    return None
