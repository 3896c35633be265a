"""A hardware profile: which parts a station has and how they are wired, checked as a whole.

Knows the Pi's header and what clashes on it; knows no driver and no device.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Literal

from pydantic import Field

from hardware_config.settings import (
    CHIP_SELECT,
    SPI_SELECTS,
    ButtonsSettings,
    CameraSettings,
    DisplaySettings,
    LampsSettings,
    LumaDisplay,
    MqttBroker,
    Settings,
    SimulatedButtons,
    SimulatedCamera,
    SimulatedDisplay,
    SimulatedLamps,
)

Board = Literal["none", "pi"]

# The place of each GPIO number on the 40-pin header, the same on every board since the Pi B+.
HEADER: dict[int, int] = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
EXPANDERS = range(0x20, 0x28)  # what an MCP23017's three address pins can say
RESERVED = {0: "the ID EEPROM of HAT boards", 1: "the ID EEPROM of HAT boards"}


# The games that a table may have and their variants; that the station knows the very same ones is tested.
VARIANTS: dict[str, tuple[str, ...]] = {
    "schotten-totten": ("base", "tactic", "expert"),
    "lords-of-scotland": ("base", "3", "4", "5", "bruce", "3-bruce", "4-bruce", "5-bruce"),
}


class TableSettings(Settings):
    """The game on this table, its deck, and how its cards may be laid."""

    game: str = "schotten-totten"
    deck: str = Field(default="drawn", min_length=1)
    variant: str = "base"


class PatienceSettings(Settings):
    """How long the station waits before it speaks, in seconds, and how many frames must agree."""

    settle_frames: int = Field(default=3, ge=1, le=60)
    put_right_s: float = Field(default=3.0, ge=0, le=60)
    hand_s: float = Field(default=8.0, ge=0, le=600)
    idle_s: float = Field(default=600.0, ge=1)


class PageSettings(Settings):
    """Where the page is served: to this computer alone, or with `host = "0.0.0.0"` to everybody in the house."""

    host: str = Field(default="127.0.0.1", min_length=1, max_length=253)
    port: int = Field(default=8710, ge=0, le=65535)


class Profile(Settings):
    """Everything about one station."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    description: str = ""
    board: Board = "none"
    language: Literal["en", "fr", "es"] = "en"
    camera: CameraSettings = SimulatedCamera()
    display: tuple[DisplaySettings, ...] = Field(default=(SimulatedDisplay(),), min_length=1, max_length=4)
    lamps: LampsSettings = SimulatedLamps()
    buttons: ButtonsSettings = SimulatedButtons()
    table: TableSettings = TableSettings()
    patience: PatienceSettings = PatienceSettings()
    page: PageSettings = PageSettings()
    broker: MqttBroker | None = None

    def parts(self) -> tuple[tuple[str, Settings], ...]:
        """Every part with its name in the profile."""
        displays = tuple((f"display.{n}", settings) for n, settings in enumerate(self.display))
        return (("camera", self.camera), *displays, ("lamps", self.lamps), ("buttons", self.buttons))

    def wires(self) -> tuple[tuple[str, str, int], ...]:
        """Every wire to the header: part, purpose, GPIO number; a bus once for each part on it."""
        return tuple(
            (part, purpose, pin)
            for part, settings in self.parts()
            for purpose, pin in (settings.shared_pins() | settings.pins()).items()
        )


def clashes(profile: Profile) -> list[str]:
    """Everything that cannot be wired so, each with where it stands and what to do."""
    return [
        *_pin_clashes(profile),
        *_address_clashes(profile),
        *_spi_mistakes(profile),
        *_lamp_mistakes(profile),
        *table_mistakes(profile.table),
        *_broker_mistakes(profile.broker),
    ]


def _pin_clashes(profile: Profile) -> list[str]:
    users: dict[int, list[str]] = defaultdict(list)
    bus: dict[int, str] = {}
    selects: set[int] = set()
    found = []
    for part, settings in profile.parts():
        bus.update({pin: purpose for purpose, pin in (settings.held_pins() | settings.shared_pins()).items()})
        selects.update(pin for purpose, pin in settings.pins().items() if purpose == CHIP_SELECT)
        for purpose, pin in settings.pins().items():
            users[pin].append(f"{part} ({purpose})")
        if profile.board == "none" and settings.pins():
            pins = ", ".join(map(str, sorted(settings.pins().values())))
            found.append(f'{part} wants GPIO {pins}, but board = "none" has no header; set board = "pi"')
    for pin, wanted in sorted(users.items()):
        if profile.board == "none":
            pass
        elif pin not in HEADER:
            found.append(f"{wanted[0]} wants GPIO {pin}, which the Pi's header has not; it has 2 to 27")
        elif pin in RESERVED:
            found.append(f"{wanted[0]} wants GPIO {pin}, which is kept for {RESERVED[pin]}; choose another pin")
        if len(wanted) > 1:
            found.append(f"GPIO {pin} is used twice: by {', '.join(wanted)}; give each a pin of its own")
        if pin in bus and pin not in selects:
            found.append(f"{wanted[0]} wants GPIO {pin}, which is {bus[pin]}; choose another pin")
    return found


def _address_clashes(profile: Profile) -> list[str]:
    taken: dict[tuple[str, int], str] = {}
    found = []
    for part, settings in profile.parts():
        for address in settings.bus_addresses():
            where = f"address {_hex(address[1])} on {address[0]}"
            if taken.get(address) == part:
                found.append(f"{part} has {where} twice; give each its own")
            elif address in taken:
                found.append(f"{part} and {taken[address]} both have {where}; give one another address")
            if settings is profile.lamps and address[1] not in EXPANDERS:
                found.append(f"{part} has address {_hex(address[1])}; an MCP23017 has 0x20 to 0x27")
            elif not 0x08 <= address[1] <= 0x77:
                found.append(f"{part} has address {_hex(address[1])}; I2C devices have 0x08 to 0x77")
            taken[address] = part
    return list(dict.fromkeys(found))


def _hex(address: int) -> str:
    return f"{'-' if address < 0 else ''}0x{abs(address):02X}"


def _spi_mistakes(profile: Profile) -> list[str]:
    displays = [
        (part, one.spi_port(), one.option("spi_device", 0))
        for part, one in profile.parts()
        if isinstance(one, LumaDisplay) and one.bus() == "spi"
    ]
    lamps = profile.lamps
    strips = [("lamps", lamps.spi_port, lamps.spi_device)] if lamps.driver == "apa102" else []
    found = []
    for part, port, device in [*displays, *strips]:
        if port in SPI_SELECTS and device >= len(SPI_SELECTS[port]):
            most = len(SPI_SELECTS[port]) - 1
            found.append(f"{part} has spi_device = {device}; SPI {port} of the header has 0 to {most}")
    for _, port, _ in strips:
        for part in (part for part, other, _ in displays if other == port):
            found.append(
                f"lamps and {part} are both on SPI {port}, but a strip has no chip select and takes all of it for "
                "light; give one of them spi_port = 1"
            )
    return found


def _lamp_mistakes(profile: Profile) -> list[str]:
    lamps = profile.lamps
    if lamps.driver == "gpio" and len(lamps.green) != len(lamps.red):
        return [f"lamps: {len(lamps.green)} green pins but {len(lamps.red)} red ones; every lamp needs one of each"]
    if lamps.driver == "mcp23017" and lamps.count > 8 * len(lamps.addresses):
        return [
            f"lamps: {lamps.count} lamps need {-(-lamps.count // 8)} expanders, but {len(lamps.addresses)} are given"
        ]
    return []


def table_mistakes(table: TableSettings) -> list[str]:
    """A game that there is not, or a variant that it has not."""
    if table.game not in VARIANTS:
        return [f"table.game: there is no game {table.game!r}; there are {', '.join(VARIANTS)}"]
    known = VARIANTS[table.game]
    if table.variant in known:
        return []
    return [f"table.variant: {table.game} has no variant {table.variant!r}; it has {', '.join(known)}"]


def _broker_mistakes(broker: MqttBroker | None) -> list[str]:
    if broker is None:
        return []
    found = []
    if broker.station == "hub":
        found.append("broker.station: hub is the hub's own name; call the station otherwise")
    if bool(broker.certificate_file) != bool(broker.key_file):
        found.append("broker: certificate_file and key_file belong together; give both or neither")
    if not broker.ca_file and broker.host not in ("127.0.0.1", "::1", "localhost"):
        found.append(f"broker: without ca_file everybody in the network reads what goes to {broker.host}; give one")
    return found
