"""The page's server: how it ends while somebody still looks at the page."""

from __future__ import annotations

import socket
import ssl
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse

from firmware.event.house import init
from firmware.web.noticeboard import Noticeboard
from firmware.web.server import Certificate, Server, listen


def test_a_server_that_stops_while_a_page_is_open_calls_that_no_error(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    house = init(tmp_path / "event", ("localhost",))
    certificate = Certificate(house.folder / "broker.pem", house.folder / "broker-key.pem")
    server = Server(PlainTextResponse("here"), Noticeboard(), listen("127.0.0.1", 0), certificate=certificate)
    server.start()
    trust = ssl.create_default_context(cafile=house.authority)
    with (
        socket.create_connection(("127.0.0.1", server.port), timeout=10) as line,
        trust.wrap_socket(line, server_hostname="localhost") as visitor,
    ):
        visitor.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"200" in visitor.recv(1000)
        server.stop()
    assert capfd.readouterr().err == ""
