"""Stands before the page: which hosts it answers to, what a browser may do with it, how much may be sent.

A plain ASGI layer, so that live streams pass through it untouched. Knows HTTP; knows no station.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 16 * 1024  # bytes of a request's body
SIGN = b"x-marchwarden"  # a header that no foreign page can send without being asked by the browser first
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), interest-cohort=()"),
)


class TooLarge(Exception):
    """More was sent than is taken; the app answers it with `too_large`."""


async def too_large(_request: Request, _error: Exception) -> Response:
    return PlainTextResponse("This is too much.", 413)


class Guard:
    """Lets through what is meant for this station. `names` are the hosts it goes by, besides the very address that a
    request came in at: a name that somebody else made point here is not among them."""

    def __init__(self, app: ASGIApp, names: Iterable[str], largest: int = LARGEST) -> None:
        self._app = app
        self._largest = largest
        self._names = frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        refusal = self._refusal(scope)
        answer: ASGIApp = self._app if refusal is None else refusal
        await answer(scope, _limited(receive, self._largest), _with_headers(send))

    def _refusal(self, scope: Scope) -> ASGIApp | None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        host = _host(headers.get(b"host", b"").decode("latin-1"))
        if not self._answers_to(host, scope):
            return PlainTextResponse("This station does not go by that name.", 421)
        if scope["method"] in ("GET", "HEAD"):
            return None
        if scope["method"] != "POST":
            return PlainTextResponse("Only GET and POST are understood.", 405)
        if SIGN not in headers or not _is_own(headers, headers.get(b"host", b"")):
            return PlainTextResponse("Only the station's own page may ask for this.", 403)
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self._largest:
            return PlainTextResponse("This is too much.", 413)
        return None

    def _answers_to(self, host: str, scope: Scope) -> bool:
        if host in self._names:
            return True
        server: tuple[str, int | None] | None = scope.get("server")
        return server is not None and _is_address(host) and host == server[0]


def _host(value: str) -> str:
    """The name without its port: `[::1]:8710` is `::1`."""
    if value.startswith("["):
        return value[1:].partition("]")[0].lower()
    return value.rpartition(":")[0].lower() if ":" in value else value.lower()


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_own(headers: dict[bytes, bytes], host: bytes) -> bool:
    origin, site = headers.get(b"origin"), headers.get(b"sec-fetch-site", b"same-origin")
    return (origin is None or origin.partition(b"://")[2] == host) and site in (b"same-origin", b"none")


def _limited(receive: Receive, largest: int) -> Receive:
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > largest:
            raise TooLarge
        return message

    return counted


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers: list[Any] = list(message.get("headers", []))
            message = {**message, "headers": [*headers, *HEADERS]}
        await send(message)

    return sent
