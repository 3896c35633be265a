"""Positions with the answer a referee must give, one for each case that is easily got wrong.

Each file in seeds/positions/schotten_totten is a position document that also says what it is about, which rules it
shows and what the answer is. The answers are reasoned by hand and never written by the product.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.schotten_totten.claims import judge_all
from engine.schotten_totten.document import claim_to_json, from_json
from engine.schotten_totten.score import victory
from tests.engine.schotten_totten import exhaustive

FOLDER = Path(__file__).parents[3] / "seeds" / "positions" / "schotten_totten"
FILES = sorted(FOLDER.glob("*.json"))


def golden(file: Path) -> dict[str, Any]:
    document = json.loads(file.read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


EACH = [pytest.param(file, id=file.stem, marks=pytest.mark.rule(*golden(file)["shows"])) for file in FILES]


@pytest.mark.parametrize("file", EACH)
def test_a_golden_position_is_answered_as_it_says(file: Path) -> None:
    position = golden(file)
    document = from_json(position)
    answers = {
        (number, finding.player): claim_to_json(number, finding, "")
        for number, pair in enumerate(judge_all(document.stones, document.discard, document.rules.proof), start=1)
        for finding in pair
    }
    for expected in position["answer"]["claims"]:
        assert answers[expected["stone"], expected["player"]] == expected | {"words": ""}, position["about"]
    won = victory(document.stones)
    assert (won and won.winner) == position["answer"]["winner"]


@pytest.mark.parametrize("file", EACH)
def test_a_golden_answer_is_what_trying_everything_gives(file: Path) -> None:
    position = golden(file)
    for expected in position["answer"]["claims"]:
        why, *worths = exhaustive.judge(position, expected["stone"], expected["player"])
        mine, theirs = (worth and {"kind": exhaustive.KIND_OF_RANK[worth[0]], "sum": worth[1]} for worth in worths)
        assert (expected["why"], expected["mine"], expected["theirs"]) == (why, mine, theirs)


def test_golden_positions_give_every_reason_there_is() -> None:
    reasons = {claim["why"] for file in FILES for claim in golden(file)["answer"]["claims"]}
    assert reasons == {
        "stronger",
        "tie-completed-first",
        "proof",
        "already-claimed",
        "incomplete",
        "weaker",
        "tie-completed-second",
        "could-be-beaten",
    }
