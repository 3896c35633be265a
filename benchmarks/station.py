"""The station at work on the simulated table: frame to verdict, an idle frame, start-up, memory, shares of the time.

Everything runs in one process and one thread as on the Pi; taking the photograph is not counted, since there a camera
does it. Everything is timed in processor time, which a busy machine hardly changes. A frame is idle when nothing on the
table changed, busy when something did and has to be read again. Memory is that of `marchwarden run` and `referee`,
processes without a simulation, over photographs of the same game: for `run` ten a second, each seen four times.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time, sleep
from typing import Any

import cv2
import numpy as np

from firmware import folders
from firmware.assemble import Parts, assemble, make_eye, make_parts, set_aside
from firmware.commands import NewGame, Tell
from firmware.games import refereed
from firmware.memory import peak_mb
from firmware.ports import Frame
from firmware.screen import draw
from firmware.simulation.deeds import deeds
from firmware.station import Sighting
from hardware_config.load import load
from vision.frame import Picture
from vision.observation import Observation
from vision.rectify import Rectifier

SEED = 4
DEEDS = 45
SEEN = 4  # times each photograph is seen by a running station
IDLE = 6  # frames after each deed in which nothing changes
RESULTS = Path(__file__).parent / "results" / "station.md"


START_UP = """
from time import process_time
from firmware import folders
from firmware.assemble import make_eye, make_parts
from firmware.games import refereed
from hardware_config.load import load

profile = load("simulated").profile
parts, photographs_s, seen = make_parts(profile), 0.0, None
eye = make_eye(profile, refereed(profile.table.game), folders.decks())
parts.camera.open()
while seen is None:
    began_s = process_time()
    frame = parts.camera.read()
    photographs_s += process_time() - began_s
    seen = eye.look(frame).observation
print(photographs_s)
"""  # a new process from nothing to the first settled sighting of an empty table


REFEREE = """
import atexit, re, runpy
from pathlib import Path

status = Path("/proc/self/status")
atexit.register(lambda: print(re.search(r"VmHWM:\\s+(\\d+)", status.read_text()).group(1)))
runpy.run_module("firmware", run_name="__main__")
"""  # the command, and the most memory it had; what a process inherits from the one that began it does not count


RUN = """
import runpy, time
from firmware.drivers import camera_folder

read = camera_folder.Driver.read


def ten_a_second(camera):
    time.sleep(0.1)
    return read(camera)


camera_folder.Driver.read = ten_a_second
runpy.run_module("firmware", run_name="__main__")
"""  # the command with a folder for a camera that takes its time

PROFILE = """
name = "photographs"
camera = {{ driver = "folder", path = "{folder}" }}
display = [{{ driver = "simulated" }}]
page = {{ port = 0 }}
"""


class Stopwatch:
    """Milliseconds by stage, one list of frames each."""

    def __init__(self) -> None:
        self.stages: dict[str, list[float]] = defaultdict(list)
        self._now: dict[str, float] = defaultdict(float)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        began = process_time()
        yield
        self._now[name] += (process_time() - began) * 1000

    def next_frame(self) -> dict[str, float]:
        frame, self._now = dict(self._now), defaultdict(float)
        return frame


class TimedReader:
    """A reader that is timed."""

    def __init__(self, reader: Any, watch: Stopwatch) -> None:
        self._reader, self._watch = reader, watch

    def read(self, frame_bgr: Picture, rectifier: Rectifier) -> Observation:
        with self._watch.stage("read"):
            observation: Observation = self._reader.read(frame_bgr, rectifier)
        return observation


class TimedEye:
    """An eye that is timed as a whole."""

    def __init__(self, eye: Any, watch: Stopwatch) -> None:
        self._eye, self._watch = eye, watch
        eye._reader = TimedReader(eye._reader, watch)

    def look(self, frame: Frame) -> Sighting:
        with self._watch.stage("look"):
            sighting: Sighting = self._eye.look(frame)
        return sighting


def main() -> None:
    """Measures, prints and writes the results."""
    watch = Stopwatch()
    with tempfile.TemporaryDirectory() as folder:
        idle, busy, verdicts = _play(watch, Path(folder))
        referee = _child("-c", REFEREE, "referee", folder, "--deck", "drawn", "--settle", "1", "--json")
        run = _station_mb(Path(folder))
    start_up = _child("-c", START_UP)
    photograph_s = float(start_up.said)
    lines = [
        "# The station, frame by frame",
        "",
        f"{platform.machine()}, Python {platform.python_version()}, one thread; simulated camera 2304×1296,",
        f"normal flaws, seed {SEED}, {DEEDS} deeds. Milliseconds of processor time a frame.",
        "",
        "| frames | number | p50 | p99 | look (light, pose, settle) | read | judge, journal, present |",
        "|---|---|---|---|---|---|---|",
        _row("idle", idle),
        _row("busy", busy),
        "",
        f"From the frame in which a deed is first seen to its verdict: {np.mean(verdicts):.1f} frames.",
        f"Peak memory of this process, the simulation included: {peak_mb():.0f} MB.",
        f"Memory of `marchwarden run` with its page over {len(verdicts)} such photographs: {run.usual:.0f} MB, "
        f"{run.most:.0f} at its peak;",
        f"of `marchwarden referee`: {int(referee.said) / 1024:.0f} MB.",
        f"Start-up to the first sighting of an empty table: {start_up.seconds:.1f} s of processor time, of which",
        f"{photograph_s:.1f} s are the simulated camera's own.",
        f"Drawing a 128×64 screen: {_drawing_ms():.2f} ms.",
    ]
    print("\n".join(lines))
    RESULTS.write_text("\n".join(lines) + "\n")


def _play(watch: Stopwatch, photographs: Path) -> tuple[list[dict[str, float]], list[dict[str, float]], list[int]]:
    profile = load("simulated").profile
    parts: Parts = make_parts(profile)
    game = refereed(profile.table.game)
    eye = TimedEye(make_eye(profile, game, folders.decks()), watch)
    camera: Any = parts.camera
    idle: list[dict[str, float]] = []
    busy: list[dict[str, float]] = []
    verdicts: list[int] = []
    with tempfile.TemporaryDirectory() as folder:
        assembled = assemble(profile, parts, eye, Path(folder) / "journal.db", threads=False)
        station = assembled.loop.station
        station.begin(game.rules("tactic"))
        set_aside()

        def step() -> dict[str, float]:
            frame = camera.read()
            sighting = eye.look(frame)
            with watch.stage("see"):
                station.see(sighting)
            assembled.loop.clock.sleep(0.1)
            return watch.next_frame()

        for _ in range(IDLE):
            step()
        for deed in islice(deeds("tactics", SEED), DEEDS):
            told = len(station.state.referee.told)
            if deed.changes:
                camera.table.apply(deed.changes)
            else:
                station.take(Tell(str(deed.fact)))
            frames = 0
            while len(station.state.referee.told) == told and frames < 12:
                busy.append(step())
                frames += 1
            verdicts.append(frames)
            cv2.imwrite(str(photographs / f"{len(verdicts):03d}.jpg"), camera.read().pixels_bgr)
            idle += [step() for _ in range(IDLE)][2:]
        station.take(NewGame())
        assembled.stop()
    return idle, busy, verdicts


def _row(name: str, frames: list[dict[str, float]]) -> str:
    totals = [frame["look"] + frame["see"] for frame in frames]
    read = float(np.mean([frame.get("read", 0.0) for frame in frames]))
    look = float(np.mean([frame["look"] for frame in frames])) - read
    see = float(np.mean([frame["see"] for frame in frames]))
    p50, p99 = np.percentile(totals, (50, 99))
    return f"| {name} | {len(frames)} | {p50:.1f} | {p99:.1f} | {look:.1f} | {read:.1f} | {see:.1f} |"


@dataclass(frozen=True, slots=True)
class Child:
    """What a process of its own cost, and its last word."""

    seconds: float
    said: str


def _child(*arguments: str) -> Child:
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen([sys.executable, *arguments], stdout=said)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        words = said.read().split()
    if process.returncode != 0:
        raise RuntimeError(f"{arguments} ended with {process.returncode}")
    return Child(used.ru_utime + used.ru_stime, words[-1])


@dataclass(frozen=True, slots=True)
class Megabytes:
    """What a process had at its peak, and at most times."""

    most: float
    usual: float


def _station_mb(photographs: Path) -> Megabytes:
    """The memory of a station that referees these photographs, as the system counts it."""
    with tempfile.TemporaryDirectory() as folder:
        frames = Path(folder) / "frames"
        frames.mkdir()
        for photograph in photographs.glob("*.jpg"):
            for number in range(SEEN):
                (frames / f"{photograph.stem}-{number}.jpg").symlink_to(photograph)
        profile = Path(folder) / "photographs.toml"
        profile.write_text(PROFILE.format(folder=frames))
        command = ["-c", RUN, "run", "--profile", str(profile), "--journal", f"{folder}/journal.db"]
        peaks, sizes = [], []
        with subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL) as process:
            while process.poll() is None:
                status = Path(
                    f"/proc/{process.pid}/status"
                ).read_text()  # of a process that has just ended without sizes
                peaks += [int(found) / 1024 for found in re.findall(r"VmHWM:\s+(\d+)", status)]
                sizes += [int(found) / 1024 for found in re.findall(r"VmRSS:\s+(\d+)", status)]
                sleep(0.2)
        if process.returncode != 0:
            raise RuntimeError(f"{command} ended with {process.returncode}")
    return Megabytes(max(peaks), float(np.median(sizes)))


def _drawing_ms() -> float:
    from firmware.ports import Canvas
    from firmware.signals import Screen

    began = perf_counter()
    for number in range(50):
        draw(Screen(f"STONE {number} IS FULL", "3 cards per side"), Canvas(128, 64))
    return (perf_counter() - began) * 1000 / 50
