"""Results of a tournament from the games of its stations: which game is a pairing's, and what it ended with. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum

from firmware.event.rounds.facts import How, Result, ResultEntered
from firmware.event.rounds.round import Entered, Round
from firmware.event.rounds.tournament import Tournament
from firmware.event.state import EventState, GameState

CHANGED = "the station's game has another end"
OPEN = "the station's game is open again"


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
    played: defaultdict[str, list[GameState]] = defaultdict(list)
    for game in sorted(state.results(), key=lambda game: game.began):
        played[game.station].append(game)
    for pairing in current.games:
        station, table = tournament.tables.get(pairing.table or 0), pairing.table
        if station is None or table is None:
            continue
        names = [tournament.name_of(number) for number in pairing.players]
        seated = [(game, seating(game, names, current.number)) for game in played[station]]
        yield from _reopened(current, table, state)
        yield from _of_table(current, table, [one for one in seated if one[1] is not Seating.OTHERS])


def _reopened(current: Round, table: int, state: EventState) -> Iterator[ResultEntered]:
    """The last game of a match, where a judge has opened it again since it was entered: it counts once it ends."""
    for last in current.legs(table)[-1:]:
        game = state.games.get(last.game)
        if game is not None and not game.is_over:
            yield ResultEntered(current.number, table, Result(None, (0, 0), How.REOPENED), OPEN, game.id, last.leg)


def _of_table(current: Round, table: int, games: Iterable[tuple[GameState, Seating]]) -> Iterator[ResultEntered]:
    """A game that was entered keeps its place in the match; another is the next one, while the match goes on."""
    legs = {entered.leg: entered for entered in current.legs(table)}
    known = {entered.game: entered.leg for entered in current.entries.get(table, ()) if entered.game}
    for game, seats in games:
        result, leg = result_of(game, seats), known.get(game.id, len(legs) + 1)
        before = legs.get(leg)
        if before is None:
            if current.match.result([legs[n].result for n in sorted(legs)]) is None:
                legs[leg] = Entered(result, "", "", game=game.id, leg=leg)
                yield ResultEntered(current.number, table, result, "", game.id, leg)
        elif before.game == game.id and before.result != result:
            legs[leg] = replace(before, result=result)
            yield ResultEntered(current.number, table, result, CHANGED, game.id, leg)
