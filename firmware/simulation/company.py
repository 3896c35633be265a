"""Computer players at a virtual table with visitors: each seat is a person's or the computer's, and may change.

A computer player waits until the referee has seen what lies there, looks at what counts, and does the next thing as a
person would: lays a card, takes a Stone, says that it passes. On request it cheats in a named way, and puts it right
after a while. Called from the station's thread, once a round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.schotten_totten.cards import Player
from engine.schotten_totten.facts import Fact, Passed
from engine.schotten_totten.play import Play
from engine.table import Change, Table
from firmware.commands import NewGame, Tell
from firmware.simulation.cheats import CHEATS, cheat
from firmware.simulation.deed import reverse
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
from firmware.simulation.players import SENSIBLE, drawn, take_turn
from firmware.simulation.playroom import Held, Playroom
from firmware.state import StationState

HONEST = Manners()
COURTESY_S = 10.0  # how long a person who might claim is waited for


@dataclass(frozen=True, slots=True)
class Foul:
    """A foul that the computer has committed: what undoes it, and what was held before."""

    undoes: tuple[Change, ...]
    held: Held
    since_s: float
    kind: str


class Company:
    """Plays for the seats that the computer has."""

    def __init__(self, room: Playroom, take: Take, manners: Manners = HONEST) -> None:
        self.room = room
        self.manners = manners
        self._take = take
        self._expects: tuple[Change, ...] = ()
        self._foul: Foul | None = None
        self._quiet_s: float | None = None
        self._waits_from_s = 0.0
        self._told = 0
        self._passes = 0
        self._game = 0
        self._cleared = 0

    def tick(self, state: StationState, now_s: float) -> None:
        """Does the next thing, if it is time for it."""
        if state.number != self._game:
            self._game, self._foul, self._expects, self._passes = state.number, None, (), 0
        if is_to_be_cleared(state) and self._cleared != state.number and self.manners.are_company:
            self._cleared = state.number
            self.room.deal(dict(state.head).get("rules", "base"))
        if len(state.referee.told) != self._told:
            self._quiet_s = None
        self._refill(state)
        if self._is_settled(state):
            if self._quiet_s is None:
                self._quiet_s = now_s
        else:
            self._quiet_s = None
        if self._foul is not None:
            self._mend(state, self._foul, now_s)
        elif self._quiet_s is not None and now_s - self._quiet_s >= self.manners.pace_s:
            self._go_on(state, now_s)
        elif self._expects and now_s - self._waits_from_s > LOST_S and not is_blind(state):
            self._show_again(now_s)

    def cheat_now(self, state: StationState, name: str, now_s: float) -> bool:
        """Cheats this way at once; False if the position does not offer it."""
        if name not in CHEATS or self._foul is not None or state.referee.to_put_right:
            return False
        trick = cheat(name, self.room.as_play(state.referee.position), self.room.random)
        if trick is None:
            return False
        self._foul = Foul(reverse(trick.fact.changes()), self.room.held, now_s, trick.breach.value)
        self._do(trick.fact, now_s)
        for change in trick.fact.changes():
            code = str(change.piece.code)
            if change.origin is None and code in {str(card) for card in self._cards()}:
                self.room.held = self.room.held.without(next(card for card in self._cards() if str(card) == code))
        self.room.revision += 1
        return True

    def _cards(self) -> tuple[Any, ...]:
        return (*self.room.held.hand_a, *self.room.held.hand_b)

    def _is_settled(self, state: StationState) -> bool:
        """Whether the referee has nothing open: the table is as it should be and as it was meant to be."""
        self._expects = tuple(change for change in self._expects if not is_seen(change, state.referee.table))
        return not self._expects and is_at_rest(state, self.room.table)

    def _show_again(self, now_s: float) -> None:
        """Straightens what was not seen for long; what somebody took away meanwhile is no more waited for."""
        lying = {one.code: one for one in self.room.table.lying}
        self._expects = tuple(one for one in self._expects if (code := str(one.piece.code)) in lying and
                              lying[code].place == one.target)  # fmt: skip
        for change in self._expects:
            one = lying[str(change.piece.code)]
            self.room.table.put_tidily(one.code, one.centre_mm, face_up=one.face_up)
        self._waits_from_s = now_s
        self.room.revision += 1

    def _mend(self, state: StationState, foul: Foul, now_s: float) -> None:
        if has_stood(state, foul.since_s, now_s):
            self.room.table.apply(foul.undoes)
            self.room.held = foul.held
            self.room.revision += 1
            self._foul, self._expects, self._quiet_s = None, (), None

    def _go_on(self, state: StationState, now_s: float) -> None:
        if state.is_over or self._passes >= len(self.manners.seats):
            self._next_game(state, now_s)
            return
        if self.manners.cheats is not None and self.room.random.random() < OFTEN:
            player_plays = self.manners.plays(str(state.referee.position.to_play))
            if player_plays and self.cheat_now(state, self.manners.cheats, now_s):
                return
        play = self.room.as_play(state.referee.position)
        position = play.position
        claims = () if position.rules.expert else play.claims(position.turn)
        if claims and self.manners.plays(str(position.turn)):
            self._do(claims[0], now_s)
        elif claims and self._quiet_s is not None and now_s - self._quiet_s < COURTESY_S:
            return  # a person may still want to claim
        elif self.manners.plays(str(position.to_play)):
            self._take_turn(play, now_s)

    def _take_turn(self, play: Play, now_s: float) -> None:
        player = play.position.to_play
        step = next(iter(take_turn(play, SENSIBLE, self.room.random)), None)
        if step is None:
            return
        self._passes = self._passes + 1 if isinstance(step.fact, Passed) else 0
        after = step.after
        if after.hand(player) != play.hand(player):
            after = drawn(after, player, self.room.random)
        self.room.keep(after)
        self._do(step.fact, now_s)

    def _do(self, fact: Fact, now_s: float) -> None:
        """Brings a fact about on the table, or says it."""
        changes = fact.changes()
        self._quiet_s, self._waits_from_s = None, now_s
        if changes:
            self.room.table.apply(changes)
            self._expects = changes
            self.room.revision += 1
        else:
            self._take(Tell(str(fact)))

    def _refill(self, state: StationState) -> None:
        """After a person's turn their hand is drawn up again; the computer has done so by itself."""
        told = state.referee.told
        if len(told) > self._told and told[-1].counts and told[-1].fact.player is not None:
            player = str(told[-1].fact.player)
            if not self.manners.plays(player) and state.referee.position.to_play is not Player(player):
                self.room.refill(state.referee.position, player)
        self._told = len(told)

    def _next_game(self, state: StationState, now_s: float) -> None:
        waits = self._quiet_s is not None and now_s - self._quiet_s < AFTERWARDS_S
        if waits or not self.manners.are_company:
            return
        self._quiet_s, self._passes = None, 0
        self.room.deal(dict(state.head).get("rules", "base"))
        if not state.is_over:
            self._take(NewGame((), "company"))


def is_seen(change: Change, table: Table) -> bool:
    """Whether the referee knows of this already."""
    if change.target is not None:
        return any(piece.code == change.piece.code for piece in table.at(change.target))
    return change.origin is not None and all(piece.code != change.piece.code for piece in table.at(change.origin))
