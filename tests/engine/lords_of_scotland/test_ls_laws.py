"""The laws of every game, for Lords of Scotland with two and with four players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from engine.lords_of_scotland.facts import Fact
from engine.lords_of_scotland.game import LordsOfScotland
from engine.lords_of_scotland.position import Position
from engine.rules import Game
from tests.engine.conformance import Laws
from tests.engine.lords_of_scotland import strategies

TWO: Game[Position, Fact] = LordsOfScotland(2)
FOUR: Game[Position, Fact] = LordsOfScotland(4)


class TestLordsOfScotlandForTwo(Laws):
    game = TWO
    heads = strategies.heads
    facts = strategies.all_facts(TWO.players)
    tables = strategies.tables(TWO.players)

    def histories(self, head: Mapping[str, str]) -> st.SearchStrategy[list[Any]]:
        return strategies.histories(2, head)


class TestLordsOfScotlandForFour(Laws):
    game = FOUR
    heads = strategies.heads
    facts = strategies.all_facts(FOUR.players)
    tables = strategies.tables(FOUR.players)

    def histories(self, head: Mapping[str, str]) -> st.SearchStrategy[list[Any]]:
        return strategies.histories(4, head)
