"""A hardware profile: which parts a station has and how they are wired, checked as a whole.

Knows the Pi's header and what clashes on it; knows no driver and no device.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Literal

from pydantic import Field

from hardware_config.settings import (
    ButtonsSettings,
    CameraSettings,
    DisplaySettings,
    LampsSettings,
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

    host: str = "127.0.0.1"
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
        *_lamp_mistakes(profile),
        *table_mistakes(profile.table),
        *_broker_mistakes(profile.broker),
    ]


def _pin_clashes(profile: Profile) -> list[str]:
    users: dict[int, list[str]] = defaultdict(list)
    bus: dict[int, str] = {}
    for part, settings in profile.parts():
        bus.update({pin: purpose for purpose, pin in settings.shared_pins().items()})
        for purpose, pin in settings.pins().items():
            users[pin].append(f"{part} ({purpose})")
    found = []
    for pin, wanted in sorted(users.items()):
        if profile.board == "none":
            found.append(f'{wanted[0]} wants GPIO {pin}, but board = "none" has no header; set board = "pi"')
        elif pin not in HEADER:
            found.append(f"{wanted[0]} wants GPIO {pin}, which the Pi's header has not; it has 2 to 27")
        elif pin in RESERVED:
            found.append(f"{wanted[0]} wants GPIO {pin}, which is kept for {RESERVED[pin]}; choose another pin")
        if len(wanted) > 1:
            found.append(f"GPIO {pin} is used twice: by {', '.join(wanted)}; give each a pin of its own")
        if pin in bus:
            found.append(f"{wanted[0]} wants GPIO {pin}, which is {bus[pin]}; choose another pin")
    return found


def _address_clashes(profile: Profile) -> list[str]:
    taken: dict[tuple[str, int], str] = {}
    found = []
    for part, settings in profile.parts():
        for address in settings.bus_addresses():
            if address in taken:
                where = f"address 0x{address[1]:02X} on {address[0]}"
                found.append(f"{part} and {taken[address]} both have {where}; give one another address")
            if not 0x08 <= address[1] <= 0x77:
                found.append(f"{part} has address 0x{address[1]:02X}; I2C devices have 0x08 to 0x77")
            taken[address] = part
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
