"""The next round of a tournament: who meets whom, at which table, by the style that is asked for.

Knows how the styles follow from what was played. Pure: the same tournament gives the same round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from firmware.event.rounds.facts import Pairing, Refused, RoundPaired, Style
from firmware.event.rounds.round import Round
from firmware.event.rounds.schedule import (
    Slot,
    bracket,
    bracket_after,
    bracket_round,
    circle,
    circle_round,
    circle_rounds,
)
from firmware.event.rounds.standings import meetings_of, standings
from firmware.event.rounds.tournament import Tournament

if TYPE_CHECKING:
    from firmware.event.rounds.pairing import Contender

Pairs = Sequence[tuple[int, Slot]]


def next_round(tournament: Tournament, style: Style | None = None, top: int | None = None) -> RoundPaired:
    """The round after the last; raises Refused when there is none. `top` lets only the best so many into a knock-out
    that begins now."""
    if tournament.opened is None:
        raise Refused("not-opened")
    last = tournament.round
    if last is not None and not last.is_over:
        raise Refused("round-open", round=last.number, tables=len(last.waiting))
    if len(tournament.playing()) < 2:
        raise Refused("too-few")
    chosen = style or tournament.style
    if last is not None and last.style is Style.KNOCK_OUT and chosen is not Style.KNOCK_OUT:
        raise Refused("bracket-goes-on")
    order, pairs = PAIRED[chosen](tournament, top)
    number = len(tournament.rounds) + 1
    return RoundPaired(number, chosen, _at_tables(tournament, pairs), order)


def _swiss(tournament: Tournament, top: int | None) -> tuple[tuple[Slot, ...], Pairs]:
    from firmware.event.rounds.pairing import swiss  # the matching library is the hub's alone

    return (), swiss(contenders_of(tournament), _lot(tournament, len(tournament.rounds) + 1))


def contenders_of(tournament: Tournament) -> list[Contender]:
    """Everybody who plays, with what a Swiss pairing must know of them."""
    from firmware.event.rounds.pairing import Contender

    meetings = meetings_of(tournament)
    lines = {line.player.number: line for line in standings(tournament)}
    return [
        Contender(
            number=one.number,
            points=lines[one.number].points,
            met=Counter(meeting.opponent for meeting in meetings[one.number]),
            byes=lines[one.number].byes,
            lean=sum(1 if meeting.seat == "A" else -1 for meeting in meetings[one.number]),
        )
        for one in tournament.playing()
    ]


def _round_robin(tournament: Tournament, top: int | None) -> tuple[tuple[Slot, ...], Pairs]:
    before = [one for one in tournament.rounds if one.style is Style.ROUND_ROBIN]
    order = before[0].order if before else circle(_drawn(tournament))
    if len(before) >= circle_rounds(order):
        raise Refused("all-met")
    return order, _without_the_gone(tournament, circle_round(order, len(before)))


def _knock_out(tournament: Tournament, top: int | None) -> tuple[tuple[Slot, ...], Pairs]:
    last = tournament.round
    if last is None or last.style is not Style.KNOCK_OUT:
        ranked = _drawn(tournament) if last is None else _by_standing(tournament)
        slots = bracket(ranked[:top])
    else:
        slots = bracket_after(last.order, _winner_of(last))
    playing = {one.number for one in tournament.playing()}
    slots = tuple(slot if slot in playing else None for slot in slots)
    if len(slots) < 2 or sum(slot is not None for slot in slots) < 2:
        raise Refused("has-won", name=_winner_name(tournament, slots))
    return slots, bracket_round(slots)


PAIRED: dict[Style, Callable[[Tournament, int | None], tuple[tuple[Slot, ...], Pairs]]] = {
    Style.SWISS: _swiss,
    Style.ROUND_ROBIN: _round_robin,
    Style.KNOCK_OUT: _knock_out,
}


def _lot(tournament: Tournament, number: int) -> str:
    seed = 0 if tournament.opened is None else tournament.opened.seed
    return f"{seed}/{number}"


def _drawn(tournament: Tournament) -> list[int]:
    """Everybody who plays, in the order of the lots."""
    return [line.player.number for line in sorted(standings(tournament), key=lambda one: one.lot) if line.player.is_in]


def _by_standing(tournament: Tournament) -> list[int]:
    return [line.player.number for line in standings(tournament) if line.player.is_in]


def _winner_of(last: Round) -> Callable[[int, int], Slot]:
    def winner(a: int, b: int) -> Slot:
        pairing = last.of(a)
        result = None if pairing is None else last.result(pairing.table)
        if pairing is None or result is None or result.winner is None:
            return None
        return pairing.a if result.winner == "A" else pairing.b

    return winner


def _winner_name(tournament: Tournament, slots: Sequence[Slot]) -> str:
    return next((tournament.name_of(slot) for slot in slots if slot is not None), "–")


def _without_the_gone(tournament: Tournament, pairs: Pairs) -> Pairs:
    """Whoever was to meet somebody who left has no opponent."""
    playing = {one.number for one in tournament.playing()}
    kept = [(a if a in playing else None, b if b in playing else None) for a, b in pairs]
    return [(a, b) if a is not None else (b, None) for a, b in kept if a is not None or b is not None]  # type: ignore[misc]


def _at_tables(tournament: Tournament, pairs: Pairs) -> tuple[Pairing, ...]:
    """The first pairs at the first tables; without a list of tables they are numbered as needed."""
    games = [pair for pair in pairs if pair[1] is not None]
    tables = sorted(tournament.tables) or list(range(1, len(games) + 1))
    if len(tables) < len(games):
        raise Refused("too-few-tables", tables=len(tables), games=len(games))
    at = iter(tables)
    return tuple(Pairing(None if b is None else next(at), a, b) for a, b in pairs)
