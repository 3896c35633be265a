"""What a browser may ask for, as commands of the station. Whatever is wrong with a request is said in a sentence.

Knows requests and commands; knows neither sessions nor the web framework.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.table import Player
from firmware.chosen_table import ChosenTable
from firmware.commands import Accept, CallJudge, Command, Correct, Decide, NewGame, Pause, Pressed, Rule, Tell, Undo
from firmware.event.facts import Reason
from firmware.games import GAMES, Refereed, refereed
from firmware.gestures import Press
from firmware.ports import Button
from hardware_config.profile import TableSettings

LONGEST = 120  # characters of a name, a reason or a line

Asked = Mapping[str, Any]


class BadRequest(ValueError):
    """A request that cannot be understood; says what was expected."""


def text(asked: Asked, key: str, default: str | None = None) -> str:
    """Printable words on one line."""
    value = asked.get(key, default)
    if not isinstance(value, str) or len(value) > LONGEST:
        raise BadRequest(f"{key}: expected at most {LONGEST} characters")
    words = " ".join("".join(sign if sign.isprintable() else " " for sign in value).split())
    if not words and default is None:
        raise BadRequest(f"{key}: expected some words")
    return words or (default or "")


def name(asked: Asked, key: str, default: str | None = None) -> str:
    """Somebody's name, without the signs that mean something in a record."""
    plain = {key: str(asked.get(key, default or "")).replace("#", " ").replace(":", " ")}
    return text(plain, key, default)


def number(asked: Asked, key: str, low: float, high: float) -> float:
    value = asked.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise BadRequest(f"{key}: expected a number from {low:g} to {high:g}")
    return float(value)


def points(asked: Asked, key: str) -> tuple[tuple[float, float], ...]:
    """Four corners in shares of a picture, or none."""
    value = asked.get(key)
    if not isinstance(value, list) or len(value) not in (0, 4) or not all(map(_is_point, value)):
        raise BadRequest(f"{key}: expected four points from 0 to 1, or none")
    return tuple((float(x), float(y)) for x, y in value)


def _is_point(value: Any) -> bool:
    """A corner may lie a little beyond the picture."""
    is_pair = isinstance(value, list) and len(value) == 2
    return is_pair and all(isinstance(one, int | float) and -0.2 <= one <= 1.2 for one in value)


def one_of(asked: Asked, key: str, known: tuple[str, ...]) -> str:
    value = asked.get(key)
    if not isinstance(value, str) or value not in known:
        raise BadRequest(f"{key}: expected one of {', '.join(known)}")
    return value


def flag(asked: Asked, key: str) -> bool:
    value = asked.get(key, False)
    if not isinstance(value, bool):
        raise BadRequest(f"{key}: expected true or false")
    return value


def press(asked: Asked) -> Pressed:
    """One of the station's buttons."""
    pressed = one_of(asked, "button", tuple(button.value for button in Button))
    return Pressed(Press(Button(pressed), flag(asked, "held")))


def act(asked: Asked, who: str, refereed: Refereed) -> Command:
    """An act of somebody who is logged in, for the journal with their name."""
    return ACTS[one_of(asked, "act", tuple(ACTS))](asked, who, refereed)


def _entry(asked: Asked) -> int:
    return int(number(asked, "number", 1, 1_000_000))


def _decide(asked: Asked, who: str, refereed: Refereed) -> Command:
    winner = one_of(asked, "winner", (*refereed.game.players, "draw"))
    return Decide(None if winner == "draw" else Player(winner), who, text(asked, "reason"))


def chosen_table(asked: Asked, now: TableSettings) -> ChosenTable | None:
    """Another table than there is now, if a new game asks for one."""
    if asked.get("act") != "new-game":
        return None
    game = one_of({"game": now.game, **asked}, "game", tuple(GAMES))
    deck = text(asked, "deck", now.deck)
    if (game, deck) == (now.game, now.deck):
        return None
    return ChosenTable(game, one_of(asked, "variant", tuple(refereed(game).variants)), deck)


def new_game(asked: Asked, who: str, refereed: Refereed) -> NewGame:
    head = {"rules": refereed.variants[one_of(asked, "variant", tuple(refereed.variants))]}
    for player in refereed.game.players:
        if called := name(asked, f"player {player}", ""):
            head[f"player {player}"] = called
    if played_in := name(asked, "round", ""):
        head["round"] = played_in
    return NewGame(tuple(sorted(head.items())), who)


ACTS: dict[str, Callable[[Asked, str, Refereed], Command]] = {
    "undo": lambda asked, who, refereed: Undo(who),
    "pause": lambda asked, who, refereed: Pause(who),
    "tell": lambda asked, who, refereed: Tell(text(asked, "line"), who),
    "uphold": lambda asked, who, refereed: Rule(_entry(asked), True, who, text(asked, "reason")),
    "overrule": lambda asked, who, refereed: Rule(_entry(asked), False, who, text(asked, "reason")),
    "correct": lambda asked, who, refereed: Correct(_entry(asked), text(asked, "line"), who),
    "accept": lambda asked, who, refereed: Accept(who, text(asked, "reason")),
    "call": lambda asked, who, refereed: CallJudge(Reason.DISPUTE, text(asked, "reason"), who),
    "end": _decide,
    "new-game": new_game,
}
