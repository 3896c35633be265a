"""Where a station keeps things: decks, games, settings. Each can be said otherwise by an environment variable."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

NAME = "marchwarden"


def decks() -> Path:
    """Enrolled decks (`MARCHWARDEN_DECKS`)."""
    return _of("MARCHWARDEN_DECKS", data() / "decks")


def data() -> Path:
    """Games and whatever else must outlive the program (`MARCHWARDEN_DATA`; systemd's StateDirectory)."""
    state = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    return _of("MARCHWARDEN_DATA", Path(state) if state else Path(platformdirs.user_data_dir(NAME)))


def journal() -> Path:
    """The journal of all games (`MARCHWARDEN_JOURNAL`)."""
    return _of("MARCHWARDEN_JOURNAL", data() / "journal.db")


def event() -> Path:
    """The hub of an event, where one runs here (`MARCHWARDEN_EVENT`)."""
    return _of("MARCHWARDEN_EVENT", data() / "event")


def calibration() -> Path:
    """What was measured of the camera over this table (`MARCHWARDEN_CALIBRATION`)."""
    return _of("MARCHWARDEN_CALIBRATION", data() / "calibration.json")


def chosen_table() -> Path:
    """Which game lies on the table, where it is another than the profile's (`MARCHWARDEN_TABLE`)."""
    return _of("MARCHWARDEN_TABLE", data() / "table.json")


def pin() -> Path:
    """The page's PIN, where neither a display nor a terminal shows it (`MARCHWARDEN_PIN_FILE`)."""
    return _of("MARCHWARDEN_PIN_FILE", data() / "page-pin.txt")


def frames() -> Path:
    """The last frames, for a bug report (`MARCHWARDEN_FRAMES`): in memory where the system offers that."""
    memory = os.environ.get("XDG_RUNTIME_DIR")
    folder = Path(memory) / NAME if memory else Path(platformdirs.user_cache_dir(NAME))
    return _of("MARCHWARDEN_FRAMES", folder / "frames")


def overrides() -> Path:
    """The user's own hardware settings (`MARCHWARDEN_HARDWARE`; systemd's ConfigurationDirectory)."""
    configured = os.environ.get("CONFIGURATION_DIRECTORY", "").split(":")[0]
    folder = Path(configured) if configured else Path(platformdirs.user_config_dir(NAME))
    return _of("MARCHWARDEN_HARDWARE", folder / "hardware.toml")


def _of(variable: str, default: Path) -> Path:
    given = os.environ.get(variable)
    return Path(given) if given else default
