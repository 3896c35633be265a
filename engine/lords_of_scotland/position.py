"""The public position: what a camera and honest players know. Hands are counted, not seen; a card that lies face down
is there, and that is all; the order of the deck is nobody's knowledge.

Knows what lies where and whose moment it is. What may be done then is for `legality`, what it leads to for `course`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from engine.lords_of_scotland.cards import Clan, Deck
from engine.lords_of_scotland.places import (
    INITIATIVE,
    SLOTS,
    SUPPORTERS,
    Lying,
    army_of,
    face,
    recruit_at,
    seat_of,
)
from engine.table import UNKNOWN, Code, Piece, Place, Player, Table

SEATS = tuple(Player(letter) for letter in "ABCDE")
TURNS = 5
HAND_AT_START = 5
HAND_LIMIT = 10
GOAL = 40


class Stage(StrEnum):
    """What the table is busy with."""

    SETTING_OUT = "setting out"  # the last skirmish is put away, the next one laid out
    FIGHTING = "fighting"
    SHARING = "sharing"  # allies are turned face up, supporters are taken
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Ally:
    """A card of an army: how it lies, since which skirmish it is there, and at the end of which it is discarded."""

    lying: Lying
    since: int
    until: int

    @property
    def code(self) -> Code:
        return self.lying.code

    @property
    def active(self) -> Clan | None:
        return self.lying.active


@dataclass(frozen=True, slots=True)
class Hand:
    """How many cards a hand holds. A Forsyth's draw cannot be seen: where nobody told of it, the count is a range."""

    least: int = HAND_AT_START
    most: int = HAND_AT_START

    def grown(self, by: int) -> Hand:
        return Hand(max(0, self.least + by), max(0, self.most + by))


@dataclass(frozen=True, slots=True)
class Side:
    """A player's share of the table."""

    player: Player
    hand: Hand = Hand()
    army: tuple[Ally, ...] = ()
    won: tuple[Code, ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """What counts. `deck` says which cards exist; `stock` counts those in the draw pile, `unseen` how many fewer they
    may be: the draws that may have happened without being told."""

    deck: Deck
    bruce: bool
    sides: tuple[Side, ...]
    initiative: Player
    stage: Stage
    skirmish: int  # the one being fought, or the last one while the next is set out
    turn: int  # recruits turned so far: the number of the turn
    on_turn: Player
    recruits: tuple[Code | None, ...]  # by slot; UNKNOWN lies face down, None is a gap
    uncovered: frozenset[int]  # slots whose recruit lies face up, or lay so before it was taken
    supporters: tuple[Code, ...]
    stock: int
    discard: tuple[Code, ...] = ()
    unseen: int = 0
    turned: bool = False  # the initiative holder has turned this turn's recruit
    acted: bool = False  # the player on turn has recruited or engaged
    laid: Code | None = None  # the card just engaged, while its power may still be used
    owes: bool = False  # a Makgill was used: another ally must be engaged
    fresh: bool = True  # the supporters are new ones; else they are to be discarded
    places: tuple[Player, ...] = ()  # how the last skirmish ended, best first; those without an ally are not in it
    taken: tuple[Player, ...] = ()  # who has taken supporters after this skirmish, in order

    @property
    def players(self) -> tuple[Player, ...]:
        return tuple(side.player for side in self.sides)

    def side(self, player: Player) -> Side | None:
        return next((side for side in self.sides if side.player == player), None)

    def army(self, player: Player) -> tuple[Ally, ...]:
        side = self.side(player)
        return side.army if side else ()

    def with_side(self, side: Side) -> Position:
        sides = tuple(side if other.player == side.player else other for other in self.sides)
        return replace(self, sides=sides)

    def with_army(self, player: Player, army: tuple[Ally, ...]) -> Position:
        side = self.side(player)
        return self.with_side(replace(side, army=army)) if side else self

    def ally(self, player: Player, code: Code) -> Ally | None:
        return next((ally for ally in self.army(player) if ally.code == code), None)

    def allies(self) -> Iterator[tuple[Player, Ally]]:
        return ((side.player, ally) for side in self.sides for ally in side.army)

    def face_up(self) -> Iterator[tuple[Player, Ally]]:
        return ((player, ally) for player, ally in self.allies() if ally.code != UNKNOWN)

    @property
    def after_turn(self) -> Player:
        """Whoever sits clockwise of the player on turn."""
        players = self.players
        return players[(players.index(self.on_turn) + 1) % len(players)]

    @property
    def can_draw(self) -> bool:
        return self.stock > 0 or bool(self.discard)

    @property
    def gap(self) -> int | None:
        """The recruit that was taken and must still be replaced (LS-204)."""
        if self.stage is not Stage.FIGHTING or not self.can_draw:
            return None
        return next((slot for slot in SLOTS if self.recruits[slot - 1] is None), None)

    @property
    def must_turn(self) -> bool:
        """The initiative holder has to turn a recruit before anything else (LS-202)."""
        fighting = self.stage is Stage.FIGHTING and not self.acted
        return fighting and self.on_turn == self.initiative and not self.turned

    @property
    def next_recruit(self) -> int | None:
        """The leftmost recruit that lies face down."""
        return next((slot for slot in SLOTS if self.recruits[slot - 1] == UNKNOWN), None)

    @property
    def is_turn_over(self) -> bool:
        """The player on turn need not do anything more; a power may still be used until somebody else acts."""
        return self.stage is Stage.FIGHTING and self.acted and not self.owes and self.gap is None

    @property
    def may_have_recruited(self) -> bool:
        """Nobody could tell if the player on turn had taken a recruit face down and replaced it at once (LS-204)."""
        is_free = self.stage is Stage.FIGHTING and not (self.acted or self.must_turn or self.gap is not None)
        side = self.side(self.on_turn)
        has_room = side is not None and side.hand.least < HAND_LIMIT
        return is_free and has_room and self.can_draw and self.next_recruit is not None

    @property
    def hidden(self) -> tuple[Player, ...]:
        """The players who have allies face down."""
        return tuple(side.player for side in self.sides if any(ally.code == UNKNOWN for ally in side.army))

    @property
    def are_alike(self) -> bool:
        """There is a supporter for everybody, and all of them have one strength (LS-107)."""
        strengths = {self.deck[code].strength for code in self.supporters if code in self.deck}
        return len(strengths) == 1 and len(self.supporters) == len(self.sides)

    def points(self, player: Player) -> int:
        side = self.side(player)
        return sum(self.deck[code].strength for code in side.won if code in self.deck) if side else 0

    def where(self, code: Code) -> Place | None:
        """Where this card is known to be; None when it may be in a hand or in the deck."""
        if code in self.recruits:
            return recruit_at(self.recruits.index(code) + 1)
        if code in self.supporters:
            return SUPPORTERS
        for side in self.sides:
            if any(ally.code == code for ally in side.army):
                return army_of(side.player)
            if code in side.won:
                return Place(f"won{side.player}")
        return Place("discard") if code in self.discard else None

    def table(self) -> Table:
        """The table as it ought to lie."""
        armies = tuple((side.player, tuple(ally.lying for ally in side.army)) for side in self.sides)
        return _table(self.initiative, self.supporters, self.recruits, armies)


@lru_cache(maxsize=64)  # the same position is asked for its table again and again
def _table(
    initiative: Player,
    supporters: tuple[Code, ...],
    recruits: tuple[Code | None, ...],
    armies: tuple[tuple[Player, tuple[Lying, ...]], ...],
) -> Table:
    places: dict[Place, list[Piece]] = {
        SUPPORTERS: [face(code, sideways=True) for code in supporters],
        seat_of(initiative): [Piece(INITIATIVE)],
    }
    for slot, code in zip(SLOTS, recruits, strict=True):
        places[recruit_at(slot)] = [face(code)] if code is not None else []
    for player, army in armies:
        places[army_of(player)] = [piece for lying in army for piece in lying.pieces()]
    return Table.of(places)


def opening(deck: Deck, bruce: bool, seats: int, initiative: Player) -> Position:
    """Before the first card is laid out: five cards in each hand (LS-104), the rest in the deck."""
    sides = tuple(Side(player) for player in SEATS[:seats])
    return Position(
        deck=deck,
        bruce=bruce,
        sides=sides,
        initiative=initiative,
        stage=Stage.SETTING_OUT,
        skirmish=0,
        turn=0,
        on_turn=initiative,
        recruits=(None,) * len(SLOTS),
        uncovered=frozenset(),
        supporters=(),
        stock=len(deck.in_play(bruce)) - HAND_AT_START * seats,
    )
