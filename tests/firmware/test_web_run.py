"""Stations with a page from outside: `marchwarden run`, and a station with a real table behind the same page."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from firmware.assemble import Parts
from firmware.chosen_table import ChosenTable
from firmware.cli import marchwarden
from firmware.cli.hardware import loaded
from firmware.drivers import make_buttons, make_display, make_lamps
from firmware.games import refereed
from firmware.simulation.manners import Manners
from firmware.simulation.open_table import OpenTable
from firmware.simulation.scene import Habits
from firmware.web.choosing import Choosing
from firmware.web.house import open_front
from firmware.web.login import PinFile
from hardware_config.profile import PageSettings, Profile
from tests.firmware.page_station import TruthCamera, TruthEye

SIGN = {"x-marchwarden": "page"}


def test_behind_a_real_table_every_act_needs_the_pin_and_nothing_can_be_moved(tmp_path: Path) -> None:
    profile = Profile(name="test", page=PageSettings(port=0))
    game, camera = refereed("schotten-totten"), TruthCamera()
    camera.table = OpenTable(game.layout, game.places, Habits())
    parts = Parts(camera, (make_display(profile.display[0]),), make_lamps(profile.lamps), make_buttons(profile.buttons))
    front = open_front(profile, tmp_path / "journal.db", TruthEye(camera, game.layout), parts)
    front.start()
    try:
        with httpx.Client(base_url=front.address, headers=SIGN) as http:
            assert http.get("/hello").json()["simulated"] is False
            assert http.post("/press", json={"button": "undo"}).status_code == 403
            assert http.post("/play", json={"deed": "bump"}).status_code == 404
            assert http.post("/act", json={"act": "undo"}).status_code == 403
    finally:
        front.stop()
        front.assembled.journal.close()


def test_another_game_is_made_ready_and_kept_for_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARCHWARDEN_TABLE", str(tmp_path / "table.json"))
    profile = Profile(name="test")
    layouts: list[str] = []

    def eye(profile: Profile) -> TruthEye:
        layouts.append(profile.table.game)
        return TruthEye(TruthCamera(), refereed(profile.table.game).layout)

    choosing = Choosing(profile, tmp_path, eye)
    chosen = ChosenTable("lords-of-scotland", "3", "drawn")
    assert choosing.prepare(chosen, {"rules": "seats=3"}) is None
    assert choosing.wanted is not None
    assert (choosing.wanted.profile.table.game, layouts) == ("lords-of-scotland", ["lords-of-scotland"])
    found = loaded("simulated")
    assert (found.profile.table.game, found.profile.table.variant) == ("lords-of-scotland", "3")
    assert found.origins["table.game"] == str(tmp_path / "table.json")
    assert loaded("simulated", chosen_game=False).profile.table.game == "schotten-totten"


def test_a_deck_without_the_cards_of_a_game_is_refused(tmp_path: Path) -> None:
    choosing = Choosing(Profile(name="test"), tmp_path)
    assert choosing.prepare(ChosenTable("schotten-totten", "base", "nowhere"), {}) == "other-deck"
    assert choosing.wanted is None


@pytest.mark.parametrize("text", ["", "[]", '{"game": 1}', '{"game": "go", "variant": "19x19", "deck": "stones"}'])
def test_a_choice_that_makes_no_sense_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "table.json").write_text(text)
    assert ChosenTable.load(tmp_path / "table.json") is None


def test_a_pin_that_no_screen_shows_is_in_a_file_for_its_owner_alone(tmp_path: Path) -> None:
    file = PinFile(tmp_path / "new" / "pin.txt")
    file.path.parent.mkdir()
    file.path.write_text("readable by everybody")
    file.path.chmod(0o644)
    file.keep("012345")
    assert (file.path.read_text(), file.path.stat().st_mode & 0o777) == ("012345\n", 0o600)
    file.keep("999999")
    assert file.path.read_text() == "999999\n"
    file.remove()
    assert not file.path.exists()


@pytest.mark.parametrize(
    ("asked", "pace_s", "shown"),
    [((), 1.8, "steady"), (("--pace", "60"), 60.0, "60 s"), (("--pace", "0.4"), 0.4, "fast")],
)
def test_run_plays_at_the_pace_that_the_call_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, ...], pace_s: float, shown: str
) -> None:
    seated: list[Manners] = []

    class Seated(Exception):
        pass

    def front(*arguments: Any, **_: Any) -> None:
        seated.append(next(one for one in arguments if isinstance(one, Manners)))
        raise Seated

    monkeypatch.setattr("firmware.web.simulated.simulated_front", front)
    monkeypatch.setattr("firmware.assemble.make_eye", lambda *_: None)
    with pytest.raises(Seated):
        marchwarden(["run", "--journal", str(tmp_path / "journal.db"), *asked], standalone_mode=False)
    assert (seated[0].pace_s, seated[0].pace) == (pace_s, shown)


@pytest.mark.long
def test_run_prints_the_address_of_its_page_and_stops_when_asked_to(tmp_path: Path) -> None:
    program = "from firmware.cli import main; main()"
    arguments = ["run", "--port", "0", "--journal", str(tmp_path / "journal.db"), "--decks", str(tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "MARCHWARDEN_PIN_FILE": str(tmp_path / "pin.txt")},
    ) as running:
        assert running.stdout is not None
        said = running.stdout.readline()
        address = said.split()[-1]
        assert address.startswith("http://127.0.0.1:")
        assert str(tmp_path / "pin.txt") in running.stdout.readline()
        with httpx.Client(base_url=address, headers=SIGN) as http:
            assert http.get("/hello").json()["simulated"] is True
            pin = (tmp_path / "pin.txt").read_text().strip()
            assert http.post("/login", json={"pin": pin, "who": "Anna"}).json()["who"] == "Anna"
        running.send_signal(signal.SIGTERM)
        assert running.wait(60) == 0
    assert not (tmp_path / "pin.txt").exists()
