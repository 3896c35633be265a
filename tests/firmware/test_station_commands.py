"""The station's commands: journal, hardware and referee, with one sentence for whatever is wrong with the call."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware.cli import marchwarden
from firmware.commands import Decide, Reopen
from firmware.journal import Journal
from tests.firmware.sitting import Sitting

THREE_ADJACENT = (
    "A g1@1", "B r9@1", "A g2@1", "B y4@1", "A g3@1", "B b2@1", "A g4@2", "A claim 1", "B r1@2", "A g5@2", "B y9@2",
    "A g6@2", "B b5@2", "A g7@3", "A claim 2", "B r3@3", "A g8@3", "B y6@3", "A g9@3", "B b9@3", "A b1@9", "A claim 3",
)  # fmt: skip
FILM_WITHOUT_INDEX = b"\0\0\0\x1cftypisom\0\0\2\0isomiso2mp41\0\0\0\x08free\0\0\x10\0mdat" + bytes(64)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MARCHWARDEN_DATA", str(tmp_path))
    monkeypatch.setenv("MARCHWARDEN_HARDWARE", str(tmp_path / "hardware.toml"))
    return tmp_path


@pytest.fixture
def played(home: Path) -> Sitting:
    sitting = Sitting(home)
    sitting.play(*THREE_ADJACENT)
    sitting.get_up()
    return sitting


def run(*arguments: str) -> Result:
    return CliRunner().invoke(marchwarden, arguments, standalone_mode=False)


def refused(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exception is not None
    assert getattr(result.exception, "exit_code", None) == 2
    return str(result.exception)


def test_games_are_listed_with_their_results(played: Sitting) -> None:
    (game,) = [json.loads(line) for line in run("journal", "list", "--json").stdout.splitlines()]
    assert (game["game"], game["winner"], game["by"], game["facts"]) == (1, "A", "three-adjacent", 22)
    assert "A wins (three Stones in a row)" in run("journal", "list").stdout


def test_a_game_that_goes_on_is_listed_as_not_over_and_a_draw_as_one(home: Path) -> None:
    sitting = Sitting(home)
    sitting.play("A g1@1")
    sitting.ask(Decide(None, "Anna", "no time"))
    assert "nobody wins (decided by hand)" in run("journal", "list").stdout
    sitting.ask(Reopen("Anna", "there is time"))
    assert "not over" in run("journal", "list").stdout


def test_a_whole_journal_is_verified(played: Sitting) -> None:
    answer = json.loads(run("journal", "verify", "--json").stdout)
    assert (answer["whole"], answer["entries"]) == (True, 24)


def test_a_changed_entry_is_reported_with_exit_code_1(played: Sitting, home: Path) -> None:
    with sqlite3.connect(home / "journal.db") as db:
        db.execute("UPDATE entries SET line = 'A g9@1' WHERE seq = 2")
    db.close()
    result = CliRunner().invoke(marchwarden, ["journal", "verify", "--json"])
    assert result.exit_code == 1
    assert json.loads(result.stdout)["whole"] is False
    assert "entry 2" in json.loads(result.stdout)["why"]


def test_entries_are_exported_as_lines_and_a_game_as_a_record(played: Sitting, home: Path) -> None:
    lines = run("journal", "export").stdout.splitlines()
    assert [json.loads(line)["seq"] for line in lines] == list(range(1, 25))
    record = run("journal", "export", "--game", "1", "--record").stdout
    (home / "game.txt").write_text(record)
    events = [json.loads(line) for line in run("referee", str(home / "game.txt"), "--json").stdout.splitlines()]
    assert events[-1] == {
        "seq": 23,
        "frame": events[-1]["frame"],
        "event": "end",
        "winner": "A",
        "by": "three-adjacent",
    }
    assert all(event["legal"] for event in events[:-1])


@pytest.mark.parametrize("line", ["x", "[3]"])
def test_a_changed_head_is_named_when_games_are_listed_or_exported(played: Sitting, home: Path, line: str) -> None:
    with sqlite3.connect(home / "journal.db") as db:
        db.execute("UPDATE entries SET line = ? WHERE kind IN ('begin', 'end')", (line,))
    db.close()
    assert "is not what was written" in refused("journal", "list")
    assert "is not what was written" in refused("journal", "export", "--game", "1", "--record")


def test_a_damaged_journal_is_set_aside_whole(home: Path) -> None:
    (home / "journal.db").write_bytes(b"rubbish" * 500)
    assert "aside-1" in run("journal", "aside").stdout
    assert not (home / "journal.db").exists()
    assert (home / "journal.db.aside-1").read_bytes() == b"rubbish" * 500


def test_questions_about_nothing_are_refused(home: Path) -> None:
    assert "no journal" in refused("journal", "list")
    assert "no journal" in refused("journal", "aside")


def test_a_record_needs_its_game(played: Sitting) -> None:
    assert "--game" in refused("journal", "export", "--record")
    assert "no game 9" in refused("journal", "export", "--game", "9")


def test_profiles_are_listed_and_shown_with_the_origin_of_each_setting(home: Path) -> None:
    assert "pi-oled" in json.loads(run("hardware", "list", "--json").stdout)
    (home / "hardware.toml").write_text('profile = "pi-oled"\nlanguage = "es"\n')
    shown = json.loads(run("hardware", "show", "--json").stdout)
    assert shown["language"] == {"value": "es", "from": str(home / "hardware.toml")}
    assert shown["buttons.turn"] == {"value": 16, "from": "profile pi-oled"}
    assert shown["patience.put_right_s"] == {"value": 3.0, "from": "default"}


def test_a_good_profile_and_a_bad_one_are_checked(home: Path) -> None:
    assert json.loads(run("hardware", "check", "--json").stdout) == {"good": True, "mistakes": []}
    (home / "hardware.toml").write_text('profile = "pi-oled"\n[buttons]\nturn = 4\nclame = 5\n')
    result = CliRunner().invoke(marchwarden, ["hardware", "check", "--json"])
    assert result.exit_code == 1
    assert "did you mean claim" in json.loads(result.stdout)["mistakes"][0]
    assert "did you mean claim" in refused("hardware", "show")


def test_a_display_that_luma_does_not_know_is_a_mistake(home: Path) -> None:
    mine = home / "hardware.toml"
    mine.write_text('profile = "pi-oled"\n[[display]]\ndriver = "luma"\noptions = { display = "sdd1306" }\n')
    knows = {"en": "luma knows no display", "fr": "luma ne connaît pas d'écran", "es": "luma no conoce la pantalla"}
    for language, said in knows.items():
        result = CliRunner().invoke(marchwarden, ["hardware", "check", "--lang", language])
        assert result.exit_code == 1
        assert result.stdout.startswith(f"{mine}: display.0.options.display: {said} 'sdd1306'")
        assert result.stdout.rstrip(" ?\n").endswith("ssd1306")


def test_the_profile_that_was_meant_is_suggested_in_every_language(home: Path) -> None:
    meant = {"en": "; did you mean pi-oled?", "fr": " ; vouliez-vous dire pi-oled ?", "es": "; ¿quería decir pi-oled?"}
    for language, said in meant.items():
        asked = CliRunner().invoke(marchwarden, ["hardware", "check", "--profile", "pi-olde", "--lang", language])
        assert asked.stdout.endswith(f"'pi-olde'{said}\n")


def test_wiring_is_told_and_drawn(home: Path) -> None:
    text = run("hardware", "wiring", "--profile", "pi-oled").stdout
    assert "lamp 1 green   GPIO4    7 |" in text
    assert "36   GPIO16  button turn" in text
    assert run("hardware", "wiring", "--profile", "pi-oled", "--svg", str(home / "w.svg")).exception is None
    drawing = (home / "w.svg").read_text()
    assert drawing.count("button") >= 4
    assert "cannot be written" in refused("hardware", "wiring", "--svg", str(home / "no" / "w.svg"))
    told = run("hardware", "wiring", "--profile", "webcam").stdout
    assert "nothing is wired to the header" in told
    assert "GPIO" not in told


def test_wiring_says_what_this_kind_of_lamp_needs(home: Path) -> None:
    strip = run("hardware", "wiring", "--profile", "pi-strip").stdout
    assert "DI to SPI MOSI" in strip
    assert "Ω" not in strip
    assert "GPA0 to GPA7" in run("hardware", "wiring", "--profile", "pi-expander").stdout
    own = home / "hardware.toml"
    own.write_text('profile = "pi-oled"\n[lamps]\nactive_high = false\n')
    assert "Ω to 3V3" in run("hardware", "wiring").stdout
    own.write_text('profile = "pi-expander"\n[lamps]\ni2c_port = 3\n')
    assert "lamps: its bus is none of the header's own" in run("hardware", "wiring").stdout
    own.unlink()
    run("hardware", "wiring", "--profile", "webcam", "--svg", str(home / "w.svg"))
    assert "nothing is wired to the header" in (home / "w.svg").read_text()


def test_of_a_camera_that_is_not_there_only_our_own_words_are_heard(home: Path) -> None:
    call = [sys.executable, "-m", "firmware", "test", "camera", "--profile", "webcam", "--to", str(home)]
    told = subprocess.run(call, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert told.returncode == 1
    assert "WARN" not in told.stderr
    assert "the USB camera 0 cannot be opened" in told.stderr


def test_of_pins_that_nobody_can_reach_only_our_own_words_are_heard(home: Path) -> None:
    (home / "own.toml").write_text('name = "own"\nboard = "pi"\nlamps = { driver = "gpio", green = [4], red = [5] }\n')
    call = [sys.executable, "-m", "firmware", "test", "lamps", "--profile", str(home / "own.toml")]
    told = subprocess.run(call, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if told.returncode == 0:
        pytest.skip("this computer has pins")
    assert [line.split(" (")[0] for line in told.stderr.splitlines()] == ["marchwarden: the lamps' pins cannot be used"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("referee", "nowhere", "--json"), "there is no folder or file nowhere"),
        (("run", "--games", "1", "--players", "cheat:magic"), "say honest or cheat:NAME"),
        (("run", "--profile", "pi-old"), "did you mean pi-oled"),
        (("referee", "{home}", "--deck", "drawn"), "holds no images"),
        (("referee", "{home}"), "say with --deck"),
        (("run", "--games", "1", "--pace", "nan"), "give a number from 0 to 3600"),
        (("run", "--games", "2", "--profile", "webcam"), "--games: the table of the profile webcam is real"),
        (("run", "--games", "1", "--pace", "-1"), "give a number from 0 to 3600"),
        (("run", "--games", "1", "--seed", "-5"), "-5 is not in the range x>=0"),
        (("run", "--games", "1", "--decks", "/dev/null"), "--decks names another folder"),
        (("bundle", ""), "needs the name of a file"),
    ],
)
def test_a_wrong_call_is_one_sentence(home: Path, arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(*(argument.format(home=home) for argument in arguments))


@pytest.mark.parametrize(
    ("content", "sentence"), [(b"", "is empty"), (FILM_WITHOUT_INDEX, "cannot be read as a video")]
)
def test_of_a_video_that_did_not_arrive_whole_one_sentence_is_heard(home: Path, content: bytes, sentence: str) -> None:
    (home / "film.mp4").write_bytes(content)
    call = [sys.executable, "-m", "firmware", "referee", str(home / "film.mp4"), "--deck", "drawn", "--json"]
    told = subprocess.run(call, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (told.returncode, told.stdout) == (2, "")
    assert sentence in told.stderr
    assert told.stderr.count("\n") == 1


def test_a_record_that_cannot_be_understood_is_named_with_its_line(home: Path) -> None:
    (home / "game.txt").write_text("A g5@3\nB what@4\n")
    assert "line 2" in refused("referee", str(home / "game.txt"), "--json")


def test_a_second_station_on_one_journal_is_refused(played: Sitting, home: Path) -> None:
    other = Journal(home / "journal.db", played.clock)
    assert "another station" in refused("run", "--games", "1", "--decks", str(home / "decks"), "--deck", "drawn")
    other.close()
