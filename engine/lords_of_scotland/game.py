"""Lords of Scotland as the referee sees it: the one object that fits `engine.rules.Game`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.lords_of_scotland.cards import Deck, default_deck
from engine.lords_of_scotland.course import enforce
from engine.lords_of_scotland.events import event_of
from engine.lords_of_scotland.explain import explain
from engine.lords_of_scotland.facts import Fact
from engine.lords_of_scotland.legality import judge
from engine.lords_of_scotland.notation import parse_fact
from engine.lords_of_scotland.options import Rules, parse_rules
from engine.lords_of_scotland.position import SEATS, Position, opening
from engine.lords_of_scotland.summary import summary
from engine.lords_of_scotland.words import remedy_words, words
from engine.rules import BadRecord, Summary
from engine.table import Change, Player, Table
from engine.verdicts import Verdict, Words

NAME = "lords-of-scotland"


@dataclass(frozen=True)
class LordsOfScotland:
    """The game for so many players or fewer, with this deck; the rules in a record's head say how many play."""

    seats: int = 2
    deck: Deck = field(default_factory=default_deck)

    @property
    def name(self) -> str:
        return NAME

    @property
    def players(self) -> tuple[Player, ...]:
        return SEATS[: self.seats]

    def opening(self, rules: Mapping[str, str]) -> Position:
        agreed = parse_rules(rules, Rules(seats=self.seats))
        if agreed.seats > self.seats:
            raise BadRecord(f"seats: expected {self.seats} at the most, as this table has, found {agreed.seats}")
        return opening(self.deck, agreed.bruce, agreed.seats, agreed.initiative)

    def judge(self, position: Position, fact: Fact) -> Verdict:
        return judge(position, fact)

    def after(self, position: Position, fact: Fact) -> Position:
        return enforce(position, fact) if judge(position, fact).legal else position

    def enforce(self, position: Position, fact: Fact) -> Position:
        return enforce(position, fact)

    def table(self, position: Position) -> Table:
        return position.table()

    def explain(self, position: Position, told: Table, seen: Table) -> tuple[Fact, ...]:
        return explain(position, told, seen)

    def parse(self, line: str) -> Fact:
        fact = parse_fact(self.deck, line)
        if fact.player is not None and fact.player not in self.players:
            raise BadRecord(f"column 1: expected a player ({', '.join(self.players)}), found {fact.player!r}")
        return fact

    def summary(self, position: Position) -> Summary:
        return summary(position)

    def words(self, position: Position, fact: Fact, verdict: Verdict, language: str) -> Words:
        return words(position, fact, verdict, language)

    def event(self, fact: Fact, verdict: Verdict) -> dict[str, object]:
        return event_of(fact, verdict)

    def remedy(self, change: Change, language: str) -> Words:
        return remedy_words(self.deck, change, language)


def game_for(head: Mapping[str, str], deck: Deck | None = None) -> LordsOfScotland:
    """The game that a record's head speaks of; raises BadRecord."""
    return LordsOfScotland(parse_rules(head).seats, deck or default_deck())
