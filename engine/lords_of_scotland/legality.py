"""Judging facts: every rule a fact breaks, each with its id. Nothing is ever rejected.

Knows what is allowed at which moment. What a fact leads to is for `course`, powers have their own file.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.lords_of_scotland.cards import Clan, clan_of
from engine.lords_of_scotland.course import enforce, heir, moment, turned_unseen
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
from engine.lords_of_scotland.fouls import Breach, foul
from engine.lords_of_scotland.places import SLOTS, SUPPORTERS, recruit_at
from engine.lords_of_scotland.position import HAND_LIMIT, Position, Stage
from engine.lords_of_scotland.powers import fouls_of_use, prospect
from engine.lords_of_scotland.skirmish import next_taker
from engine.table import UNKNOWN, Change, Code, Place, Player
from engine.verdicts import Foul, Verdict


def judge(position: Position, fact: Fact) -> Verdict:
    """Every rule this fact breaks; of an ally engaged also what its power could be used for."""
    if isinstance(fact, Together):
        return _together(position, fact)
    fouls = tuple(dict.fromkeys(_fouls(moment(position, fact), fact)))
    engaged = isinstance(fact, Engaged) and not fouls
    return Verdict(fouls, prospect(enforce(position, fact)) if engaged else None)


def _together(position: Position, fact: Together) -> Verdict:
    """Each card in the light of those before it."""
    fouls: dict[Foul, None] = {}
    for act in fact.acts:
        found = judge(position, act).fouls
        fouls |= dict.fromkeys(found)
        position = position if found else enforce(position, act)
    return Verdict(tuple(fouls))


def _fouls(now: Position, fact: Fact) -> Iterator[Foul]:
    if isinstance(fact, PutRight):
        yield from _put_right(now, fact.change)
        return
    if now.stage is Stage.OVER:
        yield foul(Breach.GAME_OVER)
        return
    match fact:
        case Turned():
            yield from _turned(now, fact)
        case Recruited():
            yield from _recruited(now, fact)
        case Engaged():
            yield from _engaged(now, fact)
        case Passed(player):
            yield from _action(now, player)
            side = now.side(player)
            stuck = side is not None and side.hand.least == 0 and not any(now.recruits)
            if not stuck:
                yield foul(Breach.PASSED, player=player)
        case TurnEnded(player):
            if player != now.on_turn or not (now.is_turn_over or now.may_have_recruited):
                yield foul(Breach.TURN_NOT_OVER, player=player, turn=now.on_turn)
        case Used():
            yield from _used(now, fact)
        case Revealed():
            yield from _revealed(now, fact)
        case Taken():
            yield from _taken(now, fact)
        case Straightened():
            yield from _straightened(now, fact)
        case Cleared():
            yield from _cleared(now, fact)
        case Dealt():
            yield from _dealt(now, fact)
        case InitiativeGiven(giver, receiver):
            if now.stage is not Stage.SETTING_OUT or receiver != heir(now) or giver != now.initiative:
                holder = _rightful(now)
                yield foul(Breach.INITIATIVE, player=receiver if receiver != holder else giver, holder=holder)
        case Shifted(change):
            yield _shifted(change)


def _rightful(now: Position) -> Player:
    return heir(now) if now.stage is Stage.SETTING_OUT else now.initiative


def _action(now: Position, player: Player) -> Iterator[Foul]:
    """What any action of a turn has to heed: the skirmish, the turn, the recruit that must be turned or replaced."""
    if now.stage is not Stage.FIGHTING:
        yield foul(Breach.NO_SKIRMISH)
        return
    is_next = player == now.after_turn and now.acted and not now.owes and now.gap is not None
    if player != now.on_turn and not is_next:
        yield foul(Breach.OUT_OF_TURN, player=player, turn=now.on_turn)
    elif now.must_turn:
        yield foul(Breach.RECRUIT_NOT_TURNED, player=player)
    if now.gap is not None:  # the next player is not out of turn for that, only too early
        yield foul(Breach.NOT_REPLACED, slot=now.gap)


def _second(now: Position, player: Player) -> Iterator[Foul]:
    if player == now.on_turn and now.acted and not now.owes:
        yield foul(Breach.SECOND_ACTION, player=player)


def _known(now: Position, code: Code, from_deck: bool) -> Iterator[Foul]:
    """A card that comes from a hand or from the deck must not be known to be elsewhere. Discarded cards come again
    once the deck is made anew; as many draws as may have gone unseen, that may have been so much earlier."""
    if code == UNKNOWN:
        return
    if clan_of(code) is Clan.BRUCE and not now.bruce:
        yield foul(Breach.NO_BRUCE, card=code)
    place = now.where(code)
    if place == Place("discard"):
        was_empty = now.stock <= now.unseen if from_deck else now.stock < now.unseen
        if not was_empty:
            yield foul(Breach.WAS_DISCARDED, card=code)
    elif place is not None:
        yield foul(Breach.CARD_TWICE, card=code, place=place)


def _turned(now: Position, fact: Turned) -> Iterator[Foul]:
    if fact.player != now.initiative:
        yield foul(Breach.TURNED_BY_OTHER, player=fact.player, holder=now.initiative)
    if not now.must_turn:
        yield foul(Breach.TURNED_OUT_OF_TIME, slot=fact.slot)
    if now.recruits[fact.slot - 1] != UNKNOWN:
        yield foul(Breach.NOT_FACE_DOWN, slot=fact.slot)
    elif now.next_recruit != fact.slot:
        yield foul(Breach.NOT_LEFTMOST, slot=fact.slot, expected=now.next_recruit)
    if now.gap is not None:
        yield foul(Breach.NOT_REPLACED, slot=now.gap)
    yield from _known(now, fact.code, from_deck=False)


def _recruited(now: Position, fact: Recruited) -> Iterator[Foul]:
    yield from _action(turned_unseen(now, fact), fact.player)
    yield from _second(now, fact.player)
    if fact.player == now.on_turn and now.owes:
        yield foul(Breach.ALLY_OWED, player=fact.player)
    if now.recruits[fact.slot - 1] != fact.code:
        yield foul(Breach.NO_SUCH_RECRUIT, slot=fact.slot, card=fact.code)
    side = now.side(fact.player)
    if side is not None and side.hand.least >= HAND_LIMIT:
        yield foul(Breach.ELEVENTH_CARD, player=fact.player)


def _engaged(now: Position, fact: Engaged) -> Iterator[Foul]:
    yield from _action(now, fact.player)
    yield from _second(now, fact.player)
    yield from _known(now, fact.code, from_deck=False)
    side = now.side(fact.player)
    if side is not None and side.hand.most == 0:
        yield foul(Breach.EMPTY_HAND, player=fact.player)


def _used(now: Position, fact: Used) -> Iterator[Foul]:
    if now.stage is not Stage.FIGHTING:
        yield foul(Breach.NO_SKIRMISH)
    elif fact.player != now.on_turn:
        yield foul(Breach.OUT_OF_TURN, player=fact.player, turn=now.on_turn)
    yield from fouls_of_use(now, fact)


def _revealed(now: Position, fact: Revealed) -> Iterator[Foul]:
    if now.stage is not Stage.SHARING:
        yield foul(Breach.REVEALED_EARLY, player=fact.player)
    if now.ally(fact.player, UNKNOWN) is None:
        yield foul(Breach.NOTHING_FACE_DOWN, player=fact.player)
    yield from _known(now, fact.code, from_deck=False)


def _taken(now: Position, fact: Taken) -> Iterator[Foul]:
    player = fact.player
    if fact.code not in now.supporters:
        yield foul(Breach.NO_SUCH_SUPPORTER, card=fact.code)
    if now.stage is Stage.SETTING_OUT and now.skirmish and not now.are_alike and not (now.fresh and now.supporters):
        if now.supporters:  # left over from the skirmish that is shared out
            yield foul(Breach.SECOND_SUPPORTER if player in now.places else Breach.NO_ALLY, player=player)
        return
    if now.stage is not Stage.SHARING:
        yield foul(Breach.TAKEN_EARLY, player=player)
        return
    if now.hidden:
        yield foul(Breach.NOT_REVEALED, player=now.hidden[0])
        return
    due = next_taker(now)
    if not now.army(player):
        yield foul(Breach.NO_ALLY, player=player)
    elif player != due and player in now.taken:
        yield foul(Breach.SECOND_SUPPORTER, player=player)
    elif player != due:
        yield foul(Breach.OUT_OF_ORDER, player=player, turn=due)


def _straightened(now: Position, fact: Straightened) -> Iterator[Foul]:
    ally = next((ally for ally in now.army(fact.player) if ally.lying == fact.ally), None)
    if ally is None:
        yield foul(Breach.LIES_OTHERWISE, card=fact.ally.code, player=fact.player)
    elif now.stage is not Stage.SETTING_OUT or ally.active is not Clan.MACDONNELL:
        yield foul(Breach.STRAIGHTENED, card=fact.ally.code)


def _cleared(now: Position, fact: Cleared) -> Iterator[Foul]:
    code, place = fact.lying.code, fact.place
    if now.stage is not Stage.SETTING_OUT:
        yield foul(Breach.CLEARED_EARLY, card=code)
        return
    if place == SUPPORTERS:
        there, due = code in now.supporters, not now.fresh
    elif (slot := slot_at(place)) is not None:
        there, due = now.recruits[slot - 1] == code, code != UNKNOWN
    else:
        owner = Player(place.removeprefix("army"))
        ally = now.ally(owner, code)  # however it lies, it is put away
        there, due = ally is not None, ally is not None and ally.until <= now.skirmish
        if ally is not None and not due:
            yield foul(Breach.STAYS, card=code)
            return
    if not there:
        yield foul(Breach.NOT_THERE, card=code, place=place)
    elif not due:
        yield foul(Breach.NOT_DUE, card=code, place=place)


def _dealt(now: Position, fact: Dealt) -> Iterator[Foul]:
    slot = slot_at(fact.place)
    yield from _known(now, fact.code, from_deck=True)
    if fact.place == SUPPORTERS:
        if fact.code == UNKNOWN:
            yield foul(Breach.SUPPORTER_FACE_DOWN)
        if now.stage is not Stage.SETTING_OUT or len(now.supporters) >= len(now.sides):
            yield foul(Breach.SUPPORTER_TOO_MANY, card=fact.code)
        elif not now.fresh:
            yield foul(Breach.SUPPORTERS_LEFT)
    elif slot is None:
        yield foul(Breach.MOVED, card=fact.code, place=fact.place)
    elif now.stage not in (Stage.FIGHTING, Stage.SETTING_OUT) or now.recruits[slot - 1] is not None:
        yield foul(Breach.RECRUIT_TOO_MANY, slot=slot)
    elif now.stage is Stage.FIGHTING:
        if (fact.code == UNKNOWN) is (slot in now.uncovered):
            yield foul(Breach.WRONG_FACE, slot=slot, face="up" if slot in now.uncovered else "down")
    elif fact.code != UNKNOWN:
        yield foul(Breach.RECRUIT_FACE_UP, slot=slot)


def _shifted(change: Change) -> Foul:
    code = change.piece.code
    if change.origin == change.target and change.piece.sideways:
        return foul(Breach.SIDEWAYS, card=code)
    return foul(Breach.MOVED, card=code, place=change.origin or change.target or "")


def _put_right(now: Position, change: Change) -> Iterator[Foul]:
    """Right is what agrees with the position: the piece comes to where it belongs, or leaves where it does not."""
    table, code = now.table(), change.piece.code
    if change.target is not None:
        right = change.piece in table.at(change.target)
    else:
        belongs = change.origin is not None and any(piece.code == code for piece in table.at(change.origin))
        right = code == UNKNOWN or not belongs
    if not right:
        yield foul(Breach.MOVED, card=code, place=change.origin or change.target or "")


def slot_at(place: Place) -> int | None:
    """The recruit's number that a place stands for."""
    return next((slot for slot in SLOTS if place == recruit_at(slot)), None)
