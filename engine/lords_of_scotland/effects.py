"""What using a power does on the table, one effect for each kind of power.

Knows which pieces move. Whether the power may be used, and on that card, is for `powers`.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.lords_of_scotland.cards import Clan
from engine.lords_of_scotland.places import SUPPORTERS, Lying, army_of, face
from engine.table import Change, Code, Player


@dataclass(frozen=True, slots=True)
class Exchange:
    """Cockburn: the card goes to the supporters, a supporter comes into the army."""

    supporter: Code
    clan = Clan.COCKBURN

    def changes(self, player: Player, code: Code) -> tuple[Change, ...]:
        army = army_of(player)
        gone = Change(face(code, sideways=True), army, SUPPORTERS)
        return (gone, Change(face(self.supporter), SUPPORTERS, army))

    def __str__(self) -> str:
        return f"takes {self.supporter}"


@dataclass(frozen=True, slots=True)
class Swap:
    """Fergusson: the card goes to an opponent's army, one of that opponent's allies comes into one's own."""

    opponent: Player
    ally: Lying
    clan = Clan.FERGUSSON

    def changes(self, player: Player, code: Code) -> tuple[Change, ...]:
        mine, theirs = army_of(player), army_of(self.opponent)
        return (Change(face(code), mine, theirs), *self.ally.moved(theirs, mine))

    def __str__(self) -> str:
        return f"swaps {self.ally}@{army_of(self.opponent)}"


@dataclass(frozen=True, slots=True)
class Draw:
    """Forsyth: the top card of the deck goes to the hand."""

    clan = Clan.FORSYTH

    def changes(self, player: Player, code: Code) -> tuple[Change, ...]:
        return ()

    def __str__(self) -> str:
        return "draws"


@dataclass(frozen=True, slots=True)
class Again:
    """Makgill: another ally is engaged."""

    clan = Clan.MAKGILL

    def changes(self, player: Player, code: Code) -> tuple[Change, ...]:
        return ()

    def __str__(self) -> str:
        return "again"


@dataclass(frozen=True, slots=True)
class Discard:
    """Wemyss: another ally, of any army, is discarded."""

    owner: Player
    ally: Lying
    clan = Clan.WEMYSS

    def changes(self, player: Player, code: Code) -> tuple[Change, ...]:
        return self.ally.moved(army_of(self.owner), None)

    def __str__(self) -> str:
        return f"discards {self.ally}@{army_of(self.owner)}"


@dataclass(frozen=True, slots=True)
class Activate:
    """Bruce, Cochrane, MacDonnell: the card is turned sideways, its power works at the end of the skirmish. Of the clan
    Scott itself: the card lies sideways, and the token that tells whose power it copies is still to come."""

    clan: Clan

    def changes(self, player: Player, code: Code) -> tuple[Change, ...]:
        army = army_of(player)
        card, *tokens = Lying(code, self.clan).pieces()
        return (Change(card, army, army), *(Change(token, None, army) for token in tokens))

    def __str__(self) -> str:
        return "activates"


Effect = Exchange | Swap | Draw | Again | Discard | Activate
