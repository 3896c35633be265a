"""The journal keeps what it was given, notices what was changed, and names what stops it."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from firmware.clocks import SimulatedClock
from firmware.faults import JournalBusy, JournalDamaged, JournalFull, JournalUnwritable
from firmware.journal import Journal, Kind, Line, Reader, set_aside


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games" / "journal.db"


def journal(path: Path) -> Journal:
    return Journal(path, SimulatedClock())


def with_a_game(path: Path) -> None:
    book = journal(path)
    number = book.begin({"rules": "base", "A": "Anna"})
    book.append(number, [Line(Kind.FACT, "A g5@3"), Line(Kind.FACT, "B r1@4")])
    book.append(number, [Line(Kind.ACT, "undo", "players")])
    book.close()


def test_entries_come_back_as_they_were_written(path: Path) -> None:
    with_a_game(path)
    reader = Reader(path)
    found = [(entry.seq, entry.game, entry.kind, entry.line, entry.who) for entry in reader.entries()]
    reader.close()
    assert found == [
        (1, 1, Kind.BEGIN, '{"rules": "base", "A": "Anna"}', "station"),
        (2, 1, Kind.FACT, "A g5@3", "camera"),
        (3, 1, Kind.FACT, "B r1@4", "camera"),
        (4, 1, Kind.ACT, "undo", "players"),
    ]


def test_it_syncs_at_every_commit(path: Path) -> None:
    book = journal(path)
    assert book._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert book._db.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    book.close()


def test_an_open_game_is_found_again_and_an_ended_one_is_not(path: Path) -> None:
    with_a_game(path)
    book = journal(path)
    assert book.open_game() == 1
    book.append(1, [Line(Kind.END, json.dumps({"winner": "A"}))])
    assert book.open_game() is None
    book.append(1, [Line(Kind.NOTE, "restarted")])
    assert book.open_game() is None
    book.append(1, [Line(Kind.ACT, "undo")])
    assert book.open_game() == 1, "an act after the end opens the game again"
    book.close()


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("UPDATE entries SET line = 'A g9@3' WHERE seq = 2", "entry 2"),
        ("UPDATE entries SET at = '1999' WHERE seq = 3", "entry 3"),
        ("DELETE FROM entries WHERE seq = 2", "entry 2 is missing"),
        ("UPDATE entries SET seq = 9 WHERE seq = 4", "entry 4 is missing"),
        ("UPDATE entries SET kind = 'gossip' WHERE seq = 4", "no known kind"),
    ],
)
def test_a_changed_entry_is_named(path: Path, change: str, named: str) -> None:
    with_a_game(path)
    with sqlite3.connect(path) as db:
        db.execute(change)
    db.close()
    reader = Reader(path)
    with pytest.raises(JournalDamaged, match=named):
        reader.verify()
    reader.close()
    with pytest.raises(JournalDamaged, match=named):
        journal(path)


def test_a_file_that_is_no_journal_is_damaged_and_can_be_set_aside(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database at all, but long enough to be taken for one" * 40)
    with pytest.raises(JournalDamaged):
        journal(path)
    aside = set_aside(path)
    assert aside.read_bytes().startswith(b"no database")
    book = journal(path)
    assert list(book.entries()) == []
    book.close()


def test_a_second_station_is_refused_while_the_first_one_runs(path: Path) -> None:
    first = journal(path)
    with pytest.raises(JournalBusy, match="another station"):
        journal(path)
    first.close()
    journal(path).close()


class JumpingClock(SimulatedClock):
    """A clock without a battery: after a start it says 1970 until a network sets it."""

    def __init__(self, years: list[int]) -> None:
        super().__init__()
        self._years = years

    def now(self) -> datetime:
        return datetime(self._years.pop(0), 1, 1, tzinfo=UTC)


def test_a_journal_that_a_station_writes_to_is_not_set_aside(path: Path) -> None:
    book = journal(path)
    with pytest.raises(JournalBusy, match="stop it first"):
        set_aside(path)
    book.close()
    assert set_aside(path).name == "journal.db.aside-1"


@pytest.mark.parametrize("folder", ["a#b", "a?b", "a%41", "é"])
def test_a_journal_lies_where_it_was_named_whatever_the_name(tmp_path: Path, folder: str) -> None:
    path = tmp_path / folder / "journal.db"
    with_a_game(path)
    assert path.is_file()
    assert sorted(tmp_path.iterdir()) == [tmp_path / folder]
    reader = Reader(path)
    assert len(list(reader.entries())) == 4
    reader.close()


def test_a_byte_that_is_no_text_is_damage_and_another_store_is_no_journal(path: Path) -> None:
    with_a_game(path)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE entries SET who = CAST(x'63ff' AS TEXT) WHERE seq = 2")
    db.close()
    with pytest.raises(JournalDamaged, match="is damaged"):
        Reader(path).verify()
    other = path.with_name("other.db")
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE notes (text)")
    db.close()
    with pytest.raises(JournalUnwritable, match="is no journal of games"):
        Reader(other).verify()


def test_the_order_of_entries_does_not_depend_on_the_clock(path: Path) -> None:
    book = Journal(path, JumpingClock([2026, 1970, 2030, 1999]))
    number = book.begin({})
    for line in ("A g5@3", "B r1@3", "A g6@3"):
        book.append(number, [Line(Kind.FACT, line)])
    assert [(entry.line, entry.at[:4]) for entry in book.entries()][1:] == [
        ("A g5@3", "1970"), ("B r1@3", "2030"), ("A g6@3", "1999"),
    ]  # fmt: skip
    book.close()
    journal(path).close()


def test_a_reader_may_look_while_a_station_writes(path: Path) -> None:
    book = journal(path)
    number = book.begin({})
    reader = Reader(path)
    book.append(number, [Line(Kind.FACT, "A g5@3")])
    assert [entry.line for entry in reader.entries()][-1] == "A g5@3"
    assert reader.verify() == list(book.entries())[-1].hash
    reader.close()
    book.close()


def test_a_full_disk_is_named_and_leaves_no_half_entry(path: Path) -> None:
    book = journal(path)
    number = book.begin({})
    pages = book._db.execute("PRAGMA page_count").fetchone()[0]
    book._db.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(JournalFull, match="no room"):
        book.append(number, [Line(Kind.FACT, "x" * 5000), Line(Kind.FACT, "y" * 5000)])
    book._db.execute("PRAGMA max_page_count=100000")
    book.append(number, [Line(Kind.FACT, "A g5@3")])
    assert [entry.line for entry in book.entries()][1:] == ["A g5@3"]
    book.close()
    journal(path).close()


def test_a_disk_that_was_full_before_the_start_is_named_and_its_games_can_be_read(path: Path) -> None:
    """The write-ahead log needs an index of 32 KB; here no file may grow beyond the journal itself."""
    with_a_game(path)
    script = (
        "import resource, sys; from pathlib import Path; from firmware.clocks import SystemClock; "
        "from firmware.faults import JournalFault; from firmware.journal import Journal, Reader\n"
        "path = Path(sys.argv[1]); resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size,) * 2)\n"
        "try: Journal(path, SystemClock())\n"
        "except JournalFault as fault: print(fault.trouble)\n"
        "print(Reader(path).verify())"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], check=True, capture_output=True, text=True)
    reader = Reader(path)
    assert done.stdout.split() == ["disk-full", reader.verify()]
    reader.close()


def test_games_on_read_only_storage_can_be_read(path: Path) -> None:
    with_a_game(path)
    path.with_name("journal.db-wal").symlink_to("nowhere/log")  # no new file can be made, not even by root
    reader = Reader(path)
    assert len(list(reader.entries())) == 4
    reader.close()


def test_read_only_storage_is_named(path: Path) -> None:
    book = journal(path)
    number = book.begin({})
    book._db.execute("PRAGMA query_only=ON")
    with pytest.raises(JournalUnwritable):
        book.append(number, [Line(Kind.FACT, "A g5@3")])
    book.close()


def test_nothing_is_written_to_a_file_that_was_taken_away(path: Path) -> None:
    book = journal(path)
    number = book.begin({})
    elsewhere = path.parent.rename(path.parent.with_name("elsewhere"))
    with pytest.raises(JournalUnwritable, match="put it back"):
        book.append(number, [Line(Kind.FACT, "A g5@3")])
    elsewhere.rename(path.parent)
    book.append(number, [Line(Kind.FACT, "A g5@3")])
    assert [entry.line for entry in book.entries()][1:] == ["A g5@3"]
    book.close()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(JournalUnwritable, match="cannot be written"):
        journal(tmp_path / "file" / "journal.db")


def test_the_lock_goes_with_the_program_however_it_ends(path: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from firmware.journal import Journal; "
        "from firmware.clocks import SystemClock; book = Journal(Path(sys.argv[1]), SystemClock()); "
        "book.begin({}); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    assert done.returncode == -9
    book = journal(path)
    assert book.open_game() == 1
    book.close()
