"""A broker for the tests that need one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.event.mosquitto import Mosquitto


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker without passwords, for this machine alone."""
    broker = Mosquitto(tmp_path)
    broker.start()
    yield broker
    broker.kill()
