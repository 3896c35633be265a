"""Games played, as the page tells of them: the list, each move, and the files to take away."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from engine.record import parse_record
from firmware.clocks import SimulatedClock
from firmware.commands import Correct, Decide, NewGame, Rule, Tell, Undo
from firmware.games import refereed
from firmware.journal import Journal
from firmware.station import Station
from firmware.web import history
from firmware.web.files import page_words
from firmware.web.score_sheet import score_sheet
from tests.firmware.sitting import Sitting

MOVES = ("A g5@3", "B r1@2", "A g6@3", "B r2@2", "A g7@3", "A claim 3")


def test_every_step_shows_the_board_after_it_and_the_verdict(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    sitting.play(*MOVES)
    game = history.played(sitting.path, 1)
    assert game is not None
    steps = history.steps(game, "en")
    assert [step["verdict"]["line"] for step in steps[1:]] == list(MOVES)
    assert [len(step["pieces"]) - 9 for step in steps] == [0, 1, 2, 3, 4, 5, 5]
    refused = steps[-1]
    assert refused["verdict"]["legal"] is False
    assert [piece["code"] for piece in refused["pieces"] if piece["wrong"]] == ["stone3"]


def test_cards_are_drawn_in_the_order_in_which_they_were_laid(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    sitting.play("A g7@3", "B r1@2", "A g5@3", "B r2@2", "A g6@3")
    game = history.played(sitting.path, 1)
    assert game is not None
    pieces = history.steps(game, "en")[-1]["pieces"]
    assert [piece["code"] for piece in sorted(pieces, key=lambda one: one["y"]) if piece["place"] == "3A"] == [
        "g7",
        "g5",
        "g6",
    ]


def test_rulings_corrections_and_undo_are_told_as_they_stand(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    sitting.play(*MOVES)
    sitting.ask(Rule(6, True, "Anna", "agreed"))
    sitting.ask(Correct(1, "A g4@3", "Anna"))
    sitting.ask(Undo("Anna"))
    game = history.played(sitting.path, 1)
    assert game is not None
    assert game.referee == sitting.station.state.referee
    record = parse_record(game.record, refereed("schotten-totten").game.parse)
    assert record.entries == game.referee.entries


def test_a_game_that_ended_before_its_first_move_can_be_opened(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    sitting.ask(Decide(None, "Anna", "nobody came"))
    game = history.played(sitting.path, 1)
    assert game is not None
    assert len(history.steps(game, "en")) == 1
    assert [(act["who"], act["what"]) for act in history.acts(game)] == [("Anna", "decided")]


@pytest.mark.rule("ST-405")
def test_rounds_of_the_same_players_add_up_to_a_match(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    first, second = refereed("schotten-totten").game.players
    names = (("player A", "Ann"), ("player B", "Ben"))
    for name, winner in (("1", first), ("2", second), ("1", first)):
        sitting.ask(NewGame((*names, ("round", name)), "Anna"))
        sitting.table.clear()
        sitting.look()
        sitting.play("A g7@1", "B r1@9", "A g8@1", "B r2@9", "A g9@1", "A claim 1")
        sitting.ask(Decide(winner, "Anna", "the bell"))
    again, whole = history.matches(history.games(sitting.path))
    assert (whole["players"], whole["total"]) == (["Ann", "Ben"], [6, 5])
    assert [one["points"] for one in whole["rounds"]] == [[5, 0], [1, 5]], "the loser has a point for each Stone"
    assert [one["round"] for one in again["rounds"]] == ["1"]


def test_rounds_of_lords_of_scotland_are_no_match_of_the_first_game() -> None:
    head = {"game": "lords-of-scotland", "round": "1", "player A": "Ann", "player B": "Ben"}
    ended = {"game": 1, "at": "", "head": head, "winner": "A", "by": "most-points", "score": {"A": 41, "B": 30}}
    assert history.matches([ended]) == []
    assert history.score([ended, ended | {"winner": "D"}]) == {"A": 1, "D": 1}


def test_the_list_counts_games_won(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    sitting.play("A g5@3")
    sitting.ask(Decide(refereed("schotten-totten").game.players[0], "Anna", "B had to go"))
    sitting.table.clear()
    sitting.look()
    sitting.ask(NewGame((("player A", "Ann"),), "Anna"))
    listed = history.games(sitting.path)
    assert history.score(listed) == {"A": 1}
    assert listed[-1]["winner"] == "A"
    assert listed[0]["head"]["player A"] == "Ann"


def test_the_score_sheet_names_moves_fouls_and_players_in_each_language(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    sitting.play(*MOVES)
    game = history.played(sitting.path, 1)
    assert game is not None
    for language, said in (("en", "A lays the green 5"), ("fr", "A pose 5 vert"), ("es", "A juega 5 verde")):
        steps = history.steps(game, language)
        sheet = pypdfium2.PdfDocument(score_sheet(game, steps, page_words(language)))
        text = sheet[0].get_textpage().get_text_range()
        assert said in text
        assert "ST-307" in text


def test_the_score_sheet_of_lords_of_scotland_says_in_words_what_was_agreed(tmp_path: Path) -> None:
    clock = SimulatedClock()
    journal = Journal(tmp_path / "journal.db", clock)
    station = Station(refereed("lords-of-scotland"), journal, clock)
    station.begin({"rules": "seats=5 bruce"})
    station.take(Tell("deal macdonnell11@supporters scott12@supporters"))
    journal.close()
    game = history.played(tmp_path / "journal.db", 1)
    assert game is not None
    for language, said in (
        ("en", "5 players, with Bruce"),
        ("fr", "5 joueurs, avec Bruce"),
        ("es", "5 jugadores, con"),
    ):
        steps = history.steps(game, language)
        text = pypdfium2.PdfDocument(score_sheet(game, steps, page_words(language)))[0].get_textpage().get_text_range()
        assert said in text
        assert "seats=" not in text


def test_a_game_that_was_never_played_is_none(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    assert history.played(sitting.path, 7) is None
