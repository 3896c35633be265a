"""What can be set for each driver, one class a driver. Knows names, types and pins; knows no device.

A class says which pins of the header and which addresses of a bus it takes, so that a profile can be checked for
clashes without any hardware.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Pin = Annotated[int, Field(ge=0, le=53, description="GPIO number (BCM), not the place on the header")]
Option = str | int | float | bool
I2C_PINS = {"I2C SDA": 2, "I2C SCL": 3}
SPI0_PINS = {"SPI MOSI": 10, "SPI SCLK": 11}


class Settings(BaseModel):
    """Settings of one part. Unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def pins(self) -> dict[str, int]:
        """What is soldered where: purpose and GPIO number."""
        return {}

    def shared_pins(self) -> dict[str, int]:
        """The pins of a bus, which several parts may share."""
        return {}

    def bus_addresses(self) -> tuple[tuple[str, int], ...]:
        """The buses and addresses that nobody else may have."""
        return ()


class SimulatedCamera(Settings):
    """Photographs the virtual table. `flaws` is a preset of the simulation: none, normal or hard."""

    driver: Literal["simulated"] = "simulated"
    size: tuple[int, int] = (2304, 1296)
    flaws: Literal["none", "normal", "hard"] = "normal"


class FolderCamera(Settings):
    """Shows a recording: a folder of images in name order, or a video file."""

    driver: Literal["folder"]
    path: str


class V4l2Camera(Settings):
    """A USB camera. `device` is a number or a path such as /dev/video0 or one under /dev/v4l/by-id."""

    driver: Literal["v4l2"]
    device: int | str = 0
    size: tuple[int, int] = (1920, 1080)
    frames_per_second: float = Field(default=10.0, gt=0, le=120)
    fourcc: str = Field(default="MJPG", min_length=4, max_length=4)
    exposure: int | None = Field(default=None, description="driver's own unit; leave out for automatic")
    focus: int | None = None


class Picamera2Camera(Settings):
    """A camera module on the Pi's ribbon. What is left out is automatic until calibration locks it."""

    driver: Literal["picamera2"]
    camera: int = Field(default=0, ge=0, le=3)
    size: tuple[int, int] = (2304, 1296)
    frames_per_second: float = Field(default=10.0, gt=0, le=120)
    exposure_us: int | None = Field(default=None, ge=1)
    gain: float | None = Field(default=None, ge=1.0)
    white_balance: tuple[float, float] | None = Field(default=None, description="red and blue gain")
    lens_position: float | None = Field(default=None, ge=0.0, description="dioptres, module 3 only")


class SimulatedDisplay(Settings):
    """Keeps the last picture; the page and the live view show it."""

    driver: Literal["simulated"] = "simulated"
    size: tuple[int, int] = (128, 64)
    colours: bool = False


class TerminalDisplay(Settings):
    """Draws with half blocks in the terminal."""

    driver: Literal["terminal"]
    size: tuple[int, int] = (128, 64)


class LumaDisplay(Settings):
    """Any display that luma knows, by luma's own option names (`display`, `interface`, `i2c_address`, `rotate` …)."""

    driver: Literal["luma"]
    options: dict[str, Option] = {"display": "ssd1306"}

    def option(self, name: str, default: Any) -> Any:
        return self.options.get(name, default)

    def pins(self) -> dict[str, int]:
        if self.option("interface", "i2c") not in ("spi", "bitbang", "gpio_cs_spi"):
            return {}
        device = int(self.option("spi_device", 0))
        return {
            "display D/C": int(self.option("gpio_data_command", 24)),
            "display RESET": int(self.option("gpio_reset", 25)),
            "display CS": 8 if device == 0 else 7,
        }

    def shared_pins(self) -> dict[str, int]:
        return I2C_PINS if self.option("interface", "i2c") == "i2c" else SPI0_PINS

    def bus_addresses(self) -> tuple[tuple[str, int], ...]:
        if self.option("interface", "i2c") != "i2c":
            return ()
        text = str(self.option("i2c_address", "0x3C"))
        try:
            return ((f"I2C bus {self.option('i2c_port', 1)}", int(text, 0)),)
        except ValueError:
            raise ValueError(f"i2c_address {text!r} is no address; write it like 0x3C") from None


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
    first: int = Field(default=0, ge=0)
    step: int = Field(default=1, ge=1)
    spi_port: int = 0
    spi_device: int = Field(default=0, ge=0, le=1)
    brightness: float = Field(default=0.2, gt=0, le=1)

    def shared_pins(self) -> dict[str, int]:
        return SPI0_PINS


class Mcp23017Lamps(Settings):
    """Bi-colour LEDs on MCP23017 port expanders: lamps 1 to 8 on the first (port A green, port B red), the rest on
    the second."""

    driver: Literal["mcp23017"]
    count: int = Field(default=9, ge=1, le=16)
    i2c_port: int = 1
    addresses: tuple[int, ...] = Field(default=(0x20, 0x21), min_length=1, max_length=2)
    active_high: bool = True

    def shared_pins(self) -> dict[str, int]:
        return I2C_PINS

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
