"""What cannot be named on the table: what is said of it, what waits for it, and what does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.rules import Sign
from engine.schotten_totten.position_line import parse_position
from engine.table import Change, Code, Piece, Place, changes
from firmware.commands import Tell, Undo
from firmware.signals import Lamp
from firmware.station import Sighting
from tests.firmware.sitting import Sitting, observation
from vision.observation import Reading, TileReading, Why


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
    sitting.look(31.0)
    assert [one.told.verdict.legal for one in sitting.events] == [True, True, False]


def test_a_foul_does_not_wait_for_hands_that_come_and_go(sitting: Sitting) -> None:
    sitting.play("A g5@3", "B r9@3")
    sitting.held = frozenset({"9B", "8B"})
    assert sitting.play("B r8@4") == []
    sitting.held = frozenset({"8B", "7B"})
    sitting.look()
    assert len(sitting.events) == 2, "nobody has seen yet what lies at Stone 8"
    sitting.held = frozenset({"7B"})
    sitting.look()
    assert [one.told.verdict.legal for one in sitting.events] == [True, True, False], "every place was seen since"


def test_who_plays_while_the_other_keeps_a_hand_on_the_card_played_before_commits_no_foul(sitting: Sitting) -> None:
    sitting.play("A g4@4", "B r8@4")
    sitting.held = frozenset({"5A"})
    sitting.play("A g5@5", "B r9@3")
    for _ in range(5):
        sitting.look(4.0)
    assert len(sitting.events) == 2
    sitting.held = frozenset()
    sitting.look()
    assert [(str(one.told.fact), one.told.verdict.legal) for one in sitting.events[2:]] == [
        ("A g5@5", True), ("B r9@3", True)]  # fmt: skip


def test_nobody_has_begun_while_an_earlier_card_may_be_hidden(sitting: Sitting) -> None:
    sitting.held = frozenset({"5A"})
    sitting.play("A g5@5", "B r9@3")
    assert sitting.events == []
    sitting.held = frozenset()
    sitting.look()
    assert sitting.said[0] == "WHO PLAYED FIRST?"


def test_a_game_begins_at_last_though_something_was_left_on_the_table(sitting: Sitting) -> None:
    sitting.held = frozenset({"5A"})
    assert sitting.play("B r9@3") == []
    sitting.look(31.0)
    assert [str(one.told.fact) for one in sitting.events] == ["B r9@3"]


def test_a_foul_that_waited_for_a_hidden_place_is_told_when_no_picture_comes_any_more(sitting: Sitting) -> None:
    sitting.play("A g5@3", "B r9@3")
    sitting.held = frozenset({"9B"})
    assert sitting.play("B r8@4") == []
    sitting.station.finish()
    assert [one.told.verdict.legal for one in sitting.events] == [True, True, False]


NINES = ("A r9@1", "B b1@1", "A g9@1", "B b2@1", "A y9@1", "B o2@1", "A g2@2")  # A may claim Stone 1


def test_a_card_waits_while_the_tile_that_may_have_been_claimed_before_it_is_covered(sitting: Sitting) -> None:
    sitting.play(*NINES)
    sitting.held = frozenset({"stone1"})
    assert sitting.play("A claim 1", "B r2@2") == []
    sitting.look(8.0)
    sitting.held = frozenset()
    sitting.look()
    assert [(str(one.told.fact), one.told.verdict.legal) for one in sitting.events[len(NINES) :]] == [
        ("A claim 1", True), ("B r2@2", True)]  # fmt: skip


def see_unread_tile(sitting: Sitting, tile: str, seconds: float = 0.5) -> None:
    sitting.clock.sleep(seconds)
    seen = observation(sitting.table.board, sitting.table.layout)
    tiles = {**seen.tiles, tile: TileReading(None, Why.GLARE)}
    sitting.station.see(Sighting(sitting.frame, sitting.clock.monotonic_s(), replace(seen, tiles=tiles)))


@pytest.mark.parametrize(("seconds", "told"), [(8.0, ["A claim 1", "B r2@2"]), (11.0, ["B r2@2"])])
def test_a_card_waits_while_the_tile_that_may_have_been_claimed_before_it_cannot_be_read(
    sitting: Sitting, seconds: float, told: list[str]
) -> None:
    sitting.play(*NINES)
    claim, card = (sitting.station.refereed.game.parse(line) for line in ("A claim 1", "B r2@2"))
    for fact in (claim, card):
        sitting.table.apply(fact.changes())
        see_unread_tile(sitting, "stone1")
    assert len(sitting.events) == len(NINES)
    see_unread_tile(sitting, "stone1", seconds)
    sitting.look(5.0)
    assert [str(one.told.fact) for one in sitting.events[len(NINES) :]] == told
    assert (sitting.said[0] == "WHICH CAME FIRST?") == (len(told) == 1)


@pytest.fixture
def overtaken(sitting: Sitting) -> Sitting:
    """A hand has lain on a Stone for so long that the card played meanwhile was told; now the Stone is A's."""
    sitting.play(*NINES)
    sitting.held = frozenset({"stone1"})
    assert sitting.play("A claim 1", "B r2@2") == []
    sitting.look(11.0)
    assert [str(one.told.fact) for one in sitting.events[len(NINES) :]] == ["B r2@2"]
    sitting.held = frozenset()
    sitting.look(40.0)
    return sitting


def test_a_claim_that_was_hidden_all_too_long_is_no_foul_but_asked_about(overtaken: Sitting) -> None:
    assert overtaken.said == ("WHICH CAME FIRST?", "Unseen: Stone 1")
    assert overtaken.snapshots[-1].signals.screen.lines == (), "what is the headline is not said a second time"
    assert len(overtaken.events) == len(NINES) + 1
    overtaken.ask(Undo())
    overtaken.look()
    assert [(str(one.told.fact), one.told.verdict.legal) for one in overtaken.events[len(NINES) + 1 :]] == [
        ("A claim 1", True)]  # fmt: skip
    overtaken.table.take("r2", "2B")
    overtaken.look(5.0)
    assert [one.told.verdict.legal for one in overtaken.play("B r2@2")] == [True]


def test_a_claim_that_came_too_late_below_a_hand_is_put_back_and_the_game_goes_on(overtaken: Sitting) -> None:
    back = Change(Piece(Code("stone1")), Place("1claimedA"), Place("1border"))
    overtaken.table.apply([back])
    overtaken.look()
    assert [one.told.verdict.legal for one in overtaken.play("A r3@3", "B r4@3")] == [True, True]
    assert overtaken.said[0] != "WHICH CAME FIRST?"
    assert [one.told.verdict.legal for one in overtaken.play("A claim 1")] == [False], "nothing has hidden this one"


def test_a_card_waits_for_no_tile_that_nobody_could_claim(sitting: Sitting) -> None:
    sitting.play(*NINES)
    sitting.held = frozenset({"stone2"})
    assert [str(one.told.fact) for one in sitting.play("B r2@2")] == ["B r2@2"]


def test_whose_a_card_is_that_lies_between_both_is_not_told_while_the_other_may_have_played(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, "tactics")
    sitting.play("A g5@3")
    sitting.held = frozenset({"6B"})
    assert sitting.play("B y6@6", "A mud@6") == []
    sitting.held = frozenset()
    sitting.look()
    assert [str(one.told.fact) for one in sitting.events[1:]] == ["B y6@6", "A mud@6"]
    sitting.held = frozenset({"6A"})  # and there it stays
    assert sitting.play("B bluff@7") == []
    sitting.look(11.0)
    assert str(sitting.events[-1].told.fact) == "B bluff@7"


def test_in_a_recording_what_is_legal_waits_for_nothing_that_is_covered(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, "tactics", asks=False)
    sitting.held = frozenset({"9B"})
    for line in ("A g5@3", "B y6@6", "A mud@6", "B bluff@7"):
        assert [str(one.told.fact) for one in sitting.play(line)] == [line], "the next picture may show the next deed"
    assert sitting.play("B r8@4") == []
    sitting.look(3.0)
    assert not sitting.events[-1].told.verdict.legal


@pytest.fixture
def no_room(tmp_path: Path) -> Sitting:
    """B is to play and can lay no Clan card any more."""
    rows = "-:-=B/-:-=A/-:-=B/-:-=A/-:-=B/-:-=A/r1:y1.y2.y4^B/r2:g1.g2.g4^B/r3:g3.g5.y6^B"
    position = parse_position(f"{rows} A* - 1.0 0.0 6~7.6~7 20 tactics")
    sitting = Sitting(tmp_path, "tactics")
    state = sitting.station.state
    referee = replace(state.referee, position=position, table=state.referee.game.table(position))
    sitting.station._ledger.adopt(replace(state, start=referee, referee=referee))
    sitting.table.apply(changes(state.referee.table, referee.table))
    return sitting


def test_a_pass_is_told_once_the_other_plays_on_and_every_place_was_seen(no_room: Sitting) -> None:
    no_room.held = frozenset({"9A", "D1"})
    assert no_room.play("A r5@8") == []
    no_room.held = frozenset({"9A"})
    no_room.look(40.0)
    assert no_room.events == [], "what B did instead may lie below the hand"
    no_room.held = frozenset({"D1"})
    no_room.look()
    assert [str(one.told.fact) for one in no_room.events] == ["B pass", "A r5@8"]


@pytest.mark.parametrize("ends", [True, False])
def test_what_cannot_be_seen_is_no_pass(no_room: Sitting, ends: bool) -> None:
    no_room.held = frozenset({"7A", "D1"})
    no_room.play("B banshee r1@7", "A r5@8")
    no_room.look(40.0)
    if ends:
        no_room.station.finish()
        assert no_room.events == []
        return
    no_room.held = frozenset()
    no_room.look()
    assert [str(one.told.fact) for one in no_room.events] == ["B banshee r1@7", "A r5@8"]


@pytest.mark.parametrize("covered", [frozenset[str](), frozenset({"9A"})])
def test_a_card_that_cannot_be_named_yet_may_be_what_was_done_instead_of_a_pass(
    no_room: Sitting, covered: frozenset[str]
) -> None:
    no_room.table.take("r1", "7A")
    for name in ("foreign", "r1"):
        no_room.table.lay(name, "discard")
    no_room.look()
    no_room.play("A r5@8")
    assert no_room.events == []
    no_room.table.take("foreign", "discard")
    no_room.table.take("r1", "discard")
    for name in ("banshee", "r1"):
        no_room.table.lay(name, "discard")
    no_room.held = covered
    no_room.look()
    assert [str(one.told.fact) for one in no_room.events] == ["B banshee r1@7", "A r5@8"]


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
