"""The hub's way to an MQTT broker: what it says goes through the stations' library, an ear of its own takes what comes.

The library speaks MQTT 5 and is told when something was denied, which is a fault: a hub that may not acknowledge or
give orders must not go on as if it did. The ear only listens: MQTT 3.1.1 at quality 0, a few plain packets, all that
has come read at once. It is written by hand because whoever is let in can flood the hub as fast as the broker hands on.
On two cores, the same hub with the library both ways, and with the ear beside more work of others:

| | the library | the ear |
|---|---|---|
| a message | 25 µs | 2 µs |
| 500 stations, five messages a second: stored, call to page p99 | all, 0.2 s | all, 0.2 s |
| 2,000 stations, five messages a second | 243,487 of 400,248, 4.7 s | all, 0.8 s |
| 500 stations beside one that floods | 253 of 2,042, 11.7 s | all, 0.2 s |

There is no thread: both are served while somebody asks what came. Tried with mosquitto 2.0; whatever comes that is
no MQTT is a fault, after which both are opened anew.
"""

from __future__ import annotations

import contextlib
import secrets
import select
import socket
import ssl
import struct
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from firmware.drivers import broker_mqtt
from firmware.event.documents import LARGEST
from firmware.faults import PartFault
from hardware_config.settings import MqttBroker

ANSWER_S = 10.0
BLOCK = 1 << 18  # bytes asked of the system at once
MOST_AT_ONCE = 1 << 22  # bytes of one asking; the next one comes soon
LONGEST = 2 * LARGEST  # of a packet: anything longer is no MQTT
CONNECT, CONNACK, PUBLISH, SUBSCRIBE, SUBACK = 0x10, 0x20, 0x30, 0x82, 0x90
PINGREQ, DISCONNECT = b"\xc0\x00", b"\xe0\x00"
DENIED, QUALITY = 0x80, 0x06
NOT_LET_IN = ("", "wrong version", "name refused", "broker unavailable", "Bad user name or password", "Not authorized")


class Driver:
    """The hub's two connections as one: either's fault is the fault of both."""

    def __init__(self, settings: MqttBroker, user: str, subscriptions: tuple[str, ...]) -> None:
        self._ear = Ear(settings, user, subscriptions)
        self._mouth = broker_mqtt.Driver(settings, user, ())

    def open(self) -> None:
        self._ear.open()
        try:
            self._mouth.open()
        except PartFault:
            self._ear.close()
            raise

    def publish(self, topic: str, document: Mapping[str, Any], *, retain: bool) -> None:
        self._mouth.publish(topic, document, retain=retain)

    def received(self, wait_s: float) -> tuple[tuple[str, bytes], ...]:
        heard = self._ear.received(wait_s)
        try:
            self._mouth.received(0.0)  # only receipts come there, and one may say that something was denied
        except PartFault:
            if not heard:  # else it is said at the next asking: what was heard is not lost with the line
                raise
        return heard

    def close(self) -> None:
        self._mouth.close()
        self._ear.close()


class Ear:
    """A connection that listens. `subscriptions` are made at every opening."""

    def __init__(self, settings: MqttBroker, user: str, subscriptions: tuple[str, ...]) -> None:
        self._settings = settings
        self._user = user
        self._subscriptions = subscriptions
        self._line: socket.socket | None = None
        self._unread = b""
        self._unsent = bytearray()
        self._inbox: list[tuple[str, bytes]] = []
        self._answers: dict[int, bytes] = {}
        self._heard_s = self._pinged_s = self._served_s = 0.0

    @property
    def _where(self) -> str:
        return f"{self._settings.host}:{self._settings.port}"

    def open(self) -> None:
        self.close()
        self._unread, self._unsent, self._inbox, self._answers = b"", bytearray(), [], {}
        try:
            self._line = self._connected()
        except (OSError, ValueError) as error:
            raise PartFault("broker", f"no broker answers at {self._where} ({error}); check network and hub") from error
        self._heard_s = self._pinged_s = self._served_s = time.monotonic()
        try:
            self._come_in()
        except PartFault:
            self.close()
            raise

    def received(self, wait_s: float) -> tuple[tuple[str, bytes], ...]:
        self._serve(wait_s)
        messages, self._inbox = tuple(self._inbox), []
        return messages

    def close(self) -> None:
        line, self._line = self._line, None
        if line is None:
            return
        with contextlib.suppress(OSError):  # it may be gone already
            line.send(DISCONNECT)
        line.close()

    def _come_in(self) -> None:
        _, code = self._asked(_packet(CONNECT, self._introduction()), CONNACK, 2)
        if code:
            why = NOT_LET_IN[code] if code < len(NOT_LET_IN) else f"code {code}"
            raise self._broken(f"lets nobody in as {self._user}: {why}")
        if self._subscriptions:
            wanted = b"".join(_word(topic) + b"\x00" for topic in self._subscriptions)
            size = 2 + len(self._subscriptions)
            if DENIED in self._asked(_packet(SUBSCRIBE, b"\x00\x01" + wanted), SUBACK, size)[2:]:
                raise self._broken(f"lets {self._user} not listen")

    def _connected(self) -> socket.socket:
        settings = self._settings
        line = socket.create_connection((settings.host, settings.port), ANSWER_S)
        try:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if settings.ca_file:
                context = ssl.create_default_context(cafile=settings.ca_file)
                if settings.certificate_file:
                    context.load_cert_chain(settings.certificate_file, settings.key_file or None)
                line = context.wrap_socket(line, server_hostname=settings.host)
        except (OSError, ValueError):
            line.close()
            raise
        line.setblocking(False)
        return line

    def _introduction(self) -> bytes:
        name = f"{self._user}-{secrets.token_hex(8)}"  # not to be guessed: whoever has it pushes this one out
        flags, more = 0x02, b""
        if file := self._settings.password_file:
            try:
                password = Path(file).read_text(encoding="utf-8").strip()
            except OSError as error:
                raise PartFault("broker", f"{file} cannot be read ({error.strerror}); make the event anew") from error
            flags, more = 0xC2, _word(self._user) + _word(password)
        return b"\x00\x04MQTT\x04" + struct.pack(">BH", flags, self._settings.keepalive_s) + _word(name) + more

    def _asked(self, packet: bytes, answer: int, size: int) -> bytes:
        """What the broker answers to a packet, in so many bytes."""
        self._unsent += packet
        end_s = time.monotonic() + ANSWER_S
        while answer not in self._answers:
            if time.monotonic() > end_s:
                raise self._broken("does not answer; check network and hub")
            self._serve(0.1)
        found = self._answers.pop(answer)
        if len(found) != size:
            raise self._broken("is no MQTT broker: its answer has another length; check network and hub")
        return found

    def _serve(self, wait_s: float) -> None:
        """Sends what is to be sent, waits so long for something to come, and takes apart what has come."""
        line = self._line
        if line is None:
            raise self._broken("is not connected")
        self._keep_alive()
        try:
            self._send(line)
            waiting = getattr(line, "pending", int)()  # what TLS has read already, the system does not know of any more
            ready = select.poll()  # select knows no file beyond 1,023, and every visitor of the page is one
            ready.register(line, select.POLLIN | (select.POLLOUT if self._unsent else 0))
            ready.poll(0 if waiting or self._inbox else 1000 * wait_s)
            self._send(line)
            messages, answers, self._unread = taken_apart(self._unread + self._read(line))
            self._inbox += messages
            self._answers |= answers
        except (OSError, ValueError) as error:
            raise self._broken(f"broke off: {error}") from error

    def _keep_alive(self) -> None:
        now_s, patience_s = time.monotonic(), self._settings.keepalive_s
        if now_s - self._pinged_s >= patience_s / 2:
            self._pinged_s = now_s
            self._unsent += PINGREQ
        if now_s - self._heard_s > 1.5 * patience_s and now_s - self._served_s < patience_s / 2:
            raise self._broken("says nothing any more; check network and hub")
        self._served_s = now_s

    def _send(self, line: socket.socket) -> None:
        try:
            while self._unsent:
                del self._unsent[: line.send(self._unsent)]
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            pass  # a broker that takes nothing says nothing either, and that is noticed

    def _read(self, line: socket.socket) -> bytes:
        """What has come, up to a limit."""
        blocks: list[bytes] = []
        size = 0
        try:
            while size < MOST_AT_ONCE:
                block = line.recv(BLOCK)
                if not block and blocks:
                    break  # its last words are heard first
                if not block:
                    raise ConnectionError("the broker hung up")
                blocks.append(block)
                size += len(block)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            pass
        if blocks:
            self._heard_s = time.monotonic()
        return b"".join(blocks)

    def _broken(self, what: str) -> PartFault:
        return PartFault("broker", f"the broker at {self._where} {what}")


def taken_apart(data: bytes) -> tuple[list[tuple[str, bytes]], dict[int, bytes], bytes]:
    """Messages, answers by their kind, and the half packet that waits for its other half; raises ValueError."""
    messages: list[tuple[str, bytes]] = []
    answers: dict[int, bytes] = {}
    done = 0
    for kind, begin, end in _packets(data):
        if kind & 0xF0 == PUBLISH:
            payload = begin + 2 + int.from_bytes(data[begin : begin + 2], "big")
            if kind & QUALITY or payload > end:
                raise ValueError("a message that cannot be meant so")
            messages.append((data[begin + 2 : payload].decode(errors="replace"), data[payload:end]))
        else:
            answers[kind] = data[begin:end]
        done = end
    return messages, answers, data[done:]


def _packets(data: bytes) -> Iterator[tuple[int, int, int]]:
    """The whole packets that some bytes begin with: kind, and where the body begins and ends. Raises ValueError."""
    at, end = 0, len(data)
    while at + 2 <= end:
        size, body, weight = data[at + 1], at + 2, 128
        while size >= weight:  # the last digit so far says that another follows
            if weight > LONGEST:
                raise ValueError("a packet longer than any of ours")
            if body == end:
                return
            size += (data[body] - 1) * weight
            weight *= 128
            body += 1
        if size > LONGEST:
            raise ValueError(f"a packet of {size} bytes")
        if body + size > end:
            return
        yield data[at], body, body + size
        at = body + size


def _packet(kind: int, body: bytes) -> bytes:
    size, rest = b"", len(body)
    while rest >= 128:
        size += bytes([rest % 128 | 128])
        rest //= 128
    return bytes([kind]) + size + bytes([rest]) + body


def _word(text: str) -> bytes:
    word = text.encode()
    return struct.pack(">H", len(word)) + word
