"""What may be asked of the station through the page, and by whom.

Looking is free; acting needs a session and its token. Knows requests and answers: `login` says who, `acts` and
`visitors` say what, the station decides whether.
"""

from __future__ import annotations

import asyncio
import functools
from concurrent.futures import Future
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from firmware.chosen_table import ChosenTable
from firmware.commands import Pressed
from firmware.games import refereed
from firmware.messages import LANGUAGES
from firmware.ports import Button
from firmware.state import Saying
from firmware.web import acts, answers
from firmware.web.choosing import Choosing
from firmware.web.doorkeeper import Locked
from firmware.web.first import reader_language
from firmware.web.login import SESSION_S, Session
from firmware.web.rehearsal import PARTS
from firmware.web.services import Services

COOKIE = "marchwarden"
ANSWER_S = 10.0  # a station that has not answered by then is asked in vain


class Asking:
    """Answers everything that is more than a look."""

    def __init__(self, services: Services) -> None:
        self._at = services

    def routes(self) -> list[Route]:
        post = functools.partial(Route, methods=["POST"])
        return [
            post("/login", self.enter),
            post("/logout", self.leave),
            post("/pin/show", self.show_pin),
            post("/pin/change", self.change_pin),
            post("/press", self.press),
            post("/act", self.act),
            post("/try", self.try_part),
            post("/guide", self.guide),
            post("/play", self.play),
        ]

    def session(self, request: Request) -> Session | None:
        """Who is logged in, if anybody."""
        return self._at.login.session(request.cookies.get(COOKIE))

    async def enter(self, request: Request) -> Response:
        asked = await answers.asked(request)
        try:
            pin, who = acts.text(asked, "pin"), acts.name(asked, "who")
            cookie = self._at.login.enter(pin, who, answers.address_of(request))
        except acts.BadRequest as error:
            return answers.not_understood(error)
        except Locked as lock:
            return answers.locked(lock)
        if cookie is None:
            return answers.refused("wrong-pin", 403)
        session = self._at.login.session(cookie)
        answer = JSONResponse({"who": who, "token": session.token if session is not None else None})
        answer.set_cookie(COOKIE, cookie, max_age=SESSION_S, httponly=True, samesite="strict", path="/")
        return answer

    async def leave(self, request: Request) -> Response:
        answer = JSONResponse({})
        answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return answer

    async def show_pin(self, request: Request) -> Response:
        self._at.login.show_pin()
        return JSONResponse({})

    async def change_pin(self, request: Request) -> Response:
        if self._acting(request) is None:
            return answers.refused("log-in", 403)
        self._at.login.change_pin()
        self._at.login.show_pin()
        return await self.leave(request)

    def _acting(self, request: Request) -> Session | None:
        """The session, if the request also bears its token: no other page can know it."""
        session = self.session(request)
        return session if session is not None and request.headers.get("x-token") == session.token else None

    async def act(self, request: Request) -> Response:
        session = self._acting(request)
        if session is None:
            return answers.refused("log-in", 403)
        asked = await answers.asked(request)
        try:
            table = acts.chosen_table(asked, self._at.profile.table)
            if self._at.choosing is not None and table is not None:
                return await self._change_table(self._at.choosing, table, asked, session.who)
            command = acts.act(asked, session.who, self._at.refereed)
        except acts.BadRequest as error:
            return answers.not_understood(error)
        return await _answer(request, self._at.desk.ask(command))

    async def _change_table(self, choosing: Choosing, table: ChosenTable, asked: dict[str, Any], who: str) -> Response:
        """Another game or deck: made ready beside the station, which then begins anew with it."""
        if table.deck not in choosing.known_decks:
            return answers.refused("other-deck", 409)
        command = acts.new_game(asked, who, refereed(table.game))
        refused = await run_in_threadpool(choosing.prepare, table, dict(command.head))
        return JSONResponse({"changes": True}) if refused is None else answers.refused(refused, 409)

    async def press(self, request: Request) -> Response:
        """A button: visitors at the computer of a simulated station stand beside it, others have to log in."""
        is_visitor = self._at.visitors is not None and _is_beside(request)
        if not is_visitor and self._acting(request) is None:
            return answers.refused("log-in", 403)
        try:
            command = acts.press(await answers.asked(request))
        except acts.BadRequest as error:
            return answers.not_understood(error)
        return await _answer(request, self._at.desk.errand(lambda: self._pressed(command)))

    def _pressed(self, command: Pressed) -> Saying | None:
        """In the station's thread: while buttons are tried, one of the page is tried as well."""
        rehearsal = self._at.rehearsal
        if rehearsal is not None and rehearsal.take(command.press):
            return None
        return self._at.desk.station.take(command)

    async def try_part(self, request: Request) -> Response:
        rehearsal = self._at.rehearsal
        if self._acting(request) is None or rehearsal is None:
            return answers.refused("log-in", 403)
        try:
            part = acts.one_of(await answers.asked(request), "part", PARTS)
        except acts.BadRequest as error:
            return answers.not_understood(error)
        return await _answer(request, self._at.desk.errand(lambda: rehearsal.begin(part)))

    async def guide(self, request: Request) -> Response:
        """Begins work at the camera, or goes on with it by a button."""
        guided = None if self._at.peephole is None else self._at.peephole.guided
        if self._acting(request) is None or guided is None:
            return answers.refused("log-in", 403)
        asked = await answers.asked(request)
        try:
            do = acts.one_of(asked, "do", ("calibrate", "corners", "enrol", "turn", "undo", "pause"))
            corners = acts.points(asked, "corners") if do == "corners" else ()
            name, variant = (
                acts.name(asked, "name", "-"),
                acts.one_of({"variant": "base", **asked}, "variant", tuple(self._at.refereed.variants)),
            )
        except acts.BadRequest as error:
            return answers.not_understood(error)
        if do == "corners":
            return await _answer(request, self._at.desk.errand(lambda: guided.show_corners(corners)))
        if do in ("calibrate", "enrol"):
            return await _answer(request, self._at.desk.errand(lambda: guided.begin(do, name, variant)))
        return await _answer(request, self._at.desk.errand(lambda: guided.press(Button(do))))

    async def play(self, request: Request) -> Response:
        visitors = self._at.visitors
        if visitors is None:
            return PlainTextResponse("This station has a real table.", 404)
        if not _is_beside(request) and self._acting(request) is None:
            return answers.refused("log-in", 403)
        asked = await answers.asked(request)
        return await _answer(request, self._at.desk.errand(lambda: visitors.play(asked)))


async def _answer(request: Request, promised: Future[Any]) -> Response:
    """What the station says, in the reader's language; its thread may be busy with a frame for a moment. A plain
    string is a name of the page's own words."""
    try:
        refused = await asyncio.wait_for(asyncio.wrap_future(promised), ANSWER_S)
    except TimeoutError:
        return answers.refused("busy", 503)
    except acts.BadRequest as error:
        return answers.not_understood(error)
    if isinstance(refused, Saying):
        language = reader_language(request.headers.get("accept-language", ""), LANGUAGES, LANGUAGES[0])
        return JSONResponse({"refused": refused.name, "words": refused.words(language).sentence}, 409)
    return JSONResponse({}) if refused is None else answers.refused(refused, 409)


def _is_beside(request: Request) -> bool:
    """Whether the visitor sits at the very computer that the station runs on."""
    return request.client is not None and request.client.host in ("127.0.0.1", "::1")
