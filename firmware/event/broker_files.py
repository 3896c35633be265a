"""What mosquitto is told: its configuration, who may read and write what, and passwords as it keeps them. Pure text."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Iterable
from pathlib import Path

from firmware.event.documents import LARGEST
from firmware.event.topics import DOOR, HOME_ASSISTANT, HUB, PROTOCOL, ROOT, ROUND

ITERATIONS = 1000  # enough for passwords of 128 random bits, and quick when all stations come back at once
ACL = f"""\
# Who may read and write what.
user {HUB}
topic readwrite {ROOT}/#
topic readwrite {PROTOCOL}

# A station that has not joined yet may look whether a sealed invitation lies there. Anybody can stand at the door: a
# pattern for all stations would be theirs too, so each station has its own lines.
user {DOOR}
topic read {ROOT}/{HUB}/door/+

# Home Assistant, once it was given a password, hears what stations tell it of themselves.
user {HOME_ASSISTANT}
topic read homeassistant/#
topic read {ROOT}/+/status
topic read {ROOT}/+/table
"""
EVERY_STATION = f"""
user %u
topic readwrite {ROOT}/%u/status
topic write {ROOT}/%u/table
topic write {ROOT}/%u/picture
topic write {ROOT}/%u/ev
topic readwrite {ROOT}/%u/claim
topic read {ROOT}/%u/ack
topic read {ROOT}/%u/cmd/+
topic read {ROUND}
topic read {PROTOCOL}
topic write homeassistant/sensor/%u/+/config
topic write homeassistant/binary_sensor/%u/+/config
"""


def acl(stations: Iterable[str]) -> str:
    """Who may read and write what, with these stations."""
    return ACL + "".join(EVERY_STATION.replace("%u", name) for name in stations)


def hashed(password: str) -> str:
    """As mosquitto keeps passwords: PBKDF2 with SHA-512."""
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    return f"$7${ITERATIONS}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def configuration(folder: Path, port: int, *, certificates: bool) -> str:
    """The configuration of mosquitto for the event in this folder."""
    at = folder.resolve()
    if certificates:
        asked = f"require_certificate true\nuse_identity_as_username true\ncrlfile {at / 'revoked.pem'}"
        by_certificate = _listener(at, port, asked)
        who = f"{by_certificate}\n# Who has no certificate yet may wait at the door.\n" + _listener(
            at, port + 1, f"password_file {at / 'door-passwords'}"
        )
    else:
        who = _listener(at, port, f"password_file {at / 'passwords'}")
    return f"""\
# Made by `marchwarden event init`. TLS only; nobody comes in unknown.
per_listener_settings true
{who}
# What mosquitto drops at its defaults is sent again by us, but nothing need be dropped.
max_inflight_messages 0
max_queued_messages 100000
max_packet_size {LARGEST + 4096}
max_keepalive 300
set_tcp_nodelay true
# Retained messages outlive a restart; what counts is in the journals.
persistence true
persistence_location {at / "broker"}/
autosave_interval 60
# Whoever is denied is named in the log.
log_dest stderr
log_type error
log_type warning
log_type notice
connection_messages true
"""


def _listener(at: Path, port: int, who: str) -> str:
    return f"""\
listener {port}
cafile {at / "ca.pem"}
certfile {at / "broker.pem"}
keyfile {at / "broker-key.pem"}
tls_version tlsv1.2
allow_anonymous false
acl_file {at / "acl"}
{who}
"""
