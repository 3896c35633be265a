"""What the station makes of a table: facts, verdicts, words, and a journal that has it all."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.rules import Sign
from engine.table import Player
from firmware.commands import Accept, Correct, Decide, NewGame, Pause, Pressed, Rule, Undo
from firmware.gestures import Press
from firmware.journal import Kind
from firmware.ports import Button
from firmware.signals import Lamp, Tone
from firmware.state import saying
from tests.firmware.sitting import Sitting

# A wins Stone 1 with a colour run and proves it: B's side is complete and weaker.
STONE_1 = ("A g1@1", "B r9@1", "A g2@1", "B y4@1", "A g3@1", "B b2@1")
THREE_ADJACENT = (
    *STONE_1, "A g4@2", "A claim 1", "B r1@2", "A g5@2", "B y9@2", "A g6@2", "B b5@2",
    "A g7@3", "A claim 2", "B r3@3", "A g8@3", "B y6@3", "A g9@3", "B b9@3", "A b1@9",
)  # fmt: skip


def test_a_game_is_followed_card_by_card_to_its_end(sitting: Sitting) -> None:
    judged = sitting.play(*THREE_ADJACENT, "A claim 3")
    assert [str(one.told.fact) for one in judged] == [*THREE_ADJACENT, "A claim 3"]
    assert all(one.told.verdict.legal for one in judged)
    assert sitting.snapshots[-1].ended
    assert sitting.station.state.summary.winner == "A"
    assert "A" in sitting.said[0]
    assert [entry.kind for entry in sitting.journal.entries()][-1] is Kind.END


def test_what_still_lies_there_of_a_won_game_is_no_fact_of_the_next_after_a_restart(sitting: Sitting) -> None:
    sitting.play(*THREE_ADJACENT, "A claim 3")
    told = len(sitting.events)
    sitting.get_up()
    sitting.sit_down()
    sitting.look()
    assert (sitting.said[0], len(sitting.events)) == ("CLEAR THE TABLE", told)
    sitting.table.clear()
    sitting.look()
    assert sitting.play("B g1@1")[0].told.verdict.legal


@pytest.mark.fault("collected-after-the-end")
def test_cards_cleared_away_after_the_end_are_no_fouls_and_begin_the_next_game(sitting: Sitting) -> None:
    sitting.play(*THREE_ADJACENT, "A claim 3")
    told = len(sitting.events)
    sitting.play("removed g9@3A")
    assert len(sitting.events) == told
    sitting.table.clear()
    sitting.look()
    assert sitting.snapshots[-1].began
    assert sitting.station.state.number == 2
    assert sitting.play("A g5@3")[0].told.verdict.legal


def test_a_foul_is_named_and_goes_when_it_was_put_right(sitting: Sitting) -> None:
    sitting.play("A g5@3")
    (foul,) = sitting.play("A g6@3")
    assert [one.kind for one in foul.told.verdict.fouls] != []
    assert sitting.snapshots[-1].signals.screen.tone is Tone.FOUL
    assert sitting.snapshots[-1].signals.lamps[2] == Lamp(Sign.PUT_RIGHT)
    sitting.table.take("g6", "3A")
    sitting.look()
    assert sitting.snapshots[-1].signals.lamps[2] != Lamp(Sign.PUT_RIGHT)
    assert sitting.play("B r1@3")[0].told.verdict.legal


def test_nothing_is_said_about_a_foul_that_is_put_right_at_once(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, patience_s=3.0)
    sitting.play("A g5@3")
    sitting.play("A g6@3")
    sitting.look(2.0)
    sitting.table.take("g6", "3A")
    sitting.look()
    assert [str(one.told.fact) for one in sitting.events] == ["A g5@3"]
    sitting.table.lay("g6", "3A")
    sitting.look()
    sitting.look(3.1)
    assert str(sitting.events[-1].told.fact) == "A g6@3"
    assert not sitting.events[-1].told.verdict.legal
    sitting.get_up()


def test_the_legal_part_of_what_is_seen_does_not_wait_for_the_rest(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, patience_s=3.0)
    sitting.table.lay("g5", "3A")
    sitting.table.apply(sitting.station.refereed.game.parse("A claim 3").changes())
    sitting.look()
    assert [str(one.told.fact) for one in sitting.events] == ["A g5@3"]
    sitting.look(3.5)
    assert [str(one.told.fact) for one in sitting.events] == ["A g5@3", "A claim 3"]
    sitting.get_up()


def test_a_claim_that_can_be_proved_lights_its_lamp_at_once(sitting: Sitting) -> None:
    sitting.play(*STONE_1)
    assert sitting.snapshots[-1].signals.lamps[0] == Lamp(Sign.OFFERED, 0)


@pytest.mark.fault("hand-passing")
def test_a_hand_over_a_place_hides_nothing_that_was_known(sitting: Sitting) -> None:
    sitting.play("A g5@3", "B r1@3")
    sitting.table.take("g5", "3A")
    sitting.held = frozenset({"5A"})
    sitting.look()
    assert len(sitting.events) == 2, "a card that is nowhere to be seen may be in the hand"
    sitting.held = frozenset()
    sitting.look()
    assert str(sitting.events[-1].told.fact) == "removed g5@3A"


def test_a_card_laid_beside_a_hand_is_told_at_once(sitting: Sitting) -> None:
    sitting.play("A g5@3")
    sitting.held = frozenset({"5A", "5B"})
    assert sitting.play("B r1@3")[0].told.verdict.legal


@pytest.mark.fault("wrong-deck")
def test_a_whole_deck_of_strangers_is_asked_about(sitting: Sitting) -> None:
    for place in ("1A", "2A", "3B"):
        sitting.table.lay("foreign", place)
    sitting.look()
    assert sitting.said[0] == "WRONG DECK?"


def test_undo_voids_what_lies_there_until_it_was_taken_back(sitting: Sitting) -> None:
    sitting.play("A g5@3", "B r1@3")
    assert sitting.ask(Undo()) is None
    assert sitting.station.state.summary.turn == "B"
    assert sitting.snapshots[-1].signals.lamps[2] == Lamp(Sign.PUT_RIGHT)
    sitting.look()
    assert len(sitting.events) == 2, "the card that still lies there is not told again"
    sitting.table.take("r1", "3B")
    sitting.look()
    assert sitting.play("B r2@4")[0].told.verdict.legal


@pytest.mark.parametrize("first", ["g5@3A", "r1@3B"])
def test_what_was_taken_back_together_is_put_right_in_either_order(sitting: Sitting, first: str) -> None:
    sitting.play("A g5@3", "B r1@3")
    sitting.ask(Undo())
    sitting.ask(Undo())
    for lying in sorted(("g5@3A", "r1@3B"), key=lambda one: one != first):
        sitting.table.take(*lying.split("@"))
        sitting.look()
    assert all(one.told.verdict.legal for one in sitting.events)
    assert sitting.said[0] == "THANK YOU"


def test_undo_with_nothing_played_says_why_not(sitting: Sitting) -> None:
    assert sitting.ask(Undo()) == saying("nothing-to-undo")


def test_a_pause_stops_judging_and_the_game_goes_on_after_it(sitting: Sitting) -> None:
    sitting.ask(Pause())
    assert sitting.play("A g5@3") == []
    assert sitting.said[0] == "PAUSED"
    sitting.ask(Pause())
    sitting.look()
    assert [str(one.told.fact) for one in sitting.events] == ["A g5@3"]


@pytest.mark.parametrize("button", [Button.TURN, Button.CLAIM])
def test_a_button_pressed_in_a_pause_is_no_foul_and_claims_nothing(sitting: Sitting, button: Button) -> None:
    sitting.play("A g7@1", "B r2@9", "A g8@1", "B r3@8", "A g9@1")
    sitting.ask(Pause())
    told = len(sitting.events)
    sitting.ask(Pressed(Press(button)))
    assert (sitting.said[0], len(sitting.events)) == ("PAUSED", told)


def test_a_turn_ended_after_the_game_is_no_foul(sitting: Sitting) -> None:
    sitting.play(*THREE_ADJACENT, "A claim 3")
    told = len(sitting.events)
    sitting.ask(Pressed(Press(Button.TURN)))
    assert (sitting.said[0], len(sitting.events)) == ("GAME OVER: A WON", told)


def test_a_judge_lets_a_foul_stand(sitting: Sitting) -> None:
    sitting.play("A g5@3")
    sitting.play("A g6@3")
    assert sitting.ask(Rule(2, True, "Anna", "agreed")) is None
    assert not sitting.station.state.referee.to_put_right
    assert sitting.said == ("JUDGE: IT STANDS", "by Anna")
    assert "JUDGE" not in sitting.record[-1]
    assert "Anna" in sitting.record[-1]


def test_what_a_judge_voided_is_no_move_once_something_else_is_put_right(sitting: Sitting) -> None:
    sitting.play("A g5@3", "B r1@3", "A g6@3")
    sitting.ask(Rule(2, False, "Anna", "it fell"))
    sitting.table.take("g6", "3A")
    sitting.look()
    assert [change.piece.code for change in sitting.station.state.referee.to_put_right] == ["r1"]


def test_everything_that_differs_can_be_accepted_at_once(sitting: Sitting) -> None:
    sitting.play("A g5@3")
    sitting.play("A g6@3", "A g7@4")
    assert sitting.ask(Accept("Anna")) is None
    assert not sitting.station.state.referee.to_put_right


def test_a_corrected_reading_stays_corrected_while_the_card_lies_there(sitting: Sitting) -> None:
    sitting.play("A g5@3")
    assert sitting.ask(Correct(1, "A b5@3", "Anna")) is None
    sitting.look()
    sitting.look()
    assert len(sitting.events) == 1, "the same misreading is not told as a swap"
    assert not sitting.station.state.referee.to_put_right
    assert sitting.play("B g5@4")[0].told.verdict.legal, "the real one may still come"


def test_a_button_that_does_nothing_says_why_on_the_display(sitting: Sitting) -> None:
    sitting.ask(Pressed(Press(Button.UNDO)))
    assert sitting.said[0] == "NOTHING TO UNDO"


def test_a_turn_that_cannot_be_over_yet_is_said_to_whose_turn_it_is(sitting: Sitting) -> None:
    sitting.play("A g5@3")
    sitting.ask(Pressed(Press(Button.TURN)))
    sitting.ask(Pressed(Press(Button.TURN)))
    assert sitting.said[0] == "B MUST PLAY"


def test_a_ruling_on_something_that_never_was_is_refused(sitting: Sitting) -> None:
    assert sitting.ask(Rule(9, True, "Anna", "x")) == saying("no-such-entry", number=9)


def test_a_line_that_cannot_be_understood_is_refused(sitting: Sitting) -> None:
    sitting.play("A g5@3")
    assert sitting.ask(Correct(1, "A z9@3", "Anna")) == saying("not-understood", column=3, line="A g5@3")


def test_a_result_can_always_be_entered(sitting: Sitting) -> None:
    sitting.play("A g5@3", "A g6@3")
    sitting.ask(Decide(Player("B"), "Anna", "A has left"))
    assert sitting.station.state.is_over
    assert sitting.said[0] == "GAME OVER: B WON"
    assert [entry.kind for entry in sitting.journal.entries()][-1] is Kind.END


def test_the_turn_button_ends_a_turn_and_held_begins_a_game_when_one_is_over(sitting: Sitting) -> None:
    sitting.play("A g5@3")
    assert sitting.ask(Pressed(Press(Button.TURN, held=True))) == saying("not-over")
    sitting.ask(Decide(None, "Anna", "given up"))
    assert sitting.ask(Pressed(Press(Button.TURN, held=True))) is None
    assert sitting.station.state.number == 2


def test_the_claim_button_claims_what_can_be_proved(sitting: Sitting) -> None:
    sitting.play(*STONE_1, "A g4@2")
    assert sitting.ask(Pressed(Press(Button.CLAIM))) is None
    assert sitting.station.state.summary.marks[0].sign is Sign.HELD


@pytest.mark.fault("board-cleared")
def test_many_cards_gone_at_once_are_asked_about_and_not_told(sitting: Sitting) -> None:
    sitting.play(*STONE_1, "A g4@2")
    sitting.table.clear()
    sitting.look()
    assert len(sitting.events) == 7
    assert sitting.said[0] == "BOARD CLEARED?"
    assert sitting.ask(Pressed(Press(Button.TURN, held=True))) is None
    assert sitting.station.state.number == 2


def test_a_view_that_shows_nothing_says_so_and_keeps_the_game(sitting: Sitting) -> None:
    sitting.play("A g5@3")
    sitting.look_away(saying("too-dark"))
    assert sitting.said == ("TOO DARK", "Light please")
    sitting.look(5.0)
    assert sitting.said[0] != "TOO DARK"
    assert len(sitting.events) == 1


@pytest.mark.fault("power-cut")
def test_a_restart_resumes_the_open_game_and_compares_the_table(sitting: Sitting) -> None:
    sitting.play("A g5@3", "B r1@3")
    before = sitting.station.state.referee
    sitting.get_up()
    sitting.sit_down()
    assert sitting.said[0] == "RESUMING GAME 1"
    assert sitting.station.state.referee == before
    sitting.look()
    assert sitting.said == ("RESTARTED", "Game kept")
    assert sitting.play("A g6@4")[0].told.verdict.legal


def test_a_table_that_differs_after_a_restart_is_checked_before_anything_is_judged(sitting: Sitting) -> None:
    sitting.play("A g5@3", "B r1@3")
    sitting.get_up()
    sitting.table.take("r1", "3B")
    sitting.sit_down()
    sitting.look()
    assert sitting.said == ("CHECK BOARD", "Differences: 1")
    assert len(sitting.events) == 2
    sitting.table.lay("r1", "3B")
    sitting.look(5.0)
    assert sitting.said[0] != "CHECK BOARD"


def test_players_may_say_that_a_differing_table_is_to_be_judged(sitting: Sitting) -> None:
    sitting.play("A g5@3", "B r1@3")
    sitting.table.take("r1", "3B")
    sitting.look(moved=True)
    assert sitting.said[0] == "CHECK BOARD"
    sitting.ask(Pressed(Press(Button.TURN)))
    sitting.look()
    assert str(sitting.events[-1].told.fact) == "removed r1@3B"


def test_whoever_lays_the_first_card_is_the_first_player(sitting: Sitting) -> None:
    judged = sitting.play("B g5@3", "A r1@3")
    assert [one.told.verdict.legal for one in judged] == [True, True]
    sitting.get_up()
    sitting.sit_down()
    assert sitting.station.state.summary.turn == "B", "the journal knows who began"


def test_the_first_player_that_was_agreed_on_stays(sitting: Sitting) -> None:
    sitting.ask(NewGame((("first", "A"),)))
    assert not sitting.play("B g5@3")[0].told.verdict.legal


def test_what_is_left_of_the_last_game_is_no_fact_of_the_new_one(sitting: Sitting) -> None:
    sitting.play("A g5@3", "B r1@3")
    sitting.ask(NewGame())
    sitting.look()
    assert len(sitting.events) == 2
    assert sitting.said[0] == "CLEAR THE TABLE"
    sitting.table.clear()
    sitting.look()
    assert "clear-table" not in {trouble.name for trouble in sitting.station.state.troubles}
    assert [str(event.told.fact) for event in sitting.play("A b7@2")] == ["A b7@2"]


def test_cards_of_the_last_game_that_were_not_told_yet_are_no_facts_of_the_new_one(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, patience_s=60.0)
    sitting.table.lay("g5", "3A")
    sitting.table.lay("b7", "2A")  # two at once: told when that stays so
    sitting.look()
    assert not sitting.events
    sitting.ask(NewGame())
    sitting.look(90.0)
    assert not sitting.events
    assert sitting.said[0] == "CLEAR THE TABLE"
    sitting.get_up()


def test_players_may_say_that_what_lies_there_belongs_to_the_new_game(sitting: Sitting) -> None:
    sitting.play("A g5@3")
    sitting.ask(NewGame())
    sitting.look()
    assert len(sitting.events) == 1
    sitting.ask(Pressed(Press(Button.TURN)))
    sitting.look()
    assert [str(event.told.fact) for event in sitting.events[1:]] == ["A g5@3"]


def test_a_new_game_keeps_what_its_head_does_not_say(sitting: Sitting) -> None:
    sitting.ask(NewGame((("player A", "Anna"), ("rules", "tactics"))))
    assert dict(sitting.station.state.head) == {"player A": "Anna", "rules": "tactics"}
    sitting.ask(NewGame((("player B", "Ben"),)))
    assert dict(sitting.station.state.head) == {"player A": "Anna", "player B": "Ben", "rules": "tactics"}
    assert sitting.snapshots[-1].signals.screen.turn == "Anna"


@pytest.mark.parametrize("language", ["fr", "es"])
def test_another_language_says_it_otherwise(tmp_path: Path, language: str) -> None:
    sitting = Sitting(tmp_path, language=language)
    english = Sitting(tmp_path / "en")
    for one in (sitting, english):
        one.play("A g5@3", "A g6@3")
    assert sitting.said != english.said
    sitting.get_up()
    english.get_up()
