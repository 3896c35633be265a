"""From photographs to verdicts: rendered pictures of games through vision, station and engine, compared with truth.

The quick tests follow the beginning of a game; the long ones whole games, also with hands over the table, changing
light and a bumped camera, and with every way of cheating.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from firmware.assemble import Assembled, Parts, assemble, make_eye
from firmware.cli.referee import command as referee
from firmware.decks import find_deck
from firmware.drivers import make_buttons, make_display, make_lamps
from firmware.drivers.camera_simulated import Driver
from firmware.games import VARIANTS, refereed
from firmware.simulation.deeds import CHEAT_NAMES, Deed, deeds
from firmware.simulation.demo import FRAME_S, Demo
from firmware.simulation.scene import Hand
from hardware_config.profile import PatienceSettings, Profile
from hardware_config.settings import SimulatedCamera

SIZE = (1600, 900)
GAMES = int(os.environ.get("MARCHWARDEN_GAMES", "200"))
BATCH = 10
RULES = {"tactic-in-base-game": "base", "out-of-turn": "base first=A"}


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


class Table:
    """A whole simulated station with its camera, and players who play at it."""

    def __init__(self, folder: Path, decks: Path, seed: int) -> None:
        patience = PatienceSettings(settle_frames=2, put_right_s=0.3)
        profile = Profile(name="test", patience=patience)
        camera = Driver(SimulatedCamera(size=SIZE), seed=seed)
        parts = Parts(
            camera,
            tuple(make_display(one) for one in profile.display),
            make_lamps(profile.lamps),
            make_buttons(profile.buttons),
        )
        eye = make_eye(profile, refereed("schotten-totten"), decks)
        self.assembled: Assembled = assemble(profile, parts, eye, folder / "journal.db", threads=False)
        self.camera = camera
        self.loop = self.assembled.loop
        self.random = Random(seed)
        self.loop.station.begin({"rules": "base"})
        self.demo = Demo(self.loop, camera.table, self.loop.clock)

    def disturb(self) -> None:
        """A hand, another light or a bump, now and then; nothing may be told because of it."""
        told = len(self.loop.station.state.referee.told)
        match self.random.randrange(8):
            case 0 | 1:
                x = self.random.uniform(80.0, 650.0)
                self.camera.table.hands = (Hand((x, 670.0), (x + 20.0, self.random.uniform(200.0, 420.0))),)
                self._frames(4)
                self.camera.table.hands = ()
            case 2:
                self.camera.light = replace(self.camera.light, kelvin=self.random.uniform(3000.0, 7000.0))
            case 3:
                self.camera.bump(self.random.uniform(-1.0, 1.0))
        self._frames(4)
        if len(self.loop.station.state.referee.told) != told:
            self.demo.tally.wrong.append("something was told though nobody did anything")

    def _frames(self, count: int) -> None:
        for _ in range(count):
            self.loop.step()
            self.loop.clock.sleep(FRAME_S)


@pytest.mark.long
@pytest.mark.parametrize("batch", range(GAMES // BATCH))
def test_whole_games_through_photographs_equal_the_truth(tmp_path: Path, decks: Path, batch: int) -> None:
    variant = list(VARIANTS.values())[batch % len(VARIANTS)]
    table = Table(tmp_path, decks, batch)
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        print(variant, "seed", seed)
        table.demo.play(variant, seed)
    assert (table.demo.tally.wrong, table.demo.tally.fouls) == ([], 0)
    table.assembled.stop()


@pytest.mark.long
@pytest.mark.parametrize("batch", range(max(1, GAMES // 40)))
def test_hands_light_and_bumps_change_nothing(tmp_path: Path, decks: Path, batch: int) -> None:
    variant = list(VARIANTS.values())[batch % len(VARIANTS)]
    table = Table(tmp_path, decks, 100 + batch)
    table.demo = Demo(table.loop, table.camera.table, table.loop.clock, table.disturb)
    for seed in range(batch * 2, batch * 2 + 2):
        print(variant, "seed", seed)
        table.demo.play(variant, seed)
    assert (table.demo.tally.wrong, table.demo.tally.fouls) == ([], 0)
    table.assembled.stop()


@pytest.mark.long
@pytest.mark.parametrize("name", CHEAT_NAMES)
def test_a_cheat_is_seen_in_the_photographs_and_named(tmp_path: Path, decks: Path, name: str) -> None:
    table = Table(tmp_path, decks, 7)
    for seed in range(12):
        print("seed", seed)
        table.demo.play(RULES.get(name, "tactics"), seed, name)
        if table.demo.tally.cheats:
            break
    assert table.demo.tally.cheats, f"{name} had no occasion in twelve games"
    assert table.demo.tally.wrong == []
    table.assembled.stop()
