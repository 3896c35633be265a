"""More of what goes wrong at a table: cards that cannot be read and why, and what is said of claims and jokers.

The companion of test_faults.py: here the reader itself says that it cannot tell, or a verdict has words of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from engine.rules import Sign
from engine.table import Change
from firmware.messages import LANGUAGES
from firmware.present import present
from firmware.signals import Lamp, Tone
from firmware.station import Sighting
from tests.firmware.sitting import Sitting, observation
from vision.observation import Reading, Why

# A side of A that nothing can beat any more, and one that B equals later.
UNBEATABLE = ("A g7@1", "B r2@9", "A g8@1", "B r3@8", "A g9@1")
TIED = ("A g1@1", "B r1@1", "A g2@1", "B r2@1", "A g3@1", "B r3@1", "A b9@5")
WEAKER = ("A g1@1", "B r9@1", "A g2@1", "B y4@1", "A g3@1", "B b2@1", "A b9@5")


@dataclass(frozen=True)
class Unreadable:
    """One reason why a card cannot be read, and what is said."""

    fault: str
    why: Why
    headline: str
    detail: str


UNREAD = (
    Unreadable("index-covered", Why.COVERED, "CAN'T READ CARD", "Spread: Stone 4 B"),
    Unreadable("between-two-stones", Why.OUTSIDE, "WHICH PLACE?", "Move it: Stone 4 B"),
    Unreadable("colours-alike", Why.ALIKE, "WHICH CARD IS IT?", "Straighten: Stone 4 B"),
    Unreadable("glare", Why.GLARE, "GLARE ON A CARD", "Tilt lamp: Stone 4 B"),
    Unreadable("side-full", Why.CROWDED, "TOO MANY CARDS", "Look at Stone 4 B"),
    Unreadable("two-minds", Why.UNCERTAIN, "SHOW IT AGAIN", "Straighten: Stone 4 B"),
    Unreadable("colours-alike", Why.COLOURLESS, "NO COLOURS", "Plain white light"),
    Unreadable("too-bright", Why.BRIGHT, "TOO BRIGHT", "Shade the board"),
)


def see_unread(sitting: Sitting, place: str, why: Why) -> None:
    """The table as it lies, with something at a place that the reader cannot name."""
    seen = observation(sitting.table.board, sitting.table.layout)
    cards = {**seen.cards, place: (*seen.cards[place], Reading(None, why))}
    sitting.clock.sleep(0.5)
    sitting.frame += 1
    sitting.station.see(Sighting(sitting.frame, sitting.clock.monotonic_s(), replace(seen, cards=cards)))


def in_all_languages(sitting: Sitting) -> set[str]:
    state, refereed = sitting.station.state, sitting.station.refereed
    return {present(state, refereed, language).screen.headline for language in LANGUAGES}


@pytest.mark.parametrize("case", UNREAD, ids=lambda case: case.headline)
def test_a_card_that_cannot_be_read_is_asked_for_and_never_guessed(sitting: Sitting, case: Unreadable) -> None:
    sitting.play("A g5@3")
    sitting.look(5.0)
    calm = sitting.said
    see_unread(sitting, "4B", case.why)
    assert sitting.said == (case.headline, case.detail)
    assert len(in_all_languages(sitting)) == len(LANGUAGES)
    assert sitting.snapshots[-1].signals.lamps[3] == Lamp(Sign.UNREADABLE)
    assert len(sitting.events) == 1, "no event before it was read"
    sitting.look(5.0)
    assert sitting.said == calm, "taken away, and nothing is left of it"
    see_unread(sitting, "4B", case.why)
    assert sitting.play("B r1@4")[0].told.verdict.legal, "or straightened, and it is the move"


def test_known_cards_below_one_that_cannot_be_read_stay_known(sitting: Sitting) -> None:
    sitting.play("A g5@3", "B r1@3", "A g6@3")
    see_unread(sitting, "3A", Why.COVERED)
    assert not sitting.station.state.referee.to_put_right
    assert len(sitting.events) == 3


@pytest.mark.fault("claim-on-unread-card")
def test_a_claim_that_hangs_on_an_unread_card_is_a_judges_call(sitting: Sitting) -> None:
    sitting.play("A g5@4", "B r1@4", "A g6@4", "B r2@4", "A b4@4")
    told = len(sitting.events)
    see_unread(sitting, "4B", Why.GLARE)
    sitting.table.apply(sitting.station.refereed.game.parse("A claim 4").changes())
    see_unread(sitting, "4B", Why.GLARE)
    assert sitting.said == ("JUDGE'S CALL", "Unsure: Stone 4 B")
    assert len(in_all_languages(sitting)) == len(LANGUAGES)
    sitting.clock.sleep(60.0)
    see_unread(sitting, "4B", Why.GLARE)
    assert len(sitting.events) == told, "no verdict is better than a wrong one, however long it takes"
    sitting.table.lay("r4", "4B")  # it can be read now: B had the stronger side
    sitting.look(5.0)
    assert [(str(one.told.fact), one.told.verdict.legal) for one in sitting.events[told:]] == [
        ("A claim 4", False), ("B r4@4", True)]  # fmt: skip
    assert sitting.said[0] != "JUDGE'S CALL"


@pytest.mark.fault("claim-on-unread-card")
def test_a_tile_put_back_ends_a_judges_call(sitting: Sitting) -> None:
    sitting.play("A g5@4", "B r1@4", "A g6@4", "B r2@4", "A b4@4")
    sitting.table.apply(sitting.station.refereed.game.parse("A claim 4").changes())
    see_unread(sitting, "4B", Why.GLARE)
    assert sitting.said[0] == "JUDGE'S CALL"
    sitting.table.apply(change_back(sitting, "A claim 4"))
    see_unread(sitting, "4B", Why.GLARE)
    assert sitting.said[0] == "GLARE ON A CARD"


def test_a_foul_that_may_be_none_waits_for_the_unread_card_also_below_a_hand(sitting: Sitting) -> None:
    sitting.play("A g5@3", "B r1@3")
    told = len(sitting.events)
    see_unread(sitting, "4A", Why.GLARE)  # A's move, which nobody can read
    sitting.table.lay("r2", "5B")  # and B plays on, as may be
    see_unread(sitting, "4A", Why.GLARE)
    seen = observation(sitting.table.board, sitting.table.layout)
    covered = replace(seen, cards={**seen.cards, "4A": (Reading(None, Why.GLARE),)}, held=frozenset({"4A"}))
    for _ in range(8):
        sitting.clock.sleep(1.0)
        sitting.frame += 1
        sitting.station.see(Sighting(sitting.frame, sitting.clock.monotonic_s(), covered))
    assert len(sitting.events) == told, "a hand over the unread card makes no foul of what B did"
    sitting.clock.sleep(60.0)
    see_unread(sitting, "4A", Why.GLARE)
    assert len(sitting.events) == told
    assert sitting.said == ("JUDGE'S CALL", "Unsure: Stone 4 A")
    sitting.table.lay("g6", "4A")  # it can be read now
    sitting.look(5.0)
    assert [(str(one.told.fact), one.told.verdict.legal) for one in sitting.events[told:]] == [
        ("A g6@4", True), ("B r2@5", True)]  # fmt: skip


@pytest.mark.fault("hand-passing")
@pytest.mark.parametrize("why", [Why.HAND, Why.MOVING])
def test_a_hand_or_a_card_in_motion_is_nobodys_fault(sitting: Sitting, why: Why) -> None:
    sitting.play("A g5@3")
    sitting.look(5.0)
    calm = sitting.said
    see_unread(sitting, "4B", why)
    assert sitting.said == calm


@dataclass(frozen=True)
class Verdict:
    """A game whose last line is judged with these words."""

    fault: str
    rules: str
    lines: tuple[str, ...]
    headline: str
    good: bool


VERDICTS = (
    Verdict("claim-proven-early", "base", (*UNBEATABLE, "A claim 1"), "CLAIM OK: STONE 1", True),
    Verdict("tie", "base", (*TIED, "A claim 1"), "TIE: A WAS FIRST", True),
    Verdict("claim-out-of-time", "base", (*WEAKER, "B o1@6", "A claim 1"), "CLAIM TOO LATE", False),
    Verdict("claim-out-of-time", "tactics expert", (*WEAKER, "A claim 1"), "CLAIM TOO LATE", False),
    Verdict("second-joker", "tactics", ("A joker1@1", "B spy@9", "A g1@2", "B r1@8", "A joker2@3"),
            "2ND JOKER: A", False),
)  # fmt: skip


@pytest.mark.parametrize("case", VERDICTS, ids=lambda case: f"{case.headline} {case.rules}")
def test_a_verdict_has_its_words(tmp_path: Path, case: Verdict) -> None:
    sitting = Sitting(tmp_path, case.rules)
    *before, last = case.lines
    sitting.play(*before)
    sitting.look(5.0)
    (judged,) = sitting.play(last)
    assert judged.told.verdict.legal is case.good
    assert sitting.said[0] == case.headline
    assert sitting.snapshots[-1].signals.screen.tone is (Tone.GOOD if case.good else Tone.FOUL)
    assert len(in_all_languages(sitting)) == len(LANGUAGES)
    if not case.good:
        sitting.table.apply(change_back(sitting, last))
        sitting.look(5.0)
        assert not sitting.station.state.referee.to_put_right
    sitting.get_up()


def change_back(sitting: Sitting, line: str) -> tuple[Change, ...]:
    """What undoes a line on the table."""
    changes = sitting.station.refereed.game.parse(line).changes()
    return tuple(Change(change.piece, change.target, change.origin) for change in reversed(changes))
