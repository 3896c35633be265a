"""Computer players of Lords of Scotland at a virtual table with visitors.

Each does the next thing when the referee has seen what lies there: engages, recruits, uses a power, takes a supporter;
somebody among them sets the skirmishes out. What belongs to a person's seat is left to that person. Called from the
station's thread, once a round.
"""

from __future__ import annotations

from dataclasses import replace

from engine.lords_of_scotland.hands import Step
from firmware.commands import NewGame, Tell
from firmware.simulation.lords_cheats import CHEATS, cheat
from firmware.simulation.lords_players import next_step
from firmware.simulation.lords_room import Kept, LordsRoom
from firmware.simulation.manners import (
    AFTERWARDS_S,
    LOST_S,
    OFTEN,
    Manners,
    Take,
    has_stood,
    is_at_rest,
    is_blind,
    is_to_be_cleared,
)
from firmware.state import StationState


class LordsCompany:
    """Plays for the seats that the computer has."""

    def __init__(self, room: LordsRoom, take: Take, manners: Manners) -> None:
        self.room = room
        self.manners = replace(manners, seats=tuple((player, True) for player in "ABCDE"))
        self._take = take
        self._awaits: int | None = None  # the number of facts told when the last thing was done
        self._places: frozenset[str] = frozenset()
        self._quiet_s: float | None = None
        self._waits_from_s = 0.0
        self._game = 0
        self._cleared = 0
        self._foul: tuple[Kept, float] | None = None  # what was before a foul, and since when it lies there

    def tick(self, state: StationState, now_s: float) -> None:
        """Does the next thing, if it is time for it."""
        if state.number != self._game:
            self._game, self._awaits, self._quiet_s, self._foul = state.number, None, None, None
        if is_to_be_cleared(state) and self._cleared != state.number and self.manners.are_company:
            self._cleared = state.number
            self.room.deal(dict(state.head).get("rules", "seats=2"))
        if self._foul is not None:
            self._mend(state, *self._foul, now_s)
        elif not self._is_settled(state):
            self._quiet_s = None
            if self._awaits is not None and now_s - self._waits_from_s > LOST_S and not is_blind(state):
                self._show_again(now_s)
        elif self._quiet_s is None:
            self._quiet_s = now_s
        elif now_s - self._quiet_s >= self.manners.pace_s:
            self._go_on(state, now_s)

    def cheat_now(self, state: StationState, name: str, now_s: float) -> bool:
        """Cheats this way at once; False if the position does not offer it."""
        if name not in CHEATS or self._foul is not None or state.referee.to_put_right:
            return False
        trick = cheat(name, self.room.as_game(state.referee.position), self.room.random)
        if trick is None or not self._is_ours(trick.step):
            return False
        self._foul = (self.room.keep(), now_s)
        self.room.do(trick.step)
        return True

    def _mend(self, state: StationState, before: Kept, since_s: float, now_s: float) -> None:
        if has_stood(state, since_s, now_s):
            self.room.restore(before)
            self._foul, self._awaits, self._quiet_s = None, None, None

    def _is_settled(self, state: StationState) -> bool:
        """Whether the referee has nothing open: the table is as it should be and as it was meant to be."""
        if self._awaits is not None and len(state.referee.told) > self._awaits:
            self._awaits = None
        return self._awaits is None and is_at_rest(state, self.room.table)

    def _show_again(self, now_s: float) -> None:
        """Lays down anew what was not seen for long."""
        for place in self._places:
            self.room.table.straighten(place)
        self._waits_from_s = now_s
        self.room.revision += 1

    def _go_on(self, state: StationState, now_s: float) -> None:
        if state.is_over:
            if self._quiet_s is not None and now_s - self._quiet_s >= AFTERWARDS_S:
                self._quiet_s = None
                self.room.deal(dict(state.head).get("rules", "seats=2"))
                self._take(NewGame((), "company"))
            return
        cheats = self.manners.cheats
        if cheats is not None and self.room.random.random() < OFTEN and self.cheat_now(state, cheats, now_s):
            return
        step = next_step(self.room.as_game(state.referee.position), self.room.random)
        if step is None or not self._is_ours(step):
            return
        self._quiet_s, self._waits_from_s = None, now_s
        if step.fact.changes():
            changes = self.room.do(step)
            self._awaits = len(state.referee.told)
            self._places = frozenset(str(place) for one in changes for place in (one.origin, one.target) if place)
        elif self._take(Tell(str(step.fact))) is None:
            self.room.do(step)

    def _is_ours(self, step: Step) -> bool:
        """What no player does, anybody may: dealing and putting away is the computer's part."""
        player = step.fact.player
        return player is None or self.manners.plays(str(player))
