"""The whole game, with what the public position does not know: hands, the order of the deck, cards face down.

For simulated players. Everything is done by telling facts, one at a time, so that a referee who sees only those facts
follows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random

from engine.lords_of_scotland.cards import LASTING, Clan, Deck, clan_of
from engine.lords_of_scotland.course import enforce, heir, pass_turn
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
    Straightened,
    Taken,
    Turned,
    Used,
)
from engine.lords_of_scotland.options import Rules
from engine.lords_of_scotland.places import SLOTS, SUPPORTERS, Lying, army_of, recruit_at
from engine.lords_of_scotland.position import HAND_AT_START, HAND_LIMIT, Position, Stage, opening
from engine.lords_of_scotland.powers import usable
from engine.lords_of_scotland.skirmish import next_taker
from engine.table import UNKNOWN, Code, Player


@dataclass(frozen=True, slots=True)
class Step:
    """A fact as everybody sees it, and the card behind a `?` in it that only the players know."""

    fact: Fact
    secret: Code | None = None


@dataclass(frozen=True, slots=True)
class FullGame:
    """The public position and what is hidden beneath it. `face_down` are (owner, card), `below` (slot, card); `seed`
    and the number of `shuffles` say how the discard is shuffled when the deck runs out."""

    position: Position
    hands: tuple[tuple[Player, tuple[Code, ...]], ...]
    deck: tuple[Code, ...]
    seed: int
    shuffles: int = 1
    discard: tuple[Code, ...] = ()
    face_down: tuple[tuple[Player, Code], ...] = ()
    below: tuple[tuple[int, Code], ...] = ()

    def hand(self, player: Player) -> tuple[Code, ...]:
        return dict(self.hands)[player]

    def made_ready(self) -> FullGame:
        """With a top card on the deck: an empty deck is made anew from the discard (LS-109)."""
        if self.deck or not self.discard:
            return self
        cards = shuffled(self.discard, self.seed, self.shuffles)
        return replace(self, deck=cards, discard=(), shuffles=self.shuffles + 1)

    def all_cards(self) -> tuple[Code, ...]:
        """Every card wherever it is; each must be there once."""
        known = [code for code in (*self.position.recruits, *self.position.supporters) if code not in (None, UNKNOWN)]
        allies = [ally.code for _, ally in self.position.face_up()]
        won = [code for side in self.position.sides for code in side.won]
        held = [code for _, hand in self.hands for code in hand]
        hidden = [code for _, code in (*self.face_down, *self.below)]
        return (*(code for code in known if code), *allies, *won, *held, *hidden, *self.deck, *self.discard)


def shuffled(cards: Iterable[Code], seed: int, time: int) -> tuple[Code, ...]:
    order = sorted(cards)
    Random(f"{seed}/{time}").shuffle(order)
    return tuple(order)


def deal(deck: Deck, rules: Rules, seed: int) -> FullGame:
    """Shuffle and deal (LS-104)."""
    cards = list(shuffled(deck.in_play(rules.bruce), seed, 0))
    hands = []
    for player in rules.players:
        hands.append((player, tuple(sorted(cards[:HAND_AT_START]))))
        del cards[:HAND_AT_START]
    return FullGame(opening(deck, rules.bruce, rules.seats, rules.initiative), tuple(hands), tuple(cards), seed)


def steps(game: FullGame) -> tuple[Step, ...]:
    """What may be done now: the uses of a power first, then everything else. One step only where there is no choice."""
    position = game.position
    match position.stage:
        case Stage.SETTING_OUT:
            return (_set_out(game),)
        case Stage.FIGHTING:
            uses = tuple(_uses(game)) if position.acted else ()
            return (*uses, *_acts(game))
        case Stage.SHARING:
            return tuple(_shares(game))
        case Stage.OVER:
            return ()


def take(game: FullGame, step: Step) -> FullGame:
    """The game after this step."""
    fact, before = step.fact, game.position
    game = replace(game, position=enforce(before, fact))
    match fact:
        case Turned(_, slot, _):
            return replace(game, below=tuple(entry for entry in game.below if entry[0] != slot))
        case Recruited(player, slot, code):
            below = dict(game.below)
            return _with_hand(replace(game, below=_without(below, slot)), player, add=below.get(slot, code))
        case Engaged(player, code):
            card = code if step.secret is None else step.secret
            down = (*game.face_down, (player, card)) if code == UNKNOWN else game.face_down
            return _with_hand(replace(game, face_down=down), player, drop=card)
        case Used():
            return _used(game, fact, step.secret)
        case Revealed(player, code):
            return replace(game, face_down=tuple(entry for entry in game.face_down if entry != (player, code)))
        case Cleared(_, lying):
            return replace(game, discard=(*game.discard, lying.code))
        case Dealt(code, place):
            game, card = _drawn(game)
            slot = next((slot for slot in SLOTS if place == recruit_at(slot)), 0)
            return replace(game, below=(*game.below, (slot, card))) if code == UNKNOWN else game
        case _:
            return game


def _drawn(game: FullGame) -> tuple[FullGame, Code]:
    game = game.made_ready()
    return replace(game, deck=game.deck[1:]), game.deck[0]


def _set_out(game: FullGame) -> Step:
    """The next thing to put away or to lay out (LS-410 to LS-412, LS-105, LS-106)."""
    position = game.position
    for owner, ally in position.allies():
        if ally.active is Clan.MACDONNELL and ally.until > position.skirmish:
            return Step(Straightened(owner, ally.lying))
        if ally.until <= position.skirmish:
            return Step(Cleared(army_of(owner), ally.lying))
    for slot, code in zip(SLOTS, position.recruits, strict=True):
        if code is not None and code != UNKNOWN:
            return Step(Cleared(recruit_at(slot), Lying(code)))
    if not position.fresh:
        return Step(Cleared(SUPPORTERS, Lying(position.supporters[0])))
    if position.initiative != heir(position):
        return Step(InitiativeGiven(position.initiative, heir(position)))
    for slot, code in zip(SLOTS, position.recruits, strict=True):
        if code is None:
            return Step(Dealt(UNKNOWN, recruit_at(slot)))
    return Step(Dealt(game.made_ready().deck[0], SUPPORTERS))


def _acts(game: FullGame) -> Iterator[Step]:
    position = game.position
    if position.gap is not None:
        face_up = position.gap in position.uncovered
        yield Step(Dealt(game.made_ready().deck[0] if face_up else UNKNOWN, recruit_at(position.gap)))
        return
    now = pass_turn(position) if position.is_turn_over else position
    if now.stage is not Stage.FIGHTING:
        yield from steps(replace(game, position=now))
        return
    player = now.on_turn
    if now.must_turn and now.next_recruit is not None:
        yield Step(Turned(player, now.next_recruit, dict(game.below)[now.next_recruit]))
        return
    hand = game.hand(player)
    yield from (Step(Engaged(player, code)) for code in hand)
    yield from (Step(Engaged(player, UNKNOWN), code) for code in hand)
    recruits = [(slot, code) for slot, code in zip(SLOTS, now.recruits, strict=True) if code is not None]
    if len(hand) < HAND_LIMIT and not now.owes:
        yield from (Step(Recruited(player, slot, code)) for slot, code in recruits)
    if not hand and not recruits:
        yield Step(Passed(player))


def _uses(game: FullGame) -> Iterator[Step]:
    position = game.position
    if position.laid is None:
        return
    for clan in usable(position):
        copying = clan if clan_of(position.laid) is Clan.SCOTT else None
        for effect, secret in _effects(game, clan):
            yield Step(Used(position.on_turn, position.laid, effect, copying), secret)


def _effects(game: FullGame, clan: Clan) -> Iterator[tuple[Effect, Code | None]]:
    position, player = game.position, game.position.on_turn
    targets = [(owner, ally.lying) for owner, ally in position.face_up()]
    secrets = [(owner, Lying(UNKNOWN), code) for owner, code in game.face_down]
    match clan:
        case Clan.COCKBURN:
            yield from ((Exchange(code), None) for code in position.supporters)
        case Clan.FERGUSSON:
            yield from ((Swap(owner, lying), None) for owner, lying in targets if owner != player)
            yield from ((Swap(owner, lying), code) for owner, lying, code in secrets if owner != player)
        case Clan.WEMYSS:
            yield from ((Discard(owner, lying), None) for owner, lying in targets if lying.code != position.laid)
            yield from ((Discard(owner, lying), code) for owner, lying, code in secrets)
        case Clan.FORSYTH:
            yield Draw(), None
        case Clan.MAKGILL if game.hand(player):
            yield Again(), None
        case _ if clan in LASTING:
            yield Activate(clan), None


def _used(game: FullGame, fact: Used, secret: Code | None) -> FullGame:
    match fact.effect:
        case Swap(opponent, _) if secret is not None:
            down = [entry for entry in game.face_down if entry != (opponent, secret)]
            return replace(game, face_down=(*down, (fact.player, secret)))
        case Discard(owner, lying):
            down = [entry for entry in game.face_down if entry != (owner, secret)]
            return replace(game, face_down=tuple(down), discard=(*game.discard, secret or lying.code))
        case Draw():
            game, card = _drawn(game)
            return _with_hand(game, fact.player, add=card)
        case _:
            return game


def _shares(game: FullGame) -> Iterator[Step]:
    if game.face_down:
        yield Step(Revealed(*game.face_down[0]))
        return
    taker = next_taker(game.position)
    if taker is not None:
        yield from (Step(Taken(taker, code)) for code in game.position.supporters)


def _with_hand(game: FullGame, player: Player, *, add: Code | None = None, drop: Code | None = None) -> FullGame:
    cards = [code for code in game.hand(player) if code != drop]
    hand = tuple(sorted([*cards, add] if add is not None else cards))
    return replace(game, hands=tuple((owner, hand if owner == player else held) for owner, held in game.hands))


def _without(below: dict[int, Code], slot: int) -> tuple[tuple[int, Code], ...]:
    return tuple(entry for entry in below.items() if entry[0] != slot)
