"""Telling systemd how the station is: ready, alive, stopping. Does nothing where systemd did not start it."""

from __future__ import annotations

import contextlib
import os
import socket


class Supervisor:
    """The one that restarts the station when it hangs."""

    def __init__(self, address: str | None = None, watchdog_us: str | None = None) -> None:
        self._address = address if address is not None else os.environ.get("NOTIFY_SOCKET", "")
        text = watchdog_us if watchdog_us is not None else os.environ.get("WATCHDOG_USEC", "")
        self.watchdog_s = int(text) / 1e6 if text.isdigit() else None

    def ready(self, status: str) -> None:
        self._tell(f"READY=1\nSTATUS={status}")

    def alive(self, status: str, again_within_s: float | None = None) -> None:
        """One beat more, and how long to wait for the next one if that changes. Where nobody listens just now the next
        one will do: the loop never waits for systemd."""
        patience = "" if again_within_s is None else f"\nWATCHDOG_USEC={round(again_within_s * 1e6)}"
        self._tell(f"WATCHDOG=1{patience}\nSTATUS={status}", socket.MSG_DONTWAIT)

    def stopping(self) -> None:
        self._tell("STOPPING=1")

    def _tell(self, message: str, flags: int = 0) -> None:
        if not self._address:
            return
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        kind = socket.SOCK_DGRAM | socket.SOCK_CLOEXEC
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, kind) as channel:
            channel.sendto(message.encode(), flags, address)  # to one that is busy or gone: no reason to end a game
