"""An event's hub under load: hundreds of stations through a real mosquitto, at their real rate and far beyond it.

Stations are connections of their own in one process, each with a true hash chain; the hub is the real one in another.
Measured is the time from the writing of an entry to its being in the read model, with the entry on the hub's disk, and
from a table's call to the page of a judge who has it open; the hub's processor time and memory; and how long a real
courier takes to bring a journal of eight hours to a hub that has none of it.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import re
import resource
import struct
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import HTTPConnection
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

from engine.schotten_totten.options import Rules
from firmware.assemble import make_courier
from firmware.clocks import SystemClock
from firmware.drivers import make_broker
from firmware.event import topics
from firmware.event.archive import Archive
from firmware.event.broker import program
from firmware.event.facts import JudgeCalled, Reason, encode
from firmware.event.hub import Hub, Update
from firmware.event.page.front import open_front
from firmware.event.roles import Role
from firmware.games import refereed
from firmware.journal import GENESIS, Journal, Kind, Line, chained
from firmware.simulation.players import play_game
from firmware.station import Station
from hardware_config.settings import MqttBroker

RESULTS = Path(__file__).parent / "results" / "event.md"
PORT = 18831
CONFIGURATION = f"""\
listener {PORT} 127.0.0.1
allow_anonymous true
max_inflight_messages 0
max_queued_messages 100000
set_tcp_nodelay true
persistence false
log_type error
"""
REAL_RATE = 0.1  # messages a second: a fact every twenty seconds, and what the table looks like
MUCH = 5.0
WARM_S, SECONDS = 10.0, 30.0
AWAY_S, ENTRIES_A_SECOND = 8 * 3600, 0.1


@dataclass(frozen=True)
class Load:
    """What was measured of the hub."""

    stations: int
    a_second: float
    sent: int
    stored: int
    p50_ms: float
    p99_ms: float
    cpu: float
    memory_mb: float
    calls: int
    page_p50_ms: float
    page_p99_ms: float


def _word(text: str) -> bytes:
    return struct.pack(">H", len(text)) + text.encode()


def _packet(kind: int, body: bytes) -> bytes:
    length, size = len(body), b""
    while True:
        length, digit = divmod(length, 128)
        size += bytes([digit | (0x80 if length else 0)])
        if not length:
            return bytes([kind]) + size + body


class Sender:
    """A station's connection: just enough MQTT 5 to send entries and to hear that they were taken."""

    def __init__(self, name: str, lines: list[str]) -> None:
        self.name = name
        self._lines = lines
        self._seq, self._head, self._book = 0, GENESIS, ""

    def packet(self, *, calls: bool = False) -> bytes:
        """The next entry, written now."""
        self._seq += 1
        at = datetime.now(UTC).isoformat(timespec="microseconds")
        kind = Kind.BEGIN if self._seq == 1 else Kind.NOTE if calls else Kind.FACT
        line = '{"game": "schotten-totten"}' if self._seq == 1 else self._lines[self._seq % len(self._lines)]
        if kind is Kind.NOTE:
            line = encode(JudgeCalled(Reason.DISPUTE, f"at {time.time():.6f}"))
        self._head = chained(self._head, self._seq, 1, kind, line, "camera", at)
        self._book = self._book or self._head[:16]
        row = [self._seq, 1, kind, line, "camera", at, self._head]
        payload = json.dumps({"book": self._book, "entries": [row]}).encode()
        number = struct.pack(">H", 1 + self._seq % 60000)
        return _packet(0x32, _word(topics.entries(self.name)) + number + b"\x00" + payload)

    async def open(self) -> None:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", PORT)
        connect = b"\x00\x04MQTT\x05\x02" + struct.pack(">H", 300) + b"\x00" + _word(self.name)
        self._writer.write(_packet(0x10, connect))
        await self._reader.read(100)
        self._writer.write(_packet(0x82, b"\x00\x01\x00" + _word(topics.ack(self.name)) + b"\x00"))

    async def listen(self) -> None:
        while await self._reader.read(65536):
            pass

    async def send(self, a_second: float, random: Random, over: asyncio.Event) -> int:
        listener = asyncio.create_task(self.listen())
        await asyncio.sleep(random.random() / a_second)
        next_s, sent = time.monotonic(), 0
        call = random.randint(2, 8)  # every station calls a judge once
        while not over.is_set():
            sent += 1
            self._writer.write(self.packet(calls=sent == call))
            next_s += random.uniform(0.5, 1.5) / a_second
            await asyncio.sleep(max(0.0, next_s - time.monotonic()))
        listener.cancel()
        self._writer.close()
        return sent


def crowd(stations: int, a_second: float, seconds: float, sent: Queue[int]) -> None:
    """All stations, for so long."""
    lines = [str(step.fact) for step in play_game(Rules(), Random(1))]

    async def work() -> int:
        senders = [Sender(f"t{number:04}", lines) for number in range(stations)]
        for at in range(0, stations, 50):
            await asyncio.gather(*(sender.open() for sender in senders[at : at + 50]))
        over = asyncio.Event()
        random = Random(3)
        tasks = [asyncio.create_task(sender.send(a_second, random, over)) for sender in senders]
        await asyncio.sleep(seconds)
        over.set()
        return sum(await asyncio.gather(*tasks))

    sent.put(asyncio.run(work()))


def judge(address: str, code: str, over: Event, seen_ms: Queue[list[float]]) -> None:
    """A judge with the page open: how many milliseconds after it was made each call was there."""
    target = urlsplit(address)
    line = HTTPConnection(str(target.hostname), int(target.port or 80))
    line.request(
        "POST",
        "/login",
        json.dumps({"code": code}),
        {"content-type": "application/json", "origin": address.rstrip("/"), "x-marchwarden": "1"},
    )
    answer = line.getresponse()
    answer.read()
    cookie = str(answer.headers["set-cookie"]).partition(";")[0]
    line.request("GET", "/events", headers={"cookie": cookie})
    stream = line.getresponse()
    known: dict[str, float] = {}

    def read() -> None:
        while text := stream.readline().decode():
            for stamp in re.findall(r'"at (\d+\.\d+)"', text):
                known.setdefault(stamp, 1000 * (time.time() - float(stamp)))

    threading.Thread(target=read, daemon=True).start()
    over.wait()
    seen_ms.put(list(known.values()))


def hub(
    folder: str,
    ready: Event,
    over: Event,
    page: Queue[tuple[str, str]],
    measured: Queue[tuple[list[float], float, float, float, int]],
) -> None:
    """The real hub with its page; latencies in milliseconds of what came after the warming up."""
    clock = SystemClock()
    settings = MqttBroker(host="127.0.0.1", port=PORT, station="not-used")
    archive = Archive(Path(folder) / "event.db", clock)
    made = Hub(archive, make_broker(settings, topics.HUB, topics.of_hub()), clock, print)
    took_ms: list[float] = []
    warm_s = float("inf")

    def note(update: Update) -> None:
        now = datetime.now(UTC)
        if time.monotonic() > warm_s:
            took_ms.extend(
                1000 * (now - datetime.fromisoformat(stored.entry.at)).total_seconds() for stored in update.stored
            )

    made.subscribe(note)
    front = open_front(made, Path(folder), clock, port=0)
    front.start()
    page.put((front.address, front.services.badges.give(Role.JUDGE, "Jana")))
    while made.fault is not None:
        made.step()
    ready.set()
    while not made.state.arrival and not over.is_set():
        made.step()
    warm_s = time.monotonic() + WARM_S
    cpu_s, since_s = 0.0, 0.0
    while not over.is_set():
        made.step()
        front.tick()
        if not since_s and time.monotonic() > warm_s:
            cpu_s, since_s = time.process_time(), time.monotonic()
    cpu_s, wall_s = time.process_time() - cpu_s, time.monotonic() - since_s
    front.stop()
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    measured.put((took_ms, cpu_s, wall_s, memory_mb, made.state.arrival))


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def loaded(stations: int, a_second: float) -> Load:
    spawn = multiprocessing.get_context("spawn")
    ready, over, measured, sent = spawn.Event(), spawn.Event(), spawn.Queue(), spawn.Queue()
    page, calls = spawn.Queue(), spawn.Queue()
    with tempfile.TemporaryDirectory() as folder, _broker(folder):
        keeper = spawn.Process(target=hub, args=(folder, ready, over, page, measured))
        keeper.start()
        ready.wait(60)
        watcher = spawn.Process(target=judge, args=(*page.get(), over, calls))
        watcher.start()
        # At their real rate stations take a while to say their first word; all have spoken when the warm-up is over.
        seconds = WARM_S + SECONDS
        senders = spawn.Process(target=crowd, args=(stations, a_second, seconds, sent))
        senders.start()
        count = int(sent.get())
        time.sleep(1.0)
        over.set()
        took_ms, cpu_s, wall_s, memory_mb, stored = measured.get()
        seen_ms = calls.get()
        watcher.join()
        keeper.join()
        senders.join()
    return Load(
        stations,
        a_second,
        count,
        stored,
        percentile(took_ms, 0.5),
        percentile(took_ms, 0.99),
        cpu_s / wall_s,
        memory_mb,
        len(seen_ms),
        percentile(seen_ms, 0.5),
        percentile(seen_ms, 0.99),
    )


class _broker:  # noqa: N801
    """mosquitto while a measurement lasts."""

    def __init__(self, folder: str) -> None:
        self._file = Path(folder) / "mosquitto.conf"

    def __enter__(self) -> None:
        self._file.write_text(CONFIGURATION)
        self._process = subprocess.Popen([program(), "-c", str(self._file)])
        time.sleep(0.5)

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()


def caught_up(stations: int) -> tuple[int, float]:
    """How many entries eight hours are, and in how many seconds so many stations, all at once, brought them."""
    count = int(AWAY_S * ENTRIES_A_SECOND)
    lines = [str(step.fact) for step in play_game(Rules(), Random(1))]
    with tempfile.TemporaryDirectory() as folder, _broker(folder):
        clock = SystemClock()
        settings = MqttBroker(host="127.0.0.1", port=PORT, station="not-used")
        made = Hub(
            Archive(Path(folder) / "event.db", clock), make_broker(settings, topics.HUB, topics.of_hub()), clock, print
        )
        couriers = []
        for number in range(stations):
            path = Path(folder) / f"{number}.db"
            journal = Journal(path, clock)
            station = Station(refereed("schotten-totten"), journal, clock)
            journal.begin({"rules": "base"})
            journal.append(1, [Line(Kind.FACT, lines[n % len(lines)]) for n in range(count - 1)])
            name = f"t{number:04}"
            own = settings.model_copy(update={"station": name})
            couriers.append(make_courier(own, station, path, clock, lambda _: None))
        while made.fault is not None:
            made.step()
        before_s = time.monotonic()
        for courier in couriers:
            courier.open()
        while any(courier.acknowledged < count for courier in couriers):
            for courier in couriers:
                courier.show(None)  # type: ignore[arg-type]  # what is on the screen does not matter to it
            made.step(0.0)
        took_s = time.monotonic() - before_s
        for courier in couriers:
            courier.close()
        made.close()
    return count, took_s


def main() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a connection is a file, here and in mosquitto
    others = os.getloadavg()[0]
    loads = [loaded(stations, rate) for stations in (500, 2000) for rate in (REAL_RATE, MUCH)]
    catches = [(stations, *caught_up(stations)) for stations in (1, 20)]
    RESULTS.write_text(written(loads, catches, others), encoding="utf-8")
    print(RESULTS.read_text(encoding="utf-8"))


def written(loads: list[Load], catches: list[tuple[int, int, float]], others: float) -> str:
    rows = [
        f"| {one.stations} | {one.a_second:g} | {one.sent} | {one.stored} | {one.p50_ms:.0f} | {one.p99_ms:.0f} "
        f"| {one.calls} | {one.page_p50_ms:.0f} | {one.page_p99_ms:.0f} | {100 * one.cpu:.0f} % "
        f"| {one.stored / (one.cpu * (WARM_S + SECONDS)):.0f} | {one.memory_mb:.0f} |"
        for one in loads
    ]
    times = [
        f"| {stations} | {count} | {seconds:.1f} | {seconds / stations:.1f} |" for stations, count, seconds in catches
    ]
    return "\n".join(
        (
            "# The hub of an event",
            "",
            f"Python on {os.cpu_count()} cores that stations, mosquitto, hub and others' work share: "
            f"a load of {others:.1f} before it began.",
            f"{SECONDS:.0f} seconds each, after {WARM_S:.0f} seconds of warming up;",
            "every message is one entry; every station calls a judge once. Milliseconds from the writing of an entry",
            "to the read model, the entry being on the hub's disk; and from a call to the page of a judge.",
            "",
            "| stations | messages a second each | sent | stored | p50 ms | p99 ms | calls seen | to the page p50 ms "
            "| p99 ms | hub, of a core | entries a second of its processor time | hub, MB |",
            "|---|---|---|---|---|---|---|---|---|---|---|---|",
            *rows,
            "",
            "Fewer stored than sent: the hub could not keep up in that time. Nothing of it is lost; real stations send",
            "again what was not acknowledged, and no more than a thousand entries ahead.",
            "",
            f"Back after eight hours without a network ({ENTRIES_A_SECOND:g} entries a second), with real couriers:",
            "",
            "| stations at once | entries each | seconds until all are acknowledged | a station |",
            "|---|---|---|---|",
            *times,
            "",
        )
    )


if __name__ == "__main__":
    main()
