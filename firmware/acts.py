"""Acts about a game as lines of the journal, both ways: an undo, a pause, a ruling, a correction, a result.

A line is a word and, where there is more to say, a JSON object. Knows the engine's acts; knows no game.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from engine.referee import Act, Corrected, Decided, Paused, Resumed, Ruled, Undone
from engine.rules import BadRecord, F
from engine.table import Player


def act_line(act: Act | Corrected[F]) -> str:
    """The line that tells this act."""
    match act:
        case Undone():
            return "undo"
        case Paused():
            return "pause"
        case Resumed():
            return "resume"
        case Ruled(number, stands, by, reason):
            return _line("ruling", number=number, stands=stands, by=by, reason=reason)
        case Decided(winner, by, reason):
            return _line("result", winner=winner, by=by, reason=reason)
        case Corrected(number, fact, by):
            return _line("correction", number=number, fact=str(fact), by=by)


def parse_act(line: str, parse_fact: Callable[[str], F]) -> Act | Corrected[F]:
    """The act that a line tells; raises BadRecord."""
    word, _, rest = line.partition(" ")
    try:
        about: dict[str, Any] = json.loads(rest) if rest else {}
        match word:
            case "undo":
                return Undone()
            case "pause":
                return Paused()
            case "resume":
                return Resumed()
            case "ruling":
                return Ruled(int(about["number"]), bool(about["stands"]), str(about["by"]), str(about["reason"]))
            case "result":
                winner = about["winner"]
                return Decided(None if winner is None else Player(str(winner)), str(about["by"]), str(about["reason"]))
            case "correction":
                return Corrected(int(about["number"]), parse_fact(str(about["fact"])), str(about["by"]))
    except (KeyError, TypeError, ValueError) as error:
        raise BadRecord(f"the act {line!r} cannot be understood: {error}") from error
    raise BadRecord(f"expected undo, pause, resume, ruling, result or correction, found {word!r}")


def _line(word: str, **about: object) -> str:
    return f"{word} {json.dumps(about, ensure_ascii=False)}"
