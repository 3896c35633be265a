"""What systemd hears of a station, and the watchdog: fed by the loop as long as its camera comes back."""

from __future__ import annotations

import socket
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

from firmware.notify import Supervisor
from firmware.ports import Frame
from firmware.present import present
from firmware.station import Sighting
from firmware.watch import HANGS_S
from tests.firmware.simulated import Shutter, simulated


def test_systemd_hears_that_the_station_is_ready_alive_and_stopping(tmp_path: Path) -> None:
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(path))
        supervisor = Supervisor(str(path), "20000000")
        supervisor.ready("game 1")
        supervisor.alive("frame 2")
        supervisor.stopping()
        heard = [listener.recv(200).decode() for _ in range(3)]
    assert heard == ["READY=1\nSTATUS=game 1", "WATCHDOG=1\nSTATUS=frame 2", "STOPPING=1"]
    assert supervisor.watchdog_s == 20.0


@pytest.mark.fault("crash-or-hang")
def test_the_watchdog_is_fed_by_the_loop_and_starves_when_the_camera_hangs(tmp_path: Path) -> None:
    _, loop, _ = simulated(tmp_path)
    shutter = loop.camera
    assert isinstance(shutter, Shutter)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "notify"))
        listener.setblocking(False)
        loop.supervisor = Supervisor(str(tmp_path / "notify"), "20000000")

        def fed(seconds: float) -> int:
            count = 0
            for _ in range(round(seconds)):
                loop.clock.sleep(1.0)
                loop.step()
                try:
                    count += listener.recv(200).startswith(b"WATCHDOG=1")
                except BlockingIOError:
                    continue
            return count

        assert fed(20) == 4, "every five seconds, a quarter of what the watchdog allows"
        shutter.lost = "unplugged"
        assert fed(20) == 4, "a camera that is tried again does not hang"
        shutter.hangs = True
        fed(10)
        assert fed(60) == 0, "only a restart helps now, and this is how it comes"


def test_a_camera_that_hangs_is_named_until_the_restart_comes(tmp_path: Path) -> None:
    _, loop, _ = simulated(tmp_path)
    shutter = loop.camera
    assert isinstance(shutter, Shutter)

    def headline(seconds: float) -> str:
        loop.clock.sleep(seconds)
        loop.step()
        return present(loop.station.state, loop.station.refereed, "en").screen.headline

    assert headline(1.0) == "READY"
    shutter.hangs = True
    assert headline(HANGS_S / 2) == "READY", "it may be slow"
    assert headline(HANGS_S / 2) == "CAMERA HANGS", "whoever lays a card now is seen by nobody"
    shutter.hangs = False
    assert headline(1.0) == "READY"


@pytest.mark.parametrize(("round_s", "waits_s"), [(0.1, 30), (6.0, 48), (60.0, None)])
def test_the_watchdog_waits_as_long_as_this_machine_needs(tmp_path: Path, round_s: float, waits_s: int | None) -> None:
    """A Pi Zero 2 W takes seconds for a look; a machine that takes minutes is left what the unit gives."""
    _, loop, _ = simulated(tmp_path)
    eye = loop.eye

    class SlowEye:
        def look(self, frame: Frame) -> Sighting:
            loop.clock.sleep(round_s)
            loop.camera.due_s = loop.clock.monotonic_s() + HANGS_S  # its thread went on meanwhile
            return eye.look(frame)

    loop.eye = SlowEye()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "notify"))
        listener.setblocking(False)
        loop.supervisor = Supervisor(str(tmp_path / "notify"), "180000000")
        said, fed_s = list[bytes](), [loop.clock.monotonic_s()]
        for _ in range(600):
            loop.step()
            loop.clock.sleep(0.1)
            with suppress(BlockingIOError):
                said.append(listener.recv(200))
                fed_s.append(loop.clock.monotonic_s())
    shortened = [line for message in said for line in message.split(b"\n") if line.startswith(b"WATCHDOG_USEC=")]
    assert shortened == ([] if waits_s is None else [b"WATCHDOG_USEC=%d" % (waits_s * 1_000_000)])
    assert max(later - before for before, later in pairwise(fed_s[-5:])) < (waits_s or 180) / 2


def test_without_systemd_nothing_is_said() -> None:
    Supervisor("", "").ready("nobody listens")
