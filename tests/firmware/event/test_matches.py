"""Matches of several games, and the second game at an event: what they are worth, by hand and from stations."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from firmware.commands import NewGame
from firmware.event.audit import audit
from firmware.event.roles import Role
from firmware.event.rounds.facts import (
    EventOpened,
    Fact,
    How,
    PlayerEntered,
    Refused,
    Result,
    ResultEntered,
    RoundStarted,
    Style,
    TableSet,
)
from firmware.event.rounds.next_round import next_round
from firmware.event.rounds.scoring import SCORINGS, Match
from firmware.event.rounds.standings import standings
from firmware.event.rounds.tournament import Tournament
from firmware.games import refereed
from firmware.obey import Refused as NotNow
from firmware.obey import obey
from tests.firmware.event.hub_page import hub_page
from tests.firmware.event.visiting import NAMES, Visitor, play_on, until

AT = "2026-11-17T10:00:00+00:00"
THREE = Match(3)
A5, A3 = Result("A", (5, 2)), Result("A", (3, 4))
B5 = Result("B", (1, 5))


@pytest.mark.parametrize(
    ("games", "winner", "points"),
    [
        ([A5, A3], "A", (5, 3)),  # (2 + 4) / 2
        ([A5, B5, A3], "A", (5, 3)),  # (2 + 5 + 4) / 3
        ([B5, B5], "B", (1, 5)),
        ([A5, B5, Result(None, (4, 4), How.TIME)], None, (3, 3)),  # (5 + 1 + 4) / 3, (2 + 5 + 4) / 3
        ([A5, Result(None, (2, 3), How.TIME)], "A", (5, 2)),  # time was up while A led
        ([A5, Result("B", (0, 0), How.FORFEIT)], "B", (2, 5)),  # A went home
        ([A5, B5, Result("A", (4, 4)), B5], "A", (5, 3)),  # what came after the end counts for nothing
    ],
)
def test_a_match_goes_to_whoever_wins_more_than_half_of_it(
    games: list[Result], winner: str | None, points: tuple[int, int]
) -> None:
    result = THREE.result(games)
    assert result is not None
    assert result.winner == winner
    assert THREE.points(games) == points


@pytest.mark.parametrize("games", [[], [A5], [A5, B5]])
def test_a_match_goes_on_until_it_is_decided(games: list[Result]) -> None:
    assert THREE.result(games) is None
    assert THREE.points(games) is None


def test_a_loser_of_lords_of_scotland_scores_one_for_every_ten_points() -> None:
    lords = SCORINGS["lords-of-scotland"]
    played = Result("B", (39, 43))
    assert [lords.points(played, seat) for seat in ("A", "B")] == [3, 5]
    assert lords.points(Result("A", (60, 58)), "B") == 4
    lords.check(played)
    for wrong, why in ((Result("A", (39, 12)), "winner-stones"), (Result("A", (200, 0)), "bad-stones")):
        with pytest.raises(Refused, match=why):
            lords.check(wrong)


def opened(**more: object) -> Tournament:
    facts: list[Fact] = [
        EventOpened("Cup", Style.KNOCK_OUT, 1, **more),  # type: ignore[arg-type]
        *(PlayerEntered(n, name) for n, name in enumerate(NAMES[:4], 1)),
    ]
    tournament = Tournament()
    for fact in facts:
        tournament = tournament.after(fact, AT, "Olga")
    tournament = tournament.after(next_round(tournament), AT, "Olga")
    return tournament.after(RoundStarted(1, 40), AT, "Olga")


def test_games_of_a_match_are_entered_in_their_order_and_corrected_with_a_reason() -> None:
    told = opened(best_of=3)

    def enter(result: Result, leg: int, reason: str = "") -> None:
        nonlocal told
        told = told.after(ResultEntered(1, 1, result, reason, leg=leg), AT, "Olga")

    with pytest.raises(Refused, match="no-leg"):
        enter(A5, 2)
    enter(A5, 1)
    assert told.rounds[0].waiting == (1, 2)
    assert told.rounds[0].wins(1) == (1, 0)
    enter(B5, 2)
    with pytest.raises(Refused, match="no-draw"):  # a knock-out needs a winner
        enter(Result(None, (3, 3), How.TIME), 3)
    enter(A3, 3)
    assert told.rounds[0].points(1) == (5, 3)
    with pytest.raises(Refused, match="match-over"):
        enter(A3, 4)
    with pytest.raises(Refused, match="needs-reason"):
        enter(A5, 2)
    enter(A5, 2, "the slip was misread")
    assert told.rounds[0].wins(1) == (2, 0)
    lines = {line.player.number: line for line in standings(told)}
    pairing = told.rounds[0].at(1)
    assert pairing is not None
    assert (lines[pairing.a].points, lines[pairing.a].wins, lines[pairing.a].games) == (5, 1, 1)


@pytest.mark.parametrize("more", [{"best_of": 2}, {"best_of": 11}, {"game": "chess"}])
def test_an_event_of_no_known_game_or_of_even_matches_is_not_opened(more: dict[str, object]) -> None:
    with pytest.raises(Refused, match="bad-match"):
        opened(**more)


def test_stations_play_a_match_to_its_end_and_nothing_beyond_counts(tmp_path: Path) -> None:
    with hub_page(tmp_path, ("oak",)) as page:
        page.tell(EventOpened("Cup", Style.SWISS, 7, best_of=3))
        page.tell(PlayerEntered(1, "Anna"), PlayerEntered(2, "Bert"), TableSet(1, "oak"))
        page.tell(next_round(page.office.tournament))
        until(lambda: "oak" in page.hub.live)
        olga = Visitor(page, Role.ORGANISER, "Olga")
        olga.act("start", minutes=40)
        oak, winners = page.tables["oak"], []
        until(lambda: oak.station.state.number == 2)
        for number in range(5):  # the players clear the board and go on; the last games are for fun
            winners.append(page.do(partial(play_on, oak, number)))
            page.do(lambda: oak.obey(NewGame()))
        until(lambda: len(page.hub.state.results()) == 5)
        current = page.office.tournament.rounds[0]
        assert current.is_over
        counted = [one.result.winner for one in current.legs(1)]
        assert counted == winners[: len(counted)]
        assert max(counted.count("A"), counted.count("B")) == 2
        assert current.wins(1) == (counted.count("A"), counted.count("B"))
        assert audit(tmp_path / "event.db").wrong == []
        shown = Visitor(page).shown()
        [pairing] = shown["round"]["pairings"]
        assert pairing["wins"] == list(current.wins(1))
        assert pairing["points"] == list(current.points(1) or ())
        refused = olga.act(
            "result", round=1, table=1, leg=len(counted) + 1, winner="A", stones_a=5, stones_b=0, how="played"
        )
        assert refused.json()["refused"] == "match-over"


def test_a_bye_is_worth_a_win_once_its_round_has_begun_and_is_no_game_of_a_match(tmp_path: Path) -> None:
    with hub_page(tmp_path) as page:
        page.tell(EventOpened("Cup", Style.SWISS, 7, best_of=3))
        page.tell(*(PlayerEntered(number, name) for number, name in enumerate(("Anna", "Bert", "Carla"), start=1)))
        page.tell(next_round(page.office.tournament))
        olga = Visitor(page, Role.ORGANISER, "Olga")
        shown = []
        for _ in range(2):
            [bye] = [one for one in Visitor(page).shown()["round"]["pairings"] if one["b"] is None]
            shown.append((bye["points"], bye["wins"]))
            olga.act("start", minutes=40)
        assert shown == [(None, None), ([5], None)]


def test_the_second_game_is_opened_scored_and_shown_on_its_own_table(tmp_path: Path) -> None:
    with hub_page(tmp_path, ("oak",)) as page:
        olga = Visitor(page, Role.ORGANISER, "Olga")
        asked = {"name": "Cup", "style": "swiss", "minutes": 30, "seed": 5, "game": "lords-of-scotland"}
        assert olga.act("open", **asked, variant="tactic").status_code == 400
        assert olga.act("open", **asked, variant="4").status_code == 400  # two and two are paired
        assert olga.http.get("/layout.json").json()["game"] == "schotten-totten"
        assert olga.act("open", **asked, variant="bruce").status_code == 200
        assert olga.http.get("/layout.json").json()["game"] == "lords-of-scotland"
        page.tell(PlayerEntered(1, "Anna"), PlayerEntered(2, "Bert"), TableSet(1))
        assert olga.act("pair").status_code == 200
        assert olga.act("start", minutes=30).status_code == 200
        entered = {"round": 1, "table": 1, "winner": "A", "stones_b": 27, "how": "played"}
        assert olga.act("result", **entered, stones_a=31).json()["refused"] == "winner-stones"
        assert olga.act("result", **entered, stones_a=42).status_code == 200
        assert [line["points"] for line in Visitor(page).shown()["standings"]] == [5, 2]
        assert olga.http.get("/take-away/standings.pdf").content.startswith(b"%PDF")


def test_a_station_of_another_game_refuses_the_round_in_writing(tmp_path: Path) -> None:
    with hub_page(tmp_path, ("oak",)) as page:
        state, stones = page.tables["oak"].station.state, refereed("schotten-totten")
        with pytest.raises(NotNow, match="This station referees schotten-totten"):
            obey(state, NewGame((("game", "lords-of-scotland"), ("rules", "seats=2"))), stones)
