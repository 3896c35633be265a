"""A table to sit down at, for tests of what is said there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.firmware.sitting import Sitting


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Callable[[str], Sitting]]:
    sat: list[Sitting] = []

    def start(rules: str) -> Sitting:
        sat.append(Sitting(tmp_path, rules))
        return sat[-1]

    yield start
    for one in sat:
        one.get_up()


@pytest.fixture
def sitting(tmp_path: Path) -> Iterator[Sitting]:
    """A base game that somebody has sat down to."""
    one = Sitting(tmp_path)
    yield one
    one.get_up()
