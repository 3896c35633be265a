"""The fold: facts and acts in, what counts out."""

from __future__ import annotations

from typing import Any

from engine.record import parse_entry
from engine.referee import RefereeState, fold, opening, tell
from engine.schotten_totten.game import SchottenTotten

GAME = SchottenTotten()
START = opening(GAME, {"first": "A"})


def told(*lines: str) -> RefereeState[Any, Any]:
    return fold(START, [parse_entry(line, GAME.parse) for line in lines])


def legal(state: RefereeState[Any, Any]) -> list[bool]:
    return [one.verdict.legal for one in state.told]


def test_undo_takes_back_the_last_fact_that_changed_what_counts() -> None:
    state = told("A g5@3", "B r1@3", "A g6@3", "A g7@3", "undo")
    assert state.position == told("A g5@3", "B r1@3").position


def test_what_was_undone_still_lies_there_until_it_is_taken_back() -> None:
    state = told("A g5@3", "undo")
    assert [str(change.piece.code) for change in state.to_put_right] == ["g5"]
    righted = told("A g5@3", "undo", "righted g5@3A>off")
    assert righted.to_put_right == ()
    assert legal(righted) == [True]


def test_two_undos_take_back_two_facts_whatever_was_put_right_between() -> None:
    state = told("A g5@3", "B r1@3", "undo", "righted r1@3B>off", "undo")
    assert state.position == START.position


def test_undo_with_nothing_to_undo_changes_nothing() -> None:
    assert told("undo").position == START.position
    assert told("B g5@3", "undo").position == START.position


def test_a_judge_may_let_a_foul_stand() -> None:
    state = told("B g5@3", "ruling 1 stands by Judge: both agreed")
    assert state.told[0].counts
    assert not state.told[0].verdict.legal
    assert state.to_put_right == ()
    assert state.position.turn == "B"


def test_a_judge_may_void_what_was_legal_and_later_facts_are_judged_in_its_light() -> None:
    state = told("A g5@3", "B r1@3", "ruling 1 void by Judge: a card fell")
    assert legal(state) == [True, False]
    assert [foul.kind for foul in state.told[1].verdict.fouls] == ["out-of-turn"]


def test_the_last_ruling_on_a_fact_is_the_one_that_holds() -> None:
    state = told("A g5@3", "ruling 1 void by Judge: hasty", "ruling 1 stands by Judge: on reflection")
    assert state.position == told("A g5@3").position


def test_a_correction_changes_what_was_read_and_what_follows() -> None:
    state = told("A g5@3", "B g6@3", "A b5@3", "correction 1 by Anna: A b5@4")
    assert [str(one.fact) for one in state.told] == ["A b5@4", "B g6@3", "A b5@3"]
    assert [foul.kind for foul in state.told[2].verdict.fouls] == ["duplicate"]


def test_acts_about_entries_that_are_no_facts_are_ignored() -> None:
    state = told("ruling 4 void by Judge: too soon", "correction 9 by Anna: A b5@4", "A g5@3")
    assert state.position == told("A g5@3").position
    assert fold(START, state.entries) == state


def test_a_pause_lasts_until_the_game_is_resumed() -> None:
    assert told("pause").paused
    assert not told("pause", "resume").paused


def test_a_result_can_always_be_entered() -> None:
    decision = told("A g5@3", "result B by Judge: A gave up").decision
    assert decision is not None
    assert (decision.winner, decision.by, decision.reason) == ("B", "Judge", "A gave up")


def test_telling_one_by_one_is_the_same_as_folding() -> None:
    lines = [
        "A g5@3",
        "B r1@3",
        "B r2@3",
        "undo",
        "ruling 1 void by J: x",
        "A g6@1",
        "pause",
        "correction 6 by K: A g7@1",
    ]
    entries = [parse_entry(line, GAME.parse) for line in lines]
    state = START
    for count, entry in enumerate(entries, start=1):
        state = tell(state, entry, START)
        assert state == fold(START, entries[:count])
