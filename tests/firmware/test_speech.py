"""What is wrong with a call is said in the caller's language; the English stays where it is raised."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

import firmware.cli
from firmware.cli import marchwarden
from firmware.cli.hardware import loaded
from firmware.cli.speech import USAGE, catalogue, language_of
from firmware.clocks import SimulatedClock
from firmware.journal import Journal, Kind, Line
from vision.observation import Why

COMMANDS = Path(firmware.cli.__file__).parent
OTHERS = ("fr", "es")
FILLED_IN = {  # by two commands, an event's people and its broker, and why a card was not read
    "does not exist", "is no picture, or only part of one", "cannot be read", "organiser", "judge", "head judge",
    "in memory", "mosquitto, with TLS and passwords", *Why,
}  # fmt: skip
SAYING = {"BadInput", "say", "said"}


@pytest.fixture(autouse=True)
def nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Somebody without settings, whose system says nothing about a language."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MARCHWARDEN_HARDWARE", str(tmp_path / "hardware.toml"))
    return tmp_path


def raised() -> set[str]:
    """Every sentence that a command says or raises as bad input, with its blanks."""
    found = set()
    for path in (*COMMANDS.glob("*.py"), COMMANDS.parent / "card_list.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = {
            target.id: node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAYING:
                sentence = node.args[0]
                if isinstance(sentence, ast.Name):
                    sentence = named.get(sentence.id, sentence)
                if isinstance(sentence, ast.Constant):
                    found.add(str(sentence.value))
                elif isinstance(sentence, ast.JoinedStr):  # has no blanks: nobody knows it again
                    found.add(ast.unparse(sentence).removeprefix("f"))
    return {one for one in found if re.search("[a-z]", re.sub("{.*?}", "", one))}


def blanks(text: str) -> set[tuple[str | None, str | None, str | None]]:
    return {(name, spec, how) for _, name, spec, how in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_of_a_command_is_there_with_its_blanks_and_no_other(language: str) -> None:
    known = catalogue(language)
    assert set(known) == raised() | set(USAGE) | FILLED_IN
    assert {english: blanks(said) for english, said in known.items()} == {one: blanks(one) for one in known}


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        marchwarden(list(arguments), prog_name="marchwarden")
    assert ended.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err.strip()


def test_without_a_language_it_is_english(capsys: pytest.CaptureFixture[str]) -> None:
    there_is_none = "marchwarden: there is no rule 'XX-1'; `marchwarden rules` lists them all"
    assert said(capsys, "rules", "XX-1") == there_is_none


def test_the_call_the_settings_and_the_system_say_which_language_in_this_order(
    capsys: pytest.CaptureFixture[str], nobody: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    assert said(capsys, "rules", "XX-1") == "marchwarden: no hay regla 'XX-1'; `marchwarden rules` las muestra todas"
    (nobody / "hardware.toml").write_text('language = "fr"\n')
    assert said(capsys, "rules", "XX-1").startswith("marchwarden: il n'y a pas de règle 'XX-1'")
    assert said(capsys, "referee", "nowhere", "--lang", "es").startswith("marchwarden: no hay carpeta ni archivo")
    assert said(capsys, "referee", "nowhere", "--lang=en").startswith("marchwarden: there is no folder or file")


@pytest.mark.parametrize("settings", ["language =", 'language = "klingon"', ""])
def test_settings_that_say_nothing_sensible_are_left_to_whoever_needs_them(nobody: Path, settings: str) -> None:
    (nobody / "hardware.toml").write_text(settings)
    assert language_of(()) == "en"
    assert language_of(("--lang", "xx")) == "en"


@pytest.mark.parametrize(
    ("arguments", "french"),
    [
        (("run", "--nonsense"), "il n'y a pas d'option --nonsense. `marchwarden run --help`"),
        (("run", "--lang", "fr", "--games", "0"), "'--games' prend un nombre ≥ 1. `marchwarden run --help`"),
        (("read", "photo.jpg"), "il manque '--deck'. `marchwarden read --help`"),
        (("run", "--game", "whist"), "'--game' prend schotten-totten, lords-of-scotland. `marchwarden run --help`"),
        (("doctor", "what"), "l'appel n'est pas compris. `marchwarden doctor --help`"),
        (("run", "--pace", "-3"), "--pace -3 est hors limites ; donnez un nombre de 0 à 3600."),
        (("read", "none.jpg", "--deck", "x.npz"), "pas de jeu 'x.npz' dans "),
        (("adjudicate", "none.json"), "none.json ne peut pas être lu : fichier ou dossier introuvable"),
    ],
)
def test_a_call_that_is_wrong_is_wrong_in_french(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], french: str
) -> None:
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert said(capsys, *arguments).removeprefix("marchwarden: ").startswith(french)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit):
        marchwarden(list(arguments), prog_name="marchwarden")
    return capsys.readouterr().out


@pytest.fixture
def played(nobody: Path) -> str:
    """A journal with a game that A has won."""
    book = Journal(nobody / "journal.db", SimulatedClock())
    number = book.begin({"rules": "base"})
    book.append(number, [Line(Kind.FACT, "A g5@3"), Line(Kind.END, '{"winner": "A", "by": "five"}')])
    book.close()
    return str(nobody / "journal.db")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--lang", "fr", "journal", "list"),
        ("journal", "--lang=fr", "list"),
        ("journal", "list", "--lang", "fr"),
    ],
)
def test_every_command_takes_a_language_before_its_name_and_after_it(
    capsys: pytest.CaptureFixture[str], played: str, arguments: tuple[str, ...]
) -> None:
    assert answer(capsys, *arguments, "--journal", played).endswith("1 faits  A gagne (cinq Bornes)\n")


@pytest.mark.parametrize("command", ["journal verify", "event init", "doctor", "hardware check", "replay", "run"])
def test_no_command_refuses_the_language_of_the_call(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert "Usage: marchwarden" in answer(capsys, "--lang", "es", *command.split(), "--lang", "fr", "--help")


def test_what_the_call_says_first_is_the_language_of_a_command_with_its_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "game.txt"
    record.write_text("A g5@3\n")
    assert "A pose" in answer(capsys, "--lang", "fr", "replay", str(record))
    assert "A juega" in answer(capsys, "--lang", "fr", "replay", str(record), "--lang", "es")


def test_a_document_is_english_whatever_the_system_speaks(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "game.txt"
    record.write_text("A g5@3\n")
    in_english = answer(capsys, "replay", str(record), "--json")
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert answer(capsys, "replay", str(record), "--json") == in_english
    assert "A pose" in answer(capsys, "replay", str(record))
    assert "A pose" in answer(capsys, "replay", str(record), "--json", "--lang", "fr")


def test_a_station_without_a_language_of_its_own_speaks_the_system_s(
    nobody: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert loaded("simulated").profile.language == "en"
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert loaded("simulated").profile.language == "fr"
    assert loaded("simulated").origin("language") == "the system's language"
    (nobody / "hardware.toml").write_text('language = "es"\n')
    assert loaded("simulated").profile.language == "es"


@pytest.mark.parametrize(("language", "mark"), [("en", "ok"), ("fr", "bon"), ("es", "bien")])
def test_the_doctor_marks_what_is_good_in_the_language_of_the_call(
    capsys: pytest.CaptureFixture[str], language: str, mark: str
) -> None:
    assert answer(capsys, "--lang", language, "doctor", "--profile", "simulated").split()[0] == mark
