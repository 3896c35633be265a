"""Players and tables in by CSV with every mistake named; standings and results out, the same bytes every time."""

from __future__ import annotations

import csv
import io
import json

import pypdfium2
import pytest

from firmware.event.rounds.export import players_csv, results_csv, standings_csv, to_json
from firmware.event.rounds.facts import PlayerEntered, Result, ResultEntered, TableSet
from firmware.event.rounds.lists import BadList, read_players, read_tables, words_of
from firmware.event.rounds.sheets import pairings_sheet, slips, standings_sheet
from firmware.event.rounds.standings import standings
from firmware.event.rounds.tournament import fold
from firmware.messages import LANGUAGES
from tests.firmware.event.played import Told


def mistakes(text: str, language: str = "en", tables: bool = False) -> list[str]:
    with pytest.raises(BadList) as bad:
        read_tables(text) if tables else read_players(text)
    return [words_of(one, language) for one in bad.value.mistakes]


def test_players_come_from_any_spreadsheet() -> None:
    plain = 'name,number,club\nAnna Bell,7,Leith\n\n"Bell, Bert",,\nÇelik Zoë,3,\n'
    expected = (PlayerEntered(7, "Anna Bell", "Leith"), PlayerEntered(1, "Bell, Bert"), PlayerEntered(3, "Çelik Zoë"))
    assert read_players(plain) == expected
    assert read_players("\ufeff" + plain.replace("\n", "\r\n")) == expected
    assert read_players("Name;Club\nAnna;Leith\n") == (PlayerEntered(1, "Anna", "Leith"),)
    assert read_players("name\tnumber\nAnna\t4\n") == (PlayerEntered(4, "Anna"),)
    assert read_players("name\nAnna\n", {1: "Bert"}) == (PlayerEntered(2, "Anna"),)


def test_tables_come_with_or_without_stations() -> None:
    assert read_tables("table,station\n2,oak\n1,\n") == (TableSet(1), TableSet(2, "oak"))
    assert read_tables("table\n1\n2\n") == (TableSet(1), TableSet(2))


def test_every_mistake_of_a_list_is_named_with_line_and_column() -> None:
    found = mistakes("number,name,club\n1,Anna,\nx,Bert,\n1,Carla,\n4,anna,\n5,,\n0,=1+1,\n7,Eve,Leith,too many\n")
    assert found == [
        "line 3, column number: “x”: expected a whole number from 1 to 99999",
        "line 4, column number: 1 is Anna's already; every number is somebody's own",
        "line 5, column name: anna is there already; tell the two apart",
        "line 6, column name: expected a name",
        "line 7, column number: “0”: expected a whole number from 1 to 99999",
        "line 7, column name: =1+1: a name does not begin with =",
        "line 8: 4 cells under 3 headings; put a name that contains “,” in quotes",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "line 1: there is no line of headings; expected the columns name, number, club"),
        ("name\n", "line 2: the list is empty below its headings"),
        ("vorname,club\nA,B\n", "line 1, column name: there is no such column; expected name, number, club"),
        ("name,rank\nA,B\n", "line 1, column rank: this column is not known; expected name, number, club"),
        ("name,name\nA,B\n", "line 1, column name: this column is there twice"),
        ('name\n"Anna\n', "line 2: this is no CSV (unexpected end of data)"),
        (
            "name\n" + "A" * 70 + "\n",
            "line 2, column name: AAAAAAAAAAAAAAAAAAAA… has 70 characters; expected at most 60",
        ),
    ],
)
def test_a_list_that_is_none_is_refused_in_one_sentence(text: str, expected: str) -> None:
    assert mistakes(text)[0] == expected


def test_mistakes_in_tables_are_named_too() -> None:
    assert mistakes("table,station\n1,oak\n1,elm\n2,oak\n3,Big Oak\n", tables=True) == [
        "line 3, column table: table 1 stands in an earlier line already",
        "line 4, column station: oak is in line 2 already; a station has one table",
        "line 5, column station: Big Oak: expected small letters, digits and hyphens, as in the station's own name",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_mistakes_are_said_in_every_language(language: str) -> None:
    assert len(mistakes("number,name\nx,\n", language)) == 2


@pytest.fixture
def told() -> Told:
    told = Told(7, seed=3)
    told.tell(
        TableSet(1, "oak"), TableSet(2), TableSet(3), PlayerEntered(8, "Çelik, Zoë-Łucja"), PlayerEntered(9, "Iñaki")
    )
    told.tell(TableSet(4))
    told.rounds(2)
    last = told.tournament.rounds[-1]
    told.tell(ResultEntered(2, last.waiting[0] if last.waiting else 1, Result("A", (5, 1)), reason="=cmd()"))
    told.pair()
    return told


def test_exports_are_the_same_bytes_every_time(told: Told) -> None:
    again = fold(told.facts)
    for export in (standings_csv, results_csv, players_csv, to_json):
        assert export(told.tournament) == export(again)
    for language in LANGUAGES:
        one, other = told.tournament, again
        assert standings_sheet(one, language) == standings_sheet(other, language)
        assert pairings_sheet(one, one.rounds[-1], language) == pairings_sheet(other, other.rounds[-1], language)
        assert slips(one, one.rounds[-1], language) == slips(other, other.rounds[-1], language)


def test_the_list_of_players_can_be_read_in_again(told: Told) -> None:
    again = read_players(players_csv(told.tournament))
    assert {one.number: one.name for one in again} == {n: one.name for n, one in told.tournament.players.items()}


def test_the_csv_and_the_document_say_what_the_standings_say(told: Told) -> None:
    document = json.loads(to_json(told.tournament))
    rows = list(csv.DictReader(io.StringIO(standings_csv(told.tournament))))
    assert [(int(row["place"]), row["name"]) for row in rows] == [
        (line["place"], line["name"]) for line in document["standings"]
    ]
    assert sum(len(one["pairings"]) for one in document["rounds"]) == len(
        list(csv.DictReader(io.StringIO(results_csv(told.tournament))))
    )


def test_words_of_people_are_shown_by_a_spreadsheet_and_not_computed(told: Told) -> None:
    assert "'=cmd()" in results_csv(told.tournament)
    assert json.loads(to_json(told.tournament))["rounds"][1]["pairings"]


def text_of(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    words = "\n".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    return words


def test_the_paper_names_everybody(told: Told) -> None:
    sheet = text_of(standings_sheet(told.tournament, "fr"))
    paired = text_of(pairings_sheet(told.tournament, told.tournament.rounds[-1], "es"))
    for player in told.tournament.players.values():
        assert player.name in sheet
        assert paired.count(f"{player.name} (") >= 2
    assert "Classement" in sheet
    assert "Cinq points pour une victoire" in sheet
    assert "Ronda 3" in paired


@pytest.mark.parametrize("game", ["schotten-totten", "lords-of-scotland"])
def test_a_bye_is_worth_a_win_on_every_paper_and_in_no_game_5_to_0(game: str) -> None:
    told = Told(3, game=game)
    told.pair()
    [lonely] = [told.tournament.name_of(number) for number in told.tournament.rounds[0].byes]
    shown = []
    for _ in range(2):
        paper = text_of(pairings_sheet(told.tournament, told.tournament.rounds[0], "en"))
        [row] = [row for row in csv.DictReader(io.StringIO(results_csv(told.tournament))) if row["how"] == "bye"]
        [line] = [one for one in standings(told.tournament) if one.player.name == lonely]
        shown.append(("no opponent 5\r" in paper.replace("\n", "\r"), row["points a"], line.points, row["points b"]))
        if not told.tournament.rounds[0].is_started:
            told.start()
    assert shown == [(False, "", 0, ""), (True, "5", 5, "")]


def test_only_tables_without_a_station_get_a_slip(told: Told) -> None:
    paper = text_of(slips(told.tournament, told.tournament.rounds[-1], "en"))
    assert "Table 2" in paper
    assert "Table 1" not in paper


def test_hundreds_of_players_fill_several_pages() -> None:
    told = Told(130)
    told.pair()
    document = pypdfium2.PdfDocument(pairings_sheet(told.tournament, told.tournament.rounds[0], "en"))
    assert len(document) >= 4
    document.close()
