"""200 spectators on one station's page, with live updates, while it plays: does any frame of vision come late?

The station photographs, reads and judges a simulated game; spectators in a process of their own follow its events as
browsers do. Compared is how long the station works on a frame, from its picture to verdict, journal and display, with
nobody watching and with everybody; waiting for the next picture is not counted. Other work on the machine blurs that;
how much of a core the page's own thread takes does not depend on it, and is the most by which it can delay the
station's thread. Most frames show a still table; those in which a card was read again are counted apart as well.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import tempfile
import threading
import time
from dataclasses import dataclass, field
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from firmware.assemble import make_eye, make_parts
from firmware.games import refereed
from firmware.simulation.manners import PACES_S, Manners
from firmware.web.house import Front
from firmware.web.simulated import simulated_front
from hardware_config.profile import PageSettings, Profile
from hardware_config.settings import SimulatedCamera

SPECTATORS, SECONDS, SPELLS = 200, 180.0, 24
FRAME_S = 0.2  # five frames a second
SHARES = (0.5, 0.9, 0.99)
READ_MS = 15.0  # a look at a still table takes less
SIZE = (1536, 864)  # photographs of this size leave a small computer time for both halves of the measurement


async def _spectate(host: str, port: int, counts: list[int], n: int) -> None:
    reader, writer = await asyncio.open_connection(host, port, limit=1 << 20)
    writer.write(f"GET /events?lang={('en', 'fr', 'es')[n % 3]} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
    await writer.drain()
    try:
        while line := await reader.readline():
            if line.startswith(b"event: state"):
                counts[n] += 1
    finally:
        writer.close()


def spectate(address: str, spectators: int, watching: Event, over: Event, results: Queue[list[int]]) -> None:
    """So many spectators, who come and go together; how many snapshots each of them got."""
    target = urlsplit(address)
    host, port = str(target.hostname), int(target.port or 0)
    counts = [0] * spectators

    async def crowd() -> None:
        everybody: list[asyncio.Task[None]] = []
        while not over.is_set():
            if watching.is_set() and not everybody:
                everybody = [asyncio.create_task(_spectate(host, port, counts, n)) for n in range(spectators)]
            elif not watching.is_set() and everybody:
                for one in everybody:
                    one.cancel()
                everybody = []
            await asyncio.sleep(0.05)

    asyncio.run(crowd())
    results.put(counts)


@dataclass
class Spells:
    """What was measured while the same number watched: frames in milliseconds, seconds, the page's own of them."""

    took_ms: list[float] = field(default_factory=list)  # every frame
    read_ms: list[float] = field(default_factory=list)  # those in which something was read again
    station_ms: list[float] = field(default_factory=list)  # processor time of the station's own thread, every frame
    seconds: float = 0.0
    page_s: float = 0.0

    def add(self, front: Front, seconds: float) -> None:
        page = next(thread for thread in threading.enumerate() if thread.name == "page")
        clock = time.pthread_getcpuclockid(int(page.ident or 0))
        before_s, page_before_s = time.monotonic(), time.clock_gettime(clock)
        frames = measure(front, seconds)
        self.took_ms += [took_ms for took_ms, _, _ in frames]
        self.read_ms += [took_ms for took_ms, read_ms, _ in frames if read_ms > READ_MS]
        self.station_ms += [station_ms for _, _, station_ms in frames]
        self.page_s += time.clock_gettime(clock) - page_before_s
        self.seconds += time.monotonic() - before_s


def measure(front: Front, seconds: float) -> list[tuple[float, float, float]]:
    """Milliseconds of work on each frame for so long, those of them for reading, and the processor's."""
    loop, found = front.assembled.loop, list[tuple[float, float, float]]()
    eye: Any = front.eye
    end_s = time.monotonic() + seconds
    while time.monotonic() < end_s:
        frame = loop.station.state.frame
        worked_s = time.thread_time()
        loop.step()
        before_s = time.perf_counter()
        front.tick()
        if loop.station.state.frame != frame:
            stages = (*eye.stages_ms.values(), *loop.stages_ms.values(), 1000 * (time.perf_counter() - before_s))
            found.append((sum(stages), eye.stages_ms.get("read", 0.0), 1000 * (time.thread_time() - worked_s)))
    return found


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def run(spectators: int, seconds: float) -> str:
    """Nobody and everybody in turn, in short spells: else a mood of the machine would be taken for the crowd."""
    spawn = multiprocessing.get_context("spawn")
    watching, over, results = spawn.Event(), spawn.Event(), spawn.Queue()
    alone, crowded = Spells(), Spells()
    with tempfile.TemporaryDirectory() as folder:
        profile = Profile(name="bench", page=PageSettings(port=0), camera=SimulatedCamera(size=SIZE))
        eye = make_eye(profile, refereed(profile.table.game), Path(folder))
        front = simulated_front(
            profile,
            Path(folder) / "journal.db",
            make_parts(profile),
            eye,
            1,
            Manners(pace_s=PACES_S["steady"]),
            FRAME_S,
        )
        front.assembled.start()
        front.start()
        front.services.desk.station.begin({"rules": "base"})
        crowd = spawn.Process(target=spectate, args=(front.address, spectators, watching, over, results))
        crowd.start()
        measure(front, 5)
        for spell in range(SPELLS):
            (watching.set if spell % 2 else watching.clear)()
            measure(front, 1.5)  # until they have come or gone
            (crowded if spell % 2 else alone).add(front, seconds / SPELLS)
        over.set()
        counts: list[int] = results.get(timeout=60)
        crowd.join()
        front.stop()
        front.assembled.stop()
    return report(spectators, alone, crowded, counts)


def report(spectators: int, alone: Spells, crowded: Spells, counts: list[int]) -> str:
    both = (("nobody", alone), (f"{spectators} spectators", crowded))
    kinds = [("every", name, one.took_ms) for name, one in both]
    kinds += [("read again", name, one.read_ms) for name, one in both]
    rows = [
        f"| {kind} | {name} | {len(took_ms)} | {' | '.join(f'{percentile(took_ms, share):.1f}' for share in SHARES)} |"
        for kind, name, took_ms in kinds
        if took_ms
    ]
    late = [percentile(crowded.took_ms, share) / percentile(alone.took_ms, share) - 1 for share in SHARES]
    core = ", ".join(f"{100 * one.page_s / one.seconds:.2f} % with {name}" for name, one in both)
    own = ", ".join(f"{percentile(one.station_ms, 0.5):.1f} ms with {name}" for name, one in both)
    return "\n".join(
        [
            "# Spectators on a station's page",
            "",
            f"The station's work on a frame, {SIZE[0]}×{SIZE[1]}, simulated table, without waiting for the picture;",
            f"station and spectators share one machine of {os.cpu_count()} cores, load {os.getloadavg()[1]:.0f}.",
            "",
            "| frames | watching | number | median ms | p90 ms | p99 ms |",
            "|---|---|---|---|---|---|",
            *rows,
            "",
            f"With everybody there, a frame took {late[0]:+.0%} (median), {late[1]:+.0%} (p90), {late[2]:+.0%} (p99);",
            "allowed: +10 %. At p99 a handful of frames decide, so that a busy machine shows there first.",
            f"The page's own thread took of a core: {core}.",
            f"Processor time of the station's thread a frame, median: {own}.",
            f"Every spectator got at least {min(counts)} and at most {max(counts)} snapshots.",
            "",
        ]
    )


def main() -> None:
    text = run(SPECTATORS, SECONDS)
    print(text)
    Path(__file__).with_name("results").joinpath("spectators.md").write_text(text)


if __name__ == "__main__":
    main()
