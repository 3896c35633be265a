"""The simulated event that one can try at home: it plays its rounds to the end, and its standings are the games'."""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from firmware.event.audit import audit
from firmware.event.demo import Demo, Plan
from firmware.event.rounds.standings import standings
from tests.firmware.event.mosquitto import needed


def played(folder: Path, *, mosquitto: bool, within_s: float = 120.0) -> Demo:
    event = Demo(folder, Plan(tables=4, rounds=2, pace_s=0.005, seed=3), 0, mosquitto=mosquitto, log=lambda line: None)
    end_s = time.monotonic() + within_s
    try:
        while not (len(event.office.tournament.rounds) == 2 and event.office.tournament.rounds[1].is_over):
            assert time.monotonic() < end_s, "the rounds were not over in time"
            event.step()
    finally:
        event.close()
    return event


def test_a_demo_plays_its_rounds_and_everybody_has_the_points_of_their_games(tmp_path: Path) -> None:
    event = played(tmp_path, mosquitto=False)
    tournament = event.office.tournament
    lines = standings(tournament)
    assert [line.games for line in lines] == [2] * 8
    games = {game.id: game for game in event.hub.state.results()}
    for one in tournament.rounds:
        for table, entries in one.entries.items():
            station = tournament.tables[table]
            entered = entries[-1]
            if station is None:
                assert not entered.game
            else:
                game = games[entered.game]
                assert (game.station, game.winner) == (station, entered.result.winner)
                assert dict(game.score) == dict(zip("AB", entered.result.stones, strict=True))
    assert audit(tmp_path / "event.db").wrong == []


@pytest.mark.broker
@pytest.mark.long
def test_a_demo_plays_through_a_real_broker() -> None:
    needed()
    with TemporaryDirectory() as folder:  # one that mosquitto can reach when it gives up the rights of root
        event = played(Path(folder), mosquitto=True)
    assert len(event.hub.state.results()) >= 6
