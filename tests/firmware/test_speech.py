"""What is wrong with a call is said in the caller's language; the English stays where it is raised."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

import firmware.cli
from firmware.cli import marchwarden
from firmware.cli.speech import USAGE, catalogue, language_of

COMMANDS = Path(firmware.cli.__file__).parent
OTHERS = ("fr", "es")
FILLED_IN = {"does not exist", "is no picture, or only part of one"}  # by two commands


@pytest.fixture(autouse=True)
def nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Somebody without settings, whose system says nothing about a language."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MARCHWARDEN_HARDWARE", str(tmp_path / "hardware.toml"))
    return tmp_path


def raised() -> set[str]:
    """Every sentence that a command raises as bad input, with its blanks."""
    found = set()
    for path in (*COMMANDS.glob("*.py"), COMMANDS.parent / "card_list.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "BadInput":
                sentence = node.args[0]
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
