"""Everything that never changes while the station runs, held in memory: scripts, styles, words, the drawn deck.

What is not in it is not served, so that no path can lead outside.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import threading
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from firmware.called import card_names
from firmware.games import Refereed
from firmware.messages import LANGUAGES
from firmware.printing import mat, svg
from firmware.printing.deck import deck_of
from firmware.web.look import layout_document
from seeds import rules_of

TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}


_PART = re.compile(rb" *<!-- part (\w+) -->\n")
ANOTHER = ("art/mat.svg", "art/back.svg")  # the same names, drawn otherwise for another game


@dataclass(frozen=True, slots=True)
class File:
    """One file, plain and packed, with the tag by which a browser asks whether it has changed, and how long it need
    not ask."""

    content: bytes
    packed: bytes
    kind: str
    tag: str
    lasting: str

    @classmethod
    def of(cls, name: str, content: bytes) -> File:
        tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
        is_lasting = name.startswith("art/") and name not in ANOTHER
        lasting = "max-age=86400" if is_lasting else "no-cache"
        return cls(content, gzip.compress(content, 9, mtime=0), TYPES[name.rpartition(".")[2]], tag, lasting)

    def answer(self, request: Request) -> Response:
        headers = {"etag": self.tag, "cache-control": self.lasting, "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(self.packed, media_type=self.kind, headers=headers)
        return Response(self.content, media_type=self.kind, headers=headers)


class Files:
    """All files by the path at which the page asks for them. The deck is drawn card by card, when first asked for.

    `also` are those of another page that is built on this one; its words are laid over the station's own."""

    def __init__(self, refereed: Refereed, also: Mapping[str, bytes] | None = None) -> None:
        self._layout = refereed.layout
        self._deck = deck_of(refereed.game.name)
        self._arts = frozenset(f"art/{code}.svg" for code in (*self._deck.codes, "mat"))
        contents = dict(_contents(refereed))
        for name, content in (also or {}).items():
            contents[name] = _overlaid(contents[name], content) if name.startswith("words/") else content
        self._files = {name: File.of(name, content) for name, content in _put_together(contents)}
        self._lock = threading.Lock()

    def find(self, name: str) -> File | None:
        with self._lock:
            if name not in self._files and name in self._arts:
                code = name.removeprefix("art/").removesuffix(".svg")
                drawing = mat.mat(self._layout) if code == "mat" else self._deck.drawing(code)
                self._files[name] = File.of(name, svg.to_svg(drawing).encode())
            return self._files.get(name)

    def text(self, name: str) -> str:
        """One that is there from the beginning, as it is."""
        return self._files[name].content.decode()

    @property
    def scripts(self) -> tuple[str, ...]:
        return tuple(name for name in self._files if name.endswith(".js"))


def _contents(refereed: Refereed) -> Iterator[tuple[str, bytes]]:
    for file in resources.files(__package__).joinpath("static").iterdir():
        yield file.name, file.read_bytes()
    for language in LANGUAGES:
        spoken = page_words(language) | {"cards": card_names(refereed.game.name, language)}
        yield f"words/{language}.json", json.dumps(spoken, ensure_ascii=False).encode()
        rules = {rule.id: {"title": rule.title, "text": rule.text} for rule in rules_of(refereed.game.name, language)}
        yield f"rules/{language}.json", json.dumps(rules, ensure_ascii=False).encode()
    yield "layout.json", json.dumps(layout_document(refereed)).encode()


def _put_together(contents: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """The files as they are served: what several pages have in common stands in parts of its own."""
    for name, content in contents.items():
        if name.endswith(".html"):
            content = _PART.sub(lambda found: contents[f"part-{found[1].decode()}.html"], content)
        if not name.startswith("part-"):
            yield name, content


def _overlaid(words: bytes, others: bytes) -> bytes:
    return json.dumps(json.loads(words) | json.loads(others), ensure_ascii=False).encode()


@cache
def page_words(language: str) -> dict[str, Any]:
    """The page's own words; verdicts come in words already."""
    text = resources.files(__package__).joinpath("words", f"{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
