"""The page over HTTP: what everybody may read, what is pushed, who may act, and what is never served."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from firmware.gestures import Press
from firmware.journal import Kind, Reader
from firmware.ports import Button, Canvas, Light
from firmware.screen import draw
from firmware.signals import Screen
from firmware.web.app import make_app
from firmware.web.files import page_words
from firmware.web.login import PinFile
from firmware.web.noticeboard import Noticeboard
from tests.firmware.page_station import PageStation, page_station

SIGN = {"x-marchwarden": "page"}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageStation]:
    with page_station(tmp_path_factory.mktemp("page")) as station:
        yield station


@pytest.fixture
def http(running: PageStation) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=running.address, timeout=10, headers=SIGN) as client:
        yield client


def until(true: Callable[[], bool], seconds: float = 10) -> None:
    end_s = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end_s, "it did not happen in time"
        time.sleep(0.02)


def first_events(client: httpx.Client, path: str, count: int) -> list[tuple[str, Any]]:
    """The first events of a stream by name."""
    found: list[tuple[str, Any]] = []
    with client.stream("GET", path) as answer:
        name = ""
        for line in answer.iter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                found.append((name, json.loads(line.removeprefix("data: "))))
            if len(found) == count:
                return found
    raise AssertionError("the stream ended")


def logged_in(running: PageStation, client: httpx.Client, who: str = "Judge Anna") -> dict[str, str]:
    answer = client.post("/login", json={"pin": running.front.pin, "who": who})
    assert answer.status_code == 200
    return {"x-token": answer.json()["token"]}


def play(client: httpx.Client, **asked: Any) -> httpx.Response:
    return client.post("/play", json=asked)


def test_a_stream_begins_with_the_whole_state_and_the_whole_table(http: httpx.Client) -> None:
    events = dict(first_events(http, "/events?lang=fr", 2))
    tiles = [piece["code"] for piece in events["state"]["pieces"] if piece["code"].startswith("stone")]
    assert tiles == [f"stone{n}" for n in range(1, 10)]
    assert len(events["play"]["hands"]["A"]) >= 6
    assert events["state"]["said"]


def test_a_card_put_on_the_table_is_seen_judged_and_told(running: PageStation, http: httpx.Client) -> None:
    assert play(http, deed="new-game", variant="base").status_code == 200
    running.hold("A", "g5")
    assert play(http, deed="put", code="g5", x=202, y=356).status_code == 200
    until(lambda: running.station.state.referee.told != ())
    state = dict(first_events(http, "/events?lang=es", 2))["state"]
    assert state["verdicts"][0]["line"] == "A g5@3"
    assert state["verdicts"][0]["sentence"] == "A juega 5 verde en la Piedra 3."
    assert state["turn"] == "B"


def test_a_pin_that_cannot_be_kept_ends_no_game(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with page_station(tmp_path) as running:
        running.front.pin_file = PinFile(tmp_path / "file" / "pin.txt")
        for _ in range(3):
            running.do(lambda: None)


def test_a_claim_refused_comes_with_cards_that_would_beat_it(tmp_path: Path) -> None:
    with page_station(tmp_path) as running, httpx.Client(base_url=running.address, headers=SIGN) as http:
        running.hold("A", "g1", "g2", "g3")
        running.hold("B", "r1", "r2")
        for n, (code, x, y) in enumerate(
            (("g1", 66, 356), ("r1", 134, 156), ("g2", 66, 380), ("r2", 134, 132), ("g3", 66, 404)), 1
        ):
            assert play(http, deed="put", code=code, x=x, y=y).status_code == 200
            until(lambda n=n: len(running.station.state.referee.told) == n)  # type: ignore[misc]
        assert play(http, deed="put", code="stone1", x=66, y=489).status_code == 200

        def newest() -> dict[str, Any]:
            found: dict[str, Any] = dict(first_events(http, "/events?lang=en", 2))["state"]["verdicts"][0]
            return found

        until(lambda: newest()["number"] == 6)
        verdict = newest()
        assert (verdict["legal"], verdict["rules"]) == (False, ["ST-307"])
        assert len(verdict["counterexample"]) == 3


@pytest.mark.parametrize(
    "name",
    [
        "../pyproject.toml",
        "%2e%2e/pyproject.toml",
        "art/%2e%2e/%2e%2e/app.py",
        "/etc/passwd",
        "words/en.toml",
        "art/z9.svg",
    ],
)
def test_what_is_not_the_pages_own_is_not_served(http: httpx.Client, name: str) -> None:
    assert http.get("/" + name).status_code == 404


def test_every_answer_forbids_foreign_scripts_frames_and_requests(http: httpx.Client) -> None:
    for path in ("/", "/app.js", "/art/g5.svg", "/hello", "/nowhere"):
        headers = http.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "'unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"


def test_the_page_asks_no_other_host_for_anything() -> None:
    static = Path("firmware/web/static")
    for file in static.iterdir():
        text = file.read_text().replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text, file
        assert "https://" not in text, file


def test_a_name_that_somebody_else_made_point_here_is_refused(http: httpx.Client, running: PageStation) -> None:
    assert http.get("/hello", headers={"host": "evil.example"}).status_code == 421
    assert http.get("/hello", headers={"host": "localhost:1"}).status_code == 200


def test_requests_of_other_pages_are_refused(running: PageStation, http: httpx.Client) -> None:
    bare = httpx.post(running.address + "press", json={"button": "pause"})
    assert bare.status_code == 403
    foreign = http.post("/press", json={"button": "pause"}, headers={"origin": "http://evil.example"})
    assert foreign.status_code == 403
    assert not running.station.state.referee.paused


def test_more_than_is_needed_is_not_taken(http: httpx.Client) -> None:
    assert http.post("/play", content=b"x" * 20_000).status_code == 413

    def drops() -> Iterator[bytes]:
        yield from (b"x" * 1000 for _ in range(20))

    assert http.post("/play", content=drops()).status_code == 413


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"deed": "put"},
        {"deed": "put", "code": "z9", "x": 1, "y": 1},
        {"deed": "put", "code": "g5", "x": -1, "y": 1},
        {"deed": "nothing"},
        {"deed": "take", "code": "r9", "player": "C"},
        {"deed": "turn", "code": "o1", "by": 5},
        {"deed": "light", "light": "much"},
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(http: httpx.Client, asked: dict[str, Any]) -> None:
    answer = http.post("/play", json=asked)
    assert answer.status_code in (400, 409)
    assert f"refused_{answer.json()['refused']}" in http.get("/words/fr.json").json()


def first_of(http: httpx.Client, language: str) -> dict[str, Any]:
    """What the station put into the page."""
    page = http.get("/", headers={"accept-language": language}).text
    found = re.search(r'<script type="application/json" id="first">(.*)</script>', page)
    assert found is not None
    return dict(json.loads(found.group(1)))


def test_the_page_comes_with_the_state_of_the_moment_in_the_readers_language(
    running: PageStation, http: httpx.Client
) -> None:
    first = first_of(http, "it, fr-CA;q=0.9, en;q=0.8")
    assert first["language"] == "fr"
    assert first["state"] == first_events(http, "/events?lang=fr", 1)[0][1]
    assert set(first["play"]["hands"]) == {"A", "B"}
    assert "La station prépare la table" in http.get("/", headers={"accept-language": "fr"}).text


def test_the_mat_that_is_fetched_early_is_the_one_that_the_board_shows(http: httpx.Client) -> None:
    early = re.search(r'<link rel="preload" as="image" href="([^"]*)">', http.get("/").text)
    shown = re.search(r"href: `(/art/mat[^`]*)`", http.get("/board.js").text)
    assert early is not None
    assert shown is not None
    assert early.group(1) == shown.group(1).replace("${layout.game}", http.get("/layout.json").json()["game"])


def test_no_name_can_break_out_of_the_page(running: PageStation, http: httpx.Client) -> None:
    token = logged_in(running, http)
    evil = "</script><b>"
    assert http.post("/act", json={"act": "new-game", "variant": "base", "player A": evil}, headers=token).is_success
    page = http.get("/").text
    assert "<b>" not in page
    assert first_of(http, "en")["state"]["players"]["A"] == evil


@pytest.mark.parametrize(("language", "said"), [("en", "Nothing"), ("fr-CA", "Rien ne peut"), ("es", "Ahora no")])
def test_why_a_button_does_nothing_is_said_in_the_readers_language(
    http: httpx.Client, language: str, said: str
) -> None:
    answer = http.post("/press", json={"button": "claim"}, headers={"accept-language": language})
    assert answer.json()["words"].startswith(said)


def test_judging_needs_the_pin_and_its_token(running: PageStation, http: httpx.Client) -> None:
    assert http.post("/act", json={"act": "pause"}).status_code == 403
    assert http.post("/login", json={"pin": "x", "who": "Eve"}).status_code == 403
    token = logged_in(running, http)
    assert http.post("/act", json={"act": "pause"}).status_code == 403  # the cookie alone could be sent by another page
    assert http.post("/act", json={"act": "pause"}, headers=token).status_code == 200
    assert running.station.state.referee.paused
    assert http.post("/act", json={"act": "pause"}, headers=token).status_code == 200
    cookie = http.cookies.jar.__iter__().__next__()
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite", "") == "strict"


def test_an_act_is_an_entry_of_the_journal_with_who_did_it(running: PageStation, http: httpx.Client) -> None:
    token = logged_in(running, http, "Judge: Anna")
    assert http.post("/act", json={"act": "pause"}, headers=token).status_code == 200
    assert http.post("/act", json={"act": "pause"}, headers=token).status_code == 200
    reader = Reader(running.front.services.journal)
    written = [entry for entry in reader.entries() if entry.kind is Kind.ACT]
    reader.close()
    assert [entry.line for entry in written[-2:]] == ["pause", "resume"]
    assert written[-1].who == "Judge Anna"


def test_those_elsewhere_in_the_house_need_the_pin_even_for_a_simulated_table(running: PageStation) -> None:
    async def statuses() -> list[int]:
        elsewhere = httpx.ASGITransport(make_app(running.front.services), client=("192.168.1.7", 4711))
        async with httpx.AsyncClient(transport=elsewhere, base_url="http://station", headers=SIGN) as http:
            asked = (("/press", {"button": "pause"}), ("/play", {"deed": "bump"}), ("/act", {"act": "pause"}))
            return [(await http.post(path, json=body)).status_code for path, body in asked]

    assert asyncio.run(statuses()) == [403, 403, 403]


def test_a_new_pin_ends_every_session(running: PageStation, http: httpx.Client) -> None:
    token = logged_in(running, http)
    before = running.front.pin
    assert http.post("/pin/change", headers=token).status_code == 200
    assert running.front.pin != before
    assert http.post("/act", json={"act": "pause"}, headers=token).status_code == 403


def test_the_pin_is_on_the_display_and_nowhere_on_the_page(running: PageStation, http: httpx.Client) -> None:
    pin = running.front.pin
    shown = draw(Screen(f"{pin[:3]} {pin[3:]}", page_words("en")["pin_on_display"]), Canvas(128, 64)).tobytes()
    assert http.post("/pin/show").status_code == 200
    until(lambda: running.display.picture.tobytes() == shown)
    assert pin not in json.dumps(first_events(http, "/events?lang=en", 2)) + http.get("/hello").text
    logged_in(running, http)
    until(lambda: running.display.picture.tobytes() != shown)


def test_lamps_and_display_can_be_tried_and_then_show_the_game_again(running: PageStation, http: httpx.Client) -> None:
    assert http.post("/try", json={"part": "lamps"}).status_code == 403
    token = logged_in(running, http)
    assert http.post("/try", json={"part": "doorbell"}, headers=token).status_code == 400
    assert http.post("/try", json={"part": "lamps"}, headers=token).status_code == 200
    lamps: Any = running.front.assembled.parts.lamps
    until(lambda: set(lamps.lights) == {Light.GREEN})
    until(lambda: Light.RED in lamps.lights)
    until(lambda: set(lamps.lights) == {Light.OFF})


def _look(http: httpx.Client) -> dict[str, Any]:
    look: dict[str, Any] = dict(first_events(http, "/camera/events?lang=en", 1))["look"]
    return look


def test_buttons_that_are_tried_are_told_and_do_nothing_else(running: PageStation, http: httpx.Client) -> None:
    token = logged_in(running, http)
    assert http.post("/try", json={"part": "buttons"}, headers=token).status_code == 200
    loop = running.front.assembled.loop
    assert loop.takes(Press(Button.UNDO))
    assert dict(first_events(http, "/events?lang=fr", 3))["guide"]["sentence"] == "Le bouton undo a été pressé."
    assert loop.takes(Press(Button.PAUSE, held=True))
    assert not loop.takes(Press(Button.UNDO)), "the game has its buttons again"


def test_the_camera_is_shown_with_what_was_read(running: PageStation, http: httpx.Client) -> None:
    running.do(lambda: running.table.put("o9", (610.0, 356.0), 0.0))
    try:
        until(lambda: any(card["code"] == "o9" for card in _look(http)["cards"]))
        found = next(card for card in _look(http)["cards"] if card["code"] == "o9")
        assert {"where": "9A1", "confidence": 1.0, "why": None}.items() <= found.items()
    finally:
        running.do(lambda: running.table.remove("o9"))
    picture = http.get("/camera.jpg")
    assert picture.headers["content-type"] == "image/jpeg"
    assert picture.content[:2] == b"\xff\xd8"


def test_nothing_is_prepared_for_the_camera_view_while_nobody_looks(running: PageStation, http: httpx.Client) -> None:
    peephole = running.front.services.peephole
    assert peephole is not None
    first_events(http, "/camera/events", 1)
    until(lambda: peephole.watchers == 0)


def test_a_slow_reader_gets_the_newest_and_nothing_old() -> None:
    async def read() -> list[tuple[str, Any]]:
        board = Noticeboard()
        board.attend()
        board.pin("state", "first")
        found = []
        async for notice in board.follow(("state", "play")):
            assert notice is not None
            found.append((notice.kind, notice.content))
            if len(found) == 1:
                for content in ("second", "third", "fourth"):
                    board.pin("state", content)
                board.pin("play", "only")
            if len(found) == 3:
                board.close()
        return found

    assert asyncio.run(read()) == [("state", "first"), ("state", "fourth"), ("play", "only")]


def test_what_goes_wrong_in_an_errand_comes_back_to_whoever_asked(running: PageStation) -> None:
    def trip() -> None:
        raise ValueError("tripped")

    with pytest.raises(ValueError, match="tripped"):
        running.do(trip)
    assert running.do(lambda: "still at work") == "still at work"


def test_the_words_of_the_page_are_there_in_every_language() -> None:
    english, french, spanish = (page_words(language) for language in ("en", "fr", "es"))
    assert english.keys() == french.keys() == spanish.keys()
    for name, words in english.items():
        for other in (french, spanish):
            assert {part.split("}")[0] for part in words.split("{")[1:]} == {
                part.split("}")[0] for part in other[name].split("{")[1:]
            }, name
