"""What goes wrong between stations: two of one name, a copy, another version, other names. Words and way back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.cli import marchwarden
from firmware.clocks import SimulatedClock
from firmware.commands import NewGame, Pressed, Tell
from firmware.event import brought, orders, topics
from firmware.event.calls import Stage
from firmware.event.facts import OrderGiven, Reason
from firmware.event.house import init
from firmware.event.results import Seating, result_of, seating
from firmware.gestures import Press
from firmware.messages import LANGUAGES
from firmware.ports import Button
from firmware.present import present
from tests.firmware.event.scene import Scene, SceneStation, over

HEAD = (("player A", "Anna"), ("player B", "Ben"), ("round", "1"))


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    made = Scene(tmp_path, "table-12")
    made.stations["table-12"].play(1, most=6)
    made.run(5)
    yield made
    made.close()


def says(station: SceneStation, language: str = "en") -> tuple[str, str]:
    """The two lines on its display, once its last notice has gone and its camera has compared the table."""
    state = station.station.state
    seen = frozenset(trouble for trouble in state.troubles if trouble.name != "resuming")
    screen = present(replace(state, notice=None, troubles=seen), station.station.refereed, language).screen
    return screen.headline, screen.detail


def second(scene: Scene, folder: Path, name: str = "table-12") -> SceneStation:
    """Another station that was given the same name."""
    folder.mkdir()
    station = SceneStation(name, folder, clock=scene.clock, make=over(scene.exchange))
    scene.stations["second"] = station
    return station


@pytest.mark.fault("table-number-taken")
def test_the_second_station_of_a_name_keeps_away_until_it_is_free(scene: Scene, tmp_path: Path) -> None:
    other = second(scene, tmp_path / "other")
    other.play(2, most=9)
    scene.run(20)

    assert says(other) == ("TABLE 12 IN USE", "Choose another")
    assert [said for language in LANGUAGES if not (said := says(other, language)[0]).startswith("TABLE 12 ")] == []
    own = [stored.entry for stored in scene.hub.archive.entries("table-12")]
    assert own == list(scene.stations["table-12"].journal.entries())  # nothing of the other's
    assert scene.log == []
    assert scene.hub.state.open_calls() == ()

    scene.stations.pop("table-12").close()
    scene.run(20)
    assert "IN USE" not in says(other)[0]
    assert other.courier.acknowledged == len(list(other.journal.entries()))


@pytest.mark.fault("table-number-taken")
def test_a_name_that_is_in_use_is_not_given_away_again(tmp_path: Path) -> None:
    init(tmp_path / "e", ("localhost",))
    asked = ["event", "invite", "table-12", "--folder", str(tmp_path / "e"), "--json"]
    again = [CliRunner().invoke(marchwarden, [*asked, *more]) for more in ((), (), ("--again",))]
    assert [done.exit_code for done in again] == [0, 2, 0]
    assert "'table-12' is in use; choose another name" in again[1].output


def test_of_two_that_come_at_once_one_comes_in(tmp_path: Path) -> None:
    scene = Scene(tmp_path, "table-12")
    second(scene, tmp_path / "other").play(2, most=3)
    scene.clock.sleep(1.0)  # a journal is known by its first entry and when it was written
    scene.stations["table-12"].play(1, most=3)
    scene.run(20)
    said = sorted("IN USE" in says(station)[0] for station in scene.stations.values())
    assert said == [False, True]
    scene.close()


@pytest.mark.fault("station-cloned")
def test_a_copy_of_a_station_is_a_matter_for_a_judge_and_both_keep_their_journals(scene: Scene, tmp_path: Path) -> None:
    here = scene.stations["table-12"]
    copy_of = tmp_path / "copy"
    copy_of.mkdir()
    for path in tmp_path.glob("table-12.db*"):
        (copy_of / path.name).write_bytes(path.read_bytes())
    copy = SceneStation("table-12", copy_of, clock=scene.clock, make=over(scene.exchange))
    assert copy.station.resume()
    copy.station.take(Tell("A pass", "camera"))
    scene.stations["copy"] = copy
    scene.run(10)

    assert says(copy) == says(here) == ("ID CONFLICT", "Call a judge")
    [call] = scene.hub.state.open_calls()
    assert (call.station, call.reason, call.words) == (
        "table-12", Reason.STATION, "another station calls itself table-12",
    )  # fmt: skip
    assert [stored.entry for stored in scene.hub.archive.entries("table-12")] == list(here.journal.entries())
    assert len(list(copy.journal.entries())) > 0

    scene.stations.pop("copy").close()
    scene.run(45)
    assert "CONFLICT" not in says(here)[0]
    assert scene.hub.state.calls[call.id].stage is Stage.WITHDRAWN
    assert here.courier.acknowledged == len(list(here.journal.entries()))


def test_a_station_that_was_killed_comes_back_under_its_name(scene: Scene) -> None:
    scene.stations["table-12"].journal.close()
    line = next(line for line in scene.exchange.lines if line.user == "table-12")
    station = scene.stations["table-12"] = scene.added("table-12")  # the broker has not noticed yet
    assert station.station.resume()
    scene.run(5)
    assert scene.hub.live["table-12"].online
    assert line.will is not None
    scene.exchange.carry("table-12", topics.status("table-12"), json.dumps(line.will[1]).encode(), retain=True)
    scene.run(1)
    assert json.loads(scene.exchange.retained[topics.status("table-12")])["online"]  # its late word was put right


@pytest.mark.fault("other-version")
def test_a_station_of_another_version_plays_on_and_brings_its_journal_as_a_file(tmp_path: Path) -> None:
    scene = Scene(tmp_path, "north")
    scene.hub.step(0.0)
    scene.hub.tell_all(topics.PROTOCOL, {"protocol": topics.PROTOCOL_NUMBER + 1, "version": "9"})
    north = scene.stations["north"]
    north.play(1, most=7)
    scene.run(10)

    assert says(north) == ("UPDATE NEEDED", "Works offline")
    assert "north" not in scene.hub.state.stations
    assert north.play(2) is not None

    house = init(tmp_path / "e", ("localhost",))
    exported = tmp_path / "north.jsonl"
    done = CliRunner().invoke(marchwarden, ["journal", "export", "--journal", str(north.path)])
    exported.write_text(done.stdout)
    asked = ["event", "bring", str(exported), "north", "--folder", str(house.folder)]
    for _ in range(2):  # a second time is no news
        assert CliRunner().invoke(marchwarden, asked).exit_code == 0
        brought.Postbox(house, scene.hub.take, SimulatedClock(), scene.log.append).tend()
    own = list(north.journal.entries())
    assert [stored.entry for stored in scene.hub.archive.entries("north")] == own
    assert [line.partition(": ")[2] for line in scene.log if "brought" in line] == [
        f"{len(own)} of {len(own)} entries are new", f"0 of {len(own)} entries are new",
    ]  # fmt: skip

    scene.hub.tell_all(topics.PROTOCOL, {"protocol": topics.PROTOCOL_NUMBER, "version": "1"})
    scene.run(10)
    assert "UPDATE" not in says(north)[0]
    assert scene.is_delivered()
    scene.close()


@pytest.mark.parametrize(
    ("content", "why"),
    [("", "does not begin with the first entry"), ("{}\n", "line 1, expected an entry"), ("\xff", "is no journal")],
)
def test_a_file_that_is_no_journal_is_refused_with_one_sentence(tmp_path: Path, content: str, why: str) -> None:
    house = init(tmp_path / "e", ("localhost",))
    (tmp_path / "f").write_bytes(content.encode("latin-1"))
    asked = ["event", "bring", str(tmp_path / "f"), "north", "--folder", str(house.folder)]
    done = CliRunner().invoke(marchwarden, asked)
    assert done.exit_code == 2
    assert why in done.output
    assert not (house.folder / brought.FOLDER).exists()


def ordered_game(scene: Scene, after: int = 0) -> None:
    command = orders.document(NewGame(HEAD, after=after))
    scene.hub.write([OrderGiven("table-12", scene.hub.state.stations["table-12"].book, 0, command)], "Olga")
    scene.run(3)


@pytest.mark.fault("other-names")
@pytest.mark.parametrize("press", [True, False], ids=["pressing", "playing"])
def test_players_confirm_their_names_at_the_start(scene: Scene, press: bool) -> None:
    table = scene.stations["table-12"]
    ordered_game(scene, after=1)
    assert says(table) == ("CHECK NAMES", "Anna - Ben?")
    assert [says(table, language)[1].strip("¿? ") for language in LANGUAGES] == ["Anna - Ben"] * 3
    table.station.take(Pressed(Press(Button.TURN)) if press else Tell("A g5@3", "camera"))
    assert says(table)[0] != "CHECK NAMES"
    assert not table.station.state.referee.told if press else table.station.state.referee.told


@pytest.mark.fault("other-names")
def test_a_game_begun_under_other_names_goes_on_and_its_names_are_asked_for(scene: Scene) -> None:
    table = scene.stations["table-12"]
    number, told = table.station.state.number, table.station.state.referee.told
    ordered_game(scene)  # the hub did not know of the game that has begun since

    assert (table.station.state.number, table.station.state.referee.told) == (number, told)
    assert says(table) == ("CHECK NAMES", "Anna - Ben?")
    table.station.take(Tell("B pass", "camera"))
    scene.restart("table-12")
    scene.run(3)
    table = scene.stations["table-12"]
    assert "check-names" in {trouble.name for trouble in table.station.state.troubles}
    game = scene.hub.state.game_of("table-12")
    assert game is not None
    assert seating(game, ("Anna", "Ben"), 1) is Seating.OTHERS

    table.station.take(Pressed(Press(Button.TURN)))
    scene.run(3)
    game = scene.hub.state.game_of("table-12")
    assert game is not None
    assert seating(game, ("Anna", "Ben"), 1) is Seating.AS_PAIRED
    assert table.station.state.name_of("A") == "Anna"
    assert "check-names" not in {trouble.name for trouble in table.station.state.troubles}


def test_players_who_changed_seats_keep_their_own_result(scene: Scene) -> None:
    table = scene.stations["table-12"]
    winner = table.play(3, {"rules": "base", "player A": "Ben", "player B": "Anna", "round": "1"})
    scene.run(3)
    game = scene.hub.state.game_of("table-12")
    assert game is not None
    seats = seating(game, ("Anna", "Ben"), 1)
    assert seats is Seating.SWAPPED
    result = result_of(game, seats)
    assert result.winner == {"A": "B", "B": "A"}[str(winner)]
    assert result.stones == tuple(reversed(result_of(game).stones))
