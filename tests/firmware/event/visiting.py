"""Visitors of the hub's page, each with a browser's session and token, and what happens at its tables meanwhile."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from random import Random
from typing import Any

import httpx

from engine.schotten_totten.options import Rules
from firmware.commands import Tell
from firmware.event.roles import Role
from firmware.simulation.players import play_game
from tests.firmware.event.hub_page import HubPage
from tests.firmware.event.scene import SceneStation

SIGN = {"x-marchwarden": "page"}
NAMES = ("Anna Bell", "Bert Cairns", "Carla Douglas", "Duncan Elliot", "Eilidh Fraser", "Fionn Graham")


def until(true: Callable[[], Any], seconds: float = 60) -> None:
    end_s = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end_s, "it did not happen in time"
        time.sleep(0.02)


def play_on(table: SceneStation, seed: int) -> str | None:
    """The game that is on the table, to its end."""
    for step in play_game(Rules(), Random(seed)):
        table.obey(Tell(str(step.fact), "camera"))
    return table.station.state.summary.winner


def lay(table: SceneStation, *lines: str) -> None:
    for line in lines:
        table.obey(Tell(line, "camera"))


def gone(event: HubPage, name: str) -> None:
    event.exchange.cut.add(name)
    event.exchange.drop(name)


class Visitor:
    """One browser: its session, its token, and what it was shown last."""

    def __init__(self, page: HubPage, role: Role | None = None, name: str = "", player: int | None = None) -> None:
        self.http = httpx.Client(base_url=page.address, timeout=60, headers=SIGN)
        page.afterwards.append(self.http.close)
        self.token: dict[str, str] = {}
        if role is not None:
            code = page.badge(role, name or role.key, player)
            assert self.http.post("/login", json={"code": code}).status_code == 200
            self.token = {"x-token": self.http.get("/hello").json()["token"]}

    def act(self, act: str, **asked: Any) -> httpx.Response:
        return self.http.post("/act", json={"act": act, **asked}, headers=self.token)

    def shown(self, path: str = "/events", until: str = "hall") -> dict[str, Any]:
        """Everything that a stream begins with, until this kind."""
        found: dict[str, Any] = {}
        with self.http.stream("GET", path) as answer:
            assert answer.status_code == 200
            name = ""
            for line in answer.iter_lines():
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    found[name] = json.loads(line.removeprefix("data: "))
                    if name == until:
                        return found
        raise AssertionError("the stream ended")

    def rows(self) -> dict[str, Any]:
        return {row["key"]: row for row in self.shown()["hall"]["rows"]}
