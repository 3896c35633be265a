"""Computer players beside visitors: they play honestly to the end, cheat when asked, and wait when they should."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.schotten_totten.cards import parse_card
from firmware.clocks import SimulatedClock
from firmware.commands import NewGame
from firmware.games import refereed
from firmware.journal import Journal
from firmware.simulation.camera import Camera as Mounting
from firmware.simulation.cheats import CHEATS
from firmware.simulation.company import Company
from firmware.simulation.light import Light
from firmware.simulation.manners import PACES_S, Manners
from firmware.simulation.open_table import OpenTable
from firmware.simulation.playroom import Playroom
from firmware.simulation.room import NotThere
from firmware.simulation.scene import Habits
from firmware.state import saying
from firmware.station import Manner, Sighting, Station
from tests.firmware.sitting import observation

GAME = refereed("schotten-totten")
FRAME_S = 0.5


class Rig:
    """A camera that is only bumped and dimmed."""

    def __init__(self) -> None:
        self.light, self.mounting, self.unplugged, self.bumps = Light(), Mounting(), False, 0

    def bump(self, by_deg: float = 1.0) -> None:
        self.bumps += 1


class Evening:
    """A table with company, a referee that sees everything, and time that passes as it is told to."""

    def __init__(self, folder: Path, manners: Manners, rules: str = "base", seed: int = 3) -> None:
        print(f"seed {seed}")
        self.clock = SimulatedClock()
        self.station = Station(GAME, Journal(folder / "journal.db", self.clock), self.clock, Manner("en", 1.0))
        self.station.begin({"rules": rules})
        table = OpenTable(GAME.layout, GAME.places, Habits(offset_mm=1.0), seed)
        self.room = Playroom(table, Rig(), rules, seed)
        self.company = Company(self.room, self.station.take, manners)
        self.frame = 0

    @property
    def told(self) -> tuple[Any, ...]:
        return tuple(self.station.state.referee.told)

    def pass_time(self, frames: int = 1) -> None:
        for _ in range(frames):
            self.clock.sleep(FRAME_S)
            self.frame += 1
            seen = observation(self.room.table.board, GAME.layout)
            self.station.see(Sighting(self.frame, self.clock.monotonic_s(), seen))
            self.company.tick(self.station.state, self.clock.monotonic_s())

    def until(self, true: Any, frames: int = 1500) -> None:
        for _ in range(frames):
            if true():
                return
            self.pass_time()
        raise AssertionError(f"it did not happen in {frames} frames")


COMPUTERS = Manners(pace_s=PACES_S["fast"])
VISITORS = Manners(seats=(("A", False), ("B", False)), pace_s=PACES_S["fast"])
AGAINST = Manners(seats=(("A", False), ("B", True)), pace_s=PACES_S["fast"])


@pytest.mark.parametrize("rules", ["base", "tactics", "tactics expert"])
@pytest.mark.parametrize("seed", [1, 2])
def test_two_computers_play_honestly_to_an_end_and_begin_again(tmp_path: Path, rules: str, seed: int) -> None:
    evening = Evening(tmp_path, COMPUTERS, rules, seed)
    evening.until(lambda: evening.station.state.is_over or evening.station.state.number > 1)
    assert [str(one.fact) for one in evening.told if not one.verdict.legal] == []
    evening.until(lambda: evening.station.state.number > 1, 100)
    evening.until(lambda: len(evening.told) > 3, 100)


def test_between_two_moves_of_a_computer_passes_the_time_that_was_asked_for(tmp_path: Path) -> None:
    evening = Evening(tmp_path, Manners(pace_s=60.0))
    evening.until(lambda: len(evening.told) == 1)
    began_s = evening.clock.monotonic_s()
    evening.until(lambda: len(evening.told) == 2)
    assert 60.0 <= evening.clock.monotonic_s() - began_s <= 64.0


@pytest.mark.parametrize(
    "name", ["second-card", "moved-card", "removed-card", "two-at-once", "wrong-side", "second-copy", "swapped-card"]
)
def test_a_cheat_is_caught_then_put_right_and_the_game_goes_on(tmp_path: Path, name: str) -> None:
    evening = Evening(tmp_path, COMPUTERS)
    evening.until(lambda: len(evening.told) >= 6 and not evening.station.state.pending)
    if not evening.company.cheat_now(evening.station.state, name, evening.clock.monotonic_s()):
        evening.company.manners = replace(evening.company.manners, cheats=name)
    evening.until(lambda: any(not one.counts for one in evening.told))
    evening.company.manners = replace(evening.company.manners, cheats=None)
    count = len(evening.told)
    evening.until(lambda: not evening.station.state.referee.to_put_right)
    evening.until(lambda: len(evening.told) > count + 3)


def test_every_cheat_has_words_in_every_language() -> None:
    from firmware.web.files import page_words

    for language in ("en", "fr", "es"):
        assert {f"cheat_{name}" for name in CHEATS} <= page_words(language).keys()


def test_a_game_that_the_hub_begins_in_the_middle_of_another_is_dealt_and_played(tmp_path: Path) -> None:
    evening = Evening(tmp_path, COMPUTERS)
    evening.until(lambda: len(evening.told) > 4, 100)
    evening.station.take(NewGame((("player A", "Anna"), ("player B", "Bert"), ("rules", "base")), "Olga"))
    assert evening.station.state.number == 2
    evening.until(lambda: len(evening.told) > 4, 200)
    assert (evening.station.state.number, dict(evening.station.state.head)["player A"]) == (2, "Anna")
    assert [str(one.fact) for one in evening.told if not one.verdict.legal] == []


def test_nobody_plays_for_a_visitor(tmp_path: Path) -> None:
    evening = Evening(tmp_path, VISITORS)
    evening.pass_time(60)
    assert evening.told == ()


def test_a_visitor_lays_a_card_the_hand_is_refilled_and_the_computer_answers(tmp_path: Path) -> None:
    evening = Evening(tmp_path, AGAINST)
    card = str(evening.room.held.hand_a[0])
    evening.room.put(card, 66.0, 356.0, crooked=False)
    evening.until(lambda: len(evening.told) >= 2, 60)
    assert str(evening.told[0].fact) == f"A {card}@1"
    assert str(evening.told[1].fact).startswith("B ")
    assert len(evening.room.held.hand_a) == 6


def test_the_computer_waits_while_something_is_to_be_put_right(tmp_path: Path) -> None:
    evening = Evening(tmp_path, AGAINST)
    first, second = (str(card) for card in evening.room.held.hand_a[:2])
    evening.room.put(first, 66.0, 356.0, crooked=False)
    evening.room.put(second, 134.0, 356.0, crooked=False)
    evening.until(lambda: evening.station.state.referee.to_put_right)
    count = len(evening.told)
    evening.pass_time(60)
    assert len(evening.told) == count


def test_a_visitor_who_may_claim_is_waited_for(tmp_path: Path) -> None:
    evening = Evening(tmp_path, AGAINST)
    wanted = tuple(parse_card(code) for code in ("r7", "r8", "r9"))
    for card in wanted:
        held = evening.room.held.without(card)
        evening.room.held = held.with_hand("A", (*held.hand_a, card))
    for n, code in enumerate(map(str, wanted)):
        evening.until(lambda: str(evening.station.state.referee.position.to_play) == "A", 60)
        evening.room.put(code, 66.0, 356.0 + 24 * n, crooked=False)
        evening.until(lambda code=code: f"A {code}@1" in {str(one.fact) for one in evening.told}, 60)
    before = len(evening.told)
    evening.pass_time(6)
    assert len(evening.told) == before  # three seconds: the computer still waits
    evening.room.put("stone1", 66.0, 489.0, crooked=False)
    evening.until(lambda: "A claim 1" in {str(one.fact) for one in evening.told}, 10)


def test_nobody_plays_on_in_the_dark(tmp_path: Path) -> None:
    evening = Evening(tmp_path, COMPUTERS)
    evening.until(lambda: len(evening.told) >= 2)
    cards = None
    for _ in range(80):
        evening.clock.sleep(FRAME_S)
        sighting = Sighting(evening.frame, evening.clock.monotonic_s(), None, (saying("too-dark"),))
        evening.station.see(sighting)
        evening.company.tick(evening.station.state, evening.clock.monotonic_s())
        lying = len(evening.room.table.lying)
        cards = lying if cards is None else cards
        assert lying <= cards + 1
    count = len(evening.told)
    evening.until(lambda: len(evening.told) > count + 2)
    assert all(one.verdict.legal for one in evening.told)


def test_a_card_that_somebody_takes_away_is_not_waited_for(tmp_path: Path) -> None:
    evening = Evening(tmp_path, AGAINST)
    card = str(evening.room.held.hand_a[0])
    evening.room.put(card, 66.0, 356.0, crooked=False)
    evening.until(lambda: len(evening.room.table.lying) == 11, 60)  # nine Stones, the visitor's card, the computer's
    mine = next(one.code for one in evening.room.table.lying if str(one.place).endswith("B"))
    evening.room.table.remove(mine)
    evening.room.held = evening.room.held.with_hand("B", (*evening.room.held.hand_b, parse_card(mine)))
    evening.until(lambda: len(evening.told) == 2, 120)
    assert str(evening.told[1].fact).startswith("B ")


def test_what_is_not_there_cannot_be_moved(tmp_path: Path) -> None:
    room = Evening(tmp_path, VISITORS).room
    in_a_deck = str(room.held.clan[0])
    with pytest.raises(NotThere):
        room.put(in_a_deck, 66.0, 356.0, crooked=False)
    with pytest.raises(NotThere):
        room.turn_over(in_a_deck)


def test_no_card_is_ever_in_two_places(tmp_path: Path) -> None:
    evening = Evening(tmp_path, COMPUTERS, "tactics")
    for _ in range(150):
        evening.pass_time()
        held = evening.room.held
        off = [str(card) for cards in (held.hand_a, held.hand_b, held.clan, held.tactic) for card in cards]
        on = [one.code for one in evening.room.table.lying if not one.code.startswith("stone")]
        assert len({*off, *on}) == len(off) + len(on) == 64


def test_light_hand_and_bump_reach_the_camera(tmp_path: Path) -> None:
    room = Evening(tmp_path, VISITORS).room
    room.dim(0.0)
    assert room.rig.mounting.sensor.exposure < 0.05
    room.dim(1.0)
    assert room.rig.mounting.sensor.exposure == Mounting().sensor.exposure
    room.reach_in((300.0, 400.0), "A")
    assert len(room.table.scene().hands) == 1
    room.reach_in(None)
    assert room.table.scene().hands == ()
    room.bump()
    assert isinstance(room.rig, Rig)
    assert room.rig.bumps == 1
