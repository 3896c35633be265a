"""The station as systemd sees it: ready, alive while it can still see, stopping when it is asked to."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import firmware.watch
from engine.schotten_totten.cards import STONES
from firmware.cli.serve import on_signals
from firmware.clocks import SystemClock
from firmware.drivers.display_terminal import as_blocks
from firmware.games import refereed
from firmware.journal import Journal, Kind, Reader
from firmware.loop import Loop
from firmware.messages import words
from firmware.notify import Supervisor
from firmware.ports import Canvas, Frame
from firmware.printing.deck import draw
from firmware.screen import draw as draw_screen
from firmware.signals import Screen
from firmware.simulation.station_table import StationTable
from firmware.station import Manner, Station
from firmware.watch import Watcher
from tests.firmware.simulated import TableEye
from vision.enrol import Enrolment

WATCHDOG_S = 0.4
PROFILE = """
name = "blind"
camera = { driver = "v4l2", device = 63 }
display = [{ driver = "terminal" }]
table = { deck = "small" }
page = { port = 0 }
"""


class Systemd:
    """The end of the socket on which a service reports."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder / "notify")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.address)

    def heard(self, seconds: float) -> list[str]:
        """Everything that was said within this time."""
        end_s, found = time.monotonic() + seconds, []
        while (left_s := end_s - time.monotonic()) > 0:
            self._socket.settimeout(left_s)
            try:
                found.append(self._socket.recv(4096).decode())
            except TimeoutError:
                break
        return found

    def hears(self, wanted: str, within_s: float) -> bool:
        end_s = time.monotonic() + within_s
        while time.monotonic() < end_s:
            if any(wanted in message for message in self.heard(0.1)):
                return True
        return False

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Systemd]:
    one = Systemd(tmp_path)
    yield one
    one.close()


def start(folder: Path, systemd: Systemd) -> subprocess.Popen[bytes]:
    """`marchwarden run` as the unit starts it, at a table whose camera is not there."""
    enrolment = Enrolment("small")
    for code in ("r1", "g5", "back", *(f"stone{stone}" for stone in STONES)):
        enrolment.take(code, draw(code, 4.0))
    enrolment.deck().save(folder / "decks")
    (folder / "blind.toml").write_text(PROFILE)
    environment = {
        **os.environ,
        "NOTIFY_SOCKET": systemd.address,
        "WATCHDOG_USEC": str(round(1e6 * WATCHDOG_S)),
        "STATE_DIRECTORY": str(folder),
        "CONFIGURATION_DIRECTORY": str(folder),
        "MARCHWARDEN_FRAMES": str(folder / "frames"),
        "OPENCV_LOG_LEVEL": "ERROR",
    }
    command = [sys.executable, "-m", "firmware", "run", "--profile", str(folder / "blind.toml")]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_a_service_without_a_camera_is_ready_alive_and_stops_when_asked(tmp_path: Path, systemd: Systemd) -> None:
    """A camera that is not there is waited for: that is no reason to be restarted."""
    running = start(tmp_path, systemd)
    try:
        assert systemd.hears("READY=1", within_s=60), running.stderr and os.read(running.stderr.fileno(), 9999)
        alive = [message for message in systemd.heard(3 * WATCHDOG_S) if "WATCHDOG=1" in message]
        assert len(alive) >= 2
        running.send_signal(signal.SIGTERM)
        assert systemd.hears("STOPPING=1", within_s=20)
        assert running.wait(timeout=30) == 0
    finally:
        running.kill()
        shown, _ = running.communicate()
    said = words("starting", "en")
    first = draw_screen(Screen(said.headline, said.detail), Canvas(128, 64))
    assert shown.decode().splitlines()[: 64 // 2 + 2] == as_blocks(first), "the display says that it is starting"
    reader = Reader(tmp_path / "journal.db")
    assert [entry.kind for entry in reader.entries()] == [Kind.BEGIN]
    reader.close()


@pytest.mark.parametrize("kept", [signal.SIG_DFL, signal.SIG_IGN], ids=["terminal", "nohup"])
def test_a_terminal_that_is_closed_stops_the_station_unless_nohup_was_said(kept: signal.Handlers) -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGHUP, kept)
    try:
        asked = on_signals()
        signal.raise_signal(signal.SIGHUP)
        assert asked == ([signal.SIGHUP] if kept is signal.SIG_DFL else [])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class HangingCamera:
    """Gives some pictures, and then never comes back."""

    def __init__(self, pictures: int, opens_s: float = 0.0) -> None:
        self._left = pictures
        self._opens_s = opens_s
        self.released = threading.Event()

    def open(self) -> None:
        self.released.wait(self._opens_s)

    def read(self) -> Frame:
        if self._left == 0:
            self.released.wait()
        self._left = max(0, self._left - 1)
        time.sleep(0.02)
        return Frame(1, np.random.default_rng(self._left).integers(0, 255, (32, 32, 3), np.uint8), time.monotonic())

    def close(self) -> None:
        return


def stepping(loop: Loop, seconds: float) -> None:
    end_s = time.monotonic() + seconds
    while time.monotonic() < end_s:
        loop.step()


@pytest.fixture
def make_loop(tmp_path: Path, systemd: Systemd) -> Iterator[Callable[[HangingCamera], Loop]]:
    clock, game = SystemClock(), refereed("schotten-totten")
    journal = Journal(tmp_path / "journal.db", clock)
    watchers: list[tuple[Watcher, HangingCamera]] = []

    def make(camera: HangingCamera) -> Loop:
        station = Station(game, journal, clock, Manner())
        station.begin({"rules": "base"})
        watcher = Watcher(camera, clock)
        watchers.append((watcher, camera))
        watcher.start()
        supervisor = Supervisor(systemd.address, str(round(1e6 * WATCHDOG_S)))
        return Loop(station, TableEye(StationTable(game.layout)), watcher, (), clock, supervisor=supervisor)

    yield make
    for watcher, camera in watchers:
        camera.released.set()
        watcher.stop()
    journal.close()


def test_a_camera_whose_driver_hangs_starves_the_watchdog(
    make_loop: Callable[[HangingCamera], Loop], systemd: Systemd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(firmware.watch, "HANGS_S", 0.5)
    loop = make_loop(HangingCamera(pictures=20))
    stepping(loop, 0.4)
    assert any("WATCHDOG=1" in message for message in systemd.heard(0.05))
    stepping(loop, 1.0)
    systemd.heard(0.05)
    stepping(loop, 2 * WATCHDOG_S)
    assert not [message for message in systemd.heard(0.05) if "WATCHDOG=1" in message]


def test_a_camera_that_takes_long_to_open_is_not_taken_for_one_that_hangs(
    make_loop: Callable[[HangingCamera], Loop], systemd: Systemd, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a small Pi its driver is loaded for half a minute; one that never opens is found out all the same."""
    monkeypatch.setattr(firmware.watch, "HANGS_S", 0.2)
    monkeypatch.setattr(firmware.watch, "OPENS_S", 2.0)
    loop = make_loop(HangingCamera(pictures=10_000, opens_s=60.0))
    stepping(loop, 0.6)
    systemd.heard(0.05)
    stepping(loop, 3 * WATCHDOG_S)
    assert any("WATCHDOG=1" in message for message in systemd.heard(0.05))
    stepping(loop, 0.5)
    systemd.heard(0.05)
    stepping(loop, 2 * WATCHDOG_S)
    assert not [message for message in systemd.heard(0.05) if "WATCHDOG=1" in message]


def test_a_camera_that_works_feeds_it(make_loop: Callable[[HangingCamera], Loop], systemd: Systemd) -> None:
    loop = make_loop(HangingCamera(pictures=10_000))
    stepping(loop, 3 * WATCHDOG_S)
    assert sum("WATCHDOG=1" in message for message in systemd.heard(0.05)) >= 3


def test_a_supervisor_that_does_not_listen_holds_nobody_up(systemd: Systemd) -> None:
    """The kernel keeps some ten messages for whoever does not read them; the next one must not wait."""
    supervisor = Supervisor(systemd.address, "400000")
    for _ in range(1000):
        supervisor.alive("still here")
    assert 1 <= len(systemd.heard(0.2)) < 1000


def test_a_supervisor_that_is_gone_ends_no_game(tmp_path: Path) -> None:
    supervisor = Supervisor(str(tmp_path / "nobody"), "20000000")
    supervisor.ready("game 1")
    supervisor.alive("frame 2")
    supervisor.stopping()


def test_where_systemd_did_not_start_it_nothing_is_said() -> None:
    Supervisor("", "").ready("nobody listens")


def test_an_abstract_address_is_understood() -> None:
    name = f"marchwarden-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0" + name)
        listening.settimeout(5)
        Supervisor("@" + name).ready("here")
        assert listening.recv(99) == b"READY=1\nSTATUS=here"
