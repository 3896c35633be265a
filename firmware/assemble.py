"""Puts a station together from a profile: parts by their drivers, the eye, the journal, the loop.

The only place that knows all of them. Heavy things are imported here and when they are needed.
"""

from __future__ import annotations

import gc
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from firmware import health
from firmware.calibration import Calibration
from firmware.clocks import SimulatedClock, SystemClock
from firmware.drivers import make_broker, make_buttons, make_camera, make_display, make_lamps
from firmware.feel import Feeler
from firmware.games import Refereed, refereed
from firmware.journal import Journal
from firmware.keep import Keeper, LampOutput, Output, ScreenOutput
from firmware.loop import DirectCamera, DirectOutput, Eye, Kept, Loop, Watched
from firmware.memory import give_back
from firmware.ports import Broker, Buttons, Camera, Clock, Display, Lamps
from firmware.station import Manner, Station
from firmware.watch import Watcher
from hardware_config.profile import Profile

if TYPE_CHECKING:
    from firmware.commands import Command
    from firmware.event.courier import Courier
    from firmware.eye import Known
    from hardware_config.settings import MqttBroker


@dataclass(frozen=True)
class Parts:
    """The devices of a station, made but not opened."""

    camera: Camera
    displays: tuple[Display, ...]
    lamps: Lamps
    buttons: Buttons


@dataclass(frozen=True)
class Assembled:
    """A station ready to run, and how to start and stop what runs beside it."""

    loop: Loop
    parts: Parts
    journal: Journal
    start: Callable[[], None]
    stop: Callable[[], None]
    courier: Courier | None = None


def make_parts(profile: Profile) -> Parts:
    """The drivers that the profile names."""
    return Parts(
        make_camera(profile.camera),
        tuple(make_display(settings) for settings in profile.display),
        make_lamps(profile.lamps),
        make_buttons(profile.buttons),
    )


def make_eye(profile: Profile, game: Refereed, decks: Path, *, calibration: Calibration | None = None) -> Eye:
    """The eye with the deck of the profile; raises BadDeck. What was measured of the camera counts where it is the
    same camera."""
    from firmware.decks import find_deck
    from firmware.eye import Known, Manners, eye_of

    patience = profile.patience
    manners = Manners(patience.settle_frames, patience.hand_s)
    known = Known() if calibration is None or not calibration.fits(profile) else known_of(calibration)
    return eye_of(game, find_deck(profile.table.deck, decks, game.layout.game), manners, known)


def known_of(calibration: Calibration) -> Known:
    """What a calibration tells the eye. Corners shown by hand say nothing about the lens and the focus."""
    from firmware.eye import Known
    from vision.lens import Lens

    return Known(Lens(*calibration.lens), calibration.blur_px or None, calibration.corners)


def assemble(profile: Profile, parts: Parts, eye: Eye, journal: Path, *, threads: bool = True) -> Assembled:
    """A station of these parts. Without threads every frame is seen in turn and time is the simulation's own."""
    clock: Clock = SystemClock() if threads else SimulatedClock()
    book = Journal(journal, clock)
    manner = Manner(profile.language, profile.patience.put_right_s, in_event=profile.broker is not None)
    station = Station(refereed(profile.table.game), book, clock, manner)
    outputs: list[tuple[str, Output]] = [("display", ScreenOutput(display)) for display in parts.displays]
    outputs.append(("lamps", LampOutput(parts.lamps, clock)))
    if threads:
        commands: SimpleQueue[Command] = SimpleQueue()
        courier = None
        if profile.broker is not None:
            courier = make_courier(profile.broker, station, journal, clock, commands.put)
            outputs.append(("broker", courier))
        threaded = _threaded(station, parts, eye, book, clock, outputs, commands, courier)
        threaded.loop.idle_s = profile.patience.idle_s
        return threaded
    kept: tuple[Kept, ...] = tuple(DirectOutput(name, output) for name, output in outputs)
    feeler = Feeler(parts.buttons, clock)
    loop = Loop(station, eye, DirectCamera(parts.camera), kept, clock, feeler, idle_s=profile.patience.idle_s)

    def stop() -> None:
        feeler.close()
        book.close()

    return Assembled(loop, parts, book, lambda: None, stop)


def make_courier(
    settings: MqttBroker,
    station: Station,
    journal: Path,
    clock: Clock,
    give: Callable[[Command], None],
    make: Callable[..., Broker] = make_broker,
) -> Courier:
    """The courier that brings this station's journal to its event."""
    from firmware.event import topics
    from firmware.event.courier import Courier
    from firmware.event.wire import Status

    name, boot = settings.station, secrets.token_hex(8)
    gone = topics.status(name), Status(boot, online=False).document()
    broker = make(settings, name, topics.of_station(name), gone)
    courier = Courier(name, boot, broker, journal, clock, give, discovery=settings.discovery)
    station.subscribe(courier.note)
    return courier


def _threaded(
    station: Station,
    parts: Parts,
    eye: Eye,
    book: Journal,
    clock: Clock,
    outputs: list[tuple[str, Output]],
    commands: SimpleQueue[Command],
    courier: Courier | None,
) -> Assembled:
    watcher = Watcher(parts.camera, clock)
    keepers = tuple(Keeper(name, output, clock) for name, output in outputs)
    watched: Watched = watcher
    feeler = Feeler(parts.buttons, clock)
    loop = Loop(station, eye, watched, keepers, clock, feeler, commands=commands)
    loop.checks = lambda: health.checks(clock, book.path.parent)

    def start() -> None:
        watcher.start()
        for keeper in keepers:
            keeper.start()

    def stop() -> None:
        watcher.stop()
        for keeper in keepers:
            keeper.stop()
        feeler.close()
        book.close()

    return Assembled(loop, parts, book, start, stop, courier)


def set_aside() -> None:
    """What a station is built of is no garbage as long as it runs: a collector that went through all of it again and
    again would hold up frames."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    give_back()
