"""What can be set for each driver, one class a driver. Knows names, types and pins; knows no device.

A class says which pins of the header and which addresses of a bus it takes, so that a profile can be checked for
clashes without any hardware.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, field_validator, model_serializer

Pin = Annotated[int, Field(description="GPIO number (BCM), not the place on the header")]
ColourGain = Annotated[float, Field(ge=0, le=32)]
Size = tuple[Annotated[int, Field(ge=16, le=16_384)], Annotated[int, Field(ge=16, le=16_384)]]
# Where the buses of the header are, by their number. Others are put on pins in config.txt; only that file knows which.
I2C_PINS = {0: {"I2C 0 SDA": 0, "I2C 0 SCL": 1}, 1: {"I2C SDA": 2, "I2C SCL": 3}}
SPI_PINS = {0: {"SPI MOSI": 10, "SPI SCLK": 11}, 1: {"SPI 1 MOSI": 20, "SPI 1 SCLK": 21}}
SPI_SELECTS = {0: (8, 7), 1: (18, 17, 16)}  # the chip select of each device on it
CHIP_SELECT = "display CS"


class Settings(BaseModel):
    """Settings of one part. Unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    def pins(self) -> dict[str, int]:
        """What is soldered where: purpose and GPIO number."""
        return {}

    def shared_pins(self) -> dict[str, int]:
        """The pins of a bus, which several parts may share."""
        return {}

    def held_pins(self) -> dict[str, int]:
        """Pins that the system keeps for a bus although nothing is soldered to them: its chip selects."""
        return {}

    def bus_addresses(self) -> tuple[tuple[str, int], ...]:
        """The buses and addresses that nobody else may have."""
        return ()


def spi_selects(port: int, device: int) -> dict[str, int]:
    """The chip selects that the system keeps while a device of this bus is in use: both of SPI 0."""
    kept = {n: pin for n, pin in enumerate(SPI_SELECTS.get(port, ())) if port == 0 or n == device}
    return {f"SPI {port} CE{n}": pin for n, pin in kept.items()}


class SimulatedCamera(Settings):
    """Photographs the virtual table. `flaws` is a preset of the simulation: none, normal or hard."""

    driver: Literal["simulated"] = "simulated"
    size: Size = (2304, 1296)
    flaws: Literal["none", "normal", "hard"] = "normal"


class FolderCamera(Settings):
    """Shows a recording: a folder of images in name order, or a video file."""

    driver: Literal["folder"]
    path: str


class V4l2Camera(Settings):
    """A USB camera. `device` is a number or a path such as /dev/video0 or one under /dev/v4l/by-id."""

    driver: Literal["v4l2"]
    device: int | str = 0
    size: Size = (1920, 1080)
    frames_per_second: float = Field(default=10.0, gt=0, le=120)
    fourcc: str = Field(default="MJPG", min_length=4, max_length=4)
    exposure: int | None = Field(
        default=None, ge=-100, le=1_000_000, description="driver's own unit; leave out for automatic"
    )
    focus: int | None = Field(default=None, ge=0, le=1_000_000)

    @field_validator("device")
    @classmethod
    def _is_camera(cls, device: int | str) -> int | str:
        if device == "" or (isinstance(device, int) and not 0 <= device <= 255):
            raise ValueError("is no camera; write its number, from 0 on, or a path such as /dev/video0")
        return device

    @field_validator("fourcc")
    @classmethod
    def _is_fourcc(cls, fourcc: str) -> str:
        if not fourcc.isascii():
            raise ValueError("is no picture format; write four plain letters such as MJPG")
        return fourcc


class Picamera2Camera(Settings):
    """A camera module on the Pi's ribbon. What is left out is automatic until calibration locks it."""

    driver: Literal["picamera2"]
    camera: int = Field(default=0, ge=0, le=3)
    size: Size = (2304, 1296)
    frames_per_second: float = Field(default=10.0, gt=0, le=120)
    exposure_us: int | None = Field(default=None, ge=1, le=1_000_000_000)
    gain: float | None = Field(default=None, ge=1.0, le=1000.0)
    white_balance: tuple[ColourGain, ColourGain] | None = Field(default=None, description="red and blue gain")
    lens_position: float | None = Field(default=None, ge=0.0, le=100.0, description="dioptres, module 3 only")


class SimulatedDisplay(Settings):
    """Keeps the last picture; the page and the live view show it."""

    driver: Literal["simulated"] = "simulated"
    size: Size = (128, 64)
    colours: bool = False


class TerminalDisplay(Settings):
    """Draws with half blocks in the terminal."""

    driver: Literal["terminal"]
    size: Size = (128, 64)


# Luma's displays with a light behind them, which has a pin of its own.
BACKLIT = frozenset({"pcd8544", "st7735", "st7789", "st7567", "ili9341", "ili9486", "ili9488", "ht1621", "uc1701x"})
OFF_HEADER = frozenset({"linux_framebuffer", "capture", "gifanim", "pygame", "asciiart", "asciiblock"})
BUSES = {"i2c": "i2c", "pcf8574": "i2c", "spi": "spi", "gpio_cs_spi": "spi", "bitbang": "spi"}  # luma's interfaces


class LumaOptions(Settings):
    """Luma's own options by luma's own names; what is left out is luma's to choose."""

    display: str = "ssd1306"
    width: int | None = Field(default=None, ge=16, le=4096)
    height: int | None = Field(default=None, ge=16, le=4096)
    rotate: Literal[0, 1, 2, 3] | None = None
    interface: (
        Literal["i2c", "noop", "spi", "gpio_cs_spi", "bitbang", "ftdi_spi", "ftdi_i2c", "pcf8574", "bitbang_6800"]
        | None
    ) = None
    i2c_port: int | None = Field(default=None, ge=0, le=255)
    i2c_address: str | int | None = None
    spi_port: int | None = Field(default=None, ge=0, le=255)
    spi_device: int | None = Field(default=None, ge=0, le=2)
    spi_bus_speed: int | None = Field(default=None, ge=500_000)
    spi_transfer_size: int | None = Field(default=None, ge=1)
    spi_mode: Literal[0, 1, 2, 3] | None = None
    spi_cs_high: bool | None = None
    ftdi_device: str | None = None
    framebuffer_device: str | None = None
    gpio: str | None = None
    gpio_mode: str | None = None
    gpio_data_command: Pin | None = None
    gpio_chip_select: Pin | None = None
    gpio_reset: Pin | None = None
    gpio_backlight: Pin | None = None
    gpio_reset_hold_time: float | None = Field(default=None, ge=0)
    gpio_reset_release_time: float | None = Field(default=None, ge=0)
    block_orientation: Literal[0, 90, -90, 180] | None = None
    mode: Literal["1", "RGB", "RGBA"] | None = None
    framebuffer: Literal["diff_to_previous", "full_frame"] | None = None
    num_segments: int | None = Field(default=None, ge=1)
    bgr: bool | None = None
    inverse: bool | None = None
    h_offset: int | None = None
    v_offset: int | None = None
    backlight_active: Literal["low", "high"] | None = None
    debug: bool | None = None

    @field_validator("i2c_address")
    @classmethod
    def _is_address(cls, address: str | int | None) -> str | int | None:
        try:
            int("0" if address is None else str(address), 0)
        except ValueError:
            raise ValueError("is no address; write it like 0x3C") from None
        return address

    @model_serializer(mode="wrap")
    def _only_what_is_set(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in handler(self).items() if value is not None}


class LumaDisplay(Settings):
    """Any display that luma knows, by luma's own option names (`display`, `interface`, `i2c_address`, `rotate` …)."""

    driver: Literal["luma"]
    options: LumaOptions = LumaOptions()

    def option(self, name: str, default: Any) -> Any:
        value = getattr(self.options, name)
        return default if value is None else value

    def bus(self) -> str:
        """How it hangs on the header: by `i2c`, by `spi`, or not at all."""
        if self.options.display in OFF_HEADER:
            return ""
        return BUSES.get(self.option("interface", "i2c"), "")

    def pins(self) -> dict[str, int]:
        if self.bus() != "spi":
            return {}
        light = {"display BACKLIGHT": self.option("gpio_backlight", 18)} if self.options.display in BACKLIT else {}
        if self.options.interface == "bitbang":  # luma hands none of the options on to it
            return {"display D/C": 24, "display RESET": 25, CHIP_SELECT: 8} | light
        return (
            {
                "display D/C": self.option("gpio_data_command", 24),
                "display RESET": self.option("gpio_reset", 25),
            }
            | self._chip_select()
            | light
        )

    def _chip_select(self) -> dict[str, int]:
        if self.options.interface == "gpio_cs_spi":
            return {CHIP_SELECT: self.option("gpio_chip_select", 24)}
        selects, device = SPI_SELECTS.get(self.spi_port(), ()), self.option("spi_device", 0)
        return {CHIP_SELECT: selects[device]} if device < len(selects) else {}

    def spi_port(self) -> int:
        """The number of its SPI bus; luma's own bits and bangs go to the pins of the first."""
        return 0 if self.options.interface == "bitbang" else int(self.option("spi_port", 0))

    def shared_pins(self) -> dict[str, int]:
        if self.bus() == "i2c":
            return I2C_PINS.get(self.option("i2c_port", 1), {})
        return SPI_PINS.get(self.spi_port(), {}) if self.bus() == "spi" else {}

    def held_pins(self) -> dict[str, int]:
        if self.bus() != "spi" or self.options.interface == "bitbang":
            return {}
        return spi_selects(self.spi_port(), self.option("spi_device", 0))

    def bus_addresses(self) -> tuple[tuple[str, int], ...]:
        if self.bus() != "i2c":
            return ()
        address = int(str(self.option("i2c_address", "0x3C")), 0)
        return ((f"I2C bus {self.option('i2c_port', 1)}", address),)


class SimulatedLamps(Settings):
    """Keeps the last lights; the page and the live view show them."""

    driver: Literal["simulated"] = "simulated"
    count: int = Field(default=9, ge=1, le=64)


class DisplayLamps(Settings):
    """No lamps of their own: the row on the display is all there is."""

    driver: Literal["display"]


class GpioLamps(Settings):
    """Bi-colour LEDs on the header: a green and a red pin each, from A's left. `active_high` is false when the LEDs
    share their plus side."""

    driver: Literal["gpio"]
    green: tuple[Pin, ...] = Field(min_length=1, max_length=13)
    red: tuple[Pin, ...] = Field(min_length=1, max_length=13)
    active_high: bool = True

    def pins(self) -> dict[str, int]:
        green = {f"lamp {n} green": pin for n, pin in enumerate(self.green, 1)}
        return green | {f"lamp {n} red": pin for n, pin in enumerate(self.red, 1)}


class Apa102Lamps(Settings):
    """A strip of APA102 or SK9822 on SPI. `step` is how many LEDs apart two lamps stand, `first` where they begin."""

    driver: Literal["apa102"]
    count: int = Field(default=9, ge=1, le=64)
    first: int = Field(default=0, ge=0, le=1000)
    step: int = Field(default=1, ge=1, le=100)
    spi_port: int = Field(default=0, ge=0, le=255)
    spi_device: int = Field(default=0, ge=0, le=2)
    brightness: float = Field(default=0.2, gt=0, le=1)

    def shared_pins(self) -> dict[str, int]:
        return SPI_PINS.get(self.spi_port, {})

    def held_pins(self) -> dict[str, int]:
        return spi_selects(self.spi_port, self.spi_device)


class Mcp23017Lamps(Settings):
    """Bi-colour LEDs on MCP23017 port expanders: lamps 1 to 8 on the first (port A green, port B red), the rest on
    the second."""

    driver: Literal["mcp23017"]
    count: int = Field(default=9, ge=1, le=16)
    i2c_port: int = Field(default=1, ge=0, le=255)
    addresses: tuple[int, ...] = Field(default=(0x20, 0x21), min_length=1, max_length=2)
    active_high: bool = True

    def shared_pins(self) -> dict[str, int]:
        return I2C_PINS.get(self.i2c_port, {})

    def bus_addresses(self) -> tuple[tuple[str, int], ...]:
        return tuple((f"I2C bus {self.i2c_port}", address) for address in self.addresses)


class SimulatedButtons(Settings):
    """Pressed by a program or by the page."""

    driver: Literal["simulated"] = "simulated"


class KeyboardButtons(Settings):
    """Keys of the terminal: t c u p, and capitals to hold."""

    driver: Literal["keyboard"]


class GpioButtons(Settings):
    """Buttons from a pin to ground."""

    driver: Literal["gpio"]
    turn: Pin | None = None
    claim: Pin | None = None
    undo: Pin | None = None
    pause: Pin | None = None
    bounce_ms: int = Field(default=20, ge=0, le=500)

    def pins(self) -> dict[str, int]:
        wired = {"turn": self.turn, "claim": self.claim, "undo": self.undo, "pause": self.pause}
        return {f"button {name}": pin for name, pin in wired.items() if pin is not None}


class MqttBroker(Settings):
    """The way to an event's hub: MQTT 5 over TLS. `station` is the name that the event knows this table by; the
    password stands in a file of its own. `discovery` lets Home Assistant find the table."""

    driver: Literal["mqtt"] = "mqtt"
    host: str = Field(min_length=1, max_length=253)
    port: int = Field(default=8883, ge=1, le=65535)
    station: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")
    password_file: str = ""
    ca_file: str = Field(default="", description="who signed the broker's certificate; empty is no TLS")
    certificate_file: str = ""
    key_file: str = ""
    keepalive_s: int = Field(default=10, ge=2, le=300)
    discovery: bool = False


CameraSettings = Annotated[SimulatedCamera | FolderCamera | V4l2Camera | Picamera2Camera, Field(discriminator="driver")]
DisplaySettings = Annotated[SimulatedDisplay | TerminalDisplay | LumaDisplay, Field(discriminator="driver")]
LampsSettings = Annotated[
    SimulatedLamps | DisplayLamps | GpioLamps | Apa102Lamps | Mcp23017Lamps, Field(discriminator="driver")
]
ButtonsSettings = Annotated[SimulatedButtons | KeyboardButtons | GpioButtons, Field(discriminator="driver")]
