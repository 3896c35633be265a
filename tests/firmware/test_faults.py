"""Things that go wrong at a camera table: each is said in its own words, and the game goes on when it has passed.

A table of scenes. Each says how the trouble comes about, which headline the display shows, and how it goes away. How
the camera's troubles are noticed in pictures is tested in test_eye.py, the parts' own in test_parts.py; here it is
about what a person reads and about the way back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from firmware.commands import Accept, Decide, Pressed, Rule, Undo
from firmware.faults import JournalFault
from firmware.gestures import Press
from firmware.journal import Journal
from firmware.messages import LANGUAGES
from firmware.ports import Button, Edge
from firmware.present import present
from firmware.state import saying
from tests.firmware.simulated import Shutter, simulated
from tests.firmware.sitting import Sitting

STONE_1 = ("A g1@1", "B r9@1", "A g2@1", "B y4@1", "A g3@1", "B b2@1")
Step = Callable[[Sitting], None]


def playing(*lines: str) -> Step:
    def step(sitting: Sitting) -> None:
        sitting.play(*lines)

    return step


def laying(name: str, place: str) -> Step:
    def step(sitting: Sitting) -> None:
        sitting.table.lay(name, place)
        sitting.look()

    return step


def taking(name: str, place: str) -> Step:
    def step(sitting: Sitting) -> None:
        sitting.table.take(name, place)
        sitting.look()

    return step


def viewing(name: str, **about: str) -> Step:
    """The eye says this of the view."""

    def step(sitting: Sitting) -> None:
        sitting.look(5.0)
        sitting.look_away(saying(name, **about))

    return step


def reported(name: str, **about: str) -> Step:
    """A part of the station says this of itself."""

    def step(sitting: Sitting) -> None:
        sitting.look(5.0)
        sitting.station.report(name, saying(name, **about))

    return step


def mended(name: str) -> Step:
    def step(sitting: Sitting) -> None:
        sitting.station.report(name, None)

    return step


def clearing(sitting: Sitting) -> None:
    sitting.table.clear()
    sitting.look()


def bumping_away_a_card(sitting: Sitting) -> None:
    """The camera was knocked against, and while nothing could be seen a card went."""
    sitting.look_away(saying("camera-moved"))
    sitting.table.take("g5", "3A")
    sitting.look(moved=True)


def looking(sitting: Sitting) -> None:
    sitting.look(5.0)


@dataclass(frozen=True)
class Scene:
    """One thing that goes wrong."""

    fault: str
    before: tuple[str, ...]
    happens: Step
    headline: str
    passes: Step | None
    rules: str = "base"


SCENES = (
    # Cards
    Scene("two-cards-in-one-turn", (), playing("A g5@3 + g6@4"), "2 CARDS THIS TURN", taking("g6", "4A")),
    Scene("two-cards-in-one-turn", ("A g5@3",), playing("A g6@4"), "2ND CARD BY A", taking("g6", "4A")),
    Scene("out-of-turn", (), playing("B g6@4"), "NOT YOUR TURN: B", taking("g6", "4B"), "base first=A"),
    Scene("side-full", (*STONE_1[:5], "B y1@9"), playing("A g4@1"), "STONE 1 IS FULL", taking("g4", "1A")),
    Scene("stone-taken", (*STONE_1, "A g4@2", "A claim 1", "B r5@9"), playing("A b1@1"), "STONE 1 IS TAKEN",
          taking("b1", "1A")),
    Scene("seen-twice", ("A g5@3",), laying("g5", "4B"), "GREEN 5 SEEN TWICE",
          taking("g5", "4B")),
    Scene("foreign-card", ("A g5@3",), laying("foreign", "3B"), "UNKNOWN CARD", taking("foreign", "3B")),
    Scene("card-removed", ("A g5@3", "B r1@3"), playing("removed g5@3A"), "GREEN 5 IS MISSING", laying("g5", "3A")),
    Scene("card-moved", ("A g5@3", "B r1@3"), playing("moved g5@3A>4A"), "GREEN 5 WAS MOVED",
          playing("moved g5@4A>3A")),
    Scene("card-swapped", ("A g5@3", "B r1@3"), playing("swapped g5@3A for g6"), "CHANGED AT 3A",
          playing("swapped g6@3A for g5")),
    Scene("on-the-border", ("A g5@3",), playing("appeared r6@4M"), "NOT ON THE STONE: 4", taking("r6", "4M1")),
    Scene("card-face-down", ("A g5@3",), laying("back", "3B"), "CARD FACE DOWN", taking("back", "3B")),
    # Rules
    Scene("claim-not-proven", ("A g5@3", "B r1@3", "A g6@3", "B r2@3", "A b4@3"), playing("A claim 3"),
          "NOT PROVEN: STONE 3", playing("stone 3 A>border")),
    Scene("claim-without-right", ("A g5@3",), playing("A claim 7"), "NOT YET: STONE 7",
          playing("stone 7 A>border")),
    Scene("stone-gone", ("A g5@3",), playing("stone 7 border>missing"), "STONE 7 IS GONE",
          playing("stone 7 missing>border")),
    Scene("tactic-limit", ("A joker1@1", "B r1@1"), playing("A spy@2"), "TACTIC LIMIT: A",
          taking("spy", "2A"), "tactics"),
    Scene("board-cleared", (*STONE_1, "A g4@2"),
          clearing, "BOARD CLEARED?", None),
    # The view
    Scene("too-dark", ("A g5@3",), viewing("too-dark"), "TOO DARK", looking),
    Scene("camera-bumped", ("A g5@3",), viewing("camera-moved"), "CAMERA MOVED", looking),
    Scene("bumped-and-different", ("A g5@3",), bumping_away_a_card, "CHECK BOARD", laying("g5", "3A")),
    Scene("object-left", ("A g5@3",), viewing("object", place="4B"), "SOMETHING IN VIEW", looking),
    Scene("corner-hidden", ("A g5@3",), viewing("corner-hidden"), "CORNER HIDDEN", looking),
    Scene("mirrored", ("A g5@3",), viewing("mirrored"), "CAMERA MIRRORED", looking),
    Scene("hand-staying", ("A g5@3",), viewing("hand"), "HAND IN VIEW", looking),
    Scene("flicker", ("A g5@3",), viewing("flicker"), "LIGHT FLICKERS", looking),
    Scene("too-bright", ("A g5@3",), viewing("too-bright"), "TOO BRIGHT", looking),
    Scene("blurred", ("A g5@3",), viewing("blurred"), "BLURRED VIEW", looking),
    Scene("other-camera", ("A g5@3",), viewing("new-camera"), "NEW CAMERA", looking),
    Scene("mat-moved", ("A g5@3",), viewing("no-mat"), "NO MAT IN VIEW", looking),
    # The station
    Scene("camera-unplugged", ("A g5@3",), reported("camera-lost", why="x"), "NO CAMERA", mended("camera-lost")),
    Scene("camera-frozen", ("A g5@3",), reported("camera-stuck"), "CAMERA STUCK", mended("camera-stuck")),
    Scene("slow-camera", ("A g5@3",), reported("slow-camera"), "SLOW CAMERA", mended("slow-camera")),
    Scene("display-unplugged", ("A g5@3",), reported("display-lost", why="x"), "NO DISPLAY", mended("display-lost")),
    Scene("lamps-gone", ("A g5@3",), reported("lamps-lost", why="x"), "LAMPS OFFLINE", mended("lamps-lost")),
    Scene("button-stuck", ("A g5@3",), reported("button-stuck", button="turn"), "BUTTON STUCK",
          mended("button-stuck")),
    Scene("low-power", ("A g5@3",), reported("low-power"), "LOW POWER", mended("low-power")),
    Scene("clock-wrong", ("A g5@3",), reported("time-not-set"), "TIME NOT SET", mended("time-not-set")),
    Scene("players-away", ("A g5@3",), reported("still-playing"), "STILL PLAYING?",
          mended("still-playing")),
)  # fmt: skip


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Callable[[str], Sitting]]:
    sat: list[Sitting] = []

    def start(rules: str) -> Sitting:
        sat.append(Sitting(tmp_path, rules))
        return sat[-1]

    yield start
    for one in sat:
        one.get_up()


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.headline)
def test_a_fault_has_its_words_and_its_way_back(scene: Scene, sit: Callable[[str], Sitting]) -> None:
    sitting = sit(scene.rules)
    sitting.play(*scene.before)
    sitting.look(5.0)
    calm = sitting.said
    position = sitting.station.state.referee.position
    scene.happens(sitting)
    assert sitting.said != calm
    assert sitting.said[0] == scene.headline
    state, refereed = sitting.station.state, sitting.station.refereed
    spoken = {present(state, refereed, language).screen.headline for language in LANGUAGES}
    assert len(spoken) == len(LANGUAGES), spoken
    if scene.passes is None:
        return
    assert sitting.station.state.referee.position == position, "nothing counts until it was put right"
    scene.passes(sitting)
    sitting.look(5.0)
    assert not sitting.station.state.referee.to_put_right
    assert not sitting.station.state.unread
    if scene.headline != "2 CARDS THIS TURN":  # there the card that stays is the move
        assert sitting.said == calm


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


@pytest.mark.fault("disk-full")
def test_a_full_disk_stops_verdicts_and_they_go_on_when_there_is_room(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base")
    db = sitting.journal._db
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count={pages}")
    for n in range(60):
        sitting.table.clear()
        sitting.table.lay(f"{'rygbpo'[n % 6]}{n % 9 + 1}", "3A")
        sitting.look()
        if sitting.said[0] == "DISK FULL":
            break
    assert sitting.said == ("DISK FULL", "Call a judge")
    told = len(sitting.events)
    sitting.look()
    assert len(sitting.events) == told, "no verdict without its entry"
    db.execute("PRAGMA max_page_count=1000000")
    sitting.look()
    assert len(sitting.events) > told
    assert sitting.said[0] != "DISK FULL"


@pytest.mark.fault("storage-fault")
def test_storage_that_cannot_be_written_stops_verdicts(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base")
    sitting.journal._db.execute("PRAGMA query_only=ON")
    assert sitting.play("A g5@3") == []
    assert sitting.said == ("STORAGE FAULT", "Swap the station")
    sitting.journal._db.execute("PRAGMA query_only=OFF")
    sitting.look()
    assert len(sitting.events) == 1


@pytest.mark.fault("journal-damaged")
def test_a_damaged_journal_and_a_second_station_are_named(sit: Callable[[str], Sitting], tmp_path: Path) -> None:
    sitting = sit("base")
    with pytest.raises(JournalFault, match="another station") as busy:
        Journal(sitting.path, sitting.clock)
    assert busy.value.trouble == "journal-busy"
    (tmp_path / "bad.db").write_bytes(b"x" * 4096)
    with pytest.raises(JournalFault) as damaged:
        Journal(tmp_path / "bad.db", sitting.clock)
    assert damaged.value.trouble == "log-damaged"


@pytest.mark.fault("camera-unplugged", "players-away")
def test_the_loop_names_lost_parts_and_idle_players_by_itself(tmp_path: Path) -> None:
    _, loop, _ = simulated(tmp_path)

    def said() -> str:
        return present(loop.station.state, loop.station.refereed, "en").screen.headline

    loop.step()
    shutter = loop.camera
    assert isinstance(shutter, Shutter)
    shutter.lost = "pulled out"
    loop.step()
    assert said() == "NO CAMERA"
    shutter.lost = None
    loop.step()
    assert said() == "READY"
    loop.clock.sleep(700)
    loop.step()
    assert said() == "STILL PLAYING?"


@pytest.mark.fault("button-stuck")
def test_a_stuck_button_is_named_and_ignored(tmp_path: Path) -> None:
    from firmware.drivers.buttons_simulated import Driver
    from hardware_config.settings import SimulatedButtons

    _, loop, _ = simulated(tmp_path)
    buttons = Driver(SimulatedButtons())
    loop.buttons = buttons
    buttons.hold_down(Button.TURN, loop.clock.monotonic_s())
    loop.step()
    loop.clock.sleep(31)
    loop.step()
    assert present(loop.station.state, loop.station.refereed, "en").screen.headline == "BUTTON STUCK"
    buttons._edges.append(Edge(Button.TURN, False, loop.clock.monotonic_s()))
    loop.step()
    loop.step()
    assert present(loop.station.state, loop.station.refereed, "en").screen.headline == "READY"
