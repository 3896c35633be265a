"""Orders: what a judge may ask of a station, as documents, both ways. Nothing else can be asked over the wire."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.table import Player
from firmware.commands import (
    Accept,
    Announce,
    Command,
    Correct,
    Decide,
    NamePlayers,
    NewGame,
    Ordered,
    Pause,
    Reopen,
    Rule,
    TakeOver,
    Tell,
    Undo,
)
from firmware.event.wire import Order

LONGEST = 300
MOST_LINES = 2000


class BadOrder(ValueError):
    """An order that no station knows; says what is wrong with it."""


def document(command: Command) -> dict[str, Any]:
    """The command for the wire; who gave it travels beside it."""
    match command:
        case Rule(number, stands, _, reason):
            return {"do": "rule", "number": number, "stands": stands, "reason": reason}
        case Correct(number, line, _):
            return {"do": "correct", "number": number, "line": line}
        case Decide(winner, _, reason):
            return {"do": "decide", "winner": winner, "reason": reason}
        case Reopen(_, reason):
            return {"do": "reopen", "reason": reason}
        case Accept(_, reason):
            return {"do": "accept", "reason": reason}
        case Tell(line, _):
            return {"do": "tell", "line": line}
        case Undo():
            return {"do": "undo"}
        case Pause():
            return {"do": "pause"}
        case NewGame(head, _, after):
            return {"do": "new-game", "head": dict(head)} | ({} if after is None else {"after": after})
        case NamePlayers(head, _, reason):
            return {"do": "name-players", "head": dict(head), "reason": reason}
        case Announce(words, _, call, about):
            return {"do": "announce", "words": words, "call": call, "about": about}
        case TakeOver(head, lines, _):
            return {"do": "take-over", "head": dict(head), "lines": [list(line) for line in lines]}
        case _:
            raise BadOrder(f"{type(command).__name__} cannot be ordered from afar")


def command(asked: Mapping[str, Any], who: str) -> Command:
    """The command of a document; raises BadOrder."""
    do = asked.get("do")
    if not isinstance(do, str) or do not in _DO:
        raise BadOrder(f"there is no order {str(do)[:40]!r}")
    return _DO[do](asked, who)


def ordered(order: Order) -> Ordered:
    """The order for the station's queue. One that is not understood goes there too, so that the journal says so."""
    who = " ".join(order.who.split()) or "judge"
    try:
        return Ordered(order.number, order.game, command(order.command, who), who)
    except BadOrder as error:
        return Ordered(order.number, order.game, None, who, str(error))


def _text(asked: Mapping[str, Any], key: str) -> str:
    value = asked.get(key, "")
    if not isinstance(value, str) or len(value) > LONGEST:
        raise BadOrder(f"{key}: expected at most {LONGEST} characters")
    return " ".join(value.split())


def _number(asked: Mapping[str, Any], key: str) -> int:
    value = asked.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 1_000_000:
        raise BadOrder(f"{key}: expected the number of an entry")
    return value


def _head(asked: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    head = asked.get("head")
    if not isinstance(head, dict) or len(head) > 40 or not all(isinstance(value, str) for value in head.values()):
        raise BadOrder("head: expected words by key")
    return tuple(sorted((str(key)[:LONGEST], str(value)[:LONGEST]) for key, value in head.items()))


def _after(asked: Mapping[str, Any]) -> int | None:
    after = asked.get("after")
    if after is not None and (isinstance(after, bool) or not isinstance(after, int)):
        raise BadOrder("after: expected the number of a game")
    return after


def _winner(asked: Mapping[str, Any]) -> Player | None:
    return None if asked.get("winner") is None else Player(_text(asked, "winner"))


def _rule(asked: Mapping[str, Any], who: str) -> Command:
    if not isinstance(asked.get("stands"), bool):
        raise BadOrder("stands: expected true or false")
    return Rule(_number(asked, "number"), asked["stands"], who, _text(asked, "reason"))


def _take_over(asked: Mapping[str, Any], who: str) -> Command:
    lines: list[tuple[str, str, str]] = []
    given = asked.get("lines")
    if not isinstance(given, list) or len(given) > MOST_LINES:
        raise BadOrder(f"lines: expected at most {MOST_LINES} of them")
    for line in given:
        match line:
            case ["fact" | "act" as kind, str(text), str(by)]:
                lines.append((kind, text, by))
            case _:
                raise BadOrder("lines: expected kind, line and who of facts and acts")
    return TakeOver(_head(asked), tuple(lines), who)


_DO: dict[str, Callable[[Mapping[str, Any], str], Command]] = {
    "rule": _rule,
    "correct": lambda asked, who: Correct(_number(asked, "number"), _text(asked, "line"), who),
    "decide": lambda asked, who: Decide(_winner(asked), who, _text(asked, "reason")),
    "reopen": lambda asked, who: Reopen(who, _text(asked, "reason")),
    "accept": lambda asked, who: Accept(who, _text(asked, "reason")),
    "tell": lambda asked, who: Tell(_text(asked, "line"), who),
    "undo": lambda asked, who: Undo(who),
    "pause": lambda asked, who: Pause(who),
    "new-game": lambda asked, who: NewGame(_head(asked), who, _after(asked)),
    "name-players": lambda asked, who: NamePlayers(_head(asked), who, _text(asked, "reason")),
    "announce": lambda asked, who: Announce(_text(asked, "words"), who, _text(asked, "call"), _text(asked, "about")),
    "take-over": _take_over,
}
