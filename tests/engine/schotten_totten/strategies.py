"""Hypothesis strategies for the values of Schotten Totten."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from engine.schotten_totten.cards import ALL_CARDS, CLAN_CARDS, ELITE_TROOPS, Card
from engine.schotten_totten.formations import Formation, Kind
from tests.engine.schotten_totten.random_positions import contested

cards: st.SearchStrategy[Card] = st.sampled_from(ALL_CARDS)
side_cards: st.SearchStrategy[Card] = st.sampled_from((*CLAN_CARDS, *ELITE_TROOPS))
formations = st.builds(Formation, st.sampled_from(Kind), st.integers(3, 36))
complete_sides = st.integers(3, 4).flatmap(
    lambda size: st.lists(side_cards, min_size=size, max_size=size, unique=True).map(tuple)
)
contested_positions: st.SearchStrategy[dict[str, Any]] = st.integers(0, 2**32).map(lambda seed: contested(Random(seed)))
