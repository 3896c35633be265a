"""Installing, mending and taking away, laid out in a folder of its own: every step is seen before any is done."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

PROJECT = Path(__file__).parents[2]
SCRIPT = PROJECT / "systemd" / "install.py"
Command = tuple[str, ...]


@pytest.fixture(scope="module")
def install() -> ModuleType:
    spec = importlib.util.spec_from_file_location("station_install", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # a dataclass looks its module up by name
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """A Raspberry Pi OS 12 as it comes: the camera is found at boot, the buses are off."""
    files = {
        "etc/os-release": 'ID=debian\nVERSION_ID="12"\n',
        "etc/passwd": "root:x:0:0::/root:/bin/bash\n",
        "proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
        "boot/firmware/config.txt": "camera_auto_detect=1\n#dtparam=i2c_arm=on\n",
        "usr/bin/raspi-config": "",
    }
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return tmp_path


def yes(question: str) -> bool:
    return True


def no(question: str) -> bool:
    return False


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "SUDO_USER"}
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)


def test_a_dry_run_names_every_step_and_does_none(pi: Path) -> None:
    before = sorted(pi.rglob("*"))
    done = run("--root", pi, "--dry-run", "--yes", "install")
    assert done.returncode == 0
    for said in ("python3-picamera2", "--system-site-packages", "raspi-config nonint do_i2c 0", "systemctl enable"):
        assert said in done.stdout
    assert sorted(pi.rglob("*")) == before


def test_files_are_laid_out_where_the_service_expects_them(pi: Path, install: ModuleType) -> None:
    done = run("--root", pi, "--yes", "install")
    assert done.returncode == 0, done.stderr
    unit = (pi / install.UNIT.lstrip("/")).read_text()
    assert unit == (PROJECT / "systemd" / "marchwarden.service").read_text()
    assert f"ExecStart={install.VENV}/bin/marchwarden run" in unit
    wrapper = pi / install.WRAPPER.lstrip("/")
    assert os.access(wrapper, os.X_OK)
    assert subprocess.run(["sh", "-n", wrapper], check=False).returncode == 0
    assert (pi / "etc/marchwarden/hardware.toml").read_text() == 'profile = "pi-oled"\n'
    source = pi / "opt/marchwarden/source"
    assert (source / "pyproject.toml").is_file()
    assert not list(source.rglob("__pycache__"))


def test_installing_again_mends_and_keeps_your_settings(pi: Path) -> None:
    run("--root", pi, "install")
    settings, unit = pi / "etc/marchwarden/hardware.toml", pi / "etc/systemd/system/marchwarden.service"
    settings.write_text('profile = "webcam"\n')
    unit.write_text("[Service]\n")
    assert run("--root", pi, "install").returncode == 0
    assert settings.read_text() == 'profile = "webcam"\n'
    assert "WatchdogSec" in unit.read_text()


def test_a_profile_that_there_is_not_is_refused_before_anything_is_done(pi: Path) -> None:
    before = sorted(pi.rglob("*"))
    done = run("--root", pi, "--profile", "pi-olde", "install")
    assert done.returncode == 2
    assert done.stderr.startswith("install: there is no profile 'pi-olde'; there are pi-expander, pi-lcd, pi-oled")
    assert sorted(pi.rglob("*")) == before


def test_another_profile_than_the_owners_is_not_passed_over_in_silence(pi: Path) -> None:
    assert run("--root", pi, "--profile", "pi-strip", "install").returncode == 0
    done = run("--root", pi, "--profile", "pi-lcd", "install")
    assert done.returncode == 2
    assert "hardware.toml begins from 'pi-strip' and is never changed; name 'pi-lcd' there" in done.stderr
    for again in (("--profile", "pi-strip"), ()):
        assert run("--root", pi, *again, "install").returncode == 0


def test_uninstalling_leaves_games_decks_and_settings(pi: Path) -> None:
    run("--root", pi, "install")
    journal = pi / "var/lib/marchwarden/journal.db"
    journal.parent.mkdir(parents=True)
    journal.write_bytes(b"games")
    done = run("--root", pi, "uninstall")
    assert done.returncode == 0
    assert journal.read_bytes() == b"games"
    assert (pi / "etc/marchwarden/hardware.toml").is_file()
    assert not (pi / "opt/marchwarden").exists()
    assert not (pi / "usr/local/bin/marchwarden").exists()
    assert "/var/lib/marchwarden" in done.stdout
    assert run("--root", pi, "uninstall").returncode == 0, "there is nothing left to take away, and that is fine"


def test_buses_are_switched_on_with_consent_only(pi: Path, install: ModuleType) -> None:
    machine = install.look_at(pi)
    refused = [step.command for step in install.installing(machine, "pi-oled", no)]
    assert not any("raspi-config" in command for command in refused)
    agreed = [step.command for step in install.installing(machine, "pi-oled", yes)]
    assert ("raspi-config", "nonint", "do_i2c", "0") in agreed


@pytest.mark.parametrize(
    ("profile", "buses"),
    [
        ("pi-oled", ("i2c",)),
        ("pi-strip", ("i2c", "spi")),
        ("pi-lcd", ("spi",)),
        ("webcam", ()),
        ("my.own", ("i2c", "spi")),
    ],
)
def test_only_the_buses_that_the_profile_uses_are_switched_on(
    install: ModuleType, profile: str, buses: tuple[str, ...]
) -> None:
    """SPI takes the pins on which pi-oled has lamps."""
    assert install.buses_of(profile) == buses


@pytest.mark.parametrize(("profile", "wanted"), [("pi-oled", False), ("pi-strip", True), ("pi-lcd", True)])
def test_what_drives_spi_is_installed_where_the_profile_has_it(
    pi: Path, install: ModuleType, profile: str, wanted: bool
) -> None:
    (packages,) = [
        set(step.command) for step in install.installing(install.look_at(pi), profile, no) if "install" in step.command
        and step.command[0] == "apt-get"
    ]  # fmt: skip
    assert packages >= {"python3-lgpio", "python3-picamera2"}
    assert ({"python3-spidev", "python3-rpi-lgpio"} <= packages) is wanted


def test_settings_of_ones_own_choose_the_buses(pi: Path, install: ModuleType) -> None:
    (pi / "etc/marchwarden").mkdir(parents=True)
    (pi / "etc/marchwarden/hardware.toml").write_text('profile = "pi-strip"\n')
    commands = [step.command for step in install.installing(install.look_at(pi), "pi-oled", yes)]
    assert ("raspi-config", "nonint", "do_spi", "0") in commands


def test_what_is_on_already_is_not_asked_about(pi: Path, install: ModuleType) -> None:
    (pi / "boot/firmware/config.txt").write_text("dtparam=i2c_arm=on\ndtparam=spi=on\ncamera_auto_detect=1\n")
    asked: list[str] = []

    def ask(question: str) -> bool:
        asked.append(question)
        return True

    list(install.installing(install.look_at(pi), "pi-oled", ask))
    assert asked == []


def test_without_raspi_config_the_boot_file_gets_a_line(pi: Path, install: ModuleType) -> None:
    (pi / "usr/bin/raspi-config").unlink()
    steps = list(install.installing(install.look_at(pi), "pi-oled", yes))
    install.perform(steps, pi, None)
    config = (pi / "boot/firmware/config.txt").read_text()
    assert config.startswith("camera_auto_detect=1\n")
    assert config.splitlines().count("dtparam=i2c_arm=on") == 1


@pytest.mark.parametrize(("debian", "pinned"), [("12", True), ("13", False)])
def test_numpy_stays_at_one_where_picamera2_was_built_with_it(
    pi: Path, install: ModuleType, debian: str, pinned: bool
) -> None:
    (pi / "etc/os-release").write_text(f'ID=debian\nVERSION_ID="{debian}"\n')
    steps = list(install.installing(install.look_at(pi), "pi-oled", no))
    (pip,) = [step.command for step in steps if "--upgrade" in step.command]
    assert ("numpy>=1.26,<2" in pip) is pinned


def test_a_step_that_fails_ends_it_and_is_named(pi: Path, install: ModuleType) -> None:
    done: list[Command] = []

    def fails_at_pip(command: Command) -> int:
        done.append(command)
        return 1 if command[0].endswith("pip") else 0

    failed = install.perform(list(install.installing(install.look_at(pi), "pi-oled", no)), pi, fails_at_pip)
    assert len(failed) == 1
    assert "the program" in failed[0]
    assert not any(command[0] == "systemctl" for command in done)
    assert not (pi / "etc/systemd/system/marchwarden.service").exists()


def test_a_service_that_does_not_start_yet_is_no_failed_installation(pi: Path, install: ModuleType) -> None:
    def fails_to_start(command: Command) -> int:
        return 1 if install.START in command else 0

    steps = list(install.installing(install.look_at(pi), "pi-oled", no))
    failed = install.perform(steps, pi, fails_to_start)
    assert [step.optional for step in steps if str(step) in failed] == [True]


def test_somebody_without_rights_is_told_what_to_say(
    install: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert install.main(["install"]) == 2
    assert "sudo make install" in capsys.readouterr().err


def test_make_calls_it_with_what_was_said(pi: Path) -> None:
    command = ["make", "-s", "-C", str(PROJECT), f"PYTHON={sys.executable}", f"DESTDIR={pi}", "DRY_RUN=1", "uninstall"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "/opt/marchwarden" in done.stdout


@pytest.mark.parametrize(("left", "is_remade"), [("whole", False), ("who", True), (None, True)])
def test_an_environment_with_gaps_is_made_anew(
    pi: Path, install: ModuleType, left: str | None, is_remade: bool
) -> None:
    """pip takes a package for installed as long as its own notes of it are there."""
    site = pi / install.VENV.lstrip("/") / "lib/python3.13/site-packages"
    (site / "part-1.0.dist-info").mkdir(parents=True)
    (site / "part-1.0.dist-info/RECORD").write_text("part.py,sha256=abc,5\n__pycache__/part.pyc,,\n")
    if left is not None:
        (site / "part.py").write_text(left)
    steps = install.installing(install.look_at(pi), "pi-oled", no)
    (made,) = [step.command for step in steps if "venv" in step.command]
    assert ("--clear" in made) is is_remade


def test_what_failed_too_often_is_started_once_it_is_mended(
    pi: Path, install: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    systemctl = pi / "bin/systemctl"
    systemctl.parent.mkdir()
    systemctl.write_text(f'#!/bin/sh\necho "$*" >> {pi}/said\n[ "$1" = restart ]\n')
    systemctl.chmod(0o755)
    monkeypatch.setenv("PATH", str(systemctl.parent), prepend=os.pathsep)
    (start,) = [step for step in install.installing(install.look_at(pi), "pi-oled", no) if step.why == "start now"]
    assert install.perform([start], pi, install._run) == []
    assert [line.split()[0] for line in (pi / "said").read_text().splitlines()] == ["reset-failed", "restart"]
