"""A game as entries of the journal, both ways: what was told becomes a state again, and an end becomes an entry.

Knows the engine's fold and the journal's lines; knows no clock, no device and no screen.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from engine.record import parse_entry
from engine.referee import Corrected, Decided, Paused, Reopened, Resumed, Ruled, Undone, fold, opening
from engine.rules import BadRecord
from firmware.event.facts import PlayersNamed, decode
from firmware.faults import JournalDamaged
from firmware.games import Refereed
from firmware.interpret import Corrections, corrections_of
from firmware.journal import Entry, Kind, Line
from firmware.state import Referee, StationState

ACTS = (Undone, Paused, Resumed, Ruled, Decided, Reopened, Corrected)


def replayed(refereed: Refereed, entries: Iterable[Entry]) -> tuple[Referee, Referee, tuple[tuple[str, str], ...]]:
    """The opening and the state of a game from its entries in the journal, and the record's head."""
    head: dict[str, str] = {}
    told_entries: list[Any] = []
    for entry in entries:
        try:
            if entry.kind is Kind.BEGIN:
                head = {key: value for key, value in json.loads(entry.line).items() if key != "game"}
            elif entry.kind in (Kind.FACT, Kind.ACT):
                told_entries.append(parse_entry(entry.line, refereed.game.parse))
            elif entry.kind is Kind.NOTE:
                head |= named_in(entry.line)
        except BadRecord as error:
            raise JournalDamaged(f"entry {entry.seq} cannot be understood: {error}") from error
    start = opening(refereed.game, head)
    return start, fold(start, told_entries), tuple(sorted(head.items()))


def named_in(line: str) -> dict[str, str]:
    """What a note says about the head of its game: who plays it, in which round."""
    fact = decode(line)
    return {str(key): str(value) for key, value in fact.head.items()} if isinstance(fact, PlayersNamed) else {}


def game_of(entries: Iterable[Entry]) -> str:
    """Which game these entries are of; those of old journals, which do not say, are of the first one."""
    begun = next((entry for entry in entries if entry.kind is Kind.BEGIN), None)
    return "schotten-totten" if begun is None else str(json.loads(begun.line).get("game", "schotten-totten"))


def winner(referee: Referee) -> Any:
    """Who has won, or the decision that ended the game; None while it is open."""
    if referee.decision is not None:
        return referee.decision
    return referee.game.summary(referee.position).winner


def result_line(state: StationState) -> list[Line]:
    """The entry that ends a game, once it has an end."""
    end = ending(state.referee)
    if end is None:
        return []
    decision = state.referee.decision
    return [Line(Kind.END, json.dumps(end), "station" if decision is None else decision.by)]


def ending(referee: Referee) -> dict[str, Any] | None:
    """How a game has ended: winner, by what, and what each player holds; None while it goes on."""
    decision, summary = referee.decision, referee.game.summary(referee.position)
    score = {str(player): points for player, points in summary.score}
    if decision is not None:
        return {"winner": decision.winner, "by": "decision", "score": score}
    if summary.winner is not None:
        return {"winner": summary.winner, "by": summary.won_by, "score": score}
    return None


def corrections(referee: Referee) -> Corrections:
    """What people said about misread cards, from the acts told so far."""
    entries = referee.entries
    facts = {number: entry for number, entry in enumerate(entries, 1) if not isinstance(entry, ACTS)}
    return corrections_of(
        (facts[entry.number].changes(), entry.fact.changes())
        for entry in entries
        if isinstance(entry, Corrected) and entry.number in facts
    )
