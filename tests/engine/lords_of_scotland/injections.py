"""Fouls to put into a game: at any moment of it, those that could be committed there, each with the one kind that it
must be named by. Every kind of foul is among them; which of them a moment allows is looked up in the hidden game.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.lords_of_scotland.cards import LASTING, Clan, clan_of
from engine.lords_of_scotland.course import pass_turn
from engine.lords_of_scotland.effects import Activate, Again, Discard, Draw, Effect, Exchange, Swap
from engine.lords_of_scotland.facts import (
    Cleared,
    Dealt,
    Engaged,
    Fact,
    InitiativeGiven,
    Passed,
    Recruited,
    Revealed,
    Shifted,
    Straightened,
    Taken,
    Turned,
    TurnEnded,
    Used,
)
from engine.lords_of_scotland.hands import FullGame
from engine.lords_of_scotland.places import SUPPORTERS, Lying, army_of, face, recruit_at
from engine.lords_of_scotland.position import HAND_LIMIT, Ally, Position, Stage
from engine.lords_of_scotland.powers import MANY_PLAYERS, blocker, copyable
from engine.lords_of_scotland.skirmish import next_taker
from engine.table import UNKNOWN, Change, Code, Player

Wrong = Iterator[tuple[str, Fact]]
BRUCE = Code("bruce1")


def injections(game: FullGame) -> Wrong:
    """What could be done wrong here."""
    position = game.position
    match position.stage:
        case Stage.FIGHTING:
            yield from _in_fight(game, position)
        case Stage.SHARING:
            yield from _in_sharing(game, position)
        case Stage.SETTING_OUT:
            yield from _in_setting_out(game, position)
        case Stage.OVER:
            yield "game-over", Engaged(position.on_turn, _hidden(game))
            return
    yield from _with_allies(game, position)
    if position.stage is not Stage.SETTING_OUT:
        others = [player for player in position.players if player != position.initiative]
        yield "initiative", InitiativeGiven(position.initiative, others[0])


def _hidden(game: FullGame) -> Code:
    """A card that nobody has seen: of the deck or, when it is exhausted, of a hand."""
    return next(iter((*game.deck, *(code for _, hand in game.hands for code in hand), *game.made_ready().deck)))


def _is_last(position: Position) -> bool:
    """Nobody acts after this in the skirmish."""
    return position.is_turn_over and pass_turn(position).stage is not Stage.FIGHTING


def _with_allies(game: FullGame, position: Position) -> Wrong:
    """Things done to allies that lie there, in whatever stage."""
    lying = [(player, ally) for player, ally in position.allies() if ally.code != UNKNOWN]
    for owner, ally in lying[:1]:
        piece = face(ally.code, sideways=ally.active is not None)
        yield "moved", Shifted(Change(piece, army_of(owner), recruit_at(1)))
        if position.stage is Stage.FIGHTING and not _is_last(position):
            yield "cleared-early", Cleared(army_of(owner), ally.lying)
            if position.hidden:
                yield "revealed-early", Revealed(position.hidden[0], _hidden(game))
    upright = [(owner, ally) for owner, ally in lying if ally.active is None]
    for owner, ally in upright[-1:]:
        yield "sideways", Shifted(Change(face(ally.code, sideways=True), army_of(owner), army_of(owner)))
    for owner, ally in lying:
        if ally.active is not None and position.stage is not Stage.SETTING_OUT:
            yield "straightened", Straightened(owner, ally.lying)


def _in_fight(game: FullGame, position: Position) -> Wrong:
    player, hand = position.on_turn, game.hand(position.on_turn)
    if position.gap is not None:
        face_up = position.gap <= position.turn
        wrong = UNKNOWN if face_up else game.made_ready().deck[0]
        yield "wrong-face", Dealt(wrong, recruit_at(position.gap))
        if game.hand(position.after_turn) and not position.owes:
            yield "not-replaced", Engaged(position.after_turn, game.hand(position.after_turn)[0])
        return
    yield from _out_of_turn(game, position)
    if position.recruits[0] is not None:
        yield "recruit-too-many", Dealt(UNKNOWN, recruit_at(1))
    if game.deck:
        yield "supporter-too-many", Dealt(game.deck[0], SUPPORTERS)
    if position.supporters and not _is_last(position):
        yield "taken-early", Taken(player, position.supporters[0])
    if not position.is_turn_over and not position.may_have_recruited:
        yield "turn-not-over", TurnEnded(player)
    if position.owes:
        slot, code = next(iter((n, code) for n, code in enumerate(position.recruits, 1) if code is not None))
        if _least(position, player) < HAND_LIMIT:
            yield "ally-owed", Recruited(player, slot, code)
    elif position.acted:
        if hand:
            yield "second-action", Engaged(player, hand[0])
        yield from _bad_uses(game, position, player)
    if not position.acted or position.is_turn_over:
        yield from _next_action(game, pass_turn(position) if position.acted else position)


def _next_action(game: FullGame, now: Position) -> Wrong:
    """Whoever acts next does so wrongly."""
    if now.must_turn and now.next_recruit is not None:
        yield from _instead_of_turning(game, now, now.next_recruit)
    elif now.stage is Stage.FIGHTING:
        yield from _bad_actions(game, now, now.on_turn)


def _out_of_turn(game: FullGame, position: Position) -> Wrong:
    waiting = [other for other in position.players if other != position.on_turn]
    if position.is_turn_over:
        waiting = [] if _is_last(position) else [other for other in waiting if other != position.after_turn]
    for other in waiting:
        if game.hand(other):
            yield "out-of-turn", Engaged(other, game.hand(other)[0])


def _least(position: Position, player: Player) -> int:
    side = position.side(player)
    assert side is not None
    return side.hand.least


def _instead_of_turning(game: FullGame, position: Position, slot: int) -> Wrong:
    player, below = position.on_turn, dict(game.below)
    yield "turned-by-other", Turned(position.after_turn, slot, below[slot])
    if slot < 5:
        yield "not-leftmost", Turned(player, slot + 1, below[slot + 1])
    if slot > 1:
        yield "not-face-down", Turned(player, slot - 1, _hidden(game))
    if game.hand(player):
        yield "recruit-not-turned", Engaged(player, game.hand(player)[0])


def _bad_actions(game: FullGame, position: Position, player: Player) -> Wrong:
    """Whoever is on turn may act, and does something else."""
    hand, recruits = game.hand(player), [code for code in position.recruits if code is not None]
    slot = position.next_recruit
    if slot is not None:
        yield "turned-out-of-time", Turned(position.initiative, slot, dict(game.below)[slot])
    if recruits:
        yield "passed", Passed(player)
    if _least(position, player) >= HAND_LIMIT:
        yield "eleventh-card", Recruited(player, 1, position.recruits[0] or UNKNOWN)
    else:
        yield "no-such-recruit", Recruited(player, 1, _hidden(game))
    if not hand:
        side = position.side(player)
        if side is not None and side.hand.most == 0:
            yield "empty-hand", Engaged(player, _hidden(game))
        return
    if position.supporters:
        yield "card-twice", Engaged(player, position.supporters[0])
    if not position.bruce:
        yield "no-bruce", Engaged(player, BRUCE)
    discarded = [code for code in position.discard if code != UNKNOWN]
    if discarded and position.unseen == 0:
        yield "was-discarded", Engaged(player, discarded[0])


def _bad_uses(game: FullGame, position: Position, player: Player) -> Wrong:
    """Powers used that may not be, or not so."""
    laid = position.laid
    yield from _stale_uses(position, player)
    if game.hand(player):
        yield "no-such-ally", Used(player, game.hand(player)[0], Draw())
    if laid == UNKNOWN:
        yield "face-down-power", Used(player, UNKNOWN, Draw())
    elif laid is not None and blocker(position, laid) is not None:
        kind = "blocked-by-kin" if len(position.sides) >= MANY_PLAYERS else "blocked"
        clan = clan_of(laid)
        copied = copyable(position, laid) if clan is Clan.SCOTT else ()
        for power in copied or ((clan,) if clan is not None else ()):
            for effect in _effects(position, player, power):
                yield kind, Used(player, laid, effect, power if copied else None)
    elif laid is not None:
        yield from _bad_targets(game, position, player, laid)


def _effects(position: Position, player: Player, power: Clan) -> Iterator[Effect]:
    """One good use of a power, were it not blocked."""
    others = [(owner, ally.lying) for owner, ally in position.allies() if ally.code != position.laid]
    match power:
        case Clan.COCKBURN:
            yield from (Exchange(code) for code in position.supporters[:1])
        case Clan.FERGUSSON:
            yield from [Swap(owner, lying) for owner, lying in others if owner != player][:1]
        case Clan.WEMYSS:
            yield from [Discard(owner, lying) for owner, lying in others][:1]
        case Clan.FORSYTH if position.can_draw:
            yield Draw()
        case Clan.MAKGILL if _least(position, player) > 0:
            yield Again()
        case _ if power in LASTING:
            yield Activate(power)


def _stale_uses(position: Position, player: Player) -> Wrong:
    """A power used too late: of an ally that was not engaged just now."""
    for ally in position.army(player):
        if ally.code in (UNKNOWN, position.laid) or blocker(position, ally.code) is not None:
            continue
        clan = clan_of(ally.code)
        if clan is Clan.FORSYTH and position.can_draw:
            yield "not-just-engaged", Used(player, ally.code, Draw())
        elif clan in (Clan.COCHRANE, Clan.BRUCE) and ally.active is None:
            yield "not-just-engaged", Used(player, ally.code, Activate(clan))
        elif clan is Clan.MACDONNELL:
            stays = ally.since < position.skirmish or ally.active is not None
            yield "reactivated" if stays else "not-just-engaged", Used(player, ally.code, Activate(clan))


def _bad_targets(game: FullGame, position: Position, player: Player, laid: Code) -> Wrong:
    """The card's power may be used, and it is used as another power or on what it cannot be used on."""
    unknown, opponent = Lying(_hidden(game)), next(other for other in position.players if other != player)
    clan = clan_of(laid)
    if clan is Clan.SCOTT:
        if Clan.FORSYTH not in copyable(position, laid) and position.can_draw:
            yield "nothing-to-copy", Used(player, laid, Draw(), Clan.FORSYTH)
        yield "wrong-copy", Used(player, laid, Activate(Clan.COCHRANE))
    elif clan is not Clan.FORSYTH and position.can_draw:
        yield "wrong-power", Used(player, laid, Draw())
    match clan:
        case Clan.FORSYTH if not position.can_draw:
            yield "nothing-to-draw", Used(player, laid, Draw())
        case Clan.MAKGILL if not game.hand(player) and not _least(position, player):
            if (side := position.side(player)) is not None and side.hand.most == 0:
                yield "no-card-in-hand", Used(player, laid, Again())
        case Clan.COCKBURN:
            yield "not-a-supporter", Used(player, laid, Exchange(unknown.code))
        case Clan.FERGUSSON:
            yield "swap-target", Used(player, laid, Swap(opponent, unknown))
            yield "own-ally", Used(player, laid, Swap(player, Lying(laid)))
            yield from (
                ("lies-otherwise", Used(player, laid, Swap(owner, other)))
                for owner, other in _otherwise(position)
                if owner != player
            )
        case Clan.WEMYSS:
            yield "discard-target", Used(player, laid, Discard(opponent, unknown))
            yield "discards-itself", Used(player, laid, Discard(player, Lying(laid)))
            yield from (
                ("lies-otherwise", Used(player, laid, Discard(owner, other))) for owner, other in _otherwise(position)
            )
        case _:
            pass


def _otherwise(position: Position) -> Iterator[tuple[Player, Lying]]:
    """Allies as they do not lie: upright ones sideways and sideways ones upright."""
    for owner, ally in position.face_up():
        clan = clan_of(ally.code)
        if ally.code != position.laid and (clan in LASTING or ally.active is not None):
            yield owner, Lying(ally.code, clan if ally.active is None else None)


def _in_sharing(game: FullGame, position: Position) -> Wrong:
    player = position.players[0]
    if game.hand(player):
        yield "no-skirmish", Engaged(player, game.hand(player)[0])
    open_ = [other for other in position.players if other not in position.hidden]
    yield from (("nothing-face-down", Revealed(other, _hidden(game))) for other in open_)
    if position.hidden:
        yield "not-revealed", Taken(player, position.supporters[0])
        return
    due = next_taker(position)
    if due is not None:
        yield "no-such-supporter", Taken(due, _hidden(game))
    for player in position.players:
        if not position.army(player):
            yield "no-ally", Taken(player, position.supporters[0])
        elif player != due:
            yield (
                "second-supporter" if player in position.taken else "out-of-order",
                Taken(player, position.supporters[0]),
            )


def _in_setting_out(game: FullGame, position: Position) -> Wrong:
    if game.hand(position.on_turn):
        yield "no-skirmish", Engaged(position.on_turn, game.hand(position.on_turn)[0])
    yield "not-there", Cleared(army_of(position.players[0]), Lying(_hidden(game)))
    for slot, code in enumerate(position.recruits, 1):
        if code is None and game.deck:
            yield "recruit-face-up", Dealt(game.deck[0], recruit_at(slot))
        elif code == UNKNOWN:
            yield "not-due", Cleared(recruit_at(slot), Lying(UNKNOWN))
    if len(position.supporters) < len(position.sides) and game.deck:
        if position.fresh:
            yield "supporter-face-down", Dealt(UNKNOWN, SUPPORTERS)
        else:
            yield "supporters-left", Dealt(game.deck[0], SUPPORTERS)
    elif position.fresh and position.supporters:
        yield "not-due", Cleared(SUPPORTERS, Lying(position.supporters[0]))
    yield from (("stays", Cleared(army_of(owner), ally.lying)) for owner, ally in _staying(position))


def _staying(position: Position) -> Iterator[tuple[Player, Ally]]:
    return ((owner, ally) for owner, ally in position.allies() if ally.until > position.skirmish)
