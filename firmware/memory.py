"""Memory: the most that was held, and what nobody uses given back, free in the C library's pools or only needed to
load a program.

Pictures come and go, nine megabytes each: a pool for every thread, each as large as the most that it ever held, would
be a good part of a station's memory. Where the system does not know these ways, nothing is done.
"""

from __future__ import annotations

import ctypes
import re
import resource
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

_ARENA_MAX = -8  # M_ARENA_MAX of malloc.h
_DONTNEED = 4  # MADV_DONTNEED of sys/mman.h
_MAPS, _STATUS = Path("/proc/self/smaps"), Path("/proc/self/status")
_MAP = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ (\d+)")


def share_one_pool() -> None:
    """From now on all threads take their memory from one pool; to be said before there are any."""
    if (library := _library()) is not None:
        library.mallopt(_ARENA_MAX, 1)


def give_back() -> None:
    """Gives what is free in the pool back to the system. It costs a millisecond or two, and as much again where the
    memory is wanted soon: only for after work that needed far more than what follows."""
    if (library := _library()) is not None:
        library.malloc_trim(0)


def let_go_of_files() -> None:
    """Lets go of the parts of libraries that were read to load them. What is used is mapped again as it is used; a good
    half never is."""
    if (library := _library()) is not None:
        for start, end in _unchanged():
            library.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), _DONTNEED)


def _unchanged() -> Iterator[tuple[int, int]]:
    """Where files are mapped that nobody can write to here, nor has before: what was changed in loading is nowhere but
    in memory."""
    try:
        lines = _MAPS.read_text().splitlines()
    except OSError:
        return
    place: tuple[int, int] | None = None
    for line in lines:
        if line.startswith("Anonymous:"):
            if place is not None and line.split()[1] == "0":
                yield place
        elif (found := _MAP.match(line)) is not None:
            is_file = found[3].startswith("r") and found[3][1] == "-" and found[3][3] == "p" and found[4] != "0"
            place = (int(found[1], 16), int(found[2], 16)) if is_file else None


def peak_mb() -> float:
    """The most memory that this program ever held. What the system counts for a process begins with what its parent
    held when it was started."""
    try:
        return int(re.findall(r"VmHWM:\s+(\d+) kB", _STATUS.read_text())[0]) / 1024
    except (OSError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@cache
def _library() -> Any:
    try:
        library = ctypes.CDLL(None)
        return library if library.mallopt and library.malloc_trim and library.madvise else None
    except (OSError, AttributeError):
        return None
