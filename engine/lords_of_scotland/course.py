"""What facts lead to: the position after a fact that counts, and how turns, skirmishes and the game move on.

Total: whatever is told, a position comes out, and a card is never in two places of it. Whether a fact was allowed is
for `legality`; a judge may let a foul stand, and then this is what it leads to.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from engine.lords_of_scotland.cards import Clan
from engine.lords_of_scotland.effects import Activate, Again, Discard, Draw, Exchange, Swap
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
from engine.lords_of_scotland.pieces import draw, lift, lose, set_recruit, shift
from engine.lords_of_scotland.places import SLOTS, SUPPORTERS, Lying
from engine.lords_of_scotland.position import TURNS, Ally, Hand, Position, Stage
from engine.lords_of_scotland.powers import TOKEN_TO_COME, usable
from engine.lords_of_scotland.skirmish import next_taker, ranking, winner
from engine.table import UNKNOWN, Player


def moment(position: Position, fact: Fact) -> Position:
    """The position in which the fact happened: when somebody else acts, the turn of the player on turn is over."""
    if not position.is_turn_over:
        return position
    match fact:
        case Turned():
            return pass_turn(position)
        case Recruited() | Engaged() | Passed() | TurnEnded():
            return position if fact.player == position.on_turn else pass_turn(position)
        case Revealed() | Taken() | Cleared() | Straightened() | InitiativeGiven():
            return pass_turn(position) if _is_last_turn(position) else position
        case Used() | Dealt() | Together() | Shifted() | PutRight():
            return position


def pass_turn(position: Position) -> Position:
    """The turn goes clockwise; after the last one of the fifth turn the fight is over (LS-201)."""
    position = _with_unseen_draw(position) if Clan.FORSYTH in usable(position) else position
    over = replace(position, acted=False, laid=None, owes=False)
    if _is_last_turn(position):
        return _shared_out(replace(over, stage=Stage.SHARING, turned=False))
    begins = replace(over, on_turn=position.after_turn)
    if begins.on_turn != begins.initiative:
        return begins
    if begins.next_recruit is None:  # deck and discard ran out, there is nothing left to turn
        return replace(begins, turn=begins.turn + 1, turned=True)
    return replace(begins, turned=False)


def turned_unseen(now: Position, fact: Recruited) -> Position:
    """The recruit that is to be turned next may have been turned and taken before anybody could see its face: then it
    is believed to have been turned, and is replaced face up (LS-204)."""
    is_next = now.must_turn and fact == Recruited(now.on_turn, now.next_recruit or 0, UNKNOWN)
    if not is_next:
        return now
    return replace(now, turn=min(TURNS, now.turn + 1), turned=True, uncovered=now.uncovered | {fact.slot})


def at_rest(position: Position) -> Position:
    """The position that the table waits in: a turn in which nothing more can be done has gone on to the next player."""
    return pass_turn(position) if position.is_turn_over and not usable(position) else position


def heir(position: Position) -> Player:
    """Who begins the next skirmish: the winner of the last one; nobody had an ally, then nothing changes (LS-412)."""
    return position.places[0] if position.places else position.initiative


def enforce(position: Position, fact: Fact) -> Position:
    """The position once this fact counts."""
    now = moment(position, fact)
    match fact:
        case Turned(_, slot, code):
            now = set_recruit(lift(now, code), slot, code)
            return replace(now, turn=min(TURNS, now.turn + 1), turned=True)
        case Recruited(player, slot, code):
            now = set_recruit(lift(turned_unseen(now, fact), code), slot, None)
            return _acted(_hand(now, player, +1), player)
        case Engaged(player, code):
            now = _joined(lift(now, code), player, Ally(Lying(code), now.skirmish, now.skirmish))
            now = _acted(_hand(now, player, -1), player)
            return replace(now, laid=code) if player == now.on_turn else now
        case Passed(player):
            return _acted(now, player)
        case TurnEnded():
            now = _with_unseen_draw(now) if now.may_have_recruited else now
            return pass_turn(now) if now.stage is Stage.FIGHTING else now
        case Used():
            return _used(now, fact)
        case PutRight():
            return position
        case Shifted(change):
            return shift(position, change)
        case Together(acts):
            return reduce(enforce, acts, position)
        case _:
            return _between(now, fact)


def _between(now: Position, fact: Revealed | Taken | Straightened | Cleared | Dealt | InitiativeGiven) -> Position:
    """What happens after the fight, and whatever comes from the deck."""
    match fact:
        case Revealed(player, code):
            if now.ally(player, UNKNOWN) is None:
                return now
            revealed = Ally(Lying(code), now.skirmish, now.skirmish)
            return _shared_out(_joined(lose(lift(now, code), player, Lying(UNKNOWN)), player, revealed))
        case Taken(player, code):
            now = lift(now, code)
            side = now.side(player)
            if side is not None:
                now = now.with_side(replace(side, won=(*side.won, code)))
            return _shared_out(replace(now, taken=(*now.taken, player)))
        case Straightened(player, lying):
            upright = [replace(ally, lying=Lying(ally.code)) for ally in now.army(player) if ally.lying == lying]
            now = lose(now, player, lying) if upright else now
            return _ready(_joined(now, player, upright[0])) if upright else now
        case Cleared(place, lying):
            now = _discarded(now, place, lying)
            return _ready(replace(now, fresh=now.fresh or not now.supporters))
        case Dealt(code, place):
            now = lift(draw(now, code), code)
            if place == SUPPORTERS:
                return _ready(_with_supporter(now, fact))
            slot = next((slot for slot in SLOTS if place == f"recruit{slot}"), None)
            return _ready(set_recruit(now, slot, code)) if slot is not None else now
        case InitiativeGiven(_, receiver):
            return _ready(replace(now, initiative=receiver)) if receiver in now.players else now


def _used(now: Position, fact: Used) -> Position:
    player, code = fact.player, fact.code
    ally = now.ally(player, code)
    if ally is None:
        return now
    spent = replace(now, laid=None) if now.laid == code and fact.effect != TOKEN_TO_COME else now
    match fact.effect:
        case Exchange(supporter):
            gained = Ally(Lying(supporter), now.skirmish, now.skirmish)
            spent = lose(lift(spent, supporter), player, ally.lying)
            return replace(_joined(spent, player, gained), supporters=tuple(sorted((*spent.supporters, code))))
        case Swap(opponent, lying):
            taken = next((other for other in now.army(opponent) if other.lying == lying), None)
            if taken is None or opponent == player:
                return spent
            parted = lose(lose(spent, player, ally.lying), opponent, lying)
            return _joined(_joined(parted, opponent, ally), player, taken)
        case Discard(owner, lying):
            if all(other.lying != lying for other in now.army(owner)):
                return spent
            return _to_discard(lose(spent, owner, lying), lying)
        case Draw():
            return _hand(draw(spent, UNKNOWN), player, +1)
        case Again():
            return replace(spent, owes=True)
        case Activate(clan):
            until = now.skirmish + 1 if clan is Clan.MACDONNELL else ally.until
            active = replace(ally, lying=Lying(code, clan), until=until)
            return _joined(lose(spent, player, ally.lying), player, active)


def _acted(position: Position, player: Player) -> Position:
    return replace(position, acted=True, owes=False, laid=None) if player == position.on_turn else position


def _hand(position: Position, player: Player, by: int) -> Position:
    side = position.side(player)
    return position.with_side(replace(side, hand=side.hand.grown(by))) if side else position


def _joined(position: Position, player: Player, ally: Ally) -> Position:
    army = sorted((*position.army(player), ally), key=lambda other: (str(other.lying), other.since))
    return position.with_army(player, tuple(army))


def _to_discard(position: Position, lying: Lying) -> Position:
    return replace(position, discard=tuple(sorted((*position.discard, lying.code))))


def _discarded(position: Position, place: str, lying: Lying) -> Position:
    """The card leaves its place for the discard, if it lies there."""
    code = lying.code
    if place == SUPPORTERS and code in position.supporters:
        return _to_discard(lift(position, code), lying)
    for slot in SLOTS:
        if place == f"recruit{slot}" and position.recruits[slot - 1] == code:
            return _to_discard(set_recruit(position, slot, None), lying)
    for player in position.players:
        ally = position.ally(player, code)
        if place == f"army{player}" and ally is not None:
            return _to_discard(lose(position, player, ally.lying), lying)
    return position


def _with_supporter(position: Position, fact: Dealt) -> Position:
    """A supporter more; when all of them are there and of one strength they must be replaced (LS-107)."""
    laid = replace(position, supporters=tuple(sorted((*position.supporters, fact.code))))
    return replace(laid, fresh=laid.fresh and not laid.are_alike)


def _with_unseen_draw(position: Position) -> Position:
    """What nobody saw or told of may have happened all the same: a Forsyth's draw, a recruit taken face down."""
    side = position.side(position.on_turn)
    if side is None:
        return position
    grown = replace(side, hand=Hand(side.hand.least, side.hand.most + 1))
    return replace(position.with_side(grown), unseen=position.unseen + 1)


def _is_last_turn(position: Position) -> bool:
    return position.turn >= TURNS and position.after_turn == position.initiative


def _shared_out(position: Position) -> Position:
    """Once everybody has their supporters: the game is over, or the next skirmish is set out (LS-410, LS-501)."""
    if position.stage is not Stage.SHARING or position.hidden or next_taker(position) is not None:
        return position
    places = tuple(standing.army.player for standing in ranking(position))
    closed = replace(position, places=places, taken=(), fresh=not position.supporters)
    return replace(closed, stage=Stage.OVER if winner(closed) is not None else Stage.SETTING_OUT)


def _ready(position: Position) -> Position:
    """Once everything is laid out the skirmish begins (LS-105, LS-106)."""
    if position.stage is not Stage.SETTING_OUT:
        return position
    short = not position.can_draw
    allies = all(ally.until > position.skirmish and ally.active is None for _, ally in position.allies())
    recruits = all(code == UNKNOWN or (code is None and short) for code in position.recruits)
    supporters = position.fresh and (len(position.supporters) == len(position.sides) or short)
    if not (allies and recruits and supporters and position.initiative == heir(position)):
        return position
    begun = replace(position, stage=Stage.FIGHTING, skirmish=position.skirmish + 1, turn=0, turned=False)
    begun = replace(begun, uncovered=frozenset())
    return replace(begun, on_turn=begun.initiative, acted=False, laid=None, owes=False, taken=())
