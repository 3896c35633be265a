"""The laws that every game keeps. A game joins by subclassing `Laws` in a test module and naming its strategies."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.record import Record, entry_line, parse_entry, parse_record, write_record
from engine.referee import Corrected, Decided, Paused, RefereeState, Resumed, Ruled, Undone, fold, opening, tell
from engine.rules import Game
from engine.table import UNKNOWN, Table, changes

LANGUAGES = ("en", "fr", "es")
DISPLAY_WIDTH = 21  # characters on a display of 128 by 64

names = st.text("abcdefghij ÅBÇ", min_size=1, max_size=12).map(lambda text: " ".join(text.split())).filter(bool)

_after: dict[tuple[object, ...], RefereeState[Any, Any]] = {}


def after_history(start: RefereeState[Any, Any], history: list[Any]) -> RefereeState[Any, Any]:
    """The state after a game in progress; the same few are met again and again."""
    key = (id(start.game), start.position, *history)
    if key not in _after:
        _after[key] = fold(start, history)
    return _after[key]


class Laws(ABC):
    """What must hold for every game. `heads` are rule options, `facts` any well-formed fact, `histories` facts of games
    in progress under a head, `tables` any table that a camera could see."""

    game: Game[Any, Any]
    heads: st.SearchStrategy[Mapping[str, str]]
    facts: st.SearchStrategy[Any]
    tables: st.SearchStrategy[Table]

    def __init_subclass__(cls) -> None:
        """Each game has the laws as tests of its own: Hypothesis shares no test between classes."""
        for name, law in vars(Laws).items():
            if name.startswith("test_"):
                setattr(cls, name, given(data=st.data())(law.hypothesis.inner_test))

    @abstractmethod
    def histories(self, head: Mapping[str, str]) -> st.SearchStrategy[list[Any]]:
        """The facts of games in progress that were played by the rules."""

    def start(self, data: st.DataObject) -> RefereeState[Any, Any]:
        return opening(self.game, data.draw(self.heads))

    def reached(self, data: st.DataObject) -> tuple[RefereeState[Any, Any], RefereeState[Any, Any]]:
        """A start, and a state in the middle of things: a game in progress and anything on top of it."""
        head = data.draw(self.heads)
        start = opening(self.game, head)
        state = after_history(start, data.draw(self.histories(head)))
        for fact in data.draw(st.lists(self.facts, max_size=4)):
            state = tell(state, fact, start)
        return start, state

    def acts(self, numbers: int) -> st.SearchStrategy[Any]:
        number = st.integers(1, numbers)
        return st.one_of(
            st.just(Undone()),
            st.just(Paused()),
            st.just(Resumed()),
            st.builds(Ruled, number, st.booleans(), names, names),
            st.builds(Corrected, number, self.facts, names),
            st.builds(Decided, st.sampled_from([*self.game.players, None]), names, names),
        )

    @given(data=st.data())
    def test_judging_and_enforcing_never_raise_and_a_card_is_never_in_two_places(self, data: st.DataObject) -> None:
        _, state = self.reached(data)
        position = state.position
        for fact in data.draw(st.lists(self.facts, min_size=1, max_size=5)):
            verdict = self.game.judge(position, fact)
            assert verdict.legal or self.game.after(position, fact) == position
            position = self.game.enforce(position, fact) if data.draw(st.booleans()) else position
            codes = Counter(piece.code for _, piece in self.game.table(position) if piece.code != UNKNOWN)
            assert all(count == 1 for count in codes.values()), codes

    @given(data=st.data())
    def test_replay_equals_live_at_every_prefix(self, data: st.DataObject) -> None:
        head = data.draw(self.heads)
        start = opening(self.game, head)
        history = data.draw(self.histories(head))
        entries = data.draw(st.lists(st.one_of(self.facts, self.acts(len(history) + 6)), max_size=5))
        state = after_history(start, history)
        for count, entry in enumerate(entries, start=1):
            state = tell(state, entry, start)
            assert fold(start, [*history, *entries[:count]]) == state

    @given(data=st.data())
    def test_undo_gives_back_what_counted_before(self, data: st.DataObject) -> None:
        start, state = self.reached(data)
        after = tell(state, data.draw(self.facts), start)
        if after.told[-1].moved:
            undone = tell(after, Undone(), start)
            assert (undone.position, undone.told) == (state.position, state.told)
            assert undone.table == after.table
            assert fold(start, undone.entries) == undone

    @given(data=st.data())
    def test_a_foul_put_back_leaves_the_position_as_it_was(self, data: st.DataObject) -> None:
        head = data.draw(self.heads)
        start = opening(self.game, head)
        before = after_history(start, data.draw(self.histories(head)))
        fact = data.draw(self.facts)
        if before.to_put_right or self.game.judge(before.position, fact).legal:
            return
        state = tell(before, fact, start)
        for righting in self.game.explain(state.position, state.table, before.table):
            state = tell(state, righting, start)
        assert state.position == before.position
        assert state.to_put_right == ()

    @given(data=st.data())
    def test_whatever_is_seen_is_explained(self, data: st.DataObject) -> None:
        start, state = self.reached(data)
        for seen in data.draw(st.lists(self.tables, min_size=1, max_size=3)):
            for fact in self.game.explain(state.position, state.table, seen):
                state = tell(state, fact, start)
            assert state.table == seen
            assert self.game.explain(state.position, state.table, seen) == ()

    @given(data=st.data())
    def test_what_is_to_put_right_puts_it_right(self, data: st.DataObject) -> None:
        _, state = self.reached(data)
        right = self.game.table(state.position)
        assert state.table.after(state.to_put_right) == right
        assert changes(right, right) == ()

    @given(data=st.data())
    def test_a_fact_is_read_back_from_its_line(self, data: st.DataObject) -> None:
        fact = data.draw(self.facts)
        assert self.game.parse(str(fact)) == fact

    @given(data=st.data())
    def test_a_record_is_read_back_from_its_text(self, data: st.DataObject) -> None:
        entries = data.draw(st.lists(st.one_of(self.facts, self.acts(9)), max_size=6))
        for entry in entries:
            assert parse_entry(entry_line(entry), self.game.parse) == entry
        record = Record({"players": "Anna, Bea", **data.draw(self.heads)}, tuple(entries))
        assert parse_record(write_record(record), self.game.parse, tuple(record.head)) == record

    @given(data=st.data())
    def test_every_verdict_has_words_that_fit_the_display_in_every_language(self, data: st.DataObject) -> None:
        _, state = self.reached(data)
        fact = data.draw(self.facts)
        verdict = self.game.judge(state.position, fact)
        for language in LANGUAGES:
            words = self.game.words(state.position, fact, verdict, language)
            assert words.sentence
            assert words.headline
            assert len(words.headline) <= DISPLAY_WIDTH
            assert len(words.detail) <= DISPLAY_WIDTH

    @given(data=st.data())
    def test_every_fact_is_an_event_for_other_programs(self, data: st.DataObject) -> None:
        _, state = self.reached(data)
        fact = data.draw(self.facts)
        event = self.game.event(fact, self.game.judge(state.position, fact))
        assert json.loads(json.dumps(event)) == event
        assert event["event"]
        assert event.get("player") == (None if fact.player is None else str(fact.player))

    @given(data=st.data())
    def test_whatever_is_to_be_put_right_is_said_in_words_that_fit(self, data: st.DataObject) -> None:
        _, state = self.reached(data)
        for change in state.to_put_right:
            for language in LANGUAGES:
                words = self.game.remedy(change, language)
                assert words.sentence
                assert len(words.headline) <= DISPLAY_WIDTH
                assert len(words.detail) <= DISPLAY_WIDTH

    @given(data=st.data())
    def test_every_position_has_a_summary(self, data: st.DataObject) -> None:
        _, state = self.reached(data)
        summary = self.game.summary(state.position)
        assert {player for player, _ in summary.score} == set(self.game.players)
