"""Things that go wrong at a camera table: each is said in its own words, and the game goes on when it has passed.

A table of scenes. Each says how the trouble comes about, which headline the display shows, and how it goes away. How
the camera's troubles are noticed in pictures is tested in test_eye.py, the parts' own in test_parts.py; here it is
about what a person reads and about the way back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from firmware.messages import LANGUAGES
from firmware.present import present
from firmware.state import saying
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
