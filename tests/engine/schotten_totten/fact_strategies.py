"""Hypothesis strategies for what may happen at a table of Schotten Totten, and for tables that a camera may see."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import islice
from random import Random
from typing import Any

from hypothesis import strategies as st

from engine.schotten_totten import facts, irregularities
from engine.schotten_totten.cards import ALL_CARDS, STONES, Card, Player, Tactic
from engine.schotten_totten.options import parse_rules
from engine.schotten_totten.spots import (
    DISCARD,
    SPOTS,
    Hidden,
    Spot,
    Tile,
    card_piece,
    place_of,
    tile_piece,
    tile_place,
)
from engine.table import Piece, Place, Table
from firmware.simulation.players import RANDOM, SENSIBLE, play_game

heads: st.SearchStrategy[Mapping[str, str]] = st.sampled_from(
    [
        {"rules": "base"},
        {"rules": "expert"},
        {"rules": "tactics"},
        {"rules": "tactics expert"},
        {"rules": "tactics proof=tactics second-joker=never first=B"},
    ]
)

players = st.sampled_from(Player)
cards: st.SearchStrategy[Card] = st.sampled_from(ALL_CARDS)
spots: st.SearchStrategy[Spot] = st.sampled_from(SPOTS)
stones = st.sampled_from(STONES)
tiles = st.sampled_from(Tile)
lying: st.SearchStrategy[Card | Hidden] = st.one_of(cards, st.just(Hidden.CARD))
laid = st.tuples(cards, spots)

ruses = st.one_of(
    st.builds(
        facts.RusePlayed,
        players,
        st.sampled_from([Tactic.STRATEGIST, Tactic.BANSHEE, Tactic.TRAITOR, Tactic.RECRUITER]),
    ),
    st.builds(facts.RusePlayed, players, st.just(Tactic.BANSHEE), cards, spots, st.just(DISCARD)),
    st.builds(facts.RusePlayed, players, st.sampled_from([Tactic.STRATEGIST, Tactic.TRAITOR]), cards, spots, spots),
)
acts: st.SearchStrategy[facts.Act] = st.one_of(
    st.builds(facts.CardLaid, players, cards, spots),
    st.builds(facts.CardsLaid, players, st.lists(laid, min_size=2, max_size=3).map(tuple)),
    st.builds(facts.HiddenCardLaid, players, spots),
    ruses,
    st.builds(facts.StoneClaimed, players, stones, st.one_of(tiles, st.none())),
    st.builds(facts.Passed, players),
    st.builds(facts.TurnEnded, players),
)
irregular: st.SearchStrategy[irregularities.Irregularity] = st.one_of(
    st.builds(irregularities.CardRemoved, lying, spots),
    st.builds(irregularities.CardMoved, lying, spots, spots),
    st.builds(irregularities.CardSwapped, spots, cards, cards),
    st.builds(irregularities.CardTurned, cards, spots),
    st.builds(irregularities.CardAppeared, lying, spots),
    st.builds(irregularities.StoneMoved, stones, tiles, tiles),
    st.builds(irregularities.CardPutRight, lying, st.one_of(spots, st.none()), st.one_of(spots, st.none())),
    st.builds(irregularities.StonePutRight, stones, tiles, tiles),
)
all_facts: st.SearchStrategy[facts.Fact] = st.one_of(acts, irregular)


@cache
def played(rules: str, seed: int) -> tuple[facts.Fact, ...]:
    """The facts of a whole game."""
    mind = SENSIBLE if seed % 2 else RANDOM
    return tuple(step.fact for step in play_game(parse_rules({"rules": rules}), Random(seed), mind, mind))


def histories(head: Mapping[str, str]) -> st.SearchStrategy[list[Any]]:
    """The beginning of a game that was played by the rules."""
    return st.builds(
        lambda seed, length: list(islice(played(head["rules"], seed), length)),
        st.integers(0, 7),
        st.sampled_from(range(0, 72, 6)),
    )


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Any table that a camera could see: cards anywhere, some twice, some face down, tiles anywhere or missing."""
    places: dict[Place, set[Piece]] = {}
    for card, spot in draw(st.lists(laid, max_size=14)):
        places.setdefault(place_of(spot), set()).add(card_piece(card))
    for spot in draw(st.lists(spots, max_size=2, unique=True)):
        places.setdefault(place_of(spot), set()).add(card_piece(Hidden.CARD))
    for stone in STONES:
        place = tile_place(stone, draw(st.sampled_from([*[Tile.BORDER] * 5, Tile.A, Tile.B, Tile.MISSING])))
        if place is not None:
            places.setdefault(place, set()).add(tile_piece(stone))
    return Table.of(places)
