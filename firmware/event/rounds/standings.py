"""How everybody stands: five points for a win, less for a loss, and what decides where points are equal.

In this order: how far somebody came in the knock-out, if there is one; points; matches won at the table; the average
points of the opponents met; the points of those still equal against one another, if they have all met; Stones held; and
the lot that was drawn with the event's seed. A bye is worth a win, and is no game for anything else.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Any

from firmware.event.rounds.facts import Pairing, Result, Seat, Style
from firmware.event.rounds.round import Round
from firmware.event.rounds.tournament import Entrant, Tournament, played


@dataclass(frozen=True, slots=True)
class Meeting:
    """One player's side of a game: whom they met in which seat, and the points, None while it is played."""

    round: int
    opponent: int
    seat: Seat
    points: int | None
    won: bool = False
    stones: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's line. `opponents` is the average of the points of those met; `direct` the points among equals."""

    place: int
    player: Entrant
    points: int
    games: int
    wins: int
    byes: int
    opponents: Fraction
    direct: int
    stones: int
    lot: int
    reached: int = 0
    meetings: tuple[Meeting, ...] = ()


def standings(tournament: Tournament) -> tuple[Standing, ...]:
    """Everybody who ever entered, the best first."""
    meetings = meetings_of(tournament)
    byes = _byes(tournament)
    points = {
        number: sum(one.points or 0 for one in meetings[number]) + sum(byes[number]) for number in tournament.players
    }
    seed = 0 if tournament.opened is None else tournament.opened.seed
    lines = []
    for number, player in tournament.players.items():
        met = [one for one in meetings[number] if one.points is not None]
        theirs = [points[one.opponent] for one in met]
        line = Standing(
            place=0,
            player=player,
            points=points[number],
            games=len(met),
            wins=sum(one.won for one in met),
            byes=len(byes[number]),
            opponents=Fraction(sum(theirs), len(theirs)) if theirs else Fraction(0),
            direct=0,
            stones=sum(one.stones for one in met),
            lot=_lot(seed, number),
            reached=_reached(tournament, number),
            meetings=tuple(meetings[number]),
        )
        lines.append(line)
    ranked = _by_direct_meeting(sorted(lines, key=_first), meetings)
    return tuple(replace(line, place=place) for place, line in enumerate(ranked, 1))


def meetings_of(tournament: Tournament) -> dict[int, list[Meeting]]:
    """All games of every player, in the order of the rounds."""
    found: dict[int, list[Meeting]] = {number: [] for number in tournament.players}
    for one, pairing, result in played(tournament):
        if pairing.b is None:
            continue
        for seat, player, opponent in _sides(pairing):
            found[player].append(_meeting(one, pairing, opponent, seat, result))
    return found


def _sides(pairing: Pairing) -> Iterator[tuple[Seat, int, int]]:
    if pairing.b is not None:
        yield "A", pairing.a, pairing.b
        yield "B", pairing.b, pairing.a


def _meeting(one: Round, pairing: Pairing, opponent: int, seat: Seat, result: Result | None) -> Meeting:
    points = one.points(pairing.table)
    if result is None or points is None:
        return Meeting(one.number, opponent, seat, None)
    at = "AB".index(seat)
    return Meeting(one.number, opponent, seat, points[at], result.winner == seat, result.stones[at])


def _byes(tournament: Tournament) -> defaultdict[int, list[int]]:
    """What everybody's byes were worth; they count once their round has begun."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for one in tournament.rounds:
        if (worth := one.bye_points) is not None:
            for number in one.byes:
                found[number].append(worth)
    return found


def _lot(seed: int, number: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed}/{number}".encode()).digest()[:6])


def _reached(tournament: Tournament, number: int) -> int:
    """The knock-out rounds somebody was in, and one more for winning the last."""
    rounds = [one for one in tournament.rounds if one.style is Style.KNOCK_OUT and number in one.order]
    if not rounds:
        return 0
    last = rounds[-1]
    pairing = last.of(number)
    if pairing is None or last.number != len(tournament.rounds):
        return len(rounds)
    result = last.result(pairing.table)
    has_won = pairing.b is None or (result is not None and result.winner == ("A" if pairing.a == number else "B"))
    return len(rounds) + (has_won and last.is_started)


def _first(line: Standing) -> tuple[Any, ...]:
    return (-line.reached, -line.points, -line.wins, -line.opponents)


def _by_direct_meeting(lines: Sequence[Standing], meetings: dict[int, list[Meeting]]) -> Iterator[Standing]:
    """Those equal so far, by what they did against one another; then by Stones and by lot."""
    last: Callable[[Standing], tuple[int, ...]] = lambda line: (-line.direct, -line.stones, line.lot)  # noqa: E731
    for _, group in groupby(lines, key=_first):
        equals = list(group)
        numbers = {line.player.number for line in equals}
        among = {
            number: [one for one in meetings[number] if one.opponent in numbers and one.points is not None]
            for number in numbers
        }
        if len(equals) > 1 and all({one.opponent for one in among[n]} == numbers - {n} for n in numbers):
            equals = [replace(line, direct=sum(m.points or 0 for m in among[line.player.number])) for line in equals]
        yield from sorted(equals, key=last)
