"""A position as a JSON document, both ways, and the answer to it.

Knows the shape of the document and says of a bad one what is wrong, where, and what was expected. Does not ask how a
position came about: any distinct known cards, as many a side as the Stone allows, are a position.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import Enum
from typing import Any, TypeVar

from engine.schotten_totten.cards import (
    COMBAT_MODES,
    STONES,
    Card,
    ClanCard,
    Player,
    Tactic,
    UnknownCard,
    is_elite,
    parse_card,
)
from engine.schotten_totten.claims import Finding, Proof
from engine.schotten_totten.formations import Formation
from engine.schotten_totten.options import Rules
from engine.schotten_totten.stones import Stone

GAME = "schotten-totten"

E = TypeVar("E", bound=Enum)


class BadDocument(ValueError):
    """A document that is no position. The message is a sentence that says what, where and what was expected."""


@dataclass(frozen=True, slots=True)
class Document:
    """All that a position document says. Whatever it may leave out has its default here."""

    stones: tuple[Stone, ...]
    discard: tuple[Card, ...] = ()
    rules: Rules = field(default_factory=Rules)
    turn: Player | None = None
    tactics_played: tuple[int, int] = (0, 0)


def parse_document(text: str | bytes) -> Document:
    """The position that a JSON text describes; raises BadDocument."""
    try:
        value = json.loads(text, object_pairs_hook=_keys_once)
    except RecursionError:
        raise BadDocument("this JSON is nested too deeply to be a position") from None
    except UnicodeDecodeError:
        raise BadDocument("this is not text; expected a JSON document in UTF-8") from None
    except json.JSONDecodeError as error:
        raise BadDocument(
            f"this is not JSON: line {error.lineno}, column {error.colno}: {error.msg}; expected one object"
        ) from None
    except BadDocument:
        raise
    except ValueError:  # a number with thousands of digits
        raise BadDocument("this JSON holds a number too long to be read") from None
    return from_json(value)


def from_json(value: object) -> Document:
    """The position in a decoded JSON document; raises BadDocument."""
    whole = _object(value, "the document", ("game", "rules", "turn", "stones", "discard", "tactics_played"))
    if (game := whole.get("game", GAME)) != GAME:
        raise BadDocument(f"game is {_show(game)}; expected {GAME!r}")
    rules = _object(whole.get("rules", {}), "rules", ("tactics", "expert", "proof"))
    if "stones" not in whole:
        raise BadDocument("the document has no stones; expected a list of at most nine Stones")
    stones = _list(whole["stones"], "stones")
    if len(stones) > len(STONES):
        raise BadDocument(f"stones lists {len(stones)} Stones; expected at most nine")
    played = _object(whole.get("tactics_played", {}), "tactics_played", ("A", "B"))
    document = Document(
        stones=tuple(_stone(stone, f"Stone {number}") for number, stone in enumerate(stones, start=1)),
        discard=_cards(whole.get("discard", []), "discard"),
        rules=Rules(
            tactics=_flag(rules.get("tactics", False), "rules, tactics"),
            expert=_flag(rules.get("expert", False), "rules, expert"),
            proof=_one_of(Proof, rules.get("proof", "clan"), "rules, proof"),
        ),
        turn=_player(whole.get("turn"), "turn"),
        tactics_played=(_count(played, "A"), _count(played, "B")),
    )
    _refuse_a_card_twice(document)
    return document


def to_json(document: Document) -> dict[str, Any]:
    """The document in full; `from_json` gives the same value back."""
    rules = document.rules
    return {
        "game": GAME,
        "rules": {"tactics": rules.tactics, "expert": rules.expert, "proof": rules.proof.value},
        "turn": document.turn,
        "stones": [
            {
                "A": [str(card) for card in stone.a],
                "B": [str(card) for card in stone.b],
                "owner": stone.owner,
                "modes": [str(mode) for mode in stone.modes],
                "completed_first": stone.completed_first,
            }
            for stone in document.stones
        ],
        "discard": [str(card) for card in document.discard],
        "tactics_played": dict(zip(Player, document.tactics_played, strict=True)),
    }


def claim_to_json(number: int, finding: Finding, words: str) -> dict[str, Any]:
    """One claim of the answer."""
    return {
        "stone": number,
        "player": finding.player,
        "allowed": finding.allowed,
        "why": finding.why.value,
        "mine": _formation_to_json(finding.mine),
        "theirs": _formation_to_json(finding.theirs),
        "counterexample": [str(card) for card in finding.counterexample] or None,
        "words": words,
    }


def _formation_to_json(formation: Formation | None) -> dict[str, Any] | None:
    return None if formation is None else {"kind": formation.kind.value, "sum": formation.sum}


def _stone(value: object, where: str) -> Stone:
    fields = _object(value, where, ("A", "B", "owner", "modes", "completed_first"))
    stone = Stone(
        a=_cards(fields.get("A", []), f"{where}, side A"),
        b=_cards(fields.get("B", []), f"{where}, side B"),
        owner=_player(fields.get("owner"), f"{where}, owner"),
        modes=_modes(fields.get("modes", []), f"{where}, modes"),
        completed_first=_player(fields.get("completed_first"), f"{where}, completed_first"),
    )
    for player in Player:
        side = stone.side(player)
        if len(side) > stone.required:
            raise BadDocument(f"{where}, side {player} has {len(side)} cards; expected at most {stone.required}")
        for card in side:
            if not isinstance(card, ClanCard) and not is_elite(card):
                raise BadDocument(
                    f"{where}, side {player} holds {card}; only Clan cards and elite troops lie on a side "
                    "(combat modes go into modes, ruses into discard)"
                )
    return stone


def _modes(value: object, where: str) -> tuple[Tactic, ...]:
    modes = []
    for card in _cards(value, where):
        if card not in COMBAT_MODES:
            raise BadDocument(f"{where} holds {card}; expected bluff or mud")
        modes.append(Tactic(card))
    return tuple(modes)


def _cards(value: object, where: str) -> tuple[Card, ...]:
    cards = []
    for place, code in enumerate(_list(value, where), start=1):
        if not isinstance(code, str):
            raise BadDocument(f"{where}, card {place} is {_show(code)}; expected a code such as 'g5'")
        try:
            cards.append(parse_card(code))
        except UnknownCard as error:
            raise BadDocument(f"{where}, card {place}: {error}") from None
    return tuple(cards)


def _refuse_a_card_twice(document: Document) -> None:
    """Each card exists once."""
    seen: dict[Card, str] = {}
    for card, where in _places(document):
        if card in seen:
            raise BadDocument(f"{card} lies twice, at {seen[card]} and at {where}; each card exists once")
        seen[card] = where


def _places(document: Document) -> Iterable[tuple[Card, str]]:
    for number, stone in enumerate(document.stones, start=1):
        for player in Player:
            yield from ((card, f"Stone {number}, side {player}") for card in stone.side(player))
        yield from ((card, f"Stone {number}, modes") for card in stone.modes)
    yield from ((card, "discard") for card in document.discard)


def _object(value: object, where: str, known: tuple[str, ...]) -> Mapping[str, object]:
    """A JSON object. Keys beyond the known ones are somebody's own notes, unless they look like a slip of the pen."""
    if not isinstance(value, dict):
        raise BadDocument(f"{where} is {_show(value)}; expected an object with {', '.join(known)}")
    names = {name.lower(): name for name in known}
    for key in value:
        if key not in known and (close := get_close_matches(key.strip().lower(), names, n=1, cutoff=0.8)):
            raise BadDocument(f"{where} has the unknown key {_show(key)}; did you mean {names[close[0]]!r}?")
    return value


def _keys_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    whole: dict[str, object] = {}
    for key, value in pairs:
        if key in whole:
            raise BadDocument(f"the key {_show(key)} stands twice in one object; give it once")
        whole[key] = value
    return whole


def _list(value: object, where: str) -> list[object]:
    if not isinstance(value, list):
        raise BadDocument(f"{where} is {_show(value)}; expected a list")
    return value


def _flag(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise BadDocument(f"{where} is {_show(value)}; expected true or false")
    return value


def _count(played: Mapping[str, object], player: str) -> int:
    value = played.get(player, 0)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BadDocument(f"tactics_played, {player} is {_show(value)}; expected a number of cards")
    return value


def _player(value: object, where: str) -> Player | None:
    return None if value is None else _one_of(Player, value, where)


def _one_of(kind: type[E], value: object, where: str) -> E:
    for member in kind:
        if member.value == value:
            return member
    expected = " or ".join(repr(member.value) for member in kind)
    raise BadDocument(f"{where} is {_show(value)}; expected {expected}")


def _show(value: object) -> str:
    """The value as the document wrote it, in short."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}…"
