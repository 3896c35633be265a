"""Logging in with a badge's code, and asking for something to be done: who may, `badges` says; what, `acts`.

Knows requests and answers. Every act needs a session and its token, so that no other page can act for anybody.
"""

from __future__ import annotations

import asyncio
import functools

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware.event.page import acts
from firmware.event.page.badges import SESSION_S, Session
from firmware.event.page.petition import Petition
from firmware.event.page.services import Services
from firmware.event.rounds.facts import Refused
from firmware.event.rounds.lists import BadList, words_of
from firmware.faults import Fault
from firmware.messages import LANGUAGES
from firmware.obey import Refused as NotNow
from firmware.web import answers
from firmware.web.acts import BadRequest, text
from firmware.web.doorkeeper import Locked

COOKIE = "marchwarden-event"
ANSWER_S = 10.0
MOST_MISTAKES = 30  # that are shown at once


class Asking:
    """Answers everything that is more than a look."""

    def __init__(self, services: Services) -> None:
        self._at = services
        self._cookie = f"__Host-{COOKIE}" if services.secure else COOKIE

    def routes(self) -> list[Route]:
        post = functools.partial(Route, methods=["POST"])
        return [post("/login", self.enter), post("/logout", self.leave), post("/act", self.act)]

    def session(self, request: Request) -> Session | None:
        """Who is logged in, if anybody."""
        return self._at.badges.session(request.cookies.get(self._cookie))

    async def enter(self, request: Request) -> Response:
        try:
            code = text(await answers.asked(request), "code")
            cookie = self._at.badges.enter(code, answers.address_of(request))
        except BadRequest as error:
            return answers.not_understood(error)
        except Locked as lock:
            return answers.locked(lock)
        if cookie is None:
            return answers.refused("wrong-code", 403)
        answer = JSONResponse({})
        answer.set_cookie(
            self._cookie, cookie, SESSION_S, httponly=True, samesite="strict", path="/", secure=self._at.secure
        )
        return answer

    async def leave(self, request: Request) -> Response:
        self._at.badges.leave(request.cookies.get(self._cookie))
        answer = JSONResponse({})
        answer.delete_cookie(self._cookie, path="/", httponly=True, samesite="strict", secure=self._at.secure)
        return answer

    async def act(self, request: Request) -> Response:
        session = self.session(request)
        if session is None or request.headers.get("x-token") != session.token:
            return answers.refused("log-in", 403)
        asked = await answers.asked(request)
        petition = Petition(asked, session, self._at.office, self._at.badges, self._at.house)
        promised = self._at.office.hub.errand(lambda: acts.do(petition))
        try:
            done = await asyncio.wait_for(asyncio.wrap_future(promised), ANSWER_S)
        except BadRequest as error:
            return answers.not_understood(error)
        except BadList as bad:
            language = asked.get("lang") if asked.get("lang") in LANGUAGES else LANGUAGES[0]
            mistakes = [words_of(one, str(language)) for one in bad.mistakes[:MOST_MISTAKES]]
            return JSONResponse({"refused": "bad-list", "mistakes": mistakes, "count": len(bad.mistakes)}, 409)
        except Refused as refused:
            return answers.refused(refused.why, 403 if refused.why == "not-yours" else 409, **refused.about)
        except NotNow as refused:
            return answers.refused("not-now", 409, words=str(refused))
        except Fault as fault:
            return answers.refused("fault", 503, words=str(fault))
        except TimeoutError:
            return answers.refused("busy", 503)
        return JSONResponse(done or {})
