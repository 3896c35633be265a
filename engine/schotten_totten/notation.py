"""The facts of a record's lines, read back: `parse(str(fact)) == fact`.

Knows spelling only. A line that cannot be read says at which column and what was expected there.
"""

from __future__ import annotations

from engine.notation import Scanner
from engine.schotten_totten.cards import RUSES, Card, Player, Tactic, UnknownCard, parse_card
from engine.schotten_totten.facts import (
    CardLaid,
    CardsLaid,
    Fact,
    HiddenCardLaid,
    Passed,
    RusePlayed,
    StoneClaimed,
    TurnEnded,
)
from engine.schotten_totten.irregularities import (
    OFF,
    CardAppeared,
    CardMoved,
    CardPutRight,
    CardRemoved,
    CardSwapped,
    CardTurned,
    StoneMoved,
    StonePutRight,
)
from engine.schotten_totten.spots import DISCARD, Hidden, Side, Spot, Tile, Top, proper_spot

_PLACE = "a Stone (1 to 9), a side such as 3A or 3B, 3M for the Stone itself, or discard"
_SPOT = "a side such as 3A or 3B, 3M for the Stone itself, or discard"
_START = (
    "a player (A or B) or one of removed, moved, swapped, turned, appeared, righted, stone",
    "a card such as g5, a ruse, claim, pass or end",
)


def parse_fact(line: str) -> Fact:
    """The fact that a line tells; raises BadRecord."""
    scanner = Scanner(line.rstrip())
    scanner.find(r"\s*")
    fact = _irregular(scanner) if scanner.find(r"[AB](?=\s)") is None else _act(scanner, Player(line.strip()[0]))
    scanner.end()
    return fact


def _act(scanner: Scanner, player: Player) -> Fact:
    scanner.find(r"\s+")
    match scanner.word():
        case "claim":
            return _claim(scanner, player)
        case "pass":
            scanner.find("pass")
            return Passed(player)
        case "end":
            scanner.find("end")
            return TurnEnded(player)
        case ruse if ruse in RUSES:
            scanner.find(ruse)
            return _ruse(scanner, player, Tactic(ruse))
        case word if word.startswith(Hidden.CARD.value):
            scanner.take(r"\?@", f"{Hidden.CARD}@ and a place")
            return HiddenCardLaid(player, _place(scanner, player))
        case _:
            return _laying(scanner, player)


def _laying(scanner: Scanner, player: Player) -> CardLaid | CardsLaid:
    cards: list[tuple[Card, Spot]] = []
    while not cards or scanner.find(r"\s*\+\s*"):
        card = _card(scanner, _START[1])
        scanner.take("@", "@ and the Stone where the card was laid")
        cards.append((card, _place(scanner, player, card)))
    return CardLaid(player, *cards[0]) if len(cards) == 1 else CardsLaid(player, tuple(cards))


def _ruse(scanner: Scanner, player: Player, ruse: Tactic) -> Fact:
    if scanner.find("@"):  # a ruse laid where cards belong
        return CardLaid(player, ruse, _place(scanner, player))
    if not scanner.find(r"\s+(?=\S)"):
        return RusePlayed(player, ruse)
    if ruse is Tactic.RECRUITER:
        raise scanner.error("the end of the line (the Recruiter takes no card from the table)")
    card = _card(scanner, f"the card that the {ruse} takes, such as b4@5")
    scanner.take("@", "@ and the Stone where the card lay")
    origin = _place(scanner, player if ruse is Tactic.STRATEGIST else player.opponent)
    if ruse is Tactic.BANSHEE:
        return RusePlayed(player, ruse, card, origin, DISCARD)
    scanner.take(">", "> and the place where the card was put")
    return RusePlayed(player, ruse, card, origin, _place(scanner, player))


def _claim(scanner: Scanner, player: Player) -> StoneClaimed:
    scanner.take(r"claim\s*", "claim")
    stone = _stone(scanner)
    if scanner.find(r"\s+by word\b"):
        return StoneClaimed(player, stone, None)
    if scanner.find(r"\s+from\s+"):
        return StoneClaimed(player, stone, _tile(scanner))
    return StoneClaimed(player, stone)


def _irregular(scanner: Scanner) -> Fact:
    start = scanner.at
    verb = scanner.take(r"[a-z]+(?=\s)|\S*", _START[0])
    scanner.find(r"\s+")
    match verb:
        case "removed":
            return CardRemoved(_lying(scanner), _spot(scanner))
        case "appeared":
            return CardAppeared(_lying(scanner), _spot(scanner))
        case "moved":
            return CardMoved(_lying(scanner), _spot(scanner), _onto(scanner))
        case "turned":
            card = _card(scanner, "the card that was turned")
            scanner.take("@", "@ and the place where it lies")
            return CardTurned(card, _spot(scanner))
        case "swapped":
            return _swap(scanner)
        case "stone":
            return StoneMoved(_stone(scanner), _tile_after(scanner, r"\s+"), _tile_after(scanner, ">"))
        case "righted" if scanner.find(r"stone\s+"):
            return StonePutRight(_stone(scanner), _tile_after(scanner, r"\s+"), _tile_after(scanner, ">"))
        case "righted":
            return CardPutRight(_lying(scanner), _spot_or_off(scanner), _onto_or_off(scanner))
        case _:
            raise scanner.error(_START[0], start)


def _swap(scanner: Scanner) -> CardSwapped:
    gone = _card(scanner, "the card that lay there")
    scanner.take("@", "@ and the place where it lay")
    spot = _spot(scanner)
    scanner.take(r"\s+for\s+", "for and the card that lies there now")
    return CardSwapped(spot, gone, _card(scanner, "the card that lies there now"))


def _card(scanner: Scanner, expected: str) -> Card:
    start = scanner.at
    code = scanner.take(r"[^\s@>+#]+|(?=[\s@>+#])|$", expected)
    try:
        return parse_card(code)
    except UnknownCard:
        raise scanner.error(expected, start) from None


def _lying(scanner: Scanner) -> Card | Hidden:
    """A card or a back, up to the @ before its place."""
    card = Hidden.CARD if scanner.find(r"\?") else _card(scanner, "a card such as g5, or ? for a back")
    scanner.take("@", "@ and a place")
    return card


def _place(scanner: Scanner, player: Player, card: Card | None = None) -> Spot:
    """A spot; where only a Stone is named, the one that goes without saying: the player's side, or where the card
    belongs."""
    stone = scanner.find(r"[1-9](?![0-9A-Za-z])")
    if stone is None:
        return _spot(scanner, _PLACE)
    return Side(int(stone), player) if card is None else proper_spot(card, int(stone), player)


def _spot(scanner: Scanner, expected: str = _SPOT) -> Spot:
    text = scanner.take(r"([1-9][ABM]|discard)(?![0-9A-Za-z])", expected)
    if text == str(DISCARD):
        return DISCARD
    return Top(int(text[0])) if text[1] == "M" else Side(int(text[0]), Player(text[1]))


def _spot_or_off(scanner: Scanner) -> Spot | None:
    return None if scanner.find(rf"{OFF}\b") else _spot(scanner, f"{_SPOT}, or {OFF}")


def _onto(scanner: Scanner) -> Spot:
    scanner.take(">", "> and the place where it lies now")
    return _spot(scanner)


def _onto_or_off(scanner: Scanner) -> Spot | None:
    scanner.take(">", "> and the place where it lies now")
    return _spot_or_off(scanner)


def _stone(scanner: Scanner) -> int:
    return int(scanner.take(r"[1-9](?![0-9A-Za-z])", "a Stone (1 to 9)"))


def _tile_after(scanner: Scanner, before: str) -> Tile:
    scanner.take(before, "border, A, B or missing" if before != ">" else "> and border, A, B or missing")
    return _tile(scanner)


def _tile(scanner: Scanner) -> Tile:
    return Tile(scanner.take(r"(border|A|B|missing)(?![0-9A-Za-z])", "border, A, B or missing"))
