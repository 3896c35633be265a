"""Moving cards about in a position so that a card is never in two places of it.

Knows no rule: takes a card from wherever it is, puts one down, draws one from the deck.
"""

from __future__ import annotations

from dataclasses import replace

from engine.lords_of_scotland.cards import LASTING, Clan, clan_of
from engine.lords_of_scotland.places import INITIATIVE, SLOTS, SUPPORTERS, Lying, army_of, recruit_at, seat_of
from engine.lords_of_scotland.position import Ally, Position, Side
from engine.table import UNKNOWN, Change, Code, Player


def lift(position: Position, code: Code) -> Position:
    """The position without this card, wherever it was; a card that lies face down is nobody in particular."""
    if code == UNKNOWN or position.where(code) is None:
        return position
    sides = tuple(
        replace(
            side,
            army=tuple(ally for ally in side.army if ally.code != code),
            won=tuple(other for other in side.won if other != code),
        )
        for side in position.sides
    )
    return replace(
        position,
        sides=sides,
        recruits=tuple(None if other == code else other for other in position.recruits),
        supporters=tuple(other for other in position.supporters if other != code),
        discard=tuple(other for other in position.discard if other != code),
    )


def lose(position: Position, player: Player, lying: Lying) -> Position:
    """The position without one such ally in this player's army."""
    army = list(position.army(player))
    found = next((ally for ally in army if ally.lying == lying), None)
    if found is None:
        return position
    army.remove(found)
    return position.with_army(player, tuple(army))


def set_recruit(position: Position, slot: int, code: Code | None) -> Position:
    """The position with this card as a recruit. A gap remembers how the card before it lay (LS-205)."""
    uncovered = position.uncovered if code is None else position.uncovered - {slot} | facing(slot, code)
    recruits = tuple(code if other == slot else lying for other, lying in zip(SLOTS, position.recruits, strict=True))
    return replace(position, recruits=recruits, uncovered=uncovered)


def facing(slot: int, code: Code | None) -> frozenset[int]:
    """The slot, if a card lies face up there."""
    return frozenset() if code in (None, UNKNOWN) else frozenset({slot})


def draw(position: Position, code: Code) -> Position:
    """One card fewer in the deck. An empty deck is made anew from the discard (LS-109), and so it was when a card
    comes that had been discarded while draws may have gone unseen. What was discarded after that cannot be told then:
    the deck may lack as much."""
    early = 0 < position.stock <= position.unseen and code != UNKNOWN and code in position.discard
    if position.stock == 0 or early:
        lacking = min(len(position.deck), position.unseen + len(position.discard)) if position.unseen else 0
        stock = position.stock + len(position.discard)
        position = replace(position, stock=stock, discard=(), unseen=lacking)
    return replace(position, stock=max(0, position.stock - 1))


def shift(position: Position, change: Change) -> Position:
    """The position once a piece was moved by hand, as far as a position can tell of it."""
    code = change.piece.code
    if code == INITIATIVE:
        holder = next((player for player in position.players if change.target == seat_of(player)), None)
        return replace(position, initiative=holder) if holder else position
    if code != UNKNOWN and code not in position.deck:
        return position
    position = _without(position, change) if code == UNKNOWN else lift(position, code)
    if change.target == SUPPORTERS and code != UNKNOWN:
        return replace(position, supporters=tuple(sorted((*position.supporters, code))))
    for slot in SLOTS:
        if change.target == recruit_at(slot):
            return set_recruit(position, slot, code)
    for side in position.sides:
        if change.target == army_of(side.player):
            return position.with_side(_with_ally(side, code, change.piece.sideways, position.skirmish))
    return position


def _without(position: Position, change: Change) -> Position:
    """One face-down card fewer where the change took it from."""
    for slot in SLOTS:
        if change.origin == recruit_at(slot) and position.recruits[slot - 1] == UNKNOWN:
            return set_recruit(position, slot, None)
    owner = next((player for player in position.players if change.origin == army_of(player)), None)
    return lose(position, owner, Lying(UNKNOWN)) if owner else position


def _with_ally(side: Side, code: Code, sideways: bool, skirmish: int) -> Side:
    clan = clan_of(code)
    active = clan if sideways and clan in LASTING else None
    until = skirmish + 1 if active is Clan.MACDONNELL else skirmish
    return replace(side, army=(*side.army, Ally(Lying(code, active), skirmish, until)))
