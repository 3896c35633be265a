"""The page as it is first served: with the moment's state and the reader's words in it, so that nobody looks at an
empty frame while scripts ask for what they need. Knows text; knows no station.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Mapping
from html import escape
from string import Template

from starlette.requests import Request
from starlette.responses import Response


def reader_language(header: str, known: tuple[str, ...], default: str) -> str:
    """The language that a browser asks for first among those the station speaks (`fr-CA,en;q=0.7`)."""
    wanted = sorted(enumerate(map(_weighed, header.split(","))), key=lambda one: (-one[1][1], one[0]))
    return next((name for _, (name, weight) in wanted if name in known and weight > 0), default)


def _weighed(part: str) -> tuple[str, float]:
    name, _, weight = part.partition(";q=")
    try:
        return name.strip()[:2].lower(), float(weight or 1)
    except ValueError:
        return "", 0.0


def first_page(
    template: str,
    game: str,
    language: str,
    words: Mapping[str, str],
    scripts: Iterable[str],
    documents: Mapping[str, str],
) -> bytes:
    """The template with everything filled in. `documents` are JSON, to be read from an element that is no script: a
    browser runs nothing of it, and no value can end it."""
    first = ",".join(f'"{name}":{document}' for name, document in documents.items()).replace("<", "\\u003c")
    modules = "\n  ".join(f'<link rel="modulepreload" href="/{name}">' for name in sorted(scripts))
    said = {f"t_{name}": escape(words[name]) for name in ("skip", "waiting", "no_script")}
    return (
        Template(template)
        .substitute(game=game, language=language, modules=modules, first=f"{{{first}}}", **said)
        .encode()
    )


def answer(page: bytes, request: Request) -> Response:
    """Never kept: the next visit begins with the state of its own moment."""
    headers = {"cache-control": "no-store", "vary": "accept-encoding, accept-language"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        page, headers["content-encoding"] = gzip.compress(page, 5, mtime=0), "gzip"
    return Response(page, media_type="text/html; charset=utf-8", headers=headers)
