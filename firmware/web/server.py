"""Serves the page from a thread of its own, on the first free port from the one that is wanted."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from firmware.faults import PartFault
from firmware.web.guard import LARGEST, Guard
from firmware.web.noticeboard import Noticeboard

PORT = 8710
PORTS = 20  # how many are tried
EVERYWHERE = ("0.0.0.0", "::")
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def listen(host: str, port: int = PORT) -> socket.socket:
    """A socket on the first free port; raises PartFault when there is none. Port 0 takes any."""
    for number in [port] if port == 0 else range(port, port + PORTS):
        door = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((host, number))
        except OSError as error:
            door.close()
            if error.errno != errno.EADDRINUSE:
                raise PartFault("page", f"the page cannot be served at {host}: {error.strerror}") from error
            continue
        door.listen(512)
        return door
    raise PartFault("page", f"the page finds no free port from {port} on; stop another station")


@dataclass(frozen=True, slots=True)
class Certificate:
    """What an encrypted page shows for itself."""

    certificate_file: Path
    key_file: Path


def _is_no_farewell(record: logging.LogRecord) -> bool:
    """Pages that are open when the server stops are shown out, which uvicorn calls an error."""
    return not str(record.msg).startswith("Cancel %s running task(s)")


class Server:
    """An app behind its guard, at an address; encrypted where it has a certificate."""

    def __init__(
        self,
        app: ASGIApp,
        board: Noticeboard,
        door: socket.socket,
        names: Iterable[str] = (),
        largest: int = LARGEST,
        certificate: Certificate | None = None,
    ) -> None:
        self._board = board
        self._door = door
        self._scheme = "http" if certificate is None else "https"
        config = uvicorn.Config(
            Guard(app, {*LOOPBACK, *names}, largest),
            log_level="error",
            access_log=False,  # addresses and times of visitors are nobody's business
            lifespan="off",
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=16 * 1024,
            ssl_certfile=None if certificate is None else certificate.certificate_file,
            ssl_keyfile=None if certificate is None else certificate.key_file,
        )
        logging.getLogger("uvicorn.error").addFilter(_is_no_farewell)
        self._server = uvicorn.Server(config)
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="page", daemon=True)

    @property
    def address(self) -> str:
        host, port = self._door.getsockname()[:2]
        return f"{self._scheme}://{f'[{host}]' if ':' in host else host}:{port}/"

    @property
    def port(self) -> int:
        return int(self._door.getsockname()[1])

    def start(self) -> None:
        self._thread.start()
        self._ready.wait(10.0)

    def stop(self) -> None:
        self._server.should_exit = True
        self._board.close()
        if self._thread.is_alive():
            self._thread.join(5.0)
        self._door.close()

    async def _serve(self) -> None:
        self._board.attend()
        self._ready.set()
        await self._server.serve(sockets=[self._door])
        for connection in list(self._server.server_state.connections):  # who did not leave in time is shown out
            transport: asyncio.Transport | None = getattr(connection, "transport", None)
            if transport is not None:
                transport.abort()
        await asyncio.sleep(0)
