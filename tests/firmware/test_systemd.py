"""The services' units: clean by systemd's own check, and little exposed by its own score."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "systemd"
UNIT, HUB = FOLDER / "marchwarden.service", FOLDER / "marchwarden-hub.service"
EACH = pytest.mark.parametrize("unit", [UNIT, HUB], ids=["station", "hub"])
PROGRAM = "/opt/marchwarden/venv/bin/marchwarden"
MOST_EXPOSED = 1.5
MDWE_SET, MDWE_REFUSE = 65, 1  # prctl: PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN


def analyze(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    program = shutil.which("systemd-analyze")
    if program is None:
        missing = "systemd-analyze is not here (Debian's package systemd): the unit was NOT checked"
        if os.environ.get("MARCHWARDEN_REQUIRE_ALL") == "1":
            pytest.fail(missing)
        pytest.skip(missing)
    command = [program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def settings(unit: Path = UNIT) -> dict[str, list[str]]:
    """Each setting of a service with all of its values: systemd lets a line stand several times."""
    found: dict[str, list[str]] = {}
    for line in unit.read_text().splitlines():
        name, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            found.setdefault(name, []).append(value)
    return found


@EACH
def test_systemd_finds_nothing_wrong_with_the_unit(unit: Path, tmp_path: Path) -> None:
    # The check wants the program itself to be there, and it is installed on the station only.
    stand_in = tmp_path / "marchwarden"
    stand_in.write_text("#!/bin/sh\n")
    stand_in.chmod(0o755)
    copy = tmp_path / unit.name
    copy.write_text(unit.read_text().replace(PROGRAM, str(stand_in)))
    checked = analyze("verify", "--recursive-errors=one", copy)
    assert (checked.returncode, checked.stderr) == (0, "")


@EACH
def test_the_service_is_little_exposed(unit: Path) -> None:
    scored = analyze("security", "--offline=yes", "--no-pager", f"--threshold={round(10 * MOST_EXPOSED)}", unit)
    score = re.search(r"Overall exposure level for \S+: ([\d.]+)", scored.stdout)
    assert score is not None, scored.stderr
    assert float(score.group(1)) <= MOST_EXPOSED
    assert scored.returncode == 0


@EACH
def test_the_service_is_watched_and_started_again(unit: Path) -> None:
    found = settings(unit)
    assert found["Type"] == ["notify"]
    assert found["Restart"] == ["always"]
    assert found["StartLimitIntervalSec"] == ["0"], "whatever stops it is mended some day, and nobody says `systemctl`"
    # The loop counts a camera that hangs for ten seconds as lost; systemd must not be quicker than that.
    assert int(found["WatchdogSec"][0]) >= 20


def test_a_slow_first_start_is_not_broken_off() -> None:
    """Drawing the deck takes six seconds of a desktop's time at the first start, and a small Pi is twenty times slower;
    a start that is broken off begins anew, for ever."""
    assert int(settings()["TimeoutStartSec"][0]) >= 5 * 6 * 20


def test_a_camera_that_is_plugged_in_later_is_allowed() -> None:
    """systemd looks up the kinds of devices when a service starts: they must be known to the kernel by then."""
    for setting in ("Wants", "After"):
        loaded = {one for value in settings()[setting] for one in value.split()}
        assert {f"modprobe@{module}.service" for module in ("videodev", "i2c_dev", "spidev")} <= loaded


def test_what_gpiozero_needs_is_left_to_it() -> None:
    found = settings()
    assert "ProcSubset" not in found, "gpiozero reads /proc/cpuinfo"
    assert any(value.startswith("LG_WD=/run/marchwarden") for value in found["Environment"])
    assert {"video", "i2c", "gpio", "spi"} <= set(found["SupplementaryGroups"][0].split())
    allowed = {value.split()[0] for value in found["DeviceAllow"]}
    assert {"char-video4linux", "char-i2c", "char-gpiochip", "char-spi", "char-dma_heap", "char-fb"} <= allowed


def test_games_frames_and_settings_have_a_folder_each() -> None:
    found = settings()
    assert found["StateDirectory"] == found["RuntimeDirectory"] == found["ConfigurationDirectory"] == ["marchwarden"]
    assert found["RuntimeDirectoryPreserve"] == ["yes"]


def test_the_hub_has_the_folder_and_the_files_that_an_event_needs() -> None:
    found = settings(HUB)
    assert found["ExecStart"] == [f"{PROGRAM} event run"]
    assert found["StateDirectory"] == settings()["StateDirectory"]  # where `event init` makes an event
    assert int(found["LimitNOFILE"][0]) > 2 * 2000  # a station is an open file of the broker's
    assert found["ConditionPathExists"] == ["/var/lib/marchwarden/event/mosquitto.conf"]


@EACH
def test_every_section_is_one_that_systemd_knows(unit: Path) -> None:
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(unit.read_text())
    assert parser.sections() == ["Unit", "Service", "Install"]


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's own switch")
def test_the_libraries_load_where_no_memory_may_be_both_written_and_run() -> None:
    """MemoryDenyWriteExecute, without systemd: the same promise asked of the kernel before anything is imported."""
    program = (
        "import ctypes, sys\n"
        f"refused = ctypes.CDLL(None, use_errno=True).prctl({MDWE_SET}, {MDWE_REFUSE}, 0, 0, 0)\n"
        "if refused: sys.exit(77)\n"
        "import cv2, numpy, PIL.Image, pydantic, gpiozero, luma.oled.device, sqlite3, reportlab\n"
        "import cryptography.hazmat.primitives.asymmetric.ec, paho.mqtt.client, rustworkx, uvicorn, segno, zeroconf\n"
        "numpy.linalg.inv(numpy.eye(8)); cv2.blur(numpy.zeros((64, 64), numpy.uint8), (3, 3))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode == 77:
        pytest.skip("this kernel is older than 6.3 and cannot promise it to one process")
    assert done.returncode == 0, done.stderr
