"""One request at the hub's page: what is asked, by whom, and where it is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from firmware.event.facts import Fact
from firmware.event.house import House
from firmware.event.page.badges import Badges, Session
from firmware.event.page.office import Office
from firmware.event.roles import Person
from firmware.event.state import EventState
from firmware.web.acts import Asked, number, text


@dataclass(frozen=True)
class Petition:
    """One request: what is asked, by whom, and where it is done."""

    asked: Asked
    session: Session
    office: Office
    badges: Badges
    house: House | None = None

    @property
    def who(self) -> str:
        return self.session.who

    @property
    def person(self) -> Person:
        return self.session.person

    @property
    def state(self) -> EventState:
        return self.office.hub.state

    def write(self, facts: tuple[Fact, ...]) -> None:
        self.office.hub.write(facts, self.who)

    def words(self, key: str = "words") -> str:
        return text(self.asked, key, "")

    def whole(self, key: str, low: int, high: int) -> int:
        return int(number(self.asked, key, low, high))


Answer = dict[str, Any] | None
