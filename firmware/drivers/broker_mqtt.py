"""An MQTT 5 broker such as Debian's mosquitto, through paho.

Version 5 because its acknowledgements say when a message was denied; under 3.1.1 a denial looks like success. A lost
connection is a fault: whoever uses the broker opens it again and says anew what counts. There is no thread here: the
connection is served while somebody asks what came, which has to be more often than the broker's patience lasts; what
is not asked for waits at the broker. The hub speaks through it too; it listens by `broker_mqtt_bulk`.
"""

from __future__ import annotations

import secrets
import select
import ssl
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from firmware.event.documents import encoded
from firmware.faults import PartFault
from hardware_config.settings import MqttBroker

ANSWER_S = 10.0
READING_S = 0.25  # at one asking; the next one comes soon
IN_FLIGHT = 1000


class Driver:
    """One connection. `subscriptions` are made at every opening; `will` is what the broker says when it breaks."""

    def __init__(
        self,
        settings: MqttBroker,
        user: str,
        subscriptions: tuple[str, ...],
        will: tuple[str, Mapping[str, Any]] | None = None,
        *,
        open_house: bool = False,  # comes in as everybody may, and trusts nobody: for what is sealed anyway
    ) -> None:
        self._settings = settings
        self._open_house = open_house
        self._user = user
        self._client_id = f"{user}-{secrets.token_hex(8)}"  # not to be guessed: whoever has it pushes this one out
        self._subscriptions = subscriptions
        self._will = will
        self._client: Client | None = None
        self._inbox: list[tuple[str, bytes]] = []
        self._packets = 0
        self._answers = 0
        self._fault: str | None = None

    @property
    def _where(self) -> str:
        return f"{self._settings.host}:{self._settings.port}"

    def open(self) -> None:
        self.close()
        self._inbox.clear()
        self._fault, self._answers = None, 0
        self._client = client = self._made()
        try:
            client.connect(self._settings.host, self._settings.port, self._settings.keepalive_s)
        except (OSError, ValueError) as error:
            self._client = None
            raise PartFault("broker", f"no broker answers at {self._where} ({error}); check network and hub") from error
        self._await(1)
        if self._subscriptions:
            # What the broker promises beyond this is not relied on: whatever is lost is sent again by its sender.
            client.subscribe([(topic, SubscribeOptions(qos=0)) for topic in self._subscriptions])
            self._await(2)

    def publish(self, topic: str, document: Mapping[str, Any], *, retain: bool) -> None:
        client = self._connected()
        client.publish(topic, encoded(document), qos=1, retain=retain)

    def received(self, wait_s: float) -> tuple[tuple[str, bytes], ...]:
        if not self._inbox:
            self._serve(self._connected(), wait_s)
        messages, self._inbox = tuple(self._inbox), []
        if not messages:
            self._connected()
        return messages

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.on_disconnect = None
            client.disconnect()

    def _made(self) -> Client:
        client = Client(
            CallbackAPIVersion.VERSION2,
            self._client_id,
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
        )
        settings = self._settings
        if self._open_house:
            client.username_pw_set(self._user, self._user)
            client.tls_set(cert_reqs=ssl.CERT_NONE)
            client.tls_insecure_set(True)
        if settings.password_file:
            client.username_pw_set(self._user, _password(settings.password_file))
        if settings.ca_file:
            try:
                client.tls_set(settings.ca_file, settings.certificate_file or None, settings.key_file or None)
            except (OSError, ssl.SSLError) as error:
                raise PartFault(
                    "broker", f"{settings.ca_file} cannot be used ({error}); join the event again"
                ) from error
        if self._will is not None:
            topic, document = self._will
            client.will_set(topic, encoded(document), qos=1, retain=True)
        client.connect_timeout = ANSWER_S
        client.max_inflight_messages_set(IN_FLIGHT)
        client.on_connect = self._on_connect
        client.on_subscribe = self._on_subscribe
        client.on_message = self._on_message
        client.on_publish = self._on_publish
        client.on_disconnect = self._on_disconnect
        return client

    def _connected(self) -> Client:
        if self._client is None or self._fault is not None:
            raise PartFault("broker", self._fault or f"the broker at {self._where} is not connected")
        return self._client

    def _serve(self, client: Client, wait_s: float) -> None:
        """Waits so long for the first packet, then reads what is there; writes what could not be written before."""
        line: Any = client.socket()
        if line is None:
            return
        buffered = getattr(line, "pending", int)  # what TLS has read already, the system does not know of any more
        ready = select.poll()  # select knows no file beyond 1,023, and every visitor of the hub's page is one
        ready.register(line, select.POLLIN | (select.POLLOUT if client.want_write() else 0))
        found = dict(ready.poll(0 if buffered() else 1000 * wait_s))
        if client.want_write():
            client.loop_write()
        if buffered() or found.get(line.fileno(), 0) & ~select.POLLOUT:
            end_s, before = time.monotonic() + READING_S, -1
            while before < self._packets and time.monotonic() < end_s:
                before = self._packets
                client.loop_read()
        client.loop_misc()

    def _await(self, answers: int) -> None:
        """Waits until the broker has said yes so many times."""
        end_s = time.monotonic() + ANSWER_S
        while self._answers < answers and time.monotonic() < end_s:
            self._serve(self._connected(), 0.1)
        if self._answers < answers and self._fault is None:
            self._fault = f"the broker at {self._where} does not answer; check network and hub"
        self._connected()

    def _heard(self, fault: str | None) -> None:
        self._packets += 1
        if fault is None:
            self._answers += 1
        elif self._fault is None:
            self._fault = fault

    def _on_connect(self, client: Client, _: Any, flags: ConnectFlags, code: ReasonCode, more: Any) -> None:
        self._heard(f"the broker at {self._where} lets nobody in as {self._user}: {code}" if code.is_failure else None)

    def _on_subscribe(self, client: Client, _: Any, mid: int, codes: list[ReasonCode], more: Any) -> None:
        denied = [code for code in codes if code.is_failure]
        self._heard(f"the broker at {self._where} lets {self._user} not listen: {denied[0]}" if denied else None)

    def _on_publish(self, client: Client, _: Any, mid: int, code: ReasonCode, more: Any) -> None:
        self._packets += 1
        if code.is_failure:
            self._heard(f"the broker at {self._where} denies what {self._user} writes: {code}")

    def _on_message(self, client: Client, _: Any, message: MQTTMessage) -> None:
        self._packets += 1
        self._inbox.append((message.topic, bytes(message.payload)))

    def _on_disconnect(self, client: Client, _: Any, flags: DisconnectFlags, code: ReasonCode, more: Any) -> None:
        why = f": {code}" if flags.is_disconnect_packet_from_server else ""
        self._heard(f"the broker at {self._where} broke off{why}; check network and hub")


def _password(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise PartFault("broker", f"{file} cannot be read ({error.strerror}); join the event again") from error
