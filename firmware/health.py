"""Looks at the computer itself: its supply, its clock and its storage. Says what is wrong by the catalogue's names."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from firmware.ports import Clock
from firmware.state import Saying, saying

BUILT = datetime(2026, 1, 1, tzinfo=UTC)  # a clock that says less was never set
HWMON = Path("/sys/class/hwmon")
LEAST_ROOM_MB = 50  # less is wrong: it is said while every game can still be written


def checks(clock: Clock, folder: Path, least_mb: int = LEAST_ROOM_MB) -> Iterator[tuple[str, Saying | None]]:
    """Each trouble by name, or None when it is not there. `folder` is where the games are written."""
    yield "low-power", saying("low-power") if is_undervolted() else None
    yield "time-not-set", saying("time-not-set") if clock.now() < BUILT else None
    yield "disk-low", saying("disk-low") if _free_mb(folder) < least_mb else None


def _free_mb(folder: Path) -> float:
    """Room for more games; of a disk that does not answer the journal will tell."""
    try:
        return shutil.disk_usage(folder).free / 1e6
    except OSError:
        return float("inf")


def is_undervolted(hwmon: Path = HWMON) -> bool:
    """Whether the Pi's own sensor has seen the supply drop; False where there is no such sensor."""
    for sensor in hwmon.glob("hwmon*"):
        try:
            if (sensor / "name").read_text().strip() == "rpi_volt":
                return (sensor / "in0_lcrit_alarm").read_text().strip() == "1"
        except OSError:
            continue  # a sensor that goes away says nothing
    return False
