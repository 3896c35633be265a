"""A bug report: the last frames of a game through the simulated camera, packed without names, and judged again."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from engine.record import entry_line
from engine.schotten_totten.cards import STONES
from firmware.assemble import assemble, make_eye, make_parts
from firmware.bundle import BadBundle, add_text, is_bundle, unpack
from firmware.cli.bundle import command as bundle
from firmware.cli.referee import command as referee
from firmware.clocks import SystemClock
from firmware.commands import Rule, Tell, Undo
from firmware.event.facts import NamesAsked, PlayersNamed, encode
from firmware.games import refereed
from firmware.journal import Journal, Kind, Line, Reader
from firmware.last_frames import LastFrames, kept_in, mark
from firmware.ports import Frame
from firmware.printing.deck import draw
from firmware.redact import Redactor
from hardware_config.profile import PatienceSettings, Profile, TableSettings
from hardware_config.settings import SimulatedCamera
from tests.firmware.sitting import Sitting
from vision.enrol import Enrolment

# A takes b7 back with the button before p9 is laid; the last card is A's second in one turn.
LINES = ("A g5@3", "B r1@3", "A g6@4", "B y2@4", "A b7@5", "undo", "A p9@6", "B pass", "A r2@7")
TOLD = (*LINES[:6], "righted b7@5A>off", *LINES[6:])
KEPT = 7
SEED = 0


@dataclass(frozen=True)
class Evening:
    """What a station leaves behind."""

    data: Path
    frames: Path
    told: list[str]


def small_deck(folder: Path) -> str:
    """As much of the drawn deck as these moves need."""
    enrolment = Enrolment("small")
    played = [line.split()[1].split("@")[0] for line in LINES if "@" in line]
    for code in (*played, "g7", "back", *(f"stone{stone}" for stone in STONES)):
        enrolment.take(code, draw(code, 4.0))
    enrolment.deck().save(folder)
    return "small"


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """A few moves under the simulated camera, with two people who have names; only the last frames are kept."""
    print(f"seed {SEED}")
    data = tmp_path_factory.mktemp("evening")
    patience = PatienceSettings(settle_frames=2, put_right_s=0.0)
    table = TableSettings(deck=small_deck(data / "decks"))
    camera = SimulatedCamera(size=(1600, 900), flaws="none")
    profile = Profile(name="evening", camera=camera, patience=patience, table=table)
    parts = make_parts(profile)
    game = refereed("schotten-totten")
    assembled = assemble(profile, parts, make_eye(profile, game, data / "decks"), data / "journal.db", threads=False)
    loop = assembled.loop
    frames = LastFrames(data / "frames", lambda number: mark(assembled.journal.entries(number)), KEPT)
    loop.remember = frames.note
    loop.station.begin({"rules": "base", "player A": "Marie-Claire", "player B": "Ben"})
    for line in LINES:
        if line == "undo":
            loop.commands.put(Undo())
            parts.camera.table.take("b7", "5A")  # type: ignore[attr-defined]
        elif line == "B pass":
            loop.commands.put(Tell(line))
        else:
            parts.camera.table.apply(game.game.parse(line).changes())  # type: ignore[attr-defined]
        for _ in range(3):
            loop.step()
            loop.clock.sleep(0.5)
    told = [entry_line(entry) for entry in loop.station.state.referee.entries]
    assembled.stop()
    frames.close()
    return Evening(data, data / "frames", told)


@pytest.fixture
def at_home(evening: Evening, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("MARCHWARDEN_DATA", str(evening.data))
    monkeypatch.setenv("MARCHWARDEN_FRAMES", str(evening.frames))
    monkeypatch.setenv("MARCHWARDEN_HARDWARE", str(tmp_path / "hardware.toml"))
    (tmp_path / "hardware.toml").write_text('[table]\ndeck = "small"\n')
    return tmp_path / "report.tar.gz"


def test_the_frames_that_made_a_difference_are_kept_and_the_oldest_go(evening: Evening) -> None:
    assert evening.told == list(TOLD)
    kept = kept_in(evening.frames)
    assert [frame.entries for frame in kept] == [4, 5, 6, 7, 8, 9, 10]


def test_a_bundle_is_judged_again_from_where_its_frames_begin(at_home: Path) -> None:
    done = CliRunner().invoke(bundle, [str(at_home), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == {"file": str(at_home), "frames": KEPT, "entries": 1 + len(TOLD)}
    again = CliRunner().invoke(referee, [str(at_home), "--json"])
    assert again.exit_code == 0, again.output
    events = [json.loads(line) for line in again.stdout.splitlines()]
    plays = [(event["player"], event["card"], event["legal"]) for event in events if event["event"] == "play"]
    # The button between b7 and p9 is pressed again, or p9 would be a second card as well.
    assert plays == [("A", "b7", True), ("A", "p9", True), ("A", "r2", False)]
    assert [event["event"] for event in events[-2:]] == ["pass", "play"], "what no camera sees is told again"


def test_frames_of_the_same_game_in_another_journal_are_left_out(at_home: Path, evening: Evening) -> None:
    """A journal that was set aside, or a game tried on another one, has a game 1 as well."""
    foreign = evening.frames / f"00000001-game1-{'f' * 8}-entries2.jpg"
    foreign.write_bytes(kept_in(evening.frames)[-1].path.read_bytes())
    try:
        done = CliRunner().invoke(bundle, [str(at_home), "--json"])
    finally:
        foreign.unlink()
    assert json.loads(done.stdout)["frames"] == KEPT


def test_nobody_is_named_unless_that_was_asked_for(at_home: Path) -> None:
    CliRunner().invoke(bundle, [str(at_home)])
    assert not [name for name, text in texts(at_home).items() if "Marie-Claire" in text or "Ben" in text]
    CliRunner().invoke(bundle, [str(at_home), "--with-names"])
    assert "Marie-Claire" in texts(at_home)["journal.jsonl"]


def test_whom_an_event_names_in_the_course_of_a_game_is_not_named_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = Journal(tmp_path / "journal.db", SystemClock())
    number = book.begin({"game": "schotten-totten", "rules": "base"})
    asked = Line(Kind.NOTE, encode(NamesAsked({"player A": "Zoë", "player B": "Ben"})), "Hanna (order 7-1)")
    named = Line(Kind.NOTE, encode(PlayersNamed({"player A": '"Oz"'})), "Hanna (order 7-2)")
    ruled = Line(Kind.ACT, "rule 1 stands by Hanna", "Hanna (order 7-3)")
    book.append(number, [asked, Line(Kind.FACT, "A g5@3"), named, ruled])
    book.close()
    monkeypatch.setenv("MARCHWARDEN_DATA", str(tmp_path))
    assert CliRunner().invoke(bundle, [str(tmp_path / "report.tar.gz")]).exit_code == 0
    kept = texts(tmp_path / "report.tar.gz")["journal.jsonl"]
    assert not [name for name in ("Zoë", "Ben", "Oz", "Hanna") if name in kept]
    assert "stands by person-1" in kept, "who is meant can still be followed"
    assert "person-1 (order 7-2)" in kept


def test_a_bundle_is_of_the_game_that_was_played_whatever_the_profile_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARCHWARDEN_DATA", str(tmp_path))
    monkeypatch.setenv("MARCHWARDEN_FRAMES", str(tmp_path / "none"))
    monkeypatch.setenv("MARCHWARDEN_HARDWARE", str(tmp_path / "hardware.toml"))
    book = Journal(tmp_path / "journal.db", SystemClock())
    book.begin({"game": "lords-of-scotland"}, lines=[Line(Kind.FACT, "initiative A>B")])
    book.begin({"game": "schotten-totten"})  # nothing has happened in it yet
    book.close()
    report = tmp_path / "report.tar.gz"
    assert CliRunner().invoke(bundle, [str(report)]).exit_code == 0
    again = CliRunner().invoke(referee, [str(report), "--json"])
    assert again.exit_code == 0, again.output
    assert [json.loads(line)["event"] for line in again.stdout.splitlines()] == ["initiative"]


def test_without_frames_the_game_is_judged_as_its_journal_tells_it(at_home: Path) -> None:
    CliRunner().invoke(bundle, [str(at_home), "--without-frames"])
    assert not [name for name in texts(at_home) if name.endswith(".jpg")]
    again = CliRunner().invoke(referee, [str(at_home), "--json"])
    assert again.exit_code == 0, again.output
    events = [json.loads(line) for line in again.stdout.splitlines()]
    plays = [event["legal"] for event in events if event["event"] == "play"]
    assert plays == [True] * 6 + [False]


def test_a_deck_goes_along_when_it_is_asked_for(at_home: Path, evening: Evening, tmp_path: Path) -> None:
    assert CliRunner().invoke(bundle, [str(at_home), "--with-deck"]).exit_code == 0
    unpacked = unpack(at_home, tmp_path)
    assert unpacked.deck is not None
    assert unpacked.deck.read_bytes() == (evening.data / "decks" / "small.deck.npz").read_bytes()


def test_the_hashes_are_those_of_the_original(at_home: Path, evening: Evening, tmp_path: Path) -> None:
    CliRunner().invoke(bundle, [str(at_home)])
    reader = Reader(evening.data / "journal.db")
    assert [entry.hash for entry in unpack(at_home, tmp_path).entries] == [entry.hash for entry in reader.entries()]
    reader.close()


def test_a_file_that_is_no_bundle_is_said_to_be_none(tmp_path: Path) -> None:
    stranger = tmp_path / "stranger.tar.gz"
    with tarfile.open(stranger, "w:gz") as archive:
        add_text(archive, "hello.txt", "hello")
    assert not is_bundle(stranger)
    assert not is_bundle(tmp_path)
    with pytest.raises(BadBundle, match="no bundle"):
        unpack(stranger, tmp_path)


def test_a_bundle_cannot_write_outside_of_its_folder(tmp_path: Path) -> None:
    evil = tmp_path / "evil.tar.gz"
    with tarfile.open(evil, "w:gz") as archive:
        add_text(archive, "about.json", json.dumps({"format": 1, "game": "schotten-totten", "deck": "drawn"}))
        add_text(archive, "journal.jsonl", "")
        add_text(archive, "frames/../../escaped.jpg", "x")
        add_text(archive, "../escaped.txt", "x")
    folder = tmp_path / "laid-out"
    folder.mkdir()
    unpack(evil, folder)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["evil.tar.gz", "frames", "laid-out"]


def test_a_bundle_with_nothing_in_it_is_bad_input(tmp_path: Path) -> None:
    empty = tmp_path / "empty.tar.gz"
    with tarfile.open(empty, "w:gz") as archive:
        add_text(archive, "about.json", json.dumps({"format": 1, "game": "schotten-totten", "deck": "drawn"}))
        add_text(archive, "journal.jsonl", "")
    done = CliRunner().invoke(referee, [str(empty)])
    assert done.exit_code == 2
    assert "nothing to referee" in done.stderr


def test_names_addresses_and_secrets_are_taken_out_of_a_text() -> None:
    hide = Redactor({"Ann", "Anna-Maria", "A", "camera"}).text
    assert hide("Anna-Maria and Ann played A; Annual stays") == "person-1 and person-2 played A; Annual stays"
    assert hide("page: http://192.168.1.7:8710  PIN 123 456") == "page: http://<address>:8710  PIN <secret>"
    assert hide("b8:27:eb:01:02:03 fe80:0:0:1::2 fe80::1 2001:db8:1:2:3:4:5:6") == "<mac> <address> <address> <address>"
    assert hide("/home/anna/x.toml") == "~/x.toml"
    assert hide(f"{Path.home()}/x.toml at 04:49:37, std::cout") == "~/x.toml at 04:49:37, std::cout"
    assert hide("127.0.0.1 token=abcdef123456") == "127.0.0.1 token=<secret>"
    assert hide('{"password": "hunter22"}') == '{"password": "<secret>"}'
    plain = "pin header, keyboard buttons, GPIO pin 123456789 is none"
    assert hide(plain) == plain


def test_a_judges_name_and_reason_go_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = Sitting(tmp_path)
    sitting.play("A g5@3", "A g6@3")
    sitting.ask(Rule(2, True, "Quentin", "Quentin saw it"))
    sitting.get_up()
    monkeypatch.setenv("MARCHWARDEN_DATA", str(tmp_path))
    monkeypatch.setenv("MARCHWARDEN_FRAMES", str(tmp_path / "none"))
    monkeypatch.setenv("MARCHWARDEN_HARDWARE", str(tmp_path / "hardware.toml"))
    CliRunner().invoke(bundle, [str(tmp_path / "report.tar.gz")])
    assert "Quentin" not in texts(tmp_path / "report.tar.gz")["journal.jsonl"]


def test_a_folder_that_cannot_be_written_stops_no_game(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    (tmp_path / "file").write_text("in the way")
    frames = LastFrames(tmp_path / "file" / "frames", lambda number: "0" * 8)
    for line in ("A g5@3", "B r1@3"):
        sitting.play(line)
        frames.note(Frame(1, np.zeros((8, 8, 3), np.uint8), 0.0), sitting.station.state)
    frames.close()
    sitting.get_up()


def test_half_a_frame_is_none(tmp_path: Path) -> None:
    """As a full disk leaves it: here no file may grow beyond a hundred bytes."""
    script = (
        "import resource, sys; from pathlib import Path; import numpy as np\n"
        "from firmware.last_frames import LastFrames; from firmware.ports import Frame\n"
        "from tests.firmware.sitting import Sitting\n"
        "sitting = Sitting(Path(sys.argv[1])); state = sitting.station.state; sitting.get_up()\n"
        "frames = LastFrames(Path(sys.argv[1]) / 'frames', lambda number: '0' * 8)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "frames.note(Frame(1, np.zeros((8, 8, 3), np.uint8), 0.0), state); frames.close()"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True)
    assert (tmp_path / "frames").is_dir()
    assert kept_in(tmp_path / "frames") == []


def texts(archive: Path) -> dict[str, str]:
    with tarfile.open(archive) as opened:
        files = ((name, opened.extractfile(name)) for name in opened.getnames())
        return {name: file.read().decode(errors="replace") for name, file in files if file is not None}
