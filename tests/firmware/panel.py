"""A model of the SSD1306 and SH1106 display controllers: it takes the bytes that reach the bus and keeps their RAM.

Written from the controllers' data sheets. Page addressing (SH1106, 132 columns) and horizontal addressing (SSD1306).
"""

from __future__ import annotations

from collections.abc import Iterable

from PIL import Image

ARGUMENTS = {
    0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1, 0x8D: 1,
}  # fmt: skip
PAGES = 8


class Panel:
    """One controller with 64 rows in eight pages; `columns` of RAM, of which 128 from `offset` on are seen."""

    def __init__(self, columns: int = 128, offset: int = 0) -> None:
        self.columns = columns
        self.offset = offset
        self.is_on = False
        self._ram = bytearray(columns * PAGES)
        self._is_horizontal = False
        self._first, self._last = (0, 0), (columns - 1, PAGES - 1)
        self._column = self._page = 0
        self._waiting: list[int] = []

    def write(self, message: bytes) -> None:
        """One message on the bus: a control byte, then commands or data."""
        for byte in message[1:]:
            self._data(byte) if message[0] & 0x40 else self._command(byte)

    def picture(self) -> Image.Image:
        picture = Image.new("1", (128, 64))
        for y in range(64):
            for x in range(128):
                byte = self._ram[(y // 8) * self.columns + x + self.offset]
                picture.putpixel((x, y), byte >> (y % 8) & 1)
        return picture

    def _command(self, byte: int) -> None:
        self._waiting.append(byte)
        if len(self._waiting) <= ARGUMENTS.get(self._waiting[0], 0):
            return
        (code, *values), self._waiting = self._waiting, []
        if code == 0x20:
            self._is_horizontal = values[0] == 0
        elif code == 0x21:
            self._first, self._last = (values[0], self._first[1]), (values[1], self._last[1])
            self._column = values[0]
        elif code == 0x22:
            self._first, self._last = (self._first[0], values[0]), (self._last[0], values[1])
            self._page = values[0]
        elif 0xB0 <= code <= 0xB7:
            self._page = code & 7
        elif code <= 0x0F:
            self._column = self._column & 0xF0 | code
        elif code <= 0x1F:
            self._column = self._column & 0x0F | (code & 0x0F) << 4
        elif code in (0xAE, 0xAF):
            self.is_on = code == 0xAF

    def _data(self, byte: int) -> None:
        self._ram[self._page * self.columns + self._column] = byte
        self._column += 1
        if self._is_horizontal and self._column > self._last[0]:
            self._column = self._first[0]
            self._page = self._page + 1 if self._page < self._last[1] else self._first[1]


class Bus:
    """An I2C bus with panels on it by address, in the shape that luma expects of smbus2. Nobody else answers."""

    def __init__(self, panels: dict[int, Panel]) -> None:
        self.panels = panels

    def write_i2c_block_data(self, address: int, register: int, data: Iterable[int]) -> None:
        self._panel(address).write(bytes([register, *data]))

    def i2c_rdwr(self, *messages: object) -> None:
        for message in messages:
            self._panel(int(getattr(message, "addr"))).write(bytes(message))  # type: ignore[call-overload]  # noqa: B009

    def close(self) -> None:
        return

    def _panel(self, address: int) -> Panel:
        if address not in self.panels:
            raise OSError(121, "Remote I/O error")
        return self.panels[address]
