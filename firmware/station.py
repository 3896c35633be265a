"""The station: what is seen and asked becomes facts, acts and words, which its ledger writes down and adopts.

gather, decide, apply. One thread calls it. Knows neither pixels nor devices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.rules import BadRecord
from firmware.commands import CallJudge, Command, EventTrouble, Ordered, Pressed, RoundTime, ordered_by
from firmware.decide import decide, is_inferred, is_left_over, legal_prefix
from firmware.faults import JournalDamaged
from firmware.games import Refereed
from firmware.gestures import Press
from firmware.interpret import Seen, interpret, resolved
from firmware.journal import Journal
from firmware.ledger import GAME_TROUBLES, JOURNAL_TROUBLES, MENDABLE, NOTICE_S, Ledger, Subscriber
from firmware.obey import Outcome, Refused, obey, why_not
from firmware.ports import Button, Clock
from firmware.retell import corrections
from firmware.state import Judged, Referee, Saying, StationState, saying
from firmware.waiting import doubt, queued
from vision.observation import Observation

WAIT_S = 30.0
CHECKS = frozenset({"check-board", "clear-table", "resuming"})
CALLING = Pressed(Press(Button.PAUSE, held=True))  # at an event; elsewhere it pauses
REFUSED = "refused: "


@dataclass(frozen=True, slots=True)
class Manner:
    """How this station speaks, how patient it is, whether there is a judge to be called, and whether there is anybody
    whom it can ask."""

    language: str = "en"
    patience_s: float = 3.0
    in_event: bool = False
    asks: bool = True


USUAL = Manner()


@dataclass(frozen=True)
class Sighting:
    """What the eye made of a frame: a settled observation or none yet, and what is wrong with the view. `moved` when
    camera or table moved, or nothing was seen for a while: what lies there is compared before anything is told."""

    frame: int
    at_s: float
    observation: Observation | None
    troubles: tuple[Saying, ...] = ()
    moved: bool = False


class Station:
    """A referee at work. `see`, `take` and `report` are called from one thread."""

    def __init__(self, refereed: Refereed, journal: Journal, clock: Clock, manner: Manner = USUAL) -> None:
        self.refereed = refereed
        self.manner = manner
        self._clock = clock
        self._ledger = Ledger(refereed, journal, manner.language)
        self._view: tuple[Saying, ...] = ()
        self._seen: tuple[Observation, Referee, Seen] | None = None

    @property
    def state(self) -> StationState:
        return self._ledger.state

    def subscribe(self, subscriber: Subscriber) -> None:
        self._ledger.subscribe(subscriber)

    def begin(self, head: Mapping[str, str], who: str = "station") -> None:
        """Begins a new game; the one before, if it is open, is left as it is."""
        self._ledger.begin(head, who, None if self._seen is None else self._seen[2].table)

    def resume(self) -> bool:
        """Goes on with the open game of the journal, if there is one."""
        return self._ledger.resume()

    def see(self, sighting: Sighting) -> None:
        """Looks at a frame: tells what it explains, and says what is wrong with it."""
        state = replace(self.state, frame=sighting.frame)
        if sighting.moved:
            state = replace(state, comparing=True)
        state = self._expired(self._with_view(state, sighting.troubles), sighting.at_s)
        if sighting.observation is None or state.named({"log-damaged"}):
            self._ledger.adopt(state)
            return
        if state.named(MENDABLE):
            self._ledger.adopt(state)
            if not self._ledger.try_again(sighting.at_s):
                return
            state = self.state
        seen = self._interpreted(sighting.observation, state.referee)
        state = replace(state, unread=seen.unread)
        if is_left_over(state, seen.table):
            self._ledger.adopt(replace(state, troubles=state.troubles | {saying("clear-table")}))
            return
        state = replace(state, leftover=None, troubles=state.troubles - state.named({"clear-table"}))
        if seen.fresh and not state.is_over and not state.referee.paused:
            self._wait(state, seen, sighting.at_s)
        else:
            self._catch_up(state, seen, sighting.at_s)
            self._consider(self.state, seen, sighting)

    def _unclear(self, facts: tuple[Any, ...]) -> Saying | None:
        """Why these facts may have happened otherwise, if there is anybody who can show it."""
        return self.refereed.unclear(self.state.referee.position, facts) if self.manner.asks else None

    def _interpreted(self, observation: Observation, referee: Referee) -> Seen:
        """What a settled table means: as long as it and the game stay what they are, what it meant a frame ago."""
        if self._seen is None or self._seen[0] is not observation or self._seen[1] is not referee:
            seen = interpret(observation, referee.table, self.refereed.places, corrections(referee))
            self._seen = observation, referee, seen
        return self._seen[2]

    def finish(self) -> None:
        """No frame will come any more: judges what still waits, with what could not be named or seen left out."""
        now_s, pending = self._clock.monotonic_s(), self.state.pending
        self._catch_up(self.state, Seen(self.state.referee.table), now_s)
        if pending is not None:
            facts = decide(self.state, Seen(pending.table), now_s, patience_s=0.0, unclear=self._unclear).facts
            self._ledger.tell(self.state, () if is_inferred(facts) else facts, now_s)

    def _wait(self, state: StationState, seen: Seen, now_s: float) -> None:
        """Something lies there that cannot be named. What is legal without it is told; a foul may be none once it can
        be named, so it waits, and what comes later waits behind it. When that lasts, people are asked to decide."""
        state = queued(state, seen, now_s)
        self._ledger.adopt(replace(state, orders=(), troubles=state.troubles - state.named(GAME_TROUBLES)))
        while self.state.waiting:
            one, *later = self.state.waiting
            facts = self.state.referee.explain(one.table)
            if self._unclear(facts) is not None or is_inferred(facts):
                break
            legal = legal_prefix(self.state, facts)
            is_due = legal == len(facts)
            hangs = doubt(facts[legal:], seen, self.refereed.places.lamp, lasts=now_s - one.since_s > WAIT_S)
            self._ledger.tell(replace(self.state, frame=one.frame), facts if is_due else facts[:legal], now_s)
            if hangs is not None:
                self._ledger.adopt(replace(self.state, troubles=self.state.troubles | {hangs}))
            if not is_due or self.state.is_over or self.state.named(JOURNAL_TROUBLES):
                break
            self._ledger.adopt(replace(self.state, waiting=tuple(later)))
        self._ledger.adopt(replace(self.state, frame=state.frame))

    def _catch_up(self, state: StationState, seen: Seen, now_s: float) -> None:
        """Tells what happened while something could not be named, in the order in which it was seen."""
        self._ledger.adopt(replace(state, waiting=()))
        told_before = state.referee.table
        for one in state.waiting:
            table = resolved(one.table, one.fresh, told_before, seen.table)
            so_far = replace(self.state, comparing=False)
            decision = decide(so_far, Seen(table), now_s, patience_s=0.0, unclear=self._unclear)
            if self.manner.asks and seen.held and is_inferred(decision.facts):
                break
            self._ledger.tell(replace(self.state, frame=one.frame), decision.facts, now_s)
        self._ledger.adopt(replace(self.state, frame=state.frame))

    def _consider(self, state: StationState, seen: Seen, sighting: Sighting) -> None:
        decision = decide(
            state,
            seen,
            sighting.at_s,
            self.manner.patience_s,
            asks=self.manner.asks,
            may_precede=self.refereed.may_precede,
            unclear=self._unclear,
        )
        if decision.new_game:
            self.begin(dict(state.head))
            return
        done = state.named(GAME_TROUBLES | ({"resuming"} if decision.agreed or decision.troubles else set()))
        overtaken = state.overtaken | decision.overtaken
        state = replace(
            state,
            pending=decision.pending,
            orders=decision.orders,
            overtaken=overtaken & (seen.held | seen.lost) if seen.table == state.referee.table else overtaken,
            troubles=(state.troubles - done) | frozenset(decision.troubles),
            comparing=state.comparing and not decision.agreed,
        )
        if decision.agreed and any(trouble.name == "resuming" for trouble in done):
            state = replace(state, notice=saying("restarted"), notice_until_s=sighting.at_s + NOTICE_S)
        self._ledger.tell(state, decision.facts, sighting.at_s)

    def take(self, command: Command) -> Saying | None:
        """Does what was asked; returns why not, if it cannot be done. Whoever pressed a button looks at the display."""
        if isinstance(command, Ordered):
            return self._take_order(command)
        if isinstance(command, RoundTime):
            self._ledger.adopt(replace(self.state, clock=command.words))
            return None
        if isinstance(command, EventTrouble):
            self.report(command.name, None if command.about is None else Saying(command.name, command.about))
            return None
        if command == CALLING and self.manner.in_event:
            command = CallJudge()
        try:
            self._carry_out(obey(self.state, command, self.refereed))
        except (Refused, BadRecord, JournalDamaged) as error:
            why = why_not(error, self.refereed)
            if isinstance(command, Pressed):
                until_s = self._clock.monotonic_s() + NOTICE_S
                self._ledger.adopt(replace(self.state, notice=why, notice_until_s=until_s))
            return why
        return None

    def _take_order(self, order: Ordered) -> Saying | None:
        """An order is carried out once; its number stands in the journal, with what it came to or why it did not."""
        if self._ledger.is_carried_out(order.number):
            return None
        try:
            if order.command is None:
                raise Refused(order.unknown)
            if order.game and order.game != self.state.number:
                raise Refused(saying("game-gone", number=order.game))
            outcome = obey(self.state, order.command, self.refereed)
            self._carry_out(replace(outcome, who=ordered_by(outcome.who, order.number)))
        except (Refused, BadRecord, JournalDamaged) as error:
            who = ordered_by(order.who, order.number)
            self._ledger.note((REFUSED + str(error),), None, self._clock.monotonic_s(), who)
            return why_not(error, self.refereed)
        return None

    def _carry_out(self, outcome: Outcome) -> None:
        now_s = self._clock.monotonic_s()
        if outcome.head is not None:
            self.begin(dict(self.state.head) | dict(outcome.head), outcome.who)
        elif outcome.facts:
            asked = self.state.named({"order-unclear"})
            state = replace(self.state, orders=(), troubles=self.state.troubles - asked)
            self._ledger.tell(state, outcome.facts, now_s, outcome.who)
        elif outcome.acts:
            self._ledger.act(outcome.acts, outcome.notice, now_s, outcome.who)
        elif outcome.notes:
            self._ledger.note(outcome.notes, outcome.notice, now_s, outcome.who)
        elif outcome.taken_over is not None:
            self._ledger.take_over(outcome.taken_over, outcome.who)
        elif outcome.compared:
            settled = self.state.troubles - self.state.named(CHECKS)
            self._ledger.adopt(replace(self.state, comparing=False, leftover=None, troubles=settled))
        elif outcome.notice is not None:
            self._ledger.adopt(replace(self.state, notice=outcome.notice, notice_until_s=now_s + NOTICE_S))

    def report(self, name: str, trouble: Saying | None) -> None:
        """A part of the station has a trouble of this name, or has it no longer."""
        state = self.state
        troubles = state.troubles - state.named({name}) | (frozenset() if trouble is None else {trouble})
        if troubles != state.troubles:
            self._ledger.adopt(replace(state, troubles=troubles))

    def _with_view(self, state: StationState, view: tuple[Saying, ...]) -> StationState:
        """The troubles of the view are those of the last frame; the others stay."""
        troubles = (state.troubles - frozenset(self._view)) | frozenset(view)
        self._view = view
        return replace(state, troubles=troubles)

    def _expired(self, state: StationState, now_s: float) -> StationState:
        """A notice goes after a while, but a foul stays on the screen until it was put right."""
        notice = state.notice
        if notice is None or now_s < state.notice_until_s:
            return state
        is_open_foul = isinstance(notice, Judged) and not notice.told.counts and state.referee.to_put_right
        return state if is_open_foul else replace(state, notice=None)
