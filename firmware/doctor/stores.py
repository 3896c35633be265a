"""Checks of what the station keeps and serves: settings, deck, calibration, journal, page, event, service."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from firmware.doctor.findings import Finding, good, warning, wrong
from firmware.doctor.site import Site

UNIT = "/etc/systemd/system/marchwarden.service"


def profile(site: Site) -> list[Finding]:
    if site.profile is None:
        return [wrong("profile-mistake", mistake=mistake) for mistake in site.mistakes]
    return [good("profile", name=site.profile.name, description=site.profile.description)]


def deck(site: Site) -> Finding:
    """Whether the deck of the profile can be read and has every card that its game needs."""
    from firmware.cli.enroll import missing_from
    from firmware.decks import DRAWN, drawn_name
    from vision.deck import BadDeck, Deck, enrolled, path_of

    if site.profile is None:
        return warning("profile-first")
    name = site.profile.table.deck
    drawn = name == DRAWN
    name = drawn_name(site.profile.table.game) if drawn else name
    try:
        path = path_of(name, site.decks)
        if not path.is_file():
            if drawn:
                return good("deck-drawn")
            return wrong("deck-missing", deck=name, known=", ".join((DRAWN, *enrolled(site.decks))))
        found = Deck.load(path)
    except BadDeck as error:
        return wrong("deck-bad", deck=name, why=str(error))
    missing, _ = missing_from({*found.codes, *found.tiles_bgr})
    if missing:
        return warning("deck-partial", deck=name, missing=", ".join(missing[:8]), count=len(missing))
    return good("deck", deck=name, count=len(found.codes) - len(found.backs))


def calibration(site: Site) -> Finding:
    from firmware.calibration import BadCalibration, Calibration

    if site.profile is None:
        return warning("profile-first")
    camera = site.profile.camera
    if camera.driver == "simulated" or camera.driver == "folder":
        return good("calibration-not-needed")
    try:
        saved = Calibration.load(site.calibration)
    except BadCalibration as error:
        return wrong("calibration-bad", why=str(error))
    if saved is None:
        return warning("calibration-none")
    if saved.driver != camera.driver or saved.size != camera.size:
        return warning("calibration-other", camera=saved.driver)
    return good("calibration", date=saved.at[:10], error_mm=f"{saved.error_mm:.2f}", px_per_mm=f"{saved.px_per_mm:.1f}")


def journal(site: Site) -> Finding:
    """Follows the chain. A journal that is being written to may be read all the same."""
    from firmware.faults import JournalDamaged, JournalFault
    from firmware.journal import Reader

    if not site.journal.is_file():
        return good("journal-none", path=str(site.journal))
    try:
        reader = Reader(site.journal)
        try:
            reader.verify()
            count = sum(1 for _ in reader.entries())
        finally:
            reader.close()
    except JournalDamaged as fault:
        return wrong("journal-damaged", why=str(fault))
    except JournalFault as fault:
        return wrong("journal-unreadable", why=str(fault))
    return good("journal", count=count)


def page(site: Site) -> Finding:
    if site.profile is None:
        return warning("profile-first")
    host, port = site.profile.page.host, site.profile.page.port
    if port == 0 or site.probe.is_free(host, port):
        return good("page", host=host, port=port)
    return good("page-served", port=port) if is_running(site.journal) else wrong("page-taken", port=port)


def event(site: Site) -> Finding:
    """Whether the station could take part in the event that it has joined."""
    broker = None if site.profile is None else site.profile.broker
    if broker is None:
        return good("event-none")
    files = (broker.ca_file, broker.password_file, broker.certificate_file, broker.key_file)
    for file in filter(None, files):
        if not _is_readable(site, site.at(file)):
            return wrong("event-file", file=file)
    where = f"{broker.host}:{broker.port}"
    if not site.probe.answers(broker.host, broker.port):
        return warning("event-away", where=where)
    if not site.probe.lets_in(broker):
        return wrong("event-refused", station=broker.station, where=where)
    return good("event", station=broker.station, where=where)


def _is_readable(site: Site, file: Path) -> bool:
    """For whoever asks, and for the service where there is one: its group reads what is its own."""
    is_shared = not site.at(UNIT).is_file() or (file.is_file() and bool(file.stat().st_mode & 0o044))
    return os.access(file, os.R_OK) and (is_shared or file.owner() == "marchwarden")


def service(site: Site) -> Finding:
    if not site.at(UNIT).is_file():
        return good("service-none")
    said = (site.probe.output(("systemctl", "is-active", "marchwarden.service")) or "").strip()
    state = said.partition("\n")[0] or "?"
    return good("service") if state == "active" else wrong("service-down", state=state)


def is_running(journal: Path) -> bool:
    """Whether a station holds this journal just now."""
    try:
        lock = os.open(journal.with_name(journal.name + ".lock"), os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(lock)
    return False
