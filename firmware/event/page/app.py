"""The hub's addresses that may be read: files, what happens, one table, papers to take away.

Looking is free, but for what concerns judges alone. What may be asked is in `asking`. Knows requests and answers.
"""

from __future__ import annotations

import asyncio
import functools
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from firmware.event.page.asking import Asking
from firmware.event.page.badges import MAY, Session
from firmware.event.page.boards import Boards, record_of
from firmware.event.page.services import Services
from firmware.event.page.showing import (
    Showing,
    call_document,
    kinds_for,
    orders_of,
    round_document,
)
from firmware.event.roles import Role
from firmware.event.rounds import papers
from firmware.event.rounds.tournament import Tournament
from firmware.event.state import GameState
from firmware.event.wire import Picture
from firmware.journal import Entry
from firmware.messages import LANGUAGES
from firmware.web import answers
from firmware.web.guard import TooLarge, too_large
from firmware.web.noticeboard import Notice

PAUSE_S = 0.2  # between two showings to one who watches: well below what anybody waits for
STREAMS = 24  # open lines of one address; a hall behind one router has more, its projector has two
ALL_STREAMS = 2000


class Looking:
    """Answers whoever looks."""

    def __init__(self, services: Services, asking: Asking) -> None:
        self._at = services
        self._asking = asking
        self._showing = Showing(services.badges)
        self._boards = Boards()
        self._papers = papers.Papers()
        self._streams: Counter[str] = Counter()

    def routes(self) -> list[Route]:
        get = functools.partial(Route, methods=["GET"])
        return [
            get("/", self.index),
            get("/hello", self.hello),
            get("/events", self.events),
            get("/tables/{key}/events", self.table_events),
            get("/tables/{key}/game.txt", self.record),
            get("/tables/{key}/picture.jpg", self.picture),
            get("/rounds/{number:int}", self.round),
            get("/rounds/{number:int}/{paper}.pdf", self.round_paper),
            get("/take-away/{name}", self.take_away),
            get("/{name:path}", self.file),
        ]

    async def index(self, request: Request) -> Response:
        return answers.file(self._at.file("hub.html"), request)

    async def file(self, request: Request) -> Response:
        return answers.file(self._at.file(request.path_params["name"]), request)

    async def hello(self, request: Request) -> Response:
        """What the page must know once: who is asking, what they may do, and how late it is here."""
        session = self._asking.session(request)
        role = Role.SPECTATOR if session is None else session.role
        document = {
            "languages": list(LANGUAGES),
            "language": self._at.language,
            "now": self._at.clock.now().isoformat(timespec="milliseconds"),
            "role": role.key,
            "may": sorted(MAY[role]),
            "who": None if session is None else session.person.name,
            "signature": None if session is None else session.who,
            "player": None if session is None else session.player,
            "token": None if session is None else session.token,
            "secure": self._at.secure,
        }
        return JSONResponse(document, headers={"cache-control": "no-store"})

    # What happens

    async def events(self, request: Request) -> Response:
        session = self._asking.session(request)

        async def said() -> AsyncIterator[bytes]:
            seen, called, sent = 0, 0, dict[str, str]()
            role, player = (Role.SPECTATOR, None) if session is None else (session.role, session.player)
            async for notice in self._followed(request, session):
                if notice is None:
                    yield answers.STILL_HERE
                    continue
                self._showing.take(notice.content)
                hall, calls = self._showing.hall, self._showing.calls
                if role >= Role.JUDGE and (changed := calls.since(called)) is not None:
                    called = calls.number
                    yield answers.event("calls", changed.encode())
                for kind in kinds_for(role):
                    text = self._showing.document(kind, player)
                    if sent.get(kind) != text:
                        sent[kind] = text
                        yield answers.event(kind, text.encode())
                if (changed := hall.since(seen)) is not None:
                    seen = hall.number
                    yield answers.event("hall", changed.encode())

        return self._stream(request, said())

    async def table_events(self, request: Request) -> Response:
        session, key, language = self._asking.session(request), request.path_params["key"], answers.language_of(request)

        async def said() -> AsyncIterator[bytes]:
            sent = ""
            async for notice in self._followed(request, session):
                if notice is None:
                    yield answers.STILL_HERE
                    continue
                self._showing.take(notice.content)
                document = await self._table(key, language, session)
                text = answers.compact(document)
                if text != sent:
                    sent = text
                    yield answers.event("table", text.encode())

        return self._stream(request, said())

    async def _followed(self, request: Request, session: Session | None) -> AsyncIterator[Notice | None]:
        """Every newest moment, at a pace; ends when whoever watches is no longer who they were."""
        async for notice in self._at.board.follow(("moment",)):
            if self._asking.session(request) != session:
                return
            yield notice
            await asyncio.sleep(PAUSE_S)

    def _stream(self, request: Request, said: AsyncIterator[bytes]) -> Response:
        address = answers.address_of(request)
        if self._streams[address] >= STREAMS or self._streams.total() >= ALL_STREAMS:
            return PlainTextResponse("Too many pages are open here.", 503, {"retry-after": "10"})
        self._streams[address] += 1

        async def counted() -> AsyncIterator[bytes]:
            try:
                async for event in said:
                    yield event
            finally:
                self._streams[address] -= 1

        return answers.stream(counted())

    # One table

    async def _table(self, key: str, language: str, session: Session | None) -> dict[str, Any] | None:
        moment, row = self._showing.moment, self._showing.hall.get(key)
        if moment is None or row is None:
            return None
        state = moment.update.state
        game = None if row.station is None else state.game_of(row.station)
        entries = await self._entries(game)
        board = None
        if game is not None and entries:
            board = await run_in_threadpool(self._boards.board, game.id, entries, language)
        document: dict[str, Any] = {
            "row": row.document(),
            "board": board,
            "game": None if game is None else _game(game),
        }
        if session is not None and session.role >= Role.JUDGE:
            name = row.station or f"table {row.table}"
            calls = [call_document(one, row.table) for one in state.calls.values() if one.station == name]
            document["calls"] = calls[::-1]
            document["orders"] = orders_of(state.orders.values(), name)
            picture = self._picture(key)
            document["picture"] = None if picture is None else picture.at
        return document

    async def _entries(self, game: GameState | None) -> list[Entry]:
        if game is None:
            return []
        archive = self._at.office.hub.archive
        found = self._at.office.hub.errand(
            lambda: [one.entry for one in archive.entries(game.station, game.book, game.number)]
        )
        return await asyncio.wait_for(asyncio.wrap_future(found), 10.0)

    def _picture(self, key: str) -> Picture | None:
        """What the camera of a table saw last."""
        moment, row = self._showing.moment, self._showing.hall.get(key)
        presence = moment.update.live.get(row.station or "") if moment is not None and row is not None else None
        return None if presence is None else presence.picture

    async def picture(self, request: Request) -> Response:
        """For judges: people's hands and faces are nobody else's business."""
        session = self._asking.session(request)
        self._catch_up()
        picture = self._picture(request.path_params["key"])
        if session is None or session.role < Role.JUDGE or picture is None:
            return PlainTextResponse("There is no such picture.", 404)
        return Response(picture.jpeg, media_type="image/jpeg", headers={"cache-control": "no-store"})

    def _catch_up(self) -> None:
        notice = self._at.board.newest("moment")
        if notice is not None:
            self._showing.take(notice.content)

    async def record(self, request: Request) -> Response:
        """The game on a table as a plain-text record."""
        self._catch_up()
        row = self._showing.hall.get(request.path_params["key"])
        moment = self._showing.moment
        station = None if row is None else row.station
        if moment is None or station is None:
            return PlainTextResponse("There is no game at this table.", 404)
        game = moment.update.state.game_of(station)
        record = await run_in_threadpool(record_of, await self._entries(game))
        if record is None:
            return PlainTextResponse("There is no game at this table.", 404)
        return answers.taken_away(
            record.encode(), "text/plain; charset=utf-8", f"table-{request.path_params['key']}.txt"
        )

    # Rounds and papers

    @property
    def _tournament(self) -> Tournament:
        notice = self._at.board.newest("moment")
        tournament: Tournament = Tournament() if notice is None else notice.content.tournament
        return tournament

    async def round(self, request: Request) -> Response:
        number, tournament = request.path_params["number"], self._tournament
        if not 1 <= number <= len(tournament.rounds):
            return PlainTextResponse("There is no such round.", 404)
        return JSONResponse(
            round_document(tournament, tournament.rounds[number - 1]), headers={"cache-control": "no-store"}
        )

    async def round_paper(self, request: Request) -> Response:
        number, kind = request.path_params["number"], request.path_params["paper"]
        return await self._paper(request, papers.of_round(number, kind))

    async def take_away(self, request: Request) -> Response:
        """Standings and results for everybody; all that was ever entered for those who run the event."""
        return await self._paper(request, request.path_params["name"])

    async def _paper(self, request: Request, name: str) -> Response:
        session = self._asking.session(request)
        content = None
        if papers.is_open(name) or (session is not None and session.role >= Role.JUDGE):
            language = answers.language_of(request)
            content = await run_in_threadpool(self._papers.made, self._tournament, name, language)
        if content is None:
            return PlainTextResponse("There is no such paper.", 404)
        return answers.taken_away(content, papers.media_type(name), name)


def _game(game: GameState) -> dict[str, Any]:
    return {"id": game.id, "number": game.number, "began": game.began, "over": game.is_over}


def make_app(services: Services) -> Starlette:
    asking = Asking(services)
    routes = [*asking.routes(), *Looking(services, asking).routes()]
    return Starlette(routes=routes, exception_handlers={TooLarge: too_large})
