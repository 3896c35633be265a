"""The doctor at a Pi made of files: each fault is found, said in three languages, and gone when it was mended."""

from __future__ import annotations

import errno
import json
import os
import string
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.calibration import Calibration
from firmware.cli.doctor import command
from firmware.clocks import SimulatedClock
from firmware.doctor.examine import CHECKS, examine
from firmware.doctor.findings import Finding, State, catalogue
from firmware.doctor.site import Site
from firmware.doctor.stores import UNIT
from firmware.faults import JournalUnwritable
from firmware.journal import Journal, Kind, Line, Reader
from firmware.messages import LANGUAGES
from hardware_config.load import load
from hardware_config.settings import LumaDisplay, LumaOptions, MqttBroker

MODULE = "Available cameras\n-----------------\n0 : imx708 [4608x2592 10-bit RGGB] (/base/soc/i2c0mux)\n"


@dataclass
class Bench:
    """The things of a Pi that are no files, as they are set."""

    addresses: tuple[int, ...] = (0x3C,)
    outputs: dict[str, str] = field(default_factory=lambda: {"vcgencmd": "throttled=0x0", "rpicam-hello": MODULE})
    modules: frozenset[str] = frozenset({"picamera2", "libcamera", "lgpio", "spidev", "RPi"})
    port_free: bool = True
    hub_answers: bool = True
    is_let_in: bool = True
    failing: OSError | None = None

    def answering(self, device: Path) -> tuple[int, ...]:
        if self.failing is not None:
            raise self.failing
        return self.addresses

    def output(self, command: Sequence[str]) -> str | None:
        return self.outputs.get(command[0])

    def has_module(self, name: str) -> bool:
        return name in self.modules

    def is_free(self, host: str, port: int) -> bool:
        return self.port_free

    def answers(self, host: str, port: int) -> bool:
        return self.hub_answers

    def lets_in(self, broker: MqttBroker) -> bool:
        return self.is_let_in


@dataclass
class Pi:
    """A healthy Pi 4 with the profile pi-oled, laid out in a folder."""

    root: Path
    bench: Bench = field(default_factory=Bench)
    profile: str = "pi-oled"

    def __post_init__(self) -> None:
        self.write("/etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_ID="12"\n')
        self.write("/proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.5\0")
        self.write("/proc/meminfo", "MemTotal: 3884512 kB\nMemAvailable:    2884512 kB\n")
        for device in ("i2c-1", "gpiochip0", "media0", "video0"):
            self.write(f"/dev/{device}", "")
        (self.root / "data").mkdir()
        self.site = Site(
            load(self.profile).profile,
            self.root / "data",
            self.root / "data" / "decks",
            self.root / "data" / "journal.db",
            self.root / "data" / "calibration.json",
            root=self.root,
            probe=self.bench,
            now=datetime(2026, 6, 1, tzinfo=UTC),
        )
        self.calibrate()

    def write(self, path: str, content: str) -> None:
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)

    def remove(self, path: str) -> None:
        (self.root / path.lstrip("/")).unlink()

    def calibrate(self) -> None:
        camera = Calibration("2026-05-01T10:00:00", "picamera2", (2304, 1296), 2.8, 0.21, 0.9, (0.0, 0.0))
        camera.save(self.site.calibration)

    def use(self, profile: str) -> None:
        self.site = replace(self.site, profile=load(profile).profile)

    def findings(self) -> dict[str, Finding]:
        return {finding.name: finding for _, finding in examine(self.site)}

    def wrong(self) -> set[str]:
        return {name for name, finding in self.findings().items() if finding.state is State.WRONG}


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def test_a_healthy_station_has_nothing_wrong(pi: Pi) -> None:
    assert {name for name, finding in pi.findings().items() if finding.state is not State.GOOD} <= {"storage"}
    assert pi.findings()["camera-module"].says("en") == "module imx708"


FAULTS: list[tuple[str, Callable[[Pi], None]]] = [
    ("board-missing", lambda pi: pi.write("/proc/device-tree/model", "Some other board")),
    ("memory-low", lambda pi: pi.write("/proc/meminfo", "MemAvailable: 40000 kB\n")),
    ("power-low", lambda pi: pi.bench.outputs.update(vcgencmd="throttled=0x50005")),
    ("camera-module-missing", lambda pi: pi.bench.outputs.update({"rpicam-hello": "No cameras available!\n"})),
    ("picamera2-missing", lambda pi: setattr(pi.bench, "modules", frozenset({"lgpio"}))),
    ("library-missing", lambda pi: setattr(pi.bench, "modules", frozenset({"picamera2", "libcamera"}))),
    ("i2c-off", lambda pi: pi.remove("/dev/i2c-1")),
    ("i2c-silent", lambda pi: setattr(pi.bench, "addresses", (0x3D,))),
    ("i2c-failing", lambda pi: setattr(pi.bench, "failing", OSError(5, "Input/output error"))),
    ("gpio-missing", lambda pi: pi.remove("/dev/gpiochip0")),
    ("page-taken", lambda pi: setattr(pi.bench, "port_free", False)),
    ("calibration-bad", lambda pi: pi.write("/data/calibration.json", "{")),
]


@pytest.mark.parametrize(("name", "spoil"), FAULTS, ids=[name for name, _ in FAULTS])
def test_a_fault_is_found_and_nothing_else(pi: Pi, name: str, spoil: Callable[[Pi], None]) -> None:
    spoil(pi)
    assert pi.wrong() == {name}
    finding = pi.findings()[name]
    assert len({finding.says(language) + finding.mend(language) for language in LANGUAGES}) == len(LANGUAGES)
    assert all(finding.mend(language) for language in LANGUAGES)


def test_an_address_that_answers_instead_is_named(pi: Pi) -> None:
    pi.bench.addresses = (0x3D,)
    said = pi.findings()["i2c-silent"].says("en")
    assert "0x3C does not answer" in said
    assert "0x3D" in said


@pytest.mark.parametrize(
    ("bits", "name"), [("0x0", "power"), ("0x50000", "power-was-low"), ("0x1", "power-low"), ("0x8", "too-hot")]
)
def test_the_bits_of_the_supply_are_told_apart(pi: Pi, bits: str, name: str) -> None:
    pi.bench.outputs["vcgencmd"] = f"throttled={bits}"
    assert name in pi.findings()


def test_without_vcgencmd_the_kernels_own_sensor_counts(pi: Pi) -> None:
    del pi.bench.outputs["vcgencmd"]
    pi.write("/sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    pi.write("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    assert pi.wrong() == {"power-low"}
    pi.write("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n")
    assert pi.wrong() == set()


def test_a_strip_needs_spi(pi: Pi) -> None:
    pi.use("pi-strip")
    assert pi.wrong() == {"spi-off"}
    pi.write("/dev/spidev0.0", "")
    assert pi.wrong() == set()


@pytest.mark.parametrize(("module", "package"), [("spidev", "python3-spidev"), ("RPi", "python3-rpi-lgpio")])
def test_a_colour_display_needs_the_libraries_of_its_pins(pi: Pi, module: str, package: str) -> None:
    pi.use("pi-lcd")
    pi.write("/dev/spidev0.0", "")
    assert pi.wrong() == set()
    pi.bench.modules -= {module}
    assert pi.wrong() == {"library-missing"}
    assert f"apt install {package}" in pi.findings()["library-missing"].mend("en")


def test_a_display_that_luma_does_not_know_is_named(pi: Pi) -> None:
    profile = load("pi-oled").profile
    odd = LumaDisplay(driver="luma", options=LumaOptions(display="sdd1306"))
    pi.site = replace(pi.site, profile=profile.model_copy(update={"display": (odd,)}))
    assert pi.wrong() == {"display-unknown"}
    assert "ssd1306" in pi.findings()["display-unknown"].mend("en")


def test_spi_that_nobody_uses_is_in_the_way_of_lamps_on_its_pins(pi: Pi) -> None:
    pi.write("/dev/spidev0.0", "")
    assert pi.wrong() == {"spi-in-the-way"}
    assert "7, 8, 9, 10, 11" in pi.findings()["spi-in-the-way"].says("en")


def test_a_usb_camera_is_looked_for_by_its_number(pi: Pi) -> None:
    pi.use("webcam")
    assert "camera-usb" in pi.findings()
    pi.remove("/dev/video0")
    assert "camera-usb-missing" in pi.wrong()


def test_a_clock_that_was_never_set_is_worth_knowing(pi: Pi) -> None:
    pi.site = replace(pi.site, now=datetime(1970, 1, 1, tzinfo=UTC))
    assert pi.findings()["clock-wrong"].state is State.WARNING


def test_a_calibration_of_another_camera_does_not_count(pi: Pi) -> None:
    pi.use("webcam")
    assert pi.findings()["calibration-other"].state is State.WARNING


def test_a_deck_that_was_never_enrolled_is_named_with_what_to_say(pi: Pi) -> None:
    profile = pi.site.profile
    assert profile is not None
    table = profile.table.model_copy(update={"deck": "grandmother"})
    pi.site = replace(pi.site, profile=profile.model_copy(update={"table": table}))
    assert pi.wrong() == {"deck-missing"}
    assert "marchwarden enroll grandmother" in pi.findings()["deck-missing"].mend("fr")


def test_a_journal_that_was_changed_is_found(pi: Pi) -> None:
    journal = Journal(pi.site.journal, SimulatedClock())
    number = journal.begin({"game": "schotten-totten"})
    journal.append(number, [Line(Kind.FACT, "A g5@3")])
    journal.close()
    assert pi.findings()["journal"].says("en").startswith("2 entries")
    import sqlite3

    with sqlite3.connect(pi.site.journal) as db:
        db.execute("UPDATE entries SET line = 'A g6@3' WHERE seq = 2")
    db.close()
    assert pi.wrong() == {"journal-damaged"}


def test_a_page_that_the_station_itself_serves_is_fine(pi: Pi) -> None:
    pi.bench.port_free = False
    journal = Journal(pi.site.journal, SimulatedClock())
    assert pi.findings()["page-served"].state is State.GOOD
    journal.close()
    assert pi.wrong() == {"page-taken"}


def test_an_installed_service_must_run(pi: Pi) -> None:
    pi.write(UNIT, "[Service]\n")
    pi.bench.outputs["systemctl"] = "failed\n"
    assert pi.wrong() == {"service-down"}
    pi.bench.outputs["systemctl"] = "active\n"
    assert pi.wrong() == set()


def test_an_event_that_was_joined_must_be_open_to_the_service_as_well(pi: Pi) -> None:
    assert "event-none" in pi.findings()
    assert pi.site.profile is not None
    broker = MqttBroker(host="hub.local", station="table-7", password_file="/etc/marchwarden/event/password")
    pi.site = replace(pi.site, profile=pi.site.profile.model_copy(update={"broker": broker}))
    assert pi.wrong() == {"event-file"}
    pi.write("/etc/marchwarden/event/password", "secret")
    password = pi.site.at("/etc/marchwarden/event/password")
    password.chmod(0o600)
    assert pi.findings()["event"].state is State.GOOD
    pi.write(UNIT, "[Service]\n")
    pi.bench.outputs["systemctl"] = "active\n"
    assert pi.wrong() == {"event-file"}  # the service is somebody else
    password.chmod(0o640)
    assert pi.wrong() == set()
    pi.bench.is_let_in = False
    assert pi.wrong() == {"event-refused"}
    pi.bench.hub_answers = False
    assert pi.findings()["event-away"].state is State.WARNING


def test_a_folder_that_cannot_be_written_is_named(pi: Pi) -> None:
    pi.site = replace(pi.site, data=Path("/proc/self"))
    assert "storage-unwritable" in pi.wrong()
    pi.site = replace(pi.site, data=Path(__file__))
    assert "storage-unwritable" in pi.wrong()


def test_a_disk_without_room_is_full_and_not_dying(pi: Pi, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    assert "storage-full" in pi.wrong()


def test_every_mistake_of_a_profile_is_a_finding_of_its_own(pi: Pi) -> None:
    pi.site = replace(pi.site, profile=None, mistakes=("camera.exposure is not a setting", "GPIO 4 is used twice"))
    said = [finding.says("en") for check, finding in examine(pi.site) if check == "profile"]
    assert said == list(pi.site.mistakes)


def test_a_check_that_hangs_holds_nobody_up(pi: Pi) -> None:
    forever = threading.Event()

    def hangs(site: Site) -> Finding:
        forever.wait()
        raise RuntimeError("nobody is left to hear this")

    start = time.monotonic()
    found = list(examine(pi.site, {"camera": (hangs, 0.05), "clock": CHECKS["clock"]}))
    assert time.monotonic() - start < 5
    assert [finding.name for _, finding in found] == ["late", "clock"]


def test_a_bug_in_a_check_is_not_taken_for_a_fault_of_the_station(pi: Pi) -> None:
    def broken(site: Site) -> Finding:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(examine(pi.site, {"os": (broken, 1.0)}))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_words_with_the_same_blanks(language: str) -> None:
    def shape(of: str) -> dict[str, dict[str, dict[str, set[str]]]]:
        blanks = string.Formatter().parse
        return {
            "report": {name: {"": {b for _, b, _, _ in blanks(t) if b}} for name, t in catalogue(of)["report"].items()},
            "checks": {name: {} for name in catalogue(of)["checks"]},
            "findings": {
                name: {part: {b for _, b, _, _ in blanks(text) if b} for part, text in entry.items()}
                for name, entry in catalogue(of)["findings"].items()
            },
        }

    assert shape(language) == shape("en")
    assert set(catalogue(language)["checks"]) == set(CHECKS)


def test_the_command_answers_with_one_document_and_no_when_something_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARCHWARDEN_DATA", str(tmp_path))
    monkeypatch.setenv("MARCHWARDEN_HARDWARE", str(tmp_path / "hardware.toml"))
    healthy = CliRunner().invoke(command, ["--json"])
    assert json.loads(healthy.stdout)["good"] is (healthy.exit_code == 0)
    (tmp_path / "hardware.toml").write_text("[camera]\nexposure = 3\n")
    ill = CliRunner().invoke(command, ["--json"])
    assert ill.exit_code == 1
    document = json.loads(ill.stdout)
    assert document["good"] is False
    assert "exposure" in next(one["says"] for one in document["findings"] if one["check"] == "profile")
    spoken = CliRunner().invoke(command, ["--lang", "fr"])
    assert "à faire" in spoken.stdout


def test_a_part_of_the_program_that_is_missing_is_a_finding_and_the_other_checks_go_on(pi: Pi) -> None:
    def incomplete(site: Site) -> Finding:
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")

    found = list(examine(pi.site, {"deck": (incomplete, 1.0), "clock": CHECKS["clock"]}))
    assert [finding.name for _, finding in found] == ["incomplete", "clock"]
    assert "numpy" in found[0][1].says("fr")


def test_a_check_that_may_not_look_says_so_and_the_others_go_on(pi: Pi, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for whoever is not in the station's group: its folder is closed to everybody else."""

    def closed(path: Path, *_: object, **__: object) -> str:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(Path, "is_file", closed)
    monkeypatch.setattr(Path, "read_text", closed)
    stores = ("deck", "calibration", "journal", "clock")
    found = list(examine(pi.site, {name: CHECKS[name] for name in stores}))
    assert [finding.name for _, finding in found] == ["forbidden"] * 3 + ["clock"]
    assert str(pi.site.journal) in found[2][1].says("es")
    with pytest.raises(JournalUnwritable, match="cannot be read"):
        Reader(pi.site.journal)
