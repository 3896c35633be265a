"""A station with its page: opens the page beside a station that was put together, and keeps both in step.

`Front` is the page of any station; `simulated` has that of one without hardware. Knows how the parts fit; decides
nothing.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.verdicts import Words
from firmware import folders
from firmware.assemble import Assembled, Parts, assemble, known_of
from firmware.clocks import SystemClock
from firmware.eye import CameraEye
from firmware.games import refereed
from firmware.journal import Kind, Line
from firmware.ports import Canvas, Display
from firmware.screen import draw
from firmware.signals import Screen, Signals, Tone
from firmware.web.app import make_app
from firmware.web.choosing import Choosing, Wanted
from firmware.web.desk import Desk
from firmware.web.document import Describer
from firmware.web.files import Files, page_words
from firmware.web.guided import Guide, Guided
from firmware.web.login import Login, PinFile
from firmware.web.noticeboard import Noticeboard
from firmware.web.peephole import Peephole
from firmware.web.rehearsal import Rehearsal
from firmware.web.server import EVERYWHERE, LOOPBACK, Server, listen
from firmware.web.services import Services
from hardware_config.profile import Profile

if TYPE_CHECKING:
    from PIL import Image

    from firmware.loop import Eye
    from firmware.web.announce import Announcement
    from firmware.web.visitors import Visitors


class PinDisplay:
    """A display that shows the page's PIN instead of the screen while somebody asks for it. Only the device shows it:
    the page's mirror is made from the screen."""

    def __init__(self, display: Display, login: Login, language: str) -> None:
        self._display = display
        self._login = login
        self._words = page_words(language)
        self._canvas = Canvas(128, 64)

    def open(self) -> Canvas:
        self._canvas = self._display.open()
        return self._canvas

    def show(self, picture: Image.Image) -> None:
        pin = self._login.shown_pin
        if pin is not None:
            spaced = f"{pin[:3]} {pin[3:]}"
            picture = draw(Screen(spaced, self._words["pin_on_display"], Tone.CALM), self._canvas)
        self._display.show(picture)

    def close(self) -> None:
        self._display.close()


@dataclass
class Front:
    """The page of a station. `tick` is called in the station's thread once a round."""

    assembled: Assembled
    services: Services
    server: Server
    announcement: Announcement | None = None
    pin_file: PinFile | None = None

    def __post_init__(self) -> None:
        self._shown_pin: str | None = None

    @property
    def address(self) -> str:
        """Where the page is, for people; in the house under its name and its number."""
        return self.server.address if self.announcement is None else ", ".join(self.announcement.pages)

    @property
    def port(self) -> int:
        return self.server.port

    def start(self) -> None:
        """Opens the page, and tells the house where a page for all of it is."""
        self.server.start()
        if self.announcement is not None and (why := self.announcement.start()) is not None:
            self.assembled.journal.append(0, [Line(Kind.NOTE, why, "station")])

    def stop(self) -> None:
        if self.announcement is not None:
            self.announcement.stop()
        self.server.stop()
        if self.pin_file is not None:
            with suppress(OSError):  # storage that takes nothing gives nothing away either
                self.pin_file.remove()

    @property
    def eye(self) -> Eye:
        """The eye itself, without who looks over its shoulder."""
        eye = self.assembled.loop.eye
        return eye.eye if isinstance(eye, Peephole) else eye

    @property
    def wanted(self) -> Wanted | None:
        """Another table that somebody has chosen on the page."""
        return None if self.services.choosing is None else self.services.choosing.wanted

    @property
    def pin(self) -> str:
        return self.services.login.pin

    def tick(self) -> None:
        self.services.desk.work()
        if self.pin_file is not None:
            with suppress(OSError):  # of storage that fails the journal tells; it is tried again each round
                self.pin_file.keep(self.pin)
        if self.services.visitors is not None:
            self.services.visitors.tick()
        notice = self.services.board.newest("state")
        if notice is None:
            return
        if self.services.rehearsal is not None:
            self.services.rehearsal.tick(notice.content.signals)
        shown = self.services.login.shown_pin
        if shown != self._shown_pin:
            self._shown_pin = shown
            for output in self.assembled.loop.outputs:
                output.send(notice.content.signals)


def station_name() -> str:
    return socket.gethostname().split(".")[0].lower() or "station"


def open_front(
    profile: Profile,
    journal: Path,
    eye: Eye,
    parts: Parts,
    visitors: Callable[[Assembled, Noticeboard], Visitors] | None = None,
    decks: Path | None = None,
    login: Login | None = None,
) -> Front:
    """Puts station and page together; neither has been started. A `login` of a page before keeps its visitors."""
    game, board, login = refereed(profile.table.game), Noticeboard(), login or Login(SystemClock())
    decks = decks or folders.decks()
    peephole = Peephole(eye, game.layout, board)
    shown = tuple(PinDisplay(display, login, profile.language) for display in parts.displays)
    assembled = assemble(profile, replace(parts, displays=shown), peephole, journal)
    peephole.afterwards = lambda: assembled.loop.stages_ms
    station = assembled.loop.station
    station.subscribe(lambda snapshot: board.pin("state", snapshot))
    peephole.guided = Guided(
        profile,
        game.layout,
        parts.camera,
        decks,
        board,
        _shown_by(assembled, board),
        lambda kept: eye.adopt(known_of(kept)) if isinstance(eye, CameraEye) else None,
    )
    name = station_name()
    services = Services(
        station=name,
        profile=profile,
        refereed=game,
        journal=journal,
        desk=Desk(station),
        board=board,
        describer=Describer(game, _mirrored(profile)),
        login=login,
        files=Files(game),
        peephole=peephole,
        visitors=None if visitors is None else visitors(assembled, board),
        rehearsal=_rehearsal(assembled, board, game.lamps, profile.language),
        choosing=Choosing(profile, decks),
    )
    door = listen(profile.page.host, profile.page.port)
    if profile.page.host in LOOPBACK:
        return Front(assembled, services, Server(make_app(services), board, door))
    from firmware.web.announce import Announcement, house_addresses, local_name

    server = Server(make_app(services), board, door, (name, f"{name}.local", local_name(name)))
    served, port = door.getsockname()[:2]  # the host may be a name
    addresses = house_addresses() if served in EVERYWHERE else [served]
    return Front(assembled, services, server, Announcement(name, port, addresses))


def _rehearsal(assembled: Assembled, board: Noticeboard, lamps: int, language: str) -> Rehearsal:
    loop = assembled.loop
    words = page_words(language)["try_words"]
    rehearsal = Rehearsal(
        loop.outputs, loop.clock, lamps, words, language, lambda said: board.pin("guide", Guide("buttons", said))
    )
    loop.takes = rehearsal.take
    return rehearsal


def _shown_by(assembled: Assembled, board: Noticeboard) -> Callable[[Words | None], None]:
    """Puts words on the displays; None gives them back to the game."""

    def show(words: Words | None) -> None:
        notice = board.newest("state")
        if words is None and notice is None:
            return
        signals = notice.content.signals if notice is not None else None
        if words is not None:
            signals = Signals(Screen(words.headline, words.detail), (), words.sentence)
        for output in assembled.loop.outputs:
            if output.name == "display" and signals is not None:
                output.send(signals)

    return show


def _mirrored(profile: Profile) -> Canvas:
    """The display that the page mirrors: the first one, where its size is known beforehand."""
    size = getattr(profile.display[0], "size", (128, 64))
    return Canvas(size[0], size[1], bool(getattr(profile.display[0], "colours", False)))
