"""A public position on one line, both ways: `parse_position(position_line(p)) == p`.

Eight fields with blanks between them:

    stones turn discard tactics jokers hands deck rules

The nine Stones have `/` between them; each is `A's cards:B's cards` with `.` between cards and `-` for none, then
`^A` or `^B` for who completed first, `=A` or `=B` for the owner, and `+mud`, `+bluff` for combat modes. `turn` is the
player, with `*` once the card is played, or `?` and a ruse that was shown. The next three count for A and B: Tactic
cards played, Jokers played, and cards in hand, of which those after the `~` are certainly Clan cards. `deck` is how
many cards can still be drawn, `rules` the options with commas.
"""

from __future__ import annotations

from engine.notation import Scanner
from engine.rules import BadRecord
from engine.schotten_totten.cards import (
    COMBAT_MODES,
    RUSES,
    STONES,
    Card,
    ClanCard,
    Player,
    Tactic,
    UnknownCard,
    is_elite,
    parse_card,
)
from engine.schotten_totten.options import parse_rules
from engine.schotten_totten.position import FAN, Known, Position
from engine.schotten_totten.stones import Stone


def position_line(position: Position) -> str:
    """The position as one line."""
    a, b = position.a, position.b
    moment = "*" if position.has_played else f"?{position.ruse_begun}" if position.ruse_begun else ""
    return " ".join(
        (
            "/".join(_stone_text(stone) for stone in position.stones),
            f"{position.turn}{moment}",
            _cards_text(position.discard),
            f"{a.tactics_played}.{b.tactics_played}",
            f"{a.jokers_played}.{b.jokers_played}",
            f"{a.hand}~{a.clan}.{b.hand}~{b.clan}",
            str(position.drawable),
            str(position.rules).replace(" ", ","),
        )
    )


def parse_position(line: str) -> Position:
    """The position that a line describes; raises BadRecord with the column and what was expected there."""
    scanner = Scanner(line.strip())
    seen: set[Card] = set()
    stones = []
    for number in STONES:
        if number > 1:
            scanner.take("/", "/ and the next of nine Stones")
        stones.append(_stone(scanner, seen))
    turn, has_played, ruse = _turn(_next(scanner))
    discard = _cards(_next(scanner), seen)
    tactics = _pair(_next(scanner), "Tactic cards played by A and B, such as 0.1")
    jokers = _pair(_next(scanner), "Jokers played by A and B, such as 0.1")
    hands = [_hand(_next(scanner))]
    scanner.take(r"\.", ". and B's hand")
    hands.append(_hand(scanner))
    drawable = _count(_next(scanner), "how many cards can still be drawn")
    words = _next(scanner).take(r"\S+", "the rules, such as base or tactics,expert")
    scanner.end()
    a, b = (Known(*hand, *played) for hand, played in zip(hands, zip(tactics, jokers, strict=True), strict=True))
    return Position(parse_rules({"rules": words}), tuple(stones), turn, a, b, drawable, has_played, ruse, discard)


def _stone_text(stone: Stone) -> str:
    completed = f"^{stone.completed_first}" if stone.completed_first else ""
    owner = f"={stone.owner}" if stone.owner else ""
    return f"{_cards_text(stone.a)}:{_cards_text(stone.b)}{completed}{owner}" + "".join(f"+{m}" for m in stone.modes)


def _cards_text(cards: tuple[Card, ...]) -> str:
    return ".".join(map(str, cards)) or "-"


def _next(scanner: Scanner) -> Scanner:
    scanner.take(r"\s+(?=\S)", "a blank and the next field")
    return scanner


def _stone(scanner: Scanner, seen: set[Card]) -> Stone:
    a = _side(scanner, seen)
    scanner.take(":", ": and B's cards")
    b = _side(scanner, seen)
    completed = Player(scanner.take("[AB]", "A or B")) if scanner.find(r"\^") else None
    owner = Player(scanner.take("[AB]", "A or B")) if scanner.find("=") else None
    modes: list[Tactic] = []
    while scanner.find(r"\+"):
        at = scanner.at
        mode = _card(scanner, seen)
        if mode not in COMBAT_MODES:
            raise scanner.error("mud or bluff", at)
        modes.append(Tactic(str(mode)))
    return Stone(a, b, owner, tuple(modes), completed)


def _side(scanner: Scanner, seen: set[Card]) -> tuple[Card, ...]:
    start = scanner.at
    side = _cards(scanner, seen)
    if len(side) > FAN:
        raise scanner.error(f"at most {FAN} cards on a side", start)
    if not all(isinstance(card, ClanCard) or is_elite(card) for card in side):
        raise scanner.error("Clan cards and elite troops on a side", start)
    return side


def _cards(scanner: Scanner, seen: set[Card]) -> tuple[Card, ...]:
    if scanner.find("-"):
        return ()
    cards = [_card(scanner, seen)]
    while scanner.find(r"\."):
        cards.append(_card(scanner, seen))
    return tuple(cards)


def _card(scanner: Scanner, seen: set[Card]) -> Card:
    start = scanner.at
    code = scanner.find(r"[A-Za-z0-9]+") or ""
    try:
        card = parse_card(code)
    except UnknownCard:
        raise scanner.error("a card such as g5 or joker1, or - for none", start) from None
    if card in seen:
        raise BadRecord(f"column {start + 1}: {card} lies twice; each card exists once")
    seen.add(card)
    return card


def _turn(scanner: Scanner) -> tuple[Player, bool, Tactic | None]:
    player = Player(scanner.take("[AB]", "whose turn it is, A or B"))
    if scanner.find(r"\*"):
        return player, True, None
    if scanner.find(r"\?"):
        return player, False, Tactic(scanner.take("|".join(RUSES), "the ruse that was shown"))
    return player, False, None


def _pair(scanner: Scanner, expected: str) -> tuple[int, int]:
    first = _count(scanner, expected)
    scanner.take(r"\.", expected)
    return first, _count(scanner, expected)


def _hand(scanner: Scanner) -> tuple[int, int]:
    expected = "a hand such as 6~6"
    hand = _count(scanner, expected)
    scanner.take("~", expected)
    return hand, _count(scanner, expected)


def _count(scanner: Scanner, expected: str) -> int:
    return int(scanner.take(r"[0-9]{1,3}", expected))
