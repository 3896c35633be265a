"""What visitors of a simulated station may do to its table: no rule is asked, the camera has to see it.

Each request becomes an errand for the station's thread. Knows the playroom and its company; knows no rule.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.schotten_totten.cards import UnknownCard
from firmware.commands import NewGame
from firmware.obey import Refused
from firmware.ports import Clock
from firmware.simulation.manners import PACES_S
from firmware.simulation.obliging import Obliging
from firmware.simulation.plays import SIMULATED, TableCompany
from firmware.simulation.room import NotThere
from firmware.state import Saying
from firmware.station import Station
from firmware.web.acts import Asked, BadRequest, flag, number, one_of, text
from firmware.web.guided import asked_for
from firmware.web.noticeboard import Noticeboard


class Visitors:
    """The playroom as the page knows it. `play` and `tick` are called from the station's thread."""

    def __init__(self, company: TableCompany, station: Station, board: Noticeboard, clock: Clock) -> None:
        self._company = company
        self.room = company.room
        self._station = station
        self._board = board
        self._clock = clock
        self._obliging = Obliging(self.room.table)
        self._pinned: dict[str, Any] | None = None
        self._deeds: dict[str, Callable[[Asked], None]] = {
            "put": self._put,
            "take": self._take,
            "turn-over": lambda asked: self.room.turn_over(text(asked, "code")),
            "turn": lambda asked: self.room.turn(text(asked, "code"), number(asked, "by", -180, 180)),
            "draw": lambda asked: self.room.draw(
                one_of(asked, "player", self._seats), one_of(asked, "deck", self._decks)
            ),
            "hand": self._hand,
            "light": lambda asked: self.room.dim(number(asked, "light", 0, 1)),
            "bump": lambda asked: self.room.bump(),
            "unplug": lambda asked: self.room.unplug(out=flag(asked, "out")),
            "seat": self._seat,
            "pace": self._pace,
            "cheats": self._cheats,
            "cheat-now": self._cheat_now,
            "new-game": self._new_game,
        }

    def play(self, asked: Asked) -> Saying | str | None:
        """Does what was asked; says why not, if it cannot be done. Raises BadRequest."""
        try:
            self._deeds[one_of(asked, "deed", tuple(self._deeds))](asked)
        except Refused as refused:
            return refused.said
        except NotThere as error:
            return str(error)
        except UnknownCard as error:
            raise BadRequest(str(error)) from None
        finally:
            self._pin()
        return None

    def tick(self) -> None:
        """Lets the company play on, or lay what is asked for while a deck is enrolled; shows what has changed."""
        if not self._obliging.oblige(asked_for(self._board)):
            self._company.tick(self._station.state, self._clock.monotonic_s())
        self._pin()

    def document(self) -> dict[str, Any]:
        manners = self._company.manners
        seats = {player: "computer" if manners.plays(player) else "visitor" for player in self._seats}
        rules = dict(self._station.state.head).get("rules")
        variant = next((name for name, told in self._station.refereed.variants.items() if told == rules), None)
        return self.room.document() | {
            "seats": seats,
            "pace": manners.pace,
            "cheats": manners.cheats,
            "variant": variant,
        }

    @property
    def _seats(self) -> tuple[str, ...]:
        return tuple(self.room.document()["hands"])

    @property
    def _decks(self) -> tuple[str, ...]:
        return tuple(self.room.document()["decks"])

    @property
    def known_cheats(self) -> tuple[str, ...]:
        return SIMULATED[self.room.table.layout.game].cheats

    def _pin(self) -> None:
        document = self.document()
        if document != self._pinned:
            self._pinned = document
            self._board.pin("play", document)

    def _put(self, asked: Asked) -> None:
        width, height = self.room.table.layout.size_mm
        x, y = number(asked, "x", 0, width), number(asked, "y", 0, height)
        self.room.put(text(asked, "code"), x, y, crooked=flag(asked, "crooked"))

    def _take(self, asked: Asked) -> None:
        self.room.take(text(asked, "code"), one_of(asked, "player", self._seats))

    def _hand(self, asked: Asked) -> None:
        if not flag(asked, "in"):
            self.room.reach_in(None)
            return
        width, height = self.room.table.layout.size_mm
        over = (number(asked, "x", 0, width), number(asked, "y", 0, height))
        self.room.reach_in(over, "A" if over[1] > height / 2 else "B")

    def _seat(self, asked: Asked) -> None:
        computer = one_of(asked, "who", ("visitor", "computer")) == "computer"
        self._company.manners = self._company.manners.seated(one_of(asked, "player", self._seats), computer=computer)

    def _pace(self, asked: Asked) -> None:
        self._company.manners = replace(self._company.manners, pace_s=PACES_S[one_of(asked, "pace", tuple(PACES_S))])

    def _cheats(self, asked: Asked) -> None:
        name = one_of(asked, "name", ("honest", *self.known_cheats))
        self._company.manners = replace(self._company.manners, cheats=None if name == "honest" else name)

    def _cheat_now(self, asked: Asked) -> None:
        name = one_of(asked, "name", self.known_cheats)
        if not self._company.cheat_now(self._station.state, name, self._clock.monotonic_s()):
            raise NotThere("no-chance")

    def _new_game(self, asked: Asked) -> None:
        variants = self._station.refereed.variants
        rules = variants[one_of(asked, "variant", tuple(variants))]
        self.room.deal(rules)
        refused = self._station.take(NewGame((("rules", rules),), "visitor"))
        if refused is not None:
            raise Refused(refused)
