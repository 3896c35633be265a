"""Checks of the parts that the profile names: are their devices there, may they be used, do they answer."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from firmware.doctor.findings import Finding, good, warning, wrong
from firmware.doctor.site import Site
from firmware.drivers import SYSTEM_PACKAGES
from hardware_config.profile import Profile
from hardware_config.settings import FolderCamera, LumaDisplay, Picamera2Camera, V4l2Camera

SPI_PINS = frozenset({7, 8, 9, 10, 11})
LISTERS = (("rpicam-hello", "--list-cameras"), ("libcamera-hello", "--list-cameras"))


def camera(site: Site) -> Finding:
    if site.profile is None:
        return warning("profile-first")
    match site.profile.camera:
        case Picamera2Camera() as settings:
            return _module(site, settings)
        case V4l2Camera(device=device):
            return _node(site, f"/dev/video{device}" if isinstance(device, int) else device, "camera-usb-missing")
        case FolderCamera(path=path):
            found = Path(path).exists()
            return good("camera-folder", path=path) if found else wrong("camera-folder-missing", path=path)
        case _:
            return good("camera-simulated")


def _module(site: Site, settings: Picamera2Camera) -> Finding:
    """A module on the ribbon. It is only asked for by name: opening it would take it from a station that runs."""
    if not site.probe.has_module("picamera2") or not site.probe.has_module("libcamera"):
        return wrong("picamera2-missing")
    for lister in LISTERS:
        listed = site.probe.output(lister)
        if listed is None:
            continue
        names = re.findall(r"^\s*(\d+) : (\S+)", listed, re.MULTILINE)
        if len(names) <= settings.camera:
            return wrong("camera-module-missing", number=settings.camera)
        return good("camera-module", name=names[settings.camera][1])
    nodes = sorted(site.at("/dev").glob("media*"))
    return warning("camera-unlisted") if nodes else wrong("camera-module-missing", number=settings.camera)


def i2c(site: Site) -> Iterator[Finding]:
    """Every bus that the profile uses: there, allowed, and everybody on it answering."""
    for bus, wanted in _buses(site.profile).items():
        node = site.at(f"/dev/i2c-{bus}")
        problem = _usable(site, node, "i2c-off", "i2c")
        if problem is not None:
            yield problem
            continue
        try:
            found = site.probe.answering(node)
        except OSError as error:
            yield wrong("i2c-failing", bus=bus, why=error.strerror or str(error))
            continue
        silent = [address for address in wanted if address not in found]
        answers = _hex(found) or "–"
        if silent:
            yield wrong("i2c-silent", bus=bus, address=_hex(silent), found=answers)
        else:
            yield good("i2c", bus=bus, found=answers)


def spi(site: Site) -> Iterator[Finding]:
    for port, device in sorted(_spi_devices(site.profile)):
        node = site.at(f"/dev/spidev{port}.{device}")
        problem = _usable(site, node, "spi-off", "spi") or _library(site, "spidev")
        yield problem or good("spi", device=f"spidev{port}.{device}")


def display(site: Site) -> Iterator[Finding]:
    """Whether luma knows the displays of the profile, and has what it drives their pins with."""
    from firmware.drivers.display_luma import known

    for one in () if site.profile is None else site.profile.display:
        if not isinstance(one, LumaDisplay):
            continue
        if one.options.display not in known():
            yield wrong("display-unknown", name=one.options.display, known=", ".join(known()))
        else:
            problem = _library(site, "RPi") if one.pins() else None
            yield problem or good("display", name=one.options.display)


def gpio(site: Site) -> Iterator[Finding]:
    if site.profile is None or not any(settings.pins() for _, settings in site.profile.parts()):
        return
    chips = sorted(site.at("/dev").glob("gpiochip*"))
    problem = _usable(site, chips[0] if chips else site.at("/dev/gpiochip0"), "gpio-missing", "gpio")
    if problem is not None:
        yield problem
    elif taken := _taken_by_spi(site):
        yield wrong("spi-in-the-way", pins=", ".join(map(str, taken)))
    else:
        yield _library(site, "lgpio") or good(
            "gpio", pins=sum(len(settings.pins()) for _, settings in site.profile.parts())
        )


def _taken_by_spi(site: Site) -> list[int]:
    """Pins that the profile wants for itself while the kernel has them for SPI."""
    if site.profile is None or not site.at("/dev/spidev0.0").exists() or _spi_devices(site.profile):
        return []
    return sorted(pin for _, settings in site.profile.parts() for pin in settings.pins().values() if pin in SPI_PINS)


def fonts(site: Site) -> Finding:
    """The typefaces that screens and sheets are written in, tried with the letters of all three languages."""
    from PIL import ImageFont

    from firmware.printing.fonts import FILES, font_file

    try:
        for font in FILES:
            ImageFont.truetype(str(font_file(font)), 12).getbbox("ÉÑç¿")
    except OSError as error:
        return wrong("fonts-missing", why=str(error))
    return good("fonts")


def _node(site: Site, device: str, missing: str) -> Finding:
    return _usable(site, site.at(device), missing, "video") or good("camera-usb", device=device)


def _library(site: Site, module: str) -> Finding | None:
    """What is said of a library that Python does not find."""
    if site.probe.has_module(module):
        return None
    return wrong("library-missing", name=module, package=SYSTEM_PACKAGES[module])


def _usable(site: Site, node: Path, missing: str, group: str) -> Finding | None:
    """What keeps us from a device, if anything does."""
    shown = f"/{node.relative_to(site.root)}"
    if not node.exists():
        return wrong(missing, device=shown)
    if not os.access(node, os.R_OK | os.W_OK):
        return wrong("not-allowed", device=shown, group=group)
    return None


def _buses(profile: Profile | None) -> dict[int, list[int]]:
    """The addresses that must answer on each bus."""
    found: dict[int, list[int]] = {}
    for _, settings in profile.parts() if profile is not None else ():
        for bus, address in settings.bus_addresses():
            found.setdefault(int(bus.rsplit(" ", 1)[1]), []).append(address)
    return found


def _spi_devices(profile: Profile | None) -> set[tuple[int, int]]:
    if profile is None:
        return set()
    found = {
        (int(one.option("spi_port", 0)), int(one.option("spi_device", 0)))
        for one in profile.display
        if isinstance(one, LumaDisplay) and one.bus() == "spi" and one.options.interface != "bitbang"
    }
    if profile.lamps.driver == "apa102":
        found.add((profile.lamps.spi_port, profile.lamps.spi_device))
    return found


def _hex(addresses: tuple[int, ...] | list[int]) -> str:
    return ", ".join(f"0x{address:02X}" for address in addresses)
