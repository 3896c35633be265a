"""One suite over all drivers of a port, each on the nearest thing to its device that there is without hardware."""

from __future__ import annotations

import os
import pty
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import cv2
import gpiozero
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory
from luma.core.device import dummy
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306
from PIL import Image

from firmware.drivers import (
    buttons_gpio,
    buttons_keyboard,
    buttons_simulated,
    camera_folder,
    camera_picamera2,
    camera_v4l2,
    display_luma,
    display_simulated,
    display_terminal,
    lamps_apa102,
    lamps_display,
    lamps_gpio,
    lamps_mcp23017,
    lamps_simulated,
    make,
)
from firmware.faults import NoMoreFrames, PartFault
from firmware.ports import Button, Buttons, Camera, Canvas, Display, Edge, Lamps, Light
from firmware.screen import draw
from firmware.signals import Screen
from hardware_config import settings
from tests.firmware.panel import Bus, Panel

# luma still asks Pillow for its data in the old way, which Pillow 14 takes out; the dependency is held below it.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")

ROW = (Light.GREEN, Light.RED, Light.AMBER, Light.OFF, Light.GREEN, Light.OFF, Light.RED, Light.OFF, Light.AMBER)
GREEN_PINS, RED_PINS = (4, 17, 27, 22, 10, 9, 11, 5, 6), (13, 19, 18, 23, 24, 25, 8, 7, 12)


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    factory = MockFactory()
    before, gpiozero.Device.pin_factory = gpiozero.Device.pin_factory, factory
    yield factory
    factory.reset()
    gpiozero.Device.pin_factory = before


# Displays


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
        settings.LumaDisplay(driver="luma", options={"display": "ssd1306", "i2c_port": 97})
    )  # fmt: skip
    with pytest.raises(PartFault, match="does not answer"):
        absent.open()


def test_an_unknown_option_of_luma_is_named() -> None:
    odd = display_luma.Driver(settings.LumaDisplay(driver="luma", options={"displai": "ssd1306"}))
    with pytest.raises(PartFault, match="no option displai"):
        odd.open()


def test_the_terminal_shows_the_picture_in_half_blocks() -> None:
    picture = Image.new("1", (4, 4))
    for point in ((0, 0), (1, 1), (2, 2), (2, 3)):
        picture.putpixel(point, 1)
    assert display_terminal.as_blocks(picture) == ["┌────┐", "│▀▄  │", "│  █ │", "└────┘"]


# Lamps


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


def test_expanders_get_green_on_port_a_and_red_on_port_b() -> None:
    bus = Registers(0x20, 0x21)
    lamps = lamps_mcp23017.Driver(settings.Mcp23017Lamps(driver="mcp23017"), bus)
    lamps.open()
    lamps.show(ROW)
    outputs, port_a, port_b = 0x00, 0x14, 0x15
    assert bus.chips[0x20] == {0: outputs, 1: outputs, port_a: 0b00010101, port_b: 0b01000110}
    assert bus.chips[0x21] == {0: outputs, 1: outputs, port_a: 1, port_b: 1}


def test_an_expander_that_does_not_answer_is_a_fault() -> None:
    lamps = lamps_mcp23017.Driver(settings.Mcp23017Lamps(driver="mcp23017"), Registers(0x20))
    with pytest.raises(PartFault, match="expander is gone"):
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


# Buttons


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


def test_keys_without_a_terminal_are_a_fault(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w") as file, pytest.raises(PartFault, match="no terminal"):
        buttons_keyboard.Driver(settings.KeyboardButtons(driver="keyboard"), file.fileno()).open()


# Cameras


class StandInCamera:
    """picamera2 as its manual describes it: what was asked for is not what is configured, and rows are padded."""

    made: list[StandInCamera]

    def __init__(self, number: int) -> None:
        self.number = number
        self.running = False
        StandInCamera.made.append(self)

    def create_video_configuration(self, main: dict[str, Any], controls: dict[str, Any]) -> dict[str, Any]:
        return {"main": dict(main), "controls": controls}

    def configure(self, configuration: dict[str, Any]) -> None:
        width, height = configuration["main"]["size"]
        self.configuration = configuration
        self.main = {**configuration["main"], "size": (width // 2 * 2, height), "stride": (width + 31) // 32 * 32 * 3}

    def camera_configuration(self) -> dict[str, Any]:
        return {"main": self.main}

    camera_controls: ClassVar[dict[str, Any]] = {"AfMode": (0, 2, 0), "LensPosition": (0.0, 15.0, 1.0)}

    def start(self) -> None:
        self.running = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.configuration["controls"] |= controls

    def capture_metadata(self) -> dict[str, Any]:
        gains = (1.9004, 1.6)
        return {"ExposureTime": 9987, "AnalogueGain": 1.12299, "ColourGains": gains, "LensPosition": 1.2501}

    def capture_array(self, name: str) -> np.ndarray:
        if not self.running:
            raise RuntimeError("not started")
        width, height = self.main["size"]
        rows = np.zeros((height, self.main["stride"] // 3, 3), np.uint8)
        rows[:, :width] = (200, 100, 50)  # RGB888 is blue, green, red in memory
        return rows

    def stop(self) -> None:
        self.running = False

    def close(self) -> None:
        StandInCamera.made.remove(self)


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> type[StandInCamera]:
    module = ModuleType("picamera2")
    StandInCamera.made = []
    module.Picamera2 = StandInCamera  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    return StandInCamera


def pictures(folder: Path, count: int = 3) -> Path:
    folder.mkdir()
    for n in range(count):
        cv2.imwrite(str(folder / f"{n:03}.png"), np.full((48, 64, 3), 40 * n, np.uint8))
    (folder / "notes.txt").write_text("no picture")
    return folder


def video(path: Path, count: int = 3) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5, (64, 48))
    for n in range(count):
        writer.write(np.full((48, 64, 3), 40 * n, np.uint8))
    writer.release()
    return path


@pytest.fixture(params=["folder", "video", "picamera2"])
def camera(request: pytest.FixtureRequest, tmp_path: Path, picamera2: type[StandInCamera]) -> Camera:
    if request.param == "picamera2":
        return camera_picamera2.Driver(settings.Picamera2Camera(driver="picamera2", size=(64, 48)))
    path = pictures(tmp_path / "stills") if request.param == "folder" else video(tmp_path / "film.avi")
    return camera_folder.Driver(settings.FolderCamera(driver="folder", path=str(path)))


def test_a_camera_gives_numbered_dated_pictures_and_opens_again(camera: Camera) -> None:
    for _ in range(2):
        camera.open()
        first, second = camera.read(), camera.read()
        assert second.number == first.number + 1
        assert second.taken_s >= first.taken_s
        assert first.pixels_bgr.shape == (48, 64, 3)
        assert first.pixels_bgr.dtype == np.uint8
        assert first.pixels_bgr.flags["C_CONTIGUOUS"]
        camera.close()
    camera.close()


@pytest.mark.parametrize("kind", ["stills", "film"])
def test_a_recording_shows_every_picture_once_and_ends(tmp_path: Path, kind: str) -> None:
    path = pictures(tmp_path / "stills") if kind == "stills" else video(tmp_path / "film.avi")
    camera = camera_folder.Driver(settings.FolderCamera(driver="folder", path=str(path)))
    camera.open()
    tones = [round(float(camera.read().pixels_bgr.mean()) / 40) for _ in range(3)]
    assert tones == [0, 1, 2]
    with pytest.raises(NoMoreFrames):
        camera.read()
    camera.close()


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("empty", None, "holds no images"),
        ("film.avi", b"no video", "cannot be read as a video"),
        ("", None, "no folder"),
    ],
)
def test_a_recording_that_is_none_is_named(tmp_path: Path, name: str, content: bytes | None, why: str) -> None:
    path = tmp_path / (name or "nowhere")
    if content is not None:
        path.write_bytes(content)
    elif name:
        path.mkdir()
    with pytest.raises(PartFault, match=why):
        camera_folder.Driver(settings.FolderCamera(driver="folder", path=str(path))).open()


def test_a_picture_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (pictures(tmp_path / "stills", 1) / "broken.jpg").write_bytes(b"not a picture")
    camera = camera_folder.Driver(settings.FolderCamera(driver="folder", path=str(tmp_path / "stills")))
    camera.open()
    camera.read()
    with pytest.raises(PartFault, match=r"broken\.jpg is not an image"):
        camera.read()


def test_a_module_gives_blue_green_red_without_the_padding(picamera2: type[StandInCamera]) -> None:
    camera = camera_picamera2.Driver(settings.Picamera2Camera(driver="picamera2", size=(50, 40)))
    camera.open()
    frame = camera.read()
    assert frame.pixels_bgr.shape == (40, 50, 3)
    assert frame.pixels_bgr.reshape(-1, 3).tolist() == [[200, 100, 50]] * 2000
    camera.close()
    assert picamera2.made == [], "a closed module is free for the next program"


def test_what_the_profile_fixes_is_taken_from_the_automatics(picamera2: type[StandInCamera]) -> None:
    camera = camera_picamera2.Driver(
        settings.Picamera2Camera(
            driver="picamera2", exposure_us=8000, gain=2.0, white_balance=(1.8, 1.4), lens_position=1.5
        )
    )
    camera.open()
    assert picamera2.made[0].configuration["controls"] == {
        "FrameDurationLimits": (100000, 100000), "AeEnable": False, "ExposureTime": 8000, "AnalogueGain": 2.0,
        "AwbEnable": False, "ColourGains": (1.8, 1.4), "AfMode": 0, "LensPosition": 1.5,
    }  # fmt: skip
    camera.close()


def test_a_module_that_stops_is_a_fault(picamera2: type[StandInCamera]) -> None:
    camera = camera_picamera2.Driver(settings.Picamera2Camera(driver="picamera2"))
    camera.open()
    picamera2.made[0].running = False
    with pytest.raises(PartFault, match="ribbon"):
        camera.read()


def test_picamera2_that_is_not_installed_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(PartFault, match="apt install python3-picamera2"):
        camera_picamera2.Driver(settings.Picamera2Camera(driver="picamera2")).open()


def test_a_usb_camera_that_is_not_there_is_a_fault() -> None:
    camera = camera_v4l2.Driver(settings.V4l2Camera(driver="v4l2", device="/dev/video-none"))
    with pytest.raises(PartFault, match="cannot be opened"):
        camera.open()
    with pytest.raises(PartFault, match="not opened"):
        camera.read()


def test_drivers_are_found_by_the_name_in_the_profile() -> None:
    assert isinstance(make("display", settings.SimulatedDisplay()), display_simulated.Driver)
    assert make("display", settings.SimulatedDisplay()).open() == Canvas(128, 64)
