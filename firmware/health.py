"""Looks at the computer itself: its supply and its clock. Says what is wrong by the catalogue's names."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from firmware.ports import Clock
from firmware.state import Saying, saying

BUILT = datetime(2026, 1, 1, tzinfo=UTC)  # a clock that says less was never set
HWMON = Path("/sys/class/hwmon")


def checks(clock: Clock, hwmon: Path = HWMON) -> Iterator[tuple[str, Saying | None]]:
    """Each trouble by name, or None when it is not there."""
    yield "low-power", saying("low-power") if is_undervolted(hwmon) else None
    yield "time-not-set", saying("time-not-set") if clock.now() < BUILT else None


def is_undervolted(hwmon: Path = HWMON) -> bool:
    """Whether the Pi's own sensor has seen the supply drop; False where there is no such sensor."""
    for sensor in hwmon.glob("hwmon*"):
        try:
            if (sensor / "name").read_text().strip() == "rpi_volt":
                return (sensor / "in0_lcrit_alarm").read_text().strip() == "1"
        except OSError:
            continue  # a sensor that goes away says nothing
    return False
