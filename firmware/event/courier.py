"""The courier of a station: brings its journal to the hub, entry by entry, until the hub says that it has them.

The journal is the outbox: what the hub has not acknowledged is sent again, and the hub takes each entry once, whatever
comes twice. The broker's own acknowledgement counts for nothing. Nothing is written before the name is known to be this
station's alone and the hub to speak the same language. Orders of the hub go into the station's queue, and so does the
call of a judge for what has been wrong too long. An output like the others: its keeper opens it again after faults, and
the game never waits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from firmware.calling import CALLS, Vigil
from firmware.commands import CallJudge, Command, EventTrouble, RoundTime
from firmware.event import topics, wire
from firmware.event.discovery import announcements
from firmware.event.documents import BadMessage
from firmware.event.facts import Reason
from firmware.event.orders import ordered
from firmware.event.outbox import BYTES, Outbox
from firmware.event.tenure import Tenure
from firmware.event.wire import Glimpse, Picture, RoundClock, Status
from firmware.faults import PartFault
from firmware.ledger import Snapshot
from firmware.ports import Broker, Clock, Frame
from firmware.signals import Signals
from firmware.state import StationState

ROUND_S = 0.1
STRANGER = "another station calls itself {station}"

PICTURE_S, STILL_PICTURE_S = 5.0, 60.0  # between two pictures, when something changed and when nothing did
PICTURE_PX, PICTURE_QUALITY = 640, 60


class Courier:
    """An output of the station. `note` is called in the station's thread, the rest in its keeper's."""

    def __init__(
        self,
        station: str,
        boot: str,
        broker: Broker,
        journal: Path,
        clock: Clock,
        give: Callable[[Command], None],
        *,
        discovery: bool = False,
    ) -> None:
        self._station = station
        self._boot = boot
        self._discovery = discovery
        self._broker = broker
        self._clock = clock
        self._give = give
        self._vigil = Vigil()
        self._frame: Frame | None = None
        self._pictured, self._pictured_s = 0, -STILL_PICTURE_S
        self._round: tuple[RoundClock, float] | None = None
        self._told_time = ""
        self._snapshot: Snapshot | None = None
        self._shown = 0
        self._outbox = Outbox(journal)
        self._tenure = Tenure(boot)
        self._is_in = False
        self._troubles: set[str] = set()

    @property
    def acknowledged(self) -> int:
        """The last entry that the hub has."""
        return self._outbox.acknowledged

    def note(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def open(self) -> None:
        self._broker.open()
        self._shown, self._is_in = 0, False
        now_s = self._clock.monotonic_s()
        self._outbox.open(now_s)
        self._tenure.begin(self._outbox.book, now_s)
        self._claim()

    def _claim(self) -> None:
        self._broker.publish(topics.claim(self._station), self._tenure.claim.document(), retain=False)

    def show(self, signals: Signals) -> float | None:
        """One round: hears what came, says what the table looks like, sends what the hub has not."""
        for topic, payload in self._broker.received(0.0):
            address = topics.parse(topic)
            if topic == topics.PROTOCOL:
                self._hear("protocol", payload)
            elif address is not None and (address.station == self._station or topic == topics.ROUND):
                self._hear(address.about, payload)
        self._settle()
        if self._is_in:
            self._tell()
        return ROUND_S

    def _settle(self) -> None:
        """Comes in once the name is this station's; keeps away while it is another's."""
        tenure = self._tenure
        tenure.settle(self._clock.monotonic_s())
        if tenure.is_lost:
            name = "id-conflict" if tenure.is_copy else "table-taken"
            self._say(name, station=self._station.upper().replace("-", " "))
            raise PartFault("broker", f"{STRANGER.format(station=self._station)} already; give this one another name")
        if not tenure.holds:
            return
        if self._say("id-conflict", tenure.is_copy, station=self._station):
            words = STRANGER.format(station=self._station)
            self._give(CallJudge(Reason.STATION, words, who="station", withdraw=not tenure.is_copy))
        if not self._is_in:
            self._is_in = True
            self._say("table-taken", False)
            self._say("update-needed", False)
            self._say_status()
            for topic, document in self._announcements().items():
                self._broker.publish(topic, document, retain=True)

    def _say(self, name: str, is_so: bool = True, **about: str | int) -> bool:
        """Has the display say that this is wrong with the station's place in the event; whether that is news."""
        if is_so == (name in self._troubles):
            return False
        self._troubles ^= {name}
        self._give(EventTrouble(name, tuple(sorted(about.items())) if is_so else None))
        return True

    def _say_status(self) -> None:
        status = Status(self._boot, True, self._outbox.book, version("marchwarden"))
        self._broker.publish(topics.status(self._station), status.document(), retain=True)

    def _announcements(self) -> dict[str, dict[str, Any]]:
        return announcements(self._station, version("marchwarden")) if self._discovery else {}

    def _tell(self) -> None:
        snapshot = self._snapshot
        if snapshot is not None and snapshot.number != self._shown:
            self._broker.publish(topics.table(self._station), glimpse(self._boot, snapshot).document(), retain=True)
            self._shown = snapshot.number
        self._send_picture()
        self._send()
        if snapshot is not None:
            self._tell_time(snapshot)
            for call in self._vigil.due(snapshot.state, self._clock.monotonic_s()):
                self._give(call)

    def _tell_time(self, snapshot: Snapshot) -> None:
        """Has the display say what is left of the round, minute by minute; it stands still while a judge is called."""
        if self._round is None or any(trouble.name in CALLS for trouble in snapshot.state.troubles):
            return
        words = time_left(*self._round, self._station, self._clock.monotonic_s())
        if words != self._told_time:
            self._told_time = words
            self._give(RoundTime(words))

    def close(self) -> None:
        """Leaves in good order: the broker does not have to find out."""
        try:
            if self._is_in:
                gone = Status(self._boot, False, self._outbox.book)
                self._broker.publish(topics.status(self._station), gone.document(), retain=True)
        except PartFault:
            pass  # it is gone already, and the broker says so
        self._is_in = False
        self._outbox.close()
        self._broker.close()

    def see(self, frame: Frame, _: StationState) -> None:
        """Keeps the newest frame; in the station's thread."""
        self._frame = frame

    def _hear(self, about: str, payload: bytes) -> None:
        try:
            if about == "ack":
                self._outbox.hear(wire.ack(payload), self._clock.monotonic_s())
            elif about.startswith("cmd/") and self._is_in:
                self._give(ordered(wire.order(payload)))
            elif about == "round":
                self._round = wire.round_clock(payload), self._clock.monotonic_s()
            elif about == "claim":
                self._hear_claim(wire.claim(payload))
            elif about == "status" and self._is_in:
                self._hear_status(wire.status(payload))
            elif about == "protocol":
                self._hear_protocol(wire.protocol(payload))
        except BadMessage:
            pass  # not from our hub, or from one of another age; the hub's log is the place to look

    def _hear_claim(self, claim: wire.Claim) -> None:
        self._tenure.hear(claim, self._clock.monotonic_s())
        if claim.boot != self._boot and not self._tenure.is_lost:
            self._claim()

    def _hear_status(self, status: Status) -> None:
        """The broker's late word about an earlier start of this station is put right; a stranger hears whose name it
        is."""
        if not status.online:
            self._say_status()
        elif status.boot != self._boot:
            self._claim()

    def _hear_protocol(self, number: int) -> None:
        if number != topics.PROTOCOL_NUMBER:
            self._say("update-needed")
            mine = topics.PROTOCOL_NUMBER
            raise PartFault("broker", f"the hub speaks version {number}, this station {mine}; update the older of them")

    def _send_picture(self) -> None:
        """The newest frame, when something changed on the table or a while has passed."""
        frame, now_s = self._frame, self._clock.monotonic_s()
        wait_s = PICTURE_S if self._shown != self._pictured else STILL_PICTURE_S
        if frame is None or now_s - self._pictured_s < wait_s:
            return
        from firmware.web.peephole import as_jpeg

        at = self._clock.now().isoformat(timespec="milliseconds")
        picture = Picture(frame.number, at, as_jpeg(frame, PICTURE_PX, PICTURE_QUALITY))
        self._pictured, self._pictured_s = self._shown, now_s
        if len(picture.jpeg) < BYTES:
            self._broker.publish(topics.picture(self._station), picture.document(), retain=True)

    def _send(self) -> None:
        for parcel in self._outbox.due(self._clock.monotonic_s()):
            self._broker.publish(topics.entries(self._station), parcel.document(), retain=False)


def time_left(clock: RoundClock, heard_s: float, station: str, now_s: float) -> str:
    """What is left of a round that was heard of then, in whole minutes begun: `12'`, `-3'`, `=12'` while it stands."""
    if clock.left_s is None:
        return ""
    left_s = clock.left_s + dict(clock.added_s).get(station, 0) - (now_s - heard_s if clock.runs else 0.0)
    minutes = math.ceil(left_s / 60) if left_s > 0 else -math.ceil(-left_s / 60)
    return f"{'' if clock.runs else '='}{minutes}'"


def glimpse(boot: str, snapshot: Snapshot) -> Glimpse:
    """What a snapshot looks like from afar."""
    state, signals, summary = snapshot.state, snapshot.signals, snapshot.state.summary
    decision = state.referee.decision
    return Glimpse(
        boot=boot,
        number=snapshot.number,
        game=state.number,
        turn=None if state.is_over else summary.turn,
        score=tuple((str(player), points) for player, points in summary.score),
        over=state.is_over,
        winner=summary.winner if decision is None else decision.winner,
        paused=state.referee.paused,
        comparing=state.comparing,
        tone=signals.screen.tone.value,
        headline=signals.screen.headline,
        sentence=signals.notice,
        troubles=tuple(sorted(trouble.name for trouble in state.troubles)),
        unread=len(state.unread),
        put_right=len(state.referee.to_put_right),
    )
