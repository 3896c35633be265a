"""One suite over all display drivers, each on the nearest thing to its device: luma dummies, a model of the panel."""

from __future__ import annotations

import fcntl
import os
import struct
import sys
import termios
from collections.abc import Callable
from io import StringIO
from types import ModuleType
from typing import Any

import pytest
import smbus2
from luma.core import cmdline
from luma.core.device import dummy
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306
from PIL import Image

from firmware.drivers import (
    display_luma,
    display_simulated,
    display_terminal,
    make,
)
from firmware.faults import PartFault
from firmware.ports import Canvas, Display
from firmware.screen import draw
from firmware.signals import Screen
from hardware_config import settings
from hardware_config.load import load
from tests.firmware.panel import Bus, Panel

# luma still asks Pillow for its data in the old way, which Pillow 14 takes out; the dependency is held below it.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")


def luma_display(device: Any) -> Display:
    return display_luma.Driver(settings.LumaDisplay(driver="luma"), device)


DISPLAYS: dict[str, Callable[[], Display]] = {
    "simulated": lambda: display_simulated.Driver(settings.SimulatedDisplay()),
    "terminal": lambda: display_terminal.Driver(settings.TerminalDisplay(driver="terminal"), StringIO()),
    "luma dummy": lambda: luma_display(dummy(width=128, height=64, mode="1")),
    "luma dummy in colour": lambda: luma_display(dummy(width=320, height=240, mode="RGB")),
    "luma ssd1306": lambda: luma_display(ssd1306(i2c(bus=Bus({0x3C: Panel()}), address=0x3C))),
    "luma sh1106": lambda: luma_display(sh1106(i2c(bus=Bus({0x3C: Panel(132, 2)}), address=0x3C))),
}


@pytest.mark.parametrize("name", DISPLAYS)
def test_a_display_opens_with_its_size_shows_what_fits_and_opens_again(name: str) -> None:
    display = DISPLAYS[name]()
    for _ in range(2):
        canvas = display.open()
        assert canvas.width >= 96
        assert canvas.height >= 32
        for headline in ("A TO PLAY", "STONE 4 IS FULL"):
            display.show(draw(Screen(headline, "x"), canvas))
        display.close()
    display.close()


@pytest.mark.parametrize(("device", "panel"), [(ssd1306, Panel()), (sh1106, Panel(132, 2))], ids=["ssd1306", "sh1106"])
def test_what_reaches_the_panel_is_the_picture_bit_for_bit(device: Any, panel: Panel) -> None:
    display = luma_display(device(i2c(bus=Bus({0x3C: panel}), address=0x3C)))
    canvas = display.open()
    for headline in ("STONE 4 IS FULL", "À ANNA DE JOUER"):
        picture = draw(Screen(headline, "3 cards per side"), canvas)
        display.show(picture)
        assert panel.picture().tobytes() == picture.tobytes()
    assert panel.is_on
    display.close()
    assert panel.picture().tobytes() == picture.tobytes(), "the picture stays when the program ends"


def test_an_sh1106_taken_for_an_ssd1306_shows_shifted() -> None:
    panel = Panel(132, 2)
    display = luma_display(ssd1306(i2c(bus=Bus({0x3C: panel}), address=0x3C)))
    picture = draw(Screen("STONE 4 IS FULL", "x"), display.open())
    display.show(picture)
    assert panel.picture().tobytes() != picture.tobytes()


def test_a_display_unplugged_in_mid_picture_is_a_fault_that_says_so() -> None:
    bus = Bus({0x3C: Panel()})
    display = luma_display(ssd1306(i2c(bus=bus, address=0x3C)))
    canvas = display.open()
    bus.panels.clear()
    with pytest.raises(PartFault, match="check its wires"):
        display.show(draw(Screen("A", "B"), canvas))


def test_a_display_that_is_not_there_is_a_fault_that_says_so() -> None:
    absent = display_luma.Driver(
        settings.LumaDisplay(driver="luma", options=settings.LumaOptions(i2c_port=97))
    )  # fmt: skip
    with pytest.raises(PartFault, match="does not answer"):
        absent.open()


class Knocked:
    """A bus on which nobody answers, in the shape of smbus2; counts how many are open."""

    opened = 0

    def __init__(self, number: int) -> None:
        Knocked.opened += 1

    def __enter__(self) -> Knocked:
        return self

    def __exit__(self, *_: object) -> None:
        Knocked.opened -= 1

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        raise OSError(6, "No such device or address")


def test_a_display_that_stays_away_does_not_use_up_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smbus2, "SMBus", Knocked)
    display = display_luma.Driver(settings.LumaDisplay(driver="luma"))
    for _ in range(3):
        with pytest.raises(PartFault, match="does not answer"):
            display.open()
    assert Knocked.opened == 0


def test_the_options_of_a_profile_are_those_of_luma() -> None:
    known = vars(cmdline.create_parser("display", autocomplete=False).parse_args([])).keys()
    assert known - {"config"} == settings.LumaOptions.model_fields.keys()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"display": "sdd1306"}, "luma knows no display 'sdd1306'"),
        ({"display": "ssd1306", "interface": "spi", "spi_bus_speed": 3_000_000}, "luma takes no such options"),
        ({"display": "st7789", "interface": "spi"}, "needs RPi.*: sudo apt install python3-rpi-lgpio"),
    ],
)
def test_what_luma_cannot_do_is_a_fault_that_says_so(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], why: str
) -> None:
    monkeypatch.setitem(sys.modules, "RPi", None)
    display = display_luma.Driver(settings.LumaDisplay(driver="luma", options=settings.LumaOptions(**options)))
    with pytest.raises(PartFault, match=why):
        display.open()


class Header:
    """The header as luma drives it, in the shapes of RPi.GPIO and spidev: the level of each pin, and what went by SPI
    with the pin that tells data from commands high."""

    OUT, BCM, LOW, HIGH = "out", "bcm", 0, 1

    def __init__(self) -> None:
        self.levels: dict[int, int] = {}
        self.data = bytearray()

    def output(self, pin: int, level: int) -> None:
        self.levels[pin] = level

    def writebytes(self, data: list[int]) -> None:
        if self.levels.get(24):
            self.data += bytes(data)

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_: None


def test_a_colour_display_gets_every_pixel_and_its_light(monkeypatch: pytest.MonkeyPatch) -> None:
    header = Header()
    package, gpio, spidev = ModuleType("RPi"), header, ModuleType("spidev")
    package.GPIO, spidev.SpiDev = gpio, lambda: header  # type: ignore[attr-defined]
    for name, module in (("RPi", package), ("RPi.GPIO", gpio), ("spidev", spidev)):
        monkeypatch.setitem(sys.modules, name, module)
    display = make("display", load("pi-lcd").profile.display[0])
    canvas = display.open()
    assert canvas == Canvas(240, 240, colours=True)
    assert header.levels[18] == Header.HIGH, "the light behind the panel"
    picture = draw(Screen("STONE 4 IS FULL", "3 cards per side"), canvas)
    display.show(picture)
    assert header.data.endswith(picture.tobytes())
    display.close()


def test_the_terminal_shows_the_picture_in_half_blocks() -> None:
    picture = Image.new("1", (4, 4))
    for point in ((0, 0), (1, 1), (2, 2), (2, 3)):
        picture.putpixel(point, 1)
    assert display_terminal.as_blocks(picture) == ["┌────┐", "│▀▄  │", "│  █ │", "└────┘"]


def test_a_picture_in_dots_is_half_as_wide_and_half_as_high() -> None:
    picture = Image.new("1", (4, 5))
    for at in ((0, 0), (1, 3), (2, 1), (3, 4)):
        picture.putpixel(at, 1)
    assert display_terminal.as_dots(picture) == ["┌──┐", "│⢁⠂│", "│⠀⠈│", "└──┘"]


def test_a_pipe_gets_a_picture_once_however_often_it_is_shown() -> None:
    pipe = StringIO()
    display = display_terminal.Driver(settings.TerminalDisplay(driver="terminal", size=(16, 16)), pipe)
    for shown, written in ((0, 1), (0, 1), (1, 2), (0, 3)):
        display.show(Image.new("1", (16, 16), shown))
        assert pipe.getvalue().count("┌") == written


@pytest.mark.parametrize(("columns", "rows", "wide"), [(140, 50, 128), (80, 24, 64), (140, 30, 64)])
def test_a_terminal_without_room_for_half_blocks_gets_dots(columns: int, rows: int, wide: int) -> None:
    outer, inner = os.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    with os.fdopen(inner, "w", encoding="utf-8") as terminal, os.fdopen(outer, "rb") as seen:
        shown = display_terminal.Driver(settings.TerminalDisplay(driver="terminal"), terminal)
        shown.show(Image.new("1", (shown.open().width, shown.open().height)))
        lines = seen.read1(65536).decode(errors="replace").split("\r\n")
    assert lines[0] == "\x1b[H┌" + "─" * wide + "┐\x1b[K"


def test_drivers_are_found_by_the_name_in_the_profile() -> None:
    assert isinstance(make("display", settings.SimulatedDisplay()), display_simulated.Driver)
    assert make("display", settings.SimulatedDisplay()).open() == Canvas(128, 64)
