"""Results of a tournament from the games of its stations: which game is a pairing's, and what it ended with. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from firmware.event.rounds.facts import How, Pairing, Result, ResultEntered
from firmware.event.rounds.tournament import Round, Tournament
from firmware.event.state import EventState, GameState

CHANGED = "the station's game has another end"


class Seating(Enum):
    """Whether the players of a game are those of a pairing, and sit as they were paired."""

    AS_PAIRED = "as paired"
    SWAPPED = "swapped"
    OTHERS = "others"

    @property
    def seats(self) -> tuple[str, str]:
        """Where those sit who were paired as A and B."""
        return ("B", "A") if self is Seating.SWAPPED else ("A", "B")


def seating(game: GameState, names: Sequence[str], number: int) -> Seating:
    """Who sits at a game, beside those who were paired in the round of this number."""
    head = dict(game.head)
    seated = [head.get("player A"), head.get("player B")]
    if head.get("round") != str(number) or sorted(map(str, seated)) != sorted(names):
        return Seating.OTHERS
    return Seating.AS_PAIRED if seated == list(names) else Seating.SWAPPED


def result_of(game: GameState, seats: Seating = Seating.AS_PAIRED) -> Result:
    """What a game that is over ended with, for the seats as they were paired."""
    score = dict(game.score)
    a, b = seats.seats
    stones = (score.get(a, 0), score.get(b, 0))
    if game.winner not in (a, b):
        return Result(None, stones, How.DECIDED)
    how = How.DECIDED if game.won_by == "decision" else How.PLAYED
    return Result("A" if game.winner == a else "B", stones, how)


def results(tournament: Tournament, state: EventState) -> Iterator[ResultEntered]:
    """Results of the round's games at stations that differ from what is entered. What a person entered stays."""
    current = tournament.round
    if current is None or not current.is_started:
        return
    for pairing in current.games:
        station = tournament.tables.get(pairing.table or 0)
        if station is None or pairing.table is None:
            continue
        game, seats = _game_of(tournament, state, station, pairing, current)
        entered = current.entries.get(pairing.table)
        if game is None or (entered is not None and not entered[-1].game):
            continue
        result = result_of(game, seats)
        if entered is None or entered[-1].result != result:
            yield ResultEntered(current.number, pairing.table, result, "" if entered is None else CHANGED, game.id)


def _game_of(
    tournament: Tournament, state: EventState, station: str, pairing: Pairing, current: Round
) -> tuple[GameState | None, Seating]:
    """The game of this pairing: for this round, of these players, and over."""
    names = [tournament.name_of(number) for number in pairing.players]
    for game in state.results():
        seats = seating(game, names, current.number)
        if game.station == station and seats is not Seating.OTHERS:
            return game, seats
    return None, Seating.OTHERS
