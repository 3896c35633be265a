"""Position documents, both ways, and the answers to them; the golden positions of seeds/."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.lords_of_scotland.adjudicate import adjudicate, adjudicated_words
from engine.lords_of_scotland.document import from_json, parse_document, to_json
from engine.lords_of_scotland.fields import BadDocument
from engine.lords_of_scotland.position import Stage
from engine.lords_of_scotland.skirmish import Why
from tests.engine.lords_of_scotland.play import DECK, play, positions, share

FOLDER = Path(__file__).parents[3] / "seeds" / "positions" / "lords_of_scotland"
FILES = sorted(FOLDER.glob("*.json"))


def golden(file: Path) -> dict[str, Any]:
    """A position document that also says what it is about, which rules it shows and what the answer is."""
    document = json.loads(file.read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


EACH = [pytest.param(file, id=file.stem, marks=pytest.mark.rule(*golden(file)["shows"])) for file in FILES]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_position_of_a_game_is_read_back_from_its_document(seats: int) -> None:
    for position in positions(seats, 7):
        assert parse_document(DECK, json.dumps(to_json(position))) == position


@pytest.mark.parametrize("file", EACH)
def test_a_golden_position_is_answered_as_it_says(file: Path) -> None:
    position = golden(file)
    answer = json.loads(json.dumps(adjudicate(from_json(DECK, position), "en")))
    expected = position["answer"]
    for key, value in expected.items():
        if key == "ranking":
            assert len(answer["ranking"]) == len(value), position["about"]
            for found, wanted in zip(answer["ranking"], value, strict=True):
                assert found | wanted == found, position["about"]
        else:
            assert answer[key] == value, position["about"]


def test_golden_positions_give_every_reason_there_is() -> None:
    reasons = {standing.get("why") for file in FILES for standing in golden(file)["answer"]["ranking"]} - {None}
    assert reasons == {why.value for why in Why}


def test_the_answer_waits_for_cards_that_lie_face_down() -> None:
    answer = adjudicate(share({"A": ["?", "scott3"], "B": ["wemyss9"]}, ["forsyth1", "forsyth2"]), "en")
    assert answer["final"] is False
    assert answer["next_to_take"] is None
    assert [standing["hidden"] for standing in answer["ranking"]] == [0, 1]


@pytest.mark.rule("LS-406")
def test_once_a_skirmish_is_shared_out_nobody_takes_what_is_left() -> None:
    won = {"A": ["scott12", "makgill12", "macdonnell12"]}
    for fields in ({}, {"won": won}):
        shared = play(share({"A": ["wemyss9"], "B": []}, ["forsyth4", "forsyth7"], **fields), "A wins forsyth7")
        answer = adjudicate(shared, "en")
        assert answer["next_to_take"] is None
        assert [standing["takes"] for standing in answer["ranking"]] == [0]
        assert answer["winner"] == ("A" if fields else None)


@pytest.mark.rule("LS-502")
def test_level_players_are_parted_by_the_skirmish_just_shared_and_by_nothing_else() -> None:
    won = {
        "A": ["scott12", "makgill12", "forsyth12", "scott4"],
        "B": ["cochrane12", "wemyss12", "cockburn12", "wemyss4"],
    }
    armies = {"A": ["scott2"], "B": ["wemyss9"]}
    before = share(armies, [], won=won, places=["A", "B"])
    assert adjudicate(before, "en")["winner"] == "B", "A was ahead in the skirmish before"
    assert adjudicate(replace(before, stage=Stage.OVER), "en")["winner"] == "A"
    assert adjudicate(share({}, [], won=won), "en")["winner"] is None


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "1. B with 12: level with the next army, with the higher rank: 66."),
        ("fr", "1. B avec 12 : à égalité avec la suivante, au rang plus élevé : 66."),
        ("es", "1. B con 12: empata con el siguiente, con rango más alto: 66."),
    ],
)
def test_the_ranking_is_said_with_its_reasons(language: str, sentence: str) -> None:
    position = share({"A": ["cochrane8", "scott4"], "B": ["makgill9", "wemyss3"]}, ["forsyth1", "forsyth2"])
    assert adjudicated_words(position, language)[0] == sentence


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "2. B with 4. No supporter is left for it."),
        ("fr", "2. B avec 4. Il ne lui reste aucun partisan."),
        ("es", "2. B con 4. No le queda ningún partidario."),
    ],
)
@pytest.mark.rule("LS-409")
def test_an_army_that_finds_no_supporter_left_is_told_so(language: str, said: str) -> None:
    armies = {"A": ["scott9", "cochrane3!"], "B": ["wemyss4"]}
    assert adjudicated_words(share(armies, ["forsyth1", "forsyth2"]), language)[1] == said
    assert said.startswith(adjudicated_words(share(armies, []), language)[1]), "where no supporters are told of"


@pytest.mark.parametrize(
    ("language", "second", "last"),
    [
        ("en", "2. A with 3 and 1 face down. Takes two supporters.", "This is not final: allies face down do not"),
        ("fr", "2. A avec 3 et 1 face cachée. Récupère deux partisans.", "Ce n'est pas définitif : les alliés face"),
        ("es", "2. A con 3 y 1 boca abajo. Toma dos partidarios.", "Aún no es definitivo: los aliados boca abajo"),
    ],
)
def test_the_words_tell_of_cards_face_down_and_of_two_supporters(language: str, second: str, last: str) -> None:
    position = share({"A": ["?", "cochrane3!"], "B": ["wemyss9"]}, ["forsyth1", "forsyth2", "forsyth4"])
    lines = adjudicated_words(position, language)
    assert lines[1] == second
    assert lines[2].startswith(last)


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ("[]", "the document is"),
        ("{", "this is not JSON"),
        ("[" * 100_000, "nested too deeply|not JSON"),
        ('{"game": "chess"}', 'game is "chess"; expected one of lords-of-scotland'),
        ('{"armies": []}', "armies is"),
        ('{"armies": {"A": ["scott13"]}}', "armies, A, card 1 is 'scott13': .*expected a card"),
        ('{"armies": {"A": ["scott7", "scott7"]}}', "scott7 lies twice, in A's army and in A's army"),
        ('{"armies": {"A": ["scott7"]}, "supporters": ["scott7"]}', "scott7 lies twice, in the supporters and in A's"),
        ('{"armies": {"A": ["scott7"], "C": []}, "rules": {"seats": 2}}', "armies names C"),
        ('{"armies": {"F": ["scott7"]}}', "armies names F; expected players among A, B"),
        ('{"armies": {"A": [7]}}', "armies, A is .*; expected a list of codes"),
        ('{"armies": {"A": "scott7"}}', "expected a list of codes"),
        ('{"armies": {"A": ["?!"]}}', "expected a card such as scott7"),
        ('{"armies": {"A": ["scott7+~"]}}', "expected an ally such as"),
        ('{"supporters": ["?"]}', '^supporters holds "."; expected cards'),
        ('{"rules": {"seats": 6}}', "rules, seats is 6; expected a number from 2 to 5"),
        ('{"armies": {}, "rules": {"bruce": "no"}}', 'rules, bruce is "no"; expected true or false'),
        ('{"stage": "war"}', '^stage is "war"; expected one of setting out, fighting, sharing, over'),
        ('{"recruits": ["scott1"]}', "recruits: expected a list of five"),
        ('{"recruits": ["x", null, null, null, null]}', 'recruits hold "x"'),
        ('{"armies": {}, "uncovered": [6]}', "uncovered is .6.; expected a list of numbers of recruits, 1 to 5"),
        ('{"laid": 4}', "laid is 4"),
        ('{"hands": {"A": 4}}', "hands, A is 4"),
        ('{"taken": ["E"]}', 'taken is ."E".; expected players among A, B'),
        ('{"taken": [1]}', "taken is .1.; expected players among A, B"),
        ('{"turn": "C"}', 'turn is "C"; expected one of A, B'),
        ('{"armies": {"A": ["~"]}}', "armies, A, card 1 is '~': .*expected a card"),
        ('{"hands": {"A": [7, 3]}}', "hands, A is .*; expected two numbers, the least and the most"),
        ('{"armies": {"A": ["scott7"], "A": ["scott8"]}}', 'the key "A" stands twice in one object; give it once'),
        ('{"army": {"A": ["scott7"]}}', "the document has no armies; expected an object with the allies"),
        ('{"armies": {"A": ["wemyss3!"]}}', "armies, A, card 1 is 'wemyss3!'; expected ! behind a Bruce"),
        ('{"armies": {"A": ["bruce1!cochrane"]}}', "is 'bruce1!cochrane'; expected ! behind a Bruce"),
        ('{"armies": {"A": ["cochrane3!scott"]}}', "is 'cochrane3!scott'; expected ! behind a Bruce"),
        ('{"armies": {"A": ["scott3!wemyss"]}}', "is 'scott3!wemyss'; .* behind a Scott with the clan of one"),
        ('{"armies": {"B": ["bruce2"]}, "rules": {"bruce": false}}', "bruce2 lies in B's army, but bruce is false"),
        ('{"supporter": []}', "did you mean 'supporters'"),
    ],
)
def test_a_bad_document_is_refused_in_a_sentence(document: str, says: str) -> None:
    with pytest.raises(BadDocument, match=says):
        parse_document(DECK, document)


@pytest.mark.rule("LS-103")
def test_a_bruce_that_lies_there_is_in_the_game_unless_the_rules_say_otherwise() -> None:
    counted = from_json(DECK, {"armies": {"A": ["bruce1!", "scott3"], "B": []}})
    assert counted.bruce
    assert counted.stock == 98 - 2 - 2 * 5, "both Bruce were shuffled"
    assert not from_json(DECK, {"armies": {"A": ["scott3"], "B": []}}).bruce


values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-3, 99), st.sampled_from(["A", "scott7", "?", "scott2!bruce", "x"])
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.sampled_from("ABCDE"), inner, max_size=3)),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(sorted(to_json(share({}, [])))), values, max_size=6))
def test_any_document_is_answered_or_refused(document: dict[str, Any]) -> None:
    try:
        position = from_json(DECK, document)
    except BadDocument:
        return
    assert adjudicate(position, "en")["points"]
    assert from_json(DECK, to_json(position)) == position
