"""What `marchwarden event` says of bad input and of what was changed, in the organiser's language, whole."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from firmware.cli import marchwarden
from firmware.clocks import SimulatedClock
from firmware.event.archive import Archive
from firmware.event.audit import audit
from firmware.event.house import admit, init
from firmware.event.page.badges import Badges
from firmware.event.rounds.facts import Result, ResultEntered, encode
from firmware.event.wire import Parcel
from firmware.faults import PartFault
from firmware.journal import Journal, Kind, Line, Reader
from firmware.messages.told import told

CODE = "0123-4567-89AB-CDEF"
ENGLISH = re.compile(r"\b(the|is|are|it|not|of|entry|entries|line|there|expected|that|what|which|game|and)\b")
OTHERS_WORDS = re.compile(r"'x' is not a valid Kind|no such table: archive")  # Python's and SQLite's


@pytest.fixture
def event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an event with table-1 let in, and files beside it that are none of its own."""
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MARCHWARDEN_HARDWARE", str(tmp_path / "hardware.toml"))
    admit(init(tmp_path / "event", ("hub.local",)), "table-1")
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "event.db").touch()
    (tmp_path / "words").write_text("hello\n")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    (tmp_path / "rows").write_text('{"seq":0,"game":0,"kind":"fact","line":"","who":"","at":"","hash":""}\n')
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], code: int, *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        marchwarden(list(arguments), prog_name="marchwarden")
    assert ended.value.code == code
    captured = capsys.readouterr()
    return str(captured.err if code == 2 else captured.out).removeprefix("marchwarden: ").strip()


@pytest.mark.parametrize(
    ("call", "french", "spanish"),
    [
        ("init --folder {}/event", "il y a déjà un tournoi dans", "ya hay un torneo en"),
        ("init --folder {}/x --host a_b", "'a_b' n'est ni le nom ni l'adresse", "'a_b' no es ni el nombre ni"),
        ("init --folder {}/words/x", "on ne peut pas écrire dans", "no se puede escribir en"),
        ("demo --folder {}/words/x", "on ne peut pas écrire dans", "no se puede escribir en"),
        ("demo --folder {}/kept", "il y a déjà un tournoi dans", "ya hay un torneo en"),
        ("run --folder {}/none", "il n'y a pas de tournoi dans", "no hay torneo en"),
        ("admit 123 table-2 --folder {}/event", "le code d'une station a 16", "el código de una estación tiene 16"),
        (f"admit {CODE} table-1 --folder {{}}/event", "'table-1' est déjà pris", "'table-1' ya está en uso"),
        (f"admit {CODE} Oak --folder {{}}/event", "'Oak' n'est pas un nom", "'Oak' no es un nombre"),
        ("verify --folder {}/event", "il n'y a pas d'archive", "no hay archivo de torneo"),
        ("bring {}/bytes oak --folder {}/event", "{}/bytes n'est pas un journal, ni", "{}/bytes no es un diario, ni"),
        ("bring {}/words oak --folder {}/event", "{}/words: ligne 1, il faut une", "{}/words: línea 1, se espera una"),
        ("bring {}/rows oak --folder {}/event", "{}/rows: ligne 1, une entrée : le numéro 0", "{}/rows: línea 1, una"),
        ("bring {}/none oak --folder {}/event", "{}/none ne peut pas être lu (fichier", "{}/none no se puede leer (no"),
        ("join {}/words", "{}/words ne montre pas d'invitation", "{}/words no muestra ninguna invitación"),
        ("leave", "{}/hardware.toml ne nomme pas de serveur", "{}/hardware.toml no nombra ningún servidor"),
    ],
)
def test_bad_input_is_told_in_french_and_spanish(
    event: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    call: str,
    french: str,
    spanish: str,
) -> None:
    for language, begins in (("fr_FR.UTF-8", french), ("es_ES.UTF-8", spanish)):
        monkeypatch.setenv("LANG", language)
        sentence = said(capsys, 2, "event", *call.replace("{}", str(event)).split())
        assert sentence.startswith(begins.replace("{}", str(event)))
        assert ENGLISH.findall(re.sub("`.*?`", "", sentence.replace(str(event), ""))) == []


def test_badges_that_are_damaged_are_told_without_what_the_parser_says(tmp_path: Path) -> None:
    (tmp_path / "badges.json").write_text("{\n")
    with pytest.raises(PartFault) as fault:
        Badges(tmp_path / "badges.json", SimulatedClock())
    french = f"{tmp_path}/badges.json est endommagé ; mettez-le de côté, et chacun reçoit un nouveau code"
    assert told(str(fault.value), "fr") == french


def archive(folder: Path) -> Path:
    """An archive with the journal of north, and a result of the hub's that names a game which is not there."""
    own = Journal(folder / "north.db", SimulatedClock())
    own.begin({"game": "schotten-totten"})
    own.close()
    entries = tuple(Reader(folder / "north.db").entries())
    kept = Archive(folder / "event.db", SimulatedClock())
    kept.accept([("north", Parcel(entries[0].hash[:16], entries))])
    kept.add([Line(Kind.FACT, encode(ResultEntered(1, 2, Result("A", (5, 2)), game="gone")), "hub")])
    kept.add([Line(Kind.FACT, '{"what":"result-entered"}', "hub")])
    kept.close()
    return folder / "event.db"


def changed(path: Path, how: str) -> None:
    with sqlite3.connect(path) as db:
        db.execute(how)
    db.close()


@pytest.mark.parametrize("language", ["fr", "es"])
@pytest.mark.parametrize(
    "how",
    [
        "DELETE FROM archive WHERE arrival = 1",
        "UPDATE archive SET seal = '0' WHERE arrival = 1",
        "UPDATE archive SET who = 'me' WHERE arrival = 1",
        "UPDATE archive SET book = '0' WHERE arrival = 1",
        "UPDATE archive SET kind = 'x' WHERE arrival = 1",
        "ALTER TABLE archive RENAME TO other",
    ],
)
def test_no_english_is_left_in_what_is_said_of_a_changed_archive(tmp_path: Path, how: str, language: str) -> None:
    path = archive(tmp_path)
    changed(path, how)
    [wrong, *_] = audit(path).wrong
    sentence = OTHERS_WORDS.sub("", told(wrong, language).replace(str(tmp_path), ""))
    assert ENGLISH.findall(sentence) == [], sentence


def test_what_verify_finds_is_told_in_french(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = archive(tmp_path)
    strange = Journal(tmp_path / "strange.db", SimulatedClock())
    strange.begin({"game": "whist"})
    strange.close()
    (tmp_path / "standings.csv").write_text("nobody\n")
    (tmp_path / "notes.txt").touch()
    monkeypatch.setenv("MARCHWARDEN_HARDWARE", str(tmp_path / "hardware.toml"))
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    papers = [word for name in ("standings.csv", "notes.txt") for word in ("--paper", str(tmp_path / name))]
    lines = said(
        capsys, 1, "event", "verify", "--archive", str(path), "--journal", str(tmp_path / "strange.db"), *papers
    ).splitlines()
    unread, *others = [line.replace(f"{tmp_path}/", "") for line in lines[:-1]]
    assert unread.startswith("l'entrée 2 du centre n'est aucun fait d'un tournoi : {")
    assert others == [
        "l'entrée 1 du centre, ronde 1, table 2 : la partie gone qu'elle nomme n'est pas dans l'archive",
        "strange.db : le centre n'a pas de copie de ce journal",
        "standings.csv n'est pas ce que donnent les journaux à la ligne 1 : c'est 'nobody\\n', et non "
        r"'place,number,name,club,points,games,wins,byes,opponents,direct,stones,in\n'",
        "notes.txt : il n'y a pas de papier de ce nom ; nommez-le comme le centre, par exemple standings.csv",
    ]
