"""The page's addresses that everybody may read: files, what happens, what the camera sees, games played.

What may be asked of the station is in `asking`. Knows requests and answers; decides nothing.
"""

from __future__ import annotations

import functools
import json
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from firmware.faults import JournalFault
from firmware.games import GAMES, refereed
from firmware.messages import LANGUAGES
from firmware.printing.svg import to_svg
from firmware.web import answers, first, history
from firmware.web.asking import Asking
from firmware.web.files import page_words
from firmware.web.guard import TooLarge, too_large
from firmware.web.guided import Guide
from firmware.web.noticeboard import Notice
from firmware.web.peephole import Glimpse, Peephole, as_jpeg
from firmware.web.services import Services
from firmware.wiring import as_drawing
from hardware_config.load import load, shipped

T = TypeVar("T")


class Looking:
    """Answers whoever only looks."""

    def __init__(self, services: Services, asking: Asking) -> None:
        self._at = services
        self._asking = asking
        self._described: dict[tuple[str, str], tuple[int, bytes]] = {}
        self._jpeg: tuple[int, bytes] = (-1, b"")

    def routes(self) -> list[Route]:
        get = functools.partial(Route, methods=["GET"])
        return [
            get("/", self.index),
            get("/index.html", self.index),
            get("/hello", self.hello),
            get("/events", self.events),
            get("/camera/events", self.camera_events),
            get("/camera.jpg", self.camera_picture),
            get("/games", self.games),
            get("/games/{number:int}", self.game),
            get("/games/{number:int}.{kind}", self.game_file),
            get("/wiring.svg", self.wiring),
            get("/{name:path}", self.file),
        ]

    # What never changes

    async def file(self, request: Request) -> Response:
        return answers.file(self._at.files.find(request.path_params["name"]), request)

    async def wiring(self, request: Request) -> Response:
        """How this station is wired, or one that could be built."""
        name, profile = request.query_params.get("profile", ""), self._at.profile
        if name != profile.name and name in shipped():
            profile = load(name).profile
        return Response(to_svg(as_drawing(profile)), media_type="image/svg+xml")

    # What happens

    async def index(self, request: Request) -> Response:
        """The page, with what it would ask for first."""
        asked = request.headers.get("accept-language", "")
        language = first.reader_language(asked, LANGUAGES, self._at.profile.language)
        files, board = self._at.files, self._at.board
        pinned = {kind: board.newest(kind) for kind in ("state", "play", "guide")}
        documents = {
            "hello": json.dumps(self._hello(request), ensure_ascii=False),
            "language": json.dumps(language),
            "words": files.text(f"words/{language}.json"),
            "layout": files.text("layout.json"),
            **{kind: self._described_once(one, language).decode() for kind, one in pinned.items() if one is not None},
        }
        words = page_words(language)
        page = first.first_page(
            files.text("index.html"), self._at.refereed.game.name, language, words, files.scripts, documents
        )
        return first.answer(page, request)

    async def hello(self, request: Request) -> Response:
        return JSONResponse(self._hello(request), headers={"cache-control": "no-store"})

    def _hello(self, request: Request) -> dict[str, Any]:
        """What the page must know once: which station this is, and who is asking."""
        session = self._asking.session(request)
        profile = self._at.profile
        return {
            "station": self._at.station,
            "game": self._at.refereed.game.name,
            "simulated": self._at.visitors is not None,
            "camera": self._at.peephole is not None,
            "event": profile.broker is not None,
            "variants": list(self._at.refereed.variants),
            "games": {
                name: {"variants": list(known.variants), "seats": [str(one) for one in known.game.players]}
                for name, known in ((name, refereed(name)) for name in GAMES)
            },
            "decks": [] if self._at.choosing is None else list(self._at.choosing.known_decks),
            "deck": profile.table.deck,
            "cheats": [] if self._at.visitors is None else list(self._at.visitors.known_cheats),
            "languages": list(LANGUAGES),
            "language": profile.language,
            "profile": {"name": profile.name, "description": profile.description},
            "wirings": self._wirings(),
            "parts": {name: settings.model_dump(mode="json") for name, settings in profile.parts()},
            "who": None if session is None else session.who,
            "token": None if session is None else session.token,
        }

    def _wirings(self) -> dict[str, str]:
        """Profiles of which a wiring can be drawn; a virtual table has none of its own."""
        profile = self._at.profile
        known = {name: told for name, told in shipped().items() if name.startswith("pi-")}
        return known if self._at.visitors is not None else {profile.name: profile.description} | known

    async def events(self, request: Request) -> Response:
        kinds = ("state", "play") if self._at.visitors is not None else ("state",)
        return self._stream((*kinds, "guide"), answers.language_of(request))

    async def camera_events(self, request: Request) -> Response:
        peephole = self._at.peephole
        if peephole is None:
            return PlainTextResponse("This station shows no camera.", 404)
        return self._stream(("look",), answers.language_of(request), peephole)

    def _stream(self, kinds: tuple[str, ...], language: str, watched: Peephole | None = None) -> Response:
        async def events() -> AsyncIterator[bytes]:
            if watched is not None:
                watched.watchers += 1
            try:
                async for notice in self._at.board.follow(kinds):
                    yield answers.STILL_HERE if notice is None else self._event(notice, language)
            finally:
                if watched is not None:
                    watched.watchers -= 1

        return answers.stream(events())

    def _event(self, notice: Notice, language: str) -> bytes:
        """A notice as it goes over the line."""
        return answers.event(notice.kind, self._described_once(notice, language), notice.number)

    def _described_once(self, notice: Notice, language: str) -> bytes:
        """A notice as JSON in a language: made once, whoever watches."""
        number, data = self._described.get((notice.kind, language), (0, b""))
        if number != notice.number:
            data = answers.compact(self._document(notice, language)).encode()
            self._described[notice.kind, language] = (notice.number, data)
        return data

    def _document(self, notice: Notice, language: str) -> Any:
        if notice.kind == "state":
            return self._at.describer.describe(notice.content, language)
        if isinstance(notice.content, Glimpse | Guide):
            return notice.content.document(language)
        return notice.content

    async def camera_picture(self, request: Request) -> Response:
        notice = self._at.board.newest("look")
        if notice is None:
            return PlainTextResponse("No picture yet.", 404)
        if self._jpeg[0] != notice.number:
            self._jpeg = (notice.number, await run_in_threadpool(as_jpeg, notice.content.frame))
        return Response(self._jpeg[1], media_type="image/jpeg", headers={"cache-control": "no-store"})

    # What was played

    async def games(self, request: Request) -> Response:
        found = await _read(lambda: history.games(self._at.journal))
        return _journal_answer(found, lambda listed: JSONResponse(_told(listed)))

    async def game(self, request: Request) -> Response:
        number, language = request.path_params["number"], answers.language_of(request)
        found = await _read(lambda: self._replayed(number, language))
        return _journal_answer(found, lambda game: JSONResponse(game[1]))

    async def game_file(self, request: Request) -> Response:
        number, kind, language = (
            request.path_params["number"],
            request.path_params["kind"],
            answers.language_of(request),
        )
        found = await _read(lambda: self._replayed(number, language))
        return _journal_answer(found, lambda game: _taken_away(game[0], game[1], kind, page_words(language)))

    def _replayed(self, number: int, language: str) -> tuple[history.Played, dict[str, Any]] | None:
        game = history.played(self._at.journal, number)
        if game is None:
            return None
        document = {
            "game": number,
            "name": game.refereed.game.name,
            "head": dict(game.head),
            "at": game.entries[0].at,
            "steps": history.steps(game, language),
            "acts": history.acts(game),
        }
        return game, document


def _told(listed: list[dict[str, Any]]) -> dict[str, Any]:
    return {"games": listed, "score": history.score(listed), "matches": history.matches(listed)}


def _taken_away(game: history.Played, document: dict[str, Any], kind: str, words: dict[str, str]) -> Response:
    name = f"marchwarden-{game.number}"
    match kind:
        case "record":
            content, media = game.record.encode(), "text/plain; charset=utf-8"
            name += ".txt"
        case "json":
            whole = {
                "game": game.number,
                "head": dict(game.head),
                "entries": [entry.document() for entry in game.entries],
                "verdicts": [step["verdict"] for step in document["steps"][1:]],
            }
            content, media = json.dumps(whole, ensure_ascii=False, indent=1).encode(), "application/json"
            name += ".json"
        case "pdf":
            from firmware.web.score_sheet import score_sheet  # what draws it is large, and seldom wanted

            content, media = score_sheet(game, document["steps"], words), "application/pdf"
            name += ".pdf"
        case _:
            return PlainTextResponse("There is no such page.", 404)
    return answers.taken_away(content, media, name)


async def _read(find: Callable[[], T]) -> T | JournalFault:
    """Looks something up in the journal, outside the event loop."""
    try:
        return await run_in_threadpool(find)
    except JournalFault as fault:
        return fault


def _journal_answer(found: T | JournalFault | None, answer: Callable[[T], Response]) -> Response:
    if found is None:
        return PlainTextResponse("There is no such game.", 404)
    return PlainTextResponse(str(found), 503) if isinstance(found, JournalFault) else answer(found)


def make_app(services: Services) -> Starlette:
    asking = Asking(services)
    routes = [*asking.routes(), *Looking(services, asking).routes()]
    return Starlette(routes=routes, exception_handlers={TooLarge: too_large})
