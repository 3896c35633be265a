"""Stations with a page from outside: `marchwarden run`, and a station with a real table behind the same page."""

from __future__ import annotations

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


@pytest.mark.long
def test_run_prints_the_address_of_its_page_and_stops_when_asked_to(tmp_path: Path) -> None:
    program = "from firmware.cli import main; main()"
    arguments = ["run", "--port", "0", "--journal", str(tmp_path / "journal.db"), "--decks", str(tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        said = running.stdout.readline()
        address = said.split()[-1]
        assert address.startswith("http://127.0.0.1:")
        assert httpx.get(address + "hello").json()["simulated"] is True
        running.send_signal(signal.SIGTERM)
        assert running.wait(60) == 0
