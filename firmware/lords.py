"""Lords of Scotland as the station tells it: its places, its words of the moment, its board in characters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.lords_of_scotland.course import at_rest, enforce, heir, moment
from engine.lords_of_scotland.facts import Cleared, Recruited, Taken, Turned
from engine.lords_of_scotland.places import SUPPORTERS
from engine.lords_of_scotland.position import SEATS, Position, Stage
from engine.lords_of_scotland.skirmish import Army, armies, next_taker
from engine.lords_of_scotland.words import next_words
from engine.record import HEAD_KEYS
from engine.rules import Sign, Summary
from engine.table import UNKNOWN, Code, Piece, Place, Table
from engine.verdicts import Words
from firmware.games import Refereed
from firmware.interpret import where_it_lay
from firmware.messages import label, words
from firmware.signals import Lamp
from firmware.state import Saying, saying
from vision.lords_of_scotland import DISCARD
from vision.observation import Reading, Why

VARIANTS = {"base": "seats=2", "bruce": "seats=2 bruce"}
VARIANTS |= {str(seats): f"seats={seats}" for seats in (3, 4, 5)}
VARIANTS |= {f"{seats}-bruce": f"seats={seats} bruce" for seats in (3, 4, 5)}

SIGNS = {  # before an army: it leads, is level with another, takes a supporter next …
    Sign.DARK: "·",
    Sign.HELD: "▲",
    Sign.TIE: "=",
    Sign.OFFERED: "?",
    Sign.PUT_RIGHT: "!",
    Sign.UNREADABLE: "…",
}


class ArmyPlaces:
    """Armies, recruits and supporters keep their names. The initiative lies at `initiativeA`; a power token is named
    after the card it lies on (`armyA/scott7`). A card that lies face down lies there, and that is all. What lies on the
    discard has left the table."""

    def of_card(self, place: str) -> Place:
        return Place(place)

    def of_tile(self, code: str, spot: str) -> Place | None:
        if spot == "missing":
            return None
        return Place(f"initiative{spot}") if code == "initiative" else Place(spot.partition("/")[0])

    def is_pile(self, place: str) -> bool:
        return place == DISCARD

    def card(self, reading: Reading) -> Piece | None:
        if reading.why is Why.FACE_DOWN:
            return Piece(UNKNOWN, face_up=False)
        return None if reading.code is None else Piece(Code(reading.code), sideways=reading.sideways)

    def tile(self, code: str, spot: str) -> Piece:
        _, on, card = spot.partition("/")
        return Piece(Code(f"{card}!{_clan(code)}" if on else code))

    def unseen(self, code: str, told: Table, seen: Table) -> tuple[tuple[Place, Piece], ...]:
        """A power token lies on its card still, wherever that is now; one that lay on none does not matter."""
        if code == "initiative":
            return where_it_lay(code, told)
        clan = _clan(code)
        on = [piece for _, piece in told if piece.code.endswith(f"!{clan}") and not seen.places_of(piece.code)]
        return tuple((place, piece) for piece in on for place in seen.places_of(Code(piece.code.partition("!")[0])))

    def lamp(self, place: str) -> int | None:
        seat = place.removeprefix("army").removeprefix("initiative")
        return "ABCDE".index(seat) if seat in list("ABCDE") else None

    def label(self, place: str, language: str) -> str:
        if place.startswith("army"):
            return label("army", language, player=place.removeprefix("army"))
        if place.startswith("recruit"):
            return label("recruit", language, number=place.removeprefix("recruit"))
        if place == DISCARD:
            return label("discard-pile", language)
        return label("supporters" if place == "supporters" else "token", language)


def _clan(token: str) -> str:
    """The clan of a power token: `power-cochrane2`."""
    return token.removeprefix("power-").rstrip("0123456789")


def _standing(position: Position, summary: Summary, name_of: Callable[[str | None], str], language: str) -> Words:
    """Whose moment it is, and where in the skirmish."""
    position, player = at_rest(position), name_of(summary.turn)
    match position.stage:
        case Stage.FIGHTING if position.is_turn_over:
            return words("skirmish-power", language, player=player)
        case Stage.FIGHTING:
            turn = position.turn + position.must_turn
            name = "skirmish-turn" if position.gap is not None or not position.must_turn else "skirmish-recruit"
            said = words(name, language, player=player, turn=turn, skirmish=position.skirmish)
            return said if position.gap is None else replace(said, detail=next_words(position, language))
        case Stage.SHARING if position.hidden:
            return words("skirmish-reveal", language, players=", ".join(map(name_of, position.hidden)))
        case Stage.SHARING:
            army = next(army for army in armies(position) if army.player == next_taker(position))
            return words("skirmish-share", language, player=player, strength=army.strength)
        case _:
            return words("skirmish-set-out", language, skirmish=position.skirmish + 1, player=name_of(heir(position)))


def _brief(position: Position) -> str:
    """The strength of each army, with a plus for cards nobody can count yet: `A10+ B19 C30`."""
    if position.stage not in (Stage.FIGHTING, Stage.SHARING):
        return ""
    return " ".join(f"{army.player}{army.strength}{'+' * (army.hidden > 0)}" for army in armies(position))


def _details(position: Position, name_of: Callable[[str], str]) -> tuple[str, ...]:
    """The running strength of each army: `A 2×11=22`, no word to translate."""
    if position.stage not in (Stage.FIGHTING, Stage.SHARING):
        return ()
    return tuple(f"{name_of(army.player)} {strength(army)}" for army in armies(position))


def strength(army: Army) -> str:
    """What an army is worth now: doubled, and with cards nobody can count yet."""
    shown = f"2×{army.sum}={army.strength}" if army.doubled else str(army.strength)
    return f"{shown}+{'?' * army.hidden}" if army.hidden else shown


def _board(table: Table, lamps: tuple[Lamp, ...], language: str) -> list[str]:
    """Recruits and supporters, then an army a line."""

    def shown(place: str) -> str:
        return " ".join(f"{piece.code}{'!' if piece.sideways else ''}" for piece in table.at(Place(place)))

    lines = [f"1–5: {'  '.join(shown(f'recruit{n}') or '–' for n in range(1, 6))}"]
    supporters = "  ".join(str(piece.code) for piece in table.at(Place("supporters")))
    lines.append(f"{label('supporters', language)}: {supporters}")
    for seat, lamp in zip(SEATS, lamps, strict=False):
        token = "*" if table.at(Place(f"initiative{seat}")) else " "
        lines.append(f"{seat}{token} {SIGNS[lamp.sign]} {shown(f'army{seat}')}")
    return lines


def _unclear(position: Position, facts: tuple[Any, ...]) -> Saying | None:
    """Supporters that went several ways between two looks: nobody can say which of them went to whom. And the recruit
    that was to be turned and is gone: nobody can say whether it was turned before it was taken, if not by the one who
    was to turn it then by the next."""
    due = None
    for fact in facts:
        now = moment(position, fact)
        due = None if isinstance(fact, Turned) else now.next_recruit if now.must_turn else due
        if isinstance(fact, Recruited) and (fact.slot, fact.code) == (due, UNKNOWN):
            return saying("recruit-unseen", slot=fact.slot)
        position = enforce(position, fact)
    takers = {fact.player for fact in facts if isinstance(fact, Taken)}
    is_cleared = any(isinstance(fact, Cleared) and fact.place == SUPPORTERS for fact in facts)
    return saying("taken-together") if takers and len(takers) + is_cleared > 1 else None


def _may_use_power(position: Position, summary: Summary, hidden: frozenset[str], fact: Any) -> frozenset[str]:
    """Whoever has just engaged a card may have used its power, which ends when the next player acts."""
    position = at_rest(position)
    return hidden if position.is_turn_over and fact.player != position.on_turn else frozenset()


def lords_of_scotland() -> Refereed:
    from engine.lords_of_scotland.game import LordsOfScotland
    from engine.lords_of_scotland.options import KEYS
    from firmware.card_list import lords_of_scotland_deck
    from vision.lords_of_scotland import lords_of_scotland as layout

    game: Any = LordsOfScotland(len(SEATS), lords_of_scotland_deck())
    return Refereed(
        game=game,
        layout=layout(),
        places=ArmyPlaces(),
        variants=VARIANTS,
        head_keys=(*HEAD_KEYS, *KEYS),
        standing=_standing,
        brief=_brief,
        details=_details,
        board=_board,
        example="A scott7",
        taking_line=None,
        may_precede=_may_use_power,
        unclear=_unclear,
    )
