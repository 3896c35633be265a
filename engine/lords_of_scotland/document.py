"""A position as a JSON document, both ways.

Knows the shape of the document and says of a bad one what is wrong, where, and what was expected. How a position came
about is not asked: whatever a document leaves out has a default, so that armies and supporters alone are a skirmish
that can be adjudicated.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engine.lords_of_scotland.cards import LASTING, Clan, Deck, clan_of
from engine.lords_of_scotland.fields import WHOLE, BadDocument, Fields, keys_once, show
from engine.lords_of_scotland.notation import parse_lying
from engine.lords_of_scotland.pieces import facing
from engine.lords_of_scotland.places import SLOTS, Lying
from engine.lords_of_scotland.position import SEATS, TURNS, Ally, Hand, Position, Side, Stage, opening
from engine.rules import BadRecord
from engine.table import UNKNOWN, Code, Player

GAME = "lords-of-scotland"
STAYED, STAYS = "~", "+"  # an ally left over from the last skirmish, one that stays for the next

_KEYS = (
    *("game", "rules", "stage", "skirmish", "turn", "turn_number", "initiative", "recruits", "supporters", "armies"),
    *(
        "uncovered",
        "won",
        "hands",
        "discard",
        "stock",
        "unseen",
        "turned",
        "acted",
        "laid",
        "owes",
        "fresh",
        "places",
        "taken",
    ),
)


def parse_document(deck: Deck, text: str | bytes) -> Position:
    """The position that a JSON text describes; raises BadDocument."""
    try:
        value = json.loads(text, object_pairs_hook=keys_once)
    except BadDocument:
        raise
    except RecursionError:
        raise BadDocument("this JSON is nested too deeply to be a position") from None
    except UnicodeDecodeError:
        raise BadDocument("this is not text; expected a JSON document in UTF-8") from None
    except json.JSONDecodeError as error:
        raise BadDocument(
            f"this is not JSON: line {error.lineno}, column {error.colno}: {error.msg}; expected one object"
        ) from None
    except ValueError:  # a number with thousands of digits
        raise BadDocument("this JSON holds a number too long to be read") from None
    return from_json(deck, value)


def from_json(deck: Deck, value: object) -> Position:
    """The position in a decoded JSON document; raises BadDocument."""
    fields = Fields.of(value, WHOLE, _KEYS)
    fields.one_of("game", (GAME,), GAME)
    rules = Fields.of(fields.get("rules", {}), "rules", ("seats", "bruce"))
    armies = Fields.of(fields.get("armies", {}), "armies", SEATS)
    seats = rules.number("seats", _seats(armies), 2, len(SEATS))
    players = SEATS[:seats]
    skirmish = fields.number("skirmish", 1, 0, 999)
    position = replace(
        opening(deck, False, seats, players[0]),
        sides=tuple(_side(deck, player, fields, armies, skirmish) for player in players),
        initiative=Player(fields.one_of("initiative", players, players[0])),
        stage=Stage(fields.one_of("stage", tuple(Stage), Stage.SHARING)),
        skirmish=skirmish,
        turn=fields.number("turn_number", TURNS, 0, TURNS),
        on_turn=Player(fields.one_of("turn", players, players[0])),
        recruits=_recruits(deck, fields),
        supporters=tuple(sorted(_codes(deck, fields, "supporters"))),
        discard=tuple(sorted(_codes(deck, fields, "discard", hidden=True))),
        unseen=fields.number("unseen", 0, 0, 98),
        turned=fields.flag("turned", False),
        acted=fields.flag("acted", False),
        laid=_laid(deck, fields),
        owes=fields.flag("owes", False),
        fresh=fields.flag("fresh", True),
        places=_players(fields, "places", players),
        taken=_players(fields, "taken", players),
    )
    if "armies" not in fields.values:
        raise BadDocument("the document has no armies; expected an object with the allies of each player")
    _refuse_a_card_twice(position)
    _refuse_stray_players(armies, fields, players)
    position = replace(position, bruce=_bruce(position, rules), uncovered=_uncovered(position, fields))
    return replace(position, stock=fields.number("stock", _stock(position), 0, len(deck)))


def to_json(position: Position) -> dict[str, Any]:
    """The document in full; `from_json` gives the same position back."""
    return {
        "game": GAME,
        "rules": {"seats": len(position.sides), "bruce": position.bruce},
        "stage": position.stage.value,
        "skirmish": position.skirmish,
        "turn": position.on_turn,
        "turn_number": position.turn,
        "initiative": position.initiative,
        "recruits": list(position.recruits),
        "uncovered": sorted(position.uncovered),
        "supporters": list(position.supporters),
        "armies": {side.player: [_ally_text(ally, position.skirmish) for ally in side.army] for side in position.sides},
        "won": {side.player: list(side.won) for side in position.sides},
        "hands": {side.player: [side.hand.least, side.hand.most] for side in position.sides},
        "discard": list(position.discard),
        "stock": position.stock,
        "unseen": position.unseen,
        "turned": position.turned,
        "acted": position.acted,
        "laid": position.laid,
        "owes": position.owes,
        "fresh": position.fresh,
        "places": list(position.places),
        "taken": list(position.taken),
    }


def _ally_text(ally: Ally, skirmish: int) -> str:
    stayed = STAYED if ally.since < skirmish else ""
    return f"{ally.lying}{stayed}{STAYS if ally.until > skirmish and ally.active is not Clan.MACDONNELL else ''}"


def _ally(deck: Deck, text: str, player: Player, at: int, skirmish: int) -> Ally:
    """Such as `scott7`, `cochrane5!` with its power activated, `scott2!cochrane`, `macdonnell4~` that stayed, `?`."""
    bare = text.rstrip(STAYED + STAYS)
    try:
        lying = parse_lying(deck, bare)
    except BadRecord as error:
        raise BadDocument(f"armies, {player}, card {at} is {text!r}: {error}") from None
    if lying.active is not None and not _can_lie_so(lying):
        raise BadDocument(
            f"armies, {player}, card {at} is {text!r}; expected ! behind a Bruce, Cochrane or MacDonnell, "
            "or behind a Scott with the clan of one of these"
        )
    marks = text[len(bare) :]
    if marks not in ("", STAYED, STAYS, STAYED + STAYS):
        raise BadDocument(
            f"armies, {player}, card {at} is {text!r}; expected an ally such as 'scott7' or 'macdonnell4~'"
        )
    stays = STAYS in marks or lying.active is Clan.MACDONNELL
    return Ally(lying, skirmish - (STAYED in marks), skirmish + stays)


def _can_lie_so(lying: Lying) -> bool:
    """A power that works at the end lies sideways, a Scott's with the token it copied or with that still to come."""
    clan = clan_of(lying.code)
    return lying.active in (LASTING | {Clan.SCOTT} if clan is Clan.SCOTT else LASTING & {clan})


def _seats(armies: Fields) -> int:
    """As many as the armies named reach round the table, two at least."""
    named = [SEATS.index(Player(key)) + 1 for key in armies.values if key in SEATS]
    return max([2, *named])


def _side(deck: Deck, player: Player, fields: Fields, armies: Fields, skirmish: int) -> Side:
    won = Fields.of(fields.get("won", {}), "won", SEATS)
    hands = Fields.of(fields.get("hands", {}), "hands", SEATS)
    held = hands.get(player, [5, 5])
    if not (
        isinstance(held, list)
        and len(held) == 2
        and all(type(count) is int and 0 <= count <= 98 for count in held)
        and held[0] <= held[1]
    ):
        raise BadDocument(
            f"hands, {player} is {show(held)}; expected two numbers, the least and the most cards it can be"
        )
    texts = armies.texts(player)
    army = tuple(_ally(deck, text, player, at, skirmish) for at, text in enumerate(texts, start=1))
    return Side(player, Hand(held[0], held[1]), army, _codes(deck, won, player, hidden=True))


def _codes(deck: Deck, fields: Fields, key: str, *, hidden: bool = False) -> tuple[Code, ...]:
    codes = tuple(Code(text) for text in fields.texts(key))
    for code in codes:
        if code not in deck and not (hidden and code == UNKNOWN):
            raise BadDocument(f"{fields.called(key)} holds {show(code)}; expected cards such as 'scott7'")
    return codes


def _recruits(deck: Deck, fields: Fields) -> tuple[Code | None, ...]:
    value = fields.get("recruits", [None] * len(SLOTS))
    if not isinstance(value, list) or len(value) != len(SLOTS):
        raise BadDocument("recruits: expected a list of five: cards, '?' for one face down, null for a gap")
    for code in value:
        if code is not None and code != UNKNOWN and not (isinstance(code, str) and code in deck):
            raise BadDocument(f"recruits hold {show(code)}; expected a card such as 'scott7', '?' or null")
    return tuple(value)


def _uncovered(position: Position, fields: Fields) -> frozenset[int]:
    """A card shows by itself how it lies. Of a gap the document tells it, else it was one of those turned so far."""
    told = fields.get("uncovered", list(range(1, position.turn + 1)))
    if not isinstance(told, list) or any(type(slot) is not int or slot not in SLOTS for slot in told):
        raise BadDocument(f"uncovered is {show(told)}; expected a list of numbers of recruits, 1 to 5")
    gaps = {slot for slot, code in zip(SLOTS, position.recruits, strict=True) if code is None}
    return frozenset(told) & gaps | frozenset().union(*map(facing, SLOTS, position.recruits))


def _laid(deck: Deck, fields: Fields) -> Code | None:
    value = fields.get("laid", None)
    if value is not None and value != UNKNOWN and not (isinstance(value, str) and value in deck):
        raise BadDocument(f"laid is {show(value)}; expected a card such as 'scott7', '?' or null")
    return Code(value) if isinstance(value, str) else None


def _players(fields: Fields, key: str, players: tuple[Player, ...]) -> tuple[Player, ...]:
    names = fields.get(key, [])
    if not isinstance(names, list) or any(name not in players for name in names):
        raise BadDocument(f"{key} is {show(names)}; expected players among {', '.join(players)}")
    return tuple(Player(name) for name in names)


def _known(position: Position) -> Iterator[tuple[Code, str]]:
    yield from ((code, "the recruits") for code in position.recruits if code is not None)
    yield from ((code, "the supporters") for code in position.supporters)
    for side in position.sides:
        yield from ((ally.code, f"{side.player}'s army") for ally in side.army)
        yield from ((code, f"{side.player}'s supporters won") for code in side.won)
    yield from ((code, "the discard") for code in position.discard)


def _refuse_a_card_twice(position: Position) -> None:
    seen: dict[Code, str] = {}
    for code, where in _known(position):
        if code != UNKNOWN and code in seen:
            raise BadDocument(f"{code} lies twice, in {seen[code]} and in {where}; each card exists once")
        seen[code] = where


def _refuse_stray_players(armies: Fields, fields: Fields, players: tuple[Player, ...]) -> None:
    for where, value in (("armies", armies.values), ("won", fields.get("won", {})), ("hands", fields.get("hands", {}))):
        stray = [key for key in value if key not in players] if isinstance(value, dict) else []
        if stray:
            raise BadDocument(f"{where} names {stray[0]}; expected players among {', '.join(players)}")


def _bruce(position: Position, rules: Fields) -> bool:
    """Whether the two Bruce are in the game: where one of them lies they are, whatever is left out (LS-103)."""
    royal = next(((code, where) for code, where in _known(position) if clan_of(code) is Clan.BRUCE), None)
    agreed = rules.flag("bruce", royal is not None)
    if royal is not None and not agreed:
        raise BadDocument(f"{royal[0]} lies in {royal[1]}, but bruce is false in rules; set it to true or leave it out")
    return agreed


def _stock(position: Position) -> int:
    held = sum(side.hand.least for side in position.sides)
    return max(0, len(position.deck.in_play(position.bruce)) - held - sum(1 for _ in _known(position)))
