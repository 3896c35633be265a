"""Bi-colour LEDs on one or two MCP23017 port expanders over I2C: port A green, port B red.

Written against the chip's register map with smbus2, which luma brings along; no vendor library is needed for four
registers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from firmware.faults import PartFault
from firmware.ports import Light
from hardware_config.settings import Mcp23017Lamps

IODIRA, IODIRB, OLATA, OLATB = 0x00, 0x01, 0x14, 0x15  # direction and output latch of each port
OUTPUTS = 0x00
PER_CHIP = 8


class Driver:
    def __init__(self, settings: Mcp23017Lamps, bus: Any = None) -> None:
        self.settings = settings
        self._given = bus
        self._bus: Any = None

    def open(self) -> int:
        import smbus2

        try:
            self._bus = self._given or smbus2.SMBus(self.settings.i2c_port)
            self.show((Light.OFF,) * self.settings.count)
        except (OSError, PartFault) as error:
            self.close()
            why = error.__cause__ or error
            raise PartFault("lamps", f"the lamps' expander does not answer ({why}); check wires and address") from error
        return self.settings.count

    def show(self, lights: Sequence[Light]) -> None:
        if self._bus is None:
            raise PartFault("lamps", "the lamps' expander was not opened")
        try:
            for n, address in enumerate(self._chips()):
                row = lights[n * PER_CHIP : (n + 1) * PER_CHIP]
                # Latches first, so that no lamp flashes; directions each time, which a chip forgets with its power.
                self._bus.write_byte_data(address, OLATA, self._bits(row, (Light.GREEN, Light.AMBER)))
                self._bus.write_byte_data(address, OLATB, self._bits(row, (Light.RED, Light.AMBER)))
                self._bus.write_byte_data(address, IODIRA, OUTPUTS)
                self._bus.write_byte_data(address, IODIRB, OUTPUTS)
        except OSError as error:
            raise PartFault("lamps", f"the lamps' expander is gone ({error}); check its wires") from error

    def close(self) -> None:
        if self._bus is not None:
            bus, self._bus = self._bus, None
            bus.close()

    def _chips(self) -> tuple[int, ...]:
        return self.settings.addresses[: -(-self.settings.count // PER_CHIP)]

    def _bits(self, row: Sequence[Light], shining: tuple[Light, ...]) -> int:
        bits = sum(1 << n for n, light in enumerate(row) if light in shining)
        return bits if self.settings.active_high else ~bits & 0xFF
