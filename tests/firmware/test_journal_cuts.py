"""The journal through `kill -9` and power cuts: what was acknowledged is there, and the chain is whole.

A power cut is real enough here: the journal lies on an ext4 of its own in a file on a loop device, and what counts
is that file at a random moment, without anything that was not synced. Where loop devices cannot be had (no root, a
container) the test is skipped and says so.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from firmware.clocks import SystemClock
from firmware.faults import JournalDamaged
from firmware.journal import Journal

SEED = 20
MEGABYTES = 12
LONG = 20_000  # entries, some three hundred games
WRITER = """
import os, sys
from pathlib import Path
from firmware.clocks import SystemClock
from firmware.journal import Journal, Kind, Line

journal = Journal(Path(sys.argv[1]), SystemClock())
if sys.argv[2] == "careless":
    journal._db.execute("PRAGMA synchronous=OFF")
number = journal.open_game() or journal.begin({"rules": "base"})
count = sum(1 for _ in journal.entries())
while True:
    journal.append(number, [Line(Kind.FACT, f"A g5@{count % 9 + 1}")])
    count += 1
    os.write(1, f"{count}\\n".encode())
"""


class Writer:
    """A program that writes entries as fast as it can, and says how many are on the disk."""

    def __init__(self, path: Path, manner: str = "careful") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), manner], stdout=subprocess.PIPE, bufsize=0
        )
        self.acknowledged = 0
        self._rest = b""

    def listen(self) -> int:
        """Takes what was said so far; waits for the first word."""
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)
        end = time.monotonic() + 30
        self._hear()
        while not self.acknowledged:
            assert time.monotonic() < end, "the writer says nothing"
            time.sleep(0.002)
            self._hear()
        return self.acknowledged

    def kill(self) -> None:
        """Ends it at once; what it had said until then counts."""
        self.process.kill()
        self.process.wait()
        self._hear()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _hear(self) -> None:
        """All that waits in the pipe; a writer on a quick disk never stops talking."""
        assert self.process.stdout is not None
        *lines, self._rest = (self._rest + (self.process.stdout.read(1 << 20) or b"")).split(b"\n")
        self.acknowledged = int(lines[-1]) if lines else self.acknowledged


def kept(path: Path) -> int:
    """How many entries the journal holds; raises if the chain is broken."""
    journal = Journal(path, SystemClock())
    count = sum(1 for _ in journal.entries())
    journal.close()
    return count


def killed_and_found_whole(folder: Path, times: int) -> None:
    """One journal after another: where the disk is quick a writer is, too, and whoever opens a journal reads it all."""
    random = Random(SEED)
    print("seed", SEED)
    path = folder / "journal-0.db"
    for number in range(1, times + 1):
        writer = Writer(path)
        try:
            writer.listen()
            time.sleep(random.uniform(0.0, 0.05))
        finally:
            writer.kill()
        found = kept(path)
        assert found >= writer.acknowledged
        if found > LONG:
            path = folder / f"journal-{number}.db"


def test_nothing_acknowledged_is_lost_when_the_program_is_killed(tmp_path: Path) -> None:
    killed_and_found_whole(tmp_path, 5)


@pytest.mark.long
def test_nothing_acknowledged_is_lost_in_two_hundred_kills(tmp_path: Path) -> None:
    killed_and_found_whole(tmp_path, 200)


def run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)


@contextmanager
def mounted(image: Path, folder: Path) -> Iterator[Path]:
    folder.mkdir(exist_ok=True)
    # Nothing is written back by itself within the test: only what was synced is in the file.
    run("mount", "-o", "loop,commit=300", str(image), str(folder))
    try:
        yield folder
    finally:
        run("umount", "--lazy", str(folder))


@pytest.fixture
def image(tmp_path: Path) -> Path:
    path = tmp_path / "card.img"
    path.write_bytes(b"")
    os.truncate(path, MEGABYTES << 20)
    try:
        run("mkfs.ext4", "-q", str(path))
        with mounted(path, tmp_path / "try"):
            pass
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"NO POWER CUT WAS TRIED: no loop device with ext4 can be had here ({error})")
    return path


def kept_if_whole(path: Path) -> int:
    """Entries of a journal that may be damaged: then there are none."""
    try:
        return kept(path)
    except JournalDamaged:
        return 0


def cut(
    image: Path,
    folder: Path,
    times: int,
    manner: str,
    between_s: Callable[[], float],
    count: Callable[[Path], int] = kept,
) -> Iterator[tuple[int, int]]:
    """Acknowledged and found entries for each cut: the writer is stopped, and the file taken as it is."""
    with mounted(image, folder / "card") as card:
        writer = Writer(card / "journal.db", manner)
        try:
            for number in range(times):
                writer.listen()
                time.sleep(between_s())
                writer.process.send_signal(signal.SIGSTOP)
                acknowledged = writer.listen()
                after = folder / f"after-{number}.img"
                shutil.copyfile(image, after)
                writer.process.send_signal(signal.SIGCONT)
                with mounted(after, folder / "after") as found:
                    yield acknowledged, count(found / "journal.db")
                after.unlink()
        finally:
            writer.kill()


def test_nothing_acknowledged_is_lost_in_a_power_cut(image: Path, tmp_path: Path) -> None:
    for acknowledged, found in cut(image, tmp_path, 4, "careful", lambda: 0.02):
        assert found >= acknowledged > 0


def test_the_cut_is_a_cut_since_a_careless_writer_loses_entries(image: Path, tmp_path: Path) -> None:
    cuts = cut(image, tmp_path, 3, "careless", lambda: 0.05, kept_if_whole)
    assert max(acknowledged - found for acknowledged, found in cuts) > 0


@pytest.mark.long
def test_nothing_acknowledged_is_lost_in_two_hundred_power_cuts(image: Path, tmp_path: Path) -> None:
    random = Random(SEED)
    print("seed", SEED)
    checked = 0
    for round_ in range(20):  # a fresh card now and then: the journal would fill it
        run("mkfs.ext4", "-q", "-F", str(image))
        folder = tmp_path / str(round_)
        folder.mkdir()
        for acknowledged, found in cut(image, folder, 10, "careful", lambda: random.uniform(0.0, 0.05)):
            assert found >= acknowledged > 0
            checked += 1
    assert checked == 200
