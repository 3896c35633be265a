"""The hub's page over HTTP: what everybody sees, rounds and results, and that every act is an entry of the journal."""

from __future__ import annotations

from pathlib import Path
from random import Random

from firmware.event import topics
from firmware.event.audit import audit
from firmware.event.roles import Role
from firmware.event.rounds.facts import (
    Result,
    ResultEntered,
    decode,
)
from tests.firmware.event.hub_page import HubPage, hub_page
from tests.firmware.event.visiting import Visitor, play_on, until


def test_everybody_sees_tables_round_and_standings_but_no_calls(event: HubPage) -> None:
    shown = Visitor(event).shown()
    assert set(shown) == {"event", "round", "standings", "hall"}
    assert shown["hall"]["order"] == ["1", "2", "3"]
    assert shown["event"]["name"] == "Borders Cup"
    assert len(shown["standings"]) == 6
    assert {row["condition"] for row in shown["hall"]["rows"]} == {"waiting"}


def test_a_round_is_started_played_by_stations_and_by_hand_and_paired_again(event: HubPage) -> None:
    olga = Visitor(event, Role.ORGANISER, "Olga")
    assert olga.act("start", minutes=40).status_code == 200
    until(lambda: event.tables["oak"].station.state.number == 2)
    head = dict(event.tables["oak"].station.state.head)
    pairing = event.office.tournament.rounds[0].at(1)
    assert (head["round"], head["player A"]) == ("1", event.office.tournament.name_of(pairing.a))
    winner = event.do(lambda: play_on(event.tables["oak"], 3))
    event.do(lambda: play_on(event.tables["elm"], 4))
    until(lambda: event.office.tournament.rounds[0].waiting == (3,))
    entered = event.office.tournament.rounds[0].entries[1][-1]
    score = {str(seat): stones for seat, stones in event.tables["oak"].station.state.summary.score}
    assert (entered.result.winner, entered.result.stones, entered.who) == (winner, (score["A"], score["B"]), "station")
    assert olga.act("pair").json()["refused"] == "round-open"
    assert olga.act("result", round=1, table=3, winner="B", stones_a=2, stones_b=5, how="played").status_code == 200
    assert olga.act("pair").status_code == 200
    assert len(event.office.tournament.rounds) == 2
    assert Visitor(event).rows()["3"]["condition"] == "waiting"


def test_a_result_of_a_station_is_entered_once_and_what_a_judge_entered_stays(event: HubPage) -> None:
    olga = Visitor(event, Role.ORGANISER, "Olga")
    olga.act("start", minutes=40)
    until(lambda: event.tables["oak"].station.state.number == 2)
    event.do(lambda: play_on(event.tables["oak"], 3))
    until(lambda: 1 in event.office.tournament.rounds[0].entries)
    jana = Visitor(event, Role.JUDGE, "Jana")
    corrected = {"round": 1, "table": 1, "winner": "A", "stones_a": 4, "stones_b": 2, "how": "decided"}
    assert jana.act("result", **corrected).json()["refused"] == "needs-reason"
    assert jana.act("result", **corrected, reason="a card was misread").status_code == 200
    event.do(lambda: event.office._collect())
    entries = event.office.tournament.rounds[0].entries[1]
    assert [one.who for one in entries] == ["station", "Jana, judge"]


def test_a_ruling_after_the_end_changes_the_result_and_the_audit_finds_all_of_it_in_order(
    event: HubPage, tmp_path: Path
) -> None:
    olga, jana = Visitor(event, Role.ORGANISER, "Olga"), Visitor(event, Role.JUDGE, "Jana")
    olga.act("give-badge", role="judge", name="Jean")
    olga.act("start", minutes=40)
    oak = event.tables["oak"]
    until(lambda: oak.station.state.number == 2)
    winner = event.do(lambda: play_on(oak, 3))
    until(lambda: 1 in event.office.tournament.rounds[0].entries)
    other = "B" if winner == "A" else "A"
    assert jana.act("decide", key="1", winner=other, ground="conduct", words="he cheated").status_code == 200
    until(lambda: len(event.office.tournament.rounds[0].entries[1]) == 2)
    first, second = event.office.tournament.rounds[0].entries[1]
    assert (first.result.winner, second.result.winner, second.result.how) == (winner, other, "decided")
    assert second.game == first.game
    assert audit(tmp_path / "event.db").wrong == []
    false = Result("A" if other == "B" else "B", (5, 0))

    def forged() -> list[str]:
        """At once, before the office hears of the game again and enters what it ended with."""
        event.office.tell([ResultEntered(1, 1, false, "forged", second.game)], "somebody")
        return audit(tmp_path / "event.db").wrong

    [doubt] = event.do(forged)
    assert "round 1, table 1" in doubt


def test_the_clock_of_the_round_goes_to_the_stations(event: HubPage) -> None:
    olga = Visitor(event, Role.ORGANISER, "Olga")
    olga.act("start", minutes=40)
    oak = event.tables["oak"]
    until(lambda: oak.station.state.clock == "40'")
    assert oak.signals.screen.clock == "40'"
    assert olga.act("stop-clock").status_code == 200
    until(lambda: oak.station.state.clock == "=40'")
    assert olga.act("time", seconds=120).status_code == 200
    until(lambda: oak.station.state.clock == "=42'")
    assert olga.act("time", seconds=300, table=1).status_code == 200
    until(lambda: oak.station.state.clock == "=47'")
    assert event.tables["elm"].station.state.clock == "=42'"
    assert olga.act("run-clock").status_code == 200
    until(lambda: oak.station.state.clock == "47'")


def test_an_organiser_opens_an_event_enters_lists_and_gives_badges(tmp_path: Path) -> None:
    with hub_page(tmp_path) as page:
        olga = Visitor(page, Role.ORGANISER, "Olga")
        opened = {"name": "Cup", "style": "swiss", "minutes": 30, "seed": 5, "variant": "tactic"}
        assert olga.act("players", list="name\nAnna\n").json()["refused"] == "not-opened"
        assert olga.act("open", **opened).status_code == 200
        bad = olga.act("players", list="name,number\nAnna,x\nAnna,2\n", lang="fr").json()
        assert bad["refused"] == "bad-list"
        assert bad["mistakes"][0] == "ligne 2, colonne number : « x » : attendu un nombre entier de 1 à 99999"
        assert page.office.tournament.players == {}
        many = "name\n" + "".join(f"Player {n}\n" for n in range(1, 1001))
        assert olga.act("players", list=many).status_code == 200
        assert olga.act("tables", list="table,station\n1,oak\n1,elm\n").json()["refused"] == "bad-list"
        assert olga.act("player", name="Late Lena", club="Kelso").status_code == 200
        assert olga.act("leave", number=3).status_code == 200
        assert len(page.office.tournament.playing()) == 1000
        given = olga.act("give-badge", role="judge", name="Jana").json()
        assert Visitor(page).http.post("/login", json={"code": given["code"]}).status_code == 200
        assert Visitor(page).http.post("/login", json={"code": given["code"]}).status_code == 403, "good for one log-in"
        lines = [stored.entry.line for stored in page.do(lambda: list(page.hub.archive.entries(topics.HUB)))]
        assert given["code"] not in " ".join(lines)
        assert any("badge-given" in line and "Jana" in line for line in lines)


def test_every_change_is_an_entry_with_its_name_and_the_fold_of_them_is_the_tournament(event: HubPage) -> None:
    olga = Visitor(event, Role.ORGANISER, "Olga")
    olga.act("start", minutes=40)
    olga.act("result", round=1, table=3, winner="A", stones_a=5, stones_b=1, how="played")
    entries = [stored.entry for stored in event.do(lambda: list(event.hub.archive.entries(topics.HUB)))]
    assert entries[-1].who == "Olga, organiser"
    assert decode(entries[-1].line)
    from firmware.event.page.office import Office

    again = event.do(lambda: Office(event.hub, event.clock, lambda moment: None, event.log.append)).tournament
    assert again == event.office.tournament


def test_papers_and_lists_can_be_taken_away_and_do_not_change(event: HubPage) -> None:
    olga = Visitor(event, Role.ORGANISER, "Olga")
    for path in ("standings.csv", "standings.pdf", "results.csv", "players.csv", "event.json"):
        one, other = olga.http.get(f"/take-away/{path}"), olga.http.get(f"/take-away/{path}")
        assert one.status_code == 200, path
        assert one.content == other.content
        assert "attachment" in one.headers["content-disposition"]
    assert olga.http.get("/rounds/1/pairings.pdf?lang=es").content.startswith(b"%PDF")
    assert olga.http.get("/rounds/1/slips.pdf").status_code == 200
    assert olga.http.get("/rounds/1").json()["round"] == 1
    assert olga.http.get("/rounds/9").status_code == 404
    assert Visitor(event).http.get("/take-away/standings.csv").status_code == 200
    for inside in ("results.csv", "players.csv", "event.json"):
        assert Visitor(event).http.get(f"/take-away/{inside}").status_code == 404


PAPERS = {
    "standings.csv": "/take-away/standings.csv",
    "results.csv": "/take-away/results.csv",
    "players (1).csv": "/take-away/players.csv",  # as a browser calls the second one
    "event.json": "/take-away/event.json",
    "standings.pdf": "/take-away/standings.pdf?lang=fr",
    "round-1-pairings.pdf": "/rounds/1/pairings.pdf?lang=es",
    "round-1-slips.pdf": "/rounds/1/slips.pdf",
}


def test_one_changed_byte_of_what_was_taken_away_is_found_and_named(event: HubPage, tmp_path: Path) -> None:
    olga = Visitor(event, Role.ORGANISER, "Olga")
    olga.act("start", minutes=40)
    olga.act("result", round=1, table=3, winner="A", stones_a=5, stones_b=2, how="played")
    files = []
    for name, address in PAPERS.items():
        files.append(tmp_path / name)
        files[-1].write_bytes(olga.http.get(address).content)
    whole = audit(tmp_path / "event.db", (), tuple(files))
    assert (whole.wrong, whole.papers) == ([], len(PAPERS))
    random = Random(7)
    for file in files:
        content = file.read_bytes()
        for _ in range(3):
            at = random.randrange(len(content))
            file.write_bytes(content[:at] + bytes([content[at] ^ 1 << random.randrange(8)]) + content[at + 1 :])
            [wrong] = audit(tmp_path / "event.db", (), (file,)).wrong
            assert wrong.startswith(f"{file} is not what the journals give")
            if file.suffix == ".pdf":
                assert wrong.endswith(f" from byte {at + 1} on")
            else:
                line = content[:at].count(b"\n") + 1
                assert f" in line {line}: it is " in wrong
        file.write_bytes(content[:-1])
        assert audit(tmp_path / "event.db", (), (file,)).wrong
        file.write_bytes(content)
    olga.act("result", round=1, table=3, winner="B", stones_a=2, stones_b=5, how="played", reason="mixed up")
    [wrong] = audit(tmp_path / "event.db", (), (tmp_path / "players (1).csv", tmp_path / "standings.csv")).wrong
    assert "standings.csv" in wrong
    (tmp_path / "notes.txt").touch()
    [wrong] = audit(tmp_path / "event.db", (), (tmp_path / "notes.txt",)).wrong
    assert "no paper of this name" in wrong
