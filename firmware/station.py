"""The station: what is seen and asked becomes entries of the journal, a state, and signals.

gather, decide, apply. One thread calls it, and it alone holds the state; everybody else gets frozen snapshots. Nothing
is adopted, let alone shown, before the journal has it on the disk. Knows neither pixels nor devices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.record import entry_line
from engine.referee import Act, Corrected, fold, opening
from engine.rules import BadRecord
from engine.table import Table
from firmware.calling import NAMES, NOTED, asked_head, called, calls_in, names_asked
from firmware.commands import (
    CallJudge,
    Command,
    EventTrouble,
    Ordered,
    Pressed,
    RoundTime,
    TakeOver,
    order_in,
    ordered_by,
)
from firmware.decide import decide, is_left_over, last_judged, legal_prefix, told
from firmware.faults import JournalDamaged, JournalFault
from firmware.games import Refereed
from firmware.gestures import Press
from firmware.interpret import Seen, interpret, resolved
from firmware.journal import Entry, Journal, Kind, Line
from firmware.obey import Outcome, Refused, obey, why_not
from firmware.orders import Orders
from firmware.ports import Button, Clock
from firmware.present import present
from firmware.retell import corrections, game_of, named_in, replayed, result_line, winner
from firmware.signals import Signals
from firmware.state import Judged, Referee, Saying, StationState, saying
from firmware.waiting import doubt, queued
from vision.observation import Observation

NOTICE_S = 4.0
WAIT_S = 30.0
JOURNAL_TROUBLES = frozenset({"log-damaged", "storage-fault", "disk-full", "journal-busy"})
CHECKS = frozenset({"check-board", "clear-table", "resuming"})
GAME_TROUBLES = frozenset(
    {"board-cleared", "check-board", "clear-table", "order-unclear", "taken-together", "recruit-unseen", "judges-call"}
)
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
    """What the eye made of a frame: a settled observation or none yet, and what is wrong with the view."""

    frame: int
    at_s: float
    observation: Observation | None
    troubles: tuple[Saying, ...] = ()
    moved: bool = False


@dataclass(frozen=True)
class Snapshot:
    """What subscribers get: the state, what is shown of it, and what was judged just now. Numbers have no gap."""

    number: int
    state: StationState
    signals: Signals
    events: tuple[Judged, ...] = ()
    began: bool = False
    ended: bool = False


Subscriber = Callable[[Snapshot], None]


class Station:
    """A referee at work. `see`, `take` and `report` are called from one thread."""

    def __init__(self, refereed: Refereed, journal: Journal, clock: Clock, manner: Manner = USUAL) -> None:
        self.refereed = refereed
        self.manner = manner
        self._journal = journal
        self._clock = clock
        self._subscribers: list[Subscriber] = []
        self._snapshots = 0
        self._signals: Signals | None = None
        self._view: tuple[Saying, ...] = ()
        self._seen: tuple[Observation, Referee, Seen] | None = None
        self._state: StationState | None = None
        self._orders = Orders(journal)

    @property
    def state(self) -> StationState:
        if self._state is None:
            raise RuntimeError("the station has no game: call begin or resume first")
        return self._state

    def subscribe(self, subscriber: Subscriber) -> None:
        self._subscribers.append(subscriber)

    def begin(self, head: Mapping[str, str], who: str = "station") -> None:
        """Begins a new game; the one before, if it is open, is left as it is. Without a journal there is none."""
        start = opening(self.refereed.game, head)
        number = self._begun(head, who)
        if number is None:
            return
        troubles = frozenset() if self._state is None else self._state.troubles - _named(self._state, GAME_TROUBLES)
        troubles -= {trouble for trouble in troubles if trouble.name == NAMES}
        if order_in(who) is not None and any(key.startswith("player ") for key in head):
            troubles |= {names_asked({key: value for key, value in head.items() if key.startswith("player ")})}
        clock, leftover = ("", None) if self._state is None else (self._state.clock, self._state.referee.table)
        state = StationState(
            number, tuple(sorted(head.items())), start, start, troubles, leftover=leftover, clock=clock
        )
        self._adopt(state, began=True)

    def _begun(self, head: Mapping[str, str], who: str, lines: tuple[Line, ...] = ()) -> int | None:
        """The number of a game that the journal has begun; None when it could not, which the state then says."""
        try:
            number = self._journal.begin({"game": self.refereed.game.name, **head}, who, lines)
        except JournalFault as fault:
            if self._state is None:
                raise
            self._adopt(replace(self.state, troubles=self.state.troubles | {saying(fault.trouble)}))
            return None
        self._orders.remember(who)
        return number

    def resume(self) -> bool:
        """Goes on with the open game of the journal, if there is one; its table is compared before anything is told."""
        number = self._journal.open_game()
        if number is None:
            return False
        entries = tuple(self._journal.entries(number))
        if game_of(entries) != self.refereed.game.name:
            return False  # another game is on the table now; that one stays as it is
        self._journal.append(number, [Line(Kind.NOTE, "started again; the game goes on", "station")])
        self._go_on(number, entries, calls_in(entries))
        return True

    def _go_on(self, number: int, entries: Iterable[Entry], calls: frozenset[Saying]) -> None:
        """Adopts a game from its entries; the table in view is compared with it before anything is told."""
        start, referee, head = replayed(self.refereed, entries)
        is_over = winner(referee) is not None
        troubles = calls | {saying("resuming", number=number)}
        clock = "" if self._state is None else self._state.clock
        state = StationState(number, head, start, referee, troubles, comparing=True, is_over=is_over, clock=clock)
        self._adopt(replace(state, notice=last_judged(start, referee)))

    def see(self, sighting: Sighting) -> None:
        """Looks at a frame: tells what it explains, and says what is wrong with it."""
        state = replace(self.state, frame=sighting.frame)
        if sighting.moved:
            state = replace(state, comparing=True)
        state = self._expired(self._with_view(state, sighting.troubles), sighting.at_s)
        if sighting.observation is None or _named(state, JOURNAL_TROUBLES & {"log-damaged"}):
            self._adopt(state)
            return
        seen = self._interpreted(sighting.observation, state.referee)
        state = replace(state, unread=seen.unread)
        if is_left_over(state, seen.table):
            self._adopt(replace(state, troubles=state.troubles | {saying("clear-table")}))
            return
        state = replace(state, leftover=None, troubles=state.troubles - _named(state, {"clear-table"}))
        if seen.fresh and not state.is_over and not state.referee.paused:
            self._wait(state, seen, sighting.at_s)
        else:
            self._catch_up(state, seen.table, sighting.at_s)
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
        """No frame will come any more: judges what still waits, with what could not be named left out."""
        self._catch_up(self.state, self.state.referee.table, self._clock.monotonic_s())

    def _wait(self, state: StationState, seen: Seen, now_s: float) -> None:
        """Something lies there that cannot be named. What is legal without it is told; a foul may be none once it can
        be named, so it waits, and what comes later waits behind it. When that lasts, people are asked to decide."""
        state = queued(state, seen, now_s)
        self._adopt(replace(state, orders=(), troubles=state.troubles - _named(state, GAME_TROUBLES)))
        while self.state.waiting:
            one, *later = self.state.waiting
            facts = self.state.referee.game.explain(self.state.referee.position, self.state.referee.table, one.table)
            if self._unclear(facts) is not None:
                break
            legal = legal_prefix(self.state, facts)
            is_due = legal == len(facts)
            hangs = doubt(facts[legal:], seen, self.refereed.places.lamp, lasts=now_s - one.since_s > WAIT_S)
            self._tell(replace(self.state, frame=one.frame), facts if is_due else facts[:legal], now_s)
            if hangs is not None:
                self._adopt(replace(self.state, troubles=self.state.troubles | {hangs}))
            if not is_due or self.state.is_over or _named(self.state, JOURNAL_TROUBLES):
                break
            self._adopt(replace(self.state, waiting=tuple(later)))
        self._adopt(replace(self.state, frame=state.frame))

    def _catch_up(self, state: StationState, now: Table, now_s: float) -> None:
        """Tells what happened while something could not be named, in the order in which it was seen."""
        self._adopt(replace(state, waiting=()))
        told_before = state.referee.table
        for one in state.waiting:
            table = resolved(one.table, one.fresh, told_before, now)
            so_far = replace(self.state, comparing=False)
            decision = decide(so_far, Seen(table), now_s, patience_s=0.0, unclear=self._unclear)
            self._tell(replace(self.state, frame=one.frame), decision.facts, now_s)
        self._adopt(replace(self.state, frame=state.frame))

    def _consider(self, state: StationState, seen: Seen, sighting: Sighting) -> None:
        asks, unclear = self.manner.asks, self._unclear
        decision = decide(state, seen, sighting.at_s, self.manner.patience_s, asks=asks, unclear=unclear)
        if decision.new_game:
            self.begin(dict(state.head))
            return
        done = _named(state, GAME_TROUBLES | ({"resuming"} if decision.agreed or decision.troubles else set()))
        state = replace(
            state,
            pending=decision.pending,
            orders=decision.orders,
            troubles=(state.troubles - done) | frozenset(decision.troubles),
            comparing=state.comparing and not decision.agreed,
        )
        if decision.agreed and any(trouble.name == "resuming" for trouble in done):
            state = replace(state, notice=saying("restarted"), notice_until_s=sighting.at_s + NOTICE_S)
        self._tell(state, decision.facts, sighting.at_s)

    def take(self, command: Command) -> Saying | None:
        """Does what was asked; returns why not, if it cannot be done. Whoever pressed a button looks at the display."""
        if isinstance(command, Ordered):
            return self._take_order(command)
        if isinstance(command, RoundTime):
            self._adopt(replace(self.state, clock=command.words))
            return None
        if isinstance(command, EventTrouble):
            self.report(command.name, None if command.about is None else Saying(command.name, command.about))
            return None
        if command == CALLING and self.manner.in_event:
            command = CallJudge()
        try:
            self._carry_out(obey(self.state, command, self.refereed))
        except (Refused, BadRecord, JournalDamaged) as error:
            why = why_not(error)
            if isinstance(command, Pressed):
                until_s = self._clock.monotonic_s() + NOTICE_S
                self._adopt(replace(self.state, notice=why, notice_until_s=until_s))
            return why
        return None

    def _take_order(self, order: Ordered) -> Saying | None:
        """An order is carried out once; its number stands in the journal, with what it came to or why it did not."""
        if self._orders.is_known(order.number):
            return None
        try:
            if order.command is None:
                raise Refused(order.unknown)
            if order.game and order.game != self.state.number:
                raise Refused(saying("game-gone", number=order.game))
            outcome = obey(self.state, order.command, self.refereed)
            self._carry_out(replace(outcome, who=ordered_by(outcome.who, order.number)))
        except (Refused, BadRecord, JournalDamaged) as error:
            self._write_notes((REFUSED + str(error),), None, ordered_by(order.who, order.number))
            return why_not(error)
        return None

    def _carry_out(self, outcome: Outcome) -> None:
        now_s = self._clock.monotonic_s()
        if outcome.head is not None:
            self.begin(dict(self.state.head) | dict(outcome.head), outcome.who)
        elif outcome.facts:
            asked = _named(self.state, {"order-unclear"})
            state = replace(self.state, orders=(), troubles=self.state.troubles - asked)
            self._tell(state, outcome.facts, now_s, outcome.who)
        elif outcome.acts:
            self._act(outcome.acts, outcome.notice, now_s, outcome.who)
        elif outcome.notes:
            self._write_notes(outcome.notes, outcome.notice, outcome.who)
        elif outcome.taken_over is not None:
            self._take_over(outcome.taken_over, outcome.who)
        elif outcome.compared:
            settled = self.state.troubles - _named(self.state, CHECKS)
            self._adopt(replace(self.state, comparing=False, leftover=None, troubles=settled))
        elif outcome.notice is not None:
            self._adopt(replace(self.state, notice=outcome.notice, notice_until_s=now_s + NOTICE_S))

    def _take_over(self, taken: TakeOver, who: str) -> None:
        """Another station's game goes on here: written down whole, then compared with the table in view."""
        head, lines = dict(taken.head), tuple(Line(Kind(kind), text, by) for kind, text, by in taken.lines)
        if head.pop("game", self.refereed.game.name) != self.refereed.game.name:
            raise Refused(saying("other-game", game=self.refereed.game.name))
        replayed(self.refereed, [Entry(0, 0, line.kind, line.text, line.who, "", "") for line in lines])
        number = self._begun(head, who, lines)
        if number is not None:
            self._go_on(number, tuple(self._journal.entries(number)), frozenset())

    def _write_notes(self, notes: tuple[str, ...], notice: Saying | None, who: str) -> None:
        """Lines about the station and its judges: the game stays what it is."""
        state = self.state
        calls, head = _named(state, NOTED), dict(state.head)
        for line in notes:
            calls = called(calls, line, who)
            head |= named_in(line)
        troubles = state.troubles - _named(state, NOTED) | calls
        after = replace(state, troubles=troubles, head=tuple(sorted(head.items())))
        lines = [Line(Kind.NOTE, note, who) for note in notes]
        self._write_and_adopt(state, after, lines, (), notice or state.notice, self._clock.monotonic_s(), notes=True)

    def report(self, name: str, trouble: Saying | None) -> None:
        """A part of the station has a trouble of this name, or has it no longer."""
        state = self.state
        troubles = state.troubles - _named(state, {name}) | (frozenset() if trouble is None else {trouble})
        if troubles != state.troubles:
            self._adopt(replace(state, troubles=troubles))

    def _tell(self, state: StationState, facts: tuple[Any, ...], now_s: float, who: str = "camera") -> None:
        if not facts:
            self._adopt(state)
            return
        names = asked_head(state.troubles)
        if names is not None and names.items() <= dict(state.head).items():  # whoever plays on under them agrees
            state = replace(state, troubles=state.troubles - _named(state, {NAMES}))
        after, judged = told(state, facts)
        lines = [Line(Kind.FACT, str(one.told.fact), who) for one in judged]
        self._write_and_adopt(state, after, lines, judged, judged[-1], now_s)

    def _act(self, acts: tuple[Act | Corrected[Any], ...], notice: Saying | None, now_s: float, who: str) -> None:
        state = self.state
        referee = fold(state.start, (*state.referee.entries, *acts))
        lines = [Line(Kind.ACT, entry_line(act), who) for act in acts]
        self._write_and_adopt(state, replace(state, referee=referee), lines, (), notice, now_s)

    def _write_and_adopt(
        self,
        before: StationState,
        after: StationState,
        lines: list[Line],
        judged: tuple[Judged, ...],
        notice: Judged | Saying | None,
        now_s: float,
        *,
        notes: bool = False,
    ) -> None:
        """The journal first; when it fails, the state stays what it was and says why."""
        ended = result_line(after)
        try:
            self._journal.append(before.number, lines if notes else [*lines, *ended])
        except JournalFault as fault:
            self._adopt(replace(before, troubles=before.troubles | {saying(fault.trouble)}, pending=None))
            return
        for line in lines:
            self._orders.remember(line.who)
        mended = after.troubles - _named(after, JOURNAL_TROUBLES)
        until_s = now_s + NOTICE_S
        after = replace(after, troubles=mended, notice=notice, notice_until_s=until_s, is_over=bool(ended))
        self._adopt(after, judged, ended=bool(ended) and not before.is_over)

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

    def _adopt(
        self, state: StationState, events: tuple[Judged, ...] = (), *, began: bool = False, ended: bool = False
    ) -> None:
        before, self._state = self._state, state
        if before is not None and not (events or began or ended) and replace(before, frame=state.frame) == state:
            return
        signals = present(state, self.refereed, self.manner.language)
        if signals == self._signals and not (events or began or ended):
            return
        self._signals = signals
        self._snapshots += 1
        snapshot = Snapshot(self._snapshots, state, signals, events, began, ended)
        for subscriber in self._subscribers:
            subscriber(snapshot)


def _named(state: StationState, names: Any) -> frozenset[Saying]:
    return frozenset(trouble for trouble in state.troubles if trouble.name in names)
