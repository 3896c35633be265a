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

from firmware.commands import Accept, Decide, Rule, Undo
from firmware.faults import JournalFault
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


def viewing(name: str) -> Step:
    """The eye says this of the view."""

    def step(sitting: Sitting) -> None:
        sitting.look(5.0)
        sitting.look_away(saying(name))

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
    Scene("two cards placed in one turn", (), playing("A g5@3 + g6@4"), "2 CARDS THIS TURN", taking("g6", "4A")),
    Scene("second card in one turn", ("A g5@3",), playing("A g6@4"), "2ND CARD BY A", taking("g6", "4A")),
    Scene("played out of turn", (), playing("B g6@4"), "NOT YOUR TURN: B", taking("g6", "4B"), "base first=A"),
    Scene("fourth card on a side", (*STONE_1[:5], "B y1@9"), playing("A g4@1"), "STONE 1 IS FULL", taking("g4", "1A")),
    Scene("card on a claimed stone", (*STONE_1, "A g4@2", "A claim 1", "B r5@9"), playing("A b1@1"), "STONE 1 IS TAKEN",
          taking("b1", "1A")),
    Scene("duplicate of a card already played", ("A g5@3",), laying("g5", "4B"), "GREEN 5 SEEN TWICE",
          taking("g5", "4B")),
    Scene("foreign card", ("A g5@3",), laying("foreign", "3B"), "UNKNOWN CARD", taking("foreign", "3B")),
    Scene("card removed", ("A g5@3", "B r1@3"), playing("removed g5@3A"), "GREEN 5 IS MISSING", laying("g5", "3A")),
    Scene("card moved to another stone", ("A g5@3", "B r1@3"), playing("moved g5@3A>4A"), "GREEN 5 WAS MOVED",
          playing("moved g5@4A>3A")),
    Scene("card swapped for another", ("A g5@3", "B r1@3"), playing("swapped g5@3A for g6"), "CHANGED AT 3A",
          playing("swapped g6@3A for g5")),
    Scene("card face down", ("A g5@3",), laying("back", "3B"), "CARD FACE DOWN", taking("back", "3B")),
    # Rules
    Scene("claim not yet provable", ("A g5@3", "B r1@3", "A g6@3", "B r2@3", "A b4@3"), playing("A claim 3"),
          "NOT PROVEN: STONE 3", playing("stone 3 A>border")),
    Scene("stone taken without a valid claim", ("A g5@3",), playing("A claim 7"), "NOT YET: STONE 7",
          playing("stone 7 A>border")),
    Scene("stone tile missing", ("A g5@3",), playing("stone 7 border>missing"), "STONE 7 IS GONE",
          playing("stone 7 missing>border")),
    Scene("tactic card over the limit", ("A joker1@1", "B r1@1"), playing("A spy@2"), "TACTIC LIMIT: A",
          taking("spy", "2A"), "tactics"),
    Scene("board cleared in mid-game", (*STONE_1, "A g4@2"),
          clearing, "BOARD CLEARED?", None),
    # The view
    Scene("lights off", ("A g5@3",), viewing("too-dark"), "TOO DARK", looking),
    Scene("camera bumped", ("A g5@3",), viewing("camera-moved"), "CAMERA MOVED", looking),
    Scene("marker covered", ("A g5@3",), viewing("corner-hidden"), "CORNER HIDDEN", looking),
    Scene("mirrored picture", ("A g5@3",), viewing("mirrored"), "CAMERA MIRRORED", looking),
    Scene("hand left in view long", ("A g5@3",), viewing("hand"), "HAND IN VIEW", looking),
    Scene("flicker", ("A g5@3",), viewing("flicker"), "LIGHT FLICKERS", looking),
    Scene("over-exposure", ("A g5@3",), viewing("too-bright"), "TOO BRIGHT", looking),
    Scene("out of focus", ("A g5@3",), viewing("blurred"), "BLURRED VIEW", looking),
    Scene("camera of another size", ("A g5@3",), viewing("new-camera"), "NEW CAMERA", looking),
    Scene("no mat in view", ("A g5@3",), viewing("no-mat"), "NO MAT IN VIEW", looking),
    # The station
    Scene("camera unplugged", ("A g5@3",), reported("camera-lost", why="x"), "NO CAMERA", mended("camera-lost")),
    Scene("camera frozen", ("A g5@3",), reported("camera-stuck"), "CAMERA STUCK", mended("camera-stuck")),
    Scene("frames too slow", ("A g5@3",), reported("slow-camera"), "SLOW CAMERA", mended("slow-camera")),
    Scene("display unplugged", ("A g5@3",), reported("display-lost", why="x"), "NO DISPLAY", mended("display-lost")),
    Scene("lamps failure", ("A g5@3",), reported("lamps-lost", why="x"), "LAMPS OFFLINE", mended("lamps-lost")),
    Scene("button stuck", ("A g5@3",), reported("button-stuck", button="turn"), "BUTTON STUCK",
          mended("button-stuck")),
    Scene("under-voltage", ("A g5@3",), reported("low-power"), "LOW POWER", mended("low-power")),
    Scene("clock not set", ("A g5@3",), reported("time-not-set"), "TIME NOT SET", mended("time-not-set")),
    Scene("players leave the table", ("A g5@3",), reported("still-playing"), "STILL PLAYING?",
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


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.fault)
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
    if scene.fault != "two cards placed in one turn":  # there the card that stays is the move
        assert sitting.said == calm


def test_two_cards_in_one_turn_become_a_move_when_one_is_taken_back(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base")
    sitting.play("A g5@3 + g6@4")
    sitting.table.take("g6", "4A")
    sitting.look()
    assert sitting.station.state.summary.turn == "B"


def test_two_quick_turns_in_one_frame_are_two_events(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base")
    sitting.table.lay("g5", "3A")
    sitting.table.lay("r1", "3B")
    sitting.look()
    assert [str(one.told.fact) for one in sitting.events] == ["A g5@3", "B r1@3"]


def test_a_refused_claim_shows_a_card_that_could_beat_it(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base")
    sitting.play("A g5@3", "B r1@3", "A g6@3", "B r2@3", "A b4@3", "A claim 3")
    finding = sitting.events[-1].told.verdict.finding
    assert getattr(finding, "counterexample") != ()  # noqa: B009


def test_play_after_the_end_is_ignored(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base")
    sitting.ask(Decide(None, "Anna", "given up"))
    told = len(sitting.events)
    sitting.play("A g5@3")
    assert len(sitting.events) == told
    assert sitting.said[0].startswith("GAME OVER")


def test_a_take_back_and_a_judge_are_entries_and_nothing_is_deleted(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base")
    sitting.play("A g5@3", "B r1@3")
    sitting.ask(Undo())
    sitting.ask(Rule(1, True, "Anna", "misread"))
    assert len(sitting.record) == 4
    assert sitting.said == ("TAKE BACK: 3B", "red 1"), "what was taken back still lies there"


def test_an_irregular_table_may_stand_when_all_agree(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base")
    sitting.play("A g5@3", "A g6@4")
    sitting.ask(Accept("Anna", "both agree"))
    assert not sitting.station.state.referee.to_put_right
    assert "both agree" in sitting.snapshots[-1].signals.notice


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


def test_storage_that_cannot_be_written_stops_verdicts(sit: Callable[[str], Sitting]) -> None:
    sitting = sit("base")
    sitting.journal._db.execute("PRAGMA query_only=ON")
    assert sitting.play("A g5@3") == []
    assert sitting.said == ("STORAGE FAULT", "Swap the station")
    sitting.journal._db.execute("PRAGMA query_only=OFF")
    sitting.look()
    assert len(sitting.events) == 1


def test_a_damaged_journal_and_a_second_station_are_named(sit: Callable[[str], Sitting], tmp_path: Path) -> None:
    sitting = sit("base")
    with pytest.raises(JournalFault, match="another station") as busy:
        Journal(sitting.path, sitting.clock)
    assert busy.value.trouble == "journal-busy"
    (tmp_path / "bad.db").write_bytes(b"x" * 4096)
    with pytest.raises(JournalFault) as damaged:
        Journal(tmp_path / "bad.db", sitting.clock)
    assert damaged.value.trouble == "log-damaged"


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
