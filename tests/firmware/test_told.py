"""What a bad file or a lost part says of itself is told in every language; the English stays where it is met."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from engine.schotten_totten.game import SchottenTotten
from firmware.cli import marchwarden
from firmware.clocks import SystemClock
from firmware.doctor.findings import wrong
from firmware.journal import Journal
from firmware.messages import words
from firmware.messages.told import BLANK, LONGEST, catalogue, told
from hardware_config.load import EXPECTED
from hardware_config.profile import RESERVED
from tests.firmware.fault_sentences import sentences

OTHERS = ("fr", "es")
FILLED_IN = {  # what fills the blanks of other sentences, and what is not raised where it is said
    *EXPECTED.values(), *RESERVED.values(), "address {} on {}", "station", "does not answer",
    "another station calls itself {}", "hub of this event", "Tactic cards", "Stones", "the scan of {}", "{} scans: {}",
    "Stone {}", "Stone {}, side {}", "stopped",
    "was gone before it was closed", "check the ribbon cable", "{} has no further pictures",
    "stop the program that has it: sudo systemctl stop marchwarden", "{} is no address; write it like 0x3C",
    "{} is no camera; write its number, from 0 on, or a path such as /dev/video0",
    "{} is no picture format; write four plain letters such as MJPG",
    "sudo apt install {}, in a venv with system packages", "{} and {} show the same card: scan them again",
    "not a reading with 'stones' and 'discard' ({})", "not a reading with 'cards' and 'tokens' ({})",
    "the document", "an object", "the recruits", "the supporters", "{}'s army", "{}'s supporters won", "the discard",
    "base, bruce, seats=2 to seats=5 or initiative=A to initiative=E",
}  # fmt: skip
OF_THE_SYSTEM = {
    "No such file or directory", "Permission denied", "Is a directory", "Not a directory", "File exists",
    "No space left on device", "Read-only file system", "File name too long",
}  # fmt: skip
OF_THE_CHECK = {  # what pydantic says of a value
    "should be {}", "should be greater than {}", "should be greater than or equal to {}", "should be less than {}",
    "should be less than or equal to {}", "should match pattern {}", "should have at least {} item",
    "should have at least {} items", "should have at most {} items", "should have at least {} character",
    "should have at most {} characters",
}  # fmt: skip


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_of_a_fault_lacks_a_language(language: str) -> None:
    known = catalogue(language)
    assert set(known) == sentences() | FILLED_IN | OF_THE_SYSTEM | OF_THE_CHECK
    assert [one for one, said in known.items() if one.count(BLANK) != said.count(BLANK)] == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_known_again_whatever_fills_its_blanks(language: str) -> None:
    wrong_ones = {}
    for english, said in catalogue(language).items():
        fillings = [f"x{n}" for n in range(english.count(BLANK))]
        if told(english.format(*fillings), language) != said.format(*fillings):
            wrong_ones[english] = told(english.format(*fillings), language)
    assert wrong_ones == {}


def test_a_sentence_within_a_sentence_is_told_too() -> None:
    line = "game.txt: line 3, column 5: expected a Stone (1 to 9), found the end of the line"
    assert told(line, "fr") == "game.txt: ligne 3, colonne 5 : il faut une Borne (1 à 9), et non la fin de la ligne"
    assert told(line, "en") == line


def test_what_nobody_knows_and_what_is_endless_stay_as_they_are() -> None:
    assert told("Errno 121", "fr") == "Errno 121"
    endless = "x, or off" * LONGEST
    assert told(endless, "fr") == endless
    assert told(", or off" * 100, "es") == ", u off" * 100


def test_a_lost_part_says_why_in_the_language_of_the_station() -> None:
    why = "the display stopped (Errno 121); check its wires"
    assert words("display-lost", "es", why=why).sentence.startswith(
        "Una pantalla no responde: la pantalla se ha parado (Errno 121); revise sus cables."
    )
    assert "l'écran s'est arrêté (Errno 121)" in wrong("calibration-bad", why=why).says("fr")


PROFILE = """
name = "wrong"
board = "pi"
langage = "fr"
camera = { driver = "v4l2", device = "front", frames_per_second = 5000 }
display = [{ driver = "oled" }]
lamps = { driver = "gpio", green = [2, 3, 40], red = [2, 5] }
"""


def test_every_mistake_of_a_profile_is_told_in_french(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wrong.toml").write_text(PROFILE)
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    monkeypatch.setenv("MARCHWARDEN_HARDWARE", str(tmp_path / "none.toml"))
    with pytest.raises(SystemExit) as ended:
        marchwarden(["hardware", "check", "--profile", str(tmp_path / "wrong.toml")], prog_name="marchwarden")
    assert ended.value.code == 1
    said = capsys.readouterr().out
    assert "langage n'est pas un réglage ; vouliez-vous dire language ?" in said
    assert "lamps (lamp 3 green) veut GPIO 40, que le Pi n'a pas ; il a 2 à 27" in said
    english = [word for word in (" should ", " wants ", " is not ", " there ", " than ", "number") if word in said]
    assert english == [], said


def test_a_journal_that_was_changed_is_told_in_spanish(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    book = Journal(path, SystemClock())
    book.begin({"game": SchottenTotten().name})
    book.close()
    with sqlite3.connect(path) as store:
        store.execute("UPDATE entries SET line = '{}'")
    store.close()
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    with pytest.raises(SystemExit) as ended:
        marchwarden(["journal", "verify", "--journal", str(path)], prog_name="marchwarden")
    assert ended.value.code == 1
    assert "la entrada 1 " in (said := capsys.readouterr().out), said
    assert "no es lo que se escribió" in said
