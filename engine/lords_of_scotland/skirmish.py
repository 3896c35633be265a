"""What armies are worth, in which order they stand, and who takes supporters when.

Knows strengths, doubling and ranks (LS-402 to LS-409). Looks at armies as they lie; who played what and when is no
matter here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine.lords_of_scotland.cards import Clan, Deck, clan_of
from engine.lords_of_scotland.places import Lying
from engine.lords_of_scotland.position import GOAL, Position, Stage
from engine.table import UNKNOWN, Player


@dataclass(frozen=True, slots=True)
class Army:
    """What an army is worth: its sum, doubled or not, and the best rank in it. `hidden` cards are not counted."""

    player: Player
    sum: int
    doubled: bool
    rank: int
    hidden: int

    @property
    def strength(self) -> int:
        return 2 * self.sum if self.doubled else self.sum


class Why(StrEnum):
    """What puts an army before the next one."""

    STRONGER = "stronger"
    RANK = "tie-rank"
    LAST = "last"


@dataclass(frozen=True, slots=True)
class Standing:
    """An army's place in the skirmish and what puts it before the next; `takes` is how many supporters come to it."""

    place: int
    army: Army
    why: Why
    takes: int


def counts_for(lying: Lying) -> Clan | None:
    """The clan a card counts for at the end: None joins any clan (an activated Bruce, or a Scott that copied one)."""
    return None if lying.active is Clan.BRUCE else clan_of(lying.code)


def worth(deck: Deck, player: Player, allies: Iterable[Lying]) -> Army:
    """What these allies are worth together. Face-down cards count for nothing until they are turned."""
    lying = tuple(allies)
    cards = [deck[ally.code] for ally in lying if ally.code != UNKNOWN]
    hidden = len(lying) - len(cards)
    clans = {counts_for(ally) for ally in lying if ally.code != UNKNOWN} - {None}
    doubled = len(lying) > 1 and hidden == 0 and len(clans) <= 1
    best = max((card.rank for card in cards), default=0)
    return Army(player, sum(card.strength for card in cards), doubled, best, hidden)


def armies(position: Position) -> tuple[Army, ...]:
    """The running worth of every army, in the order of the seats."""
    return tuple(worth(position.deck, side.player, (ally.lying for ally in side.army)) for side in position.sides)


def takes_two(position: Position, player: Player) -> bool:
    """An activated Cochrane, or a Scott that copied one, lies in this player's army (LS-318)."""
    return any(ally.active is Clan.COCHRANE for ally in position.army(player))


def ranking(position: Position) -> tuple[Standing, ...]:
    """The armies that have an ally, best first: by strength, then by the best rank in the army (LS-404, LS-405). Once
    a skirmish is shared out nothing more comes to anybody."""
    fielded = [army for army in armies(position) if position.army(army.player)]
    order = sorted(fielded, key=lambda army: (army.strength, army.rank), reverse=True)
    left = len(position.supporters) if position.stage in (Stage.FIGHTING, Stage.SHARING) else 0
    standings = []
    for place, army in enumerate(order, start=1):
        follower = order[place] if place < len(order) else None
        why = Why.LAST if follower is None else Why.STRONGER if army.strength > follower.strength else Why.RANK
        had = position.taken.count(army.player)  # not always in order: a judge may have let that stand
        more = min(left, max(0, (2 if takes_two(position, army.player) else 1) - had))
        left -= more
        standings.append(Standing(place, army, why, had + more))
    return tuple(standings)


def next_taker(position: Position) -> Player | None:
    """Whose turn it is to take a supporter; None when everyone has theirs."""
    shares = ((standing.army.player, standing.takes) for standing in ranking(position))
    return next((player for player, takes in shares if takes > position.taken.count(player)), None)


def winner(position: Position) -> Player | None:
    """Who has won the game once a skirmish is shared out: most points, then the better place (LS-501, LS-502). Nobody
    while players are level of whom none had an ally in it."""
    points = {player: position.points(player) for player in position.players}
    best = max(points.values())
    if best < GOAL:
        return None
    leaders = [player for player, total in points.items() if total == best]
    placed = [player for player in position.places if player in leaders]
    return next(iter(placed), leaders[0] if len(leaders) == 1 else None)
