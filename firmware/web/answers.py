"""Requests and answers as every page of ours has them: what is asked, what is refused, what goes on, what can be kept.

Knows the web framework; knows neither station nor hub.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse

from firmware.messages import LANGUAGES
from firmware.web.doorkeeper import Locked
from firmware.web.files import File

STILL_HERE = b": still here\n\n"  # a sign of life


async def asked(request: Request) -> dict[str, Any]:
    """The request's JSON object; what is none asks for nothing."""
    try:
        value = json.loads(await request.body())
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def address_of(request: Request) -> str:
    return request.client.host if request.client is not None else "?"


def language_of(request: Request) -> str:
    """The language that the page asks for."""
    wanted = request.query_params.get("lang", "")
    return wanted if wanted in LANGUAGES else LANGUAGES[0]


def refused(why: str, status: int, **about: str | int) -> Response:
    """`why` is a name of the page's own words."""
    return JSONResponse({**about, "refused": why}, status)


def not_understood(error: ValueError) -> Response:
    """Nothing that the page asks: `detail` is for whoever writes another one."""
    return refused("bad-request", 400, detail=str(error))


def locked(lock: Locked) -> Response:
    wait_s = int(lock.wait_s) + 1
    return JSONResponse({"refused": "locked", "wait_s": wait_s}, 429, {"retry-after": str(wait_s)})


def file(found: File | None, request: Request) -> Response:
    return PlainTextResponse("There is no such page.", 404) if found is None else found.answer(request)


def event(kind: str, data: bytes, number: int | None = None) -> bytes:
    """Something that happened, as it goes over the line."""
    numbered = b"" if number is None else b"id: %d\n" % number
    return b"event: %s\n%sdata: %s\n\n" % (kind.encode(), numbered, data)


def stream(events: AsyncIterator[bytes]) -> Response:
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


def compact(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def taken_away(content: bytes, media: str, name: str) -> Response:
    """A file to keep."""
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(content, media_type=media, headers=headers)
