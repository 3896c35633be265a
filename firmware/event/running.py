"""The hub at work: broker, hub, page, door and postbox, in one loop until somebody stops it.

Knows how they belong together; decides nothing. systemd hears that it is ready, and that the loop still turns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from firmware.drivers import make_broker
from firmware.event import topics
from firmware.event.archive import Archive
from firmware.event.broker import Mosquitto, is_taken
from firmware.event.brought import Postbox
from firmware.event.house import House, Porter
from firmware.event.hub import Hub, Update
from firmware.event.page.front import Front, open_front
from firmware.event.refusals import STRANGER
from firmware.notify import Supervisor
from firmware.ports import Clock
from firmware.web.announce import Announcement, house_addresses
from firmware.web.server import Certificate

BEATS = 4  # in the time that systemd waits for one


@dataclass(frozen=True)
class Wishes:
    """How somebody wants it: whether a broker of its own is wanted, and where the page is served in which language."""

    broker: bool = True
    page_host: str = "0.0.0.0"  # the hall's network is who it is for
    page_port: int = 8720
    language: str = "en"


@dataclass
class Running:
    """All of it, made but not begun. `said` hears what a person at the terminal wants to know."""

    house: House
    clock: Clock
    wishes: Wishes
    said: Callable[[str], None]
    supervisor: Supervisor = field(default_factory=Supervisor)

    def __post_init__(self) -> None:
        house, clock, said = self.house, self.clock, self.said
        driver = make_broker(house.hub_settings(), topics.HUB, topics.of_hub())
        self.hub = hub = Hub(Archive(house.archive, clock), driver, clock, said)
        hub.subscribe(_Ticker(said))
        wishes = self.wishes
        certificate = Certificate(house.folder / "broker.pem", house.folder / "broker-key.pem")
        self.front: Front = open_front(
            hub,
            house.folder,
            clock,
            wishes.page_host,
            wishes.page_port,
            house.hosts,
            wishes.language,
            certificate,
            said,
        )
        wanted = wishes.broker and not is_taken(house.port)
        self._broker = Mosquitto(house, clock, self._denied, said) if wanted else None
        self._porter = Porter(house, hub.tell_all, clock)
        self._postbox = Postbox(house, hub.take, clock, said)
        self._announced = Announcement("hub", house.port, house_addresses())
        self._fed_s = clock.monotonic_s()

    def run(self, is_stopped: Callable[[], bool]) -> None:
        """Until it is stopped; whatever happens, everything is closed."""
        if (why := self._announced.start()) is not None:
            self.said(why)
        self.front.start()
        self.supervisor.ready(progress(self.hub))
        try:
            while not is_stopped():
                self._round()
        finally:
            self.supervisor.stopping()
            self.front.stop()
            self._announced.stop()
            self.hub.close()
            if self._broker is not None:
                self._broker.stop()

    def _round(self) -> None:
        if self._broker is not None:
            self._broker.tend()
        if self.hub.fault is None:
            self._porter.tend()
        self._postbox.tend()
        self.hub.step()
        self.front.tick()
        now_s = self.clock.monotonic_s()
        if now_s - self._fed_s >= (self.supervisor.watchdog_s or 60.0) / BEATS:
            self._fed_s = now_s
            self.supervisor.alive(progress(self.hub))

    def _denied(self, who: str, why: str, times: int) -> None:
        """In the thread that reads the broker's log. Those who were let in have a line of their own, all others one."""
        self.hub.errand(lambda: self.hub.refusals.note(who or STRANGER, why, times))


class _Ticker:
    """A line whenever something changed that a person watching the terminal wants to know."""

    def __init__(self, said: Callable[[str], None]) -> None:
        self._said = said
        self._shown = ""

    def __call__(self, update: Update) -> None:
        online = sum(presence.online for presence in update.live.values())
        state = update.state
        line = f"{online} stations there, {len(state.results())} games over, {len(state.open_calls())} calls open"
        if line != self._shown:
            self._shown = line
            self._said(line)


def progress(hub: Hub) -> str:
    """How far the event has come."""
    state = hub.state
    return f"{state.arrival} entries of {len(state.stations)} stations, {len(state.results())} games over"
