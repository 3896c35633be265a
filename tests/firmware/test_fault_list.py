"""Every fault that is known has a test that shows its words and its way back."""

from __future__ import annotations

from tests.firmware.fault_list import FAULTS, shown


def test_every_known_fault_is_shown_by_a_test() -> None:
    assert [fault for fault in FAULTS if fault not in shown()] == []


def test_every_fault_that_a_test_names_is_a_known_one() -> None:
    assert sorted(shown().keys() - set(FAULTS)) == []
    assert len(set(FAULTS)) == len(FAULTS) == 78
