"""Schotten Totten as the referee sees it: the parts of this package behind the Protocol of `engine.rules`."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rules import Summary
from engine.schotten_totten.effects import applied
from engine.schotten_totten.events import event_of
from engine.schotten_totten.explain import explain
from engine.schotten_totten.facts import Fact
from engine.schotten_totten.irregularities import CardRemoved, Irregularity
from engine.schotten_totten.legality import judge, withdraws_ruse
from engine.schotten_totten.notation import parse_fact
from engine.schotten_totten.options import parse_rules
from engine.schotten_totten.position import Position, opening_position, table_of
from engine.schotten_totten.summary import summary
from engine.schotten_totten.words import remedy_words, verdict_words
from engine.table import Change, Player, Table
from engine.verdicts import Verdict, Words


class SchottenTotten:
    """The game; it holds no state."""

    name = "schotten-totten"
    players = (Player("A"), Player("B"))

    def opening(self, rules: Mapping[str, str]) -> Position:
        return opening_position(parse_rules(rules))

    def judge(self, position: Position, fact: Fact) -> Verdict:
        return judge(position, fact)

    def after(self, position: Position, fact: Fact) -> Position:
        if not judge(position, fact).legal:
            return position
        if isinstance(fact, Irregularity):
            withdrawn = isinstance(fact, CardRemoved) and withdraws_ruse(position, fact.card, fact.spot)
            return applied(position, fact) if withdrawn else position
        return applied(position, fact)

    def enforce(self, position: Position, fact: Fact) -> Position:
        return applied(position, fact)

    def table(self, position: Position) -> Table:
        return table_of(position)

    def explain(self, position: Position, told: Table, seen: Table) -> tuple[Fact, ...]:
        return explain(position, told, seen)

    def parse(self, line: str) -> Fact:
        return parse_fact(line)

    def summary(self, position: Position) -> Summary:
        return summary(position)

    def words(self, position: Position, fact: Fact, verdict: Verdict, language: str) -> Words:
        return verdict_words(position, fact, verdict, language)

    def event(self, fact: Fact, verdict: Verdict) -> dict[str, object]:
        return event_of(fact, verdict)

    def remedy(self, change: Change, language: str) -> Words:
        return remedy_words(change, language)
