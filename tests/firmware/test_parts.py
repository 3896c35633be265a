"""Parts that are lost, hang or come back: each is named, retried and right again; the others never notice."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import gpiozero
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory
from PIL import Image

from engine.rules import Sign
from firmware import keep
from firmware.clocks import SimulatedClock, SystemClock
from firmware.drivers import buttons_gpio
from firmware.faults import NoMoreFrames, PartFault
from firmware.feel import Feeler
from firmware.gestures import Fingers, Press
from firmware.health import checks, is_undervolted
from firmware.keep import Keeper, LampOutput, ScreenOutput
from firmware.ports import Button, Canvas, Edge, Frame, Light
from firmware.signals import Lamp, Screen, Signals
from firmware.watch import Watcher
from hardware_config.settings import GpioButtons
from tests.firmware.simulated import simulated

QUICK = (0.02, 0.05)
A, B = (Signals(Screen(name, ""), (Lamp(Sign.HELD, 0),) * 9, "") for name in ("A TO PLAY", "B TO PLAY"))


def wait_until(true: Callable[[], bool], seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.005)


class LooseDisplay:
    """A display whose cable can be pulled."""

    def __init__(self) -> None:
        self.plugged = True
        self.shown: list[Image.Image] = []
        self.opened = 0
        self.hang = threading.Event()
        self.hang.set()

    def open(self) -> Canvas:
        if not self.plugged:
            raise PartFault("display", "no display")
        self.opened += 1
        return Canvas(128, 64)

    def show(self, picture: Image.Image) -> None:
        self.hang.wait(10)
        if not self.plugged:
            raise PartFault("display", "unplugged")
        self.shown.append(picture)

    def close(self) -> None:
        return


def test_an_unplugged_display_is_named_and_right_again_when_it_is_back() -> None:
    display = LooseDisplay()
    keeper = Keeper("display", ScreenOutput(display), SystemClock(), QUICK)
    keeper.start()
    keeper.send(A)
    wait_until(lambda: len(display.shown) == 1)
    display.plugged = False
    keeper.send(B)
    wait_until(lambda: keeper.fault() is not None)
    display.plugged = True
    wait_until(lambda: len(display.shown) == 2)
    assert keeper.fault() is None
    assert display.shown[1] != display.shown[0], "it shows what is true now, with nobody sending again"
    keeper.stop()


def test_a_display_unplugged_while_nothing_changes_is_named_and_right_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keep, "AGAIN_S", 0.05)
    display = LooseDisplay()
    keeper = Keeper("display", ScreenOutput(display), SystemClock(), QUICK)
    keeper.start()
    keeper.send(A)
    wait_until(lambda: len(display.shown) == 1)
    display.plugged = False
    wait_until(lambda: keeper.fault() is not None)
    display.plugged = True
    wait_until(lambda: display.opened == 2 and keeper.fault() is None)
    assert len({picture.tobytes() for picture in display.shown}) == 1
    keeper.stop()


def test_a_display_that_hangs_is_named_while_nobody_else_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keep, "SLOW_S", 0.1)
    display = LooseDisplay()
    keeper = Keeper("display", ScreenOutput(display), SystemClock(), QUICK)
    keeper.start()
    display.hang.clear()
    keeper.send(A)
    began = time.monotonic()
    keeper.send(B)
    assert time.monotonic() - began < 0.05, "sending never waits"
    wait_until(lambda: keeper.fault() is not None)
    assert "no answer" in (keeper.fault() or "")
    display.hang.set()
    wait_until(lambda: keeper.fault() is None)
    keeper.stop()


class Row:
    """Lamps that note every change."""

    def __init__(self) -> None:
        self.rows: list[tuple[Light, ...]] = []

    def open(self) -> int:
        return 3

    def show(self, lights: object) -> None:
        self.rows.append(tuple(lights))  # type: ignore[arg-type]

    def close(self) -> None:
        return


def test_lamps_beat_by_themselves() -> None:
    row = Row()
    keeper = Keeper("lamps", LampOutput(row, SystemClock()), SystemClock(), QUICK)
    keeper.start()
    keeper.send(Signals(Screen("", ""), (Lamp(Sign.PUT_RIGHT),) * 9, ""))
    wait_until(lambda: {(Light.RED,) * 3, (Light.OFF,) * 3} <= set(row.rows))
    keeper.stop()


class LooseCamera:
    """A camera that can be unplugged, freeze, or come to its end."""

    def __init__(self) -> None:
        self.plugged = True
        self.frozen = False
        self.is_over = False
        self.opened = 0
        self.number = 0

    def open(self) -> None:
        if not self.plugged:
            raise PartFault("camera", "no camera")
        self.opened += 1
        self.frozen = False

    def read(self) -> Frame:
        time.sleep(0.002)
        if not self.plugged:
            raise PartFault("camera", "unplugged")
        if self.is_over:
            raise NoMoreFrames("it")
        self.number += 1
        tone = 7 if self.frozen else self.number % 250
        return Frame(self.number, np.full((16, 16, 3), tone, np.uint8), time.monotonic())

    def close(self) -> None:
        return


def test_a_camera_that_was_unplugged_is_named_and_seen_again_when_it_is_back() -> None:
    camera = LooseCamera()
    watcher = Watcher(camera, SystemClock(), QUICK)
    watcher.start()
    assert watcher.next(5.0) is not None
    camera.plugged = False
    wait_until(lambda: watcher.fault() is not None)
    due_s = watcher.due_s
    wait_until(lambda: watcher.due_s > due_s)
    camera.plugged = True
    wait_until(lambda: watcher.fault() is None)
    assert watcher.next(5.0) is not None
    watcher.stop()


def test_only_the_newest_picture_waits() -> None:
    watcher = Watcher(LooseCamera(), SystemClock(), QUICK)
    watcher.start()
    first = watcher.next(5.0)
    time.sleep(0.2)
    second = watcher.next(5.0)
    assert first is not None
    assert second is not None
    assert second.number > first.number + 1, "pictures that nobody looked at are gone"
    watcher.stop()


def test_a_camera_that_repeats_one_picture_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.watch.STUCK_S", 0.1)
    camera = LooseCamera()
    watcher = Watcher(camera, SystemClock(), QUICK)
    watcher.start()
    wait_until(lambda: camera.opened == 1)
    camera.frozen = True
    wait_until(lambda: camera.opened == 2)
    wait_until(lambda: not watcher.is_stuck)
    watcher.stop()


def test_a_recording_that_ends_is_no_fault() -> None:
    camera = LooseCamera()
    camera.is_over = True
    watcher = Watcher(camera, SystemClock(), QUICK)
    watcher.start()
    wait_until(lambda: watcher.is_over)
    assert watcher.fault() is None
    watcher.stop()


def test_presses_holds_and_stuck_buttons_are_told_apart() -> None:
    fingers, presses = Fingers().after([Edge(Button.UNDO, True, 0.0), Edge(Button.UNDO, False, 0.2)])
    assert presses == (Press(Button.UNDO),)
    fingers, presses = fingers.after([Edge(Button.TURN, True, 1.0), Edge(Button.TURN, False, 3.5)])
    assert presses == (Press(Button.TURN, held=True),)
    fingers, _ = fingers.after([Edge(Button.CLAIM, True, 10.0)])
    assert fingers.stuck(39.0) == ()
    assert fingers.stuck(40.0) == (Button.CLAIM,)
    fingers, presses = fingers.after([Edge(Button.CLAIM, False, 45.0)])
    assert presses == (), "a stuck button that comes up says nothing"
    assert fingers.stuck(50.0) == ()


def test_a_disk_that_is_nearly_full_is_said_before_a_game_is_lost(tmp_path: Path) -> None:
    def said(folder: Path, least_mb: int) -> bool:
        return dict(checks(SystemClock(), folder, least_mb))["disk-low"] is not None

    assert said(tmp_path, 10**9)
    assert not said(tmp_path, 0)
    assert not said(tmp_path / "gone", 10**9), "the journal says what is wrong with it"


def test_the_supplys_own_sensor_is_asked(tmp_path: Path) -> None:
    assert not is_undervolted(tmp_path)
    for name, alarm in (("cpu_thermal", "1"), ("rpi_volt", "0")):
        sensor = tmp_path / f"hwmon-{name}"
        sensor.mkdir()
        (sensor / "name").write_text(name + "\n")
        (sensor / "in0_lcrit_alarm").write_text(alarm + "\n")
    assert not is_undervolted(tmp_path)
    (tmp_path / "hwmon-rpi_volt" / "in0_lcrit_alarm").write_text("1\n")
    assert is_undervolted(tmp_path)


class Crashing(LooseDisplay):
    """A display whose driver has a bug."""

    def show(self, picture: Image.Image) -> None:
        raise ZeroDivisionError


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_display_whose_driver_crashed_is_named() -> None:
    keeper = Keeper("display", ScreenOutput(Crashing()), SystemClock(), QUICK)
    keeper.send(A)
    assert keeper.fault() is None
    keeper.start()
    wait_until(lambda: keeper.fault() is not None)
    assert "crashed" in (keeper.fault() or "")


class LooseButtons:
    """Buttons whose cable can be pulled."""

    def __init__(self) -> None:
        self.plugged = False
        self.tries = self.opened = self.closed = 0
        self.happened: list[Edge] = []

    def open(self) -> None:
        self.tries += 1
        if not self.plugged:
            raise PartFault("buttons", "no buttons")
        self.opened += 1

    def edges(self) -> tuple[Edge, ...]:
        if not self.plugged:
            raise PartFault("buttons", "unplugged")
        found, self.happened = tuple(self.happened), []
        return found

    def close(self) -> None:
        self.closed += 1


def test_buttons_that_are_gone_are_tried_again_after_growing_pauses() -> None:
    buttons, clock = LooseButtons(), SimulatedClock()
    feeler = Feeler(buttons, clock)
    tries = []
    for _ in range(200):
        feeler.presses()
        tries.append(buttons.tries)
        clock.sleep(0.1)
    assert feeler.fault() == "no buttons"
    assert tries[-1] == 1 + 1 + 1 + 3, "at once, after 1, 2, 5 seconds, then every 5"
    buttons.plugged = True
    clock.sleep(5.0)
    buttons.happened = [Edge(Button.UNDO, True, 1.0), Edge(Button.UNDO, False, 1.1)]
    assert feeler.presses() == (Press(Button.UNDO),)
    assert feeler.fault() is None
    feeler.close()
    assert (buttons.opened, buttons.closed) == (1, 1)


def test_a_station_opens_its_buttons_and_lets_go_of_their_pins(tmp_path: Path) -> None:
    before, factory = gpiozero.Device.pin_factory, MockFactory()
    gpiozero.Device.pin_factory = factory
    try:
        _, loop, _ = simulated(tmp_path)
        loop.buttons = Feeler(buttons_gpio.Driver(GpioButtons(driver="gpio", pause=26, bounce_ms=0)), loop.clock)
        loop.step()
        factory.pin(26).drive_low()
        factory.pin(26).drive_high()
        loop.step()
        loop.step()
        assert loop.station.state.referee.paused
        loop.buttons.close()
        gpiozero.LED(26).close()
    finally:
        factory.reset()
        gpiozero.Device.pin_factory = before
