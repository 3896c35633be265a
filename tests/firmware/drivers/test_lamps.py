"""One suite over all lamp drivers, each on the nearest thing to its device: mock pins, registers, bytes on a wire."""

from __future__ import annotations

import sys
from types import ModuleType

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from firmware.drivers import (
    lamps_apa102,
    lamps_display,
    lamps_gpio,
    lamps_mcp23017,
    lamps_simulated,
)
from firmware.faults import PartFault
from firmware.ports import Lamps, Light
from hardware_config import settings

# luma still asks Pillow for its data in the old way, which Pillow 14 takes out; the dependency is held below it.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")

ROW = (Light.GREEN, Light.RED, Light.AMBER, Light.OFF, Light.GREEN, Light.OFF, Light.RED, Light.OFF, Light.AMBER)
GREEN_PINS, RED_PINS = (4, 17, 27, 22, 10, 9, 11, 5, 6), (13, 19, 18, 23, 24, 25, 8, 7, 12)


class Registers:
    """The registers of MCP23017 expanders by address, in the shape of smbus2."""

    def __init__(self, *addresses: int) -> None:
        self.chips: dict[int, dict[int, int]] = {address: {} for address in addresses}

    def write_byte_data(self, address: int, register: int, value: int) -> None:
        if address not in self.chips:
            raise OSError(121, "Remote I/O error")
        self.chips[address][register] = value

    def close(self) -> None:
        return


def lamps_by_name(name: str) -> Lamps:
    match name:
        case "simulated":
            return lamps_simulated.Driver(settings.SimulatedLamps())
        case "display":
            return lamps_display.Driver(settings.DisplayLamps(driver="display"))
        case "gpio":
            return lamps_gpio.Driver(settings.GpioLamps(driver="gpio", green=GREEN_PINS, red=RED_PINS))
        case _:
            return lamps_mcp23017.Driver(settings.Mcp23017Lamps(driver="mcp23017"), Registers(0x20, 0x21))


@pytest.mark.parametrize("name", ["simulated", "display", "gpio", "mcp23017"])
def test_lamps_open_with_their_number_take_a_whole_row_and_open_again(pins: MockFactory, name: str) -> None:
    lamps = lamps_by_name(name)
    for _ in range(2):
        count = lamps.open()
        lamps.show(ROW[:count])
        lamps.show((Light.OFF,) * count)
        lamps.close()


def test_each_led_has_its_pin_and_amber_is_both(pins: MockFactory) -> None:
    lamps = lamps_by_name("gpio")
    lamps.open()
    lamps.show(ROW)
    green = [bool(pins.pin(pin).state) for pin in GREEN_PINS]
    red = [bool(pins.pin(pin).state) for pin in RED_PINS]
    assert green == [light in (Light.GREEN, Light.AMBER) for light in ROW]
    assert red == [light in (Light.RED, Light.AMBER) for light in ROW]
    lamps.close()


def test_leds_with_a_common_plus_shine_when_their_pin_is_low(pins: MockFactory) -> None:
    lamps = lamps_gpio.Driver(settings.GpioLamps(driver="gpio", green=(4,), red=(17,), active_high=False))
    lamps.open()
    lamps.show((Light.GREEN,))
    assert (pins.pin(4).state, pins.pin(17).state) == (0, 1)
    lamps.close()


def test_a_pin_in_use_is_a_fault_that_says_so(pins: MockFactory) -> None:
    taken = gpiozero.LED(17)
    with pytest.raises(PartFault, match="cannot be used"):
        lamps_by_name("gpio").open()
    taken.close()


def test_pins_that_the_kernel_holds_are_a_fault(held_pins: None) -> None:
    with pytest.raises(PartFault, match=r"cannot be used.*GPIO busy"):
        lamps_by_name("gpio").open()


def test_expanders_get_green_on_port_a_and_red_on_port_b() -> None:
    bus = Registers(0x20, 0x21)
    lamps = lamps_mcp23017.Driver(settings.Mcp23017Lamps(driver="mcp23017"), bus)
    lamps.open()
    lamps.show(ROW)
    outputs, port_a, port_b = 0x00, 0x14, 0x15
    assert bus.chips[0x20] == {0: outputs, 1: outputs, port_a: 0b00010101, port_b: 0b01000110}
    assert bus.chips[0x21] == {0: outputs, 1: outputs, port_a: 1, port_b: 1}


def test_an_expander_that_was_without_power_for_a_moment_shines_again_at_the_next_beat() -> None:
    bus = Registers(0x20, 0x21)
    lamps = lamps_mcp23017.Driver(settings.Mcp23017Lamps(driver="mcp23017"), bus)
    lamps.open()
    lamps.show(ROW)
    before = dict(bus.chips[0x20])
    bus.chips[0x20] = {0x00: 0xFF, 0x01: 0xFF, 0x14: 0, 0x15: 0}  # what the chip wakes up with: no output at all
    lamps.show(ROW)
    assert bus.chips[0x20] == before


def test_an_expander_that_does_not_answer_is_a_fault() -> None:
    lamps = lamps_mcp23017.Driver(settings.Mcp23017Lamps(driver="mcp23017"), Registers(0x20))
    with pytest.raises(PartFault, match=r"expander does not answer \(\[Errno 121\]"):
        lamps.open()


class Wire:
    """The SPI bus of a strip: keeps the last message."""

    def __init__(self) -> None:
        self.sent: list[int] = []

    def data(self, data: list[int]) -> None:
        self.sent = data

    def cleanup(self) -> None:
        return


def test_a_strip_gets_a_frame_with_each_lamp_at_its_led() -> None:
    wire = Wire()
    lamps = lamps_apa102.Driver(settings.Apa102Lamps(driver="apa102", count=3, first=1, step=2), wire)
    assert lamps.open() == 3
    lamps.show((Light.RED, Light.OFF, Light.AMBER))
    dark, red, amber = [0, 0, 0], [0, 0, 255], [0, 130, 255]  # blue, green, red
    leds = [wire.sent[4 + 4 * n : 8 + 4 * n] for n in range(6)]
    assert wire.sent[:4] == [0, 0, 0, 0]
    assert [led[1:] for led in leds] == [dark, red, dark, dark, dark, amber]
    assert {led[0] for led in leds} == {0xE0 | 3}, "a fifth of full brightness"


def test_a_strip_without_its_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "luma.led_matrix.device", None)
    with pytest.raises(PartFault, match=r"pip install marchwarden\[strip\]"):
        lamps_apa102.Driver(settings.Apa102Lamps(driver="apa102")).open()


def test_a_strip_without_its_bus_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    lamps = lamps_apa102.Driver(settings.Apa102Lamps(driver="apa102"))
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(PartFault, match=r"needs spidev.*: sudo apt install python3-spidev"):
        lamps.open()
    spidev = ModuleType("spidev")
    spidev.SpiDev = Unplugged  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spidev", spidev)
    with pytest.raises(PartFault, match="enable SPI"):
        lamps.open()


class Unplugged:
    """spidev where SPI is off."""

    def open(self, port: int, device: int) -> None:
        raise FileNotFoundError(2, "No such file or directory")
