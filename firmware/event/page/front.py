"""The hub with its page: puts both together, and keeps them in step.

Knows how the parts fit; decides nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from firmware.event.house import House
from firmware.event.hub import Hub
from firmware.event.page.app import make_app
from firmware.event.page.badges import Badges
from firmware.event.page.office import Office
from firmware.event.page.services import Services
from firmware.event.words import vocabulary
from firmware.games import GAMES, refereed
from firmware.messages import LANGUAGES
from firmware.ports import Clock
from firmware.web.files import File, Files
from firmware.web.noticeboard import Noticeboard
from firmware.web.server import Certificate, Server, listen

LARGEST = 256 * 1024  # bytes of a request: a list of two thousand players
PORT = 8720


@dataclass
class Front:
    """The page of an event. `tick` is called in the hub's thread once a round."""

    services: Services
    server: Server

    @property
    def address(self) -> str:
        return self.server.address

    def start(self) -> None:
        self.server.start()

    def stop(self) -> None:
        self.server.stop()

    def tick(self) -> None:
        self.services.office.tick()


def open_front(
    hub: Hub,
    folder: Path,
    clock: Clock,
    host: str = "127.0.0.1",
    port: int = PORT,
    names: Iterable[str] = (),
    language: str = "en",
    certificate: Certificate | None = None,
    log: Callable[[str], None] = print,
) -> Front:
    """Puts hub and page together; neither has been started. `folder` is where badges are kept, and the event's house
    if there is one."""
    board = Noticeboard()
    office = Office(hub, clock, lambda moment: board.pin("moment", moment), log)
    office.show_again()
    services = Services(
        office=office,
        board=board,
        badges=Badges(folder / "badges.json", clock),
        file=_Library(office).find,
        clock=clock,
        house=house if (house := House(folder)).configuration.is_file() else None,
        language=language,
        secure=certificate is not None,
    )
    door = listen(host, port)
    return Front(services, Server(make_app(services), board, door, names, LARGEST, certificate))


class _Library:
    """The files of the page for the game that this event is about, each game's made when it is first looked at."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._made: dict[str, Files] = {}
        self.find("hub.html")

    def find(self, name: str) -> File | None:
        opened = self._office.tournament.opened
        game = next(iter(GAMES)) if opened is None else opened.game
        if game not in self._made:
            self._made[game] = Files(refereed(game), also=_own_files())
        return self._made[game].find(name)


def _own_files() -> dict[str, bytes]:
    """The hub's scripts and styles beside the station's, and its words over the station's."""
    static = resources.files(__package__).joinpath("static")
    found = {file.name: file.read_bytes() for file in static.iterdir()}
    return found | {f"words/{language}.json": json.dumps(vocabulary(language)).encode() for language in LANGUAGES}
