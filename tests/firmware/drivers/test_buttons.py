"""One suite over all button drivers: mock pins, a pseudo-terminal, the simulation."""

from __future__ import annotations

import os
import pty
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from firmware.drivers import (
    buttons_gpio,
    buttons_keyboard,
    buttons_simulated,
)
from firmware.faults import PartFault
from firmware.ports import Button, Buttons, Edge
from hardware_config import settings


@dataclass
class Fingertip:
    """A set of buttons and a way to press the claim button on it."""

    buttons: Buttons
    press: Callable[[], None]


@pytest.fixture(params=["simulated", "gpio", "keyboard"])
def fingertip(request: pytest.FixtureRequest, pins: MockFactory) -> Iterator[Fingertip]:
    if request.param == "simulated":
        simulated = buttons_simulated.Driver(settings.SimulatedButtons())
        yield Fingertip(simulated, lambda: simulated.press(Button.CLAIM))
    elif request.param == "gpio":
        wired = buttons_gpio.Driver(settings.GpioButtons(driver="gpio", turn=16, claim=20, bounce_ms=0))

        def press() -> None:
            pins.pin(20).drive_low()
            pins.pin(20).drive_high()

        yield Fingertip(wired, press)
    else:
        outer, inner = pty.openpty()
        keys = buttons_keyboard.Driver(settings.KeyboardButtons(driver="keyboard"), inner)

        def type_c() -> None:
            os.write(outer, b"c")
            time.sleep(0.05)

        yield Fingertip(keys, type_c)
        os.close(outer)
        os.close(inner)


def test_buttons_tell_each_edge_once_and_open_again(fingertip: Fingertip) -> None:
    for _ in range(2):
        fingertip.buttons.open()
        assert fingertip.buttons.edges() == ()
        fingertip.press()
        edges = fingertip.buttons.edges()
        assert [(edge.button, edge.down) for edge in edges] == [(Button.CLAIM, True), (Button.CLAIM, False)]
        assert edges[0].at_s <= edges[1].at_s
        assert fingertip.buttons.edges() == ()
        fingertip.buttons.close()


def test_a_capital_is_a_button_held() -> None:
    outer, inner = pty.openpty()
    keys = buttons_keyboard.Driver(settings.KeyboardButtons(driver="keyboard"), inner)
    keys.open()
    os.write(outer, b"Tx")
    time.sleep(0.05)
    down, up = keys.edges()
    assert (down, up) == (Edge(Button.TURN, True, down.at_s), Edge(Button.TURN, False, down.at_s + 2.5))
    keys.close()
    os.close(outer)
    os.close(inner)


def test_a_terminal_that_is_closed_is_a_lost_part() -> None:
    outer, inner = pty.openpty()
    keys = buttons_keyboard.Driver(settings.KeyboardButtons(driver="keyboard"), inner)
    keys.open()
    os.close(outer)
    with pytest.raises(PartFault, match="terminal is gone"):
        keys.close()
    keys.close()
    os.close(inner)


def test_keys_without_a_terminal_are_a_fault(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w") as file, pytest.raises(PartFault, match="no terminal"):
        buttons_keyboard.Driver(settings.KeyboardButtons(driver="keyboard"), file.fileno()).open()


def test_pins_that_the_kernel_holds_are_a_fault(held_pins: None) -> None:
    with pytest.raises(PartFault, match=r"cannot be used.*GPIO busy"):
        buttons_gpio.Driver(settings.GpioButtons(driver="gpio", turn=16)).open()
