"""Hypothesis strategies for what may happen at a table of Lords of Scotland, and for tables that a camera may see."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import islice
from typing import Any

from hypothesis import strategies as st

from engine.lords_of_scotland import facts
from engine.lords_of_scotland.cards import LASTING, Clan, clan_of
from engine.lords_of_scotland.effects import Activate, Again, Discard, Draw, Effect, Exchange, Swap
from engine.lords_of_scotland.places import INITIATIVE, SLOTS, SUPPORTERS, Lying, army_of, face, recruit_at, seat_of
from engine.table import UNKNOWN, Change, Code, Piece, Place, Player, Table
from tests.engine.lords_of_scotland.play import DECK, random_game

heads: st.SearchStrategy[Mapping[str, str]] = st.sampled_from(
    [{"rules": "base"}, {"rules": "bruce"}, {"rules": "initiative=B"}, {"bruce": "yes", "initiative": "B"}]
)

codes = st.sampled_from(DECK.codes)
seen_codes = st.one_of(codes, st.just(UNKNOWN))
slots = st.sampled_from(SLOTS)


def lasting(code: Code) -> st.SearchStrategy[Clan | None]:
    """The powers that a card can have been activated for."""
    clan = clan_of(code)
    if clan is Clan.SCOTT:
        return st.sampled_from([None, *sorted(LASTING)])
    return st.sampled_from([None, clan]) if clan in LASTING else st.none()


allies = seen_codes.flatmap(lambda code: st.builds(Lying, st.just(code), lasting(code)))


def places(players: tuple[Player, ...]) -> list[Place]:
    return [SUPPORTERS, *map(recruit_at, SLOTS), *map(army_of, players)]


def effects(players: tuple[Player, ...]) -> st.SearchStrategy[Effect]:
    someone = st.sampled_from(players)
    return st.one_of(
        st.builds(Exchange, codes),
        st.builds(Swap, someone, allies),
        st.builds(Discard, someone, allies),
        st.sampled_from([Draw(), Again()]),
    )


def uses(players: tuple[Player, ...]) -> st.SearchStrategy[facts.Used]:
    """Powers of any card put to any use; a card turned sideways claims its own power, or the one it says it copies."""
    someone, clans = st.sampled_from(players), st.sampled_from(Clan)
    activated = st.tuples(someone, codes, st.one_of(st.none(), clans)).map(
        lambda parts: facts.Used(parts[0], parts[1], Activate(parts[2] or clan_of(parts[1]) or Clan.BRUCE), parts[2])
    )
    return st.one_of(
        st.builds(facts.Used, someone, seen_codes, effects(players), st.one_of(st.none(), clans)), activated
    )


def changes(players: tuple[Player, ...]) -> st.SearchStrategy[Change]:
    """A card moved by hand: from off the table, to off it, or about on it."""
    spot = st.one_of(st.none(), st.sampled_from(places(players)))
    return st.builds(Change, seen_codes.map(face), spot, spot).filter(lambda change: change.origin != change.target)


def all_facts(players: tuple[Player, ...]) -> st.SearchStrategy[facts.Fact]:
    someone, place = st.sampled_from(players), st.sampled_from(places(players))
    dealt = st.builds(facts.Dealt, seen_codes, st.sampled_from([SUPPORTERS, *map(recruit_at, SLOTS)]))
    cleared = st.builds(facts.Cleared, place, allies)
    several = st.one_of(*(st.lists(each, min_size=2, max_size=4).map(tuple) for each in (dealt, cleared)))
    return st.one_of(
        st.builds(facts.Turned, someone, slots, codes),
        st.builds(facts.Recruited, someone, slots, seen_codes),
        st.builds(facts.Engaged, someone, seen_codes),
        st.builds(facts.Passed, someone),
        st.builds(facts.TurnEnded, someone),
        uses(players),
        st.builds(facts.Revealed, someone, codes),
        st.builds(facts.Taken, someone, codes),
        st.builds(facts.Straightened, someone, allies.filter(lambda lying: lying.active is not None)),
        dealt,
        cleared,
        st.builds(facts.Together, several),
        st.builds(facts.InitiativeGiven, someone, someone),
        st.builds(facts.Shifted, changes(players)),
        st.builds(facts.PutRight, changes(players)),
    )


@cache
def played(seats: int, seed: int) -> tuple[facts.Fact, ...]:
    return tuple(step.fact for _, step, _ in random_game(seats, seed))


def histories(seats: int, head: Mapping[str, str]) -> st.SearchStrategy[list[Any]]:
    """The beginning of a game that was played by the rules, begun by whoever the head says."""
    bruce = "bruce" in head or "bruce" in head.get("rules", "")
    begins = 1 if "B" in str(head) else 0
    seeds = [seed for seed in range(60) if seed % seats == begins and (seed % 2 == 1) == bruce]
    if not seeds:
        return st.just([])
    return st.builds(
        lambda seed, length: list(islice(played(seats, seed), length)), st.sampled_from(seeds), st.integers(0, 150)
    )


@st.composite
def tables(draw: st.DrawFn, players: tuple[Player, ...]) -> Table:
    """Any table that a camera could see: cards anywhere, some in two places, some face down, some sideways."""
    found: dict[Place, dict[Code, Piece]] = {}
    hidden: dict[Place, list[Piece]] = {}
    for code, place, sideways in draw(
        st.lists(st.tuples(codes, st.sampled_from(places(players)), st.booleans()), max_size=12)
    ):
        found.setdefault(place, {})[code] = face(code, sideways)
    for place in draw(st.lists(st.sampled_from(places(players)), max_size=4)):
        hidden.setdefault(place, []).append(face(UNKNOWN))
    holder = draw(st.one_of(st.none(), st.sampled_from(players)))
    if holder is not None:
        found.setdefault(seat_of(holder), {})[INITIATIVE] = Piece(INITIATIVE)
    spots = {*found, *hidden}
    return Table.of({place: [*found.get(place, {}).values(), *hidden.get(place, [])] for place in spots})
