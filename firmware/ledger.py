"""The ledger: the journal and the state that stands on it. What happens is written, then adopted, then shown.

It alone holds the state; everybody else gets frozen snapshots. When the journal fails, the state stays what it was and
says why. Knows the journal and the engine's fold; knows neither what was seen nor what was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.record import entry_line
from engine.referee import Act, Corrected, fold, opening
from engine.table import Table
from firmware.calling import NAMES, NOTED, asked_head, called, calls_in, names_asked
from firmware.commands import TakeOver, order_in
from firmware.decide import last_judged, told
from firmware.faults import JournalFault
from firmware.games import Refereed
from firmware.journal import Entry, Journal, Kind, Line
from firmware.obey import Refused
from firmware.orders import Orders
from firmware.present import present
from firmware.retell import game_of, named_in, replayed, result_line, winner
from firmware.signals import Signals
from firmware.state import Judged, Saying, StationState, saying

NOTICE_S = 4.0
JOURNAL_TROUBLES = frozenset({"log-damaged", "storage-fault", "disk-full", "journal-busy"})
MENDABLE = JOURNAL_TROUBLES - {"log-damaged"}
GAME_TROUBLES = frozenset(
    {"board-cleared", "check-board", "clear-table", "order-unclear", "came-unseen", "taken-together"}
    | {"recruit-unseen", "judges-call"}
)


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


class Ledger:
    """The state of a station, written down before it counts."""

    def __init__(self, refereed: Refereed, journal: Journal, language: str) -> None:
        self._refereed = refereed
        self._journal = journal
        self._language = language
        self._orders = Orders(journal)
        self._subscribers: list[Subscriber] = []
        self._snapshots = 0
        self._signals: Signals | None = None
        self._state: StationState | None = None
        self._left: Table | None = None

    @property
    def state(self) -> StationState:
        if self._state is None:
            raise RuntimeError("the station has no game: call begin or resume first")
        return self._state

    def subscribe(self, subscriber: Subscriber) -> None:
        self._subscribers.append(subscriber)

    def is_carried_out(self, order: str) -> bool:
        """Whether an order of this number stands in the journal already."""
        return self._orders.is_known(order)

    def begin(self, head: Mapping[str, str], who: str = "station", lying: Table | None = None) -> None:
        """Begins a new game; the one before, if it is open, is left as it is. Without a journal there is none. Whatever
        was `lying` there while it was open is of that game, be it told or not."""
        start = opening(self._refereed.game, head)
        number = self._begun(head, who)
        if number is None:
            return
        troubles = frozenset() if self._state is None else self._state.troubles - self._state.named(GAME_TROUBLES)
        troubles -= {trouble for trouble in troubles if trouble.name == NAMES}
        if order_in(who) is not None and any(key.startswith("player ") for key in head):
            troubles |= {names_asked({key: value for key, value in head.items() if key.startswith("player ")})}
        clock, leftover = "", self._left
        if self._state is not None:
            told = self._state.referee.table
            clock, leftover = self._state.clock, told if self._state.is_over or lying is None else lying
        state = StationState(
            number, tuple(sorted(head.items())), start, start, troubles, leftover=leftover, clock=clock
        )
        self.adopt(state, began=True)

    def _begun(self, head: Mapping[str, str], who: str, lines: tuple[Line, ...] = ()) -> int | None:
        """The number of a game that the journal has begun; None when it could not, which the state then says."""
        try:
            number = self._journal.begin({"game": self._refereed.game.name, **head}, who, lines)
        except JournalFault as fault:
            if self._state is None:
                raise
            self.adopt(replace(self.state, troubles=self.state.troubles | {saying(fault.trouble)}))
            return None
        self._orders.remember(who)
        return number

    def resume(self) -> bool:
        """Goes on with the open game of the journal, if there is one; its table is compared before anything is told.
        What lay there when the last one ended may lie there still."""
        entries = tuple(self._journal.entries(self._journal.last_game()))
        if not entries or game_of(entries) != self._refereed.game.name:
            return False  # another game is on the table now; that one stays as it is
        number = self._journal.open_game()
        if number is None:
            self._left = replayed(self._refereed, entries)[1].table
            return False
        self._journal.append(number, [Line(Kind.NOTE, "started again; the game goes on", "station")])
        self._go_on(number, entries, calls_in(entries))
        return True

    def take_over(self, taken: TakeOver, who: str) -> None:
        """Another station's game goes on here: written down whole, then compared with the table in view."""
        head, lines = dict(taken.head), tuple(Line(Kind(kind), text, by) for kind, text, by in taken.lines)
        if head.pop("game", self._refereed.game.name) != self._refereed.game.name:
            raise Refused(saying("other-game", game=self._refereed.game.name))
        replayed(self._refereed, [Entry(0, 0, line.kind, line.text, line.who, "", "") for line in lines])
        number = self._begun(head, who, lines)
        if number is not None:
            self._go_on(number, tuple(self._journal.entries(number)), frozenset())

    def _go_on(self, number: int, entries: Iterable[Entry], calls: frozenset[Saying]) -> None:
        """Adopts a game from its entries; the table in view is compared with it before anything is told."""
        start, referee, head = replayed(self._refereed, entries)
        is_over = winner(referee) is not None
        troubles = calls | {saying("resuming", number=number)}
        clock = "" if self._state is None else self._state.clock
        state = StationState(number, head, start, referee, troubles, comparing=True, is_over=is_over, clock=clock)
        self.adopt(replace(state, notice=last_judged(start, referee)))

    def tell(self, state: StationState, facts: tuple[Any, ...], now_s: float, who: str = "camera") -> None:
        """Facts that were seen or shown: written, judged, adopted. Without any the state alone is adopted."""
        if not facts:
            self.adopt(state)
            return
        names = asked_head(state.troubles)
        if names is not None and names.items() <= dict(state.head).items():  # whoever plays on under them agrees
            state = replace(state, troubles=state.troubles - state.named({NAMES}))
        after, judged = told(state, facts)
        lines = [Line(Kind.FACT, str(one.told.fact), who) for one in judged]
        self._write_and_adopt(state, after, lines, judged, judged[-1], now_s)

    def act(self, acts: tuple[Act | Corrected[Any], ...], notice: Saying | None, now_s: float, who: str) -> None:
        """What people did to the game itself: undo, pause, correction, ruling."""
        state = self.state
        referee = fold(state.start, (*state.referee.entries, *acts))
        lines = [Line(Kind.ACT, entry_line(act), who) for act in acts]
        self._write_and_adopt(state, replace(state, referee=referee), lines, (), notice, now_s)

    def note(self, notes: tuple[str, ...], notice: Saying | None, now_s: float, who: str) -> None:
        """Lines about the station and its judges: the game stays what it is."""
        state = self.state
        calls, head = state.named(NOTED), dict(state.head)
        for line in notes:
            calls = called(calls, line, who)
            head |= named_in(line)
        troubles = state.troubles - state.named(NOTED) | calls
        after = replace(state, troubles=troubles, head=tuple(sorted(head.items())))
        lines = [Line(Kind.NOTE, note, who) for note in notes]
        self._write_and_adopt(state, after, lines, (), notice or state.notice, now_s, notes=True)

    def try_again(self, now_s: float) -> bool:
        """Whether the journal that has failed can be written by now: a note tries, and says for ever that it had."""
        self.note(("the journal can be written again",), None, now_s, "station")
        return not self.state.named(JOURNAL_TROUBLES)

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
        """The journal first; when it fails, the state stays what it was and says why. What is played until it is
        mended was never judged in its turn, so it is compared then."""
        ended = result_line(after)
        try:
            self._journal.append(before.number, lines if notes else [*lines, *ended])
        except JournalFault as fault:
            troubles = before.troubles | {saying(fault.trouble)}
            self.adopt(replace(before, troubles=troubles, pending=None, comparing=True))
            return
        for line in lines:
            self._orders.remember(line.who)
        mended = after.troubles - after.named(JOURNAL_TROUBLES)
        until_s = now_s + NOTICE_S
        after = replace(after, troubles=mended, notice=notice, notice_until_s=until_s, is_over=bool(ended))
        self.adopt(after, judged, ended=bool(ended) and not before.is_over)

    def adopt(
        self, state: StationState, events: tuple[Judged, ...] = (), *, began: bool = False, ended: bool = False
    ) -> None:
        """This is the state from now on; whoever subscribed hears of it when it shows."""
        before, self._state = self._state, state
        if before is not None and not (events or began or ended) and replace(before, frame=state.frame) == state:
            return
        signals = present(state, self._refereed, self._language)
        if signals == self._signals and not (events or began or ended):
            return
        self._signals = signals
        self._snapshots += 1
        snapshot = Snapshot(self._snapshots, state, signals, events, began, ended)
        for subscriber in self._subscribers:
            subscriber(snapshot)
