"""`marchwarden event`: what it says to people, and what it does with bad input."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from firmware.cli import marchwarden
from firmware.clocks import SimulatedClock
from firmware.event.archive import Archive
from firmware.event.door import drawn, mark_of, new_code, unsealed
from firmware.event.house import House
from firmware.event.invitation import Invitation, accept, parse
from firmware.event.roles import Role
from firmware.event.topics import HUB
from firmware.event.wire import Parcel
from firmware.ports import Canvas
from tests.firmware.event.hub_page import HubPage, hub_page
from tests.firmware.event.scene import SceneStation
from tests.firmware.event.visiting import Visitor


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MARCHWARDEN_EVENT", str(tmp_path / "event"))
    monkeypatch.setenv("MARCHWARDEN_HARDWARE", str(tmp_path / "station" / "hardware.toml"))
    return tmp_path


def run(*words: str, given: str | None = None) -> Result:
    return CliRunner().invoke(marchwarden, ["event", *words], input=given)


def test_init_invite_join_and_leave(at: Path) -> None:
    assert run("init", "--host", "hub.local").exit_code == 0
    assert "already" in run("init").output
    invited = run("invite", "table-7", "--json")
    text = json.loads(invited.stdout)["invitation"]
    assert (parse(text).station, parse(text).host) == ("table-7", "hub.local")
    joined = run("join", given=text)
    assert joined.exit_code == 0, joined.output
    assert "This station is table-7" in joined.output
    settings = (at / "station" / "hardware.toml").read_text()
    assert 'station = "table-7"' in settings
    assert parse(text).password not in settings + joined.output
    assert (at / "station" / "event" / "password").stat().st_mode & 0o077 == 0
    assert run("leave").exit_code == 0
    assert list((at / "station" / "event").iterdir()) == []
    assert run("leave").exit_code == 2


def test_what_an_installed_station_is_given_can_be_read_by_its_service(tmp_path: Path) -> None:
    invitation = Invitation("hub.local", 8883, "table-7", "secret", "-----BEGIN CERTIFICATE-----")
    for name, mode, rights in (("own", 0o755, 0o600), ("installed", 0o2775, 0o640)):
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(mode)
        _, *files = accept(invitation, tmp_path / name / "hardware.toml")
        assert [Path(file).stat().st_mode & 0o777 for file in files] == [rights, rights]


def test_an_invitation_is_read_from_the_picture_of_its_code(at: Path) -> None:
    run("init")
    picture = at / "code.png"
    assert run("invite", "north", "--png", str(picture)).exit_code == 0
    assert "This station is north" in run("join", str(picture)).output


def test_a_picture_that_cannot_be_written_uses_up_no_name(at: Path) -> None:
    run("init")
    assert "cannot be written" in run("invite", "north", "--png", str(at / "none" / "code.png")).output
    assert House(at / "event").stations() == ()
    picture = at / "code.png"
    assert run("invite", "hub", "--png", str(picture)).exit_code == 2
    assert not picture.exists()


def test_a_second_invitation_makes_the_first_one_worthless(at: Path) -> None:
    run("init")
    house = House(at / "event")
    run("invite", "north", "--json")
    before = house.passwords.read_text()
    run("invite", "north", "--json", "--again")
    assert house.stations() == ("north",)
    assert house.passwords.read_text() != before


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("invite", "Table 7"), "no name for a station"),
        (("invite", "hub"), "no name for a station"),
        (("join", "no-such-file.png"), "cannot be used"),
        (("verify", "--archive", "no-such.db"), "no archive"),
        (("init", "--folder", "/proc/event"), "cannot be written"),
        (("init", "--folder", "other", "--host", "bad host!"), "neither the name nor the address"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(at: Path, words: tuple[str, ...], sentence: str) -> None:
    run("init")
    done = run(*words)
    assert done.exit_code == 2
    assert sentence in done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize("words", [("invite", "north"), ("run",), ("verify",)])
def test_an_event_that_is_somebody_elses_is_asked_for_as_its_owner(
    at: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    run("init")
    (at / "event" / "passwords").chmod(0o400)
    monkeypatch.setattr(os, "access", lambda path, mode: bool(path.stat().st_mode & mode << 6 == mode << 6))  # for root
    found = run(*words)
    assert (found.exit_code, "sudo -u" in found.output) == (2, True)


def test_without_an_event_every_command_says_how_to_make_one(at: Path) -> None:
    for words in (("invite", "north"), ("run",), ("verify",)):
        done = run(*words)
        assert done.exit_code == 2
        assert "event init" in done.output


def test_garbage_is_no_invitation(at: Path) -> None:
    done = run("join", given="https://example.org")
    assert done.exit_code == 2
    assert "no invitation" in done.output
    (at / "photo.png").write_bytes(b"\x89PNG nonsense")
    assert "shows no invitation" in run("join", str(at / "photo.png")).output


def test_verify_says_what_it_looked_at_and_names_what_was_changed(at: Path) -> None:
    run("init")
    station = SceneStation("north", at, clock=SimulatedClock())
    station.play(1)
    entries = tuple(station.journal.entries())
    station.journal.close()
    archive = Archive(at / "event" / "event.db", SimulatedClock())
    archive.accept([("north", Parcel(entries[0].hash[:16], entries))])
    archive.close()
    whole = run("verify", "--json", "--journal", str(at / "north.db"))
    found = json.loads(whole.stdout)
    assert whole.exit_code == 0
    assert (found["whole"], found["games"], found["results"]) == (True, 1, 1)
    with sqlite3.connect(at / "event" / "event.db") as db:
        db.execute("UPDATE archive SET line = line || ' ' WHERE arrival = 5")
    db.close()
    broken = run("verify")
    assert broken.exit_code == 1
    assert "entry 5 of north" in broken.output


def test_a_code_that_no_display_shows_is_refused(at: Path) -> None:
    run("init")
    done = run("admit", "1234", "north")
    assert done.exit_code == 2
    assert "16 letters and digits" in done.output
    assert run("admit", "0123-4567-89ab-cdef", "north").exit_code == 0
    assert [path.name for path in (at / "event" / "door").iterdir()] == [mark_of("0123456789ABCDEF")]


def test_an_organiser_lets_a_station_in_from_the_page(at: Path) -> None:
    run("init")
    house = House(at / "event")
    with hub_page(house.folder) as page:
        olga = Visitor(page, Role.ORGANISER, "Olga")
        asked = {"code": "0123-4567-89ab-cdef", "station": "table-7"}
        assert Visitor(page, Role.HEAD_JUDGE, "Hugh").act("let-in", **asked).status_code == 403
        assert olga.act("let-in", **asked | {"code": "1234"}).json()["refused"] == "bad-code"
        assert olga.act("let-in", **asked | {"station": "Table 7"}).json()["refused"] == "bad-station"
        assert house.stations() == ()
        assert olga.act("let-in", **asked).status_code == 200
        assert olga.act("let-in", **asked).json()["refused"] == "name-in-use"
        lines = [stored.entry.line for stored in page.do(lambda: list(page.hub.archive.entries(HUB)))]
    [parcel] = (house.folder / "door").iterdir()
    assert parcel.name == mark_of("0123456789ABCDEF")
    found = unsealed("0123456789ABCDEF", parcel.read_text())
    assert found is not None
    assert parse(found).station == "table-7"
    assert "table-7" in lines[-1]
    assert parse(found).password not in " ".join(lines)


def test_an_event_without_a_house_of_its_own_has_no_door(event: HubPage) -> None:
    asked = {"code": "0123-4567-89ab-cdef", "station": "table-7"}
    assert Visitor(event, Role.ORGANISER, "Olga").act("let-in", **asked).json()["refused"] == "no-door"


@pytest.mark.parametrize("canvas", [Canvas(128, 64), Canvas(320, 240, colours=True)], ids=str)
def test_the_code_on_the_display_can_be_scanned(canvas: Canvas) -> None:
    code = new_code()
    picture = np.array(drawn(code, canvas).convert("RGB"))
    assert picture.shape[:2] == (canvas.height, canvas.width)
    side = picture[:, : canvas.width // 2]
    photograph = cv2.copyMakeBorder(
        cv2.resize(side, None, fx=6, fy=6, interpolation=cv2.INTER_NEAREST), 40, 40, 40, 40, cv2.BORDER_CONSTANT
    )
    assert cv2.QRCodeDetectorAruco().detectAndDecode(photograph)[0] == code
