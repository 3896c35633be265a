"""The page's name in the house, with a real responder and a real question, on this computer's own loop."""

from __future__ import annotations

import pytest
from zeroconf import IPVersion, ServiceInfo, Zeroconf

from firmware.web.announce import SERVICE, Announcement, local_name


def test_a_station_is_found_by_its_name() -> None:
    announcement = Announcement("attic", 8710, ["127.0.0.1"], interfaces=["127.0.0.1"])
    assert announcement.pages == ["http://marchwarden-attic.local:8710/", "http://127.0.0.1:8710/"]
    assert announcement.start() is None
    asking = Zeroconf(interfaces=["127.0.0.1"], ip_version=IPVersion.V4Only)
    try:
        found = asking.get_service_info(SERVICE, f"Marchwarden attic.{SERVICE}", timeout=8000)
        assert isinstance(found, ServiceInfo)
        assert found.server == f"{local_name('attic')}."
        assert (found.port, found.parsed_addresses()) == (8710, ["127.0.0.1"])
    finally:
        asking.close()
        announcement.stop()


def test_an_address_of_the_new_kind_is_told_in_brackets() -> None:
    announcement = Announcement("attic", 8710, ["fd00::7"])
    assert announcement.pages == ["http://marchwarden-attic.local:8710/", "http://[fd00::7]:8710/"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # zeroconf drops its socket unclosed
def test_without_a_network_it_says_so_and_nothing_else_happens() -> None:
    announcement = Announcement("attic", 8710, ["192.0.2.7"], interfaces=["192.0.2.7"])
    assert "use its address" in str(announcement.start())
    announcement.stop()
