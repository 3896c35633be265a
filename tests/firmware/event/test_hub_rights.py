"""Who may do what at the hub's page: badges, sessions, tokens, policies, and nonsense refused in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from firmware.event.page.badges import MAY, Badges
from firmware.event.roles import Role
from firmware.event.rounds.facts import (
    EventOpened,
    PlayerEntered,
    Style,
)
from firmware.event.rounds.next_round import next_round
from firmware.event.words import vocabulary
from firmware.faults import PartFault
from firmware.web.doorkeeper import Locked
from tests.firmware.event.hub_page import HubPage, hub_page
from tests.firmware.event.visiting import Visitor


@pytest.mark.parametrize("role", [None, Role.PLAYER, Role.JUDGE, Role.HEAD_JUDGE])
def test_nobody_does_what_their_badge_does_not_allow(event: HubPage, role: Role | None) -> None:
    visitor = Visitor(event, role, "Somebody", 1 if role is Role.PLAYER else None)
    acts: dict[str, dict[str, Any]] = {
        "start": {"minutes": 1},
        "pair": {},
        "player": {"name": "X"},
        "give-badge": {"role": "judge", "name": "X"},
    }
    for act, asked in acts.items():
        assert visitor.act(act, **asked).status_code == 403, act
    if role in (None, Role.PLAYER):
        assert (
            visitor.act("result", round=1, table=1, winner="A", stones_a=5, stones_b=0, how="played").status_code == 403
        )
        assert visitor.http.get("/take-away/event.json").status_code == 404
    assert event.office.tournament.rounds[0].timer is None


def test_an_act_needs_the_sessions_token_and_the_pages_own_sign(event: HubPage) -> None:
    olga = Visitor(event, Role.ORGANISER, "Olga")
    body = {"act": "start", "minutes": 40}
    assert olga.http.post("/act", json=body).status_code == 403
    assert olga.http.post("/act", json=body, headers={"x-token": "0" * 64}).status_code == 403
    foreign = {**olga.token, "origin": "http://evil.example", "sec-fetch-site": "cross-site"}
    assert olga.http.post("/act", json=body, headers=foreign).status_code == 403
    bare = httpx.post(f"{event.address}act", json=body, cookies=dict(olga.http.cookies), headers=olga.token)
    assert bare.status_code == 403
    assert olga.http.get("/", headers={"host": "evil.example"}).status_code == 421
    assert event.office.tournament.rounds[0].timer is None


def test_a_withdrawn_badge_ends_its_session_and_its_stream(event: HubPage) -> None:
    olga, jana = Visitor(event, Role.ORGANISER, "Olga"), Visitor(event, Role.JUDGE, "Jana")
    badge = next(one for one in event.front.services.badges.all() if one.name == "Jana")
    with jana.http.stream("GET", "/events") as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: calls"
        assert olga.act("withdraw-badge", badge=badge.id).status_code == 200
        assert sum(1 for _ in lines) < 1000, "the stream ends"
    assert jana.act("call", key="1").status_code == 403
    assert "calls" not in jana.shown()


def test_who_logs_out_is_out_wherever_their_cookie_was_copied_to(event: HubPage) -> None:
    jana, copied = Visitor(event, Role.JUDGE, "Jana"), Visitor(event)
    copied.http.cookies, copied.token = httpx.Cookies(jana.http.cookies), jana.token
    assert copied.http.get("/hello").json()["who"] == "Jana"
    assert jana.http.post("/logout").status_code == 200
    assert copied.http.get("/hello").json()["role"] == "spectator"
    assert copied.act("call", key="1").status_code == 403


def test_pages_are_served_with_a_strict_policy_and_nothing_secret_in_any_address(event: HubPage) -> None:
    olga = Visitor(event, Role.ORGANISER, "Olga")
    answer = olga.http.get("/")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "hub.js" in answer.text
    cookie = next(iter(olga.http.cookies.jar))
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite") == "strict"
    for name in ("../pyproject.toml", "badges.json", "event.db", "words/en.toml"):
        assert olga.http.get("/" + name).status_code == 404


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"nonsense", b'{"act": 7}', b'{"act": "nothing"}', b'{"act":"result","round":"x"}', b"[" * 9000],
)
def test_nonsense_is_refused_in_words(event: HubPage, body: bytes) -> None:
    olga = Visitor(event, Role.ORGANISER, "Olga")
    answer = olga.http.post("/act", content=body, headers={**olga.token, "content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["refused"]


def test_after_a_restart_everything_is_there_again_and_judges_are_still_logged_in(tmp_path: Path) -> None:
    with hub_page(tmp_path) as page:
        page.tell(EventOpened("Cup", Style.SWISS, 7), PlayerEntered(1, "Anna"), PlayerEntered(2, "Bert"))
        page.tell(next_round(page.office.tournament))
        jana = Visitor(page, Role.JUDGE, "Jana")
        cookies, before = dict(jana.http.cookies), page.office.tournament
    with hub_page(tmp_path) as page:
        assert page.office.tournament == before
        hello = httpx.get(f"{page.address}hello", cookies=cookies).json()
        assert (hello["who"], hello["role"]) == ("Jana", "judge")


def test_wrong_codes_cost_time_and_the_file_lets_nobody_in(tmp_path: Path) -> None:
    from firmware.clocks import SimulatedClock

    clock = SimulatedClock()
    badges = Badges(tmp_path / "badges.json", clock)
    code = badges.give(Role.JUDGE, "Jana")
    assert (tmp_path / "badges.json").stat().st_mode & 0o777 == 0o600
    assert code.replace("-", "") not in (tmp_path / "badges.json").read_text()
    for _ in range(3):
        assert badges.enter("22222-22222", "10.0.0.1") is None
    with pytest.raises(Locked):
        badges.enter(code, "10.0.0.1")
    cookie = badges.enter(code.lower(), "10.0.0.2")
    session = badges.session(cookie)
    assert session is not None
    assert (session.who, session.role) == ("Jana, judge", Role.JUDGE)
    assert badges.session("forged") is None
    clock.sleep(61)
    assert badges.enter(code, "10.0.0.1") is None, "a code is good for one log-in"
    (tmp_path / "badges.json").write_text("{")
    with pytest.raises(PartFault, match="move it away"):
        Badges(tmp_path / "badges.json", clock)


def test_the_organisers_unused_code_of_an_earlier_start_is_void(tmp_path: Path) -> None:
    from firmware.clocks import SimulatedClock

    badges = Badges(tmp_path / "badges.json", SimulatedClock())
    first, second = badges.open_organiser(), badges.open_organiser()
    assert badges.enter(first, "a") is None
    assert badges.enter(second, "b") is not None


def test_every_act_has_its_power_and_every_word_of_the_scripts_exists() -> None:
    import re
    from importlib import resources

    from firmware.event.page.acts import ACTS
    from firmware.web.files import page_words

    powers = {power for power, _ in ACTS.values()}
    assert powers <= frozenset().union(*MAY.values())
    known = {**page_words("en"), **vocabulary("en")}
    static = resources.files("firmware.event.page").joinpath("static")
    for file in static.iterdir():
        for name in re.findall(r'\bt\("([\w-]+)"', file.read_text("utf-8")):
            assert name in known, f"{file.name}: {name}"
