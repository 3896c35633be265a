"""Lords of Scotland at the station: what happened between two looks, where what lies there does not tell it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware.clocks import SimulatedClock
from firmware.commands import Pressed, Tell
from firmware.games import refereed
from firmware.gestures import Press
from firmware.journal import Journal
from firmware.ports import Button
from firmware.station import Manner, Sighting, Station
from vision.observation import Observation, Reading, TileReading, Why

GAME = refereed("lords-of-scotland")
Cards = dict[str, tuple[Reading, ...]]
RECRUITS = " ".join(f"?@recruit{slot}" for slot in range(1, 6))


def test_the_turn_button_tells_of_a_recruit_that_nobody_saw_taken(tmp_path: Path) -> None:
    clock = SimulatedClock()
    journal = Journal(tmp_path / "journal.db", clock)
    station = Station(GAME, journal, clock, Manner("en", 0.0))
    station.begin(GAME.rules("3"))
    for line in (f"deal {RECRUITS} scott9@supporters wemyss11@supporters cochrane6@supporters", "A turn 1 makgill7"):
        station.take(Tell(line))
    station.take(Pressed(Press(Button.TURN)))
    told = station.state.referee.told[-1]
    assert (str(told.fact), told.verdict.legal) == ("A end", True)
    station.take(Tell("B scott4"))
    assert station.state.referee.told[-1].verdict.legal
    station.take(Pressed(Press(Button.TURN)))  # B has been seen to act: that turn is over, no more
    assert [str(one.fact) for one in station.state.referee.told[-2:]] == ["B scott4", "B end"]
    journal.close()


def test_the_turn_button_ends_the_turn_of_whoever_acted_before_it_begins_to_tell_of_the_next(tmp_path: Path) -> None:
    clock = SimulatedClock()
    journal = Journal(tmp_path / "journal.db", clock)
    station = Station(GAME, journal, clock, Manner("en", 0.0))
    station.begin(GAME.rules("base") | {"initiative": "B"})
    for line in (f"deal {RECRUITS} scott9@supporters wemyss11@supporters", "B turn 1 makgill7", "B scott4"):
        station.take(Tell(line))
    for said in ("B end", "A end"):
        station.take(Pressed(Press(Button.TURN)))
        told = station.state.referee.told[-1]
        assert (str(told.fact), told.verdict.legal) == (said, True)
    journal.close()


@contextmanager
def watched(folder: Path, *, asks: bool = True) -> Iterator[tuple[Station, Callable[..., list[tuple[str, bool]]]]]:
    """A station at a table of two as it is dealt, and a look at it: what is told when something lies otherwise."""
    clock = SimulatedClock()
    journal = Journal(folder / "journal.db", clock)
    station = Station(GAME, journal, clock, Manner("en", 0.0, asks=asks))
    station.begin(GAME.rules("base"))
    station.take(Tell(f"deal {RECRUITS} scott9@supporters wemyss11@supporters"))
    laid: Cards = {f"recruit{slot}": (Reading(None, Why.FACE_DOWN),) for slot in range(1, 6)}
    laid |= {"supporters": (Reading("scott9", sideways=True), Reading("wemyss11", sideways=True))}

    def look(number: int, **changed: tuple[Reading, ...]) -> list[tuple[str, bool]]:
        told = len(station.state.referee.told)
        station.see(Sighting(number, 10.0 * number, Observation(laid | changed, {"initiative": TileReading("A")})))
        return [(str(one.fact), one.verdict.legal) for one in station.state.referee.told[told:]]

    assert look(1) == []
    yield station, look
    journal.close()


def test_a_recruit_that_is_gone_before_its_face_was_seen_is_asked_for(tmp_path: Path) -> None:
    with watched(tmp_path) as (station, look):
        assert look(2, recruit1=()) == []
        assert "recruit-unseen" in {one.name for one in station.state.troubles}
        assert look(3, recruit1=(Reading("makgill7"),)) == [("A turn 1 makgill7", True)]
        assert not station.state.troubles
        assert look(4, recruit1=()) == [("A recruit 1 makgill7", True)]


def test_a_recruit_that_is_gone_before_its_face_was_seen_is_no_foul_in_a_recording(tmp_path: Path) -> None:
    with watched(tmp_path, asks=False) as (_, look):
        assert look(2, recruit1=()) == [("A recruit 1 ?", True)]
        assert look(3, recruit1=(Reading("makgill7"),)) == [("deal makgill7@recruit1", True)]


def test_a_recruit_that_the_next_player_took_before_its_face_was_seen_is_asked_for(tmp_path: Path) -> None:
    engaged = (Reading("forsyth4"),)
    with watched(tmp_path) as (station, look):
        assert look(2, recruit1=(), armyA=engaged) == []
        assert "recruit-unseen" in {one.name for one in station.state.troubles}
        told = look(3, recruit1=(Reading("makgill7"),), armyA=engaged)
        assert told == [("A turn 1 makgill7", True), ("A forsyth4", True)]
        assert look(4, recruit1=(), armyA=engaged) == [("B recruit 1 makgill7", True)]
        assert not station.state.troubles


@pytest.mark.parametrize("asks", [True, False])
def test_supporters_taken_at_once_are_taken_again_one_by_one(tmp_path: Path, asks: bool) -> None:
    """Who took which cannot be seen. Only of a recording, that nobody can lay back, the likeliest is told."""
    clock = SimulatedClock()
    journal = Journal(tmp_path / "journal.db", clock)
    station = Station(GAME, journal, clock, Manner("en", 0.0, asks=asks))
    station.begin(GAME.rules("base"))
    station.take(Tell(f"deal {RECRUITS} scott9@supporters wemyss11@supporters"))
    for turn in range(1, 6):
        for line in (f"A turn {turn} forsyth{turn}", f"A makgill{turn}", f"B fergusson{turn + 2}"):
            station.take(Tell(line))
    fought: Cards = {f"recruit{turn}": (Reading(f"forsyth{turn}"),) for turn in range(1, 6)}
    fought |= {"armyA": tuple(Reading(f"makgill{turn}") for turn in range(1, 6))}
    fought |= {"armyB": tuple(Reading(f"fergusson{turn}") for turn in range(3, 8))}
    both: Cards = {"supporters": (Reading("scott9", sideways=True), Reading("wemyss11", sideways=True))}

    def look(number: int, cards: Cards) -> list[str]:
        told = len(station.state.referee.told)
        observation = Observation(fought | cards, {"initiative": TileReading("A")})
        station.see(Sighting(number, clock.monotonic_s(), observation))
        return [str(one.fact) for one in station.state.referee.told[told:]]

    assert look(1, both) == []
    taken = look(2, {"supporters": ()})
    if not asks:
        assert taken == ["B wins scott9", "A wins wemyss11"]
        return
    assert taken == []
    assert "taken-together" in {one.name for one in station.state.troubles}
    assert look(3, both) == []
    assert "taken-together" not in {one.name for one in station.state.troubles}
    assert look(4, {"supporters": both["supporters"][:1]}) == ["B wins wemyss11"]
    assert look(5, {"supporters": ()}) == ["A wins scott9"]
    journal.close()
