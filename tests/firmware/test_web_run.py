"""Stations with a page from outside: `marchwarden run`, and a station with a real table behind the same page."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from firmware.assemble import Parts
from firmware.drivers import make_buttons, make_display, make_lamps
from firmware.games import refereed
from firmware.simulation.open_table import OpenTable
from firmware.simulation.scene import Habits
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
