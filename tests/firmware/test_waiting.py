"""What cannot be named on the table: what is said of it, what waits for it, and what does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.rules import Sign
from firmware.commands import Tell
from firmware.signals import Lamp
from firmware.station import Sighting
from tests.firmware.sitting import Sitting, observation
from vision.observation import Reading, Why


@pytest.mark.parametrize(
    ("name", "headline"), [("foreign", "UNKNOWN CARD"), ("back", "CARD FACE DOWN")]
)  # fmt: skip
def test_a_card_that_cannot_be_named_is_no_event_but_is_said(sitting: Sitting, name: str, headline: str) -> None:
    sitting.play("A g5@3")
    sitting.look(5.0)
    sitting.table.lay(name, "4B")
    sitting.look()
    assert len(sitting.events) == 1
    assert sitting.said == (headline, sitting.said[1])
    assert "Stone 4 B" in sitting.said[1]
    assert sitting.snapshots[-1].signals.lamps[3] == Lamp(Sign.UNREADABLE)
    sitting.table.take(name, "4B")
    assert sitting.play("B r1@4")[0].told.verdict.legal


def test_what_comes_after_an_unreadable_card_waits_for_it_and_is_told_in_order(sitting: Sitting) -> None:
    sitting.play("A g5@3")
    sitting.table.lay("foreign", "4B")  # B's card, which cannot be named yet
    sitting.look()
    assert sitting.play("A g6@3") == [], "whether this is out of turn depends on what B has done"
    sitting.table.take("foreign", "4B")
    sitting.table.lay("r1", "4B")
    sitting.look()
    assert [str(one.told.fact) for one in sitting.events] == ["A g5@3", "B r1@4", "A g6@3"]
    assert all(one.told.verdict.legal for one in sitting.events)


def test_what_is_legal_anyway_does_not_wait_for_an_unreadable_card(sitting: Sitting) -> None:
    sitting.table.lay("foreign", "9B")
    sitting.look()
    judged = sitting.play("A g5@3", "B r1@3", "A g6@3")
    assert [str(one.told.fact) for one in judged] == ["A g5@3", "B r1@3", "A g6@3"]


def test_a_foul_waits_for_an_unreadable_card_however_long_it_takes(sitting: Sitting) -> None:
    sitting.play("A g5@3")
    sitting.table.lay("foreign", "9B")
    sitting.look()
    assert sitting.play("A g6@3") == []
    sitting.look(31.0)
    assert (sitting.said[0], len(sitting.events)) == ("JUDGE'S CALL", 1), "that card may have been B's move"
    sitting.table.take("foreign", "9B")
    sitting.look(5.0)
    assert not sitting.events[-1].told.verdict.legal


def test_an_unreadable_card_that_is_taken_away_was_no_turn(sitting: Sitting) -> None:
    sitting.play("A g5@3")
    sitting.table.lay("foreign", "4B")
    sitting.look()
    sitting.play("B r1@5")
    sitting.table.take("foreign", "4B")
    sitting.look()
    assert [str(one.told.fact) for one in sitting.events] == ["A g5@3", "B r1@5"]
    assert sitting.station.state.waiting == ()


def test_half_a_ruse_is_not_told_while_something_hides_the_rest(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, "tactics")
    sitting.play("A g5@3", "B r9@3")
    sitting.held = frozenset({"8A"})
    assert sitting.play("A traitor r9@3>8") == [], "the red 9 has left its place, and nobody can see where it went"
    sitting.held = frozenset()
    sitting.look()
    assert [str(one.told.fact) for one in sitting.events][2:] == ["A traitor r9@3>8"]


def test_a_card_that_moved_is_no_foul_while_the_ruse_that_moved_it_may_be_hidden(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, "tactics")
    sitting.play("A g5@3", "B r9@3")
    sitting.held = frozenset({"D1"})  # there the ruse is just being laid
    sitting.table.take("g5", "3A")
    sitting.table.lay("g5", "6A")
    sitting.look()
    assert len(sitting.events) == 2
    sitting.held = frozenset()
    sitting.table.lay("strategist", "discard")
    sitting.look()
    assert [(str(one.told.fact), one.told.verdict.legal) for one in sitting.events][2:] == [
        ("A strategist g5@3>6", True)
    ]


def test_a_foul_is_told_at_last_though_something_was_left_on_the_table(sitting: Sitting) -> None:
    sitting.play("A g5@3", "B r9@3")
    sitting.held = frozenset({"9B"})
    assert sitting.play("B r8@4") == []
    for _ in range(5):
        sitting.look()
    assert [one.told.verdict.legal for one in sitting.events] == [True, True, False]


def test_a_known_card_that_cannot_be_read_just_now_holds_nothing_up(sitting: Sitting) -> None:
    sitting.play("A g5@3")
    sitting.table.take("g5", "3A")
    sitting.table.lay("foreign", "3A")  # as after a glare over the card that lies there
    sitting.look()
    assert [str(one.told.fact) for one in sitting.play("B r1@4")] == ["B r1@4"]


def test_a_known_card_below_a_new_one_need_not_be_read_again(sitting: Sitting) -> None:
    sitting.play("A g5@3", "B r1@3", "A g6@3", "B r2@3")
    sitting.table.take("g5", "3A")
    sitting.table.take("g6", "3A")
    for name in ("foreign", "g6", "g7"):  # the lowest card's index is hidden since the new one lies there
        sitting.table.lay(name, "3A")
    sitting.look()
    assert str(sitting.events[-1].told.fact) == "A g7@3"
    assert sitting.station.state.unread == ()


@pytest.mark.fault("colours-alike")
def test_a_person_may_say_what_an_unreadable_card_is(sitting: Sitting) -> None:
    sitting.play("A g5@3")
    sitting.table.lay("foreign", "4B")
    sitting.look()
    sitting.play("A g6@3")
    assert sitting.ask(Tell("B r1@4", "Anna")) is None
    sitting.look()
    assert [str(one.told.fact) for one in sitting.events] == ["A g5@3", "B r1@4", "A g6@3"]


def test_a_card_read_in_two_places_is_shown_and_judged_in_neither(sitting: Sitting) -> None:
    sitting.play("A g5@3", "B r1@3")
    sitting.look(5.0)
    seen = observation(sitting.table.board, sitting.table.layout)
    twice = (Reading(None, Why.TWICE),)
    doubled = replace(seen, cards={**seen.cards, "3A": twice, "4A": twice})
    sitting.station.see(Sighting(99, sitting.clock.monotonic_s(), doubled))
    assert sitting.said == ("ONE CARD SEEN TWICE", "Check both cards")
    assert len(sitting.events) == 2
    sitting.look()
    assert sitting.said[0] != "ONE CARD SEEN TWICE"
