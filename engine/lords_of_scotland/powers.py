"""When a power may be used, and whether what was done with it fits.

Knows the activation rules (LS-301, LS-302) and the targets of each power (LS-310 to LS-319).
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.lords_of_scotland.cards import LASTING, Card, Clan, clan_of
from engine.lords_of_scotland.effects import Activate, Again, Discard, Draw, Exchange, Swap
from engine.lords_of_scotland.facts import Used
from engine.lords_of_scotland.fouls import Breach, foul
from engine.lords_of_scotland.position import Ally, Position
from engine.table import UNKNOWN, Code, Player
from engine.verdicts import Foul

MANY_PLAYERS = 4
TOKEN_TO_COME = Activate(Clan.SCOTT)  # a Scott is turned sideways before its power token is laid (LS-315)


@dataclass(frozen=True, slots=True)
class Prospect:
    """What the power of a card just engaged could be used for, or which ally blocks it."""

    powers: tuple[Clan, ...]
    blocked_by: Code | None = None


def blocker(position: Position, code: Code) -> Card | None:
    """The weakest face-up ally that keeps this card's power from being used; None when it may be used."""
    card = position.deck[code]
    others = [position.deck[ally.code] for _, ally in position.face_up() if ally.code != code]
    if len(position.sides) >= MANY_PLAYERS:
        blocking = [other for other in others if other.clan is card.clan and other.strength <= card.strength]
    else:
        blocking = [other for other in others if other.strength < card.strength]
    return min(blocking, key=lambda other: (other.strength, other.rank), default=None)


def copyable(position: Position, code: Code) -> tuple[Clan, ...]:
    """The clans whose power a Scott may copy: those of the other face-up allies, Scott itself left out (LS-314)."""
    clans = {clan_of(ally.code) for _, ally in position.face_up() if ally.code != code}
    return tuple(clan for clan in Clan if clan in clans and clan is not Clan.SCOTT)


def usable(position: Position) -> tuple[Clan, ...]:
    """The powers that the card just engaged may be used for: its own, or those it may copy, as far as there is
    anything to use them on; none when blocked."""
    if position.laid is None or position.laid == UNKNOWN or blocker(position, position.laid) is not None:
        return ()
    clan = clan_of(position.laid)
    own = copyable(position, position.laid) if clan is Clan.SCOTT else (clan,)
    return tuple(power for power in own if power is not None and _has_use(position, power))


def _has_use(position: Position, power: Clan) -> bool:
    """Whether there is anything that the player on turn could use this power on."""
    match power:
        case Clan.COCKBURN:
            return bool(position.supporters)
        case Clan.FERGUSSON:
            return any(owner != position.on_turn for owner, _ in position.allies())
        case Clan.WEMYSS:
            return any(ally.code != position.laid for _, ally in position.allies())
        case Clan.FORSYTH:
            return position.can_draw
        case Clan.MAKGILL:
            side = position.side(position.on_turn)
            return side is not None and side.hand.most > 0
        case _:
            return True


def prospect(position: Position) -> Prospect | None:
    """What may be done with the card just engaged; None for one that lies face down."""
    if position.laid is None or position.laid == UNKNOWN:
        return None
    blocking = blocker(position, position.laid)
    return Prospect(usable(position), blocking.code if blocking else None)


def fouls_of_use(position: Position, fact: Used) -> tuple[Foul, ...]:
    """Every rule this use of a power breaks, the player's turn taken for granted."""
    if fact.code == UNKNOWN:
        return (foul(Breach.FACE_DOWN_POWER, player=fact.player),)
    ally = position.ally(fact.player, fact.code)
    if ally is None:
        return (foul(Breach.NO_SUCH_ALLY, player=fact.player, card=fact.code),)
    fouls = list(_moment(position, fact, ally))
    blocking = blocker(position, fact.code)
    if blocking is not None:
        breach = Breach.BLOCKED_BY_KIN if len(position.sides) >= MANY_PLAYERS else Breach.BLOCKED
        fouls.append(foul(breach, card=fact.code, by=blocking.code))
    return (*fouls, *_kind(position, fact), *_target(position, fact))


def _moment(position: Position, fact: Used, ally: Ally) -> tuple[Foul, ...]:
    if position.laid == fact.code and position.on_turn == fact.player:
        return ()
    if clan_of(fact.code) is Clan.MACDONNELL and (ally.since < position.skirmish or ally.active is not None):
        return (foul(Breach.REACTIVATED, card=fact.code),)
    return (foul(Breach.NOT_JUST_ENGAGED, card=fact.code),)


def _kind(position: Position, fact: Used) -> tuple[Foul, ...]:
    """The power used must be the card's own, or for a Scott that of another ally that lies face up."""
    clan, effect = clan_of(fact.code), fact.effect
    power = effect.clan
    if clan is not Clan.SCOTT:
        if fact.copying is not None or power is not clan or _idle(power, fact):
            return (foul(Breach.WRONG_POWER, card=fact.code, clan=power),)
        return ()
    if effect == TOKEN_TO_COME and fact.copying is None:
        return () if LASTING & set(copyable(position, fact.code)) else (foul(Breach.SIDEWAYS, card=fact.code),)
    if fact.copying is not power or _idle(power, fact):
        return (foul(Breach.WRONG_COPY, card=fact.code, clan=power),)
    if power not in copyable(position, fact.code):
        return (foul(Breach.NOTHING_TO_COPY, card=fact.code, clan=power),)
    return ()


def _idle(power: Clan, fact: Used) -> bool:
    """Turned sideways although the power is not one that waits for the end of the skirmish."""
    return isinstance(fact.effect, Activate) and power not in LASTING


def _target(position: Position, fact: Used) -> tuple[Foul, ...]:
    match fact.effect:
        case Exchange(supporter):
            if supporter not in position.supporters:
                return (foul(Breach.NOT_A_SUPPORTER, card=supporter),)
        case Swap(opponent, ally):
            if opponent == fact.player:
                return (foul(Breach.OWN_ALLY, card=ally.code),)
            return _lies(Breach.SWAP_TARGET, position, opponent, ally.code, str(ally))
        case Discard(owner, ally):
            if owner == fact.player and ally.code == fact.code:
                return (foul(Breach.DISCARDS_ITSELF, card=fact.code),)
            return _lies(Breach.DISCARD_TARGET, position, owner, ally.code, str(ally))
        case Again():
            side = position.side(fact.player)
            if side is not None and side.hand.most == 0:
                return (foul(Breach.NO_CARD_IN_HAND, player=fact.player),)
        case Draw():
            if not position.can_draw:
                return (foul(Breach.NOTHING_TO_DRAW),)
        case Activate():
            pass
    return ()


def _lies(breach: Breach, position: Position, owner: Player, code: Code, lying: str) -> tuple[Foul, ...]:
    """The target must be an ally of that player, and lie as the fact says."""
    found = [ally for ally in position.army(owner) if ally.code == code]
    if not found:
        return (foul(breach, card=code, player=owner),)
    if all(str(ally.lying) != lying for ally in found):
        return (foul(Breach.LIES_OTHERWISE, card=code, player=owner),)
    return ()
