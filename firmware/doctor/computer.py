"""Checks of the computer itself: its system, board, memory, power, storage and clock."""

from __future__ import annotations

import errno
import os
import platform
import re
import shutil
import sys
import tempfile
from pathlib import Path

from firmware.doctor.findings import Finding, good, warning, wrong
from firmware.doctor.site import Site
from firmware.health import BUILT, LEAST_ROOM_MB, is_undervolted

TRIED = ("12", "13")
OLDEST_PYTHON = (3, 11)
LEAST_MB, COMFORTABLE_MB = 120, 250
ROOMY_MB = 500
# What the firmware's word means: the low bits are now, those sixteen places up are since the start.
UNDER_VOLTAGE, TOO_HOT, SINCE_BOOT = 0x1, 0xE, 16


def system(site: Site) -> Finding:
    release = dict(line.split("=", 1) for line in site.text("/etc/os-release").splitlines() if "=" in line)
    name = release.get("PRETTY_NAME", "").strip('"') or "?"
    number = release.get("VERSION_ID", "").strip('"').split(".")[0]
    is_tried = release.get("ID", "").strip('"') in ("debian", "raspbian") and number in TRIED
    return good("os", name=name) if is_tried else warning("os-untried", name=name)


def board(site: Site) -> Finding:
    model = site.text("/proc/device-tree/model")
    wants_pi = site.profile is not None and site.profile.board == "pi"
    if wants_pi and "Raspberry Pi" not in model:
        return wrong("board-missing", name=model or platform.machine())
    return good("board", name=model) if model else good("board-none")


def python(site: Site) -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < OLDEST_PYTHON:
        return wrong("python-old", version=version)
    return good("python", version=version)


def memory(site: Site) -> Finding:
    found = re.search(r"^MemAvailable:\s+(\d+) kB", site.text("/proc/meminfo"), re.MULTILINE)
    if found is None:
        return warning("memory-unknown")
    free_mb = int(found.group(1)) // 1024
    if free_mb < LEAST_MB:
        return wrong("memory-low", mb=free_mb)
    return good("memory", mb=free_mb) if free_mb >= COMFORTABLE_MB else warning("memory-low", mb=free_mb)


def power(site: Site) -> Finding:
    answer = site.probe.output(("vcgencmd", "get_throttled"))
    found = re.search(r"throttled=0x([0-9a-fA-F]+)", answer or "")
    if found is None:
        is_low = is_undervolted(site.at("/sys/class/hwmon"))
        return wrong("power-low") if is_low else good("power-unknown")
    bits = int(found.group(1), 16)
    if bits & UNDER_VOLTAGE:
        return wrong("power-low")
    if bits >> SINCE_BOOT & UNDER_VOLTAGE:
        return warning("power-was-low")
    return warning("too-hot") if bits & TOO_HOT else good("power")


def storage(site: Site) -> Finding:
    """Whether there is room for games, and whether they can be written at all."""
    folder = _existing(site.data)
    if site.data.exists() and not site.data.is_dir():
        return wrong("storage-unwritable", folder=str(site.data), why=os.strerror(errno.ENOTDIR))
    try:
        free = shutil.disk_usage(folder).free
        with tempfile.TemporaryFile(dir=folder) as trial:
            trial.write(b"marchwarden")
            trial.flush()
            os.fsync(trial.fileno())
    except OSError as error:
        if error.errno == errno.ENOSPC:
            return wrong("storage-full", folder=str(folder), mb=0)
        return wrong("storage-unwritable", folder=str(folder), why=error.strerror or str(error))
    free_mb = free // 1_000_000
    if free_mb < LEAST_ROOM_MB:
        return wrong("storage-full", folder=str(folder), mb=free_mb)
    return (good if free_mb >= ROOMY_MB else warning)("storage", folder=str(folder), mb=free_mb)


def clock(site: Site) -> Finding:
    shown = site.now.strftime("%Y-%m-%d %H:%M")
    return warning("clock-wrong", now=shown) if site.now < BUILT else good("clock", now=shown)


def _existing(folder: Path) -> Path:
    """The folder itself, or the nearest one above it that is there already."""
    return next(path for path in (folder, *folder.parents) if path.is_dir())
