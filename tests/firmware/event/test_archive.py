"""The hub's store takes what continues a journal, once, and notices every byte that is not what was written."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from random import Random
from typing import cast

import pytest

from firmware.clocks import SimulatedClock
from firmware.event.archive import Archive, Head
from firmware.event.audit import audit
from firmware.event.facts import CallRaised, Reason, encode
from firmware.event.rounds.facts import Result, ResultEntered, Seat
from firmware.event.rounds.facts import encode as encode_result
from firmware.event.state import EventState, folded
from firmware.event.wire import Parcel
from firmware.faults import JournalBusy, JournalDamaged, JournalFault
from firmware.journal import Entry, Journal, Kind, Line, Reader
from tests.firmware.event.scene import SceneStation


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> tuple[Entry, ...]:
    """The journal of a station that played one game and began another."""
    station = SceneStation("north", tmp_path_factory.mktemp("north"), clock=SimulatedClock())
    station.play(1)
    station.play(2, most=5)
    entries = tuple(station.journal.entries())
    station.journal.close()
    return entries


def book(journal: tuple[Entry, ...]) -> str:
    return journal[0].hash[:16]


def filled(path: Path, journal: tuple[Entry, ...]) -> None:
    archive = Archive(path, SimulatedClock())
    archive.accept([("north", Parcel(book(journal), journal[:200]))])
    archive.add([Line(Kind.FACT, encode(CallRaised("north", Reason.DISPUTE)), "Pia, player")])
    archive.close()


@pytest.mark.parametrize("seed", range(5))
def test_parcels_in_any_order_and_number_are_taken_once(tmp_path: Path, journal: tuple[Entry, ...], seed: int) -> None:
    random = Random(seed)
    archive = Archive(tmp_path / "event.db", SimulatedClock())
    state, pieces = EventState(), []
    for _ in range(60):
        start = random.randrange(len(journal))
        pieces.append(Parcel(book(journal), journal[start : start + random.randint(1, 40)]))
    for at in range(0, len(journal), 10):
        pieces.append(Parcel(book(journal), journal[at : at + 10]))
        random.shuffle(pieces)
        accepted = archive.accept([("north", piece) for piece in pieces])
        assert accepted.refused == ()
        state = folded(state, accepted.stored)
        assert state == folded(EventState(), archive.entries())

    for _ in range(len(journal)):  # what came too early comes again, as from a courier
        state = folded(state, archive.accept([("north", piece) for piece in pieces]).stored)

    assert tuple(stored.entry for stored in archive.entries("north")) == journal
    assert sum(record.facts for record in state.stations.values()) == sum(e.kind is Kind.FACT for e in journal)
    archive.close()


def test_an_entry_that_contradicts_what_is_there_is_refused(tmp_path: Path, journal: tuple[Entry, ...]) -> None:
    filled(tmp_path / "event.db", journal)
    archive = Archive(tmp_path / "event.db", SimulatedClock())
    forged = Entry(3, 1, Kind.FACT, "A r9@9", "camera", journal[2].at, "0" * 64)
    accepted = archive.accept([("north", Parcel(book(journal), (forged,)))])
    assert accepted.stored == ()
    assert "not the one it sent first" in accepted.refused[0].why
    assert [stored.entry for stored in archive.entries("north")][2] == journal[2]
    archive.close()


def test_an_entry_that_does_not_continue_the_chain_is_refused(tmp_path: Path, journal: tuple[Entry, ...]) -> None:
    archive = Archive(tmp_path / "event.db", SimulatedClock())
    second = journal[1]
    other = Entry(2, 1, Kind.FACT, "A r9@9", second.who, second.at, second.hash)
    accepted = archive.accept([("north", Parcel(book(journal), (journal[0], other)))])
    assert [stored.entry for stored in accepted.stored] == [journal[0]]
    assert "does not continue" in accepted.refused[0].why
    stolen = archive.accept([("south", Parcel("0" * 16, journal[:1]))])
    assert "cannot begin so" in stolen.refused[0].why
    assert archive.head("south", "0" * 16) == Head()
    archive.close()


def test_what_comes_before_its_turn_is_left_for_later(tmp_path: Path, journal: tuple[Entry, ...]) -> None:
    archive = Archive(tmp_path / "event.db", SimulatedClock())
    accepted = archive.accept([("north", Parcel(book(journal), journal[5:9]))])
    assert (accepted.stored, accepted.refused) == ((), ())
    archive.close()


def test_what_the_archive_holds_is_its_owners_alone(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "event.db", SimulatedClock())
    archive.add([Line(Kind.FACT, "{}", "Anna")])
    assert {file.suffix: file.stat().st_mode & 0o007 for file in tmp_path.iterdir()} == dict.fromkeys(
        (".db", ".lock", ".db-wal", ".db-shm"), 0
    )
    archive.close()


def test_two_hubs_cannot_write_to_one_archive(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "event.db", SimulatedClock())
    with pytest.raises(JournalBusy):
        Archive(tmp_path / "event.db", SimulatedClock())
    archive.close()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("received", "2026-01-01T00:00:01.000+00:00"),
        ("station", "south"),
        ("book", "0" * 16),
        ("seq", 70),
        ("game", 9),
        ("kind", "act"),
        ("line", "A pass"),
        ("who", "nobody"),
        ("at", "2026-01-01T00:00:02.000+00:00"),
        ("hash", "0" * 64),
        ("seal", "0" * 64),
        ("arrival", 999),
    ],
)
def test_one_changed_value_anywhere_is_found_and_named(
    tmp_path: Path, journal: tuple[Entry, ...], column: str, value: object
) -> None:
    path = tmp_path / "event.db"
    filled(path, journal)
    with sqlite3.connect(path) as db:
        db.execute(f"UPDATE archive SET {column} = ? WHERE arrival = 10", (value,))
    db.close()

    [wrong, *_] = audit(path).wrong

    assert "event.db" in wrong
    assert any(word in wrong for word in ("entry 10", "entry 11", "entry 70", "arrival 11", "arrival 999"))
    with pytest.raises(JournalDamaged):
        Archive(path, SimulatedClock())


def test_an_entry_that_was_taken_out_is_missed(tmp_path: Path, journal: tuple[Entry, ...]) -> None:
    path = tmp_path / "event.db"
    filled(path, journal)
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM archive WHERE arrival = 10")
    db.close()
    assert "missing" in audit(path).wrong[0]


def test_bytes_flipped_in_the_file_never_pass_as_another_event(tmp_path: Path, journal: tuple[Entry, ...]) -> None:
    path = tmp_path / "event.db"
    filled(path, journal)
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    whole, truth = path.read_bytes(), audit(path)
    assert truth.wrong == []
    random = Random(4)
    found = 0
    for _ in range(60):
        at = random.randrange(len(whole))
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << random.randrange(8)]) + whole[at + 1 :])
        path.with_name("event.db-wal").unlink(missing_ok=True)
        path.with_name("event.db-shm").unlink(missing_ok=True)
        looked = audit(path)
        found += bool(looked.wrong)
        assert looked.wrong or looked == truth  # a byte that belongs to nothing changes nothing
    assert found > 20


def test_a_byte_of_the_tables_own_name_is_damage_and_no_riddle(tmp_path: Path, journal: tuple[Entry, ...]) -> None:
    path, own = tmp_path / "event.db", tmp_path / "journal.db"
    filled(path, journal)
    Journal(own, SimulatedClock()).close()
    for file, name in ((path, b"archive"), (own, b"entries")):
        with sqlite3.connect(file) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.close()
        file.write_bytes(file.read_bytes().replace(name, name[:4] + b"\xf6" + name[5:], 1))
    [wrong] = audit(path).wrong
    assert wrong.startswith(f"{path} is damaged")
    assert any(str(own) in one for one in audit(path, (own,)).wrong)
    with pytest.raises(JournalDamaged):
        Archive(path, SimulatedClock())
    with pytest.raises(JournalDamaged):
        Journal(own, SimulatedClock())


def test_the_audit_judges_every_game_anew_and_finds_a_result_that_its_facts_do_not_give(
    tmp_path: Path, journal: tuple[Entry, ...]
) -> None:
    from dataclasses import replace

    from firmware.journal import GENESIS, chained

    forged, head = [], GENESIS
    for entry in journal:  # a station that lies about a result, with a chain that is right
        line = entry.line.replace('"A"', '"X"').replace('"B"', '"A"').replace('"X"', '"B"')
        line = line if entry.kind is Kind.END else entry.line
        head = chained(head, entry.seq, entry.game, entry.kind, line, entry.who, entry.at)
        forged.append(replace(entry, line=line, hash=head))
    archive = Archive(tmp_path / "event.db", SimulatedClock())
    accepted = archive.accept([("north", Parcel(forged[0].hash[:16], tuple(forged)))])
    archive.close()
    assert accepted.refused == ()

    findings = audit(tmp_path / "event.db")

    assert findings.games == 2
    assert findings.verdicts > 40
    assert len(findings.wrong) == 1
    assert "ends it with" in findings.wrong[0]


def test_a_stations_own_journal_is_compared_with_the_copy(tmp_path: Path) -> None:
    station = SceneStation("north", tmp_path, clock=SimulatedClock())
    station.play(1, most=4)
    entries = tuple(station.journal.entries())
    station.journal.close()
    filled(tmp_path / "event.db", entries)
    assert audit(tmp_path / "event.db", (tmp_path / "north.db",)).wrong == []
    with sqlite3.connect(tmp_path / "north.db") as db:
        db.execute("UPDATE entries SET who = 'me' WHERE seq = 3")
    db.close()
    assert "entry 3" in audit(tmp_path / "event.db", (tmp_path / "north.db",)).wrong[0]


@pytest.mark.parametrize(("winner", "stones"), [("other", None), (None, (9, 0))])
def test_a_result_of_the_rounds_that_its_game_does_not_give_is_named(
    tmp_path: Path, journal: tuple[Entry, ...], winner: str | None, stones: tuple[int, int] | None
) -> None:
    path = tmp_path / "event.db"
    filled(path, journal)
    archive = Archive(path, SimulatedClock())
    state = folded(EventState(), archive.entries())
    [game] = state.results()
    true = {"A": "A", "B": "B"}[str(game.winner)]
    score = dict(game.score)
    said = true if winner is None else "AB".replace(true, "")
    held = stones or (score["A"], score["B"])
    good = ResultEntered(1, 1, Result(cast(Seat, true), (score["A"], score["B"])), game=game.id)
    bad = ResultEntered(1, 2, Result(cast(Seat, said), held), game=game.id)
    archive.add([Line(Kind.FACT, encode_result(good), "hub")])
    archive.close()
    assert audit(path).wrong == []
    archive = Archive(path, SimulatedClock())
    archive.add([Line(Kind.FACT, encode_result(bad), "hub")])
    archive.close()
    [wrong] = audit(path).wrong
    assert "round 1, table 2" in wrong


@pytest.mark.parametrize("bit", [0, 3])
def test_a_flipped_bit_is_a_fault_in_words_or_changes_nothing(tmp_path: Path, bit: int) -> None:
    station = SceneStation("north", tmp_path, clock=SimulatedClock())
    station.play(1, most=12)
    station.journal.close()
    own = list(Reader(tmp_path / "north.db").entries())
    archive = Archive(tmp_path / "event.db", SimulatedClock())
    archive.accept([("north", Parcel(own[0].hash[:16], tuple(own)))])
    copy = list(archive.entries())
    archive.close()
    found = 0
    for name, count in (("north.db", 800), ("event.db", 300)):
        content = (tmp_path / name).read_bytes()
        first = content.index(own[-1].hash.encode())  # SQLite writes from the end of a page to its beginning
        for at in range(first, first + count):
            spoilt = tmp_path / f"spoilt-{name}"
            spoilt.write_bytes(content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1 :])
            try:
                if name == "north.db":
                    reader = Reader(spoilt)
                    reader.verify()
                    assert list(reader.entries()) == own
                    reader.close()
                else:
                    opened = Archive(spoilt, SimulatedClock())
                    assert list(opened.entries()) == copy
                    opened.close()
            except JournalFault:
                found += 1
    assert found > 1000
