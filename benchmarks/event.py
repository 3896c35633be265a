"""An event's hub under load: hundreds of stations through a real mosquitto, at their real rate and far beyond it.

Stations are connections of their own in one process, each with a true hash chain; the hub is the real one in another,
and keeps its broker and reads its log as `event run` does.
Measured is the time from the writing of an entry to its being in the read model, with the entry on the hub's disk, and
from a table's call to the page of a judge who has it open; the processor time of hub, broker and stations and the hub's
memory; the most of it once more with all of them on one core; the least beside a station that floods; and how long a
real courier takes to bring a journal of eight hours to a hub that has none of it.
"""

from __future__ import annotations

import getpass
import json
import multiprocessing
import os
import re
import resource
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

from benchmarks.crowd import crowd, flood
from engine.schotten_totten.options import Rules
from firmware.assemble import make_courier
from firmware.clocks import SystemClock
from firmware.drivers import make_broker
from firmware.event import topics
from firmware.event.archive import Archive
from firmware.event.broker import Mosquitto
from firmware.event.house import House
from firmware.event.hub import Hub, Update
from firmware.event.page.front import open_front
from firmware.event.roles import Role
from firmware.games import refereed
from firmware.journal import Journal, Kind, Line
from firmware.simulation.players import play_game
from firmware.station import Station
from hardware_config.settings import MqttBroker

RESULTS = Path(__file__).parent / "results" / "event.md"
PORT = 18831
CONFIGURATION = f"""\
user {getpass.getuser()}
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
    broker_cpu: float
    crowd_cpu: float
    memory_mb: float
    calls: int
    page_p50_ms: float
    page_p99_ms: float
    litter: int  # messages of a station that floods


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
    measured: Queue[tuple[list[float], float, float, float, float, int]],
) -> None:
    """The real hub with its page and its broker; latencies in milliseconds of what came after the warming up."""
    clock = SystemClock()
    broker = Mosquitto(_house(folder), clock)
    broker.tend()
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
    begun_s = time.monotonic()
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
    memory_mb = _most_memory_mb()
    broker.stop()
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    broker_cpu = (spent.ru_utime + spent.ru_stime) / (time.monotonic() - begun_s)
    measured.put((took_ms, cpu_s, wall_s, broker_cpu, memory_mb, made.state.arrival))


def _most_memory_mb() -> float:
    """The most that this process has had; getrusage would count what it was begun from."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def loaded(stations: int, a_second: float, *, flooded: bool = False) -> Load:
    spawn = multiprocessing.get_context("spawn")
    ready, over, measured, sent = spawn.Event(), spawn.Event(), spawn.Queue(), spawn.Queue()
    page, calls, litter = spawn.Queue(), spawn.Queue(), spawn.Queue()
    with tempfile.TemporaryDirectory() as folder:
        keeper = spawn.Process(target=hub, args=(folder, ready, over, page, measured))
        keeper.start()
        ready.wait(60)
        watcher = spawn.Process(target=judge, args=(*page.get(), over, calls))
        watcher.start()
        # At their real rate stations take a while to say their first word; all have spoken when the warm-up is over.
        seconds = WARM_S + SECONDS
        senders = spawn.Process(target=crowd, args=(PORT, stations, a_second, seconds, sent))
        senders.start()
        if flooded:
            spawn.Process(target=flood, args=(PORT, seconds, litter)).start()
        count, crowd_cpu = sent.get()
        time.sleep(1.0)
        over.set()
        took_ms, cpu_s, wall_s, broker_cpu, memory_mb, stored = measured.get()
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
        broker_cpu,
        crowd_cpu,
        memory_mb,
        len(seen_ms),
        percentile(seen_ms, 0.5),
        percentile(seen_ms, 0.99),
        litter.get() if flooded else 0,
    )


def _house(folder: str) -> House:
    """As much of an event's folder as its broker asks for."""
    house = House(Path(folder))
    house.configuration.write_text(CONFIGURATION)
    house.passwords.touch()
    return house


def caught_up(stations: int) -> tuple[int, float]:
    """How many entries eight hours are, and in how many seconds so many stations, all at once, brought them."""
    count = int(AWAY_S * ENTRIES_A_SECOND)
    lines = [str(step.fact) for step in play_game(Rules(), Random(1))]
    with tempfile.TemporaryDirectory() as folder:
        clock = SystemClock()
        broker = Mosquitto(_house(folder), clock)
        broker.tend()
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
        broker.stop()
    return count, took_s


def main() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a connection is a file, here and in mosquitto
    others = os.getloadavg()[0]
    loads = [loaded(stations, rate) for stations in (500, 2000) for rate in (REAL_RATE, MUCH)]
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    crammed = loaded(2000, MUCH)
    os.sched_setaffinity(0, cores)
    flooded = loaded(500, REAL_RATE, flooded=True)
    catches = [(stations, *caught_up(stations)) for stations in (1, 20)]
    RESULTS.write_text(written(loads, crammed, flooded, catches, others), encoding="utf-8")
    print(RESULTS.read_text(encoding="utf-8"))


def row(one: Load) -> str:
    return (
        f"| {one.stations} | {one.a_second:g} | {one.sent} | {one.stored} | {one.p50_ms:.0f} | {one.p99_ms:.0f} "
        f"| {one.calls} | {one.page_p50_ms:.0f} | {one.page_p99_ms:.0f} | {100 * one.cpu:.0f} % "
        f"| {100 * one.broker_cpu:.0f} % | {100 * one.crowd_cpu:.0f} % | {one.memory_mb:.0f} |"
    )


def written(
    loads: list[Load], crammed: Load, flooded: Load, catches: list[tuple[int, int, float]], others: float
) -> str:
    head = (
        "| stations | messages a second each | sent | stored | p50 ms | p99 ms | calls seen | to the page p50 ms "
        "| p99 ms | hub, of a core | mosquitto | stations | hub, MB |",
        "|" + 13 * "---|",
    )
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
            *head,
            *map(row, loads),
            "",
            "The last row once more with hub, mosquitto and stations on one core. What is not stored in time waits in",
            "the hub's backlog; calls go first all the same. Nothing is lost: real stations send again what was not",
            "acknowledged, and no more than a thousand entries ahead.",
            "",
            *head,
            row(crammed),
            "",
            f"The first row once more, beside a station that floods with all that mosquitto takes: {flooded.litter:,}",
            "messages, none of which has an effect.",
            "",
            *head,
            row(flooded),
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
