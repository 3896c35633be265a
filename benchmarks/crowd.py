"""Many stations of an event in one process: connections of their own, each with a true hash chain.

Just enough MQTT for that, so that the machine's time is the hub's and not theirs. Knows no hub.
"""

from __future__ import annotations

import heapq
import json
import socket
import struct
import time
from contextlib import suppress
from datetime import UTC, datetime
from multiprocessing.queues import Queue
from random import Random

from engine.schotten_totten.options import Rules
from firmware.event import topics
from firmware.event.facts import JudgeCalled, Reason, encode
from firmware.journal import GENESIS, Kind, chained
from firmware.simulation.players import play_game

DRAIN_EVERY = 20  # messages: what the hub acknowledged is read, and not looked at


def _word(text: str) -> bytes:
    return struct.pack(">H", len(text)) + text.encode()


def _packet(kind: int, body: bytes) -> bytes:
    length, size = len(body), b""
    while True:
        length, digit = divmod(length, 128)
        size += bytes([digit | (0x80 if length else 0)])
        if not length:
            return bytes([kind]) + size + body


class Sender:
    """A station: its journal, entry after entry, and its connection."""

    def __init__(self, name: str, lines: list[str]) -> None:
        self.name = name
        self.sent = 0
        self._lines = lines
        self._head, self._book = GENESIS, ""
        self._topic = _word(topics.entries(name))

    def message(self, *, calls: bool = False) -> bytes:
        """The next entry, written now."""
        self.sent += 1
        at = datetime.now(UTC).isoformat(timespec="microseconds")
        kind = Kind.BEGIN if self.sent == 1 else Kind.NOTE if calls else Kind.FACT
        line = '{"game": "schotten-totten"}' if self.sent == 1 else self._lines[self.sent % len(self._lines)]
        if kind is Kind.NOTE:
            line = encode(JudgeCalled(Reason.DISPUTE, f"at {time.time():.6f}"))
        self._head = chained(self._head, self.sent, 1, kind, line, "camera", at)
        self._book = self._book or self._head[:16]
        row = [self.sent, 1, kind, line, "camera", at, self._head]
        return json.dumps({"book": self._book, "entries": [row]}).encode()

    def open(self, port: int) -> None:
        self._line = socket.create_connection(("127.0.0.1", port))
        connect = b"\x00\x04MQTT\x05\x02" + struct.pack(">H", 300) + b"\x00" + _word(self.name)
        self._line.sendall(_packet(0x10, connect))
        self._line.recv(100)
        self._line.sendall(_packet(0x82, b"\x00\x01\x00" + _word(topics.ack(self.name)) + b"\x00"))

    def send(self, *, calls: bool = False) -> None:
        message = self.message(calls=calls)
        number = struct.pack(">H", 1 + self.sent % 60000)
        self._line.sendall(_packet(0x32, self._topic + number + b"\x00" + message))
        if self.sent % DRAIN_EVERY == 0:
            with suppress(BlockingIOError):
                while self._line.recv(65536, socket.MSG_DONTWAIT):
                    pass

    def litter(self, count: int) -> None:
        self._line.sendall(count * _packet(0x30, self._topic + b"\x00" + b"nonsense"))


def _senders(stations: int) -> list[Sender]:
    lines = [str(step.fact) for step in play_game(Rules(), Random(1))]
    return [Sender(f"t{number:04}", lines) for number in range(stations)]


def crowd(port: int, stations: int, a_second: float, seconds: float, sent: Queue[tuple[int, float]]) -> None:
    """All stations at a broker, for so long; every one of them calls a judge once. Says how many messages they sent,
    and what of a core they took for it."""
    senders, random = _senders(stations), Random(3)
    for sender in senders:
        sender.open(port)
    calls = [random.randint(2, 8) for _ in senders]
    begin_s, cpu_s = time.monotonic(), time.process_time()
    turns = [(begin_s + random.random() / a_second, number) for number in range(stations)]
    heapq.heapify(turns)
    while turns[0][0] < begin_s + seconds and time.monotonic() < begin_s + seconds:
        due_s, number = turns[0]
        if (early_s := due_s - time.monotonic()) > 0.001:
            time.sleep(early_s)
        senders[number].send(calls=senders[number].sent + 1 == calls[number])
        heapq.heapreplace(turns, (due_s + random.uniform(0.5, 1.5) / a_second, number))
    busy = (time.process_time() - cpu_s) / (time.monotonic() - begin_s)
    sent.put((sum(sender.sent for sender in senders), busy))
    time.sleep(2.0)  # stays connected while the hub still listens


def flood(port: int, seconds: float, sent: Queue[int]) -> None:
    """A station that sends whatever the broker takes, none of it an entry; says how many messages it was."""
    sender = Sender("flood", [""])
    sender.open(port)
    count, end_s = 0, time.monotonic() + seconds
    while time.monotonic() < end_s:
        sender.litter(1000)
        count += 1000
    sent.put(count)
