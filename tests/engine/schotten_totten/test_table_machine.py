"""A table at which anything may happen, one physical act at a time, and a referee who looks after each."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.referee import Paused, RefereeState, Resumed, Ruled, Undone, fold, opening, tell
from engine.schotten_totten.cards import ALL_CARDS, CLAN_CARDS, STONES, Card
from engine.schotten_totten.facts import Passed, TurnEnded
from engine.schotten_totten.spots import (
    DISCARD,
    SPOTS,
    Side,
    Spot,
    Tile,
    Top,
    card_change,
    card_piece,
    spot_at,
    tile_at,
    tile_change,
    tile_piece,
)
from engine.table import Change, Piece, Place, Table
from tests.engine.schotten_totten.fact_strategies import heads, players, stones, tiles
from tests.engine.schotten_totten.telling import GAME

clan_cards = st.sampled_from(CLAN_CARDS)
tactic_cards = st.sampled_from(ALL_CARDS[len(CLAN_CARDS) :])


class TableMachine(RuleBasedStateMachine):
    @initialize(head=heads)
    def sit_down(self, head: dict[str, str]) -> None:
        self.start: RefereeState[Any, Any] = opening(GAME, head)
        self.state = self.start
        self.lies: Table = self.state.table

    def happen(self, *changes: Change) -> None:
        """Something happens to the table, and the referee looks."""
        self.lies = self.lies.after(changes)
        for fact in GAME.explain(self.state.position, self.state.table, self.lies):
            self.tell(fact)
        assert self.state.table == self.lies

    def tell(self, entry: Any) -> None:
        self.state = tell(self.state, entry, self.start)

    def cards(self) -> list[tuple[Place, Piece]]:
        return [(place, piece) for place, piece in self.lies if spot_at(place) is not None]

    def is_free(self, card: Card) -> bool:
        return not self.lies.places_of(card_piece(card).code)

    @rule(card=clan_cards, stone=stones, player=players)
    def lay_a_clan_card(self, card: Card, stone: int, player: Any) -> None:
        if self.is_free(card):
            self.happen(card_change(card, None, Side(stone, player)))

    @rule(first=clan_cards, second=clan_cards, player=players, stone=stones)
    def lay_two_at_once(self, first: Card, second: Card, player: Any, stone: int) -> None:
        if first != second and self.is_free(first) and self.is_free(second):
            self.happen(*(card_change(card, None, Side(stone, player)) for card in (first, second)))

    @rule(card=tactic_cards, stone=stones, player=players, where=st.sampled_from(["side", "stone", "discard"]))
    def lay_a_tactic_card(self, card: Card, stone: int, player: Any, where: str) -> None:
        if self.is_free(card):
            spot: Spot = Side(stone, player) if where == "side" else Top(stone) if where == "stone" else DISCARD
            self.happen(card_change(card, None, spot))

    @precondition(lambda self: self.cards())
    @rule(data=st.data())
    def take_a_card(self, data: st.DataObject) -> None:
        place, piece = data.draw(st.sampled_from(self.cards()))
        self.happen(Change(piece, place, None))

    @precondition(lambda self: self.cards())
    @rule(data=st.data(), spot=st.sampled_from(SPOTS))
    def move_a_card(self, data: st.DataObject, spot: Any) -> None:
        place, piece = data.draw(st.sampled_from(self.cards()))
        self.happen(Change(piece, place, Place(str(spot))))

    @rule(stone=stones, onto=tiles)
    def move_a_tile(self, stone: int, onto: Tile) -> None:
        lies = tile_at(next(iter(self.lies.places_of(tile_piece(stone).code)), None))
        if lies is not onto:
            self.happen(tile_change(stone, lies, onto))

    @rule()
    def put_everything_right(self) -> None:
        before = self.state.position
        self.happen(*self.state.to_put_right)
        assert self.state.to_put_right == ()
        assert self.state.position == before

    @rule(player=players)
    def say_that_the_turn_is_over(self, player: Any) -> None:
        self.tell(TurnEnded(player))

    @rule(player=players)
    def say_pass(self, player: Any) -> None:
        self.tell(Passed(player))

    @rule()
    def undo(self) -> None:
        self.tell(Undone())

    @rule(pause=st.booleans())
    def pause_or_resume(self, pause: bool) -> None:
        self.tell(Paused() if pause else Resumed())

    @precondition(lambda self: self.state.told)
    @rule(data=st.data(), stands=st.booleans())
    def overrule(self, data: st.DataObject, stands: bool) -> None:
        number = data.draw(st.sampled_from([told.number for told in self.state.told]))
        self.tell(Ruled(number, stands, "Judge", "so be it"))

    @invariant()
    def what_lies_there_is_known(self) -> None:
        assert self.state.table == self.lies

    @invariant()
    def a_card_counts_in_one_place(self) -> None:
        codes = Counter(piece.code for _, piece in GAME.table(self.state.position))
        assert set(codes.values()) == {1}

    @invariant()
    def replay_gives_the_same(self) -> None:
        if len(self.state.entries) % 8 == 0:
            assert fold(self.start, self.state.entries) == self.state

    @invariant()
    def nine_stones_have_an_owner_or_none(self) -> None:
        assert len(self.state.position.stones) == len(STONES)


TestTableMachine = TableMachine.TestCase
TestTableMachine.settings = settings(max_examples=100, stateful_step_count=30)
