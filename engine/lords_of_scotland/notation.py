"""The facts of a record's lines, read back: `parse(str(fact)) == fact`.

Knows spelling only. A line that cannot be read says at which column and what was expected there.
"""

from __future__ import annotations

from engine.lords_of_scotland.cards import Clan, Deck, clan_of
from engine.lords_of_scotland.effects import Activate, Again, Discard, Draw, Effect, Exchange, Swap
from engine.lords_of_scotland.facts import (
    Cleared,
    Dealt,
    Engaged,
    Fact,
    InitiativeGiven,
    Passed,
    PutRight,
    Recruited,
    Revealed,
    Shifted,
    Straightened,
    Taken,
    Together,
    Turned,
    TurnEnded,
    Used,
)
from engine.lords_of_scotland.places import Lying
from engine.notation import Scanner
from engine.table import UNKNOWN, Change, Code, Piece, Place, Player

_PLAYER = r"[A-E](?=[\s>]|$)"
_PLACE = r"(recruit[1-5]|supporters|army[A-E])(?=\s|$)"
_SPOT = r"(recruit[1-5]|supporters|army[A-E]|initiative[A-E]|off)(?=[\s>]|$)"
_PLACES = "recruit1 to recruit5, supporters or an army such as armyA"
_CARD = "a card such as scott7 or bruce1"
_CARD_OR_HIDDEN = "a card such as scott7 or bruce1, or ? for one face down"
_CLANS = "|".join(Clan)
_START = (
    "a player (A to E) or one of deal, discard, initiative, moved, put-right",
    "a card such as scott7, ? for one face down, or one of turn, recruit, reveals, wins, straightens, pass, end",
    "one of takes, swaps, draws, again, discards, activates, or as and a clan",
)


def parse_fact(deck: Deck, line: str) -> Fact:
    """The fact that a line tells; raises BadRecord."""
    scanner = Scanner(line.rstrip())
    scanner.find(r"\s*")
    player = scanner.find(_PLAYER)
    fact = _nobodys(scanner, deck) if player is None else _act(scanner, deck, Player(player))
    scanner.end()
    return fact


def parse_lying(deck: Deck, text: str) -> Lying:
    """An ally as it lies, such as `scott7`, `cochrane5!`, `scott2!cochrane` or `?`; raises BadRecord."""
    scanner = Scanner(text)
    lying = _lying(scanner, deck)
    scanner.end()
    return lying


def _act(scanner: Scanner, deck: Deck, player: Player) -> Fact:
    scanner.take(r"\s+", "a blank")
    match scanner.find(r"(turn|recruit|reveals|wins|straightens|pass|end)(?=\s|$)"):
        case "turn":
            return Turned(player, _slot(scanner), _card(scanner, deck))
        case "recruit":
            return Recruited(player, _slot(scanner), _card(scanner, deck, hidden=True))
        case "reveals":
            return Revealed(player, _card(scanner, deck))
        case "wins":
            return Taken(player, _card(scanner, deck))
        case "straightens":
            scanner.find(r"\s+")
            return Straightened(player, _lying(scanner, deck))
        case "pass":
            return Passed(player)
        case "end":
            return TurnEnded(player)
        case _:
            return _card_act(scanner, deck, player)


def _card_act(scanner: Scanner, deck: Deck, player: Player) -> Fact:
    """A card alone was engaged; with words behind it, its power was used."""
    code = _card(scanner, deck, hidden=True, expected=_START[1])
    scanner.find(r"\s+")
    if not scanner.word():
        return Engaged(player, code)
    copying = None
    if scanner.find(r"as\s+") is not None:
        copying = Clan(scanner.take(rf"({_CLANS})(?=\s|$)", "the clan whose power was copied"))
        scanner.find(r"\s+")
    return Used(player, code, _effect(scanner, deck, copying or clan_of(code)), copying)


def _effect(scanner: Scanner, deck: Deck, clan: Clan | None) -> Effect:
    at = scanner.at
    match scanner.find(r"(takes|swaps|draws|again|discards|activates)(?=\s|$)"):
        case "takes":
            return Exchange(_card(scanner, deck))
        case "swaps":
            return Swap(*_ally(scanner, deck))
        case "discards":
            return Discard(*_ally(scanner, deck))
        case "draws":
            return Draw()
        case "again":
            return Again()
        case "activates" if clan is not None:
            return Activate(clan)
        case "activates":
            raise scanner.error("a power that a card face down can be used for: it has none", at)
        case _:
            raise scanner.error(_START[2])


def _nobodys(scanner: Scanner, deck: Deck) -> Fact:
    word = scanner.take(r"(deal|discard|initiative|moved|put-right)(?=\s|$)", _START[0])
    scanner.take(r"\s+", "a blank")
    match word:
        case "deal":
            dealt = [_dealt(scanner, deck)]
            while scanner.find(r"\s+(?=\S)"):
                dealt.append(_dealt(scanner, deck))
            return dealt[0] if len(dealt) == 1 else Together(tuple(dealt))
        case "discard":
            cleared = [_cleared(scanner, deck)]
            while scanner.find(r"\s+(?=\S)"):
                cleared.append(_cleared(scanner, deck))
            return cleared[0] if len(cleared) == 1 else Together(tuple(cleared))
        case "initiative":
            giver = Player(scanner.take(_PLAYER, "a player (A to E)"))
            scanner.take(">", "> and a player")
            return InitiativeGiven(giver, Player(scanner.take(_PLAYER, "a player (A to E)")))
        case "moved":
            return Shifted(_change(scanner))
        case _:
            return PutRight(_change(scanner))


def _dealt(scanner: Scanner, deck: Deck) -> Dealt:
    code = _card(scanner, deck, hidden=True)
    return Dealt(code, _at(scanner))


def _cleared(scanner: Scanner, deck: Deck) -> Cleared:
    lying = _lying(scanner, deck)
    return Cleared(_at(scanner), lying)


def _change(scanner: Scanner) -> Change:
    code = scanner.take(r"[^\s/>]+", "a piece")
    face_up, sideways = scanner.find("/down") is None, scanner.find("/sideways") is not None
    scanner.take(r"\s+", "a blank, then from where to where, such as armyA>off")
    origin = scanner.take(_SPOT, f"{_PLACES}, or off")
    scanner.take(">", "> and where it went")
    target = scanner.take(_SPOT, f"{_PLACES}, or off")
    places = [None if name == "off" else Place(name) for name in (origin, target)]
    return Change(Piece(Code(code), face_up, sideways), places[0], places[1])


def _slot(scanner: Scanner) -> int:
    scanner.find(r"\s+")
    return int(scanner.take(r"[1-5](?=\s|$)", "the number of a recruit (1 to 5)"))


def _at(scanner: Scanner) -> Place:
    scanner.take("@", "@ and a place")
    return Place(scanner.take(_PLACE, _PLACES))


def _ally(scanner: Scanner, deck: Deck) -> tuple[Player, Lying]:
    """An ally and the player in whose army it lies."""
    lying = _lying(scanner, deck)
    scanner.take("@army", "@ and the army in which it lies, such as @armyB")
    return Player(scanner.take(r"[A-E](?=\s|$)", "the player whose ally it is (A to E)")), lying


def _card(scanner: Scanner, deck: Deck, *, hidden: bool = False, expected: str = "") -> Code:
    scanner.find(r"\s+")
    at = scanner.at
    found = scanner.find(r"\?(?![^\s@])" if hidden else r"(?!)") or scanner.find(r"[a-z]+[0-9]+(?=[\s@!]|$)")
    if found is None or (found != UNKNOWN and Code(found) not in deck):
        raise scanner.error(expected or (_CARD_OR_HIDDEN if hidden else _CARD), at)
    return Code(found)


def _lying(scanner: Scanner, deck: Deck) -> Lying:
    code = _card(scanner, deck, hidden=True)
    if scanner.find("!") is None:
        return Lying(code)
    copied = scanner.find(rf"({_CLANS})(?=[\s@]|$)")
    return Lying(code, Clan(copied) if copied else clan_of(code))
