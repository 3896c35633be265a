"""From photographs to verdicts: rendered pictures of games through vision, station and engine, compared with truth.

The beginning of a game with a ruse and a foul; whole games are in test_photographed_games.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from firmware.cli.referee import command as referee
from firmware.cli.run import command as run
from firmware.clocks import SystemClock
from firmware.decks import find_deck
from firmware.drivers.camera_simulated import Driver
from firmware.games import refereed
from firmware.simulation.deed import Deed
from firmware.simulation.deeds import deeds
from firmware.simulation.open_table import OpenTable
from firmware.simulation.plays import SIMULATED
from firmware.simulation.scene import Habits
from hardware_config.settings import SimulatedCamera
from vision.read import Reader
from vision.rectify import solve

SIZE = (1600, 900)


@pytest.fixture(scope="session")
def decks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("decks")
    find_deck("drawn", folder)
    return folder


def photographed(folder: Path, done: Iterator[Deed], seed: int) -> list[Deed]:
    """One picture of the bare table and one after each deed."""
    camera = Driver(SimulatedCamera(size=SIZE), seed=seed)
    folder.mkdir()
    cv2.imwrite(str(folder / "000.jpg"), camera.read().pixels_bgr)
    told = []
    for number, deed in enumerate(done, start=1):
        camera.table.apply(deed.changes)
        cv2.imwrite(str(folder / f"{number:03}.jpg"), camera.read().pixels_bgr)
        told.append(deed)
    return told


def events(*arguments: str) -> list[dict[str, Any]]:
    result = CliRunner().invoke(referee, [*arguments, "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_recording_with_a_ruse_and_a_foul_is_judged_picture_by_picture(tmp_path: Path, decks: Path) -> None:
    done = photographed(tmp_path / "game", islice(deeds("tactics", 18, "second-card"), 11), 18)
    assert any("strategist" in str(deed.fact) for deed in done)
    assert any(deed.breach for deed in done)
    found = events(str(tmp_path / "game"), "--deck", "drawn", "--decks", str(decks))
    assert [event["seq"] for event in found] == list(range(1, len(found) + 1))
    assert [(event["frame"], event["legal"]) for event in found] == [
        (number, deed.breach is None) for number, deed in enumerate(done, start=2)
    ]
    for event, deed in zip(found, done, strict=True):
        player, _, line = str(deed.fact).partition(" ")
        if deed.rights:
            assert event["event"] == "put-right"
        elif "claim" in line:
            assert (event["event"], event["player"], event["stone"]) == ("claim", player, int(line.split()[1]))
        else:
            assert (event["event"], event["player"], event["card"]) == ("play", player, line.split("@")[0].split()[0])


def test_pictures_without_a_mat_are_one_sentence(tmp_path: Path, decks: Path) -> None:
    (tmp_path / "game").mkdir()
    cv2.imwrite(str(tmp_path / "game" / "a.png"), np.full((90, 160, 3), 90, np.uint8))
    result = CliRunner().invoke(referee, [str(tmp_path / "game"), "--deck", "drawn", "--decks", str(decks)])
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.fault("beside-every-place")
def test_a_card_beside_the_mat_is_nobodys_move(decks: Path) -> None:
    game = refereed("schotten-totten")
    camera: Any = Driver(SimulatedCamera(size=SIZE), seed=3)
    table = OpenTable(game.layout, game.places, Habits())
    table.put("g5", (-60.0, 256.0), 5.0)
    table.put("r1", (202.0, 356.0), 0.0)
    camera.table = table
    camera.mounting = replace(camera.mounting, pose=replace(camera.mounting.pose, fill=0.75))  # the whole card in view
    frame = camera.read().pixels_bgr
    observation = Reader(find_deck("drawn", decks), game.layout).read(frame, solve(frame, game.layout))
    assert {place: [card.code for card in cards] for place, cards in observation.cards.items() if cards} == {
        "3A": ["r1"]
    }
    assert not observation.held


def test_a_foul_has_time_to_be_named_however_fast_games_are_simulated(
    decks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = SIMULATED["schotten-totten"]
    few = replace(whole, deeds=lambda rules, seed, cheats: islice(whole.deeds(rules, seed, cheats), 5))
    monkeypatch.setattr("firmware.simulation.demo.SIMULATED", {"schotten-totten": few})
    monkeypatch.setattr(SystemClock, "monotonic_s", lambda clock: 0.0)  # a computer that takes no time at all
    monkeypatch.setenv("MARCHWARDEN_HARDWARE", str(tmp_path / "hardware.toml"))
    simulated = ("--games", "1", "--variant", "tactic", "--players", "cheat:traitor-abused", "--lang", "en")
    result = CliRunner().invoke(run, [*simulated, "--decks", str(decks), "--journal", str(tmp_path / "journal.db")])
    assert (result.exit_code, "fouls named: 1," in result.stdout) == (0, True), result.stdout
