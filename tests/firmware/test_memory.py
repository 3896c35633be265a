"""What is given back to the system, and that nothing which is still wanted goes with it."""

from __future__ import annotations

import ctypes
import mmap
import re
import subprocess
import sys
from pathlib import Path

import pytest

from firmware import memory

MEGABYTES = 8
SIZE = MEGABYTES << 20


def resident_kb(path: Path) -> int:
    """How much of a file is mapped into this process."""
    maps = Path("/proc/self/smaps").read_text()
    return sum(int(found) for found in re.findall(rf"{re.escape(str(path))}\n.*\n.*\n.*\nRss: +(\d+) kB", maps))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "library.so"
    path.write_bytes(bytes(range(256)) * (SIZE // 256))
    return path


def test_what_loading_a_file_mapped_is_let_go_and_there_again_when_it_is_read(file: Path) -> None:
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, mmap.MAP_PRIVATE, mmap.PROT_READ) as mapped:
        assert mapped[::4096].count(0) == SIZE // 4096
        assert resident_kb(file) == SIZE // 1024
        memory.let_go_of_files()
        assert resident_kb(file) == 0
        assert mapped[::4096].count(0) == SIZE // 4096


def test_what_was_changed_in_loading_stays_though_it_cannot_be_written_any_more(file: Path) -> None:
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, mmap.MAP_PRIVATE) as mapped:
        mapped[5000] = 77
        address = ctypes.addressof(ctypes.c_char.from_buffer(mapped))
        assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(address), SIZE, mmap.PROT_READ) == 0
        memory.let_go_of_files()
        assert mapped[5000] == 77


POOL = """
import ctypes, re, sys, threading
from pathlib import Path
from firmware import memory

def resident_mb():
    return int(re.search(r"RssAnon:\\s+(\\d+)", Path("/proc/self/status").read_text()).group(1)) / 1024

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.malloc.argtypes = [ctypes.c_size_t]
libc.free.argtypes = [ctypes.c_void_p]
blocks = [libc.malloc(64 << 10) for _ in range(512)]
for block in blocks:
    ctypes.memset(block, 1, 64 << 10)
for block in blocks[:-1]:
    libc.free(block)  # the last one keeps the pool from shrinking by itself
before = resident_mb()
memory.give_back()
print(before - resident_mb())
"""


def test_what_is_free_in_the_pool_is_given_back() -> None:
    done = subprocess.run([sys.executable, "-c", POOL], capture_output=True, text=True, check=True)
    assert float(done.stdout) > 25, done.stdout


ARENAS = """
import ctypes, sys, threading
from firmware import memory

if sys.argv[1] == "one":
    memory.share_one_pool()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.malloc.argtypes = [ctypes.c_size_t]
found = []
thread = threading.Thread(target=lambda: found.append(libc.malloc(1000)))
thread.start()
thread.join()
here = libc.malloc(1000)
print(abs(found[0] - here) < 1 << 30)
"""


@pytest.mark.parametrize(("pools", "is_one"), [("one", "True"), ("many", "False")])
def test_all_threads_share_one_pool_once_that_was_said(pools: str, is_one: str) -> None:
    done = subprocess.run([sys.executable, "-c", ARENAS, pools], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == is_one


REAL_STATION = """
import sys
from firmware.cli.run import command
from firmware.web.house import open_front
print(sorted(name for name in sys.modules if name.startswith(("firmware.simulation", "reportlab.pdf"))))
"""


def test_a_station_at_a_real_table_carries_no_simulation_and_no_printer_in_memory() -> None:
    done = subprocess.run([sys.executable, "-c", REAL_STATION], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_most_that_was_held_is_not_what_the_parent_held() -> None:
    held = bytearray(b"\1") * (256 << 20)
    ask = [sys.executable, "-c", "from firmware.memory import peak_mb; print(peak_mb())"]
    of_a_child = float(subprocess.run(ask, capture_output=True, text=True, check=True).stdout)
    assert len(held) >> 20 <= memory.peak_mb()
    assert 1 < of_a_child < 128
