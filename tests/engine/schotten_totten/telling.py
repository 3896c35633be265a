"""Short ways to tell a game in a test: lines of a record in, states and fouls out."""

from __future__ import annotations

from engine.record import parse_record
from engine.referee import RefereeState, fold, opening
from engine.schotten_totten.facts import Fact
from engine.schotten_totten.game import SchottenTotten
from engine.schotten_totten.position import Position
from engine.table import Table

GAME = SchottenTotten()


def told(text: str, rules: str = "base") -> RefereeState[Position, Fact]:
    """The state after the lines of a record; blanks and newlines separate nothing but lines."""
    record = parse_record(text, GAME.parse)
    return fold(opening(GAME, {"rules": rules}), record.entries)


def fouls(text: str, rules: str = "base") -> list[str]:
    """The kinds of fouls in the verdict on the last line; every line before it must be legal."""
    state = told(text, rules)
    for one in state.told[:-1]:
        assert one.verdict.legal, (str(one.fact), one.verdict)
    return [foul.kind for foul in state.told[-1].verdict.fouls]


def rules_broken(text: str, rules: str = "base") -> list[str]:
    """The ids of the rules that the last line breaks."""
    return [foul.rule for foul in told(text, rules).told[-1].verdict.fouls]


def seen(state: RefereeState[Position, Fact], *lines: str) -> Table:
    """The table as it lies after these facts happened to it, whether or not anybody told of them."""
    return state.table.after(change for line in lines for change in GAME.parse(line).changes())


def explained(state: RefereeState[Position, Fact], table: Table) -> list[str]:
    """The lines that explain a table."""
    return [str(fact) for fact in GAME.explain(state.position, state.table, table)]


def told_on(state: RefereeState[Position, Fact], table: Table) -> RefereeState[Position, Fact]:
    """The state once what is seen has been explained and told."""
    start = opening(GAME, {"rules": str(state.position.rules)})
    return fold(start, (*state.entries, *GAME.explain(state.position, state.table, table)))
