"""The laws of every game, for each of the games that the engine knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from engine.rules import Game
from engine.schotten_totten.facts import Fact
from engine.schotten_totten.game import SchottenTotten
from engine.schotten_totten.position import Position
from tests.engine.conformance import Laws
from tests.engine.schotten_totten import fact_strategies

SCHOTTEN_TOTTEN: Game[Position, Fact] = SchottenTotten()


class TestSchottenTotten(Laws):
    game = SCHOTTEN_TOTTEN
    heads = fact_strategies.heads
    facts = fact_strategies.all_facts
    tables = fact_strategies.tables()

    def histories(self, head: Mapping[str, str]) -> st.SearchStrategy[list[Any]]:
        return fact_strategies.histories(head)
