"""Things that people do at a camera table that are no plain move: quick turns, claims, rulings, play after the end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware.commands import Accept, Decide, Pressed, Rule, Undo
from firmware.gestures import Press
from firmware.ports import Button
from tests.firmware.sitting import Sitting

STONE_1 = ("A g1@1", "B r9@1", "A g2@1", "B y4@1", "A g3@1", "B b2@1")


@pytest.mark.fault("two-cards-in-one-turn")
def test_two_cards_in_one_turn_become_a_move_when_one_is_taken_back(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base")
    sitting.play("A g5@3 + g6@4")
    sitting.table.take("g6", "4A")
    sitting.look()
    assert sitting.station.state.summary.turn == "B"


@pytest.mark.fault("two-quick-turns")
def test_two_quick_turns_in_one_frame_are_two_events(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base first=A")
    sitting.table.lay("g5", "3A")
    sitting.table.lay("r1", "3B")
    sitting.look()
    assert [str(one.told.fact) for one in sitting.events] == ["A g5@3", "B r1@3"]


@pytest.mark.fault("order-unclear")
@pytest.mark.parametrize(
    ("button", "order"), [(Button.CLAIM, ["A g5@3", "B r1@3"]), (Button.TURN, ["B r1@3", "A g5@3"])]
)
def test_when_only_the_players_know_who_was_first_they_are_asked(
    sit: Callable[[str], Sitting], button: Button, order: list[str]
) -> None:
    sitting = sit("base")
    sitting.table.lay("g5", "3A")
    sitting.table.lay("r1", "3B")
    sitting.look()
    assert sitting.said == ("WHO PLAYED FIRST?", "Press CLAIM or TURN")
    assert sitting.events == [], "nothing is guessed"
    assert sitting.ask(Pressed(Press(button))) is None
    sitting.look(5.0)
    assert [str(one.told.fact) for one in sitting.events] == order
    assert {entry.who for entry in sitting.journal.entries() if entry.kind == "fact"} == {"players"}, "people said so"
    assert sitting.said[0] == f"{order[0][0]} TO PLAY"


@pytest.mark.fault("order-unclear")
def test_a_card_taken_back_answers_who_was_first(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base")
    sitting.table.lay("g5", "3A")
    sitting.table.lay("r1", "3B")
    sitting.look()
    sitting.table.take("g5", "3A")
    sitting.look()
    assert [str(one.told.fact) for one in sitting.events] == ["B r1@3"]
    assert sitting.station.state.orders == ()


@pytest.mark.fault("ruse-in-progress")
def test_a_ruse_waits_for_its_card_to_be_moved(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("tactics first=A")
    sitting.play("A g5@3", "B r1@3")
    sitting.table.lay("traitor", "D1")
    sitting.look()
    assert sitting.said == ("RUSE: MOVE THE CARD", "Traitor")
    sitting.look(60.0)
    assert sitting.said == ("A: RUSE", "Move its card")
    sitting.table.take("r1", "3B")
    sitting.table.lay("r1", "4A")
    sitting.look()
    assert str(sitting.events[-1].told.fact) == "A traitor r1@3>4"
    assert all(one.told.verdict.legal for one in sitting.events)


@pytest.mark.fault("claims-at-once")
def test_two_claim_buttons_at_once_are_one_claim_by_whoever_may(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base first=A")
    sitting.play(*STONE_1, "A g4@2")
    told = len(sitting.events)
    assert sitting.ask(Pressed(Press(Button.CLAIM))) is None
    assert sitting.ask(Pressed(Press(Button.CLAIM))) is not None
    assert [str(one.told.fact) for one in sitting.events[told:]] == ["A claim 1 by word"]


@pytest.mark.fault("claim-not-proven")
def test_a_refused_claim_shows_a_card_that_could_beat_it(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base")
    sitting.play("A g5@3", "B r1@3", "A g6@3", "B r2@3", "A b4@3", "A claim 3")
    finding = sitting.events[-1].told.verdict.finding
    assert getattr(finding, "counterexample") != ()  # noqa: B009


@pytest.mark.fault("play-after-the-end")
def test_play_after_the_end_is_ignored(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base")
    sitting.ask(Decide(None, "Anna", "given up"))
    told = len(sitting.events)
    sitting.play("A g5@3")
    assert len(sitting.events) == told
    assert sitting.said[0].startswith("GAME OVER")


@pytest.mark.fault("take-back", "judge-overrules")
def test_a_take_back_and_a_judge_are_entries_and_nothing_is_deleted(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base")
    sitting.play("A g5@3", "B r1@3")
    sitting.ask(Undo())
    sitting.ask(Rule(1, True, "Anna", "misread"))
    assert len(sitting.record) == 4
    assert sitting.said == ("TAKE BACK: 3B", "red 1"), "what was taken back still lies there"


@pytest.mark.fault("stands-irregular")
def test_an_irregular_table_may_stand_when_all_agree(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base")
    sitting.play("A g5@3", "A g6@4")
    sitting.ask(Accept("Anna", "both agree"))
    assert not sitting.station.state.referee.to_put_right
    assert sitting.said == ("STANDS: IRREGULAR", "Play on")
    assert "both agree" in sitting.snapshots[-1].signals.notice
    sitting.look(5.0)
    assert sitting.said[0] == "B TO PLAY"


@pytest.mark.fault("ruling-against-the-rule", "judge-overrules")
def test_a_ruling_against_the_rule_needs_a_reason_and_stays_whatever_is_seen(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base first=A")
    sitting.play("B g6@4")
    foul = sitting.events[-1].told.number
    assert "reason" in str(sitting.ask(Rule(foul, True, "Anna", " ")))
    assert sitting.station.state.referee.to_put_right
    assert sitting.ask(Rule(foul, True, "Anna", "agreed before")) is None
    assert sitting.said == ("JUDGE: IT STANDS", "by Anna")
    sitting.look(5.0)
    assert not sitting.station.state.referee.to_put_right
    assert any("agreed before" in line for line in sitting.record)
