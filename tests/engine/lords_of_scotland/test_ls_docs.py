"""What docs/record-lords-of-scotland.md shows is what the engine reads and answers."""

from __future__ import annotations

import json
import re
from pathlib import Path

from engine.lords_of_scotland.adjudicate import adjudicate
from engine.lords_of_scotland.document import parse_document
from tests.engine.lords_of_scotland.play import DECK, fact

TEXT = (Path(__file__).parents[3] / "docs" / "record-lords-of-scotland.md").read_text(encoding="utf-8")


def test_every_line_of_a_record_in_the_docs_can_be_read() -> None:
    events = TEXT.partition("## Events")[2].partition("## Position")[0]
    lines = [
        line for row in re.findall(r"^\| (`.*?) \|", events, re.MULTILINE) for line in re.findall(r"`([^`]+)`", row)
    ]
    assert len(lines) > 25
    assert [str(fact(line)) for line in lines] == lines


def test_the_position_in_the_docs_is_answered_as_they_say() -> None:
    position, shown = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
    answer, expected = adjudicate(parse_document(DECK, position), "en"), json.loads(shown)
    assert answer["ranking"][0] == expected["ranking"][0]
    assert expected["powers"][0] in answer["powers"]
    assert {key: answer[key] for key in ("without_ally", "final", "next_to_take", "points", "winner")} == {
        key: expected[key] for key in ("without_ally", "final", "next_to_take", "points", "winner")
    }
