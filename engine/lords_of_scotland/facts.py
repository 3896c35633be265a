"""What can happen on the table, allowed or not, and what each fact changes there.

A fact knows the pieces it moved, and `str(fact)` is its line in a record. It knows no rule. The piles (deck, discard,
supporters won) and the hands are off the table: of a pile a camera sees the top card at best.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.lords_of_scotland.cards import Clan
from engine.lords_of_scotland.effects import Effect
from engine.lords_of_scotland.places import INITIATIVE, SUPPORTERS, Lying, army_of, face, recruit_at, seat_of
from engine.table import UNKNOWN, Change, Code, Piece, Place, Player


@dataclass(frozen=True, slots=True)
class Turned:
    """A recruit that lay face down was turned face up."""

    player: Player
    slot: int
    code: Code

    def changes(self) -> tuple[Change, ...]:
        place = recruit_at(self.slot)
        return (Change(face(UNKNOWN), place, None), Change(face(self.code), None, place))

    def __str__(self) -> str:
        return f"{self.player} turn {self.slot} {self.code}"


@dataclass(frozen=True, slots=True)
class Recruited:
    """A recruit was taken into a hand."""

    player: Player
    slot: int
    code: Code

    def changes(self) -> tuple[Change, ...]:
        return (Change(face(self.code), recruit_at(self.slot), None),)

    def __str__(self) -> str:
        return f"{self.player} recruit {self.slot} {self.code}"


@dataclass(frozen=True, slots=True)
class Engaged:
    """A card came from a hand into its player's army, face up or face down."""

    player: Player
    code: Code

    def changes(self) -> tuple[Change, ...]:
        return (Change(face(self.code), None, army_of(self.player)),)

    def __str__(self) -> str:
        return f"{self.player} {self.code}"


@dataclass(frozen=True, slots=True)
class Passed:
    """A player did nothing."""

    player: Player

    def changes(self) -> tuple[Change, ...]:
        return ()

    def __str__(self) -> str:
        return f"{self.player} pass"


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A player said that their turn is over, by the button or in words."""

    player: Player

    def changes(self) -> tuple[Change, ...]:
        return ()

    def __str__(self) -> str:
        return f"{self.player} end"


@dataclass(frozen=True, slots=True)
class Used:
    """The power of a card was used; `copying` is the clan whose power a Scott copied."""

    player: Player
    code: Code
    effect: Effect
    copying: Clan | None = None

    def changes(self) -> tuple[Change, ...]:
        return self.effect.changes(self.player, self.code)

    def __str__(self) -> str:
        copied = f" as {self.copying.value}" if self.copying else ""
        return f"{self.player} {self.code}{copied} {self.effect}"


@dataclass(frozen=True, slots=True)
class Revealed:
    """An ally that lay face down was turned face up."""

    player: Player
    code: Code

    def changes(self) -> tuple[Change, ...]:
        army = army_of(self.player)
        return (Change(face(UNKNOWN), army, None), Change(face(self.code), None, army))

    def __str__(self) -> str:
        return f"{self.player} reveals {self.code}"


@dataclass(frozen=True, slots=True)
class Taken:
    """A supporter was taken onto a player's pile of supporters won."""

    player: Player
    code: Code

    def changes(self) -> tuple[Change, ...]:
        return (Change(face(self.code, sideways=True), SUPPORTERS, None),)

    def __str__(self) -> str:
        return f"{self.player} wins {self.code}"


@dataclass(frozen=True, slots=True)
class Straightened:
    """An ally that lay sideways was turned upright; a token on it was put away."""

    player: Player
    ally: Lying

    def changes(self) -> tuple[Change, ...]:
        army = army_of(self.player)
        tokens = (Change(Piece(token), army, None) for token in self.ally.tokens())
        return (Change(face(self.ally.code), army, army), *tokens)

    def __str__(self) -> str:
        return f"{self.player} straightens {self.ally}"


@dataclass(frozen=True, slots=True)
class Cleared:
    """Something was put onto the discard: an ally, a recruit or a supporter."""

    place: Place
    lying: Lying
    player: None = None

    def changes(self) -> tuple[Change, ...]:
        if self.place == SUPPORTERS:
            return (Change(face(self.lying.code, sideways=True), SUPPORTERS, None),)
        return self.lying.moved(self.place, None)

    def __str__(self) -> str:
        return f"discard {self.lying}@{self.place}"


@dataclass(frozen=True, slots=True)
class Dealt:
    """A card came from the deck to the recruits or the supporters."""

    code: Code
    place: Place
    player: None = None

    def changes(self) -> tuple[Change, ...]:
        return (Change(face(self.code, sideways=self.place == SUPPORTERS), None, self.place),)

    def __str__(self) -> str:
        return f"deal {self.code}@{self.place}"


@dataclass(frozen=True, slots=True)
class Together:
    """Several cards dealt, or several discarded, told in one line; they count together or not at all."""

    acts: tuple[Dealt, ...] | tuple[Cleared, ...]
    player: None = None

    def changes(self) -> tuple[Change, ...]:
        return tuple(change for act in self.acts for change in act.changes())

    def __str__(self) -> str:
        verb, *_ = str(self.acts[0]).split()
        return " ".join([verb, *(str(act).removeprefix(f"{verb} ") for act in self.acts)])


@dataclass(frozen=True, slots=True)
class InitiativeGiven:
    """The initiative token went from one player to another."""

    giver: Player
    receiver: Player
    player: None = None

    def changes(self) -> tuple[Change, ...]:
        return (Change(Piece(INITIATIVE), seat_of(self.giver), seat_of(self.receiver)),)

    def __str__(self) -> str:
        return f"initiative {self.giver}>{self.receiver}"


@dataclass(frozen=True, slots=True)
class Shifted:
    """A piece was moved in a way that is no act of the game."""

    change: Change
    player: None = None

    def changes(self) -> tuple[Change, ...]:
        return (self.change,)

    def __str__(self) -> str:
        return f"moved {moved(self.change)}"


@dataclass(frozen=True, slots=True)
class PutRight:
    """A piece that lay wrong was moved to where it belongs."""

    change: Change
    player: None = None

    def changes(self) -> tuple[Change, ...]:
        return (self.change,)

    def __str__(self) -> str:
        return f"put-right {moved(self.change)}"


def moved(change: Change) -> str:
    """A change as records write it: the piece with `/down` and `/sideways`, from where to where."""
    piece = change.piece
    flags = ("" if piece.face_up else "/down") + ("/sideways" if piece.sideways else "")
    return f"{piece.code}{flags} {change.origin or 'off'}>{change.target or 'off'}"


Fact = (
    Turned
    | Recruited
    | Engaged
    | Passed
    | TurnEnded
    | Used
    | Revealed
    | Taken
    | Straightened
    | Cleared
    | Dealt
    | Together
    | InitiativeGiven
    | Shifted
    | PutRight
)
